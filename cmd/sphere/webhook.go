package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/server/config"
	"sphereserver/server/webhook"
)

// webhookCommand is "sphere webhook" with all below it.
func webhookCommand(env *environment) *cobra.Command {
	return group("webhook", "Tell chats and programs of what happens on the server", webhookTest(env))
}

// A triedHook is the outcome of a trial.
type triedHook struct {
	Name   string `json:"name"`
	Taken  bool   `json:"taken"`
	Answer string `json:"answer"`          // its beginning
	Error  string `json:"error,omitempty"` // why it was not taken
	fault  error
}

func webhookTest(env *environment) *cobra.Command {
	return env.withJSON(&cobra.Command{
		Use: "test [NAME]", Short: "Send a trial to a webhook, or to each, and show what it answers",
		Long: "Send a trial to a webhook of webhooks.toml of the data folder, or to each, and show what it answers. The " +
			"server need not run.",
		Args: expect(1, "a webhook's name"),
		RunE: func(c *cobra.Command, args []string) error {
			path := filepath.Join(env.dataDir, config.WebhooksFile)
			hooks, err := config.ReadWebhooks(path)
			if err != nil {
				return err
			}
			if len(hooks) == 0 {
				return failf("%s has no webhooks", path)
			}
			if len(args) > 0 {
				names := each(hooks, func(h config.Webhook) string { return h.Name })
				i := slices.Index(names, args[0])
				if i < 0 {
					return failf("expected one of %s, found %q", strings.Join(names, ", "), args[0])
				}
				hooks = hooks[i : i+1]
			}
			failed := 0
			tried := each(hooks, func(h config.Webhook) triedHook {
				answer, err := webhook.Try(c.Context(), &h, env.settings().Name, nil)
				t := triedHook{Name: h.Name, Taken: err == nil, Answer: firstRunes(answer, 200), fault: plain(err)}
				if err != nil {
					t.Error = t.fault.Error()
					failed++
				}
				return t
			})
			err = env.print(tried, func(w printer) {
				for _, t := range tried {
					said := visible(t.Answer)
					switch {
					case t.Taken:
						w.line("%s has taken it: %s", t.Name, cmp.Or(said, "–"))
					case said == "":
						w.line("%s has not taken it: %v", t.Name, t.fault)
					default:
						w.line("%s has not taken it: %v: %s", t.Name, t.fault, said)
					}
				}
			})
			if err == nil && failed > 0 {
				err = failf("webhook test: expected that all are taken, found %d that are not", failed)
			}
			return err
		},
	})
}

func firstRunes(text string, n int) string {
	runes := []rune(strings.TrimSpace(text))
	if len(runes) > n {
		return fmt.Sprint(string(runes[:n]), "…")
	}
	return string(runes)
}
