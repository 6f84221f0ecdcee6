package w3gs

import (
	"fmt"
	"slices"
)

// A SlotState reports whether a slot can be taken. Source: protocol w3gs 4.2.
type SlotState uint8

// The states of a slot.
const (
	SlotOpen SlotState = iota
	SlotClosed
	SlotTaken
)

// A Race of a player, of which only one bit is set, except RaceSelectable. Source: protocol w3gs 4.2.
type Race uint8

// The races.
const (
	Human    Race = 0x01
	Orc      Race = 0x02
	NightElf Race = 0x04
	Undead   Race = 0x08
	Random   Race = 0x20
	// RaceSelectable is added where the player may choose.
	RaceSelectable Race = 0x40
)

// A ComputerLevel says how well a computer plays.
type ComputerLevel uint8

// The levels.
const (
	EasyComputer ComputerLevel = iota
	NormalComputer
	InsaneComputer
)

// UnknownDownload is shown as a question mark.
const UnknownDownload = 255

// A Slot is a seat of a game. Source: protocol w3gs 4.2.
type Slot struct {
	Player   PlayerID // 0 for an empty, closed or computer slot; some hosts write 255
	Download uint8    // of the map in percent, or UnknownDownload. Computer: 100
	State    SlotState
	Computer uint8 // 1 for a computer
	Team     uint8 // Version.ObserverTeam for those that only watch
	Colour   uint8 // the same
	Race     Race
	Level    ComputerLevel // normal for a person
	Handicap uint8         // in percent: 50, 60, … 100
}

// slotSize is a record's length. Old versions leave out the last one or two fields.
const (
	slotSize    = 9
	minSlotSize = 7
)

// A Layout is the limits of changes in the lobby. Source: protocol w3gs 4.2.
type Layout uint8

// The bits of a layout. 0 is a melee game, LadderLayout a game of the publisher's ladder.
const (
	FixedForces     Layout = 0x01 // teams
	FixedSettings   Layout = 0x02 // race, colour, handicap
	LadderLayout    Layout = 0xCC
	CustomForces           = FixedForces
	EverythingFixed        = FixedForces | FixedSettings
)

// A SlotTable is all slots of a game, with their common numbers. Source: protocol w3gs 4.2.
type SlotTable struct {
	Slots []Slot
	Seed  uint32 // random, the same for the whole life of the game
	// Layout says which parts are fixed, Starts how many start positions the map has: slots of players, without those of
	// observers.
	Layout Layout
	Starts uint8
	// Short is how many of the last fields of each record are left out: 0, or in old versions 1 or 2.
	Short uint8
}

const slotTableTail = 7 // seed, layout, starts and the count of slots

func (t *SlotTable) fields(f *fields) {
	size := slotSize - int(t.Short)
	length := uint16(slotTableTail + size*len(t.Slots))
	num(f, &length)
	n, ok := f.count("a number of slots", len(t.Slots), 1, maxSlots)
	if !ok {
		return
	}
	if f.Reading() {
		records := int(length) - slotTableTail
		if size = records / n; records < 0 || records%n != 0 || size < minSlotSize || size > slotSize {
			f.failAt(f.Offset()-3, fmt.Errorf("expected a block of %d slots of %d to %d bytes each, found a length of %d", n,
				minSlotSize, slotSize, length))
			return
		}
		t.Short = uint8(slotSize - size)
		if size*n > f.Left() {
			f.fail("expected %d slots of %d bytes, %d are left", n, size, f.Left())
			return
		}
		t.Slots = slices.Grow(t.Slots[:0], n)[:n]
		clear(t.Slots)
	} else if t.Short > slotSize-minSlotSize {
		f.fail("expected at most %d fields left out, found %d", slotSize-minSlotSize, t.Short)
		return
	}
	for i := range t.Slots {
		t.Slots[i].fields(f, size)
	}
	num(f, &t.Seed)
	num(f, &t.Layout)
	num(f, &t.Starts)
}

func (s *Slot) fields(f *fields, size int) {
	num(f, &s.Player)
	num(f, &s.Download)
	num(f, &s.State)
	num(f, &s.Computer, &s.Team, &s.Colour)
	num(f, &s.Race)
	if size > 7 {
		num(f, &s.Level)
	}
	if size > 8 {
		num(f, &s.Handicap)
	}
}
