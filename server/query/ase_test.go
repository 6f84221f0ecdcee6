package query

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"sphereserver/packets/ase"
)

// asked is the answer to a query, read.
func asked[A ase.Answer](t *testing.T, r *aseResponder, now clock, q ase.Query) (m A, wire []byte) {
	t.Helper()
	out, what := r.respond(now, from("192.0.2.1:5000"), q.Append(nil))
	if what != answered {
		t.Fatalf("%q: %v", q, outcomeNames[what])
	}
	got, err := ase.Decode(out)
	if err != nil {
		t.Fatalf("%q: % X: %v", q, out, err)
	}
	return got.(A), bytes.Clone(out)
}

// Source: protocol ase 13.
func TestASEGoldenAnswers(t *testing.T) {
	r := newASEResponder(unlimited(), newBoard(2))
	r.compose = func(q ase.Query, _ *Info) ase.Answer {
		block := ase.MapBlock{Map: "Docks", Facts: []string{"2/32"}}
		switch q {
		case ase.AskEYE1:
			return &ase.EYE1{Game: "mta", Port: "22003", Name: "Test server", Type: "race", Map: "Docks", Version: "1.6",
				Password: "0",
				Players:  "2", Slots: "32", Rules: []ase.Rule{{Key: "speed", Value: "fast"}}, List: []ase.Player{
					{Name: "Ann", Score: "12", Ping: "45"}, {Name: "Женя", Team: "red", Score: "-3", Ping: "0", Time: "7"}}}
		case ase.AskEYE3:
			return &ase.EYE3{Game: "mta", Name: "Test server", Type: "race", Map: block, Version: "1.6", Players: 2, Slots: 32}
		}
		block.Facts = append(block.Facts, "9", "22000", "", "", "3600", "22005")
		return &ase.EYE2{Game: "mta", Port: "22003", Name: "Test server", Type: "race", Map: block, Version: "1.6",
			Players: 2, Slots: 32,
			Names: []string{"Ann", "Женя"}}
	}
	r.source.(*board).set(Info{Name: "Test server", Version: "1.6"})
	short := `45594532046d74610632323030330c5465737420736572766572057261636520
		446f636b7300322f333200390032323030300000003336303000323230303504
		312e360000022004416e6e09d096d0b5d0bdd18f`
	for request, want := range map[string]string{
		"s": `45594531046d74610632323030330c5465737420736572766572057261636506
			446f636b7304312e36023002320333320673706565640566617374013f04416e
			6e0101033132033435013f09d096d0b5d0bdd18f0472656401032d3302300237`,
		"r": short, "b": short, "r mtasa": short,
		"x": `45594533046d74610c546573742073657276657205726163650b446f636b7300
			322f333204312e36000220`,
		"v": "312e36",
	} {
		if got, what := r.respond(0, from("192.0.2.1:5000"), []byte(request)); what != answered ||
			!bytes.Equal(got, unhex(t, want)) {
			t.Errorf("%q: %v, % X", request, what, got)
		}
	}
}

func TestASETellsTheServer(t *testing.T) {
	b := newBoard(2)
	r := newASEResponder(unlimited(), b)
	full, _ := asked[*ase.EYE1](t, r, 0, ase.AskEYE1)
	if diff := cmp.Diff(&ase.EYE1{Game: "sphere", Port: "25860", Name: "Сфера", Type: "MMORPG", Map: "Hyperion",
		Version: "0.1", Password: "0",
		Players: "2", Slots: "10000", Rules: []ase.Rule{{Key: "uptime", Value: "3600"}}, List: []ase.Player{
			{Flags: ase.AllFlags, Name: "Игрок0", Score: "1", Time: "0"},
			{Flags: ase.AllFlags, Name: "Игрок1", Score: "2", Time: "1"}}}, full); diff != "" {
		t.Error(diff)
	}
	names, _ := asked[*ase.EYE2](t, r, 0, ase.AskEYE2)
	block := ase.MapBlock{Map: "Hyperion", Facts: []string{"2/10000", "9", "0", "", "", "3600", "0"}}
	if diff := cmp.Diff(&ase.EYE2{Game: "sphere", Port: "25860", Name: "Сфера", Type: "MMORPG", Map: block,
		Version: "0.1", Players: 2, Slots: 255,
		Names: []string{"Игрок0", "Игрок1"}}, names); diff != "" {
		t.Error(diff)
	}
	least, _ := asked[*ase.EYE3](t, r, 0, ase.AskEYE3)
	block.Facts = block.Facts[:1]
	if diff := cmp.Diff(&ase.EYE3{Game: "sphere", Name: "Сфера", Type: "MMORPG", Map: block, Version: "0.1",
		Players: 2, Slots: 255}, least); diff != "" {
		t.Error(diff)
	}
}

