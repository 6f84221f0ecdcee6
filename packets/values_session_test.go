package packets

import (
	"slices"
	"strings"
	"testing"
)

// vasya and strannik are the characters of protocol session 10.6 and 10.7.
func vasya() *CharacterRecord {
	return &CharacterRecord{MaxHP: 100, MaxMP: 100, Karma: 3, MaxSatiety: 100, Satiety: 50, HP: 100, MP: 100,
		TitlePoints: 4, DegreePoints: 4, Look: 0x3232303A, Name: "Вася", Face: 50, Hair: 48, HairColour: 49, Tattoo: 48,
		Unknown1: '0', Unknown2: '0', Deletion: NotQueued}
}

func queued(r *CharacterRecord) *CharacterRecord {
	r.Queued, r.Deletion = true, 0x7FFFFFFF
	return r
}

func strannik() *CharacterRecord {
	return &CharacterRecord{MaxHP: 1234, MaxMP: 567, Strength: 10, Agility: 20, Accuracy: 30, Endurance: 40, Earth: 50,
		Air:   60,
		Water: 70, Fire: 80, PhysicalDefence: 345, MagicalDefence: 678, Karma: 5, MaxSatiety: 150, Title: 74, Degree: 20,
		TitleXP: 123456789, DegreeXP: 987654, Satiety: 77, HP: 1200, MP: 432, TitlePoints: 12, DegreePoints: 7,
		Look:   0x3232303A,
		Gender: 1, Name: "Странник", Face: 51, Hair: 50, HairColour: 49, Tattoo: 52, Boots: '1', Pants: '2',
		Chest: '3',
		Robe:  '4', Gloves: '5', Unknown1: '0', Unknown2: '0', Deletion: NotQueued}
}

func occupied(slots ...int) []uint16 {
	o := make([]uint16, Slots)
	for _, s := range slots {
		o[s] = 1
	}
	return o
}

// entering are the characters of protocol session 10.7 as they stand in the canonical frames.
func enteringVasya() WorldSnapshot {
	return WorldSnapshot{Name: "Вася", ClanRank: -1, Look: 0x30313032, Y: 150, HP: 100, MaxHP: 100, Karma: 3,
		Occupied: occupied(), Weights: make([]uint32, Slots)}
}

func enteringStrannik() WorldSnapshot {
	return WorldSnapshot{Name: "Странник", Clan: "Red Star", ClanRank: 1, Look: 0x34313233, Gender: 1, X: 2614,
		Y: 157.8, Z: 1293,
		Yaw: 0.75, Carried: 300, Occupied: occupied(0, 3, 13, 20, 21, 26, 35, 46, 56),
		Weights: []uint32{0: 500, 20: 100, 56: 3, 59: 5000000 & 0xFFFFF}, HP: 1200, MaxHP: 1234, Karma: 5,
		Levels: 20*100 + 14, Guild: 5 + 64, GuildRank: 4, Money: 1234567}
}

func enteringBob() WorldSnapshot {
	return WorldSnapshot{Name: "Bob", Clan: "Сфера", ClanRank: 3, X: -1098.695068359375, Y: 4501.61474609375,
		Z: 1900.054931640625, Yaw: 1.57079637050629, HP: 100, MaxHP: 100, Karma: 3,
		Occupied: occupied(), Weights: make([]uint32, Slots)}
}

func entering(s WorldSnapshot) *Body { return player(512, &s) }

func pregame(c Command) *Body { return player(512, owner(c)) }

func login(clock uint16, name, password string) *Body {
	return player(clock, owner(&Login{0xFF, name, password}))
}

func create(clock uint16, slot uint8, name string, look int32) *Body {
	return player(clock, owner(&ChooseSlot{slot + 1}), owner(&CreateCharacter{name, look}))
}

func choose(slot uint8) *Body {
	return player(0, owner(&ChooseSlot{slot + 1}), owner(&EnterWorld{}))
}

// credentials is the frame with the two low bits of the older servers in its clock.
func credentials(low uint8, m Moment) *Body {
	b := Credentials(0x4F6F, m.Pack())
	b.Sections[0].Regions[0] = owner(&LoginTime{m.Pack(), low})
	return b
}

