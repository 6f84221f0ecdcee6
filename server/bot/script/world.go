package script

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

// leap is how far, in metres, a client may move at once before the server does not believe it.
const leap = 90

// jump puts a character that is near a place there at once.
func jump(ctx context.Context, p *player, c *bot.Client, to coords.Position) error {
	if d := c.Position.Distance(to); d > leap {
		return fmt.Errorf("%s enters at %s, %.0f m from %s: expected at most %d m, for nobody goes farther at once", p.name, pointText(c.Position), d,
			pointText(to), leap)
	}
	to.Yaw = c.Position.Yaw
	return ping(ctx, p, c, to)
}

// ping tells the server where the character is, and waits for the answer.
func ping(ctx context.Context, p *player, c *bot.Client, at coords.Position) error {
	ctx, cancel := context.WithTimeout(ctx, p.runner.patience)
	defer cancel()
	_, err := c.Ping(ctx, at)
	return err
}

func walkTo(ctx context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		ctx, cancel := context.WithTimeout(ctx, c.TimeTo(*a.at)+p.runner.patience)
		defer cancel()
		return c.Walk(ctx, *a.at)
	})
}

func setOut(_ context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error { return c.SetOut(*a.at) })
}

func turn(ctx context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		at := c.Position
		at.Yaw = float32(*a.number * math.Pi / 180)
		return ping(ctx, p, c, at)
	})
}

func isSentAway(ctx context.Context, p *player, _ *args) error {
	if _, err := p.within(ctx, p.runner.patience, func(*bot.Client) bool { return false }); err == nil {
		return &Failure{"the server to end the connection of " + p.name, p.name + " is still connected"}
	} else if p.client == nil {
		return err
	}
	_ = p.leave(true)
	return nil
}

// tolerance is how far off, in metres, a place may be.
func (a *args) tolerance(byDefault float64) float64 {
	if a.number == nil {
		return byDefault
	}
	return *a.number
}

func isAt(ctx context.Context, p *player, a *args) error {
	off := a.tolerance(1)
	return p.until(ctx, fmt.Sprintf("%s at %s, give or take %v m", p.name, pointText(*a.at), off), func(c *bot.Client) bool {
		return c.Position.Distance(*a.at) <= off
	}, func(c *bot.Client) string {
		return fmt.Sprintf("is at %s, %.2f m from %s", pointText(c.Position), c.Position.Distance(*a.at), pointText(*a.at))
	})
}

func position(_ context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		a.result = place(c.Position)
		return nil
	})
}

// A stat is a value by which scenarios know it: of the own character, and on the nameplates of others (nil: it is not there).
type stat struct {
	name    string
	own     func(*bot.Client) int
	other   func(*packets.PlayerSpawn) int
	ability bool // points are spent on it; abilities are in the order of the wire. Source: protocol ingame 12.5
}

const levelCycle = 60 // levels between two rebirths

func ownStat(s packets.Stat) func(*bot.Client) int {
	return func(c *bot.Client) int { return int(c.Stats.Value(s)) }
}

func ownLevel(level, rebirths packets.Stat) func(*bot.Client) int {
	return func(c *bot.Client) int { return int(c.Stats.Value(level)+levelCycle*c.Stats.Value(rebirths)) + 1 }
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
	{name: "strength", own: ownStat(packets.StatBaseStrength), ability: true},
	{name: "agility", own: ownStat(packets.StatBaseAgility), ability: true},
	{name: "accuracy", own: ownStat(packets.StatBaseAccuracy), ability: true},
	{name: "endurance", own: ownStat(packets.StatBaseEndurance), ability: true},
	{name: "earth", own: ownStat(packets.StatBaseEarth), ability: true},
	{name: "air", own: ownStat(packets.StatBaseAir), ability: true},
	{name: "water", own: ownStat(packets.StatBaseWater), ability: true},
	{name: "fire", own: ownStat(packets.StatBaseFire), ability: true},
}

// valuesText shows values, each as what gives says.
func valuesText(all []wanted, gives func(wanted) int) string {
	var out []string
	for _, w := range all {
		out = append(out, fmt.Sprintf("%s %d", w.stat.name, gives(w)))
	}
	return strings.Join(out, ", ")
}

