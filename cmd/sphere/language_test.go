package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"sphereserver/server/bot"
	"sphereserver/server/measure"
	"sphereserver/server/transport"
)

// sentenceArgument is which argument of a function is a sentence.
var sentenceArgument = map[string]int{"failf": 0, "usagef": 1, "say": 0, "line": 0, "note": 0, "words": 0, "word": 0}

// englishTexts are the texts of the program that answers.ru.txt has to have, by where they are.
func englishTexts(t *testing.T) map[string]string {
	found := map[string]string{}
	files := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "doctor") || name == "help.go" {
			continue // words of the doctor have both languages beside each other
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		note := func(e ast.Expr) {
			if text, is := literal(e); is && text != "" {
				found[text] = files.Position(e.Pos()).String()
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				called, _ := n.Fun.(*ast.Ident)
				if method, is := n.Fun.(*ast.SelectorExpr); is {
					called = method.Sel
				}
				if called == nil {
					return true
				}
				at, known := sentenceArgument[called.Name]
				if known && at < len(n.Args) {
					note(n.Args[at])
				}
				if called.Name == "words" || called.Name == "expect" {
					for _, arg := range n.Args {
						note(arg)
					}
				}
			case *ast.CompositeLit:
				if of, is := n.Type.(*ast.Ident); is && of.Name == "sentence" && len(n.Elts) > 0 {
					note(n.Elts[0])
				}
			}
			return true
		})
	}
	return found
}

// literal is the text of a literal, or of a sum of them.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, first := literal(e.X)
		right, second := literal(e.Y)
		return left + right, first && second
	}
	return "", false
}

// englishWords are two words of English or more, that are no names: those stand in quotes, or are flags, paths and
// words of the wire.
var (
	quoted       = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|«[^»]*»|'[^']'`)
	englishWords = regexp.MustCompile(`(?:^|[ (])[a-z][a-z']+ [a-z][a-z']+`)
)

// Each text stands once: of two the last would count, and a change of the first would do nothing.
func TestTextsStandOnce(t *testing.T) {
	for name, file := range map[string]string{"answers": russianAnswerText, "help": russianText, "log": russianLogText} {
		seen := map[string]bool{}
		for line := range strings.Lines(file) {
			if strings.HasPrefix(line, "= ") && name != "help" || strings.HasPrefix(line, "# ") && name == "help" {
				if seen[line] {
					t.Errorf("%s: %q stands twice", name, line)
				}
				seen[line] = true
			}
		}
	}
}

func TestEveryAnswerHasARussianText(t *testing.T) {
	for text, at := range englishTexts(t) {
		if !isRussian(text) {
			t.Errorf("%s: %q has no Russian text", at, text)
		}
		if strings.Contains(text, "%w") {
			t.Errorf("%s: %q: sentences take errors by %%v", at, text)
		}
	}
}

// readersOfFiles are the files of packages below whose errors and remarks people read as they are.
var readersOfFiles = []string{"data/content/clientfiles/*.go", "data/landscape/*.go", "packets/capture/*.go",
	"packets/capture/recording/*.go",
	"data/backup*.go", "data/export.go", "data/failure.go",
	"data/ground.go", "data/import.go", "data/m*.go", "data/restore.go", "data/s*.go", "data/writer.go", "packets/ase/*.go", "packets/mcquery/answer.go", "packets/mcquery/mcquery.go",
	"packets/w3gs/discovery.go", "packets/w3gs/fields.go", "packets/w3gs/kind.go", "packets/w3gs/stat.go"}