func TestASEWithAnyNumberOfPlayers(t *testing.T) {
	for _, n := range []int{0, 1, 200, 500, 1000, 10000} {
		for _, hide := range []bool{false, true} {
			o := unlimited()
			o.HideNames = hide
			r := newASEResponder(o, newBoard(n))
			full, wire := asked[*ase.EYE1](t, r, 0, ase.AskEYE1)
			if players, slots, _ := full.Counts(); players != n || slots != 10000 || len(wire) > 1350 {
				t.Errorf("%d players: %d of %d in %d bytes", n, players, slots, len(wire))
			}
			want := min(n, 40)
			if hide {
				want = 0
			}
			if len(full.List) < want || hide && len(full.List) > 0 {
				t.Errorf("%d players: %d listed", n, len(full.List))
			}
			names, wire := asked[*ase.EYE2](t, r, 0, ase.AskEYE2)
			if players, _, _ := names.Counts(); players != n || len(wire) > 1340 || n <= 1000 && len(names.Names) != n {
				t.Errorf("%d players: %d, %d entries in %d bytes", n, players, len(names.Names), len(wire))
			}
			if hide && strings.Join(names.Names, "") != "" {
				t.Errorf("hidden names are told: %q", names.Names)
			}
			least, _ := asked[*ase.EYE3](t, r, 0, ase.AskEYE3)
			if players, _, _ := least.Counts(); players != n || int(least.Players) != min(n, 255) {
				t.Errorf("%d players: %d", n, players)
			}
		}
	}
}

func TestASENeverLooksLikeASplitAnswer(t *testing.T) {
	for _, most := range []int{1350, 1400, 8192} {
		o := unlimited()
		o.ASE.MaxAnswer = most
		random := rand.New(rand.NewPCG(1, uint64(most)))
		b := newBoard(0)
		for n := range 301 {
			r := newASEResponder(o, b)
			i := *b.info.Load()
			i.Players = make([]Player, n)
			for j := range i.Players {
				i.Players[j].Name = strings.Repeat("x", random.IntN(30))
			}
			b.set(i)
			if _, wire := asked[*ase.EYE1](t, r, 0, ase.AskEYE1); len(wire) == 1364 || len(wire) > most {
				t.Errorf("%d players: %d bytes", n, len(wire))
			}
		}
	}
}

func TestASETextsOfAnyKind(t *testing.T) {
	for _, name := range []string{"", "x", strings.Repeat("x", 254), strings.Repeat("x", 255), strings.Repeat("ж", 300),
		"a\x00b", "\xff\xfe\xd0",
		"line\nline", strings.Repeat("🙂", 100)} {
		b := new(board)
		b.set(Info{Name: "n" + name, Version: name, Map: name, Players: []Player{{Name: name}},
			Rules: []Rule{{name, name}, {name, "twice"}, {"", "x"}}})
		r := newASEResponder(unlimited(), b)
		full, wire := asked[*ase.EYE1](t, r, 0, ase.AskEYE1)
		if !utf8.Valid(wire[4:]) && utf8.ValidString(full.Name+full.Map) == false || len(full.Name) > 96 ||
			len(full.Map) > 200 ||
			len(full.List[0].Name) > 100 || utf8.RuneCountInString(full.List[0].Name) > 22 || len(full.Rules) > 1 {
			t.Errorf("%q: %+v", name, full)
		}
		for _, text := range []string{full.Name, full.Version, full.Map, full.List[0].Name} {
			if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\n") {
				t.Errorf("%q became %q", name, text)
			}
		}
		names, _ := asked[*ase.EYE2](t, r, 0, ase.AskEYE2)
		if len(names.Map.Facts) != 7 || len(names.Names) != 1 {
			t.Errorf("%q: %+v", name, names)
		}
		asked[*ase.EYE3](t, r, 0, ase.AskEYE3)
	}
}

func TestASEColoursOfMultiTheftAuto(t *testing.T) {
	o := unlimited()
	o.ASE.Game = "mta"
	b := newBoard(0)
	b.set(Info{Name: "n", Players: []Player{{Name: "#FF0000Red"}, {Name: "#FF0000"}}})
	full, _ := asked[*ase.EYE1](t, newASEResponder(o, b), 0, ase.AskEYE1)
	if full.List[0].Name != "Red" || full.List[1].Name != "#FF0000" {
		t.Errorf("%q", full.List)
	}
}

func TestASECache(t *testing.T) {
	b := newBoard(1)
	r := newASEResponder(unlimited(), b)
	count := func(now time.Duration) string {
		m, _ := asked[*ase.EYE1](t, r, at(now), ase.AskEYE1)
		return fmt.Sprintf("%s %s", m.Players, m.List[0].Name)
	}
	change := func(n int, name string) {
		i := *b.info.Load()
		i.Players = crowd(n)
		i.Players[0].Name = name
		b.set(i)
	}
	for _, step := range []struct {
		at   time.Duration
		n    int
		name string
		want string
	}{
		{0, 1, "A", "1 A"}, {500, 2, "A", "1 A"}, {1000, 2, "A", "2 A"}, {1500, 3, "A", "2 A"}, {2000, 3, "A", "3 A"},
		{2100, 3, "B", "3 A"}, {11900, 3, "B", "3 A"}, {12000, 3, "B", "3 B"},
	} {
		change(step.n, step.name)
		if got := count(step.at * time.Millisecond); got != step.want {
			t.Errorf("at %v ms: %s, want %s", int64(step.at), got, step.want)
		}
	}
}

