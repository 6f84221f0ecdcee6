package rules

import "time"

// A Balance is every number of fights and journeys that is chosen and not known: the numbers that the protocol's page
// marks as estimates. An operator changes them in the balance file while the server runs; the laws that use them stand
// beside in this package. Lengths are metres, parts are of 1, times are seconds unless a field is a [time.Duration].
type Balance struct {
	Strength   StrengthBalance
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
	Mission    MissionBalance
	Chest      ChestBalance
	Travel     TravelBalance
	Rates      RatePlans // of the file; their factors are in the other numbers, see [Rates.Apply]
}

// StrengthBalance is how strong monsters are, as factors of the tables and laws: the first numbers that an operator
// turns. It is ours.
type StrengthBalance struct {
	HP     float64
	Damage float64
}

// MaxHP is how many HP a monster of a level has, at least 1.
func (b *StrengthBalance) MaxHP(m *Monster, level int, named bool) int {
	return max(int(b.HP*float64(m.MaxHP(level, named))), 1)
}

// Hurts is the damage of a monster's blow: at least 1 if the blow does any and the factor is above 0.
func (b *StrengthBalance) Hurts(damage int) int {
	if b.Damage == 0 {
		return 0
	}
	return max(int(b.Damage*float64(damage)), min(damage, 1))
}

// DamageBalance is how hard a blow hits. Source: protocol fight 4.2, 7.1 to 7.3.
type DamageBalance struct {
	RollLow, RollLowSpread   float64 // the roll begins at (RollLow + RollLowSpread·s)·attack, s being the weapon's spread
	RollHigh, RollHighSpread float64
	DefencePart              float64 // which part of the defence a roll above it loses
	Fists, FistsLevel        int     // attack of bare fists at title 1, and more at each further title
	MissPlayer, MissMonster  float64 // chance that a blow misses
	EasyLevel                int     // below which a player feels less of a monster's blow: at level 1
	EasyPart                 float64 // this part, at each further one more
	Named                    float64 // attack and defence of a named monster, times those of a common one
	Curve                    float64 // 0: attack and defence grow by the column each level; 1: by the law of HP
	Players                  float64 // damage of players among themselves
	Mirror, Lifesteal, Prana float64 // parts of damage thrown back, drunk, taken from MP
}

// BlowBalance is when and whence a blow counts. Source: protocol fight 7.4.
type BlowBalance struct {
	UseSlack          float64 // a blow counts after this part of the use time
	ReachSlack, Least float64 // added to the weapon's range, and the least reach
	FistRange         float64
	FistTime          time.Duration
	Linger            time.Duration // how long a player stays that leaves the game in a fight; 0: not at all
	// FightHop is how many metres a fighter may go in one step beyond what the time allows; 0: any.
	FightHop      float64
	AbsoluteEvery int // each so many-th hit on a monster carries its absolute HP
	AreaTargets   int // at most
	SplashSelf    bool
	WearHits      int     // durability goes down by one in so many blows; 0: never
	Repair        float64 // part of an item's price for the repair of all of its durability
}

// MindBalance is how a monster behaves. Source: protocol fight 4.4, 6.2, 6.3.
type MindBalance struct {
	Notice, NoticeFar      float64 // radius; the latter of those that attack from at least FarRange
	FarRange               int
	NoticeLevels           int // a player so many levels above is not noticed
	NoticeHeight           float64
	Lose, Leash, Help      float64
	LookTurns              int     // decisions between two looks for prey
	SwingSlack             float64 // metres beyond its range at which a monster still swings
	TurnSteps              int     // 256ths of a turn by which a direction differs before a monster turns
	Circles                int     // times that it comes into one square of 2 m within GiveUp, before it gives up
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
	GuessSlope             float64       // rise for each metre up to which two known heights are of one storey
	Steepest               float64       // rise for each metre up to which monsters walk
	WayCells               int           // squares of 2 m at which a search for a way looks, 1 to [MostWayCells]
	Wade                   float64       // metres of water up to which monsters walk
	IDRest                 time.Duration // how long a client is told of nothing else by the id of a dead monster
}

