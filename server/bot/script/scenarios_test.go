package script_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/bot/script"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/world/rules"
)

// stage serves until the test ends: new characters begin at start, and the account "мастер" is a game master's.
func stage(t *testing.T, start string, more ...func(*game.Options)) string {
	t.Helper()
	place, ok := content.FindPlace(start)
	if !ok {
		t.Fatalf("no place %s", start)
	}
	return serve(t, func(o *game.Options) {
		o.Start = place.Position
		for _, change := range more {
			change(o)
		}
	}, func(store *data.Store) {
		hash, err := data.HashPassword("пароль", data.DefaultHashParams)
		if err == nil {
			_, err = store.CreateAccount(t.Context(), "мастер", hash, data.GameMaster)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// goesAsItSays plays a scenario whose steps all have to be so.
func goesAsItSays(t *testing.T, addr, text string) []script.Outcome {
	t.Helper()
	r, all, err := play(t, addr, text, script.Options{Patience: 15 * time.Second})
	if err != nil || !r.Clean() {
		for _, o := range all {
			t.Logf("%d %s: %v", o.Line, o.Text, o.Err)
		}
		t.Errorf("%+v, %v", r, err)
	}
	return all
}

// Every scenario of testdata/scripts goes as it says, with a real server.
func TestEndToEndScenarios(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../testdata/scripts/*.star")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d scenarios, %v", len(files), err)
	}
	starts := map[string]string{"portal.star": "newcomers-dungeon"}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			start := starts[name]
			if start == "" {
				start = "shipstone"
			}
			switch name {
			case "evening.star":
				goesAsItSays(t, stage(t, start, anEvening), string(text))
				return
			case "newcomer.star":
				goesAsItSays(t, stage(t, start, asItsHeadSays(t, string(text))), string(text))
				return
			}
			goesAsItSays(t, stage(t, start), string(text))
		})
	}
}

// asItsHeadSays serves as the program does that is told of nothing, but with the balance file in the head of a scenario.
func asItsHeadSays(t *testing.T, text string) func(*game.Options) {
	t.Helper()
	const indented = "#     "
	var balance []byte
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		if setting, ok := strings.CutPrefix(line, indented); ok {
			balance = append(balance, setting...)
		}
	}
	file := filepath.Join(t.TempDir(), config.BalanceFile)
	if err := os.WriteFile(file, balance, 0o600); err != nil || len(balance) == 0 {
		t.Fatalf("%d bytes of a balance file, %v", len(balance), err)
	}
	c, err := config.Load(config.Sources{Defaults: config.Defaults(), Balance: file})
	if err != nil {
		t.Fatal(err)
	}
	return func(o *game.Options) {
		listen, log := o.Listen, o.Log
		*o = c.Settings.Game
		o.Listen, o.Log, o.World.Balance = listen, log, &c.Settings.Balance
	}
}

// anEvening lets a minute have what else takes an evening: kills teach more, all hit harder, and all leave something.
func anEvening(o *game.Options) {
	o.Start.Z += 86 // out of the town, where the scenario begins
	b := rules.DefaultBalance()
	b.Experience.Factor, b.Experience.LeastPart = 4000, 1
	b.Damage.RollLow, b.Damage.RollHigh, b.Damage.MissPlayer = 4, 5, 0
	b.Loot.Bag = 1
	b.Death.Revive = time.Second
	o.World.Balance = b
}

// Who was kicked while the scenario did something else comes back.
func TestEndToEndWhoWasKickedComesBack(t *testing.T) {
	t.Parallel()
	goesAsItSays(t, stage(t, "shipstone"), `мастер = player("Мастер", "мастер/пароль", at="shipstone")
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
			goesAsItSays(t, stage(t, "shipstone"), example)
		}
	}
}

// What the scenarios of testdata do not do.
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
	all := goesAsItSays(t, stage(t, "shipstone"), text)
	if i := slices.IndexFunc(all, func(o script.Outcome) bool {
		return strings.HasPrefix(o.Text,
			"Сова.move(")
	}); i < 0 || all[i].Line != 7 {
		t.Errorf("a step in a function: %+v", all)
	}
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
		for _, o := range goesAsItSays(t, serve(t, nil, nil), text) {
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
	store, err := data.Open(t.Context(), t.TempDir(), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	o := game.DefaultOptions()
	o.Listen = "127.0.0.1:0"
	server, err := game.New(o, store)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
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
	r, err := script.Run(t.Context(), s, script.Options{Addr: server.Addr().String(), Patience: 20 * time.Second,
		KeepGoing: true,
		Print: func(string) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if err := server.Stop(ctx); err != nil {
				t.Error(err)
			}
		},
		Tell: func(o script.Outcome) {
			if o.Err != nil {
				texts = append(texts, o.Err.Error())
			}
		}})
	if <-served; err != nil || r.OK != 2 || r.Failed != 4 {
		t.Errorf("%+v, %v: %q", r, err, texts)
	}
	for i, want := range []string{"connect", "Сова is not in the world", "Сова is not in the world", "connect"} {
		if i >= len(texts) || !strings.Contains(texts[i], want) {
			t.Errorf("%q, expected %q in the %d. place", texts, want, i)
		}
	}
}

// A server that speaks something else fails the step, and keeps nobody waiting.
func TestAStreamThatIsNoneFailsTheStep(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte{1, 0, 0, 0}) // a frame that is shorter than its own length
			defer c.Close()
		}
	}()
	r, all, err := play(t, l.Addr().String(), `player("Сова", "сова/пароль")`, script.Options{})
	if err != nil || r.Failed != 1 || len(all) != 1 || !strings.Contains(all[0].Err.Error(), "cannot be cut into frames") {
		t.Errorf("%+v, %+v, %v", r, all, err)
	}
}
