package game

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A crew is a player, a helper, a game master and an administrator, beside each other in Shipstone.
type crew struct {
	*clanScene
	player, helper, master, administrator *line
}

func newCrew(t *testing.T) *crew {
	g := newClanScene(t, 4)
	for i, c := range g.all {
		c.s().Record().Role = data.Role(i)
		if err := g.store.SetRole(t.Context(), c.s().Account(), data.Role(i)); err != nil {
			t.Fatal(err)
		}
	}
	return &crew{g, g.all[0], g.all[1], g.all[2], g.all[3]}
}

// commands gives a command, and returns the lines that come back.
func (g *crew) commands(c *line, format string, args ...any) []string {
	g.t.Helper()
	g.settle()
	c.p().command(fmt.Sprintf(format, args...))
	c.g.run()
	return g.settle()[slices.Index(g.all, c)]
}

func (g *crew) wantLine(c *line, want, format string, args ...any) {
	g.t.Helper()
	command := fmt.Sprintf(format, args...)
	if have := strings.Join(g.commands(c, "%s", command), "\n"); !strings.Contains(have, want) {
		g.t.Errorf("%s: %s was answered %q, want %q", c.s().Login(), command, have, want)
	}
}

// trail is the audit trail, newest first, as "who action target detail".
func (g *crew) trail() (out []string) {
	g.t.Helper()
	entries, err := g.store.AuditTrail(g.t.Context(), "", 1000)
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
	for i := range orders {
		o := &orders[i]
		for _, name := range []string{o.russian, o.english, strings.ToUpper(o.russian)} {
			if found, err := findOrder(name, data.Player); err != nil || found != o {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestCommandTableIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range orders {
		for _, name := range []string{o.russian, o.english} {
			if key := orderKey(name); key == "" || seen[key] || strings.ContainsAny(name, " /!") {
				t.Errorf("command %q is empty or twice", name)
			}
			seen[orderKey(name)] = true
		}
		if o.help.russian == "" || o.help.english == "" || (o.args.russian == "") != (o.args.english == "") || o.do == nil {
			t.Errorf("command %s is not in both languages", o.english)
		}
		if len(strings.Fields(strings.ReplaceAll(o.args.english, "X Y Z", "X"))) < o.words {
			t.Errorf("command %s takes %d words, and shows %q", o.english, o.words, o.args.english)
		}
		for _, l := range []Language{Russian, English} {
			if _, err := packets.AppendServer(nil, packets.Message(0, 1, packets.ClassPlayer,
				view.SystemMessage(o.usage(l)+": "+o.help.in(l))), packets.Dialect2026); err != nil {
				t.Errorf("help of %s: %v", o.english, err)
			}
		}
	}
}

func TestMistakesInCommandsAreAnsweredInBothLanguages(t *testing.T) {
	g := newCrew(t)
	p, m := g.player.name(), g.master.name()
	above := func(name string, role data.Role) string {
		return name + " — " + ops.RoleNames[role].Russian + "\n" + name + " is a " + ops.RoleNames[role].English
	}
	both := func(t text, args ...any) string { return spell(t, Russian, args) + "\n" + spell(t, English, args) }
	lacks := func(v ops.Any, role data.Role) string {
		r := ops.RoleRefusal(v.Least(), role)
		return r.In(true) + "\n" + r.In(false)
	}
	lost := func(kind, name string) string {
		return "«" + name + "» не найдено\n" + kind + " \"" + name + "\" not found"
	}
	usage := func(name string) string {
		o, _ := findOrder(name, data.Administrator)
		return usageText.in(Russian, o.usage(Russian)) + "\n" + usageText.in(English, o.usage(English))
	}
	for _, c := range []struct {
		who     *line
		command string
		want    string // Russian and English, a line each
	}{
		{g.player, "/нетакого", both(unknownOrderText, "нетакого")},
		{g.player, "/hlep", both(nearOrderText, "hlep", "help")},
		{g.player, "!пмощь", both(nearOrderText, "пмощь", "помощь")},
		{g.player, "/kick " + p, lacks(ops.KickAccount, data.Player)},
		{g.player, "/help kick", lacks(ops.KickAccount, data.Player)},
		{g.helper, "/ban " + p + " 1h", lacks(ops.BanAccount, data.Helper)},
		{g.master, "/level " + p + " 5", lacks(ops.SetLevels, data.GameMaster)},
		{g.player, "/lang", usage("lang")},
		{g.player, "/lang de", both(langText, "de")},
		{g.player, "/tell " + p, usage("tell")},
		{g.player, "/tell Qwertyuiop hello", both(unknownText, "Qwertyuiop")},
		{g.player, "/who Qwertyuiop", both(unknownText, "Qwertyuiop")},
		{g.player, "/where " + m, both(whereOtherText)},
		{g.player, "/clan", both(clanRefusals[2].text)},
		{g.helper, "/where Qwertyuiop", both(unknownText, "Qwertyuiop")},
		{g.helper, "/where " + p + "x", both(nearText, p+"x", p)},
		{g.helper, "/kick", usage("kick")},
		{g.helper, "/kick " + m, above(m, data.GameMaster)},
		{g.helper, "/kick " + g.helper.name(), "С собой этого сделать нельзя.\nYou cannot do this " +
			"to yourself."},
		{g.helper, "/kick " + p + " " + strings.Repeat("x", 501),
			"Не длиннее 500 знаков, а не 501.\nat most 500 characters, found 501"},
		{g.helper, "/mute " + p + " soon", both(timeText, "soon")},
		{g.helper, "/mute " + p + " 0m", both(timeText, "0m")},
		{g.helper, "/mute " + p + " 99999999d", both(timeText, "99999999d")},
		{g.helper, "/mute " + m + " 1h", above(m, data.GameMaster)},
		{g.helper, "/unmute " + p, p + " и так может говорить.\nis not mute"},
		{g.master, "/unban " + p, "Вход для " + p + " и так открыт.\nis not banned"},
		{g.master, "/ban " + g.administrator.name() + " 1h", above(g.administrator.name(), data.Administrator)},
		{g.master, "/summon " + g.administrator.name(), above(g.administrator.name(), data.Administrator)},
		{g.master, "/give " + g.administrator.name() + " хлеб", above(g.administrator.name(), data.Administrator)},
		{g.master, "/summon " + m, "С собой этого сделать нельзя.\nYou cannot do this to yourself."},
		{g.master, "/tp Qwertyuiop", both(unknownText, "Qwertyuiop")},
		{g.master, "/tp Шыпстоун", both(nearText, "Шыпстоун", "Шипстоун")},
		{g.master, "/tp 1 99999 2", both(outsideText)},
		{g.master, "/tp nan 1 2", both(outsideText)},
		{g.master, "/give " + p + " qwertyuiopasdf",
			"«qwertyuiopasdf» не найдено.\n\"qwertyuiopasdf\" was not found."},
		{g.master, fmt.Sprintf("/give %s %d 0", p, g.server.Kinds().Kinds()[0].ID),
			"Нужно количество от 1 до \nExpected a count from 1 to "},
		{g.master, "/give Qwertyuiop хлеб", lost("character", "Qwertyuiop")},
		{g.master, "/spawn qwertyuiopasdf", lost("NPC", "qwertyuiopasdf")},
		{g.master, "/spawn bankir", "«bankir» не найдено. Может быть, «banker»?\nNPC \"bankir\" not " +
			"found; did you mean \"banker\"?"},
		{g.master, "/spawn remove", "В 30 м нет никого, кто был поставлен " +
			"командой.\nWithin 30 m there is nobody who was put by a command."},
		{g.administrator, "/money " + p + " many", both(amountText, "many")},
		{g.administrator, "/money " + p + " 99999999999", both(amountText, "99999999999")},
		{g.administrator, "/money " + p + " -1", "Денег может быть от 0 до 2147483647; сейчас " +
			"0.\nMoney is from 0 to 2147483647; now it is 0."},
		{g.administrator, "/money " + p + " 2147483648", both(amountText, "2147483648")},
		{g.administrator, "/level " + p + " 0", both(levelRangeText, 240, "0")},
		{g.administrator, "/level " + p + " 241", both(levelRangeText, 240, "241")},
		{g.administrator, "/level " + p + " 5 x", both(levelRangeText, 240, "x")},
	} {
		russian, english, _ := strings.Cut(c.want, "\n")
		for l, want := range map[Language]string{Russian: russian, English: english} {
			c.who.p().language = l
			g.wantLine(c.who, want, "%s", c.command)
		}
	}
}

func TestPlayersCommands(t *testing.T) {
	g := newCrew(t)
	p := g.player
	g.wantLine(p, "Команды: /помощь, /кто, /где, /лично, /клан, /застрял, /язык, "+
		"/время.", "/помощь")
	g.wantLine(p, "/лично ИГРОК ТЕКСТ: Сказать что-то одному игроку.",
		"/помощь лично")
	g.wantLine(g.administrator, "/уровень", "/помощь")
	g.wantLine(p, "В мире: 4. ", "/кто")
	g.wantLine(p, "В мире: 1. "+p.name(), "/кто %s", p.name())
	g.wantLine(p, "Вы здесь: Шипстоун (2614 158 1293).", "/где")
	g.wantLine(p, "В мире ", "/время")
	g.wantLine(p, "The server speaks English to you now.", "/язык английский")
	g.wantLine(p, "You are here: Shipstone (2614 158 1293).", "!where")
	g.wantLine(p, "In the world it is ", "!time")
	a, err := g.store.AccountByID(t.Context(), p.s().Account())
	if err != nil || a.Language != "en" {
		t.Errorf("the language is stored as %q (%v)", a.Language, err)
	}
	g.wantLine(p, "сервер говорит с вами по-русски", "/lang ru")

	p.at(coords.Position{X: 2614 + 100, Y: 157.8, Z: 1293})
	p.ping(coords.Position{X: 2614 + 100, Y: 157.8, Z: 1293})
	g.pass(time.Second)
	g.wantLine(g.helper, p.name()+": Шипстоун, 100 м к востоку (2714 158 1293).", "/где %s", p.name())

	// A private line comes to its hearer; the same as told by the chat.
	g.settle()
	p.p().command("/tell " + g.helper.name() + " привет")
	have := g.settle()
	if !slices.ContainsFunc(have[1], func(s string) bool { return strings.Contains(s, "привет") }) {
		t.Errorf("the hearer of a private line was told %q", have[1])
	}
	if trail := g.trail(); slices.ContainsFunc(trail, func(s string) bool { return strings.HasPrefix(s, p.s().Login()) }) {
		t.Errorf("what players do is in the audit trail: %q", trail)
	}
}

func TestClanCommandNamesThoseWhoAreAway(t *testing.T) {
	g := newCrew(t)
	g.player.manages(&packets.CreateClan{Clan: "Ours"})
	g.settle()
	g.join(g.helper, g.player)
	g.helper.hangUp()
	g.wantLine(g.player, fmt.Sprintf("Клан «Ours»: %s (сеньор), %s (неофит).", g.player.name(),
		g.helper.s().Character().Name), "/клан")
}

func TestOneCommandAtATime(t *testing.T) {
	g := newCrew(t)
	s := g.player.p()
	s.command("/who")
	s.command("/who")
	have := g.settle()[0]
	if len(have) != 2 || !slices.Contains(have, askingText.russian) {
		t.Errorf("told %q", have)
	}
}

func TestLongAnswersAreWrapped(t *testing.T) {
	views := make([]string, 0, shownPlayers)
	for i := range shownPlayers {
		views = append(views, heroName(1000+i))
	}
	text := whoMoreText.in(Russian, 2000, strings.Join(views, ", "), 1960)
	for _, part := range wrap(text, answerWidth) {
		if n := len([]rune(part)); n > answerWidth || n == 0 || strings.HasPrefix(part, " ") {
			t.Errorf("part of %d characters: %q", n, part)
		}
	}
	if joined := strings.Join(wrap(text, answerWidth), " "); joined != text {
		t.Error("wrapping loses text")
	}
	if parts := wrap(strings.Repeat("ы", 450), answerWidth); len(parts) != 3 {
		t.Errorf("%d parts", len(parts))
	}
}

// What somebody with a role does is in the trail before it is answered, and is not done if it cannot be put there.
func TestOperatorsLeaveATrail(t *testing.T) {
	g := newCrew(t)
	p, h := g.player.name(), g.helper.s().Login()
	g.commands(g.helper, "/where %s", p)
	g.commands(g.helper, "/mute %s 30m шум в городе", p)
	g.commands(g.helper, "/tell %s тайна", p)
	g.commands(g.helper, "/ban %s 1h", p) // not allowed: it is written down that it was tried
	g.commands(g.player, "/ban %s 1h", p) // players cannot fill the trail
	have := g.trail()
	if len(have) > 2 {
		have[2], _, _ = strings.Cut(have[2], "until") // now and half an hour
	}
	want := []string{h + " refused " + h + "|account ban", h + " /tell " + p + "|" + p,
		h + " account mute " + g.player.s().Login() + "|", h + " /where " + p + "|" + p}
	if !slices.Equal(have, want) {
		t.Errorf("the trail is\n%q, want\n%q", have, want)
	}

	g.server.store = brokenStore{g.server.store}
	g.server.ops.Store = g.server.store
	g.wantLine(g.helper, storeText.russian, "/kick %s", p)
	if g.player.closed {
		t.Error("kicked without a trail")
	}
	if a, err := g.store.AccountByID(t.Context(), g.player.s().Account()); err != nil || a.Mute == nil {
		t.Errorf("done without a trail (%v)", err)
	}
}

func TestMuteAndKick(t *testing.T) {
	g := newCrew(t)
	p := g.player.name()
	g.settle()
	g.helper.p().command("/заглушить " + p + " 30м шум")
	have := g.settle()
	if !strings.Contains(strings.Join(have[0], ""), "Вам запрещено говорить до") ||
		!strings.Contains(strings.Join(have[0], ""), "шум") {
		t.Errorf("who is mute was told %q", have[0])
	}
	a, err := g.store.AccountByID(t.Context(), g.player.s().Account())
	m := a.Mute
	if err != nil || m == nil || m.By != g.helper.s().Login() || m.Reason != "шум" ||
		m.Until.Sub(m.At) != 30*time.Minute {
		t.Errorf("stored %+v (%v)", m, err)
	}
	if left := time.Until(g.player.p().mutedUntil); left < 29*time.Minute || left > 30*time.Minute {
		t.Errorf("the session is mute for %v", left)
	}

	// It lasts over a new login.
	login := g.player.s().Login()
	g.player.hangUp()
	g.until("saved", func() bool { return g.server.Presence(g.player.s().Account()) == nil })
	again := g.connect().in(session.Handshaken)
	again.login(login, "secret")
	g.until("the screen", func() bool { return again.s().State() == session.CharacterScreen })
	if m := again.s().Record().Mute; m == nil || time.Until(m.Until) < 29*time.Minute {
		t.Errorf("after a new login mute as %+v", m)
	}
	again.choose(0, &packets.EnterWorld{})
	g.until("loading", func() bool { return again.s().State() == session.Entering })
	again.say(again.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the world", func() bool { return again.s().State() == session.InWorld })
	g.all[0], g.player = again, again

	g.wantLine(g.helper, p+" снова может говорить.", "/unmute %s", p)
	if !again.p().mutedUntil.IsZero() {
		t.Error("still mute")
	}
	g.wantLine(g.helper, "навсегда", "/mute %s навсегда", p)
	if left := time.Until(again.p().mutedUntil); left < 365*24*time.Hour {
		t.Errorf("for ever is %v", left)
	}

	g.settle()
	g.helper.p().command("/выгнать " + p + " хватит")
	g.until("kicked", func() bool { return again.closed })
	have = g.settle()
	if again.s().Reason() != session.KickedByOperator ||
		!slices.Contains(have[0], "Ваш сеанс прерван. хватит") ||
		!slices.Contains(have[1], "Сеанс игрока "+p+" прерван.") {
		t.Errorf("%v; told %q", again.s().Reason(), have)
	}
	g.wantLine(g.helper, "Игрока "+p+" сейчас нет в мире.", "/kick %s", p)
}

func TestBanAndUnban(t *testing.T) {
	g := newCrew(t)
	p, account, login := g.player.name(), g.player.s().Account(), g.player.s().Login()
	g.master.p().command("/бан " + p + " 7д обман")
	g.until("banned", func() bool { return g.player.closed })
	have := g.settle()
	if !strings.Contains(strings.Join(have[2], ""), "Вход для "+p+" закрыт до ") {
		t.Errorf("told %q", have[2])
	}
	a, err := g.store.AccountByID(t.Context(), account)
	const week = 7 * 24 * time.Hour // from when it was written, a moment before it was done
	if err != nil || a.Ban == nil || a.Ban.Reason != "обман" || a.Ban.By != g.master.s().Login() ||
		a.Ban.Until.Sub(a.Ban.At).Round(time.Hour) != week || a.Ban.Until.Sub(a.Ban.At) > week {
		t.Errorf("stored %+v (%v)", a.Ban, err)
	}
	again := g.connect().in(session.Handshaken)
	again.login(login, "secret")
	g.until("refused", func() bool { return again.closed })
	g.wantLine(g.master, p+" снова может входить.", "/unban %s", p)
	third := g.connect().in(session.Handshaken)
	third.login(login, "secret")
	g.until("the screen", func() bool { return third.s().State() == session.CharacterScreen })
}

func TestTeleportAndSummon(t *testing.T) {
	g := newCrew(t)
	m := g.master
	view := func(c *line) coords.Position {
		g.pass(time.Second)
		v, ok := g.server.inWorld(c.s().Character().ID)
		if !ok {
			t.Fatal("not in the world")
		}
		return v.Position
	}
	sunpool, _ := content.PlaceByKey("sunpool")
	for _, c := range []struct {
		command string
		want    coords.Position
	}{
		{"/тп Санпул", sunpool.Position},
		{"/tp 100 157 -200", coords.Position{X: 100, Y: 157, Z: -200}},
		{"/tp SUNPOOL", sunpool.Position},
		{"/tp 100, 157, -200, 1.5", coords.Position{X: 100, Y: 157, Z: -200, Yaw: 1.5}},
		{"/tp " + g.player.name(), view(g.player)},
	} {
		g.wantLine(m, "Перенос: ", "%s", c.command)
		if at := view(m); at.Distance(c.want) > 0.01 {
			t.Errorf("%s: at %v, want %v", c.command, at, c.want)
		}
	}
	g.commands(m, "/tp 100 157 -200") // at once the snapshot of the world does not know of it yet
	g.wantLine(m, g.player.name()+" переносится к вам.", "/призвать %s", g.player.name())
	if at := view(g.player); at.Distance(view(m)) > 0.01 {
		t.Errorf("summoned to %v", at)
	}
	g.helper.hangUp()
	g.until("saved", func() bool { return g.server.Presence(g.helper.s().Account()) == nil })
	g.pass(time.Second)
	g.wantLine(m, awayText.in(Russian, g.helper.s().Character().Name), "/tp %s", g.helper.s().Character().Name)
}

func TestAnnounceReachesAll(t *testing.T) {
	g := newCrew(t)
	g.settle()
	g.master.p().command("/всем Скоро перезапуск")
	for i, words := range g.settle() {
		if !slices.ContainsFunc(words, func(w string) bool {
			return strings.Contains(w,
				"Скоро перезапуск")
		}) {
			t.Errorf("player %d heard %q", i, words)
		}
	}
}

func TestGivePutsAnItemIntoAFreePlace(t *testing.T) {
	g := newCrew(t)
	p, id := g.player.name(), g.player.s().Character().ID
	kind, sword := g.server.Kinds().OfClass(650)[0], g.server.Kinds().OfClass(int(packets.ClassStartSword))[0]
	g.wantLine(g.master, p+" получает: ", "/дать %s %s 3", p, kind.Name("ru"))
	items, err := g.store.Items(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(items, func(i rules.Item) bool { return i.Slot == 28 }) // the first free one
	if i < 0 || items[i].Class != kind.Class || items[i].Count != 3 || items[i].Weight != kind.Weight {
		t.Errorf("items are %+v", items)
	}
	g.wantLine(g.master, fmt.Sprintf("Нужно количество от 1 до %d.", max(1, kind.Stack)),
		"/дать %s %s %d", p, kind.Name("ru"), kind.Stack+1)
	for range 35 - 28 {
		g.commands(g.master, "/дать %s %s", p, sword.Name("ru"))
	}
	g.wantLine(g.master, thingRefusals[rules.NoRoom].russian, "/дать %s %s", p, sword.Name("ru"))
}

func TestSpawnPutsAndRemoves(t *testing.T) {
	g := newCrew(t)
	count := func() (n int) {
		g.pass(time.Second)
		for o := range g.server.world.Snapshot().Objects() {
			if k, ok := o.Kind.(world.NPC); ok && strings.HasPrefix(k.Key, "put: ") {
				n++
			}
		}
		return n
	}
	g.wantLine(g.master, "Здесь теперь стоит банкир.", "/поставить банкир")
	g.wantLine(g.master, "Здесь теперь стоит ", "/spawn %s", content.NPCs()[0].Key)
	if n := count(); n != 2 {
		t.Errorf("%d are there", n)
	}
	for want := 1; want >= 0; want-- {
		g.wantLine(g.master, doneText.russian, "/поставить убрать")
		if n := count(); n != want {
			t.Errorf("%d are there, want %d", n, want)
		}
	}
}

func TestMoneyAndLevels(t *testing.T) {
	g := newCrew(t)
	p, id := g.player.name(), g.player.s().Character().ID
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
		g.wantLine(g.administrator, fmt.Sprintf("%s: денег теперь %d.", p, c.want), "/деньги %s %s", p,
			c.command)
		if have := stored().Money; have != c.want {
			t.Errorf("%s: stored %d", c.command, have)
		}
	}
	g.wantLine(g.administrator, "Денег может быть от 0 до 2147483647; сейчас 2147483647.",
		"/деньги %s +1", p)

	g.wantLine(g.administrator, p+": титул 61, степень 5.", "/уровень %s 61 5", p)
	title, degree := rules.TotalPoints(60, 4)
	if c := stored(); c.TitleLevel != 60 || c.DegreeLevel != 4 || c.TitlePoints != title || c.DegreePoints != degree {
		t.Errorf("stored %+v", c)
	}
	g.wantLine(g.administrator, p+": титул 1, степень 5.", "/уровень %s 1", p)

	// The same for who is away.
	g.player.hangUp()
	g.until("saved", func() bool { return g.server.Presence(g.player.s().Account()) == nil })
	g.wantLine(g.administrator, p+": титул 7, степень 8.", "/level %s 7 8", p)
	g.wantLine(g.administrator, p+": денег теперь 9.", "/money %s 9", p)
	if c := stored(); c.TitleLevel != 6 || c.DegreeLevel != 7 || c.Money != 9 {
		t.Errorf("stored %+v", c)
	}
}

func TestUnstuckTakesToTheNearestCity(t *testing.T) {
	g := newCrew(t)
	p := g.player
	umrad, _ := content.PlaceByKey("umrad")
	forest := coords.Position{X: umrad.Position.X + 500, Y: umrad.Position.Y, Z: umrad.Position.Z}
	stand := func(at coords.Position) {
		t.Helper()
		p.at(at)
		p.ping(at)
		g.settle()
	}
	place := func() coords.Position {
		g.pass(time.Second)
		v, _ := g.server.inWorld(p.s().Character().ID)
		return v.Position
	}
	stand(forest)
	g.wantLine(p, unstuckText.in(Russian, 10), "/застрял")
	g.pass(8 * time.Second)
	if at := place(); at.Distance(forest) > 1 {
		t.Errorf("taken away too soon, to %v", at)
	}
	g.pass(2 * time.Second)
	if at := place(); at.Distance(umrad.Position) > 1 {
		t.Errorf("is at %v, want %v", at, umrad.Position)
	}
	if words := g.commands(p, "/застрял"); !strings.Contains(strings.Join(words, ""),
		"Снова можно будет через ") {
		t.Errorf("again at once: told %q", words)
	}

	// Who moves stays; two metres are no movement.
	g.pass(unstuckPause)
	stand(forest)
	g.commands(p, "/unstuck")
	moved := forest
	moved.X += 1.9
	p.ping(moved)
	g.pass(2 * time.Second)
	if have := g.settle()[0]; len(have) > 0 {
		t.Errorf("after 1.9 m: told %q", have)
	}
	moved.X += 0.2
	p.ping(moved)
	g.pass(2 * time.Second)
	if have := g.settle()[0]; !slices.Contains(have, unstuckMovedText.russian) {
		t.Errorf("after 2.1 m: told %q", have)
	}
	g.pass(10 * time.Second)
	if at := place(); at.Distance(moved) > 1 {
		t.Errorf("was taken away to %v", at)
	}

	// In a dungeon there is no nearest city: the way leads to where new characters begin.
	g.pass(unstuckPause)
	stand(coords.Position{X: 1299, Y: 1499, Z: 35})
	g.commands(p, "/unstuck")
	g.pass(12 * time.Second)
	if at := place(); at.Distance(g.server.options.Start) > 1 {
		t.Errorf("is at %v, want %v", at, g.server.options.Start)
	}

	// Who leaves is left alone.
	g.pass(unstuckPause)
	stand(forest)
	g.commands(p, "/unstuck")
	p.hangUp()
	g.pass(12 * time.Second)
	c, err := g.store.CharacterByID(t.Context(), p.s().Character().ID)
	if err != nil || coords.Position(c.Position).Distance(forest) > 1 {
		t.Errorf("saved at %v (%v)", c.Position, err)
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
		if have := whereabouts(at, Russian); have != c.russian {
			t.Errorf("%v %v: %q, want %q", c.dx, c.dz, have, c.russian)
		}
		if have := whereabouts(at, English); have != c.english {
			t.Errorf("%v %v: %q, want %q", c.dx, c.dz, have, c.english)
		}
	}
	if have := whereabouts(coords.Position{Y: 6000}, English); have != "nowhere known" {
		t.Errorf("in the sky: %q", have)
	}
}

func TestParsePlace(t *testing.T) {
	for words, want := range map[string]coords.Position{
		"shipstone":    content.Cities()[0].Position,
		"ШИПСТОУН":     content.Cities()[0].Position,
		"1 2 3":        {X: 1, Y: 2, Z: 3},
		"1, 2, 3, 0.5": {X: 1, Y: 2, Z: 3, Yaw: 0.5},
	} {
		if at, err := ParsePlace(words); err != nil || at != want {
			t.Errorf("%q: %v (%v), want %v", words, at, err, want)
		}
	}
	for words, want := range map[string]string{
		"shipstoen": `did you mean "Shipstone"`,
		"":          "expected the name",
		"1 2":       "expected the name",
		"1 2 3 4 5": "expected the name",
		"1 1e9 2":   "",
		"NaN 1 2":   "",
	} {
		if at, err := ParsePlace(words); err == nil ||
			!strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
			t.Errorf("%q: %v, %v, want %q", words, at, err, want)
		}
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
	for _, word := range []string{"", "m", "30", "-5m", "0m", "1.5h", "30s", "36501d", "99999999999999999999d", "5 m",
		"навсегд"} {
		if have, ok := parseSpan(word); ok {
			t.Errorf("%q was taken for %v", word, have)
		}
	}
}

// No line makes the server stumble, whoever writes it.
func FuzzCommand(f *testing.F) {
	for _, o := range orders {
		f.Add("/" + o.english + " 1 2 3")
		f.Add("!" + o.russian + " Hero 5m")
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(strings.TrimLeft(line, "/!"))
		if len(words) == 0 {
			return
		}
		for role := data.Player; role <= data.Administrator; role++ {
			if _, err := findOrder(words[0], role); err != nil && err.Error() == "" {
				t.Error("a mistake without words")
			}
		}
		_, _ = parseSpan(words[0])
		_, _ = ParsePlace(line)
		for _, part := range wrap(line, answerWidth) {
			if len([]rune(part)) > answerWidth {
				t.Errorf("too long: %q", part)
			}
		}
	})
}

var updateCommands = flag.Bool("update-docs", false, "write docs/commands.md and docs/commands.ru.md anew")

// TestDocumentationOfCommands keeps the pages with the table.
func TestDocumentationOfCommands(t *testing.T) {
	for l, name := range map[Language]string{Russian: "commands.ru.md", English: "commands.md"} {
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
		want := before + begin + commandTable(l) + end + after
		if want == string(page) {
			continue
		}
		if !*updateCommands {
			t.Errorf("%s is not what the commands are; go test ./server/game -run Documentation -update-docs writes it", path)
			continue
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// commandTable is the table of the documentation.
func commandTable(l Language) string {
	var b strings.Builder
	head := text{"| команда | другое имя | с роли | что делает |",
		"| command | other name | from role | what it does |"}
	b.WriteString(head.in(l) + "\n|---|---|---|---|\n")
	for i := range orders {
		o := &orders[i]
		other := o.english
		if l == English {
			other = o.russian
		}
		usage := strings.ReplaceAll(o.usage(l), "|", `\|`)
		fmt.Fprintf(&b, "| `%s` | `/%s` | %s | %s |\n", usage, other, ops.RoleNames[o.least()].In(l == Russian), o.help.in(l))
	}
	return b.String()
}