func TestASELimitsForOneAddress(t *testing.T) {
	r := newASEResponder(limited(), newBoard(3))
	ask := func(now time.Duration, a string) outcome {
		_, what := r.respond(at(now), from(a), []byte("s"))
		return what
	}
	answers := 0
	for i := range 6 {
		if ask(time.Duration(i)*time.Second, "192.0.2.1:5000") == answered {
			answers++
		}
	}
	if answers != 5 {
		t.Errorf("%d answers to six requests in 6 s", answers)
	}
	if what := ask(11*time.Second, "192.0.2.1:6000"); what != addressLimit {
		t.Errorf("in the silence: %v", outcomeNames[what])
	}
	if what := ask(12*time.Second, "192.0.2.1:5000"); what != answered {
		t.Errorf("after 7 s of silence: %v", outcomeNames[what])
	}
}

func TestASELimitsForANetwork(t *testing.T) {
	r := newASEResponder(limited(), newBoard(3))
	count := func(now time.Duration, network string) (n int) {
		for i := range 200 {
			if _, what := r.respond(at(now), from(fmt.Sprintf(network, i+1)), []byte("x")); what == answered {
				n++
			} else if what != networkLimit && what != addressLimit {
				t.Errorf("%v", outcomeNames[what])
			}
		}
		return n
	}
	if n := count(0, "198.51.100.%d:9"); n != 5 {
		t.Errorf("%d answers at once to one /24", n)
	}
	if n := count(3*time.Second, "198.51.100.%d:9"); n != 5 {
		t.Errorf("%d answers after 3 s", n)
	}
	if n := count(3*time.Second, "[2001:db8::%d]:9"); n != 5 {
		t.Errorf("%d answers at once to one /64", n)
	}
	if n := count(4*time.Second, "198.51.100.%d:9"); n != 2 {
		t.Errorf("%d answers after another second", n)
	}
}

func TestASELimitsInAll(t *testing.T) {
	for q, want := range map[string]int{"x": 100, "s": 48} { // answers, bytes
		r := newASEResponder(limited(), newBoard(200))
		answers, size := 0, 0
		for i := range 10000 {
			out, what := r.respond(at(time.Duration(i)*time.Microsecond),
				netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 1}), 9), []byte(q))
			if what == answered {
				answers++
				size += len(out)
			}
		}
		if answers < want || answers > want+1 || size > 66<<10 {
			t.Errorf("%q: %d answers with %d bytes at once", q, answers, size)
		}
	}
}

func TestASELoopbackIsExemptOnlyWhenToldTo(t *testing.T) {
	for _, exempt := range []bool{false, true} {
		o := limited()
		o.ExemptLoopback = exempt
		r := newASEResponder(o, newBoard(1))
		n := 0
		for range 50 {
			if _, what := r.respond(0, from("127.0.0.1:9"), []byte("x")); what == answered {
				n++
			}
		}
		if exempt && n != 50 || !exempt && n != 5 {
			t.Errorf("exempt %v: %d answers", exempt, n)
		}
	}
}

func TestASEIsSilent(t *testing.T) {
	b := newBoard(1)
	r := newASEResponder(unlimited(), b)
	for _, datagram := range []string{"", "p", "S", "\x00s", "EYE1", "\xFE\xFD\x09\x00\x00\x00\x01"} {
		if out, what := r.respond(0, from("192.0.2.1:5000"), []byte(datagram)); out != nil || what != malformed {
			t.Errorf("%q: % X, %v", datagram, out, outcomeNames[what])
		}
	}
	b.set(Info{})
	for _, q := range "srbxv" {
		if out, what := r.respond(0, from("192.0.2.1:5000"), []byte(string(q))); out != nil || what != notReady {
			t.Errorf("not ready, %q: % X, %v", q, out, outcomeNames[what])
		}
	}
	b.set(Info{Name: "without a version"})
	if out, what := r.respond(0, from("192.0.2.1:5000"), []byte("v")); out != nil || what != notReady {
		t.Errorf("no version: % X, %v", out, outcomeNames[what])
	}
}

// Nothing that is answered can make two servers talk to each other for ever.
func TestASEAnswersAreNoRequests(t *testing.T) {
	b := newBoard(1)
	i := *b.info.Load()
	i.Version = "v0.1"
	b.set(i)
	r := newASEResponder(unlimited(), b)
	for _, q := range "srbxv" {
		out, _ := r.respond(0, from("192.0.2.1:5000"), []byte(string(q)))
		if _, ok := ase.ParseQuery(out); ok {
			t.Errorf("the answer to %q asks something: %q", q, out)
		}
	}
}

func TestASERefusalsAllocateNothing(t *testing.T) {
	r := newASEResponder(limited(), newBoard(100))
	now := clock(0)
	i := 0
	if n := testing.AllocsPerRun(2000, func() {
		i++
		r.respond(now, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 1}), 9), []byte("s"))
		r.respond(now, from127, []byte("s"))
		r.respond(now, from127, []byte("zzz"))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var from127 = netip.MustParseAddrPort("127.0.0.1:9")
