package world

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

const (
	// TickPeriod is the time between two ticks.
	TickPeriod = 50 * time.Millisecond
	// populationPeriod is the shortest time between two reports of the number of players, since each goes to all.
	populationPeriod = 2 * time.Second
	// settleDistance is how near to the end of a teleport a player's own position has to be to count again, in metres.
	settleDistance = 30
	// settleTime is how long positions from before a teleport are ignored at the most.
	settleTime = 10 * time.Second
	// putBackTime is the same for a player who was not believed.
	putBackTime = time.Second
	// MaxSeed is the greatest seed of chance.
	MaxSeed = 1<<31 - 1
	// publishPeriod is how often a snapshot is made.
	publishPeriod = time.Second
)

// A World is one realm part. Its Tick is called by one goroutine at a time.
type World struct {
	options Options
	sink    Sink
	balance *rules.Balance

	mu      sync.Mutex // guards the inbox and resting
	inbox   []Command
	moves   []move
	dropped atomic.Uint64
	footing [rules.BelowGround + 1]atomic.Uint64 // places of players that were believed
	resting bool                                 // no tick is due soon
	called  chan struct{}                        // a command ends the rest

	takenInbox  []Command // those of the last tick, used again
	takenMoves  []move
	eventBuffer // what is told in this tick

	entities   map[EntityID]*entity
	all        [sorts][]*entity // the same; the same commands make the same order
	characters map[int64]PlayerID
	rested     map[rest]time.Time   // spells that cannot be cast yet
	absent     map[int64]absence    // what is kept of characters that have left, by their numbers
	names      map[string]*player   // by folded name
	failed     map[PlayerID]*player // out of sight, until they leave
	unsaved    []*player            // changed, and not yet handed over to be saved
	movers     []*entity            // whose area of interest or place is to be told

	transactions

	grid            grid
	sight2, vanish2 float64   // squares of the distances
	cells           []*cell   // of the last look, used again
	near            []distant // the same
	stamp           uint64    // of the last look

	entityIDs atomic.Uint32

	schedule
	spawners
	instances
	missions
	minds
	random     *rand.Rand
	tick       uint64
	population struct {
		told int
		at   time.Time
	}
	views
}

// A deed is a command that is done at once.
type deed interface {
	Command
	do(w *World)
}

// An act is a command of a player that is done at once, unless the player is not inside.
type act interface {
	Command
	act(w *World, p *player)
}

// An arrangement is an act that concerns parties. What is not allowed is answered by [PartyRefused].
type arrangement interface {
	Command
	arrange(w *World, p *player) rules.RejectReason
}

// A request is a command of a player or an operator that concerns belongings. What is not allowed is answered by
// [Refused] and changes nothing. What changes what lasts is told by [CommitRequest] first, and done when [Committed]
// says that it is durable. Until then further requests of the player wait, eight at most. A request of a
// player who is not inside is dropped; one of an operator for such a player is refused.
//
// Beside ask, a request may have these methods: names lists the slots that a refusal restates; byOperator says that
// an operator makes it, alsoDead that the dead may; free says that it can be done now and changes nothing that lasts, so
// that it does not wait.
type request interface {
	Command
	// ask checks what is asked, and does it or begins to.
	ask(w *World, p *player) rules.RejectReason
}

// A change is something that the world itself does to a player.
type change func(w *World, p *player)

// An action is what a timer does. The entity is nil for the world's own.
type action func(w *World, e *entity)

// A player is one who is inside.
type player struct {
	entity
	Player
	partyState
	inventoryState
	afflictions
	fightState
	task        *task           // nil: none yet
	kind        int64           // when it has last done somebody good, for its karma, Unix nanoseconds
	hunger      float64         // since the last point of satiety, in points
	stood       coords.Position // in the last period of regeneration
	stride      rules.Stride
	tread       rules.Tread
	startled    int64           // when a monster has appeared before its eyes, Unix nanoseconds
	settleBy    int64           // a teleport is under way until then, Unix nanoseconds
	settlesFrom coords.Position // where that began
	hurtAt      int64           // when it has lost HP last, Unix nanoseconds
	journey     int64           // when its last one by a token or a stone was, Unix nanoseconds
	heard       bool            // from its client, since it entered
	lingers     bool            // it has left in a fight, and stays for a while
	unsaved     bool            // in World.unsaved
}

// fightState is what a player has to do with fights.
type fightState struct {
	lastBlow   time.Time
	lastUse    int64     // when it has struck or cast a spell last, Unix nanoseconds
	protected  time.Time // until then nobody hurts it
	revival    time.Time // of one that is dead
	blowsWorn  int       // of its own that have hit since its weapon wore
	hitsWorn   int       // on it since what it wears wore
	grudges    []grudge  // against players who have hurt it of late
	duel       *duel
	truce      truce // after the last one
	challenged challenge
}

// A grudge is that a player has hurt another.
type grudge struct {
	by   int64 // number of the character
	last time.Time
}

// An object is what is no player.
type object struct {
	entity
	Object
	monster *monster     // nil: it is none
	fresh   bool         // an item that is nobody's yet: see [Piece]
	ward    *ward        // nil: nobody is led
	things  []rules.Item // of a fresh chest
	trap    int          // of a chest: HP that its trap takes, 0 for none or one that has sprung
	calls   *Summon      // of a chest: the monster that it calls, nil for none or one that has come

	// Of what lies in the world.
	inventory *rules.Inventory
	pending   *pendingTx // what is being made durable for it
	users     []*player  // who look into it
	shared    []int64    // characters for whom, besides whom it is promised to, it is
	character int64      // whose litter it is, 0 for nobody's,
	account   string     // and of which account
}

