//go:build system && unix

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"
)

// The programs here are not ours, and their versions are pinned: by test/browsers/package-lock.json, by
// test/minequery/go.mod, and by Debian. Each asks a server, and its output is compared with the server's values,
// field by field. Their changes on the way are written down below as they are; the server does nothing to please
// them.

// A foreigner is a client that others have written, in one way to use it.
type foreigner struct {
	name string
	// ask asks and returns the program's output, as JSON would have it.
	ask func(t *testing.T, k *known) any
	// want is the output that it has to show.
	want func(k *known) any
	few  bool // it is not asked about a crowd: another way of the same client is
	many bool // it is asked about a crowd only
	eye  bool // it speaks the All-Seeing Eye, and otherwise Minecraft Query
}

// known are the server's own values.
type known struct {
	name, version, place string
	game, eye            int // ports
	slots                int
	players              []knownPlayer // all, in the order in which they are told
	eyeList, fullList    int           // how many of them the answers have room for
}

type knownPlayer struct {
	name    string
	level   int
	minutes any // aNumber while time goes on
}

// aNumber stands for a number that nobody can know beforehand, as an uptime.
const aNumber = "<a number>"

// object is one of JSON.
type object = map[string]any

var foreigners = []foreigner{
	{name: "gamedig 5.3.3, protocol-ase", eye: true, ask: node("gamedig", "5.3.3", "protocol-ase", queryPort),
		want: gamedigEye},
	{name: "gamedig 5.3.3, farcry", eye: true, ask: node("gamedig", "5.3.3", "farcry", gamePort), want: gamedigEye},
	{name: "gamedig 5.3.3, minecraft", ask: node("gamedig", "5.3.3", "minecraft", gamePort), want: gamedigMinecraft},
	{name: "gamedig 5.3.3, protocol-gamespy3", ask: node("gamedig", "5.3.3", "protocol-gamespy3", gamePort),
		want: func(k *known) any { return gamedigGameSpy(k, windows1252) }},
	{name: "minecraft-server-util 5.4.4, basic", ask: node("minecraft-server-util", "5.4.4", "basic", gamePort),
		want: utilBasic},
	{name: "minecraft-server-util 5.4.4, full", ask: node("minecraft-server-util", "5.4.4", "full", gamePort),
		want: utilFull},
	{name: "mcquery 1.0.3, basic", ask: node("mcquery", "1.0.3", "basic", gamePort), want: mcqueryBasic},
	{name: "mcquery 1.0.3, full", ask: node("mcquery", "1.0.3", "full", gamePort), want: mcqueryFull},
	{name: "minequery 2.5.0, basic", ask: minequery("basic"), want: minequeryBasic},
	{name: "minequery 2.5.0, full", few: true, ask: minequery("full"), want: minequeryFull},
	{name: "minequery 2.5.0, full, not strict", many: true, ask: minequery("lenient"), want: minequeryLenient},
	{name: "quakestat 2.17, -eye", eye: true, ask: quakestat("-eye", "-utf8"),
		want: func(k *known) any { return quakestatEye(k, asItIs) }},
	{name: "quakestat 2.17, -eye without -utf8", eye: true, ask: quakestat("-eye"),
		want: func(k *known) any { return quakestatEye(k, plainQuake) }},
	{name: "quakestat 2.17, -gs4", ask: quakestat("-gs4", "-utf8"), want: func(k *known) any {
		return quakestatGS4(k,
			asItIs)
	}},
	{name: "quakestat 2.17, -gs4 without -utf8", ask: quakestat("-gs4"), want: func(k *known) any {
		return quakestatGS4(k,
			plainQuake)
	}},
}

const (
	browsersFolder  = "../../test/browsers"
	minequeryFolder = "../../test/minequery"
	foreignPatience = 3 * time.Minute
)

var everything = flag.Bool("everything", false, "fail without a foreign client or a browser, instead of skipping its test")