// What readers of files find wrong is in Russian, too.
func TestFaultsOfFilesHaveARussianText(t *testing.T) {
	files, n := token.NewFileSet(), 0
	for _, pattern := range readersOfFiles {
		names, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(files, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(node ast.Node) bool {
				call, _ := node.(*ast.CallExpr)
				if call == nil {
					return true
				}
				name := ""
				switch of := call.Fun.(type) {
				case *ast.SelectorExpr:
					name = of.Sel.Name
				case *ast.Ident:
					name = of.Name
				}
				at, says := map[string]int{"Errorf": 0, "New": 0, "problem": 2, "Damaged": 1, "DamagedAt": 2, "wrap": 1, "refuse": 2,
					"fail": 0}[name]
				if !says || at >= len(call.Args) {
					return true
				}
				text, is := literal(call.Args[at])
				if text = ofPackage().ReplaceAllString(text, "$1"); is && !isRussian(text) {
					t.Errorf("%s: %q has no Russian text", files.Position(call.Pos()), text)
				}
				n++
				return true
			})
		}
	}
	if n < 100 {
		t.Errorf("only %d texts", n)
	}
}

// isRussian reports whether a text of package fmt has a Russian one, or its parts have.
func isRussian(text string) bool {
	if !strings.ContainsFunc(verbOfText().ReplaceAllString(text, ""), unicode.IsLetter) || russianAnswers()[text] != "" {
		return true
	}
	example := verbOfText().ReplaceAllStringFunc(text, func(verb string) string {
		if strings.HasSuffix(verb, "q") {
			return `"7"`
		}
		return "7"
	})
	return strings.Contains(text, " ") && !englishWords.MatchString(quoted.ReplaceAllString(russianSentence(example), ""))
}

func TestRussianTextsTakeTheSameArguments(t *testing.T) {
	number := regexp.MustCompile(`%\[(\d+)\]`)
	for english, russian := range russianAnswers() {
		if russian == "" {
			t.Errorf("%q has no Russian text", english)
		}
		if number.MatchString(russian) {
			continue
		}
		if want, got := len(verbOfText().FindAllString(english, -1)), len(verbOfText().FindAllString(russian, -1)); want != got {
			t.Errorf("%q has %d arguments, %q has %d", english, want, russian, got)
		}
	}
}

func TestAddressesThatCannotBeListenedOnAreToldInBothLanguages(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	addr := taken.Addr().String()
	for at, want := range map[string][2]string{
		addr:             {"another program listens on " + addr, addr + " занят другой программой"},
		"198.51.100.1:1": {"198.51.100.1:1 is no address of this machine", "198.51.100.1:1 — не адрес этой машины"},
	} {
		_, err := transport.Listen(at, nil, transport.Options{}, nil)
		if err == nil {
			t.Fatalf("%s is free", at)
		}
		if got := [2]string{plain(err).Error(), russianOf(err)}; got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
	for _, op := range []string{"listen", "dial"} {
		err = &net.OpError{Op: op, Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "nohost.invalid"}}
		if en, ru := plain(err).Error(), russianOf(err); en != "the name nohost.invalid is not known here" || ru != "имя nohost.invalid здесь неизвестно" {
			t.Errorf("%q, %q", en, ru)
		}
	}
}

