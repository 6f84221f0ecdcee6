package script

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/packets"
)

// bound reads the arguments of a call that stands in a scenario of its own.
func bound(t *testing.T, r *Runner, call string) (*args, error) {
	t.Helper()
	var got *args
	var failed error
	name, _, _ := strings.Cut(call, "(")
	v := globals()[name]
	if v == nil {
		v = methods()[name]
	}
	if v == nil {
		t.Fatalf("%s: no such verb", call)
	}
	reader := starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, positional starlark.Tuple,
		named []starlark.Tuple) (starlark.Value, error) {
		got, failed = r.bind(v, positional, named)
		return starlark.None, nil
	})
	known := starlark.StringDict{name: reader, "a": &player{runner: r, name: "Сова"},
		"b": &player{runner: r, name: "Филин"}}
	if _, err := starlark.ExecFileOptions(dialect, new(starlark.Thread), "s.star", call, known); err != nil {
		t.Fatalf("%s: %v", call, err)
	}
	return got, failed
}

// argText shows the arguments that were read.
func argText(a *args) string {
	var out []string
	add := func(name string, v any) { out = append(out, fmt.Sprintf("%s=%v", name, v)) }
	if a.text != "" {
		add("text", a.text)
	}
	if a.clan != nil {
		add("clan", *a.clan)
	}
	if a.login != "" {
		add("login", a.login+" "+a.password)
	}
	for _, o := range a.others {
		add("other", o.name)
	}
	if a.at != nil {
		add("at", pointText(*a.at))
	}
	if a.offset != [3]float64{} {
		add("offset", a.offset)
	}
	if a.number != nil {
		add("number", *a.number)
	}
	if a.count != nil {
		add("count", *a.count)
	}
	if a.span != 0 {
		add("span", a.span)
	}
	if a.channel != nil {
		add("channel", a.channel.name)
	}
	if a.stat != nil {
		add("stat", a.stat.name)
	}
	for _, w := range a.values {
		add(w.stat.name, w.value)
	}
	if len(a.slots) > 0 {
		add("slots", a.slots)
	}
	if a.item != nil {
		add("item", fmt.Sprintf("%d/%d", a.item.class, a.item.gameID))
	}
	if a.landmark.key != "" {
		add("landmark", fmt.Sprintf("%s of class %d at %s", a.landmark.key, a.landmark.class, pointText(a.landmark.at)))
	}
	return strings.Join(out, " ")
}

func TestArgumentsAreRead(t *testing.T) {
	for _, v := range []struct{ call, want string }{
		// Names, texts.
		{`player("Сова", "сова/пароль/2")`, "text=Сова login=сова пароль/2"},
		{`player(login="a/b", name="Сова")`, "text=Сова login=a b"},
		{`say("")`, ""},
		{`say("Привет", "trade")`, "text=Привет channel=trade"},
		{`hears(b, "*", on="clan-say")`, "text=* other=Филин channel=clan-say"},
		{`found_clan("Ночь")`, "clan=Ночь"},
		{`sees(b, clan="")`, "clan= other=Филин"},
		// Players.
		{`in_group()`, ""},
		{`in_group(a, b)`, "other=Сова other=Филин"},
		{`in_group(*[b])`, "other=Филин"},
		{`accept(other=b)`, "other=Филин"},
		// Places.
		{`walk_to("shipstone")`, "at=2614.00 157.80 1293.00"},
		{`walk_to("Шипстоун")`, "at=2614.00 157.80 1293.00"},
		{`walk_to("  ШИПСТОУН ")`, "at=2614.00 157.80 1293.00"},
		{`walk_to((1, -2.5, 3))`, "at=1.00 -2.50 3.00"},
		{`place((1, 2, 3), 4, dz=-5)`, "at=1.00 2.00 3.00 offset=[4 0 -5]"},
		{`scene(dy=0.5)`, "offset=[0 0.5 0]"},
		{`is_at("sunpool", within=0)`, "at=422.00 153.30 -1284.00 number=0"},
		{`is_at("sunpool", None)`, "at=422.00 153.30 -1284.00"},
		// Numbers and times.
		{`turn(-90.5)`, "number=-90.5"},
		{`set_speed(30)`, "number=30"},
		{`wait(2)`, "span=2s"},
		{`wait(0.25)`, "span=250ms"},
		{`wait("1m30s")`, "span=1m30s"},
		{`does_not_see(b, during="10ms")`, "other=Филин span=10ms"},
		{`patience(3600)`, "span=1h0m0s"},
		// Values.
		{`has(title=1, money=0)`, "title=1 money=0"},
		{`has(money=0, title=1)`, "money=0 title=1"},
		{`has(**{"max_hp": 100})`, "max_hp=100"},
		{`sees(b, within=2, hp=5, at=(1, 2, 3))`, "other=Филин at=1.00 2.00 3.00 number=2 hp=5"},
		{`value("degree_points")`, "stat=degree_points"},
		{`spend("fire", -3)`, "count=-3 stat=fire"},
		// Items.
		{`carries("bread")`, "item=653/0"},
		{`carries("bread", 27, 0)`, "count=0 slots=[27] item=653/0"},
		{`move(0, to_slot=59)`, "slots=[0 59]"},
		{`swap(with_slot=1, slot=2)`, "slots=[2 1]"},
		// Objects of the world.
		{`sees_npc("npc-141d")`, "landmark=npc-141d of class"},
		{`use_portal(portal="newcomers-teleport")`, "landmark=newcomers-teleport of class"},
	} {
		a, err := bound(t, &Runner{}, v.call)
		if err != nil {
			t.Errorf("%s: %v", v.call, err)
		} else if got := argText(a); got != v.want && !(strings.HasSuffix(v.want, "class") &&
			strings.HasPrefix(got, v.want)) {
			t.Errorf("%s: read %q, expected %q", v.call, got, v.want)
		}
	}
}

