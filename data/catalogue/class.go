package catalogue

import (
	"slices"
	"strings"
)

const (
	classGuild   = 2000
	classScroll  = 90
	classMonster = 210
)

// Slots of the wire in which things are worn. Source: protocol ingame 10.1.
const (
	SlotHelmet        = 0
	SlotAmulet        = 1
	SlotShield        = 2
	SlotChest         = 3
	SlotGloves        = 4
	SlotBelt          = 5
	SlotLeftBracelet  = 6
	SlotRightBracelet = 7
	SlotRing1         = 8 // to 11
	SlotPants         = 12
	SlotBoots         = 13
	SlotGuild         = 14
	SlotMapBook       = 15
	SlotRecipeBook    = 16
	SlotMantraBook    = 17
	SlotInkpot        = 20
	SlotMoney         = 21
	SlotBackpack      = 22
	SlotKey1          = 23 // and 24
	SlotMission       = 25
	SlotInventory1    = 26 // to 35: anything may lie here
	SlotSpecial1      = 46 // to 54
	SlotAmmunition    = 55
	SlotIslandToken   = 57
)

var slotNames = map[int]string{
	SlotHelmet: "helmet", SlotAmulet: "amulet", SlotShield: "shield", SlotChest: "chest", SlotGloves: "gloves", SlotBelt: "belt",
	SlotLeftBracelet: "left bracelet", SlotRightBracelet: "right bracelet", SlotPants: "trousers", SlotBoots: "boots",
	SlotGuild: "guild emblem", SlotMapBook: "map book", SlotRecipeBook: "recipe book", SlotMantraBook: "mantra book",
	SlotInkpot: "inkpot", SlotMoney: "money", SlotBackpack: "backpack", SlotMission: "mission", SlotAmmunition: "ammunition",
	SlotIslandToken: "island token",
}

// SlotName is what a slot is called, in English.
func SlotName(slot int) string {
	switch {
	case slotNames[slot] != "":
		return slotNames[slot]
	case slot >= SlotRing1 && slot < SlotRing1+4:
		return "ring"
	case slot == SlotKey1 || slot == SlotKey1+1:
		return "key"
	case slot >= SlotInventory1 && slot < SlotInventory1+10:
		return "inventory"
	case slot >= SlotSpecial1 && slot < SlotSpecial1+9:
		return "ability"
	}
	return "slot"
}

// A classFact is what follows from the class of a thing.
type classFact struct {
	class int
	// names of the module in the client's tables, without the prefix of the family (14)
	modules string
	slots   []int
	hand    bool
	stacks  bool
}

var (
	rings     = []int{8, 9, 10, 11}
	bracelets = []int{SlotLeftBracelet, SlotRightBracelet}
	specials  = []int{46, 47, 48, 49, 50, 51, 52, 53, 54}
)

