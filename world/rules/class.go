package rules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Tags of the classes that the rules treat in a way of their own.
//
// Source: protocol ingame 19.1.
const (
	ClassToken        = 66
	ClassScroll       = 90 // told apart by the number with which the extra payload begins
	ClassTokenStart   = 127
	ClassMission      = 95
	ClassParcel       = 97
	ClassMonster      = 210
	ClassSack         = 405
	ClassLootBag      = 407 // loot of a monster: one can only take out of it; it vanishes when it is empty
	ClassChest        = 415 // of a labyrinth: a chest, a coffin, a barrel
	ClassSatiety      = 473
	ClassRing         = 760
	ClassBlackMantra  = 1001
	ClassGuildEmblem  = 2000
	ClassWhirl        = 2002
	ClassTheft        = 2003
	ClassTransport    = 2004
	ClassRebirth      = 2005
	ClassAbode        = 2006
	ClassSacrifice    = 2009
	ClassRaising      = 2011
	ClassFlag         = 2013
	ClassLastAbility  = 2015 // from the emblem to here: emblems and abilities
	ClassTokenCharges = 3080
)

// StackLimit is how many items of a stackable class lie in one place: a limit of ours; the wire could count to 65,535.
const StackLimit = 1000

// A Use is the use of an item of a class, besides feeding.
type Use uint8

// The uses. The zero value is none that is known.
const (
	_         Use = iota
	Read          // it is read, and kept
	Token         // on a teleport it leads somewhere, and a charge of it is used up
	Potion        // it heals, and is used up
	Mantra        // it heals, and is kept
	Return        // it leads to the nearest city, and a charge of it is used up
	Permit        // a great teleport takes a player that has used it
	Key           // it opens a door
	Renewal       // a licence to begin again, which is used up
	Atonement     // it brings a bad karma nearer to neutral, and is used up
	Insurance     // a death uses it up, and costs no experience
	Ability       // of a guild: a spell that rests after it was cast, and is kept
)

// Kept reports whether an item of the use holds a spell that its casts do not use up.
func (u Use) Kept() bool { return u == Mantra || u == Ability }

// A Food is a kind of food that the balance tells apart.
type Food uint8

// The foods. The zero value is none.
const (
	_ Food = iota
	Fruit
	Bread
	Fish
	Dried
	Mushroom
	SatietyPotion
	foods
)

// A HeldModel is the look of an item in a player's hand.
type HeldModel uint8

// The models of held items. The zero value is not seen.
const (
	_ HeldModel = iota
	Sword
	Axe
	Crossbow
)

// A Class is the common properties of all objects of one class.
type Class struct {
	Tag     int
	Modules []string // its names in the client's tables, without the prefix of the family
	Slots   []int    // where it is worn, the usual slot first
	Hand    bool     // it may be held in the hand
	Stacks  bool
	Room    int   // how many slots it has inside; 0: it is no container
	Accepts []int // classes of items that may lie in it; nil: all
	Stays   bool  // it cannot be carried
	Keeps   bool  // one can only take out of it
	Food    Food  // its kind as food
	Use     Use
	Held    HeldModel
	Robe    bool // of an item worn on the chest: shown as a robe, not as armour
	Monster bool
	Gift    bool // every new character is given one, so traders pay nothing for it: a rule of ours
}

var (
	rings     = []int{8, 9, 10, 11}
	bracelets = []int{SlotLeftBracelet, SlotRightBracelet}
	specials  = []int{46, 47, 48, 49, 50, 51, 52, 53, 54}
	mantras   = []int{1000, 1001}
)