// mistakes are command lines with each general mistake, and with mistakes in the arguments of some commands.
func mistakes(t *testing.T) (lines [][]string) {
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		if c.Hidden || len(path) > 0 && (path[0] == "help" || path[0] == "completion") {
			return
		}
		with := func(args ...string) { lines = append(lines, append(append([]string{}, path...), args...)) }
		with("--nonsense")
		if len(path) <= 1 { // those below answer by the same words, as --nonsense shows
			with("--dta", "x")
			with("-x")
			with("--data")
		}
		with("7", "7", "7", "7", "7", "7", "7")
		if words := strings.Fields(c.Use); len(words) > 1 && !strings.HasPrefix(words[1], "[") {
			with()
		}
		for _, below := range c.Commands() {
			look(below)
		}
	}
	look(rootCommand(&environment{}))
	for _, line := range []string{
		"acount list", "account lsit", "nonsense", "account role вася god", "account role вася helpr",
		"account add x --role god", "account add x --password y --password-stdin", "account ban",
		"account ban x --address 192.0.2.7/24", "account ban x --for -1h", "account ban x --for soon",
		"account unban --address nowhere", "account mute x --for 5", "audit --limit abc", "audit --limit 0",
		"capture record", "capture record --all --for 5", "capture record --session x", "capture decode --dir x 00",
		"capture decode --dialect x 00", "capture decode --port 0 00", "capture decode none.pcap", "capture decode 0",
		"capture verify none.pcap", "capture replay none.sphrec", "capture replay x --speed 0",
		"capture replay x --patience 0s", "capture replay x --speed 2 --as-fast-as-possible",
		"character move x -1 high 3", "character move x -1 2 NaN", "character move x -1 -2", "character money x much",
		"character level x high", "character show нет", "character give Сова нетакого", "character give Сова 1 --count 0",
		"character rename Сова C0ва", "character level Сова 241", "character money Сова -301000", "account role вас helper",
		"account add вася --password x", "account passwd вася --password=", "account kick вася", "account unmute вася",
		"account unban вася", "account unban --address 192.0.2.0/24", "account delete вася", "character delete Сова",
		"account add нина", "account passwd петя", "db restore none.db", "db import none.json", "db export none/x.json",
		"db backup none/x.db", "db import " + t.Name(), "status --nonsense", "catalogue find --limit 0 x",
		"catalogue find ыыыыыыыыыыыы", "catalogue show 99999999", "catalogue show 15001 --suffix 999", "import none",
		"client servers-cfg none.cfg", "config check none.toml", "config init --lang de", "serve --listen x",
		"serve --max-connections x", "serve --max-connections -5", "serve --log-level loud", "serve --config none.toml",
		"serve --take-over=perhaps", "demo --bots 0", "bot --count 0", "bot --slot 7", "bot --dialect x", "bot --walk x",
		"bot --walk square --stand", "bot --rate 0", "bot --for soon", "bot --ping-every 0s", "bot --ping-every soon",
		"bot --speed -1", "bot --sight -1", "bot --crowd 0", "bot --count 5 --prefix Бот", "bot --stay -1s",
		"bot --addr 127.0.0.1:1", "bot script none.star", "bot script none.star --dialect x",
		"bot script none.star --patience 0s", "query ase nowhere", "query ase 127.0.0.1:1 --timeout 0s",
		"query minecraft 127.0.0.1:1 --retries -1", "query w3gs 127.0.0.1:1 --product x", "query lan --to x",
		"query ase --read none.hex", "query w3gs 127.0.0.1:1 --timeout 10ms --retries 0", "w3host", "w3host --product x",
		"w3host --map none.w3x", "w3host --map-path x", "w3host --map-path x --map-size 1 --map-crc 1 --slots 99",
		"w3host --map-path x --map-size 1 --map-crc 1 --tick 1s", "w3host --map-path x --map-size 1 --map-crc x",
		"w3host --map-path x --map-size 1 --map-crc 1 --game y", "w3host --map-path x --map-size 1 --map-crc 1 --slot 9",
		"w3host --map-path x --map-size 1 --map-crc 1 --log-level x",
		"w3host --map-path x --map-size 1 --map-crc 1 --announce x",
		"help nonsense", "completion nonsense", "help account nonsense", "--data= status", "bot --addr 5", "bot --addr x:y",
		"bot script x --addr x:99999", "capture replay x --addr :1", "db export x --data none", "ground export x --data none",
		"monster summon Волк --at nowhere", "spawner list --at 1", "client servers-cfg /dev/zero 192.0.2.1",
		"query ase --read /dev/zero", "ground import /dev/zero", "db restore " + t.Name(), "ground import " + t.Name(),
		"capture replay " + t.Name(), "capture verify /dev/zero", "capture decode /dev/zero", "bot script /dev/zero",
		"bot script " + t.Name(), "config check /dev/zero", "db import /dev/zero", "w3host --map " + t.TempDir(),
		"--data " + t.Name() + " status", "--data " + t.Name() + " serve", "query ase --read /dev/null",
		"query minecraft --read /dev/null", "query w3gs --read /dev/null",
	} {
		lines = append(lines, strings.Fields(line))
	}
	return lines
}

