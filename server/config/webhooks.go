package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"sphereserver/data/lazyregexp"
	"sphereserver/world/rules"
)

// WebhooksFile is the file with webhooks in a data folder. Their addresses are secrets: so they are no keys of
// [FileName], which pages, logs and the audit trail show.
const WebhooksFile = "webhooks.toml"

// A Webhook is an address that is told of events.
type Webhook struct {
	Name     string   `toml:"name"` // for the log and for commands
	URL      string   `toml:"url"`  // a secret
	Events   []string `toml:"events"`
	Type     string   `toml:"type"`     // "json" or "form": how the body is written; "" is json
	Body     string   `toml:"body"`     // with [WebhookFields] between double braces
	Language string   `toml:"language"` // "ru" or "en", "" is ru
}

// WebhookEvents are the events that there are.
var WebhookEvents = []string{"started", "stopping", "full", "trouble", "ban", "chat"}

// WebhookFields are the fields between double braces in a body: the event in a sentence, its name, the name of the
// server, the time, and a number of its own for each message.
var WebhookFields = []string{"text", "event", "server", "time", "id"}

// webhookBody is the body of a webhook that has none.
const webhookBody = `{"text": "{{text}}", "event": "{{event}}", "server": "{{server}}", "time": "{{time}}"}`

// Bounds of webhooks.
const (
	maxWebhooks    = 16
	maxWebhookBody = 8 << 10
	maxWebhookURL  = 2 << 10
)

var (
	webhookName  = lazyregexp.Of(`^[A-Za-z0-9_-]{1,40}$`)
	webhookField = lazyregexp.Of(`\{\{\s*([^{}]*?)\s*\}\}`)
	webhookHead  = lazyregexp.Of(`(?m)^[ \t]*\[\[[ \t]*webhook[ \t]*\]\]`)
)

// Fill writes the body with values for its fields, as its type asks for.
func (h *Webhook) Fill(values map[string]string) string {
	return webhookField().ReplaceAllStringFunc(h.Body, func(field string) string {
		value := values[webhookField().FindStringSubmatch(field)[1]]
		if h.Type == "form" {
			return url.QueryEscape(value)
		}
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		_ = e.Encode(value) // a text can always be encoded
		return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(b.String()), `"`), `"`)
	})
}

// MediaType is the type of the body for HTTP.
func (h *Webhook) MediaType() string {
	if h.Type == "form" {
		return "application/x-www-form-urlencoded"
	}
	return "application/json; charset=utf-8"
}

// Russian says in which language the webhook is told.
func (h *Webhook) Russian() bool { return h.Language != "en" }

// ReadWebhooks reads the file of webhooks; without one there are none. Its faults are [Problems], which never repeat
// an address or a body.
func ReadWebhooks(path string) ([]Webhook, error) {
	hooks, err := readFile(path, parseWebhooks)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return hooks, err
}

func parseWebhooks(text []byte) ([]Webhook, Problems) {
	if err := unreadable(text); err != nil {
		return nil, Problems{problem(0, 0, "", err)}
	}
	all, problems := decodeWebhooks(text)
	if len(problems) > 0 {
		return nil, problems
	}
	if len(all) > maxWebhooks {
		return nil, Problems{problem(0, 0, "", wrong("expected at most %d webhooks, found %d",
			"вебхуков может быть не больше %d, а их %d", maxWebhooks, len(all)))}
	}
	heads := webhookHead().FindAllIndex(text, -1)
	names := map[string]bool{}
	for i := range all {
		h, line, column := &all[i], 0, 0
		if len(heads) == len(all) {
			line, column = 1+bytes.Count(text[:heads[i][0]], []byte("\n")), 1
		}
		for _, c := range []struct {
			key string
			err error
		}{{"name", h.checkName(names)}, {"url", h.checkURL()}, {"events", h.checkEvents()},
			{"type", oneOf(h.Type, []string{"json", "form"})}, {"language", oneOf(h.Language, []string{"ru", "en"})},
			{"body", h.checkBody()}} {
			if c.err != nil {
				problems = append(problems, problem(line, column, c.key, c.err))
			}
		}
	}
	return all, problems
}

// decodeWebhooks reads the file, and lists the keys that it does not know.
func decodeWebhooks(text []byte) ([]Webhook, Problems) {
	var file struct {
		Webhook []Webhook `toml:"webhook"`
	}
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var strict *toml.StrictMissingError
	switch err := d.Decode(&file); {
	case errors.As(err, &strict):
		var problems Problems
		for _, unknown := range strict.Errors {
			line, column := unknown.Position()
			key := unknown.Key()
			problems = append(problems, problem(line, column, strings.Join(key, "."), unknownWebhookKey(key)))
		}
		return nil, problems
	case err != nil:
		return nil, Problems{webhookSyntax(err)}
	}
	return file.Webhook, nil
}

