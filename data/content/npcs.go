package content

import (
	"fmt"

	"sphereserver/coords"
)

// A NPCKind is a group of townsfolk of one class.
type NPCKind string

// The kinds of townsfolk.
const (
	Banker       NPCKind = "banker"
	GuildMaster  NPCKind = "guild-master"
	TitleQuests  NPCKind = "title-quest"
	DegreeQuests NPCKind = "degree-quest"
	KarmaQuests  NPCKind = "karma-quest"
	Tournaments  NPCKind = "tournament"
	Trader       NPCKind = "trader"
)

var npcKinds = []NPCKind{Banker, GuildMaster, TitleQuests, DegreeQuests, KarmaQuests, Tournaments, Trader}

// npcClasses are the class tags. Source: protocol gamerules 16.
var npcClasses = map[NPCKind]int{Banker: 225, GuildMaster: 216, TitleQuests: 205, DegreeQuests: 209, KarmaQuests: 208,
	Tournaments: 239, Trader: 213}

// Occupations of townsfolk. The client is told 50000 more.
//
// Source: protocol life 14, which takes the place of the list in ingame 11.2, and gamerules 9.
const (
	OccupationGuild      = 1
	OccupationDegree     = 2
	OccupationKarma      = 3
	OccupationTitle      = 4
	OccupationTavern     = 5
	OccupationAlchemy    = 6
	OccupationArmour     = 7
	OccupationJewellery  = 8
	OccupationMagic      = 9
	OccupationTravel     = 10
	OccupationWeapons    = 11
	OccupationTournament = 13
	OccupationBank       = 17 // on the wire 0, which here is no occupation
)

// OccupationNumber is an occupation as the client is told it.
func OccupationNumber(of int) uint32 {
	if of == OccupationBank {
		of = 0
	}
	return 50000 + uint32(of)
}

// An occupation is the work of a townsman.
type occupation struct {
	key              string // stable
	kind             NPCKind
	title            string // key of the title that the client shows; "" where none was recorded
	russian, english string
}

var occupations = map[int]occupation{
	OccupationGuild:     {"guild", GuildMaster, "npc_guilder", "глава гильдии", "guild master"},
	OccupationTitle:     {"title-quest", TitleQuests, "npc_quest_title", "мастер заданий титула", "title quest giver"},
	OccupationTavern:    {"tavern", Trader, "npc_tavernkeepr", "трактирщик", "tavern keeper"},
	OccupationAlchemy:   {"alchemy", Trader, "npc_trade_alchm", "алхимик", "alchemist"},
	OccupationArmour:    {"armour", Trader, "", "бронник", "armourer"},
	OccupationJewellery: {"jewellery", Trader, "", "ювелир", "jeweller"},
	OccupationMagic:     {"magic", Trader, "", "маг", "mage"},
	OccupationTravel:    {"travel", Trader, "npc_trade_travl", "торговец дорожными товарами", "travel trader"},
	OccupationWeapons:   {"weapons", Trader, "", "оружейник", "weapon smith"},
	OccupationDegree: {"degree-quest", DegreeQuests, "npc_quest_dgree", "мастер заданий степени",
		"degree quest giver"},
	OccupationKarma:      {"karma-quest", KarmaQuests, "npc_quest_karma", "мастер заданий кармы", "karma quest giver"},
	OccupationBank:       {"bank", Banker, "npc_banker", "банкир", "banker"},
	OccupationTournament: {"tournament", Tournaments, "", "распорядитель турниров", "tournament master"},
}

// A NPC is a person that stands in one place. Its place, its name and its figure are from recordings.
type NPC struct {
	Key      string // stable: "npc-" and its object id in the recordings
	Kind     NPCKind
	Class    int    // class tag
	Name     int32  // number of its name in the client's files; TradeMan 3 sends it
	Model    string // figure, for ContMan 15; "" where none was recorded: the client takes the class's
	Title    string // key of its title, for command 1 of region 12; "" where none was recorded
	Type     int    // occupation; command 2 of region 12 sends 50000 more
	Angle    coords.Angle8
	Position coords.Position // its yaw is Angle
	Area     string          // key of the [Area] in which it stands
	Town     string          // key of the city, castle or tavern within [TownReach]; "" in the country
	// Tier is the first tier of a trader's goods, 1, 4, 7 or 10, an estimate; 0 where none is known, and for people
	// without goods.
	Tier int
}

