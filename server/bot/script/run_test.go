package script_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/bot/script"
	"sphereserver/server/game"
	"sphereserver/server/sim"
)

// serve runs a server on simulated time for as long as do takes. It is the one that ships, but that new characters
// begin in Shipstone, unless change says something else.
func serve(t *testing.T, change func(*game.Options), prepare func(*data.Store), do func(h *sim.House)) {
	t.Helper()
	sim.Run(t, sim.Options{Game: func(o *game.Options) {
		o.NewcomersDungeon = false
		if change != nil {
			change(o)
		}
	}, Prepare: prepare}, do)
}

// play runs a scenario and returns the outcomes of its steps, and the mistake that ended it.
func play(h *sim.House, text string, o script.Options) (*script.Result, []script.Outcome, error) {
	h.T.Helper()
	s, err := script.Parse("s.star", text)
	if err != nil {
		h.T.Fatal(err)
	}
	var all []script.Outcome
	o.Addr, o.Client = cmp.Or(o.Addr, h.Addr), h.Client(sim.Host(1))
	o.Tell = func(out script.Outcome) { all = append(all, out) }
	r, err := script.Run(h.T.Context(), s, o)
	return r, all, err
}

// A step with a false condition fails, with the expected and the present state; the others do not, and the run stops
// where it is told to.
func TestStepsThatAreNotSoFailWithWhatIsSo(t *testing.T) {
	t.Parallel()
	const text = `patience(0.3)
a = player("Сова", "сова/пароль", at="shipstone")
b = player("Филин", "филин/пароль", at=place("shipstone", 5))
patience(10)
a.sees(b)
patience("300ms")
a.sees(b, at=scene(6))
a.loses(b)
b.does_not_see(a)
a.say("раз")
b.hears(a, "два")
b.hears(a, "р*")
b.hears(a, "раз")
a.say("три", on="trade")
b.hears(a, "три", on="normal")
b.does_not_hear(a)
a.reads("что-то")
a.in_group(b)
a.in_clan("Ночь")
a.is_asked_by(b)
a.has(hp=3)
a.has_at_least(hp=3, title=1)
a.has(items=3, money=0)
a.sees(b, max_hp=3)
a.sees(b, money=3)
a.sees(b, clan="Ночь")
a.sees_npc("npc-141b")
a.use_portal("newcomers-teleport")
a.is_at("sunpool")
b.come_back()
b.is_sent_away()
b.leave()
b.leave()
b.walk_to(scene())
a.walk_to(b)
a.drop(35)
a.spend("title", 1)
a.buy("bread")
a.pick_up("arrows")
a.put_into(27, "inkpot")
a.carries("bread", slot=26)
a.carries_nothing_in(26)
a.wears("bread")
a.sees_on_ground("bread", within=2)
a.in_no_group()
a.leads_group()
a.take_into_clan(a)
player("Сова", "другой/пароль")
a.close_trade()
`
	want := map[int]string{
		7: "expected to see Филин at 2620.00 157.80 1293.00, give or take 0.1 m; instead Сова sees Филин at 2619.00 157.8",
		8: "expected not to see Филин; instead Сова sees Филин at 2619.00", 9: "instead Филин sees Сова at 2614.00",
		11: `expected to hear Сова "два"; instead Филин heard Сова "раз" on normal`, 13: "Филин heard nothing new",
		15: `expected to hear Сова "три" on normal; instead Филин heard Сова "три" on trade`, 16: `Сова "три"`,
		17: `expected to read "что-то"; instead Сова read "Добро пожаловать!`,
		18: "expected a group of Сова, Филин; instead Сова is in a group of nobody",
		19: `expected the clan "Ночь"; instead Сова is in no clan`,
		20: "Сова was asked by nobody", 21: "expected hp 3; instead Сова has hp 1",
		24: "expected to see Филин with max_hp 3; instead Сова sees Филин at",
		25: "the money of others is not shown", 26: `of the clan ""`, 27: "expected to see npc-141b at", 28: "sees ",
		29: "m from 422.00",
		30: "Филин is in the world already", 31: "Филин is still connected", 33: "Филин is not in the world",
		34: "Филин is not in the world",
		35: "walk_to: for parameter at: Филин is not in the world", 36: "nothing lies in slot 35",
		37: "expected an ability; instead title is none",
		38: "expected bread for sale; instead is offered nothing", 39: "expected arrows; instead Сова sees on the ground",
		40: "inkpot is no bag",
		41: "expected bread in slot 26; instead Сова carries", 42: "expected nothing in slot 26",
		43: "expected bread to be worn",
		44: "expected bread on the ground, 2 m away at most", 46: "expected Сова to lead the group",
		47: "was asked by 0 players",
		48: `expected another name, found "Сова" a second time`, 49: "the client does not hold it",
	}
	serve(t, nil, nil, func(h *sim.House) {
		t := h.T
		r, all, err := play(h, text, script.Options{KeepGoing: true})
		for _, o := range all {
			switch words, fails := want[o.Line]; {
			case !fails && o.Err != nil:
				t.Errorf("%d %s: %v", o.Line, o.Text, o.Err)
			case fails && o.Err == nil:
				t.Errorf("%d %s: ok", o.Line, o.Text)
			case fails && !strings.Contains(o.Err.Error(), words):
				t.Errorf("%d %s: %v, expected it to say %q", o.Line, o.Text, o.Err, words)
			}
		}
		if steps := strings.Count(text, "\n"); err != nil || len(all) != steps || r.Failed != len(want) ||
			r.OK != steps-len(want) || len(r.Violations) > 0 || r.Clean() {
			t.Errorf("%d steps, %+v, %v", len(all), r, err)
		}
		if got := all[6].Text; got != "Сова.sees(Филин, at=(2620.0, 157.8, 1293.0))" {
			t.Errorf("a step is shown as %q", got)
		}
		r, all, err = play(h, text, script.Options{})
		if r.Failed != 1 || all[len(all)-1].Line != 7 || err != nil {
			t.Errorf("without going on: %d steps, %+v, %v", len(all), r, err)
		}
	})
}

