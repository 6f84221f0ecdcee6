package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/data/content"
)

func TestCatalogueInWords(t *testing.T) {
	dir := t.TempDir()
	out, _ := sphereRuns(t, 0, "catalogue", "find", "желзный", "мечь", "--data", dir)
	if !strings.Contains(out, "nothing is called so; near it are") ||
		!strings.Contains(out, "15002  -       Железный меч  Iron sword") {
		t.Errorf("near misses:\n%s", out)
	}
	out, _ = sphereRuns(t, 0, "catalogue", "find", "меч", "--limit", "2", "--data", dir)
	if strings.Count(out, "\n") != 3 {
		t.Errorf("two kinds and a heading expected:\n%s", out)
	}
	out, _ = sphereRuns(t, 0, "catalogue", "show", "15002", "--suffix", "2", "--data", dir)
	for _, want := range []string{"15002  Железный меч урона / Iron sword of damage", "main hand",
		"need title     4", "attack         -40", "price          416", "made up by us"} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %q in\n%s", want, out)
		}
	}
	for _, name := range []string{"железный меч урона", "Iron sword of damage"} {
		if shown, _ := sphereRuns(t, 0, "catalogue", "show", name, "--data", dir); shown != out {
			t.Errorf("%s: expected the same as by its number, found\n%s", name, shown)
		}
	}
	if out, _ = sphereRuns(t, 0, "catalogue", "show", "Малая", "сумка", "--data", dir); !strings.Contains(out,
		"Малая сумка / Small bag") {
		t.Errorf("by name:\n%s", out)
	}
	out, _ = sphereRuns(t, 0, "catalogue", "list", "--data", dir)
	if kinds := len(content.Default().Kinds()); strings.Count(out, "\n") != kinds+1 ||
		!strings.Contains(out, "Лепёшка") || !strings.Contains(out, "Рыцарский меч") {
		t.Errorf("expected %d kinds:\n%s", kinds, out)
	}
	for _, words := range []string{"крыса", "1000", "RAT"} {
		out, _ = sphereRuns(t, 0, "catalogue", "find", words, "--data", dir)
		if !strings.Contains(out, "1000  Крыса") {
			t.Errorf("%s:\n%s", words, out)
		}
	}
	if out, _ = sphereRuns(t, 0, "catalogue", "find", "волк", "--data", dir); !strings.Contains(out, "Волк") ||
		strings.Contains(out, "near it") {
		t.Errorf("a monster that is called so, and nothing that is called nearly so, expected:\n%s", out)
	}
	if out, _ = sphereRuns(t, 0, "catalogue", "find", "скилет", "--data", dir); !strings.Contains(out, "near it are") ||
		!strings.Contains(out, "Скелет") {
		t.Errorf("near misses of monsters:\n%s", out)
	}
	out, _ = sphereRuns(t, 0, "catalogue", "list", "--monsters", "--data", dir)
	if monsters := len(content.Default().Monsters()); strings.Count(out, "\n") != monsters+1 {
		t.Errorf("expected %d monsters:\n%s", monsters, out)
	}
	for want, args := range map[string][]string{
		`no kind is called "экскаватор"`:                                       {"find", "экскаватор"},
		"no kind has the number 77":                                            {"show", "77"},
		"expected a suffix from 0 to 19, found 20":                             {"show", "15002", "--suffix", "20"},
		"expected a suffix from 0 to -1, found 0":                              {"show", "1", "--suffix", "0"},
		"expected a name or a number, found nothing":                           {"find"},
		`expected the name or number of one kind, found "меч"; did you mean "`: {"show", "меч"},
		`did you mean "Железный меч" (15002)`:                                  {"show", "желзный меч"},
		`no kind is called "экскаватор" or`:                                    {"show", "экскаватор"},
		"--limit: expected 1 or more, found 0":                                 {"find", "меч", "--limit", "0"},
		`expected one of check, find, list, show, found "fnd", did you`:        {"fnd"},
	} {
		code := 2
		if len(args) > 1 && args[0] == "show" || strings.HasPrefix(want, "no kind") {
			code = 1
		}
		if _, errs := sphereRuns(t, code, append([]string{"catalogue", "--data", dir}, args...)...); !strings.Contains(errs,
			want) {
			t.Errorf("%v: %s", args, errs)
		}
	}
}