// MostWayCells is the greatest [MindBalance].WayCells.
const MostWayCells = 1000

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
	Taken            float64       // part of the squares of land of 100 m that have one
	Woods            float64       // metres around a wood or mountains that are theirs
	Types            int           // of monsters at a spawner, at most
	Rare             int           // one in how many spawners outside of cemeteries may bring a monster of [RareType]
	LevelBase        float64       // protocol fight 5: level = 1 + (distance − LevelBase)/LevelStep
	LevelStep        float64
	LevelSpread      int
	EasyLevel        int // of spawners for beginners, and below: by them are so many monsters, of so different levels
	EasyCommon       int
	EasySpread       int
	MostLevel        int // that distance alone gives
	Cemetery         int // added around cemeteries
	Dungeon          int // level in dungeons and cemeteries, and at least below castles
	DungeonPlaces    int // where monsters come from in each of them that was not recorded
	Haron, Phoebe    int // added on these continents
	Rodos            int
	TutorialCoinsMin int
	TutorialCoinsMax int
	TutorialRespawn  time.Duration // of the newcomers' monster in an instance
	InstanceLinger   time.Duration // how long one is kept that all players have left
	Guards           int           // of each town, against players that break its peace
	GuardType        int           // row of the table of monsters
	GuardLevel       int
}

// DeathBalance is the cost of dying, and the rules of living again. Source: protocol fight 8.
type DeathBalance struct {
	Revive       time.Duration
	HP           int           // with which one lives again
	Protection   time.Duration // in which the player cannot be hurt
	Experience   float64       // part of it that is lost
	FromLevel    int           // below it nothing is
	Thing        float64       // chance to lose an item with karma of bands 1 and 2
	Satiety      int
	PositionEach time.Duration // how often the dead are told where they are
}

// KarmaBalance is the changes of karma. Source: protocol fight 8.4.
type KarmaBalance struct {
	Monster     [6]int // by the monster's band; 0 is not used
	Player      [6]int // by the victim's band
	Suicide     int
	Kindness    int
	KindEach    time.Duration
	SelfDefence time.Duration
}

// ExperienceBalance is the experience of kills. Source: protocol fight 9.
type ExperienceBalance struct {
	Factor       float64 // of all of it
	EasyLevel    int     // below which beginners learn more: at level 1
	EasyFactor   float64 // so many times as much, at each further one less
	Spread       float64 // ± of 1
	Named        float64
	Group        float64 // more for each further member
	GroupLevels  int     // of two members at most apart, for one that has not hurt the monster
	Near         float64
	FreeLevels   int     // above the monster's
	LevelPart    float64 // less for each level beyond
	LeastPart    float64
	Kill         []int        // by the monster's level less one
	Types        []TypeFactor // the first that has the type counts
	OtherFactor  float64      // of types that Types does not have
	MostHitsTime time.Duration
}

// A TypeFactor is how much more than others monsters of some types teach.
type TypeFactor struct {
	From, To int // numbers of types
	Factor   float64
}

// LootBalance is the loot of monsters. Source: protocol fight 10.
type LootBalance struct {
	Factor         float64 // of all of it
	Bag            float64 // chance
	Things         [4]int  // weights of 1 to 4 things
	Owner, Expires time.Duration
	Suffix         float64 // chance of gear
	StackMin       int     // powders
	StackMax       int
	TierLevels     int
	Nothing        []int // types that leave nothing
	Weights        LootWeights
}

// LootWeights are the weights of kinds of items in bags.
type LootWeights struct {
	Ring, Bracelet, Mantra, Powder, Alchemy, Axe, Sword, Crossbow, Robe, Amulet, Shield, Boots int
}

// EffectBalance is the numbers of effects. Source: protocol fight 9.5, 11.
type EffectBalance struct {
	PoisonEach    time.Duration
	MonsterPoison float64       // column × level × this is the total
	MonsterColumn float64       // column × level × this, of maxima, defences and stats
	EasyLevel     int           // degree below which attack mantras are easier for beginners: at level 1
	EasyCost      float64       // they cost this part, at each further one more
	EasyHarm      float64       // and hurt so many times as much, at each further one less
	MonsterSlow   float64       // part of its speed that a slowed monster keeps
	MonsterMiss   float64       // chance that one misses that is blind or has lost its coordination
	MonsterDrain  float64       // HP for each point of prana that a spell would take from a player
	MonsterHP     float64       // at most this part of a monster's greatest HP is taken by effects
	Reuse         time.Duration // unit of the cool-down of spells, column 43
	LeastUse      time.Duration // from one thing that is used up to the next: potions have no use time
	Food          [foods]int    // satiety that eating one gives
	Fed           [3]int        // percent that satiety adds to the greatest HP: hungry, half full, full
	FedFrom       [2]int        // satiety from which a character is half full, and full
	HungerMoving  time.Duration // after it one point of satiety goes
	HungerResting time.Duration
	Lasting       time.Duration // bad effects of the dead do not count below this
}

