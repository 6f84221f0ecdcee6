package api

import (
	"errors"
	"net/http"

	"sphereserver/data"
	"sphereserver/server/config"
)

// keyAnswer is one setting.
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
			Default: k.Get(&defaults),
			Source:  now.Origin(k).String(), Reloadable: k.Reload, Min: k.Min, Max: k.Max, OneOf: k.OneOf, Doc: text{k.Doc(true), k.Doc(false)}})
	}
	return out, nil
}

type configBody struct {
	Key   string  `json:"key"`
	Value *string `json:"value"`
}

func (b *configBody) check(f *fieldErrors) {
	if b.Value == nil {
		f.add("value", missingText)
	}
	k, ok := config.KeyNamed(b.Key)
	switch {
	case b.Key == "":
		f.add("key", missingText)
	case !ok:
		f.add("key", noKeyText)
	case !k.Reload:
		f.add("key", restartText)
	case b.Value != nil:
		s := config.Defaults()
		if err := k.Set(&s, *b.Value); err != nil {
			f.add("value", refusedText, err.Error())
		}
	}
}

var (
	noKeyText   = text{"Такой настройки нет.", "There is no such setting."}
	restartText = text{"Эта настройка действует только после перезапуска: измените её в файле.",
		"This setting counts after a restart only: change it in the file."}
	strongerText = text{"Настройка задана иначе (%s), файл на неё не действует.",
		"The setting comes from elsewhere (%s), so the file does not count."}
	noFileText = text{"Сервер запущен без файла настроек.",
		"The server runs without a configuration file."}
	fileText = text{"Файл настроек не изменён: %s", "The configuration file was not changed: %s"}
)

// changesAnswer is what a reload has changed.
type changesAnswer struct {
	Changes []config.Change `json:"changes"`
}

func configure(s *Server, r *request, b *configBody) (any, error) {
	k, _ := config.KeyNamed(b.Key)
	now := s.o.Config.Config()
	if from := now.Origin(k); from.From == "flag" || from.From == "environment" {
		return nil, refuse(http.StatusConflict, "stronger", strongerText, from.String())
	}
	changes, err := s.o.Config.Write(k, *b.Value)
	switch {
	case errors.Is(err, config.ErrNoFile):
		return nil, refuse(http.StatusConflict, "no-file", noFileText)
	case err != nil:
		return nil, refuse(http.StatusConflict, "file", fileText, err.Error())
	}
	entry := data.AuditEntry{Who: r.who.actor().Name, Action: "config set", Target: k.Name,
		Detail: "from " + k.Get(&now.Settings) + " to " + *b.Value}
	return changesAnswer{append([]config.Change{}, changes...)}, s.o.Store.AppendAudit(r.Context(), entry)
}

func reload(s *Server, r *request, _ *nothing) (any, error) {
	changes, err := s.o.Config.Reload()
	if err != nil {
		return nil, refuse(http.StatusConflict, "file", refusedText, err.Error())
	}
	return changesAnswer{append([]config.Change{}, changes...)}, s.o.Store.AppendAudit(r.Context(),
		data.AuditEntry{Who: r.who.actor().Name, Action: "config reload"})
}
