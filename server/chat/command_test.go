package chat

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/ops"
	"sphereserver/server/view"
	"sphereserver/world/rules"
)

// Each command is found under both names, in any case.
func TestCommandsAreFoundByBothNames(t *testing.T) {
	for i := range commands {
		o := &commands[i]
		for _, name := range []string{o.names.Russian, o.names.English, strings.ToUpper(o.names.Russian),
			cmp.Or(o.client, o.names.English)} {
			if found, err := findCommand(name, data.Player); err != nil || found != o {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestCommandTableIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range commands {
		names := []string{o.names.Russian, o.names.English}
		if o.client != "" {
			names = append(names, o.client)
		}
		for _, name := range names {
			if key := commandKey(name); key == "" || seen[key] || strings.ContainsAny(name, " /!") {
				t.Errorf("command %q is empty or twice", name)
			}
			seen[commandKey(name)] = true
		}
		if o.help.Russian == "" || o.help.English == "" || (o.args.Russian == "") != (o.args.English == "") || o.do == nil {
			t.Errorf("command %s is not in both languages", o.names.English)
		}
		if len(strings.Fields(strings.ReplaceAll(o.args.English, "X Y Z", "X"))) < o.words {
			t.Errorf("command %s takes %d words, and shows %q", o.names.English, o.words, o.args.English)
		}
		for _, russian := range []bool{true, false} {
			if _, err := packets.AppendServer(nil, packets.Message(0, 1, packets.ClassPlayer,
				view.SystemMessage(o.usage(russian)+": "+o.help.In(russian))), packets.Dialect2026); err != nil {
				t.Errorf("help of %s: %v", o.names.English, err)
			}
		}
	}
}

func TestMistakesInCommandsAreAnsweredInBothLanguages(t *testing.T) {
	g, player, helper, master, administrator := newCrew(t)
	p, m := player.name(), master.name()
	above := func(name string, role data.Role) string {
		return name + " — " + ops.RoleNames[role].Russian + "\n" + name + " is a " + ops.RoleNames[role].English
	}
	both := func(t ops.Text, args ...any) string { return t.In(true, args...) + "\n" + t.In(false, args...) }
	lacks := func(v ops.Any, role data.Role) string {
		r := ops.RoleRefusal(v.Least(), role)
		return r.In(true) + "\n" + r.In(false)
	}
	lost := func(kind, name string) string {
		return "«" + name + "» не найдено.\n" + strings.ToUpper(kind[:1]) + kind[1:] + " \"" + name + "\" not found."
	}
	usage := func(name string) string {
		o, _ := findCommand(name, data.Administrator)
		return usageText.In(true, o.usage(true)) + "\n" + usageText.In(false, o.usage(false))
	}
	for _, c := range []struct {
		who     *talker
		command string
		want    string // Russian and English, a line each
	}{
		{player, "/нетакого", both(unknownCommandText, "нетакого")},
		{player, "/hlep", both(nearCommandText, "hlep", "help")},
		{player, "!пмощь", both(nearCommandText, "пмощь", "помощь")},
		{player, "/титул вниз", both(nearCommandText, "титул", "опуститьтитул")},
		{player, "/тит", both(unknownCommandText, "тит")},
		{player, "/kick " + p, lacks(ops.KickAccount, data.Player)},
		{player, "/help kick", lacks(ops.KickAccount, data.Player)},
		{helper, "/ban " + p + " 1h", lacks(ops.BanAccount, data.Helper)},
		{master, "/level " + p + " 5", lacks(ops.SetLevels, data.GameMaster)},
		{player, "/lang", usage("lang")},
		{player, "/lang de", both(langText, "de")},
		{player, "/tell " + p, usage("tell")},
		{player, "/tell Qwertyuiop hello", both(unknownText, "Qwertyuiop")},
		{player, "/who Qwertyuiop", both(unknownText, "Qwertyuiop")},
		{player, "/where " + m, both(whereOtherText)},
		{player, "/clan", both(refusalTexts[rules.NoClan])},
		{helper, "/where Qwertyuiop", both(unknownText, "Qwertyuiop")},
		{helper, "/where " + p + "x", both(nearText, p+"x", p)},
		{helper, "/kick", usage("kick")},
		{helper, "/kick " + m, above(m, data.GameMaster)},
		{helper, "/kick " + helper.name(), "С собой этого сделать нельзя.\nYou cannot do this " +
			"to yourself."},
		{helper, "/kick " + p + " " + strings.Repeat("x", 501),
			"не длиннее 500 знаков, а не 501.\nat most 500 characters, found 501"},
		{helper, "/mute " + p + " soon", both(timeText, "soon")},
		{helper, "/mute " + p + " 0m", both(timeText, "0m")},
		{helper, "/mute " + p + " 99999999d", both(timeText, "99999999d")},
		{helper, "/mute " + m + " 1h", above(m, data.GameMaster)},
		{helper, "/unmute " + p, p + " и так может говорить.\nis not mute"},
		{helper, "/note " + p + " " + strings.Repeat("x", 501),
			"не длиннее 500 знаков, а не 501.\nat most 500 characters, found 501"},
		{helper, "/note " + m + " x", above(m, data.GameMaster)},
		{master, "/unban " + p, "Вход для " + p + " и так открыт.\nis not banned"},
		{master, "/ban " + administrator.name() + " 1h", above(administrator.name(), data.Administrator)},
		{master, "/summon " + administrator.name(), above(administrator.name(), data.Administrator)},
		{master, "/give " + administrator.name() + " хлеб", above(administrator.name(), data.Administrator)},
		{master, "/summon " + m, "С собой этого сделать нельзя.\nYou cannot do this to yourself."},
		{master, "/tp Qwertyuiop", both(unknownText, "Qwertyuiop")},
		{master, "/tp Шыпстоун", both(nearText, "Шыпстоун", "Шипстоун")},
		{master, "/tp 1 99999 2", both(outsideText)},
		{master, "/tp nan 1 2", both(outsideText)},
		{master, "/give " + p + " qwertyuiopasdf",
			"«qwertyuiopasdf» не найдено.\n\"qwertyuiopasdf\" was not found."},
		{master, fmt.Sprintf("/give %s %d 0", p, g.Kinds().Kinds()[0].ID),
			"Такие предметы выдаются по одному.\nSuch things are given one at a time."},
		{master, "/give Qwertyuiop хлеб", lost("character", "Qwertyuiop")},
		{master, "/spawn qwertyuiopasdf", strings.TrimSuffix(lost("NPC", "qwertyuiopasdf"), ".")},
		{master, "/spawn bankir", "«bankir» не найдено. Может быть, «banker»?\nNPC \"bankir\" not " +
			"found; did you mean \"banker\"?"},
		{master, "/spawn remove", "В 30 м нет никого, кто был поставлен " +
			"командой.\nWithin 30 m there is nobody who was put by a command."},
		{master, "/monster qwertyuiopasdf", lost("monster", "qwertyuiopasdf")},
		{master, "/monster 1000 121", "Нужен уровень от 1 до 120, а не 121.\nExpected a level from 1 to 120, not 121."},
		{master, "/monster 1000 0", "Нужен уровень от 1 до 120, а не -1.\nExpected a level from 1 to 120, not -1."},
		{master, "/monster 1000", "В городе монстров не бывает.\nThere are no monsters in a city."},
		{master, "/monster remove", "В 30 м нет монстров, призванных командой.\n" +
			"Within 30 m there is no monster that was summoned."},
		{master, "/spawners perhaps", both(switchText, "perhaps")},
		{master, "/spawners off far", both(metresText, "far")},
		{master, "/spawners off -5", both(metresText, "-5")},
		{master, "/spawners off 1001", "Нужно расстояние от 0 до 1000 м, а не 1001.\nExpected a radius from 0 to 1000 m, not 1001."},
		{master, "/spawners off", "В 100 м нет мест появления монстров.\nWithin 100 m there are no spawners."},
		{administrator, "/money " + p + " many", both(amountText, "many")},
		{administrator, "/money " + p + " 99999999999", both(amountText, "99999999999")},
		{administrator, "/money " + p + " -1", "Денег может быть от 0 до 2147483647; сейчас " +
			"0.\nMoney is from 0 to 2147483647; now it is 0."},
		{administrator, "/money " + p + " 2147483648", both(amountText, "2147483648")},
		{administrator, "/points " + p + " -1", both(pointsRangeText, 65535, "-1")},
		{administrator, "/points " + p + " 65536", both(pointsRangeText, 65535, "65536")},
		{administrator, "/level " + p + " 0", both(levelRangeText, 240, "0")},
		{administrator, "/level " + p + " 241", both(levelRangeText, 240, "241")},
		{administrator, "/level " + p + " 5 x", both(levelRangeText, 240, "x")},
	} {
		russian, english, _ := strings.Cut(c.want, "\n")
		for inRussian, want := range map[bool]string{true: russian, false: english} {
			c.who.Russian, c.who.chosen = inRussian, true
			c.who.wantLine(want, "%s", c.command)
		}
	}
}

// A player that has chosen no language is told in the client's own words where it has some, and in ours where those say
// more, or would say what is not so.
//
// Source: protocol life 1.6.
func TestMistakesInCommandsAreAnsweredInTheClientsWords(t *testing.T) {
	_, player, helper, master, _ := newCrew(t)
	near := player.name() + "x"
	for _, c := range []struct {
		who           *talker
		command, want string
	}{
		{player, "/нетакого", "#859"},
		{master, "/нетакого", "#859"},
		{player, "/hlep", nearCommandText.In(true, "hlep", "help")},
		{player, "/kick " + helper.name(), "#859"},
		{helper, "/ban " + player.name() + " 1h", ops.RoleRefusal(data.GameMaster, data.Helper).In(true)},
		{player, "/tell Qwertyuiop hello", "#857"},
		{master, "/tell Qwertyuiop hello", "#857"},
		{player, "/tell " + near + " hello", nearText.In(true, near, player.name())},
		{player, "/who Qwertyuiop", unknownText.In(true, "Qwertyuiop")}, // it may exist, and be away
		{helper, "/where Qwertyuiop", "#857"},
		{master, "/tp Qwertyuiop", unknownText.In(true, "Qwertyuiop")}, // it may have meant a place
		{player, "/clan", "#990"},
	} {
		c.who.wantLine(c.want, "%s", c.command)
	}
}

// Commands in quick succession are done one after the other, as many as may wait.
func TestCommandsWaitTheirTurn(t *testing.T) {
	g, player, _, master, _ := newCrew(t)
	p := player.name()
	master.Command("/ban " + p + " 1h")
	master.Command("/nonsense")
	master.Command("/unban " + p)
	g.run()
	if len(master.said) != 3 || !strings.HasPrefix(master.said[0], "Вход для "+p+" закрыт") ||
		master.said[1] != "#859" || master.said[2] != p+" снова может входить." {
		t.Errorf("told %q", master.said)
	}
	if a, err := g.store.AccountByID(t.Context(), player.account.ID); err != nil || a.Ban != nil {
		t.Errorf("the ban stays: %+v, %v", a.Ban, err)
	}
	g.forget()
	for range mostWaiting + 2 {
		master.Command("/who")
	}
	g.run()
	if len(master.said) != mostWaiting+2 || master.said[0] != busyText.Russian {
		t.Errorf("told %q", master.said)
	}
}

// No text that players are shown has a character that they do not have.
func TestTextsAreOfTheAlphabetOfClients(t *testing.T) {
	for _, folder := range []string{".", "../game", "../ops", "../session"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					s, err := strconv.Unquote(l.Value)
					fit, _, _ := packets.Fit1251(s)
					russian := strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
					if err != nil || fit != s && (russian || folder != "../ops") { // there the audit trail has others
						t.Errorf("%s: %s has characters that Windows-1251 lacks", file, l.Value)
					}
				}
				return true
			})
		}
	}
}