func asWanted(w wanted) int { return w.value }

func has(ctx context.Context, p *player, a *args) error {
	return p.hasValues(ctx, a, "", func(have, want int) bool { return have == want })
}

func hasAtLeast(ctx context.Context, p *player, a *args) error {
	return p.hasValues(ctx, a, "at least ", func(have, want int) bool { return have >= want })
}

func (p *player) hasValues(ctx context.Context, a *args, how string, fits func(have, want int) bool) error {
	return p.until(ctx, how+valuesText(a.values, asWanted), func(c *bot.Client) bool {
		return !slices.ContainsFunc(a.values, func(w wanted) bool { return !fits(w.stat.own(c), w.value) })
	}, func(c *bot.Client) string {
		return "has " + valuesText(a.values, func(w wanted) int { return w.stat.own(c) })
	})
}

func value(_ context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		a.result = starlark.MakeInt(a.stat.own(c))
		return nil
	})
}

// other finds another player among what the client holds, nil if it is not shown; dressed, if what it wears has to be shown too.
func other(c *bot.Client, name string, dressed bool) *bot.Object {
	for _, o := range c.Objects {
		if o.Player != nil && o.Player.Name == name && (o.Gear != nil || !dressed) {
			return o
		}
	}
	return nil
}

// others says whom the client sees.
func others(c *bot.Client) string {
	var all []string
	for _, o := range c.Objects {
		if o.Player != nil {
			all = append(all, fmt.Sprintf("%s at %s", o.Player.Name, pointText(o.Position)))
		}
	}
	slices.Sort(all)
	return "sees " + list(all, "nobody")
}

func sees(ctx context.Context, p *player, a *args) error {
	off, expected := a.tolerance(0.1), "to see "+a.other()
	for _, w := range a.values {
		if w.stat.other == nil {
			return fmt.Errorf("the %s of others is not shown", w.stat.name)
		}
	}
	if a.at != nil {
		expected += fmt.Sprintf(" at %s, give or take %v m", pointText(*a.at), off)
	}
	if a.clan != nil {
		expected += fmt.Sprintf(" of the clan %q", *a.clan)
	}
	if len(a.values) > 0 {
		expected += " with " + valuesText(a.values, asWanted)
	}
	return p.until(ctx, expected, func(c *bot.Client) bool {
		o := other(c, a.other(), true)
		return o != nil && (a.at == nil || o.Position.Distance(*a.at) <= off) && (a.clan == nil || like(o.Player.Clan, *a.clan)) &&
			!slices.ContainsFunc(a.values, func(w wanted) bool { return w.stat.other(o.Player) != w.value })
	}, func(c *bot.Client) string {
		o := other(c, a.other(), true)
		if o == nil {
			return others(c)
		}
		found := fmt.Sprintf("sees %s at %s", a.other(), pointText(o.Position))
		if a.at != nil {
			found += fmt.Sprintf(", %.2f m from %s", o.Position.Distance(*a.at), pointText(*a.at))
		}
		if a.clan != nil {
			found += fmt.Sprintf(" of the clan %q", o.Player.Clan)
		}
		if len(a.values) > 0 {
			found += " with " + valuesText(a.values, func(w wanted) int { return w.stat.other(o.Player) })
		}
		return found
	})
}

func loses(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, "not to see "+a.other(), func(c *bot.Client) bool { return other(c, a.other(), false) == nil }, others)
}

func doesNotSee(ctx context.Context, p *player, a *args) error {
	return p.never(ctx, a, "not to see "+a.other(), func(c *bot.Client) bool { return other(c, a.other(), false) != nil }, others)
}

// A landmark is something that stands in the world: of the tables of portals and NPCs.
type landmark struct {
	key   string
	class packets.Class
	at    coords.Position
}

// of finds the landmark among what the client holds.
func (l *landmark) of(c *bot.Client) *bot.Object {
	const near = 0.01
	for _, o := range c.Objects {
		if o.Class == l.class && o.Spawn != nil && o.Position.Distance(l.at) <= near {
			return o
		}
	}
	return nil
}

