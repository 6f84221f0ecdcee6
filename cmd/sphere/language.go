package main

import (
	"cmp"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func addLanguageFlag(c *cobra.Command, lang *string) {
	c.Flags().StringVar(lang, "lang", "", "`ru` or en; by default the system's language")
}

// inRussian says which language the flag --lang asks for, or else the system.
func inRussian(c *cobra.Command, lang string) (bool, error) {
	switch lang {
	case "ru", "en":
		return lang == "ru", nil
	case "":
		return strings.HasPrefix(cmp.Or(environmentLanguage(), systemLanguage()), "ru"), nil
	}
	return false, usagef(c, "--lang: expected ru or en, found %q", lang)
}

// environmentLanguage is what the usual variables say, as "ru_RU.UTF-8"; empty for nothing.
func environmentLanguage() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := os.Getenv(name); v != "" {
			return v
		}
	}
	return ""
}