// Long answers come in several lines, cut between words.
func TestLongAnswersAreWrapped(t *testing.T) {
	p := newRoom(t, 1).all[0]
	names := make([]string, shownPlayers)
	for i := range names {
		names[i] = "Hero" + strings.Repeat(string(rune('a'+i%26)), 1+i%5)
	}
	words := whoMoreText.In(true, 2000, strings.Join(names, ", "), 1960)
	p.Answer(words+"\n\nещё", nil)
	for _, line := range p.said {
		if n := len([]rune(line)); n > answerWidth || n == 0 || strings.HasPrefix(line, " ") {
			t.Errorf("a line of %d characters: %q", n, line)
		}
	}
	if joined := strings.Join(p.said, " "); joined != words+" ещё" {
		t.Errorf("wrapping makes of the text %q", joined)
	}
	p.said = nil
	if p.Answer(strings.Repeat("ы", 450), nil); len(p.said) != 3 {
		t.Errorf("%d parts", len(p.said))
	}
}

// No line of any player makes the server stumble.
func FuzzCommand(f *testing.F) {
	for _, o := range commands {
		f.Add("/" + o.names.English + " 1 2 3")
		f.Add("!" + o.names.Russian + " Hero 5m")
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(strings.TrimLeft(line, "/!"))
		if len(words) == 0 {
			return
		}
		for role := data.Player; role <= data.Administrator; role++ {
			if _, err := findCommand(words[0], role); err != nil && err.Error() == "" {
				t.Error("a mistake without words")
			}
		}
		_, _ = parseSpan(words[0])
		_, _ = content.ParsePlace(line)
	})
}