// An argument that has its value only in play may be wrong though it did not look so before.
func TestArgumentsThatOnlyPlayingTellsAreWrong(t *testing.T) {
	for _, v := range []struct{ call, want string }{
		{`walk_to(None)`, "walk_to: for parameter at: expected the key or name of a place, a player, or (X, Y, Z), found None"},
		{`walk_to(a)`, "walk_to: for parameter at: Сова is not in the world"},
		{`walk_to((1, 2))`, "expected a place: (X, Y, Z), found (1, 2)"},
		{`walk_to((1, 2, "3"))`, `expected a place: (X, Y, Z), found (1, 2, "3")`},
		{`walk_to((1, 2, 1e9))`, "expected a place: (X, Y, Z)"},
		{`walk_to((99999, 2, 3))`, "expected a place in the world: x is"},
		{`walk_to("nowhere-at-all-that-anybody-knows")`, "expected the key or name of a place"},
		{`sees(None)`, "sees: for parameter other: expected a player, found None"},
		{`in_group(None)`, "in_group: expected a player, found None"},
		{`has(title=None)`, "has: title: expected a whole number, found None"},
		{`has(**{})`, "has: expected values, like title=1"},
		{`has(**{"hp": 1.5})`, "has: hp: expected a whole number, found 1.5"},
		{`carries("x" * 100)`, "expected the name of an item, found \"" + strings.Repeat("x", 59) + "…"},
		{`carries(a)`, "expected the name of an item, found the player Сова"},
		{`move(1, 2, 3)`, "move: got 3 arguments, want at most 2"},
		{`wait(1e300)`, "expected a time of at most 1h"},
		{`wait(float("nan"))`, "expected a time, like 2"},
		{`turn(float("nan"))`, "expected a number, found nan"},
		{`drop(1 << 70)`, "expected the number of a slot, 0 to 59"},
		{`drop(-1)`, "expected the number of a slot, 0 to 59, found -1"},
		{`buy("bread", count=-1)`, "expected how many, 0 or more, found -1"},
		{`say("a", on="")`, "expected a channel (near, whisper"},
	} {
		if a, err := bound(t, &Runner{}, v.call); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%s: %v, %v, expected it to say %q", v.call, a, err, v.want)
		}
	}
}