// DuelBalance is about players against players. Source: protocol fight 12.
type DuelBalance struct {
	FromLevel    int
	City, Trader float64 // metres around that are peaceful
	Wrath        bool
	WrathPart    float64
	Field        float64       // metres around the middle of a duel; a player that leaves them has lost
	Countdown    time.Duration // from the agreement on a duel to its first blow
	Lost         float64       // a player with this part of its HP left in a duel, or less, has lost it
	Lasts, Offer time.Duration // of a duel; how long it is offered
	Truce        time.Duration // after it
	Wanted       time.Duration // how long guards go after a player that has broken the peace
}

// MissionBalance is about missions. Source: protocol life 4.4.
type MissionBalance struct {
	Kills      float64 // experience for one, in kills of its level
	LeastXP    int
	Money      float64 // coins for one, and so many more for each level
	MoneyLevel float64
	Karma      int
	Group      float64       // part of the reward that members of the group get
	Near       float64       // metres from the kill within which they do
	Wait       time.Duration // between two
	Lasts      time.Duration
	Spread     int     // ± levels
	SpotNear   float64 // metres from a landmark to where one is done outside
	SpotFar    float64
	Sends      float64 // metres from a giver within which a player is sent into a dungeon
	PersonNear float64 // metres from a landmark to the person that gets a parcel
	PersonFar  float64
	CollectMin int // things that are to be collected
	CollectMax int
	LeadSpeed  float64       // m/s at which a ward follows
	LeadFar    float64       // metres from the leader at which it does not any more
	Pass       time.Duration // from its beginning, within which one may be passed on
	PassLevels int           // by which its level may differ from that of its new owner
	GuildTasks bool          // guilds ask for a task before each rank
}

// ChestBalance is about the chests of the dungeons of missions. Source: protocol life 4.4.
type ChestBalance struct {
	Things    [4]int  // weights of 0 to 3 things
	Trapped   float64 // chance that one has a trap
	TrapMin   int     // HP that a trap takes
	TrapMax   int
	TrapLevel int     // and so many more for each level of the monsters above the first
	Slots     int     // the first slots, in which things lie
	Calls     float64 // chance that a monster comes when it is opened
	Near      float64 // metres from it at which that one stands
}

