package packets

// Title is the key of the title over a person of a town.
type Title struct{ Key string } // in the client's texts: "npc_tavernkeepr"

var _ = fromServer(&managerCommands, 1, func(m *Title, f *fields) { f.walk(&m.Key) }, ofNPC, turn(1))

// Occupation is the occupation of a person of a town.
type Occupation struct{ Number uint32 } // 50000 + its type, protocol ingame 11.2

var _ = fromServer(&managerCommands, 2, func(m *Occupation, f *fields) { f.walk(&m.Number) }, ofNPC, turn(1))

// DisplayName is the code of the name over a person or monster. Source: protocol ingame 9.7.
type DisplayName struct {
	// Code is negative for a name made of syllables; from 1000000 on surname and first name; below 1000 a fixed name.
	Code int32
}

var _ = fromServer(&tradeManCommands, 3, func(m *DisplayName, f *fields) { f.walk(&m.Code) })
