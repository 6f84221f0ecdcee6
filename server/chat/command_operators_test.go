package chat

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// trail is the audit trail, newest first, as "author action target detail".
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

// A role that is taken away takes the commands with it, also the waiting ones.
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
	master.wantLine("#859", "/give %s 1", p)
}

// A player that is given something, or moved, is told so in its own language.
func TestDeedsAreToldToWhomTheyConcern(t *testing.T) {
	g, player, _, master, administrator := newCrew(t)
	player.Russian = false
	p := player.name()
	for command, want := range map[string]string{"/give " + p + " 1": "You were given: ",
		"/money " + p + " 5": "Your money was changed: you have 5 coins now.",
		"/summon " + p:       "A game master is taking you away.", "/level " + p + " 3": "Your levels were changed: ",
		"/clear " + p: "Your things were destroyed.", "/heal " + p: "A game master has healed you."} {
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

// Operators are told the place of a player on the map of their page, if the page's address is known; players are not.
func TestWhereLinksToTheMap(t *testing.T) {
	g, player, helper, _, _ := newCrew(t)
	says := func(m *talker, command string) string {
		g.forget()
		m.commands("%s", command)
		return strings.Join(m.said, "\n")
	}
	if told := says(helper, "/where"); strings.Contains(told, "#/map/") {
		t.Errorf("without an address: %q", told)
	}
	g.chat.Page = "https://sphere.example.org/"
	at := g.chat.Host.World().Players[0].Position
	link := fmt.Sprintf(" https://sphere.example.org/#/map/hyperion/%.0f,%.0f/1", at.X, at.Z)
	for _, command := range []string{"/where", "/where " + player.name()} {
		if told := says(helper, command); !strings.Contains(told, " https://sphere.example.org/#/map/hyperion/") {
			t.Errorf("%s: %q, expected a link like %q", command, told, link)
		}
	}
	if told := says(player, "/where"); told == "" || strings.Contains(told, "http") {
		t.Errorf("a player is told %q", told)
	}
}

// A brokenStore writes no audit trail.
type brokenStore struct{ *data.Store }

func (brokenStore) AppendAudit(context.Context, data.AuditEntry) error { return data.ErrUnavailable }

// An act of an account with a role is in the trail before it is answered, and is not done if it cannot be put there.
func TestOperatorsLeaveATrail(t *testing.T) {
	g, player, helper, _, _ := newCrew(t)
	p, h := player.name(), helper.Login()
	helper.commands("/where %s", p)
	helper.commands("/mute %s 30m шум в городе", p)
	helper.commands("/tell %s тайна", p)
	helper.commands("/msg %s>тайна", p)
	helper.commands("/saygrp тайна")
	helper.commands("/ban %s 1h", p) // not allowed: it is written down that it was tried
	player.commands("/ban %s 1h", p) // players cannot fill the trail
	have := g.trail()
	if len(have) > 4 {
		have[4], _, _ = strings.Cut(have[4], "until") // now and half an hour
	}
	want := []string{h + " refused " + h + "|account ban", h + " /saygrp |", h + " /tell " + p + "|" + p,
		h + " /tell " + p + "|" + p,
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

func TestShutdownPlansAStopAndCallsItOff(t *testing.T) {
	g, _, _, master, admin := newCrew(t)
	if master.commands("/shutdown 10m"); g.stop != nil {
		t.Error("a game master has planned a stop")
	}
	admin.wantLine("Остановка не назначена или уже началась.", "/остановка отмена")
	admin.wantLine(waitText.In(true, "скоро"), "/остановка скоро")
	admin.wantLine(waitText.In(true, "навсегда"), "/остановка навсегда")
	admin.wantLine("Остановка назначена.", "/остановка 10м новая версия")
	if g.stop == nil || g.stop.Reason != "новая версия" || time.Until(g.stop.At).Round(time.Minute) != 10*time.Minute {
		t.Errorf("planned is %+v", g.stop)
	}
	if admin.wantLine("Остановка отменена.", "/shutdown cancel"); g.stop != nil {
		t.Errorf("planned is %+v", g.stop)
	}
}

// The message of the day and maintenance are shown, set and ended by those who may.
func TestOrdersOfTheServer(t *testing.T) {
	g, _, _, master, admin := newCrew(t)
	master.commands("/maintenance on")
	if all, err := g.store.Orders(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("found %v, %v; a game master may not", all, err)
	}
	master.wantLine("Сообщения дня нет.", "/девиз")
	master.wantLine("Сообщение дня: Турнир в 20:00", "/девиз Турнир в 20:00")
	master.wantLine("Сообщение дня: Турнир в 20:00", "/motd")
	master.wantLine("Сообщения дня нет.", "/motd END")
	master.wantLine("Сообщение дня командой не задано.", "/девиз отмена")
	admin.wantLine("Работы включены не командой, а в sphere.toml", "/работы выкл")
	admin.wantLine("Нужно вкл или выкл, а не «завтра».", "/работы завтра")
	admin.wantLine("не найдено", "/работы вкл никто")
	admin.wantLine("Идут работы: войти могут операторы и "+master.account.Login+".", "/работы ВКЛ %s", master.account.Login)
	admin.wantLine("Идут работы: войти могут только операторы.", "/работы вкл")
	admin.wantLine("Идут работы: войти могут только операторы.", "/maintenance off") // the file of this room says so
	if all, err := g.store.Orders(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("left are %v, %v", all, err)
	}
}

func TestRatesAreSetListedAndEnded(t *testing.T) {
	g, _, _, master, admin := newCrew(t)
	master.commands("/rate xp 2")
	set := func() (out []string) {
		all, err := g.store.Rates(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			span := "for ever"
			if !r.To.IsZero() {
				span = r.To.Sub(r.From).String()
			}
			out = append(out, fmt.Sprint(r.Kind.Name("en"), " ", r.Factor, " ", span))
		}
		return out
	}
	want := func(all ...string) {
		t.Helper()
		if got := set(); !slices.Equal(got, all) {
			t.Errorf("set are %q, expected %q", got, all)
		}
	}
	want() // nothing: a game master may not
	admin.wantLine("Множитель (опыт) не задан.", "/рейт опыт отмена")
	admin.wantLine("Множитель (добыча) задан не командой, а в balance.toml: измените его там.", "/rate drops end")
	admin.wantLine("Множитель задан.", "/rate xp 2 for 2d")
	admin.wantLine("Множитель задан.", "/рейт Деньги x1,5")
	admin.wantLine("Множитель задан.", "/рейт монстры 3 30м")
	want("experience 2 48h0m0s", "money 1.5 for ever", "respawn 3 30m0s")
	admin.wantLine("На это время уже задано: деньги x1.5 навсегда. Сначала отмените его.", "/рейт деньги 2 на 1ч")
	for line, says := range map[string]string{
		"/рейт 2 опыт":           "Сначала нужно, что меняется, потом множитель: /рейт опыт 2",
		"/рейт опыт 2 3":         "Нужно время: 30м, 12ч, 7д или «навсегда», а не «3». Может быть, 3m?",
		"/рейт опыт 2 на 1,5ч":   "Нужно время: 30м, 12ч, 7д или «навсегда», а не «1,5ч». Может быть, 90м?",
		"/рейт опыт 0":           "Нужен множитель от 0.1 до 100, а не 0.",
		"/рейт опыт 1e9":         "Нужен множитель от 0.1 до 100, а не «1e9».",
		"/рейт опыт nan":         "Нужен множитель от 0.1 до 100, а не «nan».",
		"/рейт опыт":             factorMissingText.In(true),
		"/рейт опыт два":         "Нужен множитель от 0.1 до 100, а не «два».",
		"/рейт опит 2":           "Нужно опыт, добыча, деньги или монстры, а не «опит»; может быть, «опыт»?",
		"/рейт добыча 2 скоро":   "Нужно время: 30м, 12ч, 7д или «навсегда», а не «скоро».",
		"/рейт добыча 2 на 1ч x": "Нужно время: 30м, 12ч, 7д или «навсегда», а не «1ч x».",
		"/рейт добыча 2 на 400д": "Множитель действует не дольше чем 366 д, а не 400 д.",
	} {
		admin.wantLine(says, "%s", line)
	}
	want("experience 2 48h0m0s", "money 1.5 for ever", "respawn 3 30m0s")
	admin.wantLine("добыча x1.5", "/рейт")
	admin.wantLine("деньги x1.5", "/рейт")
	admin.wantLine("Множитель отменён.", "/rate money off")
	want("experience 2 48h0m0s", "respawn 3 30m0s")
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

func TestMonstersAreSummonedAndRemoved(t *testing.T) {
	g, _, _, master, _ := newCrew(t)
	out := g.Start()
	out.X += 200
	master.at(out)
	count := func() (named, all int) {
		g.pass(time.Second)
		for o := range g.world.Snapshot().Objects() {
			if m, ok := o.Kind.(*world.Monster); ok {
				if all++; m.Named() {
					named++
				}
			}
		}
		return named, all
	}
	master.wantLine("Здесь теперь Крыса, уровень 2.", "/монстр крыса")
	master.wantLine("Здесь теперь Волк, уровень 12.", "/monster 1011 12 named")
	if named, n := count(); n != 2 || named != 1 {
		t.Errorf("%d are there, %d of them with a name", n, named)
	}
	master.wantLine("Убрано монстров: 2.", "/монстр убрать")
	if _, n := count(); n != 0 {
		t.Errorf("%d are there", n)
	}
}

func TestPlayersAreHealedAndRevived(t *testing.T) {
	g, player, _, master, _ := newCrew(t)
	p := player.name()
	master.wantLine("Персонаж жив.", "/воскресить %s", p)
	master.wantLine(p+": здоровье и прана восстановлены.", "/исцелить %s", p)
	for _, want := range []string{" character heal " + p + "|", " character revive " + p + "|not done: "} {
		if trail := g.trail(); !slices.ContainsFunc(trail, func(e string) bool { return strings.Contains(e, want) }) {
			t.Errorf("the trail is %q, without %q", trail, want)
		}
	}
}

func TestSpawnersAreTurnedOffAndOn(t *testing.T) {
	g, _, _, master, _ := newCrew(t)
	out := g.Start()
	out.X += 200
	master.at(out)
	here, far, below := out, out, out
	here.Z += 50
	far.Z += 150
	below.Y = 1500
	g.world.Do(world.AddSpawners{Spawners: []world.Spawner{{Key: "here", At: here, Level: 1, Types: []int{1000}},
		{Key: "far", At: far, Level: 1, Types: []int{1000}}, {Key: "below", At: below, Level: 1, Types: []int{1000}}}})
	g.pass(2 * time.Second)
	off := func() string {
		keys, err := g.store.SpawnersOff(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		g.pass(2 * time.Second)
		for _, s := range g.world.Snapshot().Spawners {
			if s.Off != slices.Contains(keys, s.Key) {
				t.Errorf("%s is off in the world: %v, stored: %v", s.Key, s.Off, keys)
			}
		}
		return strings.Join(keys, " ")
	}
	for _, c := range []struct{ command, want, off string }{
		{"/логова выкл", "Монстры больше не появляются, мест: 1.", "here"},
		{"/spawners off 200", "Монстры больше не появляются, мест: 2.", "far here"},
		{"/spawners off 200", "Монстры больше не появляются, мест: 2.", "far here"},
		{"/spawners on", "Монстры снова появляются, мест: 1.", "far"},
		{"/логова вкл 200", "Монстры снова появляются, мест: 2.", ""},
	} {
		master.wantLine(c.want, "%s", c.command)
		if got := off(); got != c.off {
			t.Errorf("%s: off are %q, want %q", c.command, got, c.off)
		}
	}
	if trail := g.trail(); !slices.ContainsFunc(trail, func(e string) bool {
		return strings.Contains(e, "spawner set ") &&
			strings.HasSuffix(e, "|off: 1")
	}) {
		t.Errorf("the trail is %q", trail)
	}
}

func TestInstancesAreListedAndEntered(t *testing.T) {
	g, player, _, master, _ := newCrew(t)
	inside := func(want world.InstanceID) {
		t.Helper()
		g.pass(2 * time.Second)
		for _, v := range g.World().Players {
			if v.ID == master.id() && v.Instance != want {
				t.Errorf("the game master is in instance %d, want %d", v.Instance, want)
			}
		}
	}
	master.wantLine("Подземелий: 0.", "/подземелья")
	g.world.Do(world.EnterInstance{ID: player.id(), Layout: content.Newcomers})
	g.pass(2 * time.Second)
	lines := master.commands("/instances")
	if text := strings.Join(lines, "|"); !strings.Contains(text, "Подземелий: 1.") ||
		!strings.Contains(text, "1 newcomers: "+player.name()+"; внутри "+player.name()+"; с ") ||
		!regexp.MustCompile(`монстров \d+, вещей \d+$`).MatchString(text) {
		t.Errorf("they are listed as %q", text)
	}
	master.wantLine("Подземелья 7 нет.", "/instance 7")
	master.wantLine("Подземелья «лес» нет.", "/подземелье новое лес")
	for _, word := range []string{"куда", "0", "-1", "1e3"} {
		master.wantLine(instanceText.In(true, word), "/подземелье %s", word)
	}
	master.commands("/подземелье 1")
	inside(1)
	master.commands("/подземелье выйти")
	inside(0)
	master.commands("/instance new")
	inside(2)
	if trail := g.trail(); !slices.ContainsFunc(trail, func(e string) bool {
		return strings.Contains(e, "instance enter ") && strings.HasSuffix(e, "into instance 1, in the world")
	}) {
		t.Errorf("the trail is %q", trail)
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

	// The same for an absent character.
	player.leave()
	administrator.wantLine(p+": титул 7, степень 8.", "/level %s 7 8", p)
	administrator.wantLine(p+": денег теперь 9.", "/money %s 9", p)
	if c := stored(); c.TitleLevel != 6 || c.DegreeLevel != 7 || c.Money != 9 {
		t.Errorf("stored %+v", c)
	}
}

// Operators note for each other what players never read.
func TestNotesAreWrittenAndRead(t *testing.T) {
	_, player, helper, master, _ := newCrew(t)
	p := player.name()
	helper.wantLine("Заметок нет.", "/note %s", p)
	helper.wantLine("Заметка 1 об учётной записи", "/note %s sells  swords", p)
	master.commands("/заметка %s", p)
	if len(master.said) != 1 || !strings.HasSuffix(master.said[0], ": sells swords") ||
		!strings.Contains(master.said[0], helper.account.Login) {
		t.Errorf("told %q", master.said)
	}
	player.commands("/note %s", p)
	if len(player.said) == 0 || strings.Contains(strings.Join(player.said, ""), "swords") {
		t.Errorf("the player was told %q", player.said)
	}
}

// Game masters order missions in either language; wrong words are named, and nothing is done.
func TestMissionsAreOrdered(t *testing.T) {
	g, player, _, master, _ := newCrew(t)
	p := player.name()
	orders := func(what string) (n int) {
		for _, e := range g.trail() {
			if strings.Contains(e, " character mission "+p+"|"+what) {
				n++
			}
		}
		return n
	}
	master.wantLine("Нужно give, finish или cancel, а не dance.", "/миссия %s dance", p)
	master.wantLine("Нужна цель title, degree, money или karma или шаблон вроде k001, а не слава.", "/миссия %s дать слава", p)
	master.wantLine("«k00l» не найдено.", "/миссия %s дать k00l", p)
	master.wantLine("Шаблон k001 нужен только для give.", "/миссия %s отменить k001", p)
	if n := orders(""); n != 0 {
		t.Errorf("%d wrong orders were done", n)
	}
	player.inWorld = true
	for words, want := range map[string]world.OrderMission{"": {}, "карма": {Goal: rules.KarmaGoal},
		"K001": {Template: "k001"}, "b001 money": {Goal: rules.MoneyGoal, Template: "b001"}} {
		master.wantLine(p+": с заданием сделано.", "/миссия %s дать %s", p, words)
		want.ID, want.What = player.id(), world.OrderToGive
		if got := g.ordered[len(g.ordered)-1]; got.Goal != want.Goal || got.Template != want.Template || got.What != want.What {
			t.Errorf("%q orders %+v", words, got)
		}
	}
	player.inWorld = false
	for words, order := range map[string]string{"отменить": "cancel", "cancel": "cancel", "finish": "finish",
		"засчитать": "finish"} {
		before := orders(order)
		master.wantLine(map[string]string{"cancel": "Задания нет", "finish": "сейчас нет в мире"}[order], "/миссия %s %s", p, words)
		if n := orders(order); n != before+1 {
			t.Errorf("%d orders in the trail after %q, and %d before: %q", n, words, before, g.trail())
		}
	}
}
