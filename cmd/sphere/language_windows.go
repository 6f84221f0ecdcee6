package main

import "golang.org/x/sys/windows"

// systemLanguage is what the environment says, or else the language of the user's windows, as "ru-RU".
func systemLanguage() string {
	if lang := environmentLanguage(); lang != "" {
		return lang
	}
	names, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(names) == 0 {
		return ""
	}
	return names[0]
}
