package script

import (
	"context"
	"fmt"
	"math"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

// forms are all sentences of the language. docs/scripts.md lists them; a test holds it.
var forms = []form{
	{"player NEW as LOGIN [at WHERE]", "log in and enter as the character NEW, which is made if there is none", comeIn},
	{"scene WHERE", "the place that offsets count from, if another than the first place of the script", func(a *args) step { return a.setScene }},
	{"wait TIME", "wait", func(a *args) step { return a.wait }},
	{"patience TIME", "how long the lines from here on wait for what they expect", func(a *args) step { return a.bePatient }},

	{"NAME walks to WHERE", "walk there in a straight line and wait for the arrival", byPlayer(walk)},
	{"NAME sets out for WHERE", "begin to walk there and go on with the next line", byPlayer(setOut)},
	{"NAME stops", "stop walking", byPlayer(func(_ context.Context, p *player, _ *args, c *bot.Client) error { return c.Stop() })},
	{"NAME turns to NUMBER", "turn to a direction in degrees: 0 is where z grows, 90 where x does", byPlayer(turn)},
	{"NAME hurries at NUMBER", "walk from here on with so many metres per second", byPlayer(hurry)},
	{"NAME leaves", "log out in order", ofPlayer(func(ctx context.Context, p *player, _ *args) error { return p.leave(ctx, true) })},
	{"NAME is cut off", "lose the connection", ofPlayer(func(ctx context.Context, p *player, _ *args) error { return p.leave(ctx, false) })},
	{"NAME comes back", "log in again, and stand where it stood", comeBack},
	{"NAME is sent away", "the server ends the connection", ofPlayer(sentAway)},
	{"NAME uses portal PORTAL", "use a portal that is in sight", ofPlayer(usePortal)},

	{"NAME is at WHERE [within NUMBER]", "stand there, give or take 1 m", ofPlayer(isAt)},
	{"NAME has STAT NUMBER", "a value of the own character", ofPlayer(hasStat(func(have, want int) bool { return have == want }))},
	{"NAME has STAT at least NUMBER", "the same, or more", ofPlayer(hasStat(func(have, want int) bool { return have >= want }))},
	{"NAME sees NAME", "be shown the other player, with what it wears", ofPlayer(sees)},
	{"NAME sees NAME at WHERE [within NUMBER]", "… standing there, give or take 0.1 m", ofPlayer(sees)},
	{"NAME sees NAME with STAT NUMBER", "… with a value on the nameplate", ofPlayer(seesStat)},
	{"NAME sees NAME of the clan TEXT", "… with a clan over its head", ofPlayer(seesClan)},
	{"NAME loses NAME", "be shown the other player no more", ofPlayer(loses)},
	{"NAME does not see NAME [for TIME]", "not be shown it, for 1 s unless another time is named", ofPlayer(doesNotSee)},
	{"NAME sees portal PORTAL", "be shown a portal at its place", ofPlayer(seesThing)},
	{"NAME sees townsman TOWNSMAN", "be shown somebody at his place", ofPlayer(seesThing)},
	{"NAME loses portal PORTAL", "be shown it no more", ofPlayer(losesThing)},
	{"NAME loses townsman TOWNSMAN", "be shown him no more", ofPlayer(losesThing)},

	{"NAME says TEXT [on CHANNEL]", "say something, on the channel normal unless another is named", byPlayer(say)},
	{"NAME types TEXT", "type something into the chat: a command", byPlayer(say)},
	{"NAME hears NAME TEXT [on CHANNEL]", "hear what another player says; * stands for anything", ofPlayer(hears)},
	{"NAME does not hear NAME [for TIME]", "hear nothing new of another player", ofPlayer(doesNotHear)},
	{"NAME reads TEXT", "be told something by the server; * stands for anything", ofPlayer(reads)},
	{"NAME does not read TEXT [for TIME]", "not be told it", ofPlayer(doesNotRead)},

	{"NAME creates a group", "found a group and lead it", byPlayer(func(_ context.Context, _ *player, _ *args, c *bot.Client) error { return c.CreateGroup() })},
	{"NAME asks to join NAME", "apply to a group", byPlayer(func(_ context.Context, _ *player, a *args, c *bot.Client) error { return c.ApplyToGroup(a.names[1]) })},
	{"NAME is asked by NAME", "as the leader, be told that somebody has applied", ofPlayer(isAsked)},
	{"NAME accepts NAME", "as the leader, let somebody in", byPlayer(func(_ context.Context, _ *player, a *args, c *bot.Client) error { return c.AcceptIntoGroup(a.names[1]) })},
	{"NAME expels NAME", "as the leader, throw somebody out", byPlayer(func(_ context.Context, _ *player, a *args, c *bot.Client) error { return c.ExpelFromGroup(a.names[1]) })},
	{"NAME leaves the group", "leave it; if the leader does, it ends", byPlayer(func(_ context.Context, _ *player, _ *args, c *bot.Client) error { return c.LeaveGroup() })},
	{"NAME is in a group with NAME...", "with these and nobody else", ofPlayer(inGroup)},
	{"NAME is in a group alone", "lead a group that nobody has joined yet", ofPlayer(inGroup)},
	{"NAME is in no group", "belong to none", ofPlayer(inNoGroup)},
	{"NAME leads the group", "be its leader", ofPlayer(leadsGroup)},

	{"NAME founds the clan TEXT", "found a clan", byPlayer(func(_ context.Context, _ *player, a *args, c *bot.Client) error { return c.FoundClan(a.text) })},
	{"NAME asks NAME for the clan", "ask a member in sight to be taken in", ofPlayer(asksForClan)},
	{"NAME takes NAME into the clan", "once it has asked", ofPlayer(takesIntoClan)},
	{"NAME leaves the clan", "leave it", byPlayer(func(_ context.Context, p *player, _ *args, c *bot.Client) error { return c.LeaveClan(p.name) })},
	{"NAME is in the clan TEXT", "belong to it", ofPlayer(inClan)},
	{"NAME is in no clan", "belong to none", ofPlayer(inNoClan)},

	{"NAME carries THING [in slot SLOT]", "have it in a slot of the character", carries(carriesThing)},
	{"NAME carries NUMBER of THING", "have so many of it in all, bags not counted", carries(func(c *bot.Client, a *args) bool { return a.thing.carried(c) == int(*a.number) })},
	{"NAME carries no THING", "have none of it", carries(func(c *bot.Client, a *args) bool { return a.thing.carried(c) == 0 })},
	{"NAME carries nothing in slot SLOT", "have that slot empty", carries(func(c *bot.Client, a *args) bool { return c.Slots[a.slots[0]].Item == packets.NoObject })},
	{"NAME wears THING", "have it in a slot besides those of the inventory", carries(wears)},
	{"NAME moves slot SLOT to slot SLOT", "move what lies there; onto a stack of the same it is added to that", asks(func(c *bot.Client, a *args) error { return c.Move(c.ID(), a.slots[0], a.slots[1]) })},
	{"NAME swaps slot SLOT with slot SLOT", "let two things trade places", asks(func(c *bot.Client, a *args) error { return c.Swap(a.slots[0], a.slots[1]) })},
	{"NAME uses slot SLOT", "use what lies there: put it on or take it off, eat it, open it", ofSlot(func(c *bot.Client, o *bot.Object, _ *args) error { return c.Use(o.ID) })},
	{"NAME holds slot SLOT", "take what lies there in the hand", ofSlot(func(c *bot.Client, o *bot.Object, _ *args) error { return c.Take(o.ID) })},
	{"NAME empties the hand", "hold nothing", asks(func(c *bot.Client, _ *args) error { return c.Take(packets.EmptyHand) })},
	{"NAME puts slot SLOT into THING", "put what lies there into a bag that it carries", ofSlot(putsIntoBag)},
	{"NAME drops slot SLOT", "put what lies there on the ground", ofSlot(func(c *bot.Client, o *bot.Object, _ *args) error { return c.Drop(o.ID) })},
	{"NAME picks up THING [into slot SLOT]", "take it out of its own bag, or the nearest one from the ground", ofPlayer(picksUp)},
	{"NAME sees THING on the ground [within NUMBER]", "be shown it lying, so many metres away at most", ofPlayer(seesOnGround)},
	{"NAME sees no THING on the ground", "be shown none lying", ofPlayer(seesNoneOnGround)},
	{"NAME opens the trade with TOWNSMAN", "be shown what a trader in sight sells; a banker opens the vault", ofPlayer(opensTrade)},
	{"NAME buys THING", "buy one", asks(buys)},
	{"NAME buys NUMBER of THING", "buy so many", asks(buys)},
	{"NAME sells slot SLOT", "sell what lies there for what the trader pays", ofPlayer(sells)},
	{"NAME closes the trade", "leave the trader", byPlayer(func(_ context.Context, _ *player, _ *args, c *bot.Client) error { return c.CloseTrade() })},
	{"NAME spends NUMBER points on ABILITY", "raise a base value", asks(spends)},
}

// ofPlayer makes a step of what the first player of a sentence does.
func ofPlayer(do func(ctx context.Context, p *player, a *args) error) func(*args) step {
	return func(a *args) step {
		return func(ctx context.Context, s *stage) error {
			p, err := s.player(a.names[0])
			if err != nil {
				return err
			}
			return do(ctx, p, a)
		}
	}
}

// byPlayer makes a step of what is done with the client of the first player of a sentence, before its patience is over. A place has been
// resolved then.
func byPlayer(do func(ctx context.Context, p *player, a *args, c *bot.Client) error) func(*args) step {
	return ofPlayer(func(ctx context.Context, p *player, a *args) error {
		resolved := *a
		if a.where != nil {
			at, err := p.stage.resolve(ctx, a.where)
			if err != nil {
				return err
			}
			resolved.where = &where{at: at}
		}
		return p.do(ctx, func(c *bot.Client) error {
			if err := c.Err(); err != nil {
				return err
			}
			return do(ctx, p, &resolved, c)
		})
	})
}

func comeIn(a *args) step {
	return func(ctx context.Context, s *stage) error {
		if a.where != nil {
			s.setScene(a.where)
		}
		p := s.players[a.names[0]]
		if p == nil {
			p = &player{stage: s, name: a.names[0], identity: bot.Identity{Login: a.login, Password: a.password}}
			s.players[p.name] = p
			s.order = append(s.order, p)
		}
		if err := p.enter(ctx); err != nil || a.where == nil {
			return err
		}
		to, err := s.resolve(ctx, a.where)
		if err != nil {
			return err
		}
		return p.do(ctx, func(c *bot.Client) error { return stepTo(ctx, p, c, to) })
	}
}

// leap is how far, in metres, a client may move at once before the server does not believe it.
const leap = 90

// stepTo puts a character that is near a place there at once.
func stepTo(ctx context.Context, p *player, c *bot.Client, to coords.Position) error {
	if d := c.Position.Distance(to); d > leap {
		return fmt.Errorf("%s enters at %s, %.0f m from %s: expected at most %d m, for nobody goes farther at once", p.name, pointText(c.Position), d,
			pointText(to), leap)
	}
	to.Yaw = c.Position.Yaw
	return ping(ctx, p, c, to)
}

// ping tells the server where the character is, and waits for the answer.
func ping(ctx context.Context, p *player, c *bot.Client, at coords.Position) error {
	ctx, cancel := context.WithTimeout(ctx, p.stage.patience)
	defer cancel()
	_, err := c.Ping(ctx, at)
	return err
}

func comeBack(a *args) step {
	return func(ctx context.Context, s *stage) error {
		p := s.players[a.names[0]]
		if p == nil {
			return fmt.Errorf("%s was never in the world", a.names[0])
		}
		return p.enter(ctx)
	}
}

func (a *args) setScene(ctx context.Context, s *stage) error {
	at, err := s.resolve(ctx, a.where)
	if err == nil {
		s.scene = &at
	}
	return err
}

func (a *args) wait(ctx context.Context, _ *stage) error {
	t := time.NewTimer(a.span)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (a *args) bePatient(_ context.Context, s *stage) error {
	s.patience = a.span
	return nil
}

func walk(ctx context.Context, p *player, a *args, c *bot.Client) error {
	ctx, cancel := context.WithTimeout(ctx, c.TimeTo(a.where.at)+p.stage.patience)
	defer cancel()
	return c.Walk(ctx, a.where.at)
}

func setOut(_ context.Context, _ *player, a *args, c *bot.Client) error { return c.SetOut(a.where.at) }

func turn(ctx context.Context, p *player, a *args, c *bot.Client) error {
	at := c.Position
	at.Yaw = float32(*a.number * math.Pi / 180)
	return ping(ctx, p, c, at)
}

func hurry(_ context.Context, _ *player, a *args, c *bot.Client) error { return c.SetSpeed(*a.number) }

func sentAway(ctx context.Context, p *player, _ *args) error {
	is, err := p.within(ctx, p.stage.patience, func(*bot.Client) bool { return false })
	if err == nil && !is {
		return fmt.Errorf("%s is still connected", p.name)
	}
	_ = p.leave(ctx, true)
	return nil
}

func isAt(ctx context.Context, p *player, a *args) error {
	to, err := p.stage.resolve(ctx, a.where)
	if err != nil {
		return err
	}
	const byDefault = 1
	return p.until(ctx, func(c *bot.Client) bool { return c.Position.Distance(to) <= a.tolerance(byDefault) }, func(c *bot.Client) string {
		return fmt.Sprintf("is at %s, %.2f m from %s", pointText(c.Position), c.Position.Distance(to), pointText(to))
	})
}

// tolerance is how far off, in metres, a place may be.
func (a *args) tolerance(byDefault float64) float64 {
	if a.number == nil {
		return byDefault
	}
	return *a.number
}

// A stat is a value by which scripts know it: of the own character, and on the nameplates of others (nil: it is not there).
type stat struct {
	name  string
	own   func(*bot.Client) int
	other func(*packets.PlayerSpawn) int
}

const levelCycle = 60 // levels between two rebirths

func ownStat(s packets.Stat) func(*bot.Client) int {
	return func(c *bot.Client) int { return int(c.Stats.Value(s)) }
}

func ownLevel(level, rebirths packets.Stat) func(*bot.Client) int {
	return func(c *bot.Client) int { return int(c.Stats.Value(level)+levelCycle*c.Stats.Value(rebirths)) + 1 }
}

var stats = []stat{
	{"hp", ownStat(packets.StatHP), func(p *packets.PlayerSpawn) int { return int(p.HP) }},
	{"max-hp", ownStat(packets.StatMaxHP), func(p *packets.PlayerSpawn) int { return int(p.MaxHP) }},
	{"mp", ownStat(packets.StatMP), nil},
	{"max-mp", ownStat(packets.StatMaxMP), nil},
	{"satiety", ownStat(packets.StatSatiety), nil},
	{"title", ownLevel(packets.StatTitle, packets.StatTitleRebirths), func(p *packets.PlayerSpawn) int { return int(p.Title) + levelCycle*int(p.TitleRebirths) + 1 }},
	{"degree", ownLevel(packets.StatDegree, packets.StatDegreeRebirths), func(p *packets.PlayerSpawn) int { return int(p.Degree) + levelCycle*int(p.DegreeRebirths) + 1 }},
	{"karma", ownStat(packets.StatKarma), func(p *packets.PlayerSpawn) int { return int(p.Karma) }},
	{"money", func(c *bot.Client) int { return int(c.Money) }, nil},
	{"title-points", ownStat(packets.StatFreeTitlePoints), nil},
	{"degree-points", ownStat(packets.StatFreeDegreePoints), nil},
	{"strength", ownStat(packets.StatBaseStrength), nil},
	{"agility", ownStat(packets.StatBaseAgility), nil},
	{"accuracy", ownStat(packets.StatBaseAccuracy), nil},
	{"endurance", ownStat(packets.StatBaseEndurance), nil},
	{"earth", ownStat(packets.StatBaseEarth), nil},
	{"air", ownStat(packets.StatBaseAir), nil},
	{"water", ownStat(packets.StatBaseWater), nil},
	{"fire", ownStat(packets.StatBaseFire), nil},
	{"things", func(c *bot.Client) int { return len(c.Items()) }, nil},
}

func hasStat(fits func(have, want int) bool) func(context.Context, *player, *args) error {
	return func(ctx context.Context, p *player, a *args) error {
		want := int(*a.number)
		return p.until(ctx, func(c *bot.Client) bool { return fits(a.stat.own(c), want) },
			func(c *bot.Client) string { return fmt.Sprintf("has %s %d", a.stat.name, a.stat.own(c)) })
	}
}
