package game

import (
	"fmt"
	"strings"
	"time"
)

var (
	askingText = text{"Подождите: предыдущее ещё выполняется.",
		"Please wait: the last one is still being done."}
	usageText        = text{"Нужно: %s", "Expected: %s"}
	unknownOrderText = text{"Нет команды «%s». Все команды: /помощь",
		"There is no command “%s”. All commands: /help"}
	nearOrderText = text{"Нет команды «%s». Может быть, /%s?",
		"There is no command “%s”. Did you mean /%s?"}
	nearText = text{"«%s» не найдено. Может быть, «%s»?",
		"“%s” was not found. Did you mean “%s”?"}
	unknownText = text{"«%s» не найдено.", "“%s” was not found."}
	awayText    = text{"Игрока %s сейчас нет в мире.", "%s is not in the world now."}
	doneText    = text{"Готово.", "Done."}
	timeText    = text{"Нужно время: 30м, 12ч, 7д или «навсегда», а не «%s».",
		"Expected a time like 30m, 12h, 7d or “forever”, not “%s”."}
)

// languageNamed is the language of an account, Russian unless it has chosen another.
func languageNamed(name string) Language {
	if name == "en" {
		return English
	}
	return Russian
}

// languageWords are what players may write for a language.
var languageWords = map[string]string{"ru": "ru", "рус": "ru", "русский": "ru", "russian": "ru",
	"en": "en", "англ": "en", "английский": "en", "english": "en"}

// until says when something ends, as a player reads it: "до 21.11.2026 15:04 UTC", or "навсегда".
func until(t time.Time, l Language) string {
	if t.IsZero() {
		return text{"навсегда", "for ever"}.in(l)
	}
	return fmt.Sprintf(text{"до %s UTC", "until %s UTC"}.in(l),
		t.UTC().Format(text{"02.01.2006 15:04", "2006-01-02 15:04"}.in(l)))
}

// spanUnits are the units in which players write times, in both languages.
var spanUnits = map[string]time.Duration{"m": time.Minute, "min": time.Minute, "м": time.Minute, "мин": time.Minute,
	"h": time.Hour, "ч": time.Hour, "d": 24 * time.Hour, "д": 24 * time.Hour}

// longestSpan keeps the ends of bans and mutes within the years that a calendar can show.
const longestSpan = 36500 * 24 * time.Hour

// parseSpan reads "30m", "12ч" or "7d"; for ever is 0.
func parseSpan(word string) (span time.Duration, ok bool) {
	word = strings.ToLower(word)
	switch word {
	case "forever", "навсегда":
		return 0, true
	}
	digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyzабвгдеёжзийклмнопрстуфхцчшщъыьэюя")
	unit, known := spanUnits[word[len(digits):]]
	n, err := parseCount(digits)
	if !known || err != nil || n < 1 || int64(n) > int64(longestSpan/unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}