// A step that the server does not believe has not happened, although the client thinks so.
func TestStepsThatTheServerDoesNotBelieveFail(t *testing.T) {
	t.Parallel()
	serve(t, nil, nil, func(h *sim.House) {
		t := h.T
		_, all, err := play(h, `a = player("Сова", "сова/пароль", at="shipstone")
b = player("Филин", "филин/пароль", at=place("shipstone", 40))
b.is_at(scene(40), within=0.1)
a.sees(b, at=scene(40))
patience(1)
a.set_speed(400)
a.walk_to(scene(900))
a.set_out(scene(-150))
a.is_at(scene(-150))
b.sees(a, at=a)
`, script.Options{KeepGoing: true})
		if err != nil || len(all) != 10 {
			t.Fatalf("%d steps, %v", len(all), err)
		}
		for i, o := range all {
			want := map[int]string{6: "the server does not believe where the client says it is", 8: "expected Сова at"}[i]
			if (o.Err == nil) != (want == "") || want != "" && !strings.Contains(o.Err.Error(), want) {
				t.Errorf("%s: %v", o.Text, o.Err)
			}
		}
	})
}

func TestPlayersWhoCannotComeInFail(t *testing.T) {
	t.Parallel()
	serve(t, nil, nil, func(h *sim.House) {
		t := h.T
		r, _, err := play(h, `player("Сова", "сова/пароль")`, script.Options{})
		if !r.Clean() || err != nil {
			t.Fatalf("%+v, %v", r, err)
		}
		for _, c := range [][2]string{
			{`player("Филин", "сова/другой")`, "refuses the login"},
			{`player("сова", "филин/пароль")`, "rejects the name"},
			{`player("Сыч", "сыч/пароль", at="sunpool")`, "expected at most 90 m"},
			{`player("Грач", "грач/пароль", at=(99999, 1, 1))`, "expected a place in the world: x is"},
		} {
			text, want := c[0], c[1]
			r, all, _ := play(h, text, script.Options{})
			if r.Failed != 1 || all[0].Err == nil || !strings.Contains(all[0].Err.Error(), want) {
				t.Errorf("%s: %v, expected %q", text, all, want)
			}
		}
		r, all, _ := play(h, `player("Сова", "сова/пароль")`, script.Options{Addr: "10.0.0.1:1"})
		if r.Failed != 1 || all[0].Err == nil {
			t.Errorf("without a server: %+v", all)
		}
	})
}

