package config

import (
	"errors"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sphereserver/coords"
	"time"

	"pgregory.net/rapid"

	"sphereserver/packets"
)

// TestValuesOfEachKind sets keys of each kind as a flag does, and reads them back as a flag writes them.
func TestValuesOfEachKind(t *testing.T) {
	for _, c := range []struct{ key, text, want string }{
		{"server.name", "Сфера", "Сфера"},
		{"server.take-over", "1", "true"},
		{"server.take-over", "F", "false"},
		{"server.dialect", "classic", "classic"},
		{"server.start", "Shipstone", "Shipstone"},
		{"server.start", "1.5 2 -3 0.25", "1.5 2 -3 0.25"},
		{"limits.max-per-address", "12", "12"},
		{"limits.new-per-address", "2.50", "2.5"},
		{"backups.every", "90m", "1h30m"},
		{"backups.every", "3600s", "1h"},
		{"backups.every", "0s", "0s"},
		{"timeouts.login", "1500ms", "1.5s"},
		{"log.level", "warn", "warn"},
		{"log.format", "json", "json"},
		{"log.format", "text", "text"},
		{"admin.hosts", " a.example, b.example ", "a.example,b.example"},
		{"admin.networks", "10.0.0.0/8,192.0.2.7", "10.0.0.0/8,192.0.2.7"},
		{"admin.networks", "", ""},
		{"admin.listen", "", ""},
		{"public.connect", "", ""},
		{"admin.url", "", ""},
		{"admin.url", "https://example.org:8443/sphere/", "https://example.org:8443/sphere/"},
		{"public.connect", "play.example.org", "play.example.org"},
	} {
		s, k := Defaults(), key(t, c.key)
		if err := k.Set(&s, c.text); err != nil {
			t.Errorf("%s = %q: %v", c.key, c.text, err)
		}
		if got := k.Get(&s); got != c.want {
			t.Errorf("%s = %q reads %q, expected %q", c.key, c.text, got, c.want)
		}
	}
}

// TestWrongValuesChangeNothing has their errors.
func TestWrongValuesChangeNothing(t *testing.T) {
	for _, c := range []struct{ key, text, want string }{
		{"server.take-over", "maybe", `expected true or false, found "maybe"`},
		{"limits.max-per-address", "0", "expected a whole number from 1 to 45201, found 0"},
		{"limits.max-per-address", "45202", "from 1 to 45201, found 45202"},
		{"limits.max-per-address", "1.5", `found "1.5"`},
		{"public.connect", "a b", "without a port"},
		{"admin.url", "sphere.example.org", "expected an address like"},
		{"admin.url", "javascript:alert(1)", "expected an address like"},
		{"admin.url", "https://", "expected an address like"},
		{"admin.url", "https://chief:secret@example.org", "expected an address like"},
		{"admin.url", "https://example.org/?a=b", "expected an address like"},
		{"public.connect", "203.0.113.5:25860", "without a port"},
		{"limits.max-per-address", "99999999999999999999", "expected a whole number"},
		{"limits.new-per-address", "NaN", "expected a number"},
		{"limits.new-per-address", "Inf", "expected a number"},
		{"timeouts.login", "10", "expected a time with its unit"},
		{"timeouts.login", "1ns", "from 10ms to 24h, found 1ns"},
		{"log.level", "loud", "expected debug, info, warn or error"},
		{"log.format", "jsno", `did you mean "json"?`},
		{"server.dialect", "1999", "expected "},
		{"chat.motto", "Турнир 😀", `expected characters that players have, found "😀" (number 8 of the text)`},
		{"server.start", "1e9 0 0", "expected a point of the world"},
		{"server.start", "Atlantis", "expected the name of a place"},
		{"server.listen", "here", `expected HOST:PORT, found "here"`},
		{"server.listen", "::1:26020", `expected HOST:PORT, found "::1:26020", did you mean "[::1]:26020"?`},
		{"server.listen", "a:b:5", `expected HOST:PORT, found "a:b:5"`},
		{"server.name", "a\x00b", "expected no control characters"},
		{"server.name", "\xff", "expected UTF-8"},
		{"server.name", "", `expected a name that can be seen, like Sphere, found ""`},
		{"server.name", " \u00a0\u200b", "expected a name that can be seen"},
		{"server.name", strings.Repeat("я", 1001), "expected at most 1000 characters, found 1001"},
		{"admin.hosts", "a.example,host:80", "expected the name of a host without a port"},
		{"server.listen", "25860", `did you mean ":25860"?`},
		{"server.listen", "300.1.1.1:25860", `expected an address like 192.168.0.10, found "300.1.1.1"`},
		{"server.restart", "5", `did you mean "05:00"?`},
		{"server.restart", "5.30", `did you mean "05:30"?`},
		{"server.restart", "soon", `like 05:00, found "soon"`},
		{"public.connect", "https://sphere.example/a", `did you mean "sphere.example"?`},
		{"public.connect", "203.0.113.5:25860", `did you mean "203.0.113.5"?`},
		{"public.connect", "1.2.3.4.5", "without a port"},
		{"world.hearing", "100m", "did you mean 100?"},
		{"world.hearing", "far", `100000, found "far"`},
		{"server.admit", ",", `expected a value on both sides of each comma, found ","`},
		{"server.admit", "a,,b,", `found "a,,b,", did you mean a,b?`},
		{"browsers.browser-rules", "a=b,a = c", `expected each of them once, found "a" twice`},
		{"browsers.browser-rules", "uptime=0", `expected another key than uptime`},
		{"browsers.browser-rules", "0=b", `expected another key than 0`},
		{"browsers.browser-rules", "=b", "expected a rule like site="},
		{"admin.networks", "10.0.0.0/33", "expected a network like 10.0.0.0/8"},
	} {
		s, k := Defaults(), key(t, c.key)
		before := k.Get(&s)
		if err := k.Set(&s, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %q: %v, expected %s", c.key, c.text, err, c.want)
		}
		if after := k.Get(&s); after != before {
			t.Errorf("%s = %q has changed %q to %q", c.key, c.text, before, after)
		}
	}
}

