package script_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/bot"
	"sphereserver/server/bot/script"
	"sphereserver/server/game"
	"sphereserver/server/sim"
	"sphereserver/server/sim/memnet"
)

// goesAsItSays plays a scenario in which every step has to succeed, on a server where new characters begin at start,
// or with "" where they begin with the server that ships, and the account "мастер" is a game
// master's, "хозяин" an administrator's.
func goesAsItSays(t *testing.T, start, text string) (all []script.Outcome) {
	t.Helper()
	place, ok := content.FindPlace(start)
	if !ok && start != "" {
		t.Fatalf("no place %s", start)
	}
	serve(t, func(o *game.Options) { o.Start, o.NewcomersDungeon = place.Position, start == "" }, func(store *data.Store) {
		hash, err := data.HashPassword("пароль", data.DefaultHashParams)
		if err == nil {
			_, err = store.CreateAccount(context.Background(), "мастер", hash, data.GameMaster)
		}
		if err == nil {
			_, err = store.CreateAccount(context.Background(), "хозяин", hash, data.Administrator)
		}
		if err != nil {
			t.Fatal(err)
		}
	}, func(h *sim.House) {
		var r *script.Result
		var err error
		r, all, err = play(h, text, script.Options{Patience: 15 * time.Second})
		if err != nil || !r.Clean() {
			for _, o := range all {
				h.T.Logf("%d %s: %v", o.Line, o.Text, o.Err)
			}
			h.T.Errorf("%+v, %v", r, err)
		}
	})
	return all
}

