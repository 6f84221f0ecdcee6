package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/config"
)

// A finding is what "sphere doctor" says of one matter.
type finding struct {
	Matter string `json:"matter"` // "port", "database", …
	State  string `json:"state"`  // "ok", "note", "warning" or "wrong"
	Text   string `json:"text"`
	Do     string `json:"do,omitempty"` // what the operator is to do
}

// The states of a finding. A warning may be wanted; what is wrong keeps players out, or loses something.
const (
	fine    = "ok"
	noted   = "note"
	warned  = "warning"
	isWrong = "wrong"
)

// A subject is what the doctor looks at. What it has of the machine are functions, so that tests can make faults up.
type subject struct {
	dataDir string
	file    string // of the configuration
	config  *config.Config
	fault   error // of the configuration
	now     time.Time
	russian bool
	machine machine
}

// say chooses the language of a sentence.
func (p *subject) say(english, russian string, args ...any) string {
	if p.russian {
		english = russian
	}
	return fmt.Sprintf(english, args...)
}

// examinations are done in this order. One may have several findings, or none.
var examinations = []func(context.Context, *subject) []finding{
	examineConfiguration, examineServer, examineAddress, examineDatabase, examineBackups, examineClock, examineDescriptors,
	examineDisk,
}

func doctorCommand(env *environment) *cobra.Command {
	o := &operatorCommand{env: env}
	var set *configured
	var lang string
	c := &cobra.Command{
		Use: "doctor", Short: "Look for what is wrong with this machine, its settings and the database, and say what to do",
		Args: expect(0),
		Long: "Look at configuration, port, address, database, backups, clock, limits and disk, without changing anything. " +
			"The exit code is 1\n" +
			"when something is wrong. Flags are those of \"sphere serve\": with the same flags it looks at the same server.",
		RunE: func(c *cobra.Command, _ []string) error {
			russian, err := inRussian(c, lang)
			if err != nil {
				return err
			}
			p := &subject{dataDir: env.dataDir, now: time.Now(), russian: russian, machine: thisMachine()}
			p.file, _ = set.path(env)
			if p.config, _, err = set.load(c, env); err != nil {
				p.fault, p.config = err, &config.Config{Settings: config.Defaults()}
			}
			return o.diagnose(c.Context(), p)
		},
	}
	set = addConfigured(c, config.Defaults(), false)
	addLanguageFlag(c, &lang)
	o.addJSONFlag(c)
	c.SetFlagErrorFunc(flagError)
	return c
}

// diagnose does all examinations and prints what they have found.
func (o *operatorCommand) diagnose(ctx context.Context, p *subject) error {
	findings := []finding{}
	for _, examine := range examinations {
		findings = append(findings, examine(ctx, p)...)
	}
	wrong := 0
	for _, f := range findings {
		if f.State == isWrong {
			wrong++
		}
	}
	err := o.print(findings, func(w io.Writer) {
		words := map[string]string{fine: "ok", noted: "note", warned: "warning", isWrong: "WRONG"}
		if p.russian {
			words = map[string]string{fine: "хорошо", noted: "заметка", warned: "внимание",
				isWrong: "ОШИБКА"}
		}
		for _, f := range findings {
			fmt.Fprintf(w, "%-*s  %s\n", map[bool]int{false: 7, true: 8}[p.russian], words[f.State], visible(f.Text))
			if f.Do != "" {
				fmt.Fprintf(w, "%*s  → %s\n", map[bool]int{false: 7, true: 8}[p.russian], "", visible(f.Do))
			}
		}
	})
	if err == nil && wrong > 0 {
		err = fmt.Errorf("doctor: %s", p.say("something is wrong in %d of %d findings", "неисправно: %d из %d",
			wrong, len(findings)))
	}
	return err
}

// examineConfiguration looks at the file and all other sources.
func examineConfiguration(_ context.Context, p *subject) []finding {
	if p.fault != nil {
		return []finding{{"configuration", isWrong, p.fault.Error(),
			p.say("mend that line; \"sphere config check\" lists all mistakes. What follows is about the defaults",
				"исправьте эту строку; «sphere config check» перечислит все ошибки. "+
					"Дальше речь о значениях по умолчанию")}}
	}
	if p.config.File == "" {
		return []finding{{"configuration", fine, p.say("there is no file %s: everything is as it ships",
			"файла %s нет: действуют значения по умолчанию", p.file), ""}}
	}
	changed := 0
	for _, k := range config.Keys() {
		if p.config.Origin(k).From != "default" {
			changed++
		}
	}
	path, err := filepath.Abs(p.config.File)
	if err != nil {
		path = p.config.File
	}
	return []finding{{"configuration", fine, p.say("%s has no mistakes; values other than the defaults: %d",
		"в %s нет ошибок; значений не по умолчанию: %d", path, changed), ""}}
}
