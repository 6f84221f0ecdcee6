package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/server/config"
)

func TestConfigCommands(t *testing.T) {
	l := commandLine{t, filepath.Join(t.TempDir(), "Папка данных")}
	path := filepath.Join(l.dir, config.FileName)
	if out := l.must("config", "check"); !strings.Contains(out, "is not there") {
		t.Errorf("without a file: %q", out)
	}
	l.must("config", "init", "--lang", "ru")
	l.fails(1, "is there already", "config", "init")
	if out := l.must("config", "check"); out != "no problems found\n" {
		t.Errorf("the file of init: %q", out)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != config.Sample(true) {
		t.Errorf("the file is %q, %v", text, err)
	}
	balance := filepath.Join(l.dir, config.BalanceFile)
	if text, err := os.ReadFile(balance); err != nil || string(text) != config.BalanceSample(true) {
		t.Errorf("the balance file is %q, %v", text, err)
	}
	if err := os.WriteFile(balance, []byte("[damage]\nfist = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := balance + ":2:1: damage.fist: unknown key, did you mean damage.fists?\n"
	for _, args := range [][]string{{"config", "check"}, {"config", "check", balance}} {
		if code, out, _ := l.do("", args...); code != 1 || out != wrong {
			t.Errorf("%v: %d, %q", args, code, out)
		}
	}
	l.fails(1, "no such file", "config", "check", filepath.Join(t.TempDir(), config.BalanceFile))
	if err := os.Remove(balance); err != nil {
		t.Fatal(err)
	}
	code, out, note := l.do("", "config", "init")
	stays := "sphere: note: " + path + " is there already and stays as it is\n"
	if code != 0 || out != "wrote "+balance+"\n" || note != stays {
		t.Errorf("init beside a file: %d, %q, %q", code, out, note)
	}
	l.must("config", "init", "--lang", "en", "--force")
	if text, err := os.ReadFile(path); err != nil || string(text) != config.Sample(false) {
		t.Errorf("the file is %q, %v", text, err)
	}
	l.fails(2, "expected ru or en", "config", "init", "--lang", "fr")
	l.fails(2, "did you mean --force", "config", "init", "--forse")

	if err := os.WriteFile(path, []byte("[server]\nname = \"Из файла\"\n[limits]\nmax-sped = 5\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := l.do("", "config", "check")
	if want := path + ":4:1: limits.max-sped: unknown key, did you mean limits.max-speed?\n"; code != 1 || out != want ||
		!strings.Contains(errs, "found 1") {
		t.Errorf("check: %d, %q, %q", code, out, errs)
	}
	for _, args := range [][]string{{"serve"}, {"config", "show"}} {
		l.fails(1, path+":4:1: limits.max-sped: unknown key", args...)
	}
	l.fails(1, "no such file", "serve", "--config", filepath.Join(l.dir, "absent"))
	l.fails(2, `--max-speed: expected a number from`, "serve", "--max-speed", "fast")

	other := filepath.Join(t.TempDir(), "other.toml")
	if err := os.WriteFile(other, []byte("[server]\nname = \"Другой\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.must("config", "check", other)
	t.Setenv("SPHERE_LOGIN_QUEUE", "0")
	l.fails(2, "environment variable SPHERE_LOGIN_QUEUE: expected a whole number from 1", "serve", "--config", other)
	t.Setenv("SPHERE_LOGIN_QUEUE", "77")
	var shown []shownKey
	if err := json.Unmarshal([]byte(l.must("config", "show", "--json", "--config", other, "--take-over")),
		&shown); err != nil {
		t.Fatal(err)
	}
	found := map[string]shownKey{}
	for _, s := range shown {
		found[s.Key] = s
	}
	for key, want := range map[string][2]string{"server.name": {"Другой", "file " + other + ":2"},
		"server.take-over":   {"true", "flag --take-over"},
		"limits.login-queue": {"77", "environment SPHERE_LOGIN_QUEUE"}, "log.level": {"info", "default"}} {
		if got := found[key]; got.Value != want[0] || got.Origin.String() != want[1] {
			t.Errorf("%s: expected %v, found %v", key, want, got)
		}
	}
	if len(shown) != len(config.Keys()) {
		t.Errorf("%d of %d keys are shown", len(shown), len(config.Keys()))
	}
}

func TestExportedServerMovesToAnotherFolder(t *testing.T) {
	inTurn(t)
	l := populated(t)
	file := filepath.Join(t.TempDir(), "вывод.jsonl")
	if out := l.must("db", "export", file); !strings.Contains(out, "characters") {
		t.Errorf("export prints %q", out)
	}
	l.fails(1, "exists already", "db", "export", file)
	l.fails(1, "is there already", "db", "import", file)
	to := commandLine{t, t.TempDir()}
	if err := os.WriteFile(filepath.Join(to.dir, config.BalanceFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := to.must("db", "import", file); !strings.Contains(out, "accounts") || !strings.Contains(out, "not here, "+
		"if the old data folder had them: sphere.toml, webhooks.toml, missions.tsv, client-content.jsonl, client-ground.bin\n") {
		t.Errorf("import prints %q", out)
	}
	if want, got := l.must("account", "list"), to.must("account", "list"); got != want {
		t.Errorf("expected\n%s\nfound\n%s", want, got)
	}
	if want, got := l.must("character", "show", "Сова"), to.must("character", "show", "Сова"); got != want {
		t.Errorf("expected\n%s\nfound\n%s", want, got)
	}
	piped := commandLine{t, t.TempDir()}
	if code, _, err := piped.do(l.must("db", "export", "-"), "db", "import", "-"); code != 0 {
		t.Errorf("through a pipe: %d, %s", code, err)
	}
	if want, got := l.must("account", "list"), piped.must("account", "list"); got != want {
		t.Errorf("expected\n%s\nfound\n%s", want, got)
	}
	to.fails(1, "no such file", "db", "import", file+"x")
}