// Every scenario of testdata/scripts goes as it says, with a real server.
func TestEndToEndScenarios(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../testdata/scripts/*.star")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d scenarios, %v", len(files), err)
	}
	starts := map[string]string{"portal.star": "newcomers-dungeon", "newcomer.star": ""}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			start, other := starts[name]
			if !other {
				start = "shipstone"
			}
			goesAsItSays(t, start, string(text))
		})
	}
}

// A player that was kicked while the scenario did something else comes back.
func TestEndToEndWhoWasKickedComesBack(t *testing.T) {
	t.Parallel()
	goesAsItSays(t, "shipstone", `мастер = player("Мастер", "мастер/пароль", at="shipstone")
сова = player("Сова", "сова/пароль", at="shipstone")
мастер.type("/выгнать Сова")
сова.come_back()
сова.leave()
`)
}

// The examples of the documents go as they say.
func TestEndToEndScenariosOfTheDocuments(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"scripts.md", "scripts.ru.md"} {
		text, err := os.ReadFile(filepath.Join("../../../docs", name))
		if err != nil {
			t.Fatal(err)
		}
		examples := strings.Split(string(text), "```script\n")[1:]
		if len(examples) < 2 {
			t.Errorf("%s has %d examples", name, len(examples))
		}
		for _, example := range examples {
			example, _, _ = strings.Cut(example, "```")
			goesAsItSays(t, "shipstone", example)
		}
	}
}

// Verbs that the scenarios of testdata do not use.
func TestEndToEndOtherVerbs(t *testing.T) {
	t.Parallel()
	const text = `
def carry(p, item, slots):
    """Has the game master give something, and moves it through some slots."""
    master.type("/дать " + p.name + " " + item)
    p.carries(item, slot=27)
    for at, to in zip([27] + slots, slots):
        p.move(at, to_slot=to)
        p.carries(item, slot=to)
        p.carries_nothing_in(at)

master = player("Мастер", "мастер/пароль", at="shipstone")
owl = player(name="Сова", login="сова/пароль", at=place("shipstone", 2))
set_scene(owl)
owl.is_at(scene(), within=0.2)

# Bags.
owl.drop(27)
owl.sees_on_ground("bread")
carry(owl, "Малая сумка", [28, 35])
owl.open(35)
owl.pick_up("bread")
owl.put_into(27, "Малая сумка")
owl.pick_up("bread", slot=30)
owl.carries("bread", slot=30, count=10)
if owl.carried("bread") != 10:
    fail("has", owl.carried("bread"))

# What lies is dragged, and does not go away from who stands beside it.
owl.drop(30)
owl.drag("bread", scene(1))
owl.sees_on_ground("bread", within=3)
master.sees_on_ground("bread")

# Who is deleted comes back as somebody new, without what it had.
here = owl.position()
owl.walk_to(scene(dz=10))
owl.delete()
master.loses(owl)
owl.delete() if False else wait("10ms")
owl.come_back()
master.sees(owl)
owl.carries("Малая сумка", count=0)
owl.has(title=1, money=0, items=3)
owl.has_at_least(hp=1, max_hp=owl.value("hp"))
owl.sees(master, title=1, degree=1, karma=owl.value("karma"))
master.loses_npc("npc-141b") if here == owl.position() else None
`
	all := goesAsItSays(t, "shipstone", text)
	if i := slices.IndexFunc(all, func(o script.Outcome) bool {
		return strings.HasPrefix(o.Text,
			"Сова.move(")
	}); i < 0 || all[i].Line != 7 {
		t.Errorf("a step in a function: %+v", all)
	}
}

// A command of the chat is answered, and with what is so: what was done, or why it was not.
func TestEndToEndCommandsOfPlayersAreAnswered(t *testing.T) {
	t.Parallel()
	const text = `
def told(p, command, *answers):
    p.type(command)
    for answer in answers:
        p.reads(answer)

owl = player("Сова", "сова/пароль", at="shipstone")
eagle = player("Филин", "филин/пароль", at=place("shipstone", 2))
boss = player("Хозяин", "хозяин/пароль", at=place("shipstone", 4))
owl.sees(eagle)

# Trade.
told(owl, "/торг закончить", "Вы ни с кем не торгуете.*")
told(owl, "/предложить 2 3", "Вы ни с кем не торгуете.*")
told(owl, "/купить 1", "Вы ни с кем не торгуете.*")
told(owl, "/торг Никто", "Такого игрока рядом нет.")
told(owl, "/торг Филин", "Торг с игроком Филин.*")
told(eagle, "/торг Сова", "Вы уже торгуете с этим игроком.")
told(owl, "/предложить 2 3 5", "Вы предлагаете № 1: Лепёшка, 5 шт. по 3.")
told(owl, "/предложить 2 4", "Вы предлагаете № 1: Лепёшка, 10 шт. по 4.")
told(boss, "/деньги Филин 100", "*100*")
wait("4s")
told(eagle, "/купить 1 2")
eagle.carries("bread", count=12)
told(eagle, "/купить 1 1")
eagle.carries("bread", count=13)
told(owl, "/предложить 2 убрать", "Вы больше не предлагаете № 1.")
told(owl, "/торг закончить", "Торг с игроком Филин окончен.")

# Travel.
told(owl, "/путь Торвил", "У вас нет жетона туда.")

# Missions.
owl.walk_to((2603.8, 157.5, 1295.5))
told(owl, "/задание взять карма", "Таких заданий здесь не дают.*")
told(owl, "/задание выйти", "Вы не в подземелье задания.")
told(owl, "/задание отдать", "Задания нет.")
told(boss, "/миссия Сова дать титул s000", "Сова: с заданием сделано.")
told(owl, "/задание войти", "Ваше задание не в подземелье.")
told(owl, "/задание отдать", "Рядом никто этого не ждёт.")
told(owl, "/задание бросить", "Вы бросили задание.")

# Groups: to apply to two in turn calls their leaders once.
owl.create_group()
eagle.create_group()
boss.ask_to_join(owl)
owl.is_asked_by(boss)
boss.ask_to_join(eagle)
eagle.is_asked_by(boss)
boss.ask_to_join(owl)
boss.reads("Эту просьбу вы только что отозвали*")
`
	goesAsItSays(t, "shipstone", text)
}

// The same scenario with two servers takes the same steps.
func TestScenariosAreTheSameEachTime(t *testing.T) {
	t.Parallel()
	const text = `
crowd = {name: player(name, name + "/a") for name in ["Сова", "Филин", "Сыч", "Лунь"]}
for name, p in crowd.items():
    for other in set(crowd.values()):
        p.sees(other) if other != p else p.say(name)
print(crowd)
`
	var runs [2][]string
	for i := range runs {
		for _, o := range goesAsItSays(t, "shipstone", text) {
			runs[i] = append(runs[i], o.Text)
		}
	}
	if len(runs[0]) != 20 || !slices.Equal(runs[0], runs[1]) {
		t.Errorf("%q\n%q", runs[0], runs[1])
	}
}

// When the server ends all connections, steps fail with that, and the scenario ends.
func TestAServerThatGoesAwayFailsSteps(t *testing.T) {
	t.Parallel()
	serve(t, nil, nil, func(h *sim.House) {
		t := h.T
		s, err := script.Parse("s.star", `
a = player("Сова", "сова/пароль")
print("stop")
a.is_sent_away()
a.come_back()
a.walk_to((1, 2, 3))
a.sees(a)
a.delete()
`)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		r, err := script.Run(t.Context(), s, script.Options{Addr: h.Addr, Client: h.Client(sim.Host(1)),
			Patience: 20 * time.Second, KeepGoing: true, Print: func(string) { h.Stop() },
			Tell: func(o script.Outcome) {
				if o.Err != nil {
					texts = append(texts, o.Err.Error())
				}
			}})
		if err != nil || r.OK != 2 || r.Failed != 4 {
			t.Errorf("%+v, %v: %q", r, err, texts)
		}
		for i, want := range []string{"connect", "Сова is not in the world", "Сова is not in the world", "connect"} {
			if i >= len(texts) || !strings.Contains(texts[i], want) {
				t.Errorf("%q, expected %q in the %d. place", texts, want, i)
			}
		}
	})
}

// A server that speaks something else fails the step, and keeps nobody waiting.
func TestAStreamThatIsNoneFailsTheStep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		network := memnet.New(memnet.Options{})
		l, err := network.Listen("10.0.0.1:25860")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			if c, err := l.Accept(); err == nil {
				_, _ = c.Write([]byte{1, 0, 0, 0}) // a frame that is shorter than its own length
			}
		}()
		s, err := script.Parse("s.star", `player("Сова", "сова/пароль")`)
		if err != nil {
			t.Fatal(err)
		}
		var failed error
		r, err := script.Run(t.Context(), s, script.Options{Addr: l.Addr().String(),
			Client: bot.Options{Dial: network.From(sim.Host(1))}, Tell: func(o script.Outcome) { failed = o.Err }})
		if err != nil || r.Failed != 1 || failed == nil || !strings.Contains(failed.Error(), "cannot be cut into frames") {
			t.Errorf("%+v, %v, %v", r, failed, err)
		}
	})
}
