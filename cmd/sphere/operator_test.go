package main

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/datatest"
	"sphereserver/server/admin"
	"sphereserver/server/admin/api"
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

// patience is how long anything may take that has to come: much more than it does, on a machine that is busy with other
// things.
const patience = 2 * time.Minute

// A commandLine runs commands on one data folder.
type commandLine struct {
	t   *testing.T
	dir string
}

// do runs a command with an input and returns its exit code and its output.
func (l commandLine) do(in string, args ...string) (code int, out, err string) {
	l.t.Helper()
	var o, e bytes.Buffer
	code = run(append([]string{"--data", l.dir}, args...), strings.NewReader(in), &o, &e)
	return code, o.String(), e.String()
}

// must runs a command that has to succeed and returns its output.
func (l commandLine) must(args ...string) string {
	l.t.Helper()
	code, out, err := l.do("", args...)
	if code != 0 || err != "" {
		l.t.Fatalf("%q: exit code %d, %s%s", args, code, out, err)
	}
	return out
}

// fails runs a command that has to fail with a code and one line that contains text.
func (l commandLine) fails(want int, text string, args ...string) {
	l.t.Helper()
	code, out, err := l.do("", args...)
	line, rest, _ := strings.Cut(err, "\n")
	if code != want || rest != "" || !strings.HasPrefix(line, "sphere: ") || !strings.Contains(line, text) || out != "" {
		l.t.Errorf("%q: expected exit code %d and one line with %q, found %d, %q, %q", args, want, text, code, err, out)
	}
}

