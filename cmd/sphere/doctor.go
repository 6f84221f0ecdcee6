package main

import (
	"context"
	"fmt"

	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"sphereserver/server/config"
)

// examinations are done in this order. One may have several findings, or none.
var examinations = []func(context.Context, *subject){
	examineConfiguration, examineWebhooks, examineNames, examineOwners, examineServer, examineCertificates,
	examineAddress, examineDatabase, examineBackups, examineCatalogue, examineLand, examineClock, examineDescriptors,
	examineDisk,
}

func doctorCommand(env *environment) *cobra.Command {
	var set *configured
	var lang, client string
	c := &cobra.Command{
		Use: "doctor", Short: "Look for what is wrong with this machine, its settings and the database, and say what to do",
		Args: expect(0),
		Long: `Look at configuration, webhooks, port, address, database, backups, catalogue, ground, clock, limits and
disk, without changing anything. The exit code is 1 when something is wrong. Flags are those of "sphere
serve": with the same flags it looks at the same server. With --client it looks at the folder of an original
client instead: whether it is one, where it connects to, and whether a server answers there.`,
		Example: "  sphere doctor\n  sphere doctor --client \"C:/Games/Sphere\"",
		RunE: func(c *cobra.Command, _ []string) error {
			russian, err := inRussian(c, lang)
			if err != nil {
				return err
			}
			p := &subject{dataDir: env.dataDir, now: time.Now(), russian: russian, machine: thisMachine()}
			if c.Flags().Changed("client") {
				examineClient(c.Context(), p, client)
				return findings(env, p)
			}
			p.file, _ = set.path(env)
			if p.config, _, err = set.load(c, env); err != nil {
				p.fault, p.config = err, &config.Config{Settings: config.Defaults()}
			}
			return diagnose(c.Context(), env, p)
		},
	}
	set = addConfigured(c, config.Defaults(), false)
	addLanguageFlag(c, &lang)
	c.Flags().StringVar(&client, "client", "", "look at the original client in this folder instead")
	return env.withJSON(c)
}

// diagnose does all examinations and prints their findings.
func diagnose(ctx context.Context, env *environment, p *subject) error {
	for _, examine := range examinations {
		examine(ctx, p)
	}
	return findings(env, p)
}

// findings prints the findings; a fault is an error.
func findings(env *environment, p *subject) error {
	wrong := 0
	for _, f := range p.findings {
		if f.State == isWrong {
			wrong++
		}
	}
	err := env.print(p.findings, func(w printer) {
		words := map[string]string{fine: "ok     ", noted: "note   ", warned: "warning", isWrong: "WRONG  "}
		if p.russian {
			words = map[string]string{fine: "хорошо  ", noted: "заметка ", warned: "внимание", isWrong: "ОШИБКА  "}
		}
		for _, f := range p.findings {
			fmt.Fprintf(w, "%s  %s\n", words[f.State], visible(f.Text))
			if f.Do != "" {
				fmt.Fprintf(w, "%*s  → %s\n", utf8.RuneCountInString(words[f.State]), "", visible(f.Do))
			}
		}
	})
	if err == nil && wrong > 0 {
		err = fmt.Errorf("doctor: %s", p.say("something is wrong in %d of %d findings", "неисправно: %d из %d",
			wrong, len(p.findings)))
	}
	return err
}