var updateCommands = flag.Bool("update-docs", false, "write docs/commands.md and docs/commands.ru.md anew")

// TestDocumentationOfCommands keeps the pages with the table.
func TestDocumentationOfCommands(t *testing.T) {
	for russian, name := range map[bool]string{true: "commands.ru.md", false: "commands.md"} {
		path := filepath.Join("..", "..", "docs", name)
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		const begin, end = "<!-- commands: begin -->\n", "<!-- commands: end -->"
		before, rest, ok := strings.Cut(string(page), begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("%s: expected %q and %q around the table", path, begin, end)
		}
		want := before + begin + commandTable(russian) + end + after
		if want == string(page) {
			continue
		}
		if !*updateCommands {
			t.Errorf("%s is not what the commands are; go test ./server/chat -run Documentation -update-docs writes it", path)
			continue
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// commandTable is the table of the documentation.
func commandTable(russian bool) string {
	var b strings.Builder
	head := text("| команда | другое имя | с роли | что делает |",
		"| command | other name | from role | what it does |")
	b.WriteString(head.In(russian) + "\n|---|---|---|---|\n")
	for i := range commands {
		o := &commands[i]
		other := o.names.English
		if !russian {
			other = o.names.Russian
		}
		if o.client != "" {
			other += "`, `/" + o.client
		}
		usage := strings.ReplaceAll(o.usage(russian), "|", `\|`)
		fmt.Fprintf(&b, "| `%s` | `/%s` | %s | %s |\n", usage, other, ops.RoleNames[o.least()].In(russian),
			o.help.In(russian))
	}
	return b.String()
}

// A panic of a command ends its session. It leaves no player that is busy for ever, and begins nothing that has waited.
func TestAPanicLeavesNobodyBusy(t *testing.T) {
	r := newRoom(t, 1)
	p := r.all[0]
	p.Aside(func(context.Context) func() { panic("a defect") })
	p.Aside(func(context.Context) func() { return func() { p.Say("it has waited") } })
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		r.run()
	}()
	r.run()
	if p.Busy || len(p.said) > 0 {
		t.Errorf("busy: %t, told %q", p.Busy, p.said)
	}
	p.wantLine("Команды", "/help")
}
