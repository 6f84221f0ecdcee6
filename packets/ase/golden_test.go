package ase

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unhex reads hexadecimal digits between spaces.
func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sample reads a file of testdata, which begins with a comment.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	_, digits, _ := strings.Cut(string(text), "\n")
	return unhex(t, digits)
}

// samples are published answers of other servers.
var samples = []string{"farcry.hex", "mta-eye1.hex", "mta-eye2.hex", "mta-eye3.hex"}

// The state of protocol ase 13.
var (
	goldenEYE1 = EYE1{Game: "mta", Port: "22003", Name: "Test server", Type: "race", Map: "Docks", Version: "1.6",
		Password: "0",
		Players:  "2", Slots: "32", Rules: []Rule{{"speed", "fast"}}, List: []Player{
			{Flags: AllFlags, Name: "Ann", Score: "12", Ping: "45"},
			{Flags: AllFlags, Name: "Женя", Team: "red", Score: "-3", Ping: "0", Time: "7"},
		}}
	goldenEYE2 = EYE2{Game: "mta", Port: "22003", Name: "Test server", Type: "race",
		Map:     MapBlock{"Docks", []string{"2/32", ReleaseBuild, "22000", "", "", "3600", "22005"}},
		Version: "1.6", Players: 2, Slots: 32, Names: []string{"Ann", "Женя"}}
	goldenEYE3 = EYE3{Game: "mta", Name: "Test server", Type: "race", Map: MapBlock{"Docks", []string{"2/32"}},
		Version: "1.6",
		Players: 2, Slots: 32}
)

const (
	goldenEYE1Hex = `
		45594531046d74610632323030330c5465737420736572766572057261636506
		446f636b7304312e36023002320333320673706565640566617374013f04416e
		6e0101033132033435013f09d096d0b5d0bdd18f0472656401032d3302300237`
	goldenEYE2Hex = `
		45594532046d74610632323030330c5465737420736572766572057261636520
		446f636b7300322f333200390032323030300000003336303000323230303504
		312e360000022004416e6e09d096d0b5d0bdd18f`
	goldenEYE3Hex = `
		45594533046d74610c546573742073657276657205726163650b446f636b7300
		322f333204312e36000220`
)

func TestGoldenAnswers(t *testing.T) {
	for _, g := range []struct {
		answer Answer
		hex    string
		length int
	}{{&goldenEYE1, goldenEYE1Hex, 96}, {&goldenEYE2, goldenEYE2Hex, 84}, {&goldenEYE3, goldenEYE3Hex, 43}} {
		t.Run(g.answer.Header(), func(t *testing.T) {
			wire := unhex(t, g.hex)
			if len(wire) != g.length {
				t.Fatalf("the example has %d bytes, want %d", len(wire), g.length)
			}
			if got := g.answer.Append([]byte("before")); string(got[:6]) != "before" || !bytes.Equal(got[6:], wire) {
				t.Errorf("written\n got % X\nwant % X", got[6:], wire)
			}
			got, err := Decode(wire)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(g.answer, got); diff != "" {
				t.Errorf("read: -want +got\n%s", diff)
			}
			if players, slots, ok := got.Counts(); players != 2 || slots != 32 || !ok {
				t.Errorf("counts %d, %d, %v", players, slots, ok)
			}
		})
	}
	if got := goldenEYE1.AppendWithin(nil, 1350); !bytes.Equal(got, unhex(t, goldenEYE1Hex)) {
		t.Errorf("within a limit: % X", got)
	}
	if got := goldenEYE2.AppendWithin(nil); !bytes.Equal(got, unhex(t, goldenEYE2Hex)) {
		t.Errorf("within a limit: % X", got)
	}
}

func TestQueries(t *testing.T) {
	for _, v := range []struct {
		datagram string
		want     Query
	}{{"s", AskEYE1}, {"r", AskEYE2}, {"b", AskEYE2Old}, {"x", AskEYE3}, {"v", AskVersion}, {"r mtasa",
		AskEYE2}, {"s\x00\xFF", AskEYE1}} {
		if q, ok := ParseQuery([]byte(v.datagram)); !ok || q != v.want {
			t.Errorf("%q: %q, %v", v.datagram, q, ok)
		}
		if got := v.want.Append(nil); string(got) != v.datagram[:1] {
			t.Errorf("request %q", got)
		}
	}
	for _, datagram := range []string{"", "p", "S", "R", "\x00", " s", "EYE1"} {
		if q, ok := ParseQuery([]byte(datagram)); ok {
			t.Errorf("%q is a request %q", datagram, q)
		}
	}
}

func TestFarCrySample(t *testing.T) {
	got, err := Decode(sample(t, "farcry.hex"))
	if err != nil {
		t.Fatal(err)
	}
	m := got.(*EYE1)
	head := *m
	head.Rules, head.List = nil, nil
	if diff := cmp.Diff(EYE1{Game: "farcry", Port: "49001", Name: "$3JAM$6AI$4QUE $21.1 FR", Type: "FFA",
		Map:     "mp_monkeybay_n",
		Version: "0.0.0.0", Password: "0", Players: "10", Slots: "12"}, head); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(m.Rules) != 14 || m.Rules[0] != (Rule{"gr_ScoreLimit", "0"}) || m.Rules[13] != (Rule{"sv_punkbuster", "1"}) {
		t.Errorf("rules %q", m.Rules)
	}
	if len(m.List) != 10 || m.List[1] != (Player{AllFlags, "Jason Bourne", "players", "", "17", "65", "8m"}) ||
		m.List[9] != (Player{AllFlags, "Jack Carver", "players", "", "8", "45", "6m"}) {
		t.Errorf("players %q", m.List)
	}
	if name := WithoutColours(m.Game, m.Name); name != "JAMAIQUE 1.1 FR" {
		t.Errorf("without colours: %q", name)
	}
}

// The examples of the description of Multi Theft Auto's answers are read, though they have words in place of numbers
// and, in EYE1, no end of rules.
func TestMultiTheftAutoExamples(t *testing.T) {
	for name, want := range map[string]Answer{
		"mta-eye1.hex": &EYE1{Game: "mta", Port: "12345", Name: "server", Type: "type", Map: "map", Version: "ver",
			Password: "P",
			Players:  "online", Slots: "max_online", WithoutRules: true,
			List: []Player{{AllFlags, "nick", "team", "skin", "score", "ping", "time"}}},
		"mta-eye2.hex": &EYE2{Game: "mta", Port: "12345", Name: "server", Type: "type",
			Map:     MapBlock{"map", []string{"10/15", "1", "0", "ping_status", "netroute", "uptime", "http_port"}},
			Version: "ver", Players: 10, Slots: 15, Names: []string{"nick", "bot"}},
		"mta-eye3.hex": &EYE3{Game: "mta", Name: "server", Type: "type", Map: MapBlock{"map", []string{"10/15"}},
			Version: "ver",
			Players: 10, Slots: 15},
	} {
		got, err := Decode(sample(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// Samples that are read whole are written as the same bytes.
func TestSamplesAreWrittenAsTheyWere(t *testing.T) {
	for _, name := range samples {
		wire := sample(t, name)
		m, err := Decode(wire)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Append(nil); !bytes.Equal(got, wire) {
			t.Errorf("%s\n got % X\nwant % X", name, got, wire)
		}
	}
}