// DefaultBalance returns the numbers that ship.
func DefaultBalance() *Balance {
	return &Balance{
		Strength: StrengthBalance{HP: 1, Damage: 1},
		Damage: DamageBalance{RollLow: 0.84, RollLowSpread: -0.085, RollHigh: 1.16, RollHighSpread: 0.035,
			DefencePart: 6.0 / 7, Fists: 2, FistsLevel: 10, MissPlayer: 0.05, MissMonster: 0.05,
			EasyLevel: 15, EasyPart: 0.5, Named: 1.25, Players: 0.5, Mirror: 0.3,
			Lifesteal: 0.2, Prana: 0.5},
		Blow: BlowBalance{UseSlack: 0.8, ReachSlack: 3, Least: 5, FistRange: 3, FistTime: 2 * time.Second,
			FightHop: 25, Linger: 10 * time.Second, AbsoluteEvery: 2,
			AreaTargets: 30, Repair: 0.5},
		Mind: MindBalance{Notice: 12, NoticeFar: 18, FarRange: 10, NoticeLevels: 15, NoticeHeight: 6, Lose: 45, Leash: 50,
			LookTurns: 3, SwingSlack: 0.5, TurnSteps: 6, Circles: 3,
			Help: 10, ThreatTime: time.Minute, ThreatSwitch: 1.2, Melee: 2.2, Nearest: 1, Space: 1.2, FirstSwing: 0.5,
			Walk: 0.35, Chase: 0.6, ChaseFar: 1, ChaseDistance: 8, TopSpeed: 6, WanderMin: 8 * time.Second,
			WanderMax: 20 * time.Second, WanderTime: 10 * time.Second, WanderRadius: 6, Path: 450 * time.Millisecond,
			PathMoved: 1.5, ReturnTime: 15 * time.Second, Home: 0.35, HealAfter: 10 * time.Second, FlyHeight: 2.5,
			StuckTime: 3 * time.Second, GiveUp: 5 * time.Second, StuckGain: 0.5, StayAwake: 10 * time.Second,
			HeightStep: 0.7, HeightJump: 4, GuessSlope: 0.25, Steepest: 1.2, WayCells: 400, Wade: 1.2, IDRest: 30 * time.Second},
		Spawn: SpawnBalance{Common: 3, NamedChance: 0.03, Radius: 12, Indoors: 4, Apart: 2, Respawn: time.Minute, Eyes: 10,
			EyesTime: time.Minute, TownFree: 75, PersonFree: 25,
			Taken: 0.88, Woods: 450, Types: 3, Rare: 20, LevelBase: 225, LevelStep: 39, LevelSpread: 2,
			EasyLevel: 10, EasyCommon: 1, EasySpread: 0, MostLevel: 50,
			Cemetery: 6, Dungeon: 25, DungeonPlaces: 6, Haron: 20,
			Phoebe: 32, Rodos: 50, TutorialCoinsMin: 14, TutorialCoinsMax: 16, TutorialRespawn: 30 * time.Second,
			InstanceLinger: time.Minute, GuardType: 1150, GuardLevel: 40},
		Death: DeathBalance{Revive: 5 * time.Second, HP: 100, Protection: 30 * time.Second, Experience: 0.124335,
			FromLevel: 10, Thing: 0.3, Satiety: 10, PositionEach: 2 * time.Second},
		Karma: KarmaBalance{Monster: [6]int{1: 1, 3: -10, 4: -20, 5: -40}, Player: [6]int{3: -500, 4: -500, 5: -500},
			Suicide: -300, Kindness: 1, KindEach: time.Minute, SelfDefence: time.Minute},
		Experience: ExperienceBalance{Factor: 1, EasyLevel: 40, EasyFactor: 12,
			Spread: 0.1, Named: 1.5678, Group: 0.1, GroupLevels: 10, Near: 60, FreeLevels: 10,
			LevelPart: 0.1, LeastPart: 0.1, Kill: defaultKill(), Types: defaultTypes(), OtherFactor: 1.5678,
			MostHitsTime: time.Minute},
		Loot: LootBalance{Factor: 1, Bag: 0.6, Things: [4]int{30, 50, 12, 8}, Owner: time.Minute,
			Expires: 3 * time.Minute, Suffix: 0.25,
			StackMin: 3, StackMax: 19, TierLevels: 5, Nothing: []int{1170, 1280},
			Weights: LootWeights{Ring: 26, Bracelet: 14, Mantra: 18, Powder: 25,
				Alchemy: 31, Axe: 7, Sword: 5, Crossbow: 3, Robe: 6, Amulet: 5, Shield: 5, Boots: 5}},
		Effect: EffectBalance{PoisonEach: 5 * time.Second, MonsterPoison: 0.25, MonsterColumn: 0.5, MonsterHP: 0.5,
			EasyLevel: 15, EasyCost: 0.3, EasyHarm: 3, MonsterSlow: 0.5, MonsterMiss: 0.5, MonsterDrain: 0.5,
			Food: [...]int{Fruit: 5, Bread: 15, Fish: 20, Dried: 25, Mushroom: 3, SatietyPotion: 100},
			Fed:  [3]int{5, 10, 15}, FedFrom: [2]int{34, 67}, Reuse: time.Minute, LeastUse: time.Second,
			HungerMoving: 3 * time.Minute, HungerResting: 6 * time.Minute, Lasting: 10 * time.Second},
		Duel: DuelBalance{FromLevel: 10, City: 75, Trader: 25, WrathPart: 0.25, Field: 40, Countdown: 5 * time.Second,
			Lost: 0.1, Lasts: 3 * time.Minute, Offer: 30 * time.Second, Truce: 10 * time.Second, Wanted: time.Minute},
		Travel: TravelBalance{Reach: 10, Party: 60, City: 50, Wild: 30, Castle: 80, Sinner: 100, Stone: 60, StoneGreat: 200,
			Haron: 10_000, Phoebe: 25_000, Key: 500, Charges: 5},
		Mission: MissionBalance{Kills: 4, LeastXP: 20, Money: 10, MoneyLevel: 6, Karma: 25, Group: 0.5, Near: 100,
			Wait: time.Minute, Lasts: 2 * time.Hour, Spread: 1, SpotNear: 100, SpotFar: 400, Sends: 20,
			PersonNear: 20, PersonFar: 600, CollectMin: 1, CollectMax: 3, LeadSpeed: 4.5, LeadFar: 40,
			Pass: 10 * time.Minute, PassLevels: 5, GuildTasks: true},
		// As recorded: 14 chests, of which each had a trap, and some were empty; 25 things in the first seven of nine slots,
		// in no visible order; 11 of 12 bodies with things began with a monster. How near that one stands is ours.
		Chest: ChestBalance{Things: [4]int{3, 7, 3, 1}, Trapped: 1, TrapMin: 21, TrapMax: 85, Slots: 7, Calls: 0.9,
			Near: 1.5},
	}
}