// The first place that has a name is the scene; places without one, and later ones, are not.
func TestTheFirstNamedPlaceIsTheScene(t *testing.T) {
	r := &Runner{}
	for _, call := range []string{`walk_to((1, 2, 3))`, `walk_to("shipstone")`, `walk_to("sunpool")`} {
		if _, err := bound(t, r, call); err != nil {
			t.Fatal(err)
		}
		if r.scene != nil && r.scene.X != 2614 {
			t.Errorf("after %s the scene is at %s", call, pointText(*r.scene))
		}
	}
	if r.scene == nil {
		t.Error("there is no scene")
	}
}

func TestCallsAreShownAsTheyWere(t *testing.T) {
	p := &player{name: "Сова"}
	named := func(name string, v starlark.Value) starlark.Tuple { return starlark.Tuple{starlark.String(name), v} }
	for want, got := range map[string]string{
		`Сова.leave()`: callText(methods()["leave"], p, nil, nil),
		`Сова.say("a \"b\"", on="trade")`: callText(methods()["say"], p, starlark.Tuple{starlark.String(`a "b"`)},
			[]starlark.Tuple{named("on", starlark.String("trade"))}),
		`wait(1.5)`: callText(globals()["wait"], nil, starlark.Tuple{starlark.Float(1.5)}, nil),
		`Сова.sees(Сова, title=3)`: callText(methods()["sees"], p, starlark.Tuple{p},
			[]starlark.Tuple{named("title", starlark.MakeInt(3))}),
		`Сова.walk_to((1.0, 2.0, 3.0))`: callText(methods()["walk_to"], p,
			starlark.Tuple{starlark.Tuple{starlark.Float(1), starlark.Float(2), starlark.Float(3)}}, nil),
		`expected "a" or "b", found "c"`:          `expected "a" or "b", found "c"`,
		`1 and 2 more`:                            list(names([]string{"1"}), Text{}).English + " and 2 more",
		`a, a, a, a, a, a, a, a, a, a and 2 more`: list(names(strings.Split(strings.Repeat("a,", 11)+"a", ",")), Text{}).English,
		`nothing`: list(nil, nothing).English,
		`2 older and b, a, a, a, a, a, a, a, a, c`: newest(names(strings.Split("a,a,b,"+strings.Repeat("a,", 8)+"c", ",")), Text{}).English,
		`a, b`: newest(names([]string{"a", "b"}), Text{}).English,
		`none`: newest(nil, Text{"none", ""}).English,
	} {
		if got != want {
			t.Errorf("%s, expected %s", got, want)
		}
	}
}

// Players are values: compared, kept in dicts, with their verbs as attributes.
func TestPlayersAreValues(t *testing.T) {
	r := &Runner{methods: methods()}
	a, b := &player{runner: r, name: "Сова"}, &player{runner: r, name: "Филин"}
	known := starlark.StringDict{"a": a, "b": b}
	text := "same = [a == a, a == b, a in {a: 1}, a in [b], type(a), str(a), bool(a), hasattr(a, \"name\"), hasattr(a, \"fly\"), len(dir(a))]"
	got, err := starlark.ExecFileOptions(dialect, new(starlark.Thread), "s.star", text, known)
	want := fmt.Sprintf(`[True, False, True, False, "player", "Сова", True, True, False, %d]`, len(methods())+1)
	if err != nil || got["same"].String() != want {
		t.Errorf("%v, %v, expected %s", got, err, want)
	}
	a.Freeze()
	if v, err := a.Attr("leave"); err != nil || v.String() != "<built-in function leave>" {
		t.Errorf("%v, %v", v, err)
	}
}

func TestChannelsAreNamedAsTheyAreHeard(t *testing.T) {
	for _, ch := range channels {
		a, err := bound(t, &Runner{}, fmt.Sprintf("say(%q, on=%q)", "x", ch.name))
		if err != nil || a.channel.number != ch.number {
			t.Errorf("%s: %v, %v", ch.name, a, err)
		}
	}
	for i, s := range statNames() {
		a, err := bound(t, &Runner{}, fmt.Sprintf("value(%q)", s))
		if err != nil || a.stat != &stats[i] {
			t.Errorf("%s: %v, %v", s, a, err)
		}
	}
	if abilities := 8; packets.StatBaseFire-packets.StatBaseStrength != packets.Stat(abilities-1) {
		t.Error("there are other abilities than points can be spent on")
	}
	if defaultTime != time.Hour {
		t.Error("the documents say an hour")
	}
}