// classes lists the classes of things that a character can own, and of monsters. Source: 14; which class belongs into
// which slot follows from the names.
var classes = []classFact{
	{class: 10, modules: "purse", slots: []int{SlotMoney}},
	{class: 31, modules: "crystal"},
	{class: 40, modules: "seed", stacks: true},
	{class: 42, modules: "crystal_attr_a"},
	{class: 43, modules: "crystal_attr_b"},
	{class: 44, modules: "crystal_attr_c"},
	{class: 45, modules: "crystal_attr_d"},
	{class: 46, modules: "x2_titul"},
	{class: 47, modules: "x2_degree"},
	{class: 48, modules: "x2_tit_degr"},
	{class: 50, modules: "fb1"},
	{class: 51, modules: "fb2"},
	{class: 66, modules: "token"},
	{class: 68, modules: "licence"},
	{class: classScroll, modules: "scroll", stacks: true},
	{class: 91, modules: "rcp"},
	{class: 95, modules: "quest", slots: []int{SlotMission}},
	{class: 97, modules: "packet"},
	{class: 104, modules: "token_pr", slots: []int{SlotIslandToken}},
	{class: 105, modules: "token_pr_cpy", slots: []int{SlotIslandToken}},
	{class: 108, modules: "crystalc"},
	{class: 109, modules: "crystalcattr"},
	{class: 110, modules: "clanlicence"},
	{class: 111, modules: "rilicense"},
	{class: 112, modules: "rslicense"},
	{class: 113, modules: "rglicense"},
	{class: 114, modules: "rtlicense"},
	{class: 115, modules: "rdlicense"},
	{class: 116, modules: "goldpurse"},
	{class: 117, modules: "license_hr"},
	{class: 118, modules: "license_hrgt"},
	{class: 119, modules: "license_ph"},
	{class: 120, modules: "license_phgt"},
	{class: 121, modules: "buff0", stacks: true},
	{class: 122, modules: "buff1", stacks: true},
	{class: 123, modules: "buff2", stacks: true},
	{class: 124, modules: "buff3", stacks: true},
	{class: 127, modules: "tokenst"},
	{class: 128, modules: "island_token", slots: []int{SlotIslandToken}},
	{class: 129, modules: "ability"},
	{class: 130, modules: "scroll_october"},
	{class: 131, modules: "quest2", slots: []int{SlotMission}},
	{class: 133, modules: "rgllicense"},
	{class: classMonster, modules: "monster"},
	{class: 211, modules: "monsterf"},
	{class: 215, modules: "monsterc"},
	{class: 217, modules: "monsterq"},
	{class: 218, modules: "monsters"},
	{class: 219, modules: "monstern"},
	{class: 220, modules: "monsterh"},
	{class: 222, modules: "monsterd"},
	{class: 223, modules: "monsterdf"},
	{class: 235, modules: "expball"},
	{class: 236, modules: "item_bead"},
	{class: 241, modules: "item_letter"},
	{class: 400, modules: "bag", slots: []int{SlotBackpack}},
	{class: 401, modules: "ubag", slots: []int{SlotBackpack}},
	{class: 404, modules: "sac_p"},
	{class: 405, modules: "sac_s"},
	{class: 419, modules: "sac_m"},
	{class: 418, modules: "barn"},
	{class: 409, modules: "mbook", slots: []int{SlotMantraBook}},
	{class: 410, modules: "rbook", slots: []int{SlotRecipeBook}},
	{class: 411, modules: "mbook1", slots: []int{SlotMantraBook}},
	{class: 412, modules: "mbook2", slots: []int{SlotMantraBook}},
	{class: 413, modules: "mapbook", slots: []int{SlotMapBook}},
	{class: 423, modules: "mbook3", slots: []int{SlotMantraBook}},
	{class: 427, modules: "mbook4", slots: []int{SlotMantraBook}},
	{class: 428, modules: "stonea"},
	{class: 429, modules: "gmagicpot"},
	{class: 430, modules: "sbag", slots: []int{SlotBackpack}},
	{class: 431, modules: "purge", stacks: true},
	{class: 432, modules: "courage", stacks: true},
	{class: 433, modules: "couragef", stacks: true},
	{class: 434, modules: "exp", stacks: true},
	{class: 435, modules: "amulet_refr"},
	{class: 436, modules: "ret", stacks: true},
	{class: 437, modules: "ret_2010", stacks: true},
	{class: 438, modules: "ret1", stacks: true},
	{class: 439, modules: "fistpwr", stacks: true},
	{class: 440, modules: "karma", stacks: true},
	{class: 441, modules: "tokensin"},
	{class: 442, modules: "cbook1"},
	{class: 443, modules: "couragef1", stacks: true},
	{class: 444, modules: "cbook2"},
	{class: 445, modules: "karma1", stacks: true},
	{class: 446, modules: "snowman", stacks: true},
	{class: 447, modules: "mortar"},
	{class: 448, modules: "summon"},
	{class: 449, modules: "candy", stacks: true},
	{class: 451, modules: "finish", stacks: true},
	{class: 452, modules: "fb01", stacks: true},
	{class: 453, modules: "fb02", stacks: true},
	{class: 454, modules: "amilus", stacks: true},
	{class: 455, modules: "fb03", stacks: true},
	{class: 456, modules: "fb04", stacks: true},
	{class: 457, modules: "fb05", stacks: true},
	{class: 458, modules: "mirror"},
	{class: 470, modules: "heal1", stacks: true},
	{class: 471, modules: "elixir", stacks: true},
	{class: 472, modules: "elixir1", stacks: true},
	{class: 473, modules: "fixhunger", stacks: true},
	{class: 474, modules: "randbox"},
	{class: 475, modules: "tournament"},
	{class: 476, modules: "monster_trap"},
	{class: 477, modules: "monster_event"},
	{class: 478, modules: "tnmnt_randbox"},
	{class: 500, modules: "sword1 sword", hand: true},
	{class: 501, modules: "axe1 axe", hand: true},
	{class: 502, modules: "arbalest1 arbalest crossbow", hand: true},
	{class: 503, modules: "arrow arrows", slots: []int{SlotAmmunition}, stacks: true},
	{class: 504, modules: "aroma", hand: true},
	{class: 505, modules: "sword1u", hand: true},
	{class: 506, modules: "sword1st", hand: true},
	{class: 507, modules: "axe_boar", hand: true},
	{class: 550, modules: "diamond"},
	{class: 551, modules: "diamring", slots: rings},
	{class: 552, modules: "rubyring", slots: rings},
	{class: 553, modules: "ruby"},
	{class: 554, modules: "gold"},
	{class: 555, modules: "jw_ring", slots: rings},
	{class: 600, modules: "mineral", stacks: true},
	{class: 601, modules: "flower", stacks: true},
	{class: 602, modules: "metal", stacks: true},
	{class: 650, modules: "apple", stacks: true},
	{class: 651, modules: "pear", stacks: true},
	{class: 652, modules: "jerky", stacks: true},
	{class: 653, modules: "scon", stacks: true},
	{class: 654, modules: "fish", stacks: true},
	{class: 655, modules: "stockfish", stacks: true},
	{class: 700, modules: "brushwood", stacks: true},
	{class: 701, modules: "key", slots: []int{23, 24}},
	{class: 702, modules: "light1", stacks: true},
	{class: 703, modules: "map"},
	{class: 704, modules: "chern", slots: []int{SlotInkpot}},
	{class: 705, modules: "light2", stacks: true},
	{class: 706, modules: "ear"},
	{class: 707, modules: "coin", stacks: true},
	{class: 708, modules: "string"},
	{class: 709, modules: "loot", stacks: true},
	{class: 710, modules: "key2", slots: []int{23, 24}},
	{class: 711, modules: "light3", stacks: true},
	{class: 712, modules: "light4", stacks: true},
	{class: 713, modules: "fir"},
	{class: 714, modules: "shamp", stacks: true},
	{class: 715, modules: "rhomb"},
	{class: 716, modules: "lottery", stacks: true},
	{class: 718, modules: "rock", stacks: true},
	{class: 750, modules: "armor", slots: []int{SlotChest}},
	{class: 751, modules: "amulet", slots: []int{SlotAmulet}},
	{class: 752, modules: "shoes", slots: []int{SlotBoots}},
	{class: 753, modules: "shoes2", slots: []int{SlotBoots}},
	{class: 754, modules: "gloves", slots: []int{SlotGloves}},
	{class: 755, modules: "belt", slots: []int{SlotBelt}},
	{class: 756, modules: "shield", slots: []int{SlotShield}},
	{class: 757, modules: "helm", slots: []int{SlotHelmet}},
	{class: 758, modules: "pants", slots: []int{SlotPants}},
	{class: 759, modules: "bracelet", slots: bracelets},
	{class: 760, modules: "ring", slots: rings},
	{class: 761, modules: "armor2", slots: []int{SlotChest}},
	{class: 762, modules: "ring_s", slots: rings},
	{class: 770, modules: "armoru", slots: []int{SlotChest}},
	{class: 771, modules: "amuletu", slots: []int{SlotAmulet}},
	{class: 772, modules: "shoesu", slots: []int{SlotBoots}},
	{class: 773, modules: "shoes2u", slots: []int{SlotBoots}},
	{class: 774, modules: "glovesu", slots: []int{SlotGloves}},
	{class: 775, modules: "beltu", slots: []int{SlotBelt}},
	{class: 776, modules: "shieldu", slots: []int{SlotShield}},
	{class: 777, modules: "helmu", slots: []int{SlotHelmet}},
	{class: 778, modules: "pantsu", slots: []int{SlotPants}},
	{class: 779, modules: "braceletu", slots: bracelets},
	{class: 780, modules: "ringu", slots: rings},
	{class: 781, modules: "armor2u", slots: []int{SlotChest}},
	{class: 800, modules: "magicpot"},
	{class: 801, modules: "corn", stacks: true},
	{class: 802, modules: "eye"},
	{class: 803, modules: "magicstove"},
	{class: 804, modules: "formula"},
	{class: 805, modules: "workshop"},
	{class: 806, modules: "flag"},
	{class: 900, modules: "well"},
	{class: 901, modules: "stonew"},
	{class: 902, modules: "stoneb"},
	{class: 903, modules: "cryst"},
	{class: 904, modules: "crystq"},
	{class: 950, modules: "armorf", slots: []int{SlotChest}},
	{class: 951, modules: "amuletf", slots: []int{SlotAmulet}},
	{class: 952, modules: "shoesf", slots: []int{SlotBoots}},
	{class: 953, modules: "glovesf", slots: []int{SlotGloves}},
	{class: 954, modules: "beltf", slots: []int{SlotBelt}},
	{class: 955, modules: "shieldf", slots: []int{SlotShield}},
	{class: 956, modules: "helmf", slots: []int{SlotHelmet}},
	{class: 957, modules: "pantsf", slots: []int{SlotPants}},
	{class: 958, modules: "braceletf", slots: bracelets},
	{class: 959, modules: "ringf", slots: rings},
	{class: 960, modules: "armor2f", slots: []int{SlotChest}},
	{class: 961, modules: "sword1f swordf", hand: true},
	{class: 962, modules: "axe1f axef", hand: true},
	{class: 963, modules: "arbalest1f arbalestf", hand: true},
	{class: 990, modules: "helm_pr", slots: []int{SlotHelmet}},
	{class: 1000, modules: "mantra_white white", hand: true},
	{class: 1001, modules: "mantra_black black", hand: true},
	{class: classGuild, modules: "guild", slots: []int{SlotGuild}},
	{class: 2001, modules: "specab", slots: specials},
	{class: 2002, modules: "ga", slots: specials},
	{class: 2003, modules: "ha", slots: specials},
	{class: 2004, modules: "ba", slots: specials},
	{class: 2005, modules: "ca", slots: specials},
	{class: 2006, modules: "ea", slots: specials},
	{class: 2007, modules: "gb", slots: specials},
	{class: 2008, modules: "fa", slots: specials},
	{class: 2009, modules: "ic", slots: specials},
	{class: 2010, modules: "ma", slots: specials},
	{class: 2011, modules: "mb", slots: specials},
	{class: 2012, modules: "mc", slots: specials},
	{class: 2013, modules: "na", slots: specials},
	{class: 2014, modules: "nb", slots: specials},
	{class: 2015, modules: "nc", slots: specials},
	{class: 3074, modules: "shop"},
	{class: 3075, modules: "claim_blank"},
	{class: 3080, modules: "token_s"},
	{class: 3084, modules: "bag_herb"},
}