// classes are all of which more is known than the tag, by tag. In the table those stand together that differ in
// nothing else: the tags, each followed by its names. Which class belongs into which slot follows from the names. The
// sizes of containers are ours, the documents name none; that books take only their own items is ours, too.
//
// Source: protocol gamerules 14.
var classes = listed([]classGroup{
	{Class{Slots: []int{SlotMoney}}, "10 purse"},
	{Class{}, `
		31 crystal  42 crystal_attr_a  43 crystal_attr_b  44 crystal_attr_c  45 crystal_attr_d  46 x2_titul
		47 x2_degree  48 x2_tit_degr  50 fb1  51 fb2  68 licence  97 packet  108 crystalc  109 crystalcattr
		110 clanlicence  111 rilicense  116 goldpurse
		129 ability  130 scroll_october  235 expball  236 item_bead  241 item_letter  418 barn  428 stonea  429 gmagicpot
		474 randbox  475 tournament  476 monster_trap  477 monster_event  478 tnmnt_randbox  550 diamond  553 ruby
		554 gold  706 ear  708 string  713 fir  715 rhomb  800 magicpot  802 eye  803 magicstove  804 formula
		805 workshop  806 flag  900 well  901 stonew  902 stoneb  903 cryst  904 crystq  3074 shop  3075 claim_blank`},
	{Class{Stacks: true}, `
		40 seed  121 buff0  122 buff1  123 buff2  124 buff3  600 mineral  601 flower  602 metal  700 brushwood
		702 light1  705 light2  707 coin  709 loot  711 light3  712 light4  716 lottery  718 rock  801 corn`},
	{Class{Use: Token}, "66 token  127 tokenst  441 tokensin"},
	{Class{Use: Token, Stacks: true}, "3080 token_s"},
	{Class{Use: Return, Stacks: true}, "436 ret  437 ret_2010  438 ret1"},
	{Class{Use: Permit}, "117 license_hr  118 license_hrgt  119 license_ph  120 license_phgt"},
	{Class{Use: Renewal}, "112 rslicense  113 rglicense  114 rtlicense  115 rdlicense  133 rgllicense"},
	{Class{Stacks: true, Use: Read}, "90 scroll"},
	{Class{Use: Read}, "91 rcp  703 map"},
	{Class{Slots: []int{SlotMission}}, "95 quest  131 quest2"},
	{Class{Slots: []int{SlotIslandToken}}, "104 token_pr  105 token_pr_cpy  128 island_token"},
	{Class{Monster: true}, `
		210 monster  211 monsterf  215 monsterc  217 monsterq  218 monsters  219 monstern  220 monsterh
		222 monsterd  223 monsterdf`},
	{Class{Slots: []int{SlotBackpack}, Room: 20}, "400 bag  430 sbag"},
	{Class{Slots: []int{SlotBackpack}, Room: 10}, "401 ubag"},
	{Class{Room: 40, Stays: true}, "402  406  408  414  417  420  421"},
	{Class{Room: 10}, "404 sac_p  405 sac_s  419 sac_m"},
	{Class{Room: 20, Stays: true, Keeps: true}, "407"},
	{Class{Room: 9, Stays: true, Keeps: true}, "415"},
	{Class{Slots: []int{SlotMantraBook}, Room: 20, Accepts: mantras}, `
		409 mbook  411 mbook1  412 mbook2  423 mbook3  427 mbook4`},
	{Class{Slots: []int{SlotRecipeBook}, Room: 20, Accepts: []int{91}}, "410 rbook"},
	{Class{Slots: []int{SlotMapBook}, Room: 20, Accepts: []int{703}}, "413 mapbook"},
	{Class{Stacks: true, Use: Potion}, `
		431 purge  432 courage  433 couragef  439 fistpwr  443 couragef1  446 snowman  449 candy  451 finish  452 fb01
		453 fb02  454 amilus  455 fb03  456 fb04  457 fb05  470 heal1  471 elixir  472 elixir1`},
	{Class{Stacks: true, Use: Insurance}, "434 exp"},
	{Class{Stacks: true, Use: Atonement}, "440 karma  445 karma1"},
	{Class{Use: Potion}, "435 amulet_refr  442 cbook1  444 cbook2  447 mortar  448 summon  458 mirror"},
	{Class{Stacks: true, Food: SatietyPotion, Use: Potion}, "473 fixhunger"},
	{Class{Hand: true, Held: Sword}, "500 sword1 sword  505 sword1u  961 sword1f swordf"},
	{Class{Hand: true, Held: Sword, Gift: true}, "506 sword1st"},
	{Class{Hand: true, Held: Axe}, "501 axe1 axe  507 axe_boar  962 axe1f axef"},
	{Class{Hand: true, Held: Crossbow}, "502 arbalest1 arbalest crossbow  963 arbalest1f arbalestf"},
	{Class{Slots: []int{SlotAmmunition}, Stacks: true}, "503 arrow arrows"},
	{Class{Hand: true}, "504 aroma"},
	{Class{Slots: rings}, "551 diamring  552 rubyring  555 jw_ring  760 ring  762 ring_s  780 ringu  959 ringf"},
	{Class{Stacks: true, Food: Fruit}, "650 apple  651 pear"},
	{Class{Stacks: true, Food: Dried}, "652 jerky"},
	{Class{Stacks: true, Food: Bread, Gift: true}, "653 scon"},
	{Class{Stacks: true, Food: Fish}, "654 fish"},
	{Class{Stacks: true, Food: Dried}, "655 stockfish"},
	{Class{Slots: []int{23, 24}, Use: Key}, "701 key  710 key2"},
	{Class{Slots: []int{SlotInkpot}, Gift: true}, "704 chern"},
	{Class{Stacks: true, Food: Mushroom}, "714 shamp"},
	{Class{Slots: []int{SlotChest}}, "750 armor  770 armoru  950 armorf"},
	{Class{Slots: []int{SlotAmulet}}, "751 amulet  771 amuletu  951 amuletf"},
	{Class{Slots: []int{SlotBoots}}, "752 shoes  753 shoes2  772 shoesu  773 shoes2u  952 shoesf"},
	{Class{Slots: []int{SlotGloves}}, "754 gloves  774 glovesu  953 glovesf"},
	{Class{Slots: []int{SlotBelt}}, "755 belt  775 beltu  954 beltf"},
	{Class{Slots: []int{SlotShield}}, "756 shield  776 shieldu  955 shieldf"},
	{Class{Slots: []int{SlotHelmet}}, "757 helm  777 helmu  956 helmf  990 helm_pr"},
	{Class{Slots: []int{SlotPants}}, "758 pants  778 pantsu  957 pantsf"},
	{Class{Slots: bracelets}, "759 bracelet  779 braceletu  958 braceletf"},
	{Class{Slots: []int{SlotChest}, Robe: true}, "761 armor2  781 armor2u  960 armor2f"},
	{Class{Hand: true, Use: Mantra}, "1000 mantra_white white  1001 mantra_black black"},
	{Class{Slots: []int{SlotGuild}}, "2000 guild"},
	{Class{Slots: specials, Use: Ability}, `
		2001 specab  2002 ga  2003 ha  2004 ba  2005 ca  2006 ea  2007 gb  2008 fa  2009 ic  2010 ma  2011 mb
		2012 mc  2013 na  2014 nb  2015 nc`},
	{Class{Room: 20, Accepts: []int{600, 601, 602}}, "3084 bag_herb"},
})

