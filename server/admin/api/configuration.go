package api

import (
	"errors"

	"sphereserver/data"
	"sphereserver/server/config"
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
	Doc        text     `json:"doc"`
}

func configuration(s *Server, _ *request) (any, error) {
	now, defaults := s.o.Config.Config(), config.Defaults()
	out := make([]keyAnswer, 0, len(config.Keys()))
	for _, k := range config.Keys() {
		out = append(out, keyAnswer{Key: k.Name, Kind: string(k.Kind()), Value: k.Get(&now.Settings),
			Default: k.Get(&defaults), Source: now.Origin(k).String(), Reloadable: k.Reload, Min: k.Min, Max: k.Max,
			OneOf: k.OneOf, Doc: both(k.Doc(true), k.Doc(false))})
	}
	return out, nil
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
	case !k.Reload:
		f.Add("key", restartText)
	case b.Value != nil:
		s := config.Defaults()
		if err := k.Set(&s, *b.Value); err != nil {
			f.Add("value", sameText, err.Error())
		}
	}
}

type changesAnswer struct {
	Changes []config.Change `json:"changes"`
}

func configure(s *Server, r *request, b *configBody) (any, error) {
	k, _ := config.KeyNamed(b.Key)
	now := s.o.Config.Config()
	if from := now.Origin(k); from.From == "flag" || from.From == "environment" {
		return nil, errStronger.with(from.String())
	}
	return s.configured(r, data.AuditEntry{Action: "config set", Target: k.Name,
		Detail: "from " + k.Get(&now.Settings) + " to " + *b.Value}, func() ([]config.Change, error) {
		changes, err := s.o.Config.Write(k, *b.Value)
		switch {
		case errors.Is(err, config.ErrNoFile):
			return nil, errNoFile
		case err != nil:
			return nil, errFile.with(err.Error())
		}
		return changes, nil
	})
}

func reload(s *Server, r *request, _ *nothing) (any, error) {
	return s.configured(r, data.AuditEntry{Action: "config reload"}, func() ([]config.Change, error) {
		changes, err := s.o.Config.Reload()
		if err != nil {
			return nil, errReload.with(err.Error())
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