func TestMistakesAreAnsweredInTheLanguageOfTheSystem(t *testing.T) {
	inTurn(t)
	l := populated(t)
	if err := os.WriteFile(filepath.Join(l.dir, "..", t.Name()), []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(l.dir, ".."))
	for _, args := range mistakes(t) {
		answers := map[bool]string{}
		for _, russian := range []bool{false, true} {
			t.Setenv("LC_ALL", map[bool]string{false: "en_GB.UTF-8", true: "ru_RU.UTF-8"}[russian])
			var out, errs bytes.Buffer
			code := run(append([]string{"--data", l.dir}, args...), strings.NewReader(""), &out, &errs)
			answer := quoted.ReplaceAllString(strings.ReplaceAll(errs.String(), l.dir, "DIR"), "")
			if code == 0 {
				continue // it was no mistake
			}
			answers[russian] = answer
			if lines := strings.Count(strings.TrimSpace(errs.String()), "\n"); lines > 1 {
				t.Errorf("%q is answered by %d lines: %s", args, lines+1, errs.String())
			}
		}
		for _, arg := range args {
			for russian := range answers {
				if len(arg) > 3 {
					answers[russian] = strings.ReplaceAll(answers[russian], arg, "")
				}
			}
		}
		answers[true] = strings.ReplaceAll(answers[true], strings.Join(args, " "), "")
		english, russian := answers[false], answers[true]
		for _, names := range []string{"Сова", "вася", "петя"} {
			english = strings.ReplaceAll(english, names, "")
		}
		if strings.ContainsFunc(english, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
			t.Errorf("%q is answered in English by %s", args, english)
		}
		if words := englishWords.FindString(russian); words != "" {
			t.Errorf("%q is answered in Russian by %s (%q)", args, russian, words)
		}
	}
}

func TestDurationsAreInTheLanguageOfTheReader(t *testing.T) {
	for d, want := range map[time.Duration]string{200 * time.Millisecond: "200 мс", 2 * time.Second: "2 с",
		1500 * time.Millisecond: "1,5 с", 90 * time.Second: "1 мин 30 с", -time.Second: "-1 с", 0: "0 с"} {
		s := sentence{"--timeout: expected more than 0, found %v", []any{d}}
		if got := s.In(true); got != "--timeout: нужно больше 0, а не "+want {
			t.Errorf("%v is %q", d, got)
		}
		if got := s.In(false); !strings.HasSuffix(got, d.String()) {
			t.Errorf("%v is %q", d, got)
		}
	}
}

// Mistakes in scenarios are told in Russian, those of the interpreter too.
func TestMistakesInScenariosInRussian(t *testing.T) {
	for english, want := range map[string]string{
		"s.star:2: expected a verb, found flies":                                                       "нужно одно из действий",
		`s.star:4: wait: for parameter time: expected a time, like 2 (seconds) or "500ms", found "1x"`: `аргумент time: нужно время, например 2 (секунды)`,
		"s.star:9: patience: for parameter time: expected a time of at most 1h, found 99999":           "время не больше 1 ч",
		"s.star:8: reads: missing argument for text":                                                   "не хватает аргумента text",
		"s.star:1: got newline, want primary expression":                                               "строка не закончена",
		"s.star:1: list index 5 out of range [-1:0]":                                                   "номер в list",
		"s.star:1: int value is not iterable":                                                          "нельзя перебирать",
		"s.star:1: undefined: x (did you mean y?)":                                                     "имя x не определено; может быть, y?",
		`s.star:1: undefined: wiat; did you mean "wait"?`:                                              `имя wiat не определено; может быть, "wait"?`,
		`s.star:2: expected a verb, found buys; did you mean "buy"?`:                                   `а не buys; может быть, "buy"?`,
		`s.star:2: carries: for parameter item: expected the name of an item, found "bred"; did you mean "bread"?`: `нужно название ` +
			`предмета или класса, а не "bred"; может быть, "bread"?`,
		`s.star:2: walk_to: for parameter at: expected the key or name of a place, a player, or (X, Y, Z), found "nowhere"`: `walk_to: ` +
			`аргумент at: нужен ключ или название места, игрок или (X, Y, Z), а не "nowhere"`,
		`s.star:6: sees: for parameter other: expected a player, found "x"`:                      `нужен игрок, а не "x"`,
		`s.star:7: say: for parameter "on": expected a channel (near, whisper), found "shout"`:   `нужен канал (near, whisper), а не "shout"`,
		`s.star:9: take_mission: for parameter goal: expected a goal (title, degree), found "x"`: `нужна цель (title, degree), а не "x"`,
		`s.star:2: carries: for parameter item: expected the name of an item, found "Меч"`:       `нужно название предмета или класса, а не "Меч"`,
	} {
		if got := russianSentence(english); !strings.Contains(got, want) {
			t.Errorf("%s is %s", english, got)
		}
	}
}