// webhookSyntax explains the text that the decoder cannot read. It repeats nothing of the file, which holds secrets.
func webhookSyntax(err error) Problem {
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return problem(0, 0, "", wrong("the file cannot be read as TOML", "файл не читается как TOML"))
	}
	line, column := at.Position()
	if len(at.Key()) > 0 {
		return problem(line, column, strings.Join(at.Key(), "."), wrong("expected a text in quotes, or for events a list "+
			"of them", "нужен текст в кавычках, а для events — список таких"))
	}
	return problem(line, column, "", wrong(`expected [[webhook]] or KEY = "VALUE", each in a line of its own`,
		`нужно [[webhook]] или КЛЮЧ = "ЗНАЧЕНИЕ", каждое в своей строке`))
}

func unknownWebhookKey(key []string) error {
	if len(key) == 0 || key[0] != "webhook" {
		return wrong("unknown table", "такого раздела нет").maybe("[[webhook]]")
	}
	unknown := wrong("unknown key", "такого ключа нет")
	if len(key) == 2 {
		if near, ok := rules.Nearest(key[1], []string{"name", "url", "events", "type", "body", "language"}); ok {
			return unknown.maybe(near)
		}
	}
	return unknown
}

func (h *Webhook) checkName(taken map[string]bool) error {
	switch {
	case !webhookName().MatchString(h.Name):
		return wrong("expected a name of 1 to 40 letters, digits, - and _, found %.60q",
			"нужно имя из латинских букв, цифр, - и _, от 1 до 40 знаков, а не %.60q", h.Name)
	case taken[h.Name]:
		return wrong("expected a name for each webhook, found %q twice",
			"у каждого вебхука должно быть своё имя, а %q встречается дважды", h.Name)
	}
	taken[h.Name] = true
	return nil
}

// checkURL returns the fault of the address without repeating it.
func (h *Webhook) checkURL() error {
	u, err := url.Parse(h.URL)
	switch {
	case h.URL == "":
		return wrong("expected an address like https://example.org/hook, found none",
			"нужен адрес вида https://example.org/hook, а его нет")
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Fragment != "" ||
		len(h.URL) > maxWebhookURL:
		return wrong("expected an address like https://example.org/hook, of at most %d bytes, found another one (it is "+
			"not repeated here, since it may hold a secret)", "нужен адрес вида https://example.org/hook не длиннее %d байт, "+
			"а здесь другой (он не показан: в нём может быть секрет)", maxWebhookURL)
	}
	return nil
}

func (h *Webhook) checkEvents() error {
	if len(h.Events) == 0 {
		return wrong("expected some of %s, found none", "нужны какие-то из слов %s, а нет ни одного",
			strings.Join(WebhookEvents, ", "))
	}
	for _, e := range h.Events {
		if e == "" {
			return wrong("expected some of %s, found an empty one", "нужны какие-то из слов %s, а одно пустое",
				strings.Join(WebhookEvents, ", "))
		}
		if err := oneOf(e, WebhookEvents); err != nil {
			return err
		}
	}
	return nil
}

// oneOf wants one of the words, or nothing.
func oneOf(word string, known []string) error {
	if word == "" || slices.Contains(known, word) {
		return nil
	}
	e := wrong("expected one of %s, found %.60q", "нужно одно из слов %s, а не %.60q", strings.Join(known, ", "), word)
	if near, ok := rules.Nearest(word, known); ok {
		return e.maybe(near)
	}
	return e
}

// checkBody fills in the usual body, and returns the fault of another one: unknown fields, or a text that is no JSON
// or no form with the fields filled in.
func (h *Webhook) checkBody() error {
	if h.Body == "" && h.Type != "form" {
		h.Body = webhookBody
	}
	if len(h.Body) > maxWebhookBody {
		return wrong("expected at most %d bytes, found %d", "нужно не больше %d байт, а их %d", maxWebhookBody, len(h.Body))
	}
	for _, field := range webhookField().FindAllStringSubmatch(h.Body, -1) {
		if err := oneOf(field[1], WebhookFields); err != nil || field[1] == "" {
			return wrong("expected between double braces one of %s, found %.60q",
				"в двойных фигурных скобках может быть одно из %s, а не %.60q", strings.Join(WebhookFields, ", "), field[1])
		}
	}
	if !strings.Contains(h.Body, "{{") {
		return wrong("expected at least {{text}} in it, which is what has happened",
			"нужно хотя бы {{text}}: это то, что произошло")
	}
	sample := map[string]string{}
	for _, f := range WebhookFields {
		sample[f] = `a "b" \ {c}=&d`
	}
	sample["id"] = "1"
	filled := h.Fill(sample)
	if h.Type == "form" {
		if v, err := url.ParseQuery(filled); err != nil || strings.ContainsAny(filled, " \n\"{}") || len(v) == 0 {
			return wrong("expected a form like chat=1&text={{text}}, in which all other signs are escaped, found none",
				"нужна форма вида chat=1&text={{text}}, где остальные знаки экранированы")
		}
		return nil
	}
	if !json.Valid([]byte(filled)) {
		return wrong(`expected JSON with fields inside of quotes, like {"text": "{{text}}"}, found none`,
			`нужен JSON с полями внутри кавычек, например {"text": "{{text}}"}`)
	}
	return nil
}