// TestWhatAKeyHasIsTakenFromFileFlagAndEnvironment draws values, and has each source say them.
func TestWhatAKeyHasIsTakenFromFileFlagAndEnvironment(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	rapid.Check(t, func(r *rapid.T) {
		k := rapid.SampledFrom(Keys()).Draw(r, "key")
		s := Defaults()
		text := k.Get(&s)
		switch k.Kind() {
		case Bool:
			text = rapid.SampledFrom([]string{"true", "false"}).Draw(r, "bool")
		case Int, Number, Duration:
			text = rapid.SampledFrom([]string{k.Min, k.Max}).Draw(r, "bound")
		case Text:
			if len(k.OneOf) > 0 {
				text = rapid.SampledFrom(k.OneOf).Draw(r, "word")
			}
		}
		if err := k.Set(&s, text); err != nil {
			r.Fatalf("%s = %q: %v", k.Name, text, err)
		}
		want := k.Get(&s)
		if err := os.WriteFile(path, []byte("["+k.Table()+"]\n"+k.LastName()+" = "+k.fileValue(&s)+"\n"), 0o600); err != nil {
			r.Fatal(err)
		}
		env := func(name string) (string, bool) { return want, name == k.Env() }
		for from, sources := range map[string]Sources{
			"file":        {Defaults: Defaults(), File: path},
			"environment": {Defaults: Defaults(), Env: env},
			"flag":        {Defaults: Defaults(), Env: env, Flags: map[string]string{k.Flag: want}},
		} {
			c, err := Load(sources)
			if err != nil {
				r.Fatalf("%s = %q: %v", k.Name, want, err)
			}
			if got := k.Get(&c.Settings); got != want || c.Origin(k).From != from {
				r.Fatalf("%s = %q from the %s: %q from %s", k.Name, want, from, got, c.Origin(k))
			}
		}
	})
}

func TestFlags(t *testing.T) {
	flags, given := Flags(Defaults())
	byName := map[string]*Flag{}
	for _, f := range flags {
		byName[f.Key.Flag] = f
	}
	for name, kind := range map[string]string{"name": "string", "take-over": "bool", "max-per-address": "int",
		"new-per-address": "float",
		"backups-every":   "duration", "admin-hosts": "list", "dialect": "string"} {
		f := byName[name]
		if f == nil || f.Type() != kind {
			t.Errorf("--%s: %v, expected a %s", name, f, kind)
		}
	}
	f := byName["max-per-address"]
	if f.String() != "8" || len(given) != 0 {
		t.Errorf("the default is %s, given %v", f, given)
	}
	if err := f.Set("9"); err != nil || f.String() != "9" || given["max-per-address"] != "9" {
		t.Errorf("set to %s, given %v, %v", f, given, err)
	}
	if err := f.Set("none"); err == nil || given["max-per-address"] != "9" {
		t.Errorf("a wrong value: %v, given %v", err, given)
	}
	if (&Flag{}).String() != "" { // pflag asks a zero one
		t.Error("a flag of nothing has a text")
	}
}

