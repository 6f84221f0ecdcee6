package rules

import "time"

// A Balance is every number of a fight that is chosen and not known: what the protocol's page marks as an estimate. An
// operator changes them in the balance file while the server runs; the laws that use them stand beside in this package.
// Lengths are metres, parts are of 1, times are seconds unless a field is a [time.Duration].
type Balance struct {
	Damage     DamageBalance
	Blow       BlowBalance
	Mind       MindBalance
	Spawn      SpawnBalance
	Death      DeathBalance
	Karma      KarmaBalance
	Experience ExperienceBalance
	Loot       LootBalance
	Effect     EffectBalance
	Duel       DuelBalance
}

// DamageBalance is how hard a blow hits. Source: protocol fight 4.2, 7.1 to 7.3.
type DamageBalance struct {
	RollLow, RollLowSpread   float64 // the roll begins at (RollLow + RollLowSpread·s)·attack, s being the weapon's spread
	RollHigh, RollHighSpread float64
	DefencePart              float64 // which part of the defence a roll above it loses
	Fists                    int     // attack of bare fists
	MissPlayer, MissMonster  float64 // chance that a blow misses
	Named                    float64 // attack and defence of a named monster, times those of a common one
	Curve                    float64 // 0: attack and defence grow by the column each level; 1: by the law of HP
	Players                  float64 // damage of players among themselves
	Mirror, Vampire, Prana   float64 // parts of damage thrown back, drunk, taken from MP
}

// BlowBalance is when and whence a blow counts. Source: protocol fight 7.4.
type BlowBalance struct {
	UseSlack          float64 // a blow counts after this part of the use time
	ReachSlack, Least float64 // added to the weapon's range, and the least that comes of it
	FistRange         float64
	FistTime          time.Duration
	AbsoluteEvery     int // each so many-th hit on a monster carries its absolute HP
	AreaTargets       int // at most
	SplashSelf        bool
	WearHits          int // durability goes down by one in so many blows; 0: never
}

// MindBalance is how a monster behaves. Source: protocol fight 4.4, 6.2, 6.3.
type MindBalance struct {
	Notice, NoticeFar      float64 // radius; the latter of those that attack from at least FarRange
	FarRange               int
	NoticeLevels           int // a player so many levels above is left alone
	NoticeHeight           float64
	Lose, Leash, Help      float64
	ThreatTime             time.Duration
	ThreatSwitch           float64 // the target changes when another threatens so many times as much
	Melee, Nearest, Space  float64
	FirstSwing             float64 // part of the delay after coming into range
	Walk, Chase, ChaseFar  float64 // parts of the speed column
	ChaseDistance          float64 // beyond it ChaseFar counts
	TopSpeed               float64 // m/s
	WanderMin, WanderMax   time.Duration
	WanderTime             time.Duration
	WanderRadius           float64
	Path                   time.Duration
	PathMoved              float64
	ReturnTime             time.Duration
	Home                   float64
	HealAfter              time.Duration
	FlyHeight              float64
	StuckTime, GiveUp      time.Duration
	StuckGain              float64
	StayAwake              time.Duration // after the last player has gone
	HeightStep, HeightJump float64       // most change of height in a tick, and in a chase over unknown ground
}

// SpawnBalance is where and how often monsters come. Source: protocol fight 4.6, 5.
type SpawnBalance struct {
	Common           int     // monsters of a spawner
	NamedChance      float64 // that one more is a named one, at each birth
	Radius, Indoors  float64 // metres around the spawner
	Apart            float64 // between two of a spawner
	Respawn          time.Duration
	Eyes             float64       // none appears so near before a player
	EyesTime         time.Duration // more often than once in this time
	TownFree         float64       // no monster nearer to the centre of a city
	PersonFree       float64       // nor a spawner to a known person's place
	LevelBase        float64       // protocol fight 5: level = 1 + (distance − LevelBase)/LevelStep
	LevelStep        float64
	LevelSpread      int
	Haron, Phoebe    int // added on these continents
	Rodos            int
	TutorialCoinsMin int
	TutorialCoinsMax int
}

// DeathBalance is what dying costs, and living again. Source: protocol fight 8.
type DeathBalance struct {
	Revive       time.Duration
	HP           int           // with which one lives again
	Protection   time.Duration // in which nobody is hurt
	Experience   float64       // part of it that is lost
	FromLevel    int           // below it nothing is
	Thing        float64       // chance to lose a thing with karma of bands 1 and 2
	Satiety      int
	PositionEach time.Duration // how often the dead are told where they are
}

// KarmaBalance is what changes karma. Source: protocol fight 8.4.
type KarmaBalance struct {
	Monster     [6]int // by the monster's band; 0 is not used
	Player      [6]int // by the victim's band
	Suicide     int
	Kindness    int
	KindEach    time.Duration
	SelfDefence time.Duration
	Limit       int
}

// ExperienceBalance is what a kill teaches. Source: protocol fight 9.
type ExperienceBalance struct {
	Factor       float64 // of all of it
	Spread       float64 // ± of 1
	Named        float64
	Group        float64 // more for each further member
	Near         float64
	FreeLevels   int     // above the monster's
	LevelPart    float64 // less for each level beyond
	LeastPart    float64
	OtherFactor  float64 // of monsters that KillFactors does not name
	MostHitsTime time.Duration
}