// populated is a folder with the accounts вася, with the character Сова, and петя.
func populated(t *testing.T) commandLine {
	t.Helper()
	population.Do(func() { population.file = populate(t) })
	l := commandLine{t, t.TempDir()}
	if err := os.WriteFile(filepath.Join(l.dir, data.DatabaseFile), population.file, 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}

// population is the database of each populated folder.
var population struct {
	sync.Once
	file []byte
}

func populate(t *testing.T) []byte {
	t.Helper()
	l := commandLine{t, t.TempDir()}
	datatest.Fill(t, l.dir)
	l.must("account", "add", "вася", "--password", "пароль")
	l.must("account", "add", "петя", "--password", "пароль", "--role", "helper")
	store, err := data.Open(t.Context(), l.dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = store.CreateCharacter(t.Context(), data.NewCharacter{
		Character: data.Character{Account: 1, Name: "Сова", TitleLevel: 74, HP: 100, MP: 100,
			Position: coords.Position{X: 1, Y: 2, Z: 3, Yaw: 0.5}},
		Items: []rules.Item{{Slot: 20, Class: 704, Suffix: -1, Count: 100}},
	})
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(l.dir, data.DatabaseFile))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestMistakesInTheCommandLine(t *testing.T) {
	l := commandLine{t, filepath.Join(t.TempDir(), "none")}
	for _, v := range []struct {
		text string
		args []string
	}{
		{`account add: expected a login, found nothing; see "sphere account add --help"`, []string{"account", "add"}},
		{`account: expected one of add, `, []string{"account", "x"}},
		{`found "lsit", did you mean "list"?`, []string{"account", "lsit"}},
		{`did you mean "account"?`, []string{"acount", "list"}},
		{`did you mean --password?`, []string{"account", "add", "x", "--pasword", "y"}},
		{`expected nothing after "x", found "y"`, []string{"account", "add", "x", "y"}},
		{`expected a role, found nothing after "x"`, []string{"account", "role", "x"}},
		{`expected one of player, helper, gamemaster, administrator, found "god"`, []string{"account", "role", "x", "god"}},
		{`found "god"`, []string{"account", "add", "x", "--role", "god"}},
		{`expected --password or --password-stdin, found both`,
			[]string{"account", "add", "x", "--password", "y", "--password-stdin"}},
		{`expected a login or --address, found nothing`, []string{"account", "ban"}},
		{`expected a login or --address, found both "x" and 192.0.2.0/24`,
			[]string{"account", "ban", "x", "--address", "192.0.2.7/24"}},
		{`expected a time like 30m, 12h or 7d`, []string{"account", "ban", "x", "--for", "-1h"}},
		{`did you mean "14d"?`, []string{"account", "ban", "x", "--for", "2w"}},
		{`did you mean --monsters=false?`, []string{"serve", "--monsters", "no"}},
		{`did you mean --addr 192.0.2.1:25860?`, []string{"bot", "192.0.2.1:25860"}},
		{`expected an address or a network`, []string{"account", "unban", "--address", "nowhere"}},
		{`expected a time like 30m, 12h or 7d`, []string{"account", "mute", "x", "--for", "soon"}},
		{`audit: --limit: expected a whole number, found "abc"; see`, []string{"audit", "--limit", "abc"}},
		{`--for: expected a time like 30m, 12h or 7d, found "5"`, []string{"capture", "record", "--for", "5"}},
		{`--for: expected a time like 30m, 12h or 7d, found "soon"`, []string{"account", "mute", "x", "--for", "soon"}},
		{`--role: expected one of player, helper, gamemaster, administrator, found "god"`,
			[]string{"account", "add", "x", "--role", "god"}},
		{`expected a login, found nothing`, []string{"account", "unmute"}},
		{`expected a number for Y, found "high"`, []string{"character", "move", "x", "-1", "high", "3"}},
		{`expected a number for Z, found "NaN"`, []string{"character", "move", "x", "-1", "2", "NaN"}},
		{`expected Z, found nothing after "-2"`, []string{"character", "move", "x", "-1", "-2"}},
		{`expected one of a place, X Y Z and --beside`, []string{"character", "move", "x"}},
		{`expected one of a place, X Y Z and --beside`, []string{"character", "move", "x", "umrad", "--beside", "y"}},
		{`expected no argument, found "x"`, []string{"status", "x"}},
		{`unknown flag: --nonsense`, []string{"status", "--nonsense"}},
	} {
		l.fails(2, v.text, v.args...)
	}
	if _, err := os.Stat(l.dir); !os.IsNotExist(err) {
		t.Errorf("expected that mistakes make no folder, found %v", err)
	}
	l.fails(1, "no database in", "account", "list")
	l.fails(notRunning, "no database in", "status")
}

func TestAccountCommands(t *testing.T) {
	inTurn(t)
	l := populated(t)
	out := l.must("account", "list")
	if !strings.Contains(out, "LOGIN  ROLE    STATE ") || !strings.Contains(out, "вася   player  offline") ||
		!strings.Contains(out, "Сова") {
		t.Errorf("found\n%s", out)
	}
	var list []ops.Account
	text := l.must("account", "list", "ПЕТ", "--json")
	if err := readJSON(text, &list); err != nil || len(list) != 1 || list[0].Role != data.Helper ||
		!strings.Contains(text, `"login": "петя"`) {
		t.Errorf("found %s, %v", text, err)
	}
	if strings.Contains(text, "argon2") {
		t.Error("a password hash was shown")
	}
	l.fails(1, `login "ВАСЯ": the login is taken`, "account", "add", "ВАСЯ", "--password", "x")
	l.fails(1, `account "вас" not found; did you mean "вася"?`, "account", "role", "вас", "helper")
	l.fails(1, "password: expected 1 to 100 characters", "account", "passwd", "вася", "--password", "")

	if out := l.must("account", "role", "вася", "administrator"); out != "вася is now administrator\n" {
		t.Errorf("found %q", out)
	}
	if out := l.must("account", "ban", "вася", "--for", "7d", "--reason", "ругань"); !strings.Contains(out,
		"вася is banned until ") {
		t.Errorf("found %q", out)
	}
	l.must("account", "ban", "--address", "192.0.2.7/24")
	if out := l.must("account", "list", "--banned"); !strings.Contains(out, "ругань") ||
		!strings.Contains(out, "192.0.2.0/24") || strings.Contains(out, "петя") {
		t.Errorf("found\n%s", out)
	}
	if out := l.must("account", "mute", "вася", "--for", "30m", "--reason", "шум"); !strings.Contains(out,
		"вася is muted until ") {
		t.Errorf("account mute printed %q", out)
	}
	if out := l.must("account", "list"); !strings.Contains(out, "banned until ") ||
		!strings.Contains(out, ", muted until ") {
		t.Errorf("expected both measures, found\n%s", out)
	}
	l.must("account", "mute", "петя", "--reason", "спам")
	if out := l.must("account", "list", "--banned"); !strings.Contains(out, "muted for ever") ||
		!strings.Contains(out, "спам") {
		t.Errorf("expected the muted, too, found\n%s", out)
	}
	if out := l.must("account", "unmute", "вася"); out != "вася may speak again\n" {
		t.Errorf("account unmute printed %q", out)
	}
	l.fails(1, "is not muted", "account", "unmute", "вася")
	l.must("account", "unban", "вася")
	l.must("account", "unban", "--address", "192.0.2.0/24")
	l.fails(1, "is not banned", "account", "unban", "вася")
}

func TestPasswordsAreRead(t *testing.T) {
	inTurn(t)
	l := populated(t)
	for _, args := range [][]string{{"account", "passwd", "вася", "--password-stdin"},
		{"account", "passwd", "вася"}} {
		code, out, err := l.do("новый пароль\r\nmore", args...)
		if code != 0 || strings.Contains(out+err, "новый") {
			t.Fatalf("%q: %d, %s%s", args, code, out, err)
		}
		store, e := data.Open(t.Context(), l.dir, data.Options{ReadOnly: true})
		if e != nil {
			t.Fatal(e)
		}
		a, e := store.AccountByLogin(t.Context(), "вася")
		store.Close()
		if ok, _, err := data.VerifyPassword(a.PasswordHash, "новый пароль"); e != nil || err != nil || !ok {
			t.Errorf("%q: expected the new password to fit, found %v, %v, %v", args, ok, err, e)
		}
	}
	code, _, err := l.do("", "account", "add", "нина")
	if code != 1 || !strings.Contains(err, "expected a password, found the end of the input") {
		t.Errorf("found %d, %s", code, err)
	}
}

func TestDeletingAsks(t *testing.T) {
	inTurn(t)
	l := populated(t)
	for _, answer := range []string{"n\n", "\n", ""} {
		if code, _, err := l.do(answer, "account", "delete", "вася"); code != 1 ||
			!strings.Contains(err, "nothing was changed") || !strings.Contains(err, "Сова") {
			t.Errorf("%q: found %d, %s", answer, code, err)
		}
		if code, _, err := l.do(answer, "character", "delete", "Сова"); code != 1 || !strings.Contains(err, "1 items") {
			t.Errorf("%q: found %d, %s", answer, code, err)
		}
	}
	l.must("character", "delete", "Сова", "--yes")
	out := l.must("character", "deleted", "ов")
	if !strings.Contains(out, "Сова") || !strings.Contains(out, "KEPT UNTIL") {
		t.Errorf("printed\n%s", out)
	}
	l.fails(1, "expected a slot from 1 to 3, found 4", "character", "undelete", "Сова", "--slot", "4")
	if out := l.must("character", "undelete", "сова", "--slot", "2"); out != "Сова is back in slot 2 of account вася\n" {
		t.Errorf("printed %q", out)
	}
	if out := l.must("character", "items", "Сова"); !strings.Contains(out, "Inkpot") {
		t.Errorf("printed\n%s", out)
	}
	l.fails(1, "not found", "character", "undelete", "Сова")
	if code, out, err := l.do("да\n", "character", "delete", "сова"); code != 0 || out != "deleted Сова\n" {
		t.Errorf("found %d, %s%s", code, out, err)
	}
	l.must("account", "delete", "вася", "--yes")
	l.fails(1, `account "вася" not found`, "account", "delete", "вася", "--yes")
}

func TestNotesAndSharedNames(t *testing.T) {
	inTurn(t)
	l := populated(t)
	if out := l.must("note", "add", "вася", "sells swords"); out != "note 1 on вася is written\n" {
		t.Errorf("printed %q", out)
	}
	out := l.must("note", "list", "ВАСЯ")
	if !strings.Contains(out, "sells swords") || !strings.Contains(out, "operator") {
		t.Errorf("printed\n%s", out)
	}
	l.fails(2, "expected the number of a note", "note", "delete", "one")
	l.fails(1, "no note 7", "note", "delete", "7")
	if out := l.must("note", "delete", "1"); out != "note 1 on вася is deleted\n" {
		t.Errorf("printed %q", out)
	}
	if out := l.must("account", "shared"); strings.Contains(out, "вася") {
		t.Errorf("printed\n%s", out)
	}
	l.fails(1, "no server is running", "account", "doubts")
}

func TestCharacterCommands(t *testing.T) {
	inTurn(t)
	l := populated(t)
	if out := l.must("character", "list"); !strings.Contains(out, "Сова  вася     1     great 15") {
		t.Errorf("found\n%s", out)
	}
	if out := l.must("character", "show", "сова"); !strings.Contains(out, "100 of 840") ||
		!strings.Contains(out, "704") || !strings.Contains(out, "neutral") {
		t.Errorf("found\n%s", out)
	}
	for _, args := range [][]string{
		{"character", "move", "Сова", "-10.5", "150", "-20", "--json"},
		{"character", "move", "--json", "Сова", "-10.5", "150", "-20", "-1.5"},
		{"character", "move", "Сова", "-10.5", "150", "-20", "--data", l.dir, "--json"},
	} {
		var c ops.Character
		if err := readJSON(l.must(args...), &c); err != nil || c.Position.X != -10.5 || c.Position.Y != 150 ||
			c.Position.Z != -20 {
			t.Errorf("%q: found %+v, %v", args, c, err)
		}
	}
	var d ops.CharacterDetail
	if err := readJSON(l.must("character", "show", "Сова", "--json"), &d); err != nil ||
		d.Position.Yaw != -1.5 {
		t.Errorf("expected that a move without YAW keeps it, found %+v, %v", d.Position, err)
	}
	umrad, _ := content.FindPlace("umrad")
	for _, args := range [][]string{{"umrad"}, {"Умрад", "--json"}, {fmt.Sprintf("%v %v %v", umrad.Position.X,
		umrad.Position.Y, umrad.Position.Z)}} {
		l.must("character", "unstuck", "Сова")
		l.must(append([]string{"character", "move", "Сова"}, args...)...)
		if err := readJSON(l.must("character", "show", "Сова", "--json"), &d); err != nil ||
			d.Position.Distance(umrad.Position) > 0.01 {
			t.Errorf("%q: found %+v, %v", args, d.Position, err)
		}
	}
	l.fails(1, "There is no such place. The nearest name is umrad", "character", "move", "Сова", "umrat")
	l.fails(1, "no server is running", "character", "move", "Сова", "--beside", "Филин")
	l.fails(1, "x is 1e+09, expected -32768 to 32767", "character", "move", "Сова", "1e9", "0", "0")
	l.fails(1, `character "Сава" not found; did you mean "Сова"?`, "character", "show", "Сава")
	l.fails(1, "one alphabet", "character", "rename", "Сова", "Coва")
	if out := l.must("character", "rename", "Сова", "Филин"); out != "Сова is now Филин\n" {
		t.Errorf("found %q", out)
	}
}

func TestDatabaseCommands(t *testing.T) {
	inTurn(t)
	l := populated(t)
	file := filepath.Join(t.TempDir(), "copy.db")
	l.must("db", "backup", file)
	l.fails(1, "exists already", "db", "backup", file)
	if out := l.must("db", "backup"); !strings.Contains(out, filepath.Join(l.dir, data.BackupFolder)) {
		t.Errorf("found %q", out)
	}
	if out := l.must("db", "check"); out != "no problems found\n" {
		t.Errorf("found %q", out)
	}
	l.must("account", "delete", "вася", "--yes")
	if out := l.must("db", "restore", file); !strings.Contains(out, "kept the old database as ") {
		t.Errorf("found %q", out)
	}
	l.must("character", "show", "Сова")
	l.fails(1, "no such file", "db", "restore", file+"x")

	store, err := data.Open(t.Context(), l.dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.SetPassword(t.Context(), 1, "no hash"); err != nil {
		t.Fatal(err)
	}
	store.Close()
	if code, out, err := l.do("", "db", "check"); code != 1 || !strings.Contains(out, "password hash") ||
		!strings.Contains(err, "found 1") {
		t.Errorf("found %d, %s%s", code, out, err)
	}
}

// Commands of game masters in the chat can be done on the database alone.
func TestCharactersAreChangedWithoutAServer(t *testing.T) {
	inTurn(t)
	l := populated(t)
	for command, want := range map[string]string{
		"give Сова 1":      "Сова gets: ",
		"money Сова 500":   "Сова has 500 coins now",
		"level Сова 61 5":  "Сова has title 61 and degree 5 now",
		"clear Сова --all": "destroyed the items of Сова",
		"unstuck Сова":     "Сова is now at ",
		"heal Сова":        "Сова has all HP and MP now",
	} {
		if out := l.must(append([]string{"character"}, strings.Fields(command)...)...); !strings.Contains(out, want) {
			t.Errorf("%s printed %q", command, out)
		}
	}
	if out := l.must("character", "money", "Сова", "-200"); out != "Сова has 300 coins now\n" {
		t.Errorf("found %q", out)
	}
	l.fails(1, "Money is from 0 to 2147483647; now it is 300.", "character", "money", "Сова", "-301")
	l.fails(1, `"нетакого" was not found`, "character", "give", "Сова", "нетакого")
	l.fails(1, "Such things are given one at a time.", "character", "give", "Сова", "1", "--count", "0")
	l.fails(1, "Expected a count from 1 to ", "character", "give", "Сова", "601", "--count", "0")
	l.fails(1, "title: expected a level from 1 to 240, not 241.", "character", "level", "Сова", "241")
	l.fails(1, "no server is running", "account", "kick", "вася")
	l.fails(2, "expected an amount", "character", "money", "Сова", "much")
	l.fails(2, "--limit 0", "audit", "--limit", "0")
	l.fails(2, "--limit 0", "note", "list", "--limit", "0")
	l.fails(1, "Expected 1 to 1000 lines, not 1001.", "note", "list", "--limit", "1001")
	for _, v := range []struct {
		lines int
		args  []string
	}{{0, []string{"--who", "nobody"}}, {2, []string{"--action", "account add", "--within", "12ч"}},
		{0, []string{"--action", "add"}}, {1, []string{"вася", "--action", "account"}}} {
		if out := l.must(append([]string{"audit"}, v.args...)...); strings.Count(out, "\n") != v.lines+1 {
			t.Errorf("%q: expected %d entries, found\n%s", v.args, v.lines, out)
		}
	}
	l.fails(1, "The character is alive.", "character", "revive", "Сова")
	out := l.must("audit", "Сова", "--limit", "5")
	if !strings.Contains(out, " took money from Сова: 301") ||
		!strings.Contains(out, "not done: changing money, Сова: Money is from") ||
		!strings.Contains(out, "not done: reviving a character, Сова: The character is alive.") ||
		strings.Count(out, "\n") != 6 {
		t.Errorf("the trail is\n%s", out)
	}
}

func TestRefusalsAreInTheLanguageOfTheSystem(t *testing.T) {
	inTurn(t)
	l := populated(t)
	t.Setenv("LC_ALL", "ru_RU.UTF-8")
	l.fails(1, "«вас» не найдено. Может быть, «вася»?", "account", "role", "вас", "helper")
	l.fails(1, "Поле «текст» обязательно.", "note", "add", "вася", "")
	if out := l.must("audit", "--limit", "1"); !strings.Contains(out, "КОГДА") ||
		!strings.Contains(out, " создал учётную запись петя") {
		t.Errorf("found\n%s", out)
	}
}

func TestCommandsReachARunningServer(t *testing.T) {
	l := populated(t)
	if code, out, err := l.do("", "status"); code != notRunning || err != "" || !strings.Contains(out, "not running") ||
		!strings.Contains(out, "2 accounts, 1 characters, 1 items") {
		t.Errorf("exit code %d, %s, found\n%s", code, err, out)
	}
	lock, err := data.Lock(l.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	store, err := data.Open(t.Context(), l.dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	server, err := api.Listen(api.Options{Store: store,
		Ops: &ops.Service{Store: store, Status: func() ops.Status { return ops.Status{Started: time.Now()} }},
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close(t.Context())
	if out := l.must("status"); !strings.Contains(out, "running since") || strings.Contains(out, "COUNTER") {
		t.Errorf("found\n%s", out)
	}
	if out := l.must("status", "--counters"); !strings.Contains(out, "COUNTER") {
		t.Errorf("with counters, found\n%s", out)
	}
	t.Setenv("LC_ALL", "ru_RU.UTF-8")
	if _, out, _ := l.do("", "status"); !strings.Contains(out, "работает с ") || !strings.Contains(out, "игроки") {
		t.Errorf("in Russian, found\n%s", out)
	}
	const nearest = "«вас» не найдено. Может быть, «вася»?"
	l.fails(1, nearest, "account", "role", "вас", "helper")
	t.Setenv("LC_ALL", "C")
	l.must("account", "add", "нина", "--password", "x")
	if _, err := store.AccountByLogin(t.Context(), "нина"); err != nil {
		t.Error(err)
	}
	l.fails(1, "is in use by process", "db", "restore", "whatever.db")
	trail, err := store.AuditTrail(t.Context(), data.AuditFilter{Target: "нина"}, 1)
	if err != nil || len(trail) != 1 || !strings.HasPrefix(trail[0].Who, "operator") {
		t.Errorf("found %+v, %v", trail, err)
	}
}

func TestStaleControlFileIsNamedAndPassedOver(t *testing.T) {
	l := populated(t)
	if err := os.WriteFile(filepath.Join(l.dir, admin.ControlFile),
		[]byte(`{"address":"127.0.0.1:1","token":"x","pid":7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, err := l.do("", "account", "list")
	if code != 0 || !strings.Contains(out, "вася") || !strings.Contains(err, "was stale") {
		t.Errorf("found %d, %s%s", code, out, err)
	}
}

func TestNothingFromTheDatabaseCommandsTheTerminal(t *testing.T) {
	var out bytes.Buffer
	table(&out, []string{"A"}, [][]string{{"evil\x1b[2J\tname\n"}})
	if out.String() != "A\nevil·[2J·name·\n" {
		t.Errorf("found %q", out.String())
	}
}

// PowerShell puts a mark before what it pipes, and ends lines as Windows does.
func TestAPipedPasswordIsReadWithoutMarks(t *testing.T) {
	for _, text := range []string{"пароль", "пароль\n", "\uFEFFпароль\r\nmore"} {
		if got, err := readPassword(t.Context(), strings.NewReader(text)); got != "пароль" || err != nil {
			t.Errorf("%q: read %q, %v", text, got, err)
		}
	}
}