func TestCatalogueAsJSON(t *testing.T) {
	dir := t.TempDir()
	out, _ := sphereRuns(t, 0, "catalogue", "find", "железный", "меч", "урона", "--json", "--data", dir)
	var found []foundKind
	if err := readJSON(out, &found); err != nil || len(found) != 1 || found[0].ID != 15002 ||
		*found[0].Suffix != 2 || found[0].Names["en"] != "Iron sword of damage" {
		t.Errorf("%v: %s", err, out)
	}
	out, _ = sphereRuns(t, 0, "catalogue", "show", "601", "--json", "--data", dir)
	var shown shownKind
	if err := readJSON(out, &shown); err != nil || shown.ID != 601 || shown.Class != 453 ||
		shown.Price != 4 || shown.Source != "built in" {
		t.Errorf("%v: %s", err, out)
	}
}

func TestDamagedContentIsNoted(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, content.ContentFile), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs := sphereRuns(t, 0, "catalogue", "show", "601", "--data", dir)
	if !strings.Contains(errs, "expected the header of a content file") || !strings.Contains(out, "601") {
		t.Errorf("%s%s", out, errs)
	}
}

func TestCatalogueCheck(t *testing.T) {
	dir := t.TempDir()
	if out, _ := sphereRuns(t, 0, "catalogue", "check", "--data", dir); !strings.Contains(out, "nothing is wrong") {
		t.Errorf("an empty folder:\n%s", out)
	}
	const head = "template\tgoals\tmin\tmax\ttypes\treward\tenglish\trussian\n"
	for row, want := range map[string][2]string{
		"k009\tmoney\t1\t60\t-\t1\tA\tB\n": {"missions.tsv:2: template: expected b000–b007", "template: нужно b000–b007"},
		"k001\tmoney\t1\t60\t7\t1\tA\tB\n": {"k001: types: expected monsters of the catalogue, found 7",
			"k001: types: нужны монстры из каталога, а не 7"},
		"k001\tmoney\t1\t60\tdog\t1\tA\tB\n": {"types: expected numbers of monsters", `нужны номера монстров, а не "dog"`},
		"k001\tmoney\t9\t5\t-\t1\tA\tB\n":    {"max: expected a level", `max: нужен уровень не ниже наименьшего, а не "5"`},
		"k001\tmoney\t0\t5\t-\t1\tA\tB\n":    {"min: expected a whole number from 1 to 60", `min: нужно целое число от 1 до 60, а не "0"`},
		"k001\tmoney\t1\t60\t-\t-1\tA\tB\n":  {"reward: expected a number from 0", `reward: нужно число от 0 до 100, а не "-1"`},
		"k001\tmoney\t1\t60\t-\t1\t\tB\n":    {"english: expected text", `english: нужен текст без пробелов по краям, а не ""`},
		"k001\tmoney\t1\t60\t-\t1\tA\n":      {"missions.tsv:2: expected 8 fields, found 7", "нужно столбцов: 8, а в строке их 7"},
	} {
		if err := os.WriteFile(filepath.Join(dir, content.MissionsFile), []byte(head+row), 0o600); err != nil {
			t.Fatal(err)
		}
		for i, language := range []string{"en_GB.UTF-8", "ru_RU.UTF-8"} {
			t.Setenv("LC_ALL", language)
			if _, errs := sphereRuns(t, 1, "catalogue", "check", "--data", dir); !strings.Contains(errs, want[i]) {
				t.Errorf("%q: want %q in\n%s", row, want[i], errs)
			}
		}
	}
}