// A classGroup is some classes that have all in common but their tags and names.
type classGroup struct {
	Class
	members string
}

func listed(groups []classGroup) (all []Class) {
	for _, g := range groups {
		for _, word := range strings.Fields(g.members) {
			if tag, err := strconv.Atoi(word); err == nil {
				g.Tag, g.Modules = tag, nil
				all = append(all, g.Class)
			} else if last := len(all) - 1; last >= 0 {
				all[last].Modules = append(all[last].Modules, word)
			}
		}
	}
	slices.SortFunc(all, func(a, b Class) int { return cmp.Compare(a.Tag, b.Tag) })
	return all
}

// classByTag has the index in classes plus one; tags have twelve bits.
var classByTag = func() (index [4096]uint8) {
	for i := range classes {
		index[classes[i].Tag] = uint8(i + 1)
	}
	return index
}()

var noClass Class

// ClassOf returns the properties of a class; the zero value for an unknown one. They are not to be changed.
func ClassOf(tag int) *Class {
	if tag < 0 || tag >= len(classByTag) || classByTag[tag] == 0 {
		return &noClass
	}
	return &classes[classByTag[tag]-1]
}

var tagByModule = func() map[string]int {
	tags := map[string]int{}
	for i := range classes {
		for _, m := range classes[i].Modules {
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

// HasFamily reports whether the name of a module begins as those of items do.
func HasFamily(module string) bool {
	return slices.ContainsFunc(families, func(family string) bool { return strings.HasPrefix(module, family) })
}