// defaultKill are numbers that others have found. Source: protocol gamerules 3.2.
func defaultKill() []int {
	return []int{
		3, 14, 31, 56, 88, 128, 175, 229, 292, 361,
		439, 524, 648, 737, 898, 962, 1065, 1267, 1318, 1465,
		1612, 1763, 1918, 2106, 2280, 2472, 2727, 2756, 2953, 3306,
		3722, 3732, 4112, 4220, 4905, 5064, 5222, 5460, 5697, 6243,
		6575, 6907, 7309, 7711, 7977, 8190, 8403, 8993, 9022, 9205,
		9278, 10433, 10590, 10748, 11191, 13093, 14473, 14615, 14716, 14816,
		15126, 15856, 16173, 16307, 16357, 16874, 17399, 19050, 19226, 19272,
		19317, 19906, 20617, 20781, 20945, 21326, 21708, 22285, 23278, 23797,
		24316, 25062, 25825, 26588, 26903, 27106, 29211, 29268, 29324, 30253,
		34593, 34916, 35288, 35661, 35960, 36465, 36970, 37750, 38539, 39340,
		40142, 40955, 41782, 42608, 44449, 46290, 46352, 46414, 46789, 47792,
		49971, 50214, 50456, 51369, 52291, 57562, 57612, 57663, 57714, 57764,
	}
}

// defaultTypes are numbers that others have found, except the newcomers' monster: recorded kills of it teach nothing.
func defaultTypes() []TypeFactor {
	return []TypeFactor{
		{1000, 1009, 1.1039}, {1010, 1019, 1.1063}, {1020, 1023, 1.0822}, {1025, 1025, 1.0822},
		{1030, 1039, 1.1055}, {1040, 1049, 1.0176}, {1050, 1051, 1.1039}, {1060, 1065, 1.0465},
		{1067, 1067, 1.0465}, {1069, 1069, 0}, {1070, 1075, 1.1413}, {1080, 1080, 1.062}, {1081, 1081, 1.0951},
		{1082, 1082, 1.0949}, {1083, 1083, 1.0507}, {1084, 1084, 1.3151}, {1085, 1085, 1.414},
		{1090, 1099, 1.0912}, {1100, 1105, 1.0741}, {1107, 1107, 1.0741}, {1110, 1119, 1.1478},
		{1120, 1129, 1.1491}, {1130, 1139, 1.0676}, {1140, 1149, 1.1447}, {1160, 1169, 1.2818}, {1170, 1170, 0},
		{1180, 1180, 1.1196}, {1190, 1199, 1.0702}, {1200, 1209, 1.1199}, {1210, 1210, 1.1083},
		{1211, 1211, 1.1157}, {1212, 1212, 1.1585}, {1220, 1229, 1.1881}, {1230, 1230, 1.1066},
		{1231, 1231, 1.1137}, {1232, 1232, 1.1017}, {1240, 1249, 1.0785}, {1250, 1259, 1.0564},
		{1260, 1269, 1.1338}, {1270, 1279, 1.255}, {1280, 1280, 0}, {1290, 1290, 1.414}, {1291, 1291, 1.4762},
		{1292, 1292, 1.7625}, {1300, 1309, 1.3151}, {1310, 1319, 1.414}, {1850, 1859, 1.1055},
		{1880, 1881, 1.1039}, {1882, 1882, 1.0702}, {1883, 1883, 1.0822},
	}
}
