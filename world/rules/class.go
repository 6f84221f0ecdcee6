package rules

import "strings"

// Tags of the classes that the rules treat in a way of their own.
//
// Source: protocol ingame 19.1.
const (
	ClassToken        = 66
	ClassScroll       = 90 // told apart by the number with which the extra payload begins
	ClassTokenStart   = 127
	ClassMonster      = 210
	ClassSack         = 405
	ClassLootBag      = 407 // what a monster leaves: one can only take out of it, and empty it is no more
	ClassRing         = 760
	ClassGuildEmblem  = 2000
	ClassLastAbility  = 2015 // from the emblem to here: emblems and abilities
	ClassTokenCharges = 3080
)

// StackLimit is how many items of a stackable class lie in one place: a limit of ours; the wire could count to 65,535.
const StackLimit = 1000

// A Use is what using an item of a class does, besides feeding.
type Use uint8

// The uses. The zero value is none that is known.
const (
	_      Use = iota
	Read       // it is read, and kept
	Token      // it leads somewhere, and a charge of it is used up
	Potion     // it heals, and is used up
	Mantra     // it heals, and is kept
)

// A HeldModel is as what others see an item in somebody's hand.
type HeldModel uint8

// The models of what is held. The zero value is not seen.
const (
	_ HeldModel = iota
	Sword
	Axe
	Crossbow
)

// A Class is what all objects of one class have in common.
type Class struct {
	Tag     int
	Modules string // its names in the client's tables, without the prefix of the family, separated by spaces
	Slots   []int  // where it is worn, the usual slot first
	Hand    bool   // it may be held in the hand
	Stacks  bool
	Room    int   // how many slots it has inside; 0: it is no container
	Accepts []int // classes of what may lie in it; nil: all
	Stays   bool  // nobody carries it
	Food    int   // how much satiety eating one gives
	Use     Use
	Held    HeldModel
	Robe    bool // of what is worn on the chest: shown as a robe, not as armour
	Monster bool
}

var (
	rings     = []int{8, 9, 10, 11}
	bracelets = []int{SlotLeftBracelet, SlotRightBracelet}
	specials  = []int{46, 47, 48, 49, 50, 51, 52, 53, 54}
	mantras   = []int{1000, 1001}
)