// lookOf packs face, hair, hair colour and tattoo.
func lookOf(face, hair, colour, tattoo uint32) uint32 {
	return face | hair<<8 | colour<<16 | tattoo<<24
}

// The vectors of protocol session 10 and the byte blocks of its appendix.
var sessionExamples = []example{
	{"session-4.5-character-screen", pregame(&CharacterScreen{})},
	{"session-6.3-select", Message(138, PlayerIndex(0x1EAC).ID(), 2, owner(&ChooseSlot{1 + 1}), owner(&EnterWorld{}))},
	{"session-6.5-empty-slot", pregame(EmptyRecord())},

	{"session-10.3-login-1", login(1000, "Tester1", "qwe123")},
	{"session-10.3-login-2", login(1000, "test", "qwerty")},
	{"session-10.3-login-3", login(1000, "Иван", "пароль7")},
	{"session-10.9-recorded-login", login(71, "abc", "1")},

	{"session-10.4-credentials-date", credentials(3, Moment{334, 5, 17, 13, 47, 0})},
	{"session-10.4-credentials-date-2022", credentials(0, Moment{334, 5, 17, 13, 47, 2})},
	{"session-10.4-credentials-1750000000", credentials(1, Moment{322, 10, 28, 13, 20, 0})},
	{"session-10.4-credentials-1750000000-2022", credentials(0, Moment{39, 2, 18, 11, 40, 2})},
	{"session-10.4-credentials-1750000000-2026", Credentials(0x4F6F, 0x50AC4D50)},
	{"session-10.4-credentials-1783000000-2026", Credentials(0x4F6F, 0x53D71550)},
	{"session-10.4-credentials-1649722100-2026", Credentials(0x4F6F, 0x4724C1A0)},
	{"session-10.4-credentials-0-2026", Credentials(0x4F6F, 0xAA30E000)},

	{"session-10.6-C1", pregame(vasya())},
	{"session-10.6-C1-queued", pregame(queued(vasya()))},
	{"session-10.6-C2", pregame(strannik())},

	{"session-10.7-F1", ClassicEnterWorld(0x4F6F, enteringVasya(), ClassicPlace{Y: 150})},
	{"session-10.7-F2", ClassicEnterWorld(0x4F6F, enteringStrannik(), ClassicPlace{2614, 157.8, 1293, 0.75})},
	{"session-10.7-F3", ClassicEnterWorld(0x4F6F, enteringBob(), ClassicPlace{-1098.695068359375, 4501.61474609375,
		1900.054931640625, 1.57079637050629})},
	{"session-10.7-G1", entering(enteringVasya())},
	{"session-10.7-G2", entering(enteringStrannik())},

	{"session-10.8-recorded-1", create(236, 1, strings.Repeat("a", 15), int32(lookOf(48, 48, 48, 48)))},
	{"session-10.8-recorded-2", create(203, 1, strings.Repeat("b", 15), int32(lookOf(48, 48, 48, 48)))},
	{"session-10.8-recorded-3", create(806, 1, "Abcdef", int32(lookOf(48, 50, 48, 48)))},
	{"session-10.8-recorded-4", create(27579, 1, "abcdefghijklmno", int32(lookOf(48, 48, 48, 48)))},
	{"session-10.8-recorded-5", create(279, 1, "АаБбВв", int32(lookOf(48, 48, 48, 48)))},
	{"session-10.8-create-1", create(0, 0, "Вася", int32(lookOf(50, 48, 49, 48)))},
	{"session-10.8-create-2", create(0, 2, "Алёна", FemaleLook(lookOf(48, 49, 50, 51)))},
	{"session-10.8-create-3", create(0, 1, "Bob", FemaleLook(lookOf(48, 48, 48, 48)))},
	{"session-10.8-select-0", choose(0)},
	{"session-10.8-select-1", choose(1)},
	{"session-10.8-select-2", choose(2)},

	{"session-10.11-slot", player(512, contMan(&FillSlot{20, 0xCE20, 100}))},
	{"session-10.11-move-slot", player(0, contMan(&FillSlot{Slot: 26}), contMan(&FillSlot{35, 0xCE20, 1100}))},
	{"session-10.11-three-slots", player(512, contMan(&FillSlot{0, 0x2710, 500}), contMan(&FillSlot{13, 0x2711, 1100}),
		contMan(&FillSlot{26, 0x2712, 30}))},
	{"session-10.11-statistics", player(0, stats([][2]int32{{1, 110}, {3, 100}, {4, 50}, {5, 100}}, zeros(6, 13),
		zeros(16, 17),
		zeros(37, 38), [][2]int32{{39, 3}}, zeros(40, 42), [][2]int32{{44, 4}, {45, 4}, {47, 3}, {57, 10}},
		zeros(18, 19))...)},
	{"session-10.11-three-statistics", player(0, stat(1, 2578), stat(8, -22), stat(57, 16842997))},

	{"session-10.13-cannot-connect", pregame(&CannotConnect{})},
	{"session-10.13-name-accepted", pregame(&NameAccepted{})},
	{"session-10.13-name-rejected", pregame(&NameRejected{})},
	{"session-10.13-account-expired", pregame(&AccountExpired{})},
	{"session-10.13-six-seconds", ClassicSixSeconds(0x4F6F)},
	{"session-10.13-fifteen-seconds", ClassicFifteenSeconds(0x4F6F)},
	{"session-10.13-echo", ClassicEcho(0x4F6F)},

	{"session-A2-1", player(0, slices.Concat(snapshotStats(2, 4), []Region{
		manager(&SetCoordinates{-1698.6951, 4501.5303, 1700.0549, 1.5707964}),
		contMan(&FillSlot{57, 60624, 200}), contMan(&SlotWeight{57, 245}), manager(&Bonus{0x554E}),
		contMan(&SlotWeight{57, 200}),
	})...)},
	{"session-A2-2", player(0, contMan(&ResetSlots{0}), contMan(&FillSlot{20, 59425, 100}), contMan(&FillSlot{Slot: 57}),
		contMan(&FillSlot{58, 59426, 0}), contMan(&FillSlot{59, 59485, 5000000}), &Craft32{Craft{4, 59485}},
		contMan(&FillSlot{19, 59652, 45}), contMan(&FillSlot{0, 60597, 500}), contMan(&FillSlot{56, 60598, 3}),
		contMan(&ClearSlot{0}), contMan(&ClearSlot{19}), contMan(&ClearSlot{20}), contMan(&ClearSlot{56}),
		contMan(&ClearSlot{59}), contMan(&FillSlot{20, 59448, 100}), manager(&Money{10}), manager(&FileCheckBegin{}))},
	{"session-A4-1", player(512, slices.Concat([]Region{
		manager(&SetCoordinates{-1098.695068359375, 4501.61474609375, 1900.054931640625, 1.5707963705}),
		contMan(&FillSlot{57, 0xA8ED, 200})}, snapshotStats(0, 4), []Region{manager(&PlayEffect{758})})...)},
}