// A sort divides entities by how they are seen.
type sort uint8

const (
	players sort = iota // see, and are seen by each other
	others              // are only seen: NPCs, portals, ground items

	sorts
)

// An entity is whatever is somewhere in the world: what the grid, the area of interest and motion have to know of it.
// A player or an object hangs on it.
type entity struct {
	id   EntityID
	sort sort
	gone bool            // out of the world
	mark uint64          // of the last look by something that has a link to this already
	at   coords.Position // where it is: beside mark, since both are asked of all who are near
	cell *cell
	slot int // in cell.of[sort]

	inside *instance // nil: in the open world
	area
	motion

	player *player // one of these two
	object *object
	shown  *coords.Position // in that: at, as events show it
	pools  *rules.Pools     // nil: nothing can hurt it

	index  int // in World.all[sort]
	timers int // in World.heap
}

// An area is what is of interest to an entity: the visibility links to what is near it. Links are mutual. One between
// players says that each sees the other; one between a player and anything else says that the player sees that.
type area struct {
	links   [sorts][]link // by the sort of what is linked
	viewers []PlayerID    // of links[players], in the same order

	newest     uint32 // tick of the last link to a player
	truncated  bool   // a player in sight has no link because of [Options].ViewLimit
	short      bool   // an object in sight has no link because of [Options].ThingLimit, thingsAtOnce or [Options].Busy
	lookedAt   time.Time
	lookedFrom coords.Position
}

// distant is an entity in one of the rings around another, of which 0 is the nearest.
type distant struct {
	*entity
	ring int
}

// A link leads to an entity in sight.
type link struct {
	other *entity
	back  int32  // index of the link the other way, in other.links
	since uint32 // tick
}

// motion is what viewers were told last of where an entity is.
type motion struct {
	moving   bool // in World.movers
	lastSent coords.Position
}

// A grid knows what stands where: squares over x and z, each with what is above it at any height.
type grid struct {
	size  float64 // of a cell, metres
	cells map[cellKey]*cell
	spare []*cell // empty, to be used again
}

// A cellKey is a square of the open world or of an instance, so that what is in one is never found from elsewhere: in 24
// bits each x and z, in cells, and in 16 bits the number of the instance, 0 for none.
type cellKey uint64

type cell struct {
	key    cellKey
	of     [sorts][]*entity
	beside [9]*cell // nil where nobody is, and itself in the middle
}

// A schedule is what is to be done later: a heap of timers, what is due first on top. Those that are due at once are
// served in the order in which they were set. It allocates nothing once it has grown, if what is done is no closure.
type schedule struct {
	heap   []timer
	set    uint64 // timers so far
	stale  int    // timers of entities that are gone
	now    time.Time
	firing bool
}

// A timer is something to be done for an entity, or for the world.
type timer struct {
	due    int64 // Unix time in nanoseconds
	seq    uint64
	period time.Duration // 0: once
	of     *entity       // nil: the world
	do     action
}

// move is where a player's own client says that it is.
type move struct {
	id PlayerID
	to coords.Position
}

// inventoryState are what a player has to do with items.
type inventoryState struct {
	carried rules.Inventory
	kept    rules.Inventory // its vault
	hand    rules.ItemID
	fists   bool

	pending *pendingTx // what is being made durable for it
	due     []change   // of the world's own, until that is done
	waiting []request  // of its own, after those
	leaving bool       // asks for nothing any more

	opened  *object // the bag that lies in the world into which it looks
	trade   trade
	derived rules.Derived // of levels, base values and equipment
	known   toldSheet     // beside derived
}

// A pendingTx is a change on its way to be durable. Nobody else changes what it concerns meanwhile.
type pendingTx struct {
	*tx
	seq    uint64
	object *object // that lies in the world, nil for none
	done   func()
	failed func() // nil: nothing more than to refuse
}

// A tx is a transaction in the making: of inventories, and of what it makes of the player who asks for it, and of
// others.
type tx struct {
	rules.InventoryTx
	stake   // of the player whose request it is; the zero value for the world's own
	others  []stake
	command Command
	changes []rules.ItemChange
}

// A stake is what a transaction makes of one player. It is a delta: it is done to a copy for the store when it is asked
// for, and to the player, who may have gained something meanwhile, when it is durable.
type stake struct {
	p      *player
	money  int64           // gained
	become func(*Player)   // changes levels, progress and pools; nil: they are no part of the change
	to     coords.Position // where p is afterwards, if leads
	leads  bool
	before rules.Pools // as they were before become
}

// transactions is what a world has to do with items.
type transactions struct {
	tables     *rules.Tables
	pendingTxs map[uint64]*pendingTx
	seq        uint64
	expiries   struct {
		since time.Time
		n     int // in the expiryPeriod since then
	}
	stocks map[EntityID]stock   // of traders who were asked today
	litter map[string][]*object // what players have put down and may stay, by their accounts, oldest first
}

// offers is how many items can be offered to a trader at once, from 0 on.
const offers = 32

// A trade is what a player has to do with an NPC.
type trade struct {
	with   EntityID // 0: nobody
	bank   bool
	goods  []rules.Offer // as they were when the trade began
	offers map[int]offered
}

// offered is something that a trader has named a price for.
type offered struct {
	item  rules.ItemID
	count int
	price int64
}

// A stock is what a trader sells today.
type stock struct {
	day   uint64
	goods []rules.Offer
	shown []Article // the same, as they are told
}

// A party is some players who belong together.
type party struct {
	leader     *player
	members    []*player // the leader among them; who is longest in it comes first
	applicants []*player // who has waited longest comes first
}

// partyState is what a player has to do with parties: it is in one, or may have applied to one.
type partyState struct {
	party   *party
	applied *party
}