// LootBalance is what a monster leaves. Source: protocol fight 10.
type LootBalance struct {
	Bag            float64 // chance
	Things         [4]int  // weights of 1 to 4 things
	Owner, Expires time.Duration
	Suffix         float64 // chance of gear
	StackMin       int     // powders
	StackMax       int
	TierLevels     int
	Weights        LootWeights
}

// LootWeights is what kinds of things bags hold, as weights.
type LootWeights struct {
	Ring, Bracelet, Mantra, Powder, Alchemy, Axe, Sword, Crossbow, Robe, Amulet, Shield, Boots int
}

// EffectBalance is what effects do. Source: protocol fight 9.5, 11.
type EffectBalance struct {
	PoisonEach    time.Duration
	MonsterPoison float64       // column × level × this is the total
	MonsterColumn float64       // column × level × this, of maxima, defences and stats
	MaxMove, Rest time.Duration // one point of satiety goes, moving and resting
	Lasting       time.Duration // bad effects of the dead do not count below this
}

// DuelBalance is about players against players. Source: protocol fight 12.
type DuelBalance struct {
	FromLevel    int
	City, Trader float64 // metres around that are peaceful
	Wrath        bool
	WrathPart    float64
}

// DefaultBalance returns the numbers that ship.
func DefaultBalance() *Balance {
	return &Balance{
		Damage: DamageBalance{RollLow: 0.84, RollLowSpread: -0.085, RollHigh: 1.16, RollHighSpread: 0.035, DefencePart: 6.0 / 7,
			Fists: 2, MissPlayer: 0.05, MissMonster: 0.05, Named: 1.25, Players: 0.5, Mirror: 0.3, Vampire: 0.2, Prana: 0.5},
		Blow: BlowBalance{UseSlack: 0.8, ReachSlack: 3, Least: 5, FistRange: 3, FistTime: 2 * time.Second, AbsoluteEvery: 2,
			AreaTargets: 30},
		Mind: MindBalance{Notice: 12, NoticeFar: 18, FarRange: 10, NoticeLevels: 15, NoticeHeight: 6, Lose: 45, Leash: 50,
			Help: 10, ThreatTime: time.Minute, ThreatSwitch: 1.2, Melee: 2.2, Nearest: 1, Space: 1.2, FirstSwing: 0.5,
			Walk: 0.35, Chase: 0.6, ChaseFar: 1, ChaseDistance: 8, TopSpeed: 6, WanderMin: 8 * time.Second,
			WanderMax: 20 * time.Second, WanderTime: 10 * time.Second, WanderRadius: 6, Path: 450 * time.Millisecond,
			PathMoved: 1.5, ReturnTime: 15 * time.Second, Home: 0.35, HealAfter: 10 * time.Second, FlyHeight: 2.5,
			StuckTime: 3 * time.Second, GiveUp: 5 * time.Second, StuckGain: 0.5, StayAwake: 10 * time.Second,
			HeightStep: 0.7, HeightJump: 4},
		Spawn: SpawnBalance{Common: 3, NamedChance: 0.03, Radius: 12, Indoors: 4, Apart: 2, Respawn: time.Minute, Eyes: 10,
			EyesTime: time.Minute, TownFree: 75, PersonFree: 25, LevelBase: 225, LevelStep: 39, LevelSpread: 2, Haron: 20,
			Phoebe: 32, Rodos: 50, TutorialCoinsMin: 14, TutorialCoinsMax: 16},
		Death: DeathBalance{Revive: 5 * time.Second, HP: 100, Protection: 10 * time.Second, Experience: 0.124335, FromLevel: 10,
			Thing: 0.3, Satiety: 10, PositionEach: 2 * time.Second},
		Karma: KarmaBalance{Monster: [6]int{1: 1, 3: -10, 4: -20, 5: -40}, Player: [6]int{3: -500, 4: -500, 5: -500},
			Suicide: -300, Kindness: 1, KindEach: time.Minute, SelfDefence: time.Minute, Limit: 1_000_000},
		Experience: ExperienceBalance{Factor: 1, Spread: 0.1, Named: 1.5678, Group: 0.1, Near: 60, FreeLevels: 10,
			LevelPart: 0.1, LeastPart: 0.1, OtherFactor: 1.5678, MostHitsTime: time.Minute},
		Loot: LootBalance{Bag: 0.6, Things: [4]int{30, 50, 12, 8}, Owner: time.Minute, Expires: 3 * time.Minute, Suffix: 0.25,
			StackMin: 3, StackMax: 19, TierLevels: 5, Weights: LootWeights{Ring: 26, Bracelet: 14, Mantra: 18, Powder: 25,
				Alchemy: 31, Axe: 7, Sword: 5, Crossbow: 3, Robe: 6, Amulet: 5, Shield: 5, Boots: 5}},
		Effect: EffectBalance{PoisonEach: 5 * time.Second, MonsterPoison: 0.25, MonsterColumn: 0.5, MaxMove: 3 * time.Minute,
			Rest: 6 * time.Minute, Lasting: 10 * time.Second},
		Duel: DuelBalance{FromLevel: 10, City: 75, Trader: 25, WrathPart: 0.25},
	}
}
