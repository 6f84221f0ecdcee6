package chat

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world"
	"sphereserver/world/rules"
)

func TestPlayersCommands(t *testing.T) {
	g, player, helper, _, administrator := newCrew(t)
	p := player
	p.wantLine("Команды: /помощь, /кто, /где, /куда, /лично, /игнор, /разигнор, /клан, /вклан, /вгруппу, /застрял, /путь, "+
		"/дуэль, /задание, /гильдия, /торг, /предложить, /купить, /ремонт, /метка, /подсказка, /пароль,\n"+
		"/перерождение, /опуститьтитул, /опуститьстепень, /сброс, /отказгильдии, /язык, /время. Подробнее: /помощь КОМАНДА", "/помощь")
	p.wantLine("/лично ИГРОК ТЕКСТ: Сказать что-то одному игроку.",
		"/помощь лично")
	administrator.wantLine("/уровень", "/помощь")
	p.wantLine("В мире: 4. ", "/кто")
	p.wantLine("В мире: 1. "+p.name(), "/кто %s", p.name())
	p.wantLine("Вы здесь: Шипстоун (2614 158 1293).", "/где")
	p.wantLine("Рядом: ", "/куда")
	p.wantLine("банкир 26 м к северу", "/куда")
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

func TestFirstHelpAndMarkCommands(t *testing.T) {
	_, p, _, _, _ := newCrew(t)
	p.wantLine("help 17", "/подсказка 17")
	p.wantLine("help 0", "/firsthelp 0")
	for _, wrong := range []string{"18", "-1", "x", "99999999999999999999"} {
		p.wantLine("Страницы — от 0 до 17, а не «", "/подсказка %s", wrong)
	}
	for _, wrong := range []string{"1", "1 x", "NaN 1", "1e30 1", "1 2 3"} {
		p.wantLine("Нужны X и Z в метрах или ничего.", "/метка %s", wrong)
	}
}

// Users B2, B3: who accepts or declines without a challenge is told that there is none, by any of the words.
func TestDuelCommand(t *testing.T) {
	g, p, q, _, _ := newCrew(t)
	q.at(coords.Position{X: 2615, Y: 157.8, Z: 1293})
	p.at(coords.Position{X: 2614, Y: 157.8, Z: 1293})
	for _, c := range []struct {
		by   *talker
		says string
		news []world.DuelNews
	}{
		{p, "/дуэль нет", []world.DuelNews{world.DuelRefused}},
		{p, "/дуэль принять", []world.DuelNews{world.DuelRefused}},
		{p, "/дуэль сдаюсь", []world.DuelNews{world.DuelRefused}},
		{p, "/duel accept", []world.DuelNews{world.DuelRefused}},
		{p, "/duel " + q.name(), []world.DuelNews{world.DuelAsked, world.DuelOffered}},
		{q, "/duel yes", []world.DuelNews{world.DuelAgreed, world.DuelAgreed}},
		{q, "/дуэль нет", []world.DuelNews{world.DuelLost, world.DuelWon}},
	} {
		g.duels = nil
		c.by.commands("%s", c.says)
		var news []world.DuelNews
		for _, e := range g.duels {
			if e.News == world.DuelRefused && e.Why != rules.NoChallenge {
				t.Errorf("%s: refused because of %q", c.says, e.Why)
			}
			news = append(news, e.News)
		}
		if !slices.Equal(news, c.news) {
			t.Errorf("%s: told %+v", c.says, g.duels)
		}
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

// A player that has entered since the last snapshot can be spoken to, found and fetched.
func TestNewcomersCanBeAddressed(t *testing.T) {
	g, _, helper, master, _ := newCrew(t)
	for at := g.world.Snapshot().At; g.world.Snapshot().At.Equal(at); {
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

func TestTravelKnowsPlacesAndNumbers(t *testing.T) {
	g, p, _, _, _ := newCrew(t)
	for words, number := range map[string]uint16{"": 0, " Шипстоун": 1800, " torweal": 1803, " 1850": 1850,
		" северная дорога": 1850, " Льеж": 1900} {
		g.asked = nil
		p.commands("%s", "/путь"+words)
		if want := (world.Travel{ID: p.id(), Number: number}); !slices.Contains(g.asked, world.Command(want)) {
			t.Errorf("/путь%s asks for %+v", words, g.asked)
		}
	}
	p.wantLine(noTokenText.In(true, "нигде"), "/путь нигде")
	p.wantLine(noTokenText.In(true, "арена"), "/путь арена")
}

// The guide names the nearest place of monsters of the player's level: those of just the level are worth a walk twice as
// long, others, those that are off, and practice targets are not named.
func TestTheGuideLeadsToMonsters(t *testing.T) {
	g, p, _, _, _ := newCrew(t)
	start := g.Start()
	spawner := func(east float32, level int, types ...int) world.Spawner {
		at := start
		at.X += east
		return world.Spawner{Key: fmt.Sprint(east), At: at, Level: level, Types: types}
	}
	p.wantLine("Монстров вашего уровня (1) на этом материке нет.", "/куда")
	g.world.Do(world.AddSpawners{Spawners: []world.Spawner{spawner(120, 3, 1000), spawner(130, 1, rules.PracticeTarget)}})
	g.pass(2 * time.Second)
	p.wantLine("Монстров вашего уровня (1) на этом материке нет.", "/куда")
	g.world.Do(world.AddSpawners{Spawners: []world.Spawner{spawner(150, 2, 1000)}})
	g.pass(2 * time.Second)
	p.wantLine("Монстры вашего уровня (1): 150 м к востоку.", "/куда")
	g.world.Do(world.AddSpawners{Spawners: []world.Spawner{spawner(290, 1, 1000), spawner(400, 1, 1000)}})
	g.pass(2 * time.Second)
	p.wantLine("Монстры вашего уровня (1): 290 м к востоку.", "/куда")
	p.wantLine("The server speaks English to you now.", "/язык английский")
	p.wantLine("Monsters of your level (1): 290 m to the east.", "/guide")
}

// In its first second a newcomer is told the way in its dungeon, though no snapshot has that yet. Other players that
// stand in a dungeon of which nothing is known are told to leave it.
func TestTheGuideKnowsANewcomersDungeonAtOnce(t *testing.T) {
	r := newRoom(t, 1)
	p := r.enter("Newcomer")
	at := rules.InstanceOrigin(3)
	p.ping = &at
	for _, v := range []struct {
		tutorial         bool
		russian, english string
	}{
		{true, "В этом подземелье: ", "In this dungeon: "},
		{false, "сначала выйдите", "go outside first"},
	} {
		p.character.Tutorial = v.tutorial
		for russian, want := range map[bool]string{true: v.russian, false: v.english} {
			p.Russian = russian
			p.said = nil
			p.Command("/guide")
			r.run() // no time goes by, so that no snapshot is published
			if have := strings.Join(p.said, "\n"); !strings.Contains(have, want) {
				t.Errorf("the guide says %q, want %q", have, want)
			}
		}
	}
}
