package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWebhooksSayWhatIsWrong(t *testing.T) {
	const good = "name = \"a\"\nurl = \"https://h.example/TOKEN\"\nevents = [\"full\"]\n"
	const hook = "[[webhook]]\n" + good
	file := filepath.Join(t.TempDir(), WebhooksFile)
	if hooks, err := ReadWebhooks(file); err != nil || hooks != nil {
		t.Errorf("no file: %v, %v", hooks, err)
	}
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{hook, ""},
		{"\uFEFF" + strings.ReplaceAll(hook, "\n", "\r\n"), ""},
		{"\xFF\xFE[\x00[\x00", "the file is in UTF-16; save it as UTF-8"},
		{"# \xEF\xF0\n" + hook, "the file is not in UTF-8; save it as UTF-8 and not as ANSI"},
		{hook + "type = \"form\"\nbody = 'chat_id=-1&text={{ text }}'", ""},
		{hook + "body = '{\"content\": \"{{text}}\", \"n\": {{id}}}'", ""},
		{strings.Replace(hook, "\"a\"", `"a b"`, 1),
			`1:1: name: expected a name of 1 to 40 letters, digits, - and _, found "a b"`},
		{strings.Replace(hook, "https:", "ftp:", 1),
			"url: expected an address like https://example.org/hook, of at most 2048 bytes"},
		{strings.Replace(hook, "https://h.example/TOKEN", "", 1),
			"url: expected an address like https://example.org/hook, found none"},
		{strings.Replace(hook, "full", "ful", 1),
			`events: expected one of started, stopping, full, trouble, ban, chat, found "ful", did you mean full?`},
		{strings.Replace(hook, "\"full\"", "", 1),
			"events: expected some of started, stopping, full, trouble, ban, chat, found none"},
		{hook + "type = \"jsn\"", `type: expected one of json, form, found "jsn", did you mean json?`},
		{hook + "language = \"de\"", `language: expected one of ru, en, found "de"`},
		{hook + "body = '{\"TOKEN\": \"{{txt}}\"}'",
			`body: expected between double braces one of text, event, server, time, id, found "txt"`},
		{hook + "body = '{\"TOKEN\": {{text}}}'", "body: expected JSON with fields inside of quotes"},
		{hook + "body = '{\"TOKEN\": \"x\"}'", "body: expected at least {{text}} in it"},
		{hook + "type = \"form\"\nbody = 'a b={{text}}'", "body: expected a form like chat=1&text={{text}}"},
		{hook + "type = \"form\"", "body: expected at least {{text}} in it"},
		{hook + "adress = \"TOKEN\"", "unknown key"},
		{"[[webhook]]\nname = 7", "expected a text in quotes, or for events a list of them"},
		{hook + "\n[[webhook]]\n" + good,
			`webhooks.toml:6:1: name: expected a name for each webhook, found "a" twice`},
		{"[[webhok]]\n" + good, "unknown table, did you mean [[webhook]]?"},
		{"[[webhook]\n" + good, "webhooks.toml:1:"},
		{strings.Repeat(hook, 17), "expected at most 16 webhooks, found 17"},
		{strings.Repeat("#", maxFile+1), "expected at most"},
		{hook + fmt.Sprintf("body = %q", strings.Repeat("x", 9000)), "body: expected at most 8192 bytes, found 9000"},
	} {
		text, want := c.text, c.want
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadWebhooks(file)
		var problems Problems
		switch {
		case want == "" && err != nil, want != "" && (!errors.As(err, &problems) || !strings.Contains(err.Error(), want)):
			t.Errorf("%.200s\nfound    %v\nexpected %s", text, err, want)
		case err != nil && strings.Contains(err.Error(), "TOKEN"):
			t.Errorf("it repeats a secret: %v", err)
		}
	}
}

func FuzzWebhooks(f *testing.F) {
	f.Add([]byte("[[webhook]]\nname = \"a\"\nurl = \"https://h.example/\"\nevents = [\"full\"]\nbody = '{{text}}'\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		hooks, problems := parseWebhooks(text)
		for _, h := range hooks {
			if len(problems) == 0 && h.Fill(map[string]string{"text": "a"}) == "" {
				t.Errorf("an empty body of %q", text)
			}
		}
	})
}
