package world

import (
	"cmp"
	"math"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// Options of a world; the zero value of a field means its default.
type Options struct {
	// MaxSpeed is the fastest plausible movement along the ground in metres per second; default 12, negative to believe
	// everything. Slack is how many metres of it may come at once; default 100. A player runs 4.5 m/s, and effects of
	// speed are thought to double that.
	//
	// Source: protocol fight 4.3, where running was measured.
	MaxSpeed, Slack float64
	// Disconnected says that no player can walk from the first place to the second; nil: all can.
	Disconnected func(from, to coords.Position) bool
	// SaveEvery is how often changed players are handed over to be saved; default 3 s.
	SaveEvery time.Duration
	// QueueLimit is how many moves may wait for the next tick. Further ones are dropped and counted: the client
	// sends the next within seconds. Everything else is bounded by the number of players. Default 65536.
	QueueLimit int
	// Sight is how far players see, in metres; default 100, at least 1. Entities vanish at 1.1 times that. The wire
	// shows movements within 120 m only.
	Sight float64
	// ViewLimit is how many other players a player sees at most; default 256: those that have come first. Without it a
	// place where all meet would cost the square of their number.
	ViewLimit int
	// ThingLimit is how many objects a player sees at most; default 4096, the nearest first.
	ThingLimit int
	// Busy says that a player's client is behind with its data, so that where many objects are it is shown no further
	// ones for now; nil: no client ever is. It is asked on the ticking goroutine.
	Busy func(PlayerID) bool
	// Behind is how many ticks have been told that have not left for the slowest of the clients' loops; nil: none ever. It
	// is asked on the ticking goroutine. Of motion less is told until they have.
	Behind func() int
	// Hearing is how far a line on the channel [Normal] is heard, in metres; default 100.
	Hearing float64
	// Reach is how near a player has to be to use a portal, an item or a trader, in metres; default 10.
	Reach float64
	// Tables are the kinds of items and the gains of levels. Without them items have no effect and no use, there is no
	// trade, and the greatest HP and MP are those with which a player enters.
	Tables *rules.Tables
	// SellFraction is which part of the price a trader pays, more than 0 to 1; default [rules.SellFraction].
	SellFraction float64
	// DespawnAfter is how long a dropped item lies there; default 30 minutes.
	DespawnAfter time.Duration
	// MaxPerSpot is how many items lie within 5 m of each other at the most, before no more can be dropped or dragged
	// there; default 50.
	MaxPerSpot int
	// LitterPerPlayer and LitterPerAccount are how many dropped items of a character, and of all characters of an
	// account, lie there at most: one more ends the oldest. Default 30 and 100.
	LitterPerPlayer, LitterPerAccount int
	// PartySize is how many members a party has at most, its leader among them; default 8.
	PartySize int
	// Instances is how many instances there are at once at the most; default and greatest [rules.MostInstances].
	Instances int
	// Layouts are the dungeons of which [EnterInstance] makes instances.
	Layouts []*Layout
	// Seed, up to [MaxSeed], makes the world's chance: the same seed, the same commands and times, the same events. 0:
	// it is drawn.
	Seed int
	// Zones are towns, which no monster enters, and where there is peace; nil: there are none.
	Zones *rules.Zones
	// Ground answers how high the ground is; by default that is not known anywhere.
	Ground Ground
	// Revival says where a player with karma of a band lives again after it has died at a place; nil: where it died.
	//
	// Source: protocol fight 8.3.
	Revival func(at coords.Position, band int) coords.Position
	// Continent is the key of the continent on which a place lies, "" for inside of something; nil: there is one, "".
	Continent func(at coords.Position) string
	// Missions are the templates of missions, MissionDungeon the dungeon of those inside: each of its lairs has one
	// monster, the last one has the target. Without it there are none inside.
	Missions       []rules.MissionTemplate
	MissionDungeon *Layout
	// Balance is the balance at the start; nil for the one that ships. [SetBalance] replaces it later.
	Balance *rules.Balance
}

// DefaultOptions returns the default of each number.
func DefaultOptions() Options { return Options{}.withNumbers() }

func (o Options) withDefaults() Options {
	if o.Continent == nil {
		o.Continent = func(coords.Position) string { return "" }
	}
	return o.withNumbers()
}

// withNumbers sets the defaults of numbers. Fields that a server finds out by itself, such as grounds and continents,
// stay as they are.
func (o Options) withNumbers() Options {
	if o.MaxSpeed = cmp.Or(o.MaxSpeed, 12); o.MaxSpeed < 0 {
		o.MaxSpeed = math.Inf(1)
	}
	o.Slack = cmp.Or(o.Slack, 100)
	o.SaveEvery = cmp.Or(o.SaveEvery, 3*time.Second)
	o.QueueLimit = cmp.Or(o.QueueLimit, 1<<16)
	positive(&o.Sight, 100)
	o.Sight = min(max(o.Sight, 1), 1<<20)
	positive(&o.Hearing, 100)
	positive(&o.Reach, 10)
	positive(&o.SellFraction, rules.SellFraction)
	o.SellFraction = min(o.SellFraction, 1)
	positive(&o.DespawnAfter, 30*time.Minute)
	positive(&o.MaxPerSpot, 50)
	positive(&o.LitterPerPlayer, 30)
	positive(&o.LitterPerAccount, 100)
	positive(&o.ViewLimit, 256)
	positive(&o.ThingLimit, 4096)
	positive(&o.PartySize, 8)
	positive(&o.Instances, rules.MostInstances)
	o.Instances = min(o.Instances, rules.MostInstances)
	return o
}

// positive gives a setting its default unless it is above 0.
func positive[T int | float64 | time.Duration](v *T, otherwise T) {
	if !(*v > 0) {
		*v = otherwise
	}
}

// A Ground answers how high the ground is, and learns it. It is asked on the ticking goroutine, so it must be quick,
// and must give the same answers to the same questions.
type Ground interface {
	// Height is how high the ground is at a place, on the storey of its height; false where that is not known. near is a
	// place in the neighbourhood, with the height of the ground there; nil for none.
	Height(at coords.Position, near *coords.Position) (y float32, known bool)
	// Way appends the places of a walkable way to another place, as many as fit, if it is known to be better than to go
	// straight. tried says that it was looked for, which takes a while.
	Way(from, to coords.Position, into []coords.Position) (way []coords.Position, tried bool)
	// Passes reports whether a step on foot is possible, as far as that is known: not into deep water, nor over a cliff.
	Passes(from, to coords.Position) bool
	// Land is how high the land is below or above a height that is only guessed, and whether it is dry enough to stand
	// on; known is false where it is not known.
	Land(at coords.Position) (y float32, dry, known bool)
	// Footing says how a height compares with that of the ground.
	Footing(at coords.Position) rules.Footing
	// Nearest is the nearest place of certain height within a limit of metres along the ground, on any storey of the same
	// part of the world.
	Nearest(at coords.Position, limit float64) (place coords.Position, known bool)
	// Learn notes that a player has walked on the ground at a place, and reports whether nothing was known there.
	Learn(at coords.Position) (fresh bool)
	// SetBalance sets the numbers by which it guesses and looks for ways.
	SetBalance(b *rules.MindBalance)
	// Learned returns the heights learned since the last time that are to last, a part of them if they are many.
	Learned() []rules.GroundCell
}

// unknown is a ground of which nothing is known.
type unknown struct{}

func (unknown) Height(coords.Position, *coords.Position) (float32, bool) { return 0, false }
func (unknown) Passes(coords.Position, coords.Position) bool             { return true }
func (unknown) Land(coords.Position) (float32, bool, bool)               { return 0, false, false }
func (unknown) Footing(coords.Position) rules.Footing                    { return rules.FootingUnknown }
func (unknown) Learn(coords.Position) bool                               { return false }
func (unknown) Nearest(coords.Position, float64) (coords.Position, bool) {
	return coords.Position{}, false
}
func (unknown) Learned() []rules.GroundCell   { return nil }
func (unknown) SetBalance(*rules.MindBalance) {}
func (unknown) Way(_, _ coords.Position, into []coords.Position) ([]coords.Position, bool) {
	return into, false
}