// surroundings says what stands around.
func surroundings(c *bot.Client) string {
	classes := map[packets.Class]int{}
	for _, o := range c.Objects {
		if o.Spawn != nil && o.Spawn.Placement != packets.Contained && o.Parent == packets.NoObject {
			classes[o.Class]++
		}
	}
	var all []string
	for class, n := range classes {
		all = append(all, fmt.Sprintf("%d of class %s", n, class))
	}
	slices.Sort(all)
	return fmt.Sprintf("at %s sees %s", pointText(c.Position), list(all, "nothing"))
}

func seesLandmark(ctx context.Context, p *player, a *args) error {
	l := a.landmark
	return p.until(ctx, fmt.Sprintf("to see %s at %s", l.key, pointText(l.at)), func(c *bot.Client) bool { return l.of(c) != nil }, surroundings)
}

func losesLandmark(ctx context.Context, p *player, a *args) error {
	l := a.landmark
	return p.until(ctx, "not to see "+l.key, func(c *bot.Client) bool { return l.of(c) == nil }, surroundings)
}

func usePortal(ctx context.Context, p *player, a *args) error {
	if err := seesLandmark(ctx, p, a); err != nil {
		return err
	}
	return p.do(func(c *bot.Client) error {
		if o := a.landmark.of(c); o != nil {
			return c.Use(o.ID)
		}
		return fmt.Errorf("%s %s", p.name, surroundings(c))
	})
}

// A channel is one of the chat's, by the name that scenarios have for it.
//
// Source: protocol ingame 15.2.
type channel struct {
	name   string
	number uint8
	shown  uint8 // number that hearers are told
	parts  bool  // whether they get it as header and parts
}

var channels = []channel{{"near", 0, 0, false}, {"whisper", 1, 1, false}, {"normal", 2, 2, false}, {"trade", 3, 3, false}, {"clan", 4, 4, true},
	{"group", 5, 5, true}, {"clan-say", 11, 11, true}, {"group-say", 12, 12, true}, {"alliance", 13, 13, true}, {"private", 15, 15, true},
	{"special", 16, 5, false}}

// channelName is the name of the channel that a line came on.
func channelName(l *bot.Line) string {
	for _, ch := range channels {
		if ch.shown == l.Channel && ch.parts == l.Parts {
			return ch.name
		}
	}
	return fmt.Sprintf("channel %d", l.Channel)
}

func say(_ context.Context, p *player, a *args) error {
	on := a.channel
	if on == nil {
		on = &channels[2]
	}
	return p.do(func(c *bot.Client) error { return c.Speak(on.number, a.text) })
}

// news are the lines that no step has spoken of, of the server or of players.
func (p *player) news(c *bot.Client, ofServer bool) (lines []*bot.Line) {
	for i := range c.Lines {
		if l := &c.Lines[i]; !p.known[l.Number] && (l.Sender == "") == ofServer {
			lines = append(lines, l)
		}
	}
	return lines
}

// catch says whether a new line is as it should be; it is known from then on.
func (p *player) catch(c *bot.Client, ofServer bool, fits func(*bot.Line) bool) bool {
	for _, l := range p.news(c, ofServer) {
		if fits(l) {
			p.known[l.Number] = true
			return true
		}
	}
	return false
}

// heard says what the player has heard that was not spoken of.
func (p *player) heard(c *bot.Client) string {
	var all []string
	for _, l := range p.news(c, false) {
		all = append(all, fmt.Sprintf("%s %q on %s", l.Sender, l.Message, channelName(l)))
	}
	return "heard " + list(all, "nothing new")
}

// read says what the server has told that was not spoken of.
func (p *player) read(c *bot.Client) string {
	var all []string
	for _, l := range p.news(c, true) {
		all = append(all, fmt.Sprintf("%q", l.Message))
	}
	return "read " + list(all, "nothing new")
}

func hears(ctx context.Context, p *player, a *args) error {
	expected := fmt.Sprintf("to hear %s %q", a.other(), a.text)
	if a.channel != nil {
		expected += " on " + a.channel.name
	}
	return p.until(ctx, expected, func(c *bot.Client) bool {
		return p.catch(c, false, func(l *bot.Line) bool {
			return l.Sender == a.other() && like(l.Message, a.text) && (a.channel == nil || a.channel.name == channelName(l))
		})
	}, p.heard)
}