func TestReplaysTellInRussian(t *testing.T) {
	for english, want := range map[string]string{
		"session 1 connects": "сеанс 1: подключение",
		"session 1, 1.304 s: the server has refused the login: the password is another, the account is banned or in the world: recorded, " +
			"it goes on": "сеанс 1, 1.304 с: сервер отказал во входе (пароль не тот, учётная запись забанена или уже в игре) и закрыл соединение, " +
			"а в записи оно продолжается",
		"session 2, 0.100 s: the account сова has the character Сова in a slot that was empty, so its sessions are not played: name " +
			"another account, or have a new one made": "сеанс 2, 0.100 с: у учётной записи сова в пустой прежде ячейке есть персонаж Сова, " +
			"поэтому её сеансы не проигрываются: назовите другую или дайте завести новую",
		"session 1, 1.153 s: additional: Owner CannotConnect of the own character: Owner CannotConnect": "session 1, 1.153 s: " +
			"additional: Owner CannotConnect of the own character: Owner CannotConnect",
		"session 2 is not played: it began before the recording\n2 sessions, 53 frames sent, 327 messages compared, 0 differences": "сеанс 2 " +
			"не проигран: он начался до записи\nсеансов 2, отправлено пакетов 53, сравнено сообщений 327, отличий 0",
	} {
		if got := russianSentence(english); got != want {
			t.Errorf("%s is %s", english, got)
		}
	}
	if got := (sentence{"%s from the recording", []any{counted(4, "difference")}}).In(true); got != "запись и ответы сервера не совпали, отличий: 4" {
		t.Error(got)
	}
}

// linesOfBots are lines of clients that have more in them than one format.
var linesOfBots = map[string]string{
	"  broken stream × 3":                       "  поток испорчен × 3",
	"    closed by the server in the world × 2": "    закрыто сервером, в мире × 2",
	"    login refused before the world: wrong password, banned, or in use already; the server's log says which × 1": "    во входе " +
		"отказано, ещё не в мире: пароль неверен, запись запрещена или уже в игре; что именно, знает журнал сервера × 1",
	"            given up: in vain × 2, no room × 1":                  "            брошено: впустую × 2, нет места × 1",
	"finding: HP differ: the own character has 88 of 87 HP: 0E 00 2C": "замечание: здоровье расходится: у персонажа здоровья 88 из 87: 0E 00 2C",
	"killed Large rat, level 4":                                       "убит монстр: Большая крыса, уровень 4",
	"the server says: no link":                                        "сервер говорит: no link",
	"Bota says (channel 1): no link":                                  "Bota говорит (канал 1): no link",
	"      Bota: money 5 then 4: 0E 00 2C":                            "      Bota: денег было 5, стало 4: 0E 00 2C",
	"  slot 27: bread 0x1000, number 4, 10 pieces, weight 80":         "  ячейка 27: bread 0x1000, номер 4, штук 10, масса 80",
	"at (1.0, 2.0, 3.0), HP 1/2, MP 3/4, 5 positions answered, p50 0.13 ms, max 0.19 ms, 8140-04-08 09:52:45, 13 players, " +
		"near: 2 players, 14 objects": "место (1.0, 2.0, 3.0), здоровье 1/2, прана 3/4, ответов на положения 5, p50 0.13 мс, наибольшее 0.19 мс, " +
		"время 8140-04-08 09:52:45, игроков 13, рядом игроков 2, объектов 14",
	"  received         7 /s   2.4 KiB/s": "  принято           7 /с   2.4 КиБ/с",
	"  sent      27 frames, 666 B":        "  отправлено пакетов 27, 666 Б",
}

