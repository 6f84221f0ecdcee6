package script

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/world/rules"
)

// Limits of a scenario.
const (
	MaxBytes    = 128 << 10
	maxPlayers  = 100
	maxSteps    = 10_000_000 // of the interpreter; verbs take few
	defaultTime = time.Hour
)

// Options of a run.
type Options struct {
	Addr   string      // of the server, HOST:PORT
	Client bot.Options // of each player
	// Patience is how long a step waits for its condition; 5 s if 0. A scenario can say otherwise.
	Patience time.Duration
	// KeepGoing goes on with the next step when one has failed.
	KeepGoing bool
	// Limit is how long a scenario may take in all; an hour if 0.
	Limit time.Duration
	// Tell is told of each step when it is over; Print of each text that the scenario prints. Both may be nil.
	Tell  func(Outcome)
	Print func(text string)
}

// An Outcome is the outcome of a step.
type Outcome struct {
	Line int    // of the scenario, from 1
	Text string // the call, with its arguments as they were
	Err  error  // often a [*Failure]; nil if it is as the step says
}

// A Failure is something that is not as a step expects.
type Failure struct {
	Expected Text
	Instead  Text // the present state
}

func (f *Failure) Error() string { return f.In(false) }

// In writes the failure in a language.
func (f *Failure) In(russian bool) string {
	return say("expected %s; instead %s", "ожидалось: %s; вместо этого: %s", f.Expected, f.Instead).In(russian)
}

// A Result is the outcome of a scenario.
type Result struct {
	OK, Failed int // steps
	// Violations are the faults that the original client would have stumbled over, each with the name of its player.
	Violations []string
}

// Clean reports whether all is as the scenario says, and the server made no mistake.
func (r *Result) Clean() bool { return r.Failed == 0 && len(r.Violations) == 0 }

// A Runner plays a scenario.
type Runner struct {
	options  Options
	reading  bool // the scenario is only read: nothing is played
	context  context.Context
	patience time.Duration
	scene    *coords.Position // origin of offsets, nil before the first place was named
	players  []*player
	result   Result
	methods  map[string]*verb
}

// An action does a verb; p is the player that it is a method of, nil for none.
type action func(p *player, a *args) error

type verb struct {
	// as in Python; methods of players begin with a dot. The names of parameters tell their kinds: see readers
	signature string
	help      Text
	do        action
	quiet     bool // it only gives a value, which is no step of the scenario

	name     string
	params   []param
	keywords []string
}

// A param is a parameter of a verb: "other", "within=0.1" which can be left out, "*others" or "**values" for all that
// are left.
type param struct {
	name     string
	optional bool
	many     string // "*" or "**"
}

// args are the arguments of a call, read; missing ones are zero.
type args struct {
	runner          *Runner
	text            string // a line of chat, the name of a new player
	clan            *string
	login, password string
	others          []*player
	at              *coords.Position
	offset          [3]float64
	number          *float64 // metres, degrees
	count           *int
	span            time.Duration
	channel         *channel
	stat            *stat
	values          []wanted // in the order in which they were named
	slots           []int
	item            *item
	landmark        landmark
	quarry          *quarry
	goal            rules.MissionGoal

	result starlark.Value // of the call; nil for None
}

// A wanted value is the expected value of a stat.
type wanted struct {
	stat  *stat
	value int
}

// other is the name of the player that a call is about, "" for none.
func (a *args) other() string {
	if len(a.others) == 0 {
		return ""
	}
	return a.others[0].name
}

// A player is one client. Between its own steps a goroutine runs it: it reads, and sends the messages of a standing
// client.
type player struct {
	runner                *Runner
	name, login, password string

	client     *bot.Client // nil while the player is not in the world
	rest       func()      // ends the goroutine
	known      map[int]bool
	violations []bot.Violation
	departure  bot.Departure // how it left
}

// An item is the name of items in a scenario: the name of a class, or of a kind in one of the languages of the
// catalogue.
type item struct {
	name   string
	class  packets.Class
	gameID int // 0: any of the class
}

// A landmark is something that stands in the world: of the tables of portals and NPCs.
type landmark struct {
	key   string
	class packets.Class
	at    coords.Position
}

// A stat is a value by which scenarios know it: of the own character, and on the nameplates of others (nil: it is not
// there).
type stat struct {
	name    string
	own     func(*bot.Client) int
	other   func(*packets.PlayerSpawn) int
	ability packets.Stat // that points are spent on, 0 for none
}