// Mistakes that only playing shows end the scenario, going on or not, with their line and how it came there.
func TestMistakesWhilePlayingNameTheirLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"x = scene(5)":                       "s.star:1: no place was named yet",
		"x = place((0, 9000, 0))":            "s.star:1: place: for parameter at: expected a place in the world: y is",
		"x = place((1, 2))":                  "expected a place: (X, Y, Z), found (1, 2)",
		"x = place(\"shipstone\", dy=99999)": "s.star:1: y is",
		"x = [1, 2][7]":                      "s.star:1: list index 7 out of range",
		"def f(n):\n  return n // 0\n\ndef g():\n  f(1)\n\ng()": "s.star:2: floored division by zero, called from line 5, called from line 7",
		"fail(\"nobody\", \"came\")":                            "s.star:1: fail: nobody came",
		"x = None\nx.leave()":                                   "s.star:2: NoneType has no .leave field or method",
		"x = place(\"shipstone\")\nx.w = 1":                     "s.star:2: expected a verb, found w",
		"while True:\n  pass":                                   "s.star:1: Starlark computation cancelled: the scenario takes more than 10000000 steps: does a loop never end?",
		"def f():\n  f()\nf()":                                  "s.star:2: function f called recursively",
		"x = \"\"\nfor i in range(99999999):\n  x = str(i)":     "the scenario takes more than",
		"wait(None)": "",
	} {
		s, err := script.Parse("s.star", text)
		if err == nil {
			_, err = script.Run(t.Context(), s, script.Options{Addr: "127.0.0.1:1"})
		}
		if want == "" && err == nil {
			continue // the step has failed
		}
		if mistake := (*script.Error)(nil); !errors.As(err, &mistake) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected it to say %q", text, err, want)
		}
	}
}

// Scenarios have functions, loops and values, and print.
func TestScenariosComputeWithWhatPlayersHave(t *testing.T) {
	t.Parallel()
	const text = `
def meet(names):
    all = [player(name, name + "/пароль", at=place("shipstone", i)) for i, name in enumerate(names)]
    for one in all:
        for other in all:
            if one != other:
                one.sees(other, title=1)
    return all

all = meet(["Сова", "Филин", "Сыч"])
at = all[1].position()
print(all[0].name, at, at[1] > 157, scene(1) == at, type(all[0]), bool(all[0]))
print(all[0].value("title"), all[0].carried("bread"), {all[0]: 1, at: 2}[all[0]])
while all[0].value("money") > 0:
    wait(1)
[p.leave() for p in all]
`
	var printed []string
	serve(t, nil, nil, func(h *sim.House) {
		t := h.T
		r, all, err := play(h, text, script.Options{Patience: 10 * time.Second,
			Print: func(s string) { printed = append(printed, s) }})
		if err != nil || !r.Clean() || r.OK != 3+6+3 || all[3].Line != 7 ||
			all[3].Text != "Сова.sees(Филин, title=1)" {
			t.Errorf("%+v %+v: %v", r, all, err)
		}
		if want := []string{"Сова (2615.0, 157.8, 1293.0) True True player True", "1 10 1"}; !slices.Equal(printed, want) {
			t.Errorf("printed %q, expected %q", printed, want)
		}
	})
}

func TestAnInterruptedScenarioEnds(t *testing.T) {
	t.Parallel()
	serve(t, nil, nil, func(h *sim.House) {
		t := h.T
		s, err := script.Parse("wait.star", "player(\"Сова\", \"сова/пароль\")\nwait(3600)\nwait(3600)")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		steps := 0
		r, err := script.Run(ctx, s, script.Options{Addr: h.Addr, Client: h.Client(sim.Host(1)), KeepGoing: true, Tell: func(o script.Outcome) {
			if steps++; steps == 1 {
				time.AfterFunc(50*time.Millisecond, cancel)
			}
		}})
		if r.OK != 1 || r.Failed != 1 || err != nil {
			t.Errorf("%+v, %v", r, err)
		}
		for text, want := range map[string]string{"while True:\n  wait(0.001)": "",
			"x = 1\nwhile True:\n  x = x * 3 % 1000003": "s.star:"} {
			r, all, err := play(h, text, script.Options{Limit: 100 * time.Millisecond, KeepGoing: true})
			switch last := len(all) - 1; {
			case err != nil && strings.Contains(err.Error(), "the scenario takes "): // longer than 100ms, or too many steps
			case err != nil || want != "" || r.Failed != 1 || !strings.Contains(all[last].Err.Error(),
				"the scenario takes longer than 100ms"):
				t.Errorf("%s: %+v, %v", text, r, err)
			}
		}
	})
}
