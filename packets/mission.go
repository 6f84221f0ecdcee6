package packets

// Missions: the offers of givers, the texts of a key, and the request for one. Source: protocol life 1.1, 1.3, 4.

// Offered and NotOffered are how the lists of a giver mark their entries.
const Offered, NotOffered = '+', ' '

// ofGiver limits a form to people that give missions.
var ofGiver = of(205, 208, 209)

// offered reads or writes which entries of a list are offered.
func (f *fields) offered(list ...*uint8) {
	for _, c := range list {
		f.walk(c)
		if *c != Offered && *c != NotOffered {
			f.fail("a list has %q where something is offered or not", *c)
			return
		}
	}
}

// MissionGoals is the list of goals for which a giver gives missions, each [Offered] or [NotOffered].
type MissionGoals struct{ Title, Degree, Money, Karma uint8 }

var _ = fromServer(&contManCommands, 15,
	func(m *MissionGoals, f *fields) { f.offered(&m.Title, &m.Degree, &m.Money, &m.Karma) }, ofGiver, turn(1))

// MissionPlaces is the list of continents to which a giver's missions lead, each [Offered] or [NotOffered].
type MissionPlaces struct{ Nearby, Hyperion, Helios, Rodos, Phoebe, Leon, Haron uint8 }

var _ = fromServer(&contManCommands, 15, func(m *MissionPlaces, f *fields) {
	f.offered(&m.Nearby, &m.Hyperion, &m.Helios, &m.Rodos, &m.Phoebe, &m.Leon, &m.Haron)
}, ofGiver, turn(2))

// MissionLimits is the limits for players that a giver gives missions: levels less one but for the last, and types of
// karma.
type MissionLimits struct {
	TitleMin, TitleMax, DegreeMin, DegreeMax uint16
	KarmaMin, KarmaMax                       uint8
}

var _ = fromServer(&contManCommands, 15, func(m *MissionLimits, f *fields) {
	f.walk(&m.TitleMin, &m.TitleMax, &m.DegreeMin, &m.DegreeMax, &m.KarmaMin, &m.KarmaMax)
	if m.KarmaMax == 0 { // which ends a [Model] of nine letters
		f.fail("limits end with a type of karma")
	}
}, ofGiver, turn(3))

// MissionTarget is the text of a mission's key about its target.
type MissionTarget struct {
	Lead     [3]byte // 0, 0, 2
	Name     int32   // code of a name, as [DisplayName] has it
	Seal     uint32  // meaning unknown
	Template [4]byte // letter and three digits
}

var _ = fromServer(&contManCommands, 15, func(m *MissionTarget, f *fields) {
	f.bytes(m.Lead[:])
	f.walk(&m.Name, &m.Seal)
	f.bytes(m.Template[:])
}, of(ClassMission), turn(1))

// MissionRest follows [MissionTarget] in a mission's key; its meaning is unknown.
type MissionRest struct{ A, B, C uint32 } // all 0

var _ = fromServer(&contManCommands, 15, func(m *MissionRest, f *fields) { f.walk(&m.A, &m.B, &m.C) },
	of(ClassMission), turn(2))

// MissionRequest asks a giver for a mission. That it begins with a byte for the choice is known from the client's
// scripts; how is not, so all of it is kept.
type MissionRequest struct{ Data []byte }

var _ = fromClient(&contManCommands, 15, func(m *MissionRequest, f *fields) {
	f.restBytes(&m.Data)
	if len(m.Data) == 0 {
		f.fail("a request for a mission says something")
	}
}, ofNPC)

// OwnMark is a place that the client marks on its own map; the leader of a group does so for the others.
//
// Source: protocol life 1.3, 13; it was never recorded.
type OwnMark struct{ X, Z float32 }

var _ = fromClient(&managerCommands, 48, func(m *OwnMark, f *fields) { f.walk(&m.X, &m.Z) })

// MapMark is a place that the client marks on its map and its compass.
type MapMark struct{ X, Z float32 }

var _ = fromServer(&managerCommands, 47, func(m *MapMark, f *fields) { f.walk(&m.X, &m.Z) })