// classes are all of which more is known than the tag. Which class belongs into which slot follows from the names. The
// sizes of containers and what food gives are ours, the documents name none; that books take what they are for is ours,
// too.
//
// Source: protocol gamerules 14.
var classes = [...]Class{
	{Tag: 10, Modules: "purse", Slots: []int{SlotMoney}},
	{Tag: 31, Modules: "crystal"},
	{Tag: 40, Modules: "seed", Stacks: true},
	{Tag: 42, Modules: "crystal_attr_a"},
	{Tag: 43, Modules: "crystal_attr_b"},
	{Tag: 44, Modules: "crystal_attr_c"},
	{Tag: 45, Modules: "crystal_attr_d"},
	{Tag: 46, Modules: "x2_titul"},
	{Tag: 47, Modules: "x2_degree"},
	{Tag: 48, Modules: "x2_tit_degr"},
	{Tag: 50, Modules: "fb1"},
	{Tag: 51, Modules: "fb2"},
	{Tag: 66, Modules: "token", Use: Token},
	{Tag: 68, Modules: "licence"},
	{Tag: 90, Modules: "scroll", Stacks: true, Use: Read},
	{Tag: 91, Modules: "rcp", Use: Read},
	{Tag: 95, Modules: "quest", Slots: []int{SlotMission}},
	{Tag: 97, Modules: "packet"},
	{Tag: 104, Modules: "token_pr", Slots: []int{SlotIslandToken}},
	{Tag: 105, Modules: "token_pr_cpy", Slots: []int{SlotIslandToken}},
	{Tag: 108, Modules: "crystalc"},
	{Tag: 109, Modules: "crystalcattr"},
	{Tag: 110, Modules: "clanlicence"},
	{Tag: 111, Modules: "rilicense"},
	{Tag: 112, Modules: "rslicense"},
	{Tag: 113, Modules: "rglicense"},
	{Tag: 114, Modules: "rtlicense"},
	{Tag: 115, Modules: "rdlicense"},
	{Tag: 116, Modules: "goldpurse"},
	{Tag: 117, Modules: "license_hr"},
	{Tag: 118, Modules: "license_hrgt"},
	{Tag: 119, Modules: "license_ph"},
	{Tag: 120, Modules: "license_phgt"},
	{Tag: 121, Modules: "buff0", Stacks: true},
	{Tag: 122, Modules: "buff1", Stacks: true},
	{Tag: 123, Modules: "buff2", Stacks: true},
	{Tag: 124, Modules: "buff3", Stacks: true},
	{Tag: 127, Modules: "tokenst", Use: Token},
	{Tag: 128, Modules: "island_token", Slots: []int{SlotIslandToken}},
	{Tag: 129, Modules: "ability"},
	{Tag: 130, Modules: "scroll_october"},
	{Tag: 131, Modules: "quest2", Slots: []int{SlotMission}},
	{Tag: 133, Modules: "rgllicense"},
	{Tag: 210, Modules: "monster", Monster: true},
	{Tag: 211, Modules: "monsterf", Monster: true},
	{Tag: 215, Modules: "monsterc", Monster: true},
	{Tag: 217, Modules: "monsterq", Monster: true},
	{Tag: 218, Modules: "monsters", Monster: true},
	{Tag: 219, Modules: "monstern", Monster: true},
	{Tag: 220, Modules: "monsterh", Monster: true},
	{Tag: 222, Modules: "monsterd", Monster: true},
	{Tag: 223, Modules: "monsterdf", Monster: true},
	{Tag: 235, Modules: "expball"},
	{Tag: 236, Modules: "item_bead"},
	{Tag: 241, Modules: "item_letter"},
	{Tag: 400, Modules: "bag", Slots: []int{SlotBackpack}, Room: 20},
	{Tag: 401, Modules: "ubag", Slots: []int{SlotBackpack}, Room: 10},
	{Tag: 402, Room: 40, Stays: true},
	{Tag: 404, Modules: "sac_p", Room: 10},
	{Tag: 405, Modules: "sac_s", Room: 10},
	{Tag: 406, Room: 40, Stays: true},
	{Tag: 407, Room: 20, Stays: true},
	{Tag: 408, Room: 40, Stays: true},
	{Tag: 409, Modules: "mbook", Slots: []int{SlotMantraBook}, Room: 20, Accepts: mantras},
	{Tag: 410, Modules: "rbook", Slots: []int{SlotRecipeBook}, Room: 20, Accepts: []int{91}},
	{Tag: 411, Modules: "mbook1", Slots: []int{SlotMantraBook}, Room: 20, Accepts: mantras},
	{Tag: 412, Modules: "mbook2", Slots: []int{SlotMantraBook}, Room: 20, Accepts: mantras},
	{Tag: 413, Modules: "mapbook", Slots: []int{SlotMapBook}, Room: 20, Accepts: []int{703}},
	{Tag: 414, Room: 40, Stays: true},
	{Tag: 417, Room: 40, Stays: true},
	{Tag: 418, Modules: "barn"},
	{Tag: 419, Modules: "sac_m", Room: 10},
	{Tag: 420, Room: 40, Stays: true},
	{Tag: 421, Room: 40, Stays: true},
	{Tag: 423, Modules: "mbook3", Slots: []int{SlotMantraBook}, Room: 20, Accepts: mantras},
	{Tag: 427, Modules: "mbook4", Slots: []int{SlotMantraBook}, Room: 20, Accepts: mantras},
	{Tag: 428, Modules: "stonea"},
	{Tag: 429, Modules: "gmagicpot"},
	{Tag: 430, Modules: "sbag", Slots: []int{SlotBackpack}, Room: 20},
	{Tag: 431, Modules: "purge", Stacks: true, Use: Potion},
	{Tag: 432, Modules: "courage", Stacks: true, Use: Potion},
	{Tag: 433, Modules: "couragef", Stacks: true, Use: Potion},
	{Tag: 434, Modules: "exp", Stacks: true, Use: Potion},
	{Tag: 435, Modules: "amulet_refr", Use: Potion},
	{Tag: 436, Modules: "ret", Stacks: true, Use: Potion},
	{Tag: 437, Modules: "ret_2010", Stacks: true, Use: Potion},
	{Tag: 438, Modules: "ret1", Stacks: true, Use: Potion},
	{Tag: 439, Modules: "fistpwr", Stacks: true, Use: Potion},
	{Tag: 440, Modules: "karma", Stacks: true, Use: Potion},
	{Tag: 441, Modules: "tokensin", Use: Potion},
	{Tag: 442, Modules: "cbook1", Use: Potion},
	{Tag: 443, Modules: "couragef1", Stacks: true, Use: Potion},
	{Tag: 444, Modules: "cbook2", Use: Potion},
	{Tag: 445, Modules: "karma1", Stacks: true, Use: Potion},
	{Tag: 446, Modules: "snowman", Stacks: true, Use: Potion},
	{Tag: 447, Modules: "mortar", Use: Potion},
	{Tag: 448, Modules: "summon", Use: Potion},
	{Tag: 449, Modules: "candy", Stacks: true, Use: Potion},
	{Tag: 451, Modules: "finish", Stacks: true, Use: Potion},
	{Tag: 452, Modules: "fb01", Stacks: true, Use: Potion},
	{Tag: 453, Modules: "fb02", Stacks: true, Use: Potion},
	{Tag: 454, Modules: "amilus", Stacks: true, Use: Potion},
	{Tag: 455, Modules: "fb03", Stacks: true, Use: Potion},
	{Tag: 456, Modules: "fb04", Stacks: true, Use: Potion},
	{Tag: 457, Modules: "fb05", Stacks: true, Use: Potion},
	{Tag: 458, Modules: "mirror", Use: Potion},
	{Tag: 470, Modules: "heal1", Stacks: true, Use: Potion},
	{Tag: 471, Modules: "elixir", Stacks: true, Use: Potion},
	{Tag: 472, Modules: "elixir1", Stacks: true, Use: Potion},
	{Tag: 473, Modules: "fixhunger", Stacks: true, Food: 100, Use: Potion},
	{Tag: 474, Modules: "randbox"},
	{Tag: 475, Modules: "tournament"},
	{Tag: 476, Modules: "monster_trap"},
	{Tag: 477, Modules: "monster_event"},
	{Tag: 478, Modules: "tnmnt_randbox"},
	{Tag: 500, Modules: "sword1 sword", Hand: true, Held: Sword},
	{Tag: 501, Modules: "axe1 axe", Hand: true, Held: Axe},
	{Tag: 502, Modules: "arbalest1 arbalest crossbow", Hand: true, Held: Crossbow},
	{Tag: 503, Modules: "arrow arrows", Slots: []int{SlotAmmunition}, Stacks: true},
	{Tag: 504, Modules: "aroma", Hand: true},
	{Tag: 505, Modules: "sword1u", Hand: true, Held: Sword},
	{Tag: 506, Modules: "sword1st", Hand: true, Held: Sword},
	{Tag: 507, Modules: "axe_boar", Hand: true, Held: Axe},
	{Tag: 550, Modules: "diamond"},
	{Tag: 551, Modules: "diamring", Slots: rings},
	{Tag: 552, Modules: "rubyring", Slots: rings},
	{Tag: 553, Modules: "ruby"},
	{Tag: 554, Modules: "gold"},
	{Tag: 555, Modules: "jw_ring", Slots: rings},
	{Tag: 600, Modules: "mineral", Stacks: true},
	{Tag: 601, Modules: "flower", Stacks: true},
	{Tag: 602, Modules: "metal", Stacks: true},
	{Tag: 650, Modules: "apple", Stacks: true, Food: 5},
	{Tag: 651, Modules: "pear", Stacks: true, Food: 5},
	{Tag: 652, Modules: "jerky", Stacks: true, Food: 20},
	{Tag: 653, Modules: "scon", Stacks: true, Food: 10},
	{Tag: 654, Modules: "fish", Stacks: true, Food: 10},
	{Tag: 655, Modules: "stockfish", Stacks: true, Food: 15},
	{Tag: 700, Modules: "brushwood", Stacks: true},
	{Tag: 701, Modules: "key", Slots: []int{23, 24}},
	{Tag: 702, Modules: "light1", Stacks: true},
	{Tag: 703, Modules: "map", Use: Read},
	{Tag: 704, Modules: "chern", Slots: []int{SlotInkpot}},
	{Tag: 705, Modules: "light2", Stacks: true},
	{Tag: 706, Modules: "ear"},
	{Tag: 707, Modules: "coin", Stacks: true},
	{Tag: 708, Modules: "string"},
	{Tag: 709, Modules: "loot", Stacks: true},
	{Tag: 710, Modules: "key2", Slots: []int{23, 24}},
	{Tag: 711, Modules: "light3", Stacks: true},
	{Tag: 712, Modules: "light4", Stacks: true},
	{Tag: 713, Modules: "fir"},
	{Tag: 714, Modules: "shamp", Stacks: true, Food: 3},
	{Tag: 715, Modules: "rhomb"},
	{Tag: 716, Modules: "lottery", Stacks: true},
	{Tag: 718, Modules: "rock", Stacks: true},
	{Tag: 750, Modules: "armor", Slots: []int{SlotChest}},
	{Tag: 751, Modules: "amulet", Slots: []int{SlotAmulet}},
	{Tag: 752, Modules: "shoes", Slots: []int{SlotBoots}},
	{Tag: 753, Modules: "shoes2", Slots: []int{SlotBoots}},
	{Tag: 754, Modules: "gloves", Slots: []int{SlotGloves}},
	{Tag: 755, Modules: "belt", Slots: []int{SlotBelt}},
	{Tag: 756, Modules: "shield", Slots: []int{SlotShield}},
	{Tag: 757, Modules: "helm", Slots: []int{SlotHelmet}},
	{Tag: 758, Modules: "pants", Slots: []int{SlotPants}},
	{Tag: 759, Modules: "bracelet", Slots: bracelets},
	{Tag: 760, Modules: "ring", Slots: rings},
	{Tag: 761, Modules: "armor2", Slots: []int{SlotChest}, Robe: true},
	{Tag: 762, Modules: "ring_s", Slots: rings},
	{Tag: 770, Modules: "armoru", Slots: []int{SlotChest}},
	{Tag: 771, Modules: "amuletu", Slots: []int{SlotAmulet}},
	{Tag: 772, Modules: "shoesu", Slots: []int{SlotBoots}},
	{Tag: 773, Modules: "shoes2u", Slots: []int{SlotBoots}},
	{Tag: 774, Modules: "glovesu", Slots: []int{SlotGloves}},
	{Tag: 775, Modules: "beltu", Slots: []int{SlotBelt}},
	{Tag: 776, Modules: "shieldu", Slots: []int{SlotShield}},
	{Tag: 777, Modules: "helmu", Slots: []int{SlotHelmet}},
	{Tag: 778, Modules: "pantsu", Slots: []int{SlotPants}},
	{Tag: 779, Modules: "braceletu", Slots: bracelets},
	{Tag: 780, Modules: "ringu", Slots: rings},
	{Tag: 781, Modules: "armor2u", Slots: []int{SlotChest}, Robe: true},
	{Tag: 800, Modules: "magicpot"},
	{Tag: 801, Modules: "corn", Stacks: true},
	{Tag: 802, Modules: "eye"},
	{Tag: 803, Modules: "magicstove"},
	{Tag: 804, Modules: "formula"},
	{Tag: 805, Modules: "workshop"},
	{Tag: 806, Modules: "flag"},
	{Tag: 900, Modules: "well"},
	{Tag: 901, Modules: "stonew"},
	{Tag: 902, Modules: "stoneb"},
	{Tag: 903, Modules: "cryst"},
	{Tag: 904, Modules: "crystq"},
	{Tag: 950, Modules: "armorf", Slots: []int{SlotChest}},
	{Tag: 951, Modules: "amuletf", Slots: []int{SlotAmulet}},
	{Tag: 952, Modules: "shoesf", Slots: []int{SlotBoots}},
	{Tag: 953, Modules: "glovesf", Slots: []int{SlotGloves}},
	{Tag: 954, Modules: "beltf", Slots: []int{SlotBelt}},
	{Tag: 955, Modules: "shieldf", Slots: []int{SlotShield}},
	{Tag: 956, Modules: "helmf", Slots: []int{SlotHelmet}},
	{Tag: 957, Modules: "pantsf", Slots: []int{SlotPants}},
	{Tag: 958, Modules: "braceletf", Slots: bracelets},
	{Tag: 959, Modules: "ringf", Slots: rings},
	{Tag: 960, Modules: "armor2f", Slots: []int{SlotChest}, Robe: true},
	{Tag: 961, Modules: "sword1f swordf", Hand: true, Held: Sword},
	{Tag: 962, Modules: "axe1f axef", Hand: true, Held: Axe},
	{Tag: 963, Modules: "arbalest1f arbalestf", Hand: true, Held: Crossbow},
	{Tag: 990, Modules: "helm_pr", Slots: []int{SlotHelmet}},
	{Tag: 1000, Modules: "mantra_white white", Hand: true, Use: Mantra},
	{Tag: 1001, Modules: "mantra_black black", Hand: true, Use: Mantra},
	{Tag: 2000, Modules: "guild", Slots: []int{SlotGuild}},
	{Tag: 2001, Modules: "specab", Slots: specials},
	{Tag: 2002, Modules: "ga", Slots: specials},
	{Tag: 2003, Modules: "ha", Slots: specials},
	{Tag: 2004, Modules: "ba", Slots: specials},
	{Tag: 2005, Modules: "ca", Slots: specials},
	{Tag: 2006, Modules: "ea", Slots: specials},
	{Tag: 2007, Modules: "gb", Slots: specials},
	{Tag: 2008, Modules: "fa", Slots: specials},
	{Tag: 2009, Modules: "ic", Slots: specials},
	{Tag: 2010, Modules: "ma", Slots: specials},
	{Tag: 2011, Modules: "mb", Slots: specials},
	{Tag: 2012, Modules: "mc", Slots: specials},
	{Tag: 2013, Modules: "na", Slots: specials},
	{Tag: 2014, Modules: "nb", Slots: specials},
	{Tag: 2015, Modules: "nc", Slots: specials},
	{Tag: 3074, Modules: "shop"},
	{Tag: 3075, Modules: "claim_blank"},
	{Tag: 3080, Modules: "token_s", Use: Token},
	{Tag: 3084, Modules: "bag_herb", Room: 20, Accepts: []int{600, 601, 602}},
}

