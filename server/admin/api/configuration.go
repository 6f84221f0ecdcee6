package api

import (
	"errors"
	"slices"

	"sphereserver/data"
	"sphereserver/server/config"
	"sphereserver/server/ops"
)

type keyAnswer struct {
	Key        string   `json:"key"`
	Kind       string   `json:"kind"` // "text", "switch", "whole", "number", "duration" or "list"
	Value      string   `json:"value"`
	Default    string   `json:"default"`
	Source     string   `json:"source"`
	Reloadable bool     `json:"reloadable"`
	Min        string   `json:"min,omitempty"`
	Max        string   `json:"max,omitempty"`
	OneOf      []string `json:"oneOf,omitempty"`
	Heading    text     `json:"heading"` // of the table of the file that it stands in
	Doc        text     `json:"doc"`
	// Waits is the value of the file that counts after a restart; nil when it is the one that counts now.
	Waits *string `json:"waits,omitempty"`
	// Fixed says why the page cannot change it: "stronger", since a flag or the environment says otherwise, or "owner",
	// since only the owner of the machine chooses where files are.
	Fixed string `json:"fixed,omitempty"`
}

func configuration(s *Server, _ *request) (any, error) {
	now, defaults := s.o.Config.Config(), config.Defaults()
	waiting := s.o.Config.Waiting()
	out := make([]keyAnswer, 0, len(config.Keys()))
	for _, k := range config.Keys() {
		a := keyAnswer{Key: k.Name, Kind: string(k.Kind()), Value: k.Get(&now.Settings),
			Default: k.Get(&defaults), Source: now.Origin(k).String(), Reloadable: k.Reload, Min: k.Min, Max: k.Max,
			OneOf: k.OneOf, Heading: both(k.Heading(true), k.Heading(false)), Doc: both(k.Doc(true), k.Doc(false))}
		if i := slices.IndexFunc(waiting, func(c config.Change) bool { return c.Key == k.Name }); i >= 0 {
			a.Waits = &waiting[i].New
		}
		switch {
		case stronger(now, k):
			a.Fixed = "stronger"
		case k.Path:
			a.Fixed = "owner"
		}
		out = append(out, a)
	}
	return out, nil
}

// stronger reports whether a setting comes from where the file does not count.
func stronger(c *config.Config, k *config.Key) bool {
	from := c.Origin(k) // of another setting where that implies it: then the file counts
	return from.From == "flag" && from.Name == k.Flag || from.From == "environment" && from.Name == k.Env()
}

type configBody struct {
	Key   string  `json:"key"`
	Value *string `json:"value"`
}

func (b *configBody) check(f *fieldErrors) {
	if b.Value == nil {
		f.Add("value", missingText)
	}
	k, ok := config.KeyNamed(b.Key)
	switch {
	case b.Key == "":
		f.Add("key", missingText)
	case !ok:
		f.Add("key", noKeyText)
	case k.Path:
		f.Add("key", pathKeyText)
	case b.Value != nil:
		s := config.Defaults()
		if err := k.Set(&s, *b.Value); err != nil {
			f.Add("value", textOf(err))
		}
	}
}

// textOf is the text of an error in both languages.
func textOf(err error) text {
	var inBoth ops.Localized
	if errors.As(err, &inBoth) {
		return both(inBoth.In(true), inBoth.In(false))
	}
	return both(err.Error(), err.Error())
}

type changesAnswer struct {
	Changes []config.Change `json:"changes"`
}

func configure(s *Server, r *request, b *configBody) (any, error) {
	k, _ := config.KeyNamed(b.Key)
	now := s.o.Config.Config()
	if stronger(now, k) {
		return nil, errStronger.with(now.Origin(k).String())
	}
	was := k.Get(&now.Settings)
	for _, c := range s.o.Config.Waiting() {
		if c.Key == k.Name {
			was = c.New
		}
	}
	return s.configured(r, data.AuditEntry{Action: "config set", Target: k.Name,
		Detail: "from " + was + " to " + *b.Value}, func() ([]config.Change, error) {
		changes, err := s.o.Config.Write(k, *b.Value)
		switch {
		case errors.Is(err, config.ErrNoFile):
			return nil, errNoFile
		case err != nil:
			return nil, errFile.with(textOf(err))
		}
		return changes, nil
	})
}

// configured changes the configuration once that is in the audit trail.
func (s *Server) configured(r *request, e data.AuditEntry, change func() ([]config.Change, error)) (any, error) {
	e.Who = r.who.actor().Name
	answer := changesAnswer{[]config.Change{}}
	err := s.o.Ops.Record(r.Context(), e, func() error {
		changes, err := change()
		answer.Changes = append(answer.Changes, changes...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}
