package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/server/config"
)

// configured is the configuration of a command: its flags, and their values.
type configured struct {
	defaults config.Settings
	given    map[string]string // flags of the command line
	file     string            // of the flag --config
	noFile   bool              // the command reads none

	// the log goes to a file of the data folder unless something else is set: nobody sees the standard error
	serviceLog bool
}

// addConfigured gives a command the flags of all keys, and --config unless noFile says that it reads no file.
func addConfigured(c *cobra.Command, defaults config.Settings, noFile bool) *configured {
	flags, given := config.Flags(defaults)
	for _, f := range flags {
		flag := c.Flags().VarPF(f, f.Key.Flag, "", f.Key.English)
		if f.Key.Kind() == config.Bool {
			flag.NoOptDefVal = "true"
		}
	}
	set := &configured{defaults: defaults, given: given, noFile: noFile}
	if !noFile {
		set.addFileFlag(c)
	}
	return set
}

func (set *configured) addFileFlag(c *cobra.Command) {
	c.Flags().StringVar(&set.file, "config", "",
		"configuration `file`; "+config.FileName+" of the data folder if it is there")
}

// path is the configuration file, and whether it may be missing.
func (set *configured) path(env *environment) (path string, optional bool) {
	if set.file != "" {
		return set.file, false
	}
	return filepath.Join(env.dataDir, config.FileName), true
}

// load reads the configuration.
func (set *configured) load(c *cobra.Command, env *environment) (*config.Config, config.Sources, error) {
	from := config.Sources{Defaults: set.defaults, Env: os.LookupEnv, Flags: set.given}
	if set.serviceLog {
		from.Defaults.Log.File = filepath.Join(env.dataDir, serviceLogFile)
	}
	if !set.noFile {
		from.File, from.Optional = set.path(env)
		from.Balance = filepath.Join(env.dataDir, config.BalanceFile)
	}
	found, err := config.Load(from)
	var wrong *config.SourceError
	if errors.As(err, &wrong) {
		err = usagef(c, "%v", err)
	}
	return found, from, err
}

// settings are the settings of the data folder, for commands without flags for them. Where the file cannot be read,
// which "sphere config check" reports, they are the shipped ones.
func (env *environment) settings() config.Settings {
	file := filepath.Join(env.dataDir, config.FileName)
	found, err := config.Load(config.Sources{Defaults: config.Defaults(), File: file, Optional: true, Env: os.LookupEnv})
	if err != nil {
		return config.Defaults()
	}
	return found.Settings
}

func addLanguageFlag(c *cobra.Command, lang *string) {
	c.Flags().StringVar(lang, "lang", "", "`ru` or en; by default the system's language")
}

// inRussian says which language the flag --lang asks for, or else the system.
func inRussian(c *cobra.Command, lang string) (bool, error) {
	switch lang {
	case "ru", "en":
		return lang == "ru", nil
	case "":
		language := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"), systemLanguage())
		return strings.HasPrefix(language, "ru"), nil
	}
	return false, usagef(c, "--lang: expected ru or en, found %q", lang)
}