func TestSessionExamples(t *testing.T) { testExamples(t, sessionExamples) }

func stats(lists ...[][2]int32) []Region {
	var out []Region
	for _, v := range slices.Concat(lists...) {
		out = append(out, stat(Stat(v[0]), v[1]))
	}
	return out
}

func zeros(from, to int32) [][2]int32 {
	var out [][2]int32
	for i := from; i <= to; i++ {
		out = append(out, [2]int32{i, 0})
	}
	return out
}

// snapshotStats are the statistics of a new character, protocol session 8.3; the last two unknown ones differ.
func snapshotStats(stat51, stat54 int32) []Region {
	return stats([][2]int32{{0, 103}, {1, 110}, {2, 100}, {3, 100}, {4, 50}, {5, 100}}, zeros(6, 13),
		[][2]int32{{14, 1}, {15, 1}},
		zeros(16, 23), [][2]int32{{24, 100}, {25, 100}, {26, 100}}, zeros(27, 34), [][2]int32{{35, 1}, {36, 1}},
		zeros(37, 38),
		[][2]int32{{39, 3}}, zeros(40, 42), [][2]int32{{43, 8}, {44, 4}, {45, 4}, {46, 0}, {51, stat51}, {52, 0}, {53, 0},
			{54, stat54}})
}
