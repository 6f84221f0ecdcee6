package chat

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/ops"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// trail is the audit trail, newest first, as "who action target detail".
func (g *room) trail() (out []string) {
	g.t.Helper()
	entries, err := g.store.AuditTrail(g.t.Context(), data.AuditFilter{}, 1000)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, fmt.Sprintf("%s %s %s|%s", e.Who, e.Action, e.Target, e.Detail))
	}
	return out
}

// Each command is found under both names, whatever the case.
func TestCommandsAreFoundByBothNames(t *testing.T) {
	for i := range commands {
		o := &commands[i]
		for _, name := range []string{o.names.Russian, o.names.English, strings.ToUpper(o.names.Russian)} {
			if found, err := findCommand(name, data.Player); err != nil || found != o {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestCommandTableIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range commands {
		for _, name := range []string{o.names.Russian, o.names.English} {
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
		return "«" + name + "» не найдено\n" + kind + " \"" + name + "\" not found"
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
			"Не длиннее 500 знаков, а не 501.\nat most 500 characters, found 501"},
		{helper, "/mute " + p + " soon", both(timeText, "soon")},
		{helper, "/mute " + p + " 0m", both(timeText, "0m")},
		{helper, "/mute " + p + " 99999999d", both(timeText, "99999999d")},
		{helper, "/mute " + m + " 1h", above(m, data.GameMaster)},
		{helper, "/unmute " + p, p + " и так может говорить.\nis not mute"},
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
		{master, "/spawn qwertyuiopasdf", lost("NPC", "qwertyuiopasdf")},
		{master, "/spawn bankir", "«bankir» не найдено. Может быть, «banker»?\nNPC \"bankir\" not " +
			"found; did you mean \"banker\"?"},
		{master, "/spawn remove", "В 30 м нет никого, кто был поставлен " +
			"командой.\nWithin 30 m there is nobody who was put by a command."},
		{administrator, "/money " + p + " many", both(amountText, "many")},
		{administrator, "/money " + p + " 99999999999", both(amountText, "99999999999")},
		{administrator, "/money " + p + " -1", "Денег может быть от 0 до 2147483647; сейчас " +
			"0.\nMoney is from 0 to 2147483647; now it is 0."},
		{administrator, "/money " + p + " 2147483648", both(amountText, "2147483648")},
		{administrator, "/level " + p + " 0", both(levelRangeText, 240, "0")},
		{administrator, "/level " + p + " 241", both(levelRangeText, 240, "241")},
		{administrator, "/level " + p + " 5 x", both(levelRangeText, 240, "x")},
	} {
		russian, english, _ := strings.Cut(c.want, "\n")
		for inRussian, want := range map[bool]string{true: russian, false: english} {
			c.who.Russian = inRussian
			c.who.wantLine(want, "%s", c.command)
		}
	}
}

func TestPlayersCommands(t *testing.T) {
	g, player, helper, _, administrator := newCrew(t)
	p := player
	p.wantLine("Команды: /помощь, /кто, /где, /лично, /клан, /застрял, /язык, "+
		"/время.", "/помощь")
	p.wantLine("/лично ИГРОК ТЕКСТ: Сказать что-то одному игроку.",
		"/помощь лично")
	administrator.wantLine("/уровень", "/помощь")
	p.wantLine("В мире: 4. ", "/кто")
	p.wantLine("В мире: 1. "+p.name(), "/кто %s", p.name())
	p.wantLine("Вы здесь: Шипстоун (2614 158 1293).", "/где")
	p.wantLine("В мире ", "/время")
	p.wantLine("The server speaks English to you now.", "/язык английский")
	p.wantLine("You are here: Shipstone (2614 158 1293).", "!where")
	p.wantLine("In the world it is ", "!time")
	a, err := g.store.AccountByID(t.Context(), p.Account())
	if err != nil || a.Language != "en" {
		t.Errorf("the language is stored as %q (%v)", a.Language, err)
	}
	p.wantLine("сервер говорит с вами по-русски", "/lang ru")

	p.at(coords.Position{X: 2614 + 100, Y: 157.8, Z: 1293})
	helper.wantLine(p.name()+": Шипстоун, 100 м к востоку (2714 158 1293).", "/где %s", p.name())

	// A private line comes to its hearer; the same as told by the chat.
	p.commands("/tell %s привет", helper.name())
	if _, said := helper.hears(); !strings.Contains(strings.Join(said, ""), "привет") {
		t.Errorf("the hearer of a private line was told %q", said)
	}
	if trail := g.trail(); slices.ContainsFunc(trail, func(s string) bool { return strings.HasPrefix(s, p.Login()) }) {
		t.Errorf("what players do is in the audit trail: %q", trail)
	}
}

func TestClanCommandNamesThoseWhoAreAway(t *testing.T) {
	g, player, helper, _, _ := newCrew(t)
	clan, err := g.store.CreateClan(t.Context(), player.character.ID, "Ours")
	if err == nil {
		_, err = g.store.JoinClan(t.Context(), player.character.ID, helper.character.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	helper.leave()
	player.wantLine(fmt.Sprintf("Клан «%s»: %s (сеньор), %s (неофит).", clan.Clan.Name, player.name(),
		helper.name()), "/клан")
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
		!strings.HasPrefix(master.said[1], "Нет команды") || master.said[2] != p+" снова может входить." {
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

// A role that is taken away takes the commands with it, also those that wait.
func TestCommandsAreOfTheRoleOfTheMoment(t *testing.T) {
	g, player, _, master, administrator := newCrew(t)
	p := player.name()
	master.wantLine(p+" получает", "/give %s 1", p)
	administrator.Command("/help")
	if _, err := ops.SetRole.Do(t.Context(), g.chat.Operators, ops.Owner(""), ops.RoleChange{
		AccountName: ops.AccountName{ID: master.account.ID}, Role: new(data.Player)}); err != nil {
		t.Fatal(err)
	}
	g.run()
	if told := "Ваша роль теперь: игрок."; !slices.Contains(master.said, told) {
		t.Errorf("told %q, expected %q", master.said, told)
	}
	master.wantLine(ops.RoleRefusal(data.GameMaster, data.Player).In(true), "/give %s 1", p)
}

// Who has come in since the world was last looked at can be spoken to, found and fetched.
func TestNewcomersCanBeAddressed(t *testing.T) {
	g, _, helper, master, _ := newCrew(t)
	for at := g.World().At; g.World().At.Equal(at); {
		g.pass(world.TickPeriod)
	}
	late := g.enter("Latecomer")
	g.pass(2 * world.TickPeriod)
	for _, v := range g.World().Players {
		if v.Name == late.name() {
			t.Fatal("the snapshot has the newcomer already")
		}
	}
	g.forget()
	helper.Command("/tell Latecomer hello")
	helper.Command("/where Latecomer")
	master.Command("/summon Latecomer")
	master.Command("/tp Latecomer")
	g.pass(2 * world.TickPeriod)
	for _, p := range []*talker{helper, master} {
		for _, line := range p.said {
			if strings.Contains(line, "нет в мире") || strings.Contains(line, "не в мире") {
				t.Errorf("%s was told %q", p.Login(), line)
			}
		}
	}
	if len(late.said) != 2 || !strings.Contains(strings.Join(late.said, ""), "hello") {
		t.Errorf("the newcomer was told %q", late.said)
	}
}

// Who is given something, or moved, is told so in his own language.
func TestDeedsAreToldToWhomTheyConcern(t *testing.T) {
	g, player, _, master, administrator := newCrew(t)
	player.Russian = false
	p := player.name()
	for command, want := range map[string]string{"/give " + p + " 1": "You were given: ",
		"/money " + p + " 5": "Your money was changed: you have 5 coins now.",
		"/summon " + p:       "A game master is taking you away.", "/level " + p + " 3": "Your levels were changed: ",
		"/clear " + p: "Your things were destroyed."} {
		administrator.commands("%s", command)
		if len(player.said) != 1 || !strings.HasPrefix(player.said[0], want) {
			t.Errorf("%s: the player was told %q, expected %q", command, player.said, want)
		}
	}
	g.forget()
	master.commands("/give %s 1", master.name())
	if len(master.said) != 1 {
		t.Errorf("who gives himself something was told %q", master.said)
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

// A brokenStore writes no audit trail.
type brokenStore struct{ *data.Store }

func (brokenStore) AppendAudit(context.Context, data.AuditEntry) error { return data.ErrUnavailable }

// What somebody with a role does is in the trail before it is answered, and is not done if it cannot be put there.
func TestOperatorsLeaveATrail(t *testing.T) {
	g, player, helper, _, _ := newCrew(t)
	p, h := player.name(), helper.Login()
	helper.commands("/where %s", p)
	helper.commands("/mute %s 30m шум в городе", p)
	helper.commands("/tell %s тайна", p)
	helper.commands("/ban %s 1h", p) // not allowed: it is written down that it was tried
	player.commands("/ban %s 1h", p) // players cannot fill the trail
	have := g.trail()
	if len(have) > 2 {
		have[2], _, _ = strings.Cut(have[2], "until") // now and half an hour
	}
	want := []string{h + " refused " + h + "|account ban", h + " /tell " + p + "|" + p,
		h + " account mute " + player.Login() + "|", h + " /where " + p + "|" + p}
	if !slices.Equal(have, want) {
		t.Errorf("the trail is\n%q, want\n%q", have, want)
	}

	g.chat.Store = brokenStore{g.store}
	g.chat.Operators.Store = brokenStore{g.store}
	helper.wantLine(storeText.Russian, "/kick %s", p)
	if !player.inWorld {
		t.Error("kicked without a trail")
	}
	if a, err := g.store.AccountByID(t.Context(), player.account.ID); err != nil || a.Mute == nil {
		t.Errorf("done without a trail (%v)", err)
	}
}

func TestTeleportAndSummon(t *testing.T) {
	_, player, helper, master, _ := newCrew(t)
	m := master
	sunpool, _ := content.PlaceByKey("sunpool")
	for _, c := range []struct {
		command string
		want    coords.Position
	}{
		{"/тп Санпул", sunpool.Position},
		{"/tp 100 157 -200", coords.Position{X: 100, Y: 157, Z: -200}},
		{"/tp SUNPOOL", sunpool.Position},
		{"/tp 100, 157, -200, 1.5", coords.Position{X: 100, Y: 157, Z: -200, Yaw: 1.5}},
		{"/tp " + player.name(), player.place()},
	} {
		m.wantLine("Перенос: ", "%s", c.command)
		if at := m.place(); at.Distance(c.want) > 0.01 {
			t.Errorf("%s: at %v, want %v", c.command, at, c.want)
		}
	}
	m.commands("/tp 100 157 -200") // at once the snapshot of the world does not know of it yet
	m.wantLine(player.name()+" переносится к вам.", "/призвать %s", player.name())
	if at := player.place(); at.Distance(m.place()) > 0.01 {
		t.Errorf("summoned to %v", at)
	}
	helper.leave()
	m.wantLine(awayText.In(true, helper.name()), "/tp %s", helper.name())
}

func TestAnnounceReachesAll(t *testing.T) {
	g, _, _, master, _ := newCrew(t)
	master.Command("/всем Скоро перезапуск")
	g.pass(time.Second)
	for _, p := range g.all {
		if words := readSystem(t, p.frames); !slices.Equal(words, []string{"Скоро перезапуск"}) {
			t.Errorf("%s heard %q", p.name(), words)
		}
	}
}

func TestGivePutsAnItemIntoAFreePlace(t *testing.T) {
	g, player, _, master, _ := newCrew(t)
	p, id := player.name(), player.Character().ID
	kind, sword := g.Kinds().OfClass(650)[0], g.Kinds().OfClass(int(packets.ClassStartSword))[0]
	master.wantLine(p+" получает: ", "/дать %s %s 3", p, kind.Name("ru"))
	items, err := g.store.Items(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(items, func(i rules.Item) bool { return i.Slot == 26 }) // the first free one
	if i < 0 || items[i].Class != kind.Class || items[i].Count != 3 || items[i].Weight != kind.Weight {
		t.Errorf("items are %+v", items)
	}
	master.wantLine(fmt.Sprintf("Нужно количество от 1 до %d.", max(1, kind.Stack)),
		"/дать %s %s %d", p, kind.Name("ru"), kind.Stack+1)
	for range 35 - 26 {
		master.commands("/дать %s %s", p, sword.Name("ru"))
	}
	master.wantLine("Нет свободного места.", "/дать %s %s", p, sword.Name("ru"))
}

func TestSpawnPutsAndRemoves(t *testing.T) {
	g, _, _, master, _ := newCrew(t)
	count := func() (n int) {
		g.pass(time.Second)
		for o := range g.world.Snapshot().Objects() {
			if k, ok := o.Kind.(world.NPC); ok && strings.HasPrefix(k.Key, "put: ") {
				n++
			}
		}
		return n
	}
	master.wantLine("Здесь теперь стоит банкир.", "/поставить банкир")
	master.wantLine("Здесь теперь стоит ", "/spawn %s", content.NPCs()[0].Key)
	if n := count(); n != 2 {
		t.Errorf("%d are there", n)
	}
	for want := 1; want >= 0; want-- {
		master.wantLine(doneText.Russian, "/поставить убрать")
		if n := count(); n != want {
			t.Errorf("%d are there, want %d", n, want)
		}
	}
}

func TestMoneyAndLevels(t *testing.T) {
	g, player, _, _, administrator := newCrew(t)
	p, id := player.name(), player.Character().ID
	stored := func() data.Character {
		c, err := g.store.CharacterByID(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, c := range []struct {
		command string
		want    int64
	}{{"500", 500}, {"+250", 750}, {"-50", 700}, {"0", 0}, {"2147483647", 2147483647}} {
		administrator.wantLine(fmt.Sprintf("%s: денег теперь %d.", p, c.want), "/деньги %s %s", p,
			c.command)
		if have := stored().Money; have != c.want {
			t.Errorf("%s: stored %d", c.command, have)
		}
	}
	administrator.wantLine("Денег может быть от 0 до 2147483647; сейчас 2147483647.",
		"/деньги %s +1", p)

	administrator.wantLine(p+": титул 61, степень 5.", "/уровень %s 61 5", p)
	title, degree := rules.TotalPoints(60, 4)
	if c := stored(); c.TitleLevel != 60 || c.DegreeLevel != 4 || c.TitlePoints != title || c.DegreePoints != degree {
		t.Errorf("stored %+v", c)
	}
	administrator.wantLine(p+": титул 1, степень 5.", "/уровень %s 1", p)

	// The same for who is away.
	player.leave()
	administrator.wantLine(p+": титул 7, степень 8.", "/level %s 7 8", p)
	administrator.wantLine(p+": денег теперь 9.", "/money %s 9", p)
	if c := stored(); c.TitleLevel != 6 || c.DegreeLevel != 7 || c.Money != 9 {
		t.Errorf("stored %+v", c)
	}
}

func TestUnstuckTakesToTheNearestCity(t *testing.T) {
	g, p, _, _, _ := newCrew(t)
	umrad, _ := content.PlaceByKey("umrad")
	forest := coords.Position{X: umrad.Position.X + 500, Y: umrad.Position.Y, Z: umrad.Position.Z}
	stand := func(at coords.Position) {
		t.Helper()
		p.at(at)
		p.moves(at)
		g.forget()
	}
	place := func() coords.Position {
		g.pass(time.Second)
		return p.place()
	}
	stand(forest)
	p.wantLine(unstuckText.In(true, 10), "/застрял")
	g.pass(8 * time.Second)
	if at := place(); at.Distance(forest) > 1 {
		t.Errorf("taken away too soon, to %v", at)
	}
	g.pass(2 * time.Second)
	if at := place(); at.Distance(umrad.Position) > 1 {
		t.Errorf("is at %v, want %v", at, umrad.Position)
	}
	if words := p.commands("/застрял"); !strings.Contains(strings.Join(words, ""),
		"Снова можно будет через ") {
		t.Errorf("again at once: told %q", words)
	}

	// Who moves stays; two metres are no movement.
	g.pass(unstuckPause)
	stand(forest)
	p.commands("/unstuck")
	moved := forest
	moved.X += 1.9
	p.moves(moved)
	g.pass(2 * time.Second)
	if len(p.said) > 1 { // that it has begun
		t.Errorf("after 1.9 m: told %q", p.said)
	}
	moved.X += 0.2
	p.moves(moved)
	g.pass(2 * time.Second)
	if !slices.Contains(p.said, unstuckMovedText.Russian) {
		t.Errorf("after 2.1 m: told %q", p.said)
	}
	g.pass(10 * time.Second)
	if at := place(); at.Distance(moved) > 1 {
		t.Errorf("was taken away to %v", at)
	}

	// In a dungeon there is no nearest city: the way leads to where new characters begin.
	g.pass(unstuckPause)
	stand(coords.Position{X: 1299, Y: 1499, Z: 35})
	p.commands("/unstuck")
	g.pass(12 * time.Second)
	if at := place(); at.Distance(g.Start()) > 1 {
		t.Errorf("is at %v, want %v", at, g.Start())
	}

	// Who leaves is left alone.
	g.pass(unstuckPause)
	stand(forest)
	p.commands("/unstuck")
	p.leave()
	p.said = nil
	if g.pass(12 * time.Second); len(p.said) > 0 {
		t.Errorf("who has left is told %q", p.said)
	}
}

func TestWhereabouts(t *testing.T) {
	shipstone := content.Cities()[0].Position
	for _, c := range []struct {
		dx, dz           float32
		russian, english string
	}{
		{0, 0, "Шипстоун", "Shipstone"},
		{5, 5, "Шипстоун", "Shipstone"},
		{0, 35, "Шипстоун, 35 м к северу", "Shipstone, 35 m to the north"},
		{0, -35, "Шипстоун, 35 м к югу", "Shipstone, 35 m to the south"},
		{40, 0, "Шипстоун, 40 м к востоку", "Shipstone, 40 m to the east"},
		{-40, 0, "Шипстоун, 40 м к западу", "Shipstone, 40 m to the west"},
		{30, 30, "Шипстоун, 42 м к северо-востоку", "Shipstone, 42 m to the north-east"},
		{-30, -30, "Шипстоун, 42 м к юго-западу", "Shipstone, 42 m to the south-west"},
	} {
		at := shipstone
		at.X, at.Z = at.X+c.dx, at.Z+c.dz
		if have := whereabouts(at, true); have != c.russian {
			t.Errorf("%v %v: %q, want %q", c.dx, c.dz, have, c.russian)
		}
		if have := whereabouts(at, false); have != c.english {
			t.Errorf("%v %v: %q, want %q", c.dx, c.dz, have, c.english)
		}
	}
	if have := whereabouts(coords.Position{Y: 6000}, false); have != "nowhere known" {
		t.Errorf("in the sky: %q", have)
	}
}

func TestParseSpan(t *testing.T) {
	for word, want := range map[string]time.Duration{"30m": 30 * time.Minute, "30М": 30 * time.Minute,
		"12ч": 12 * time.Hour, "12H": 12 * time.Hour,
		"7d": 7 * 24 * time.Hour, "7д": 7 * 24 * time.Hour, "5мин": 5 * time.Minute, "навсегда": 0, "FOREVER": 0,
		"36500d": 36500 * 24 * time.Hour} {
		if have, ok := parseSpan(word); !ok || have != want {
			t.Errorf("%s: %v %v, want %v", word, have, ok, want)
		}
	}
	for _, word := range []string{"", "m", "30", "-5m", "0m", "1.5h", "36501d", "99999999999999999999d", "5 m",
		"навсегд"} {
		if have, ok := parseSpan(word); ok {
			t.Errorf("%q was taken for %v", word, have)
		}
	}
}

// No line makes the server stumble, whoever writes it.
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
		usage := strings.ReplaceAll(o.usage(russian), "|", `\|`)
		fmt.Fprintf(&b, "| `%s` | `/%s` | %s | %s |\n", usage, other, ops.RoleNames[o.least()].In(russian),
			o.help.In(russian))
	}
	return b.String()
}
