package packets

import "fmt"

// A Class is the 12-bit tag of an object's kind: it decides which regions the object has and how they are laid out.
// Source: protocol ingame 19.1.
type Class uint16

// Classes that the code names. [Class.String] knows the others too.
const (
	ClassNone          Class = 0 // removes the object
	ClassMain          Class = 1 // the server itself: game time
	ClassPlayer        Class = 2
	ClassStat          Class = 4  // number of players
	ClassChat          Class = 5  // a line of chat
	ClassVirus         Class = 30 // mutator: an effect on a character
	ClassDoorIn        Class = 60 // door1, entrance
	ClassDoorOut       Class = 61 // door2, exit
	ClassTeleport      Class = 62
	ClassToken         Class = 66
	ClassTutorial      Class = 72 // tutorial message
	ClassCastleTablet  Class = 80
	ClassMission       Class = 95
	ClassLabyrinth     Class = 96 // an instance of a dungeon
	ClassTownTable     Class = 126
	ClassTokenStart    Class = 127 // token that leaves the newcomers' dungeon
	ClassMonster       Class = 210
	ClassMonsterFlying Class = 211
	ClassGuide         Class = 212
	ClassTrader        Class = 213
	ClassBank          Class = 226
	ClassFirework      Class = 227
	ClassFirework2     Class = 228
	ClassTournament    Class = 239 // master of tournaments
	ClassSack          Class = 405
	ClassLootBag       Class = 407 // loot of a monster
	ClassChest         Class = 415 // of a dungeon: a chest, a coffin, a barrel
	ClassBackpack      Class = 430 // ct_sbag
	ClassPowder        Class = 453 // single-target powder
	ClassAreaPowder    Class = 455
	ClassStartSword    Class = 506
	ClassBread         Class = 653
	ClassKey           Class = 701
	ClassInkpot        Class = 704
	ClassTokenCharges  Class = 3080 // token with charges
	ClassHostage       Class = 3083 // of a tournament
)

// String returns the name of the class in the client's scripts, or its number.
func (c Class) String() string {
	if n, ok := classNames[c]; ok {
		return n
	}
	return fmt.Sprintf("class %d", uint16(c))
}

// Monster reports whether the class is one of monsters, whose spawns tell HP, type and level. Source: protocol ingame
// 9.1, fight 4.1.
func (c Class) Monster() bool {
	return c >= 210 && c <= 211 || c == 215 || c >= 217 && c <= 220 || c >= 222 && c <= 224
}

// NPC reports whether the class is one of the people of the towns.
func (c Class) NPC() bool {
	return c >= 200 && c <= 209 || c >= 212 && c <= 213 || c == 216 || c == 221 || c == 225 || c == 229 ||
		c >= 237 && c <= 240 || c == 3081
}