func doesNotHear(ctx context.Context, p *player, a *args) error {
	return p.never(ctx, a, "to hear nothing new of "+a.other(), func(c *bot.Client) bool {
		return slices.ContainsFunc(p.news(c, false), func(l *bot.Line) bool { return l.Sender == a.other() })
	}, p.heard)
}

func reads(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, fmt.Sprintf("to read %q", a.text), func(c *bot.Client) bool {
		return p.catch(c, true, func(l *bot.Line) bool { return like(l.Message, a.text) })
	}, p.read)
}

func doesNotRead(ctx context.Context, p *player, a *args) error {
	return p.never(ctx, a, fmt.Sprintf("not to read %q", a.text), func(c *bot.Client) bool {
		return slices.ContainsFunc(p.news(c, true), func(l *bot.Line) bool { return like(l.Message, a.text) })
	}, p.read)
}

// Groups and clans.

func members(c *bot.Client) string {
	var all []string
	for _, m := range c.Group.Members {
		if m.Leader {
			m.Name += " (leads)"
		}
		all = append(all, m.Name)
	}
	return "is in a group of " + list(all, "nobody")
}

func isAskedBy(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, "to be asked by "+a.other(), func(c *bot.Client) bool { return slices.Contains(c.Group.Applicants, a.other()) },
		func(c *bot.Client) string { return "was asked by " + list(c.Group.Applicants, "nobody") })
}

func inGroup(ctx context.Context, p *player, a *args) error {
	want := []string{p.name}
	for _, o := range a.others {
		want = append(want, o.name)
	}
	return p.until(ctx, "a group of "+list(want, ""), func(c *bot.Client) bool {
		return len(c.Group.Members) == len(want) && !slices.ContainsFunc(want, func(name string) bool { return !c.Group.Has(name) })
	}, members)
}

func inNoGroup(ctx context.Context, p *player, _ *args) error {
	return p.until(ctx, "no group", func(c *bot.Client) bool { return len(c.Group.Members) == 0 }, members)
}

func leadsGroup(ctx context.Context, p *player, _ *args) error {
	return p.until(ctx, p.name+" to lead the group", func(c *bot.Client) bool { return c.Group.Leads(p.name) }, members)
}

func askForClan(ctx context.Context, p *player, a *args) error {
	if err := sees(ctx, p, a); err != nil {
		return err
	}
	return p.do(func(c *bot.Client) error {
		if o := other(c, a.other(), true); o != nil {
			return c.ApplyToClan(o.ID)
		}
		return fmt.Errorf("%s %s", p.name, others(c))
	})
}

func takeIntoClan(ctx context.Context, p *player, a *args) error {
	applicant := func(c *bot.Client) packets.ObjectID {
		for _, id := range c.Clan.Applicants {
			if o := c.Objects[id]; o != nil && o.Player != nil && o.Player.Name == a.other() {
				return id
			}
		}
		return packets.NoObject
	}
	err := p.until(ctx, a.other()+" to ask for the clan", func(c *bot.Client) bool { return applicant(c) != packets.NoObject }, func(c *bot.Client) string {
		return fmt.Sprintf("was asked by %d players for its clan, but not by %s", len(c.Clan.Applicants), a.other())
	})
	if err != nil {
		return err
	}
	return p.do(func(c *bot.Client) error { return c.AcceptIntoClan(applicant(c)) })
}

func clanText(c *bot.Client) string {
	if c.Clan.Name == "" {
		return "is in no clan"
	}
	return fmt.Sprintf("is in the clan %q", c.Clan.Name)
}

func inClan(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, fmt.Sprintf("the clan %q", *a.clan), func(c *bot.Client) bool { return c.Clan.Name != "" && like(c.Clan.Name, *a.clan) }, clanText)
}

func inNoClan(ctx context.Context, p *player, _ *args) error {
	return p.until(ctx, "no clan", func(c *bot.Client) bool { return strings.TrimSpace(c.Clan.Name) == "" }, clanText)
}