// A channel is one of the chat's, by the name that scenarios have for it. Source: protocol ingame 15.2.
type channel struct {
	name   string
	number uint8
	shown  uint8 // number that hearers are told
	parts  bool  // whether they get it as header and parts
}

var channels = []channel{
	{"near", 0, 0, false}, {"whisper", 1, 1, false}, {"normal", 2, 2, false}, {"trade", 3, 3, false},
	{"clan", 4, 4, true}, {"group", 5, 5, true}, {"clan-say", 11, 11, true}, {"group-say", 12, 12, true},
	{"alliance", 13, 13, true}, {"private", 15, 15, true}, {"special", 16, 5, false},
}

var stats = []stat{
	{name: "hp", own: ownStat(packets.StatHP), other: func(p *packets.PlayerSpawn) int { return int(p.HP) }},
	{name: "max_hp", own: ownStat(packets.StatMaxHP), other: func(p *packets.PlayerSpawn) int { return int(p.MaxHP) }},
	{name: "mp", own: ownStat(packets.StatMP)},
	{name: "max_mp", own: ownStat(packets.StatMaxMP)},
	{name: "satiety", own: ownStat(packets.StatSatiety)},
	{name: "title", own: ownLevel(packets.StatTitle, packets.StatTitleRebirths),
		other: func(p *packets.PlayerSpawn) int { return int(p.Title) + levelCycle*int(p.TitleRebirths) + 1 }},
	{name: "degree", own: ownLevel(packets.StatDegree, packets.StatDegreeRebirths),
		other: func(p *packets.PlayerSpawn) int { return int(p.Degree) + levelCycle*int(p.DegreeRebirths) + 1 }},
	{name: "karma", own: ownStat(packets.StatKarma), other: func(p *packets.PlayerSpawn) int { return int(p.Karma) }},
	{name: "money", own: func(c *bot.Client) int { return int(c.Money) }},
	{name: "items", own: func(c *bot.Client) int { return len(c.Items()) }},
	{name: "title_points", own: ownStat(packets.StatFreeTitlePoints)},
	{name: "degree_points", own: ownStat(packets.StatFreeDegreePoints)},
	ability("strength", packets.StatBaseStrength), ability("agility", packets.StatBaseAgility),
	ability("accuracy", packets.StatBaseAccuracy), ability("endurance", packets.StatBaseEndurance),
	ability("earth", packets.StatBaseEarth), ability("air", packets.StatBaseAir),
	ability("water", packets.StatBaseWater), ability("fire", packets.StatBaseFire),
}

func ability(name string, s packets.Stat) stat { return stat{name: name, own: ownStat(s), ability: s} }

const levelCycle = 60 // levels between two rebirths

func ownStat(s packets.Stat) func(*bot.Client) int {
	return func(c *bot.Client) int { return int(c.Stats[s]) }
}

func ownLevel(level, rebirths packets.Stat) func(*bot.Client) int {
	return func(c *bot.Client) int { return int(c.Stats[level]+levelCycle*c.Stats[rebirths]) + 1 }
}

func sortedNames(all map[string]*verb) []string { return slices.Sorted(maps.Keys(all)) }

func statNames() (names []string) {
	for i := range stats {
		names = append(names, stats[i].name)
	}
	return names
}

// cut shortens a text of a scenario so that it fits an error.
func cut(s string) string {
	const most = 60
	if letters := []rune(s); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return s
}

// didYouMean proposes the nearest of the known words, if one is near.
func didYouMean(word string, known []string) string {
	near, ok := rules.Nearest(cut(word), known)
	for i := 0; !ok && i < len(known) && word != ""; i++ {
		near, ok = known[i], strings.HasPrefix(known[i], word)
	}
	if !ok {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", near)
}

func expected(what string, found starlark.Value) error {
	return fmt.Errorf("expected %s, found %s", what, shown(found))
}

func shown(v starlark.Value) string {
	if v.Type() == "player" {
		return "the player " + cut(v.String())
	}
	return cut(v.String())
}

func pointText(p coords.Position) string { return fmt.Sprintf("%.2f %.2f %.2f", p.X, p.Y, p.Z) }

// like reports whether a text is as a pattern says, in which * stands for anything.
func like(text, pattern string) bool {
	form, err := regexp.Compile(`(?s)\A` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + `\z`)
	return err == nil && form.MatchString(text) // text that is no UTF-8 is like nothing
}

var errFailed = errors.New("a step has failed")