// notInstalled skips a test without its foreign client. Where everything has to be there, that is a failure.
func notInstalled(t *testing.T, client, remedy string) {
	t.Helper()
	if *everything {
		t.Fatalf("%s is not installed: %s", client, remedy)
	}
	t.Skipf("%s is not installed: %s", client, remedy)
}

// output runs a foreign client, which has to succeed.
func output(t *testing.T, program string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.WaitDelay = time.Second
	defer time.AfterFunc(foreignPatience, func() { _ = c.Process.Kill() }).Stop()
	var complaint strings.Builder
	c.Stderr = &complaint
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%q: %v\n%s%s", c.Args, err, out, complaint.String())
	}
	return string(out)
}

func fromJSON(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func gamePort(k *known) int  { return k.game }
func queryPort(k *known) int { return k.eye }

// node asks with a package of npm, by the small program of ours that is named after it.
func node(client, version, way string, port func(*known) int) func(*testing.T, *known) any {
	return func(t *testing.T, k *known) any {
		t.Helper()
		program, err := exec.LookPath("node")
		if err != nil {
			notInstalled(t, client, "it needs node, of Debian's nodejs")
		}
		about, err := os.ReadFile(filepath.Join(browsersFolder, "node_modules", client, "package.json"))
		if err != nil || fromJSON(t, string(about)).(object)["version"] != version {
			notInstalled(t, client+" "+version, "npm ci --prefix test/browsers")
		}
		return fromJSON(t, output(t, program, filepath.Join(browsersFolder, client+".js"), way, "127.0.0.1",
			strconv.Itoa(port(k))))
	}
}

// fetchedMinequery is why the program of test/minequery cannot be built with the modules on this machine, nil if it
// can.
var fetchedMinequery = sync.OnceValue(func() error {
	c := exec.Command("go", "build", "-o", os.DevNull, ".")
	c.Dir, c.Env = minequeryFolder, append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})

func minequery(way string) func(*testing.T, *known) any {
	return func(t *testing.T, k *known) any {
		t.Helper()
		switch err := fetchedMinequery(); {
		case err != nil && strings.Contains(err.Error(), "GOPROXY=off"):
			notInstalled(t, "minequery", "go -C test/minequery mod download")
		case err != nil:
			t.Fatal(err)
		}
		return fromJSON(t, output(t, "go", "-C", minequeryFolder, "run", ".", way, "127.0.0.1", strconv.Itoa(k.game)))
	}
}

// quakestat asks with Debian's program, which gets the game's port. Its raw output is a line of the server, one of
// rules, and one for each player. (With -xml and -json it leaves names out that have letters beyond ASCII.)
func quakestat(kind string, options ...string) func(*testing.T, *known) any {
	return func(t *testing.T, k *known) any {
		t.Helper()
		program, err := exec.LookPath("quakestat")
		if err != nil {
			notInstalled(t, "quakestat", "it is in Debian's qstat")
		}
		args := append(options, "-retry", "20", "-interval", "3", "-raw", "|", "-P", "-R", kind,
			"127.0.0.1:"+strconv.Itoa(k.game))
		lines := strings.Split(strings.TrimSpace(output(t, program, args...)), "\n")
		if len(lines) < 2 {
			t.Fatalf("it prints %q", lines)
		}
		var rows []any
		for _, line := range append(lines[:1:1], lines[2:]...) {
			rows = append(rows, row(strings.Split(line, "|")...))
		}
		rules := object{}
		for _, rule := range strings.Split(lines[1], "|") {
			key, value, _ := strings.Cut(rule, "=")
			rules[key] = value
		}
		return object{"server": rows[0], "rules": rules, "players": append([]any{}, rows[1:]...)}
	}
}

func row(cells ...string) []any {
	all := make([]any, len(cells))
	for i, c := range cells {
		all[i] = c
	}
	return all
}

// A reading is a program's change of a text.
type reading func(string) string

func asItIs(s string) string { return s }

// latin1 takes each byte of a text for a character. Minecraft's own server writes so, which is why some read so.
func latin1(s string) string {
	all := make([]rune, len(s))
	for i := range len(s) {
		all[i] = rune(s[i])
	}
	return string(all)
}

// windows1252 is called latin1 by gamedig.
func windows1252(s string) string {
	text, err := charmap.Windows1252.NewDecoder().String(s)
	if err != nil {
		panic(err) // it knows every byte
	}
	return text
}

// plainQuake is quakestat's reading of players' names unless it is told that they are UTF-8: it takes them for
// Quake's, in which bytes from A0 up are letters of another colour, some below are digits and brackets, and the
// others pictures, which it leaves out.
func plainQuake(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch {
		case c >= 0xA0:
			b.WriteByte(c - 0x80)
		case c >= 0x92 && c <= 0x9B:
			b.WriteByte(c - 0x92 + '0')
		case c == 0x90:
			b.WriteByte('[')
		case c == 0x91:
			b.WriteByte(']')
		case c < 0x80:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// names are the names of the first players.
func (k *known) names(n int, read reading) []any {
	all := make([]any, n)
	for i, p := range k.players[:n] {
		all[i] = read(p.name)
	}
	return all
}

// gamedigEye has no number for the ping, which the server does not know.
func gamedigEye(k *known) any {
	players := []any{}
	for _, p := range k.players[:k.eyeList] {
		players = append(players, object{"name": p.name,
			"raw": object{"team": "", "skin": "", "score": p.level, "ping": nil, "time": p.minutes}})
	}
	return object{"name": k.name, "map": k.place, "password": false, "version": k.version, "maxplayers": k.slots,
		"numplayers": len(k.players),
		"raw":        object{"gamename": "sphere", "gametype": "MMORPG", "uptime": aNumber}, "players": players,
		"bots":      []any{},
		"queryPort": k.eye, "connect": onLoopback(k.game), "ping": aNumber}
}

func onLoopback(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

// full are the facts of a full answer.
func (k *known) full(read reading) object {
	return object{"hostname": read(k.name), "gametype": "SMP", "game_id": "MINECRAFT", "version": k.version,
		"plugins": "", "map": k.place,
		"numplayers": strconv.Itoa(len(k.players)), "maxplayers": strconv.Itoa(k.slots),
		"hostport": strconv.Itoa(k.game), "hostip": "127.0.0.1"}
}

// gamedigGameSpy looks for the map and the version by other names than Minecraft's, and leaves both empty.
func gamedigGameSpy(k *known, read reading) object {
	raw, players, teams := k.full(read), []any{}, []any{}
	for _, name := range k.names(k.fullList, read) {
		players = append(players, object{"name": name, "raw": object{}})
		teams = append(teams, object{"player": name})
	}
	raw["playerTeamInfo"] = object{"": teams}
	return object{"name": read(k.name), "map": "", "password": false, "version": "", "maxplayers": k.slots,
		"numplayers": len(k.players), "raw": raw,
		"players": players, "bots": []any{}, "queryPort": k.game, "connect": onLoopback(k.game), "ping": aNumber}
}

// gamedigMinecraft asks by two other protocols as well, to which nothing answers.
func gamedigMinecraft(k *known) any {
	all := maps.Clone(gamedigGameSpy(k, asItIs))
	all["raw"] = object{"gamespy": gamedigGameSpy(k, asItIs)}
	return all
}

func utilName(k *known) object {
	name := latin1(k.name)
	return object{"raw": "§f" + name, "clean": name, "html": `<span><span style="color: #FFFFFF;">` + name +
		"</span></span>"}
}

func utilBasic(k *known) any {
	return object{"motd": utilName(k), "gameType": "SMP", "map": k.place, "players": object{"online": len(k.players),
		"max": k.slots},
		"hostPort": k.game, "hostIP": "127.0.0.1"}
}

func utilFull(k *known) any {
	return object{"motd": utilName(k), "version": k.version, "software": "", "plugins": []any{}, "map": k.place,
		"players":  object{"online": len(k.players), "max": k.slots, "list": k.names(k.fullList, latin1)},
		"hostPort": k.game, "hostIP": "127.0.0.1"}
}

func mcqueryBasic(k *known) any {
	return object{"type": 0, "sessionId": aNumber, "MOTD": k.name, "gametype": "SMP", "map": k.place,
		"numplayers": len(k.players), "maxplayers": k.slots,
		"hostport": k.game, "hostip": "127.0.0.1", "from": object{"address": "127.0.0.1", "port": k.game}}
}

func mcqueryFull(k *known) any {
	all := k.full(asItIs)
	maps.Copy(all, object{"type": 0, "sessionId": aNumber, "player_": k.names(k.fullList, asItIs),
		"from": object{"address": "127.0.0.1", "port": k.game}})
	return all
}

func minequeryBasic(k *known) any {
	return object{"MOTD": k.name, "GameType": "SMP", "Map": k.place, "OnlinePlayers": len(k.players),
		"MaxPlayers": k.slots, "Port": k.game,
		"Host": "127.0.0.1"}
}

func minequeryFull(k *known) any {
	return object{"MOTD": k.name, "GameType": "SMP", "GameID": "MINECRAFT", "Version": k.version, "ServerVersion": "",
		"Plugins": []any{}, "Map": k.place,
		"OnlinePlayers": len(k.players), "MaxPlayers": k.slots, "SamplePlayers": k.names(k.fullList, asItIs), "Port": k.game,
		"Host": "127.0.0.1",
		"Data": object{}}
}

// minequeryLenient reads the first 1024 bytes of an answer, and the names in there.
func minequeryLenient(k *known) any {
	const buffer, header, fixed = 1024, 5, 11 + 1 + 10
	room := buffer - header - fixed
	for key, value := range k.full(asItIs) {
		room -= len(key) + len(value.(string)) + 2
	}
	all := strings.Join(textsOf(k.names(k.fullList, asItIs)), "\x00") + "\x00\x00"
	all = strings.TrimRight(all[:min(room, len(all))], "\x00")
	answer := minequeryFull(k).(object)
	answer["SamplePlayers"] = row(strings.Split(strings.ToValidUTF8(all, "�"), "\x00")...)
	return answer
}

func textsOf(all []any) (texts []string) {
	for _, v := range all {
		texts = append(texts, v.(string))
	}
	return texts
}

func quakestatServer(k *known, kind string, players int) []any {
	return row(kind, onLoopback(k.game), k.name, k.place, strconv.Itoa(k.slots), strconv.Itoa(players), aNumber, aNumber)
}

func quakestatEye(k *known, read reading) any {
	players := []any{}
	for _, p := range k.players[:k.eyeList] {
		minutes := aNumber
		if n, ok := p.minutes.(int); ok {
			minutes = strconv.Itoa(n)
		}
		players = append(players, row(read(p.name), strconv.Itoa(p.level), "0", "", "", minutes))
	}
	return object{"server": quakestatServer(k, "EYE", len(k.players)), "players": players,
		"rules": object{"gamename": "sphere", "hostport": strconv.Itoa(k.game),
			"gametype": "MMORPG", "_version": k.version, "_password": "0", "uptime": aNumber}}
}

// quakestatGS4 shows the last player first, numbers for what the protocol does not have, and the number of players as
// far as it fits into a byte: 232 for 1,000.
func quakestatGS4(k *known, read reading) any {
	players := []any{}
	for _, name := range slices.Backward(k.names(k.fullList, read)) {
		players = append(players, row(name.(string), "-32767", "-32767", "-32767", "", "0"))
	}
	return object{"server": quakestatServer(k, "GS4", len(k.players)%256), "players": players,
		"rules": object{"gametype": "SMP", "game_id": "MINECRAFT", "version": k.version,
			"plugins": "", "hostip": "127.0.0.1"}}
}