// TownReach is how far from the centre of a city, a castle or a tavern its people stand, metres: a limit of ours, that
// takes in the streets but not the villages around.
const TownReach = 200

// Role names the occupation, in small letters, in one of the two languages.
func (t NPC) Role(russian bool) string {
	if russian {
		return occupations[t.Type].russian
	}
	return occupations[t.Type].english
}

// keeperRooms are the first and the last key to the rooms of taverns, by the names of their keepers. The numbers are
// those of the cities; that the keepers 200 to 207 follow the order of the tokens to the cities is inferred from
// Torweal's, whose doors were recorded. Nomrad and Gifes share four. Umrad's other two are also barn keys, and left
// out.
//
// Source: protocol life 3.2.
var keeperRooms = map[int32][2]uint16{
	200: {5000, 5003}, // Shipstone
	201: {5007, 5008}, // Bangville
	202: {5009, 5014}, // Sunpool
	203: {5015, 5016}, // Torweal
	204: {5017, 5020}, // Nomrad
	205: {5017, 5020}, // Gifes
	206: {5004, 5006}, // Umrad
	207: {5034, 5037}, // Anhelm
}

// Rooms are the rooms of a keeper's tavern, by the numbers of their keys, from the first to the last; 0 for others.
func (t NPC) Rooms() (first, last uint16) {
	if t.Type != OccupationTavern {
		return 0, 0
	}
	rooms := keeperRooms[t.Name]
	return rooms[0], rooms[1]
}

// Occupation is a stable key of the occupation.
func (t NPC) Occupation() string { return occupations[t.Type].key }

var loadNPCs = embedded("npcs.tsv", func(name, text string) ([]NPC, error) {
	return parseNPCs(name, text, Places())
})

var npcColumns = []string{"id", "kind", "type", "name", "model", "x", "y", "z", "angle", "area", "tier"}

// parseNPCs reads a table of townsfolk. Each belongs to the nearest of the places.
func parseNPCs(name, text string, places []Place) ([]NPC, error) {
	var people []NPC
	err := readTable(name, text, npcColumns, func(r *tableRow) {
		t := NPC{Key: fmt.Sprintf("npc-%04x", r.hex("id")), Kind: choice(r, "kind", npcKinds...),
			Name: int32(r.number("name", 0, 999)), Model: r.optional("model"), Type: int(r.number("type", 1, 19)),
			Angle: r.angle("angle"), Position: r.position("x", "y", "z")}
		if r.known("tier") {
			t.Tier = int(r.number("tier", 1, 15))
		}
		t.Position.Yaw = t.Angle.Radians()
		t.Area = r.area("area", t.Position)
		t.Town = townOf(t.Position, t.Area, places)
		does := occupations[t.Type]
		t.Title, t.Class = does.title, npcClasses[t.Kind]
		if does.kind != t.Kind {
			r.fail("type", "an occupation of a "+string(t.Kind))
		}
		if r.again(t.Key) {
			r.fail("id", "every id once")
		}
		people = append(people, t)
	})
	return people, err
}

// townOf returns the key of the city, castle or tavern to which a spot belongs.
func townOf(p coords.Position, area string, places []Place) string {
	town, nearest := "", float64(TownReach)
	for _, at := range places {
		if at.Area != area || at.Kind != PlaceCity && at.Kind != PlaceCastle && at.Kind != PlaceTavern {
			continue
		}
		if d := p.Distance(at.Position); d < nearest {
			town, nearest = at.Key, d
		}
	}
	return town
}

// NPCs returns all townsfolk, in the order of the table. The slice is shared and not to be changed.
func NPCs() []NPC { return loadNPCs() }