// classByTag has the index in classes plus one; tags have twelve bits.
var classByTag = func() (index [4096]uint8) {
	for i := range classes {
		index[classes[i].Tag] = uint8(i + 1)
	}
	return index
}()

var noClass Class

// ClassOf returns what is known of a class; the zero value for one of which nothing is. It is not to be changed.
func ClassOf(tag int) *Class {
	if tag < 0 || tag >= len(classByTag) || classByTag[tag] == 0 {
		return &noClass
	}
	return &classes[classByTag[tag]-1]
}

var tagByModule = func() map[string]int {
	tags := map[string]int{}
	for i := range classes {
		for _, m := range strings.Fields(classes[i].Modules) {
			tags[m] = classes[i].Tag
		}
	}
	return tags
}()

// families are the prefixes that the client's tables put before the name of a module.
var families = []string{"wp_", "ar_", "mg_", "pw_", "al_", "st_", "ct_", "vn_", "sp_", "jw_"}

// ClassOfModule is the class tag of a module of the client, with or without the prefix of its family; 0 when it is not
// known.
func ClassOfModule(module string) int {
	module = strings.ToLower(module)
	if tag := tagByModule[module]; tag != 0 {
		return tag
	}
	for _, f := range families {
		if bare, ok := strings.CutPrefix(module, f); ok && tagByModule[bare] != 0 {
			return tagByModule[bare]
		}
	}
	return 0
}

// HasFamily says whether the name of a module begins as those of items do.
func HasFamily(module string) bool {
	for _, f := range families {
		if strings.HasPrefix(module, f) {
			return true
		}
	}
	return false
}