var classNames = map[Class]string{
	0: "nothing", 1: "_main", 2: "_player", 3: "_ambc", 4: "_stat", 5: "_chat", 6: "_afix", 10: "purse",
	20: "room1", 30: "virus", 31: "crystal", 40: "seed", 42: "crystal_attr_a", 43: "crystal_attr_b",
	44: "crystal_attr_c", 45: "crystal_attr_d", 46: "x2_titul", 47: "x2_degree", 48: "x2_tit_degr", 50: "fb1",
	51: "fb2", 60: "door1", 61: "door2", 62: "telep", 63: "telep1", 64: "telep2", 65: "entry", 66: "token",
	67: "telep3", 68: "licence", 69: "telep4", 70: "incubator", 71: "telep5", 72: "tutomsg", 80: "cs_table",
	81: "cs_gate", 82: "cs_chest", 83: "cs_knot", 90: "scroll", 91: "mg_rcp", 95: "quest", 96: "labyr",
	97: "packet", 98: "doorc", 100: "fernbush", 101: "door_lk", 102: "telep6", 103: "telep7", 104: "token_pr",
	105: "token_pr_cpy", 106: "island_pr", 107: "telep8", 108: "crystalc", 109: "crystalcattr",
	110: "clanlicence", 111: "rilicense", 112: "rslicense", 113: "rglicense", 114: "rtlicense",
	115: "rdlicense", 116: "goldpurse", 117: "license_hr", 118: "license_hrgt", 119: "license_ph",
	120: "license_phgt", 121: "pw_buff0", 122: "pw_buff1", 123: "pw_buff2", 124: "pw_buff3", 126: "town_table",
	127: "tokenst", 128: "island_token", 129: "pw_ability", 130: "scroll_october", 131: "quest2", 132: "telep9",
	133: "rgllicense", 200: "npc14", 201: "npc29", 202: "npc40", 203: "npc47", 204: "npc01", 205: "npc06",
	206: "npc_virt", 207: "npc55", 208: "npc58", 209: "npc59", 210: "monster", 211: "monsterf",
	212: "npc_guide", 213: "npc_trader", 215: "monsterc", 216: "npc_guilder", 217: "monsterq", 218: "monsters",
	219: "monstern", 220: "monsterh", 221: "npc_questman", 222: "monsterd", 223: "monsterdf", 224: "cs_guard",
	225: "npc_banker", 226: "_bank", 227: "fwks", 228: "fwks2", 229: "npc_gold", 235: "st_expball",
	236: "item_bead", 237: "npc_newyear", 238: "npc_empty", 239: "npc_tournament", 240: "npc_collector",
	241: "item_letter", 300: "crt02", 301: "crt51", 302: "crt03", 400: "ct_bag", 401: "ct_ubag",
	402: "ct_chest1", 403: "ct_jar", 404: "ct_sac_p", 405: "ct_sac_s", 406: "ct_chest2", 407: "ct_mbag",
	408: "ct_chest3", 409: "ct_mbook", 410: "ct_rbook", 411: "ct_mbook1", 412: "ct_mbook2", 413: "ct_mapbook",
	414: "ct_chest4", 415: "ct_lab", 416: "ct_cbag", 417: "ct_chest5", 418: "ct_barn", 419: "ct_sac_m",
	420: "ct_chest6", 421: "ct_chest7", 422: "ct_bagd", 423: "ct_mbook3", 424: "ct_chest_pr", 425: "ct_ibag",
	426: "ct_gbag", 427: "ct_mbook4", 428: "vn_stonea", 429: "mg_gmagicpot", 430: "ct_sbag", 431: "vn_purge",
	432: "pw_courage", 433: "pw_couragef", 434: "vn_exp", 435: "ar_amulet_refr", 436: "vn_ret",
	437: "vn_ret_2010", 438: "vn_ret1", 439: "pw_fistpwr", 440: "vn_karma", 441: "vn_tokensin",
	442: "ct_cbook1", 443: "pw_couragef1", 444: "ct_cbook2", 445: "vn_karma1", 446: "vn_snowman", 447: "mortar",
	448: "vn_summon", 449: "vn_candy", 451: "pw_finish", 452: "pw_fb01", 453: "pw_fb02", 454: "pw_amilus",
	455: "pw_fb03", 456: "pw_fb04", 457: "pw_fb05", 458: "vn_mirror", 470: "pw_heal1", 471: "pw_elixir",
	472: "pw_elixir1", 473: "pw_fixhunger", 474: "vn_randbox", 475: "tournament", 476: "monster_trap",
	477: "monster_event", 478: "vn_tnmnt_randbox", 500: "sword", 501: "axe", 502: "crossbow", 503: "arrows",
	504: "wp_aroma", 505: "unique_sword", 506: "start_sword", 507: "axe_boar", 550: "jw_diamond",
	551: "jw_diamring", 552: "jw_rubyring", 553: "jw_ruby", 554: "jw_gold", 555: "jw_ring", 600: "mineral",
	601: "flower", 602: "metal", 650: "apple", 651: "pear", 652: "jerky", 653: "bread", 654: "fish",
	655: "dried_fish", 700: "brushwood", 701: "key", 702: "light1", 703: "map", 704: "inkpot", 705: "light2",
	706: "ear", 707: "coin", 708: "string", 709: "loot", 710: "key2", 711: "light3", 712: "light4", 713: "fir",
	714: "champagne", 715: "rhomb", 716: "lottery", 718: "rock", 750: "armour", 751: "amulet", 752: "shoes",
	753: "shoes2", 754: "gloves", 755: "belt", 756: "shield", 757: "helmet", 758: "pants", 759: "bracelet",
	760: "ring", 761: "robe", 762: "ring_s", 770: "unique_armor", 771: "unique_amulet", 772: "unique_shoes",
	773: "unique_shoes2", 774: "unique_gloves", 775: "unique_belt", 776: "unique_shield", 777: "unique_helmet",
	778: "unique_pants", 779: "unique_bracelet", 780: "unique_ring", 781: "unique_robe", 800: "pot",
	801: "corn", 802: "eye", 803: "stove", 804: "formula", 805: "workshop", 806: "flag", 900: "well",
	901: "stonew", 902: "stoneb", 903: "cryst", 904: "crystq", 950: "quest_armour", 951: "quest_amulet",
	952: "quest_shoes", 953: "quest_gloves", 954: "quest_belt", 955: "quest_shield", 956: "quest_helmet",
	957: "quest_pants", 958: "quest_bracelet", 959: "quest_ring", 960: "quest_robe", 961: "quest_sword",
	962: "quest_axe", 963: "quest_crossbow", 990: "premium_helmet", 1000: "mantra_white", 1001: "mantra_black",
	2000: "guild", 2001: "specab", 2002: "specab_ga", 2003: "specab_ha", 2004: "specab_ba", 2005: "specab_ca",
	2006: "specab_ea", 2007: "specab_gb", 2008: "specab_fa", 2009: "specab_ic", 2010: "specab_ma",
	2011: "specab_mb", 2012: "specab_mc", 2013: "specab_na", 2014: "specab_nb", 2015: "specab_nc", 3074: "shop",
	3075: "claim_blank", 3080: "token_s", 3081: "npc_father_frost", 3083: "tmnt_hostage", 3084: "ct_bag_herb",
}
