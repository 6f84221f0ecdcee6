package packets

// RecordBytes is the length of a frame with a [CharacterRecord].
const RecordBytes = 108

// A CharacterRecord is one of the three that the character screen shows, in the order of their slots. Numbers are 16
// bits unless their type says otherwise; statistics and satiety may be negative. Source: protocol session 6.2.
type CharacterRecord struct {
	MaxHP, MaxMP                           uint16
	Strength, Agility, Accuracy, Endurance int16
	Earth, Air, Water, Fire                int16
	PhysicalDefence, MagicalDefence        uint16
	Karma                                  uint8 // 1 to 5
	MaxSatiety                             int16
	Title, Degree                          uint16 // level less one, rebirths not taken out: 0 to 239
	TitleXP, DegreeXP                      uint32
	Satiety                                int16
	HP, MP                                 uint16
	TitlePoints, DegreePoints              uint16
	Look                                   int32 // as in WorldSnapshot; 4 or less marks an empty slot
	Gender                                 uint8 // 0 male, 1 female; anything else crashes the client
	Name                                   string
	Face, Hair, HairColour, Tattoo         uint8
	Boots, Pants, Chest, Robe, Gloves      uint8 // codes of worn gear, as in SetWornGear
	Shield                                 uint8
	Unknown1, Unknown2                     uint8 // '0'
	Helmet                                 uint8
	Deletion                               int32 // -1 unless queued for deletion
	Reserved                               uint32

	// Queued shows the character with its head down, to be deleted. On the wire the count of the array is 70 then and
	// not 94, though all 94 bytes follow.
	Queued bool
}

var _ = fromServer(&ownerCommands, ownerRecord, (*CharacterRecord).fields)

// Constants of records.
const (
	NotQueued     = -1
	EmptySlotLook = 4
	NothingWorn   = '0'
	recordArray   = 94
	recordQueued  = 70
	recordNameLen = 19
)

func (m *CharacterRecord) fields(f *fields) {
	num(f, &m.MaxHP, 16)
	num(f, &m.MaxMP, 16)
	for _, p := range []*int16{&m.Strength, &m.Agility, &m.Accuracy, &m.Endurance, &m.Earth, &m.Air, &m.Water, &m.Fire} {
		signed(f, p, 16)
	}
	num(f, &m.PhysicalDefence, 16)
	num(f, &m.MagicalDefence, 16)
	num(f, &m.Karma, 8)
	signed(f, &m.MaxSatiety, 16)
	num(f, &m.Title, 16)
	num(f, &m.Degree, 16)
	num(f, &m.TitleXP, 32)
	num(f, &m.DegreeXP, 32)
	signed(f, &m.Satiety, 16)
	num(f, &m.HP, 16)
	num(f, &m.MP, 16)
	num(f, &m.TitlePoints, 16)
	num(f, &m.DegreePoints, 16)
	signed(f, &m.Look, 32)
	num(f, &m.Gender, 8)
	f.padded(&m.Name, recordNameLen)
	for _, p := range []*uint8{&m.Face, &m.Hair, &m.HairColour, &m.Tattoo, &m.Boots, &m.Pants, &m.Chest, &m.Robe,
		&m.Gloves, &m.Shield, &m.Unknown1, &m.Unknown2, &m.Helmet} {
		num(f, p, 8)
	}
	signed(f, &m.Deletion, 32)
	num(f, &m.Reserved, 32)
}

// EmptyRecord is the record that the screen shows as a slot to create a character in. Source: protocol session 6.5.
func EmptyRecord() *CharacterRecord {
	return &CharacterRecord{MaxHP: 100, MaxMP: 100, Karma: 3, MaxSatiety: 50, Satiety: 50, HP: 100, MP: 100,
		TitlePoints:  4,
		DegreePoints: 4, Look: EmptySlotLook, Face: 4, Deletion: NotQueued}
}