func TestHostsAndNetworks(t *testing.T) {
	for text, ok := range map[string]bool{"example.org": true, "my_host-1": true, "192.0.2.7": true, "[2001:db8::1]": true,
		"2001:db8::1": true,
		"":            false, "a b": false, "host:80": false, "хост": false, strings.Repeat("a", 254): false} {
		if err := hostName(text); (err == nil) != ok {
			t.Errorf("host %q: %v", text, err)
		}
	}
	for text, want := range map[string]string{"10.1.2.3/8": "10.0.0.0/8", "192.0.2.7": "192.0.2.7/32",
		"::ffff:192.0.2.7": "192.0.2.7/32",
		"2001:db8::1/32":   "2001:db8::/32", "2001:db8::1": "2001:db8::1/128"} {
		if got, err := ParseNetwork(text); err != nil || got != netip.MustParsePrefix(want) {
			t.Errorf("network %q: %v, %v; expected %s", text, got, err, want)
		}
	}
	if err := optionalHostPort("127.0.0.1:x"); err == nil {
		t.Error("a port x was taken")
	}
}

// A file that cannot be read, or is far too long, is a problem of its own, and nothing of it counts.
func TestFilesThatAreNone(t *testing.T) {
	long := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(long, []byte(strings.Repeat("# much\n", maxFile/7+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(Sources{Defaults: Defaults(), File: long, Optional: true}); err == nil ||
		!strings.Contains(err.Error(), "at most 1048576 bytes") {
		t.Errorf("a file of more than a megabyte: %v", err)
	}
	if _, err := Load(Sources{Defaults: Defaults(), File: t.TempDir(), Optional: true}); err == nil {
		t.Error("a folder was read")
	}
	var problems Problems
	_, err := Load(Sources{Defaults: Defaults(), File: write(t, "[server]\nname = 5\nx = 1\n")})
	if !errors.As(err, &problems) || len(problems) != 2 {
		t.Fatalf("%v", err)
	}
	if p := problems[0]; p.Line != 2 || p.Column != 8 || p.Key != "server.name" || !strings.HasSuffix(p.File, FileName) {
		t.Errorf("%+v", p)
	}
	if text := problems.Error(); strings.Count(text, "; ") != 1 {
		t.Errorf("%q", text)
	}
}

func TestTheDefaultsAreThoseThatShip(t *testing.T) {
	s := Defaults()
	if s.Name != "Sphere" || s.Log.Level != slog.LevelInfo || s.Backups.Every != 24*time.Hour ||
		s.Admin.Listen != "127.0.0.1:8860" || !s.ChatLog {
		t.Errorf("%+v", s)
	}
	if k := key(t, "server.dialect"); !slices.Contains(k.OneOf, s.Game.Generation.String()) ||
		s.Game.Dialect != packets.Dialect2026 || !s.Game.Auto {
		t.Errorf("dialect %v of %v", s.Game.Generation, k.OneOf)
	}
	if _, ok := KeyNamed("server.nonsense"); ok {
		t.Error("there is a key server.nonsense")
	}
	for _, k := range Keys() {
		for _, russian := range []bool{false, true} {
			if strings.Contains(k.Doc(russian), "`") {
				t.Errorf("%s: backquotes in %q", k.Name, k.Doc(russian))
			}
		}
	}
}

// A change of a key that needs a restart is told and does not count; subscribers hear only of changes that count.
func TestAChangeThatNeedsARestart(t *testing.T) {
	path := write(t, "")
	from := Sources{Defaults: Defaults(), File: path}
	c, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	live := Running(c, from, slog.New(slog.DiscardHandler))
	told := 0
	live.OnChange(func(Settings) { told++ })
	listen := key(t, "server.listen")
	changes, err := live.Write(listen, ":2")
	if err != nil || len(changes) != 1 || !changes[0].Restart || changes[0].From.Line == 0 {
		t.Fatalf("%+v, %v", changes, err)
	}
	if s := live.Settings(); told != 0 || s.Game.Listen != ":25860" {
		t.Errorf("told %d times, listens on %s", told, s.Game.Listen)
	}
	if _, err := live.Write(listen, "nowhere"); err == nil {
		t.Error("a wrong value was written")
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), `listen = ":2"`) {
		t.Errorf("the file has %q, %v", text, err)
	}
	nowhere := Running(c, Sources{Defaults: Defaults()}, slog.New(slog.DiscardHandler))
	if _, err := nowhere.Write(listen, ":3"); !errors.Is(err, ErrNoFile) {
		t.Errorf("without a file: %v", err)
	}
}

// Several starts come back as they were given, and none of them may be nowhere.
func TestStartsAreOneOrMorePlaces(t *testing.T) {
	first, more := coords.Position{}, []coords.Position{}
	v := starts{&first, &more}
	for _, c := range []struct {
		given, text string
		count       int
	}{
		{"Torweal", "Torweal", 1},
		{"Torweal,  Sunpool, 1 2 3", "Torweal, Sunpool, 1 2 3 0", 3},
		{"Shipstone", "Shipstone", 1},
	} {
		if err := v.setText(c.given); err != nil || v.text() != c.text || len(more) != c.count-1 {
			t.Errorf("%s: %s, %v, %v", c.given, v.text(), more, err)
		}
	}
	for _, bad := range []string{"", "Torweal,", ",", "Torweal, Nowhere"} {
		if v.setText(bad) == nil || v.text() != "Shipstone" {
			t.Errorf("%q: %s", bad, v.text())
		}
	}
}

// What no client can connect to is not told to players.
func TestConnectAddress(t *testing.T) {
	for text, ok := range map[string]bool{"": true, "203.0.113.7": true, "sphere.example": true, "127.0.0.1": true,
		"0.0.0.0": false, "224.0.0.1": false, "255.255.255.255": false, "::1": false, "[2001:db8::1]": false,
		"203.0.113.7:25860": false, "http://sphere.example": false, "1.2.3": false} {
		if err := connectAddress(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// No setting takes an address that can be nobody's.
func TestAddressesThatCanBeNobodys(t *testing.T) {
	for what, check := range map[string]func(string) error{"hostPort": hostPort, "address": address, "webAddress": webAddress,
		"network": network} {
		for text, ok := range map[string]map[string]bool{
			"hostPort": {":25860": true, "0.0.0.0:1": true, "[::]:1": true, "localhost:1": true, "a.example:0": true,
				"[fe80::1%eth0]:1": true, "224.0.0.1:1": false, "255.255.255.255:1": false, "[ff02::1]:1": false,
				"[::ffff:224.0.0.1]:1": false, "192.0.2.300:1": false, "1.2.3:1": false, "a b:1": false, "сервер:1": false},
			"address": {"": true, "203.0.113.7": true, "2001:db8::1": true, "127.0.0.1": true, "0.0.0.0": false, "::": false,
				"224.0.0.1": false, "255.255.255.255": false, "ff02::1": false, "fe80::1%eth0": false, "192.0.2.300": false,
				"203.0.113.7:25860": false, "sphere.example": false, "10.0.0.0/8": false, "１.2.3.4": false},
			"webAddress": {"": true, "https://sphere.example": true, "http://203.0.113.7:8860": true, "https://[2001:db8::1]/a": true,
				"https://0.0.0.0": false, "https://192.0.2.300": false, "https://224.0.0.1": false, "https://1.2.3": false,
				"https://:8860": false, "https://a_ b": false, "https://[::]": false, "https://сервер": false},
			"network": {"10.0.0.0/8": true, "0.0.0.0/0": true, "::/0": true, "127.0.0.1": true, "2001:db8::/32": true,
				"0.0.0.0": false, "::": false, "224.0.0.0/4": false, "255.255.255.255": false, "ff00::/8": false, "10.0.0.0/33": false},
		}[what] {
			if err := check(text); (err == nil) != ok {
				t.Errorf("%s %q: %v", what, text, err)
			}
		}
	}
}

// An address in letters of another script is refused with the form that is wanted.
func TestAddressesOfOtherScripts(t *testing.T) {
	if err := webAddress("https://сфера.рф"); err == nil || !strings.Contains(err.Error(), "xn--") {
		t.Errorf("found %v", err)
	}
	if err := webAddress("https://xn--80aj5acd.xn--p1ai"); err != nil {
		t.Error(err)
	}
}