var classByModule, classByTag = func() (map[string]*classFact, map[int]*classFact) {
	byModule, byTag := map[string]*classFact{}, map[int]*classFact{}
	for i := range classes {
		c := &classes[i]
		byTag[c.class] = c
		for _, m := range strings.Fields(c.modules) {
			byModule[m] = c
		}
	}
	return byModule, byTag
}()

// families are the prefixes that the tables put before the name of a module.
var families = []string{"wp_", "ar_", "mg_", "pw_", "al_", "st_", "ct_", "vn_", "sp_", "jw_"}

// ClassOf is the class tag of a module of the client, with or without the prefix of its family; 0 when it is not known.
func ClassOf(module string) int {
	module = strings.ToLower(module)
	if c := classByModule[module]; c != nil {
		return c.class
	}
	for _, f := range families {
		if bare, ok := strings.CutPrefix(module, f); ok {
			if c := classByModule[bare]; c != nil {
				return c.class
			}
		}
	}
	return 0
}

// HasFamily says whether the name of a module begins as those of things do.
func HasFamily(module string) bool {
	return slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(module, f) })
}

// IsMonster says whether a class is one of the monsters.
func IsMonster(class int) bool {
	return class == 210 || class == 211 || class == 215 || class >= 217 && class <= 220 || class == 222 || class == 223
}

// StackLimit is how many things of a stackable class lie in one place: a limit of ours; the wire could count to 65,535.
const StackLimit = 1000

// Complete sets what follows from the class, slots, hand and stack, and from the tier code, the tier. A stack that is
// set above 1 stays.
func (k *Kind) Complete() {
	k.Stack = max(k.Stack, 1)
	if c := classByTag[k.Class]; c != nil {
		k.Slots, k.Hand = slices.Clone(c.slots), c.hand
		if c.stacks && k.Stack == 1 {
			k.Stack = StackLimit
		}
	}
	if k.TierCode != "" {
		k.Tier = TierOf(k.TierCode)
	}
}

// TierOf reads the two digits of a tier code such as "TE03w", 0 when there are none (13.2).
func TierOf(code string) int {
	if len(code) < 4 || !digit(code[2]) || !digit(code[3]) {
		return 0
	}
	return int(code[2]-'0')*10 + int(code[3]-'0')
}

func digit(b byte) bool { return b >= '0' && b <= '9' }