// What bots find is told in Russian, too, unless it is only values.
func TestFindingsOfBotsHaveARussianText(t *testing.T) {
	names, err := filepath.Glob("../../server/bot/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is || len(call.Args) < 2 {
				return true
			}
			method, is := call.Fun.(*ast.SelectorExpr)
			if !is || method.Sel.Name != "find" {
				return true
			}
			format, is := literal(call.Args[1])
			if words := verbOfText().ReplaceAllString(format, ""); !is || len(words) < 2*leastLiteral {
				return true
			}
			if found++; russianAnswers()[format] == "" {
				t.Errorf("%s: %q has no Russian text", name, format)
			}
			return true
		})
	}
	if found < 50 {
		t.Errorf("only %d findings are known", found)
	}
}

// All that bots tell, their figures and the kinds of findings are told in Russian, too.
func TestBotsTellInTheLanguageOfTheSystem(t *testing.T) {
	env := &environment{russian: true}
	for english, want := range linesOfBots {
		if got := env.botLine(english); got != want {
			t.Errorf("%q: %q, expected %q", english, got, want)
		}
		if got := new(environment).botLine(english); got != english {
			t.Errorf("in English %q is %q", english, got)
		}
	}
	full := bot.Figures{Entries: 1, Started: 1, Answers: new(measure.Distribution), Disconnects: map[string]int{"no link in the world": 1},
		Counts: bot.Counts{Kinds: map[string]bot.KindCounts{"a": {}}, GivenUpFor: map[string]uint64{"beaten": 1}}}
	full.Said, full.Requests, full.Compared, full.PutBack, full.Kills, full.Missions = 1, 1, 1, 1, 1, 1
	var table bytes.Buffer
	for _, terminal := range []bool{false, true} {
		bot.NewTable(&table, terminal, env.botLine).Show(&full)
	}
	for line := range strings.Lines(bot.Summary(&full, env.botLine) + table.String()) {
		if englishWords.MatchString(line) {
			t.Errorf("%q is in English", line)
		}
	}
	files, n := token.NewFileSet(), 0
	names, err := filepath.Glob(filepath.Join(repository, "server/bot/*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				if of, is := node.Fun.(*ast.SelectorExpr); is && of.Sel.Name == "tell" && len(node.Args) > 0 {
					text, is := literal(node.Args[0])
					text = strings.TrimPrefix(strings.TrimPrefix(text, "finding: "), "  ")
					if n++; is && !isRussian(strings.Split(text, ": ")[0]) && !isRussian(text) {
						t.Errorf("%s: %q has no Russian text", files.Position(node.Pos()), text)
					}
				}
			case *ast.ValueSpec:
				if of, is := node.Type.(*ast.Ident); is && of.Name == "ViolationKind" {
					text, _ := literal(node.Values[0])
					if n++; russianAnswers()[text] == "" {
						t.Errorf("%s: %q has no Russian text", files.Position(node.Pos()), text)
					}
				}
			}
			return true
		})
	}
	if n < 50 {
		t.Errorf("only %d texts", n)
	}
}
