package main

import (
	"math"
	"testing"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/packets/capture"
	"sphereserver/packets/packetstest/captures"
)

// The tables of content know classes by number; the wire has their names.
func TestContentHasTheClassesOfTheWire(t *testing.T) {
	people := map[content.NPCKind]string{content.Banker: "npc_banker", content.GuildMaster: "npc_guilder",
		content.TitleQuests:  "npc06",
		content.DegreeQuests: "npc59", content.KarmaQuests: "npc58", content.Tournaments: "npc_tournament",
		content.Trader: "npc_trader"}
	for _, p := range content.NPCs() {
		if found := packets.Class(p.Class).String(); found != people[p.Kind] {
			t.Errorf("%s: expected the class %s, found %s", p.Key, people[p.Kind], found)
		}
	}
	things := map[int]packets.Class{60: packets.ClassDoorIn, 61: packets.ClassDoorOut, 62: packets.ClassTeleport,
		66:  packets.ClassToken,
		127: packets.ClassTokenStart}
	for _, p := range content.Portals() {
		if want, named := things[p.Class]; named && packets.Class(p.Class) != want {
			t.Errorf("%s: expected the class %s, found %d", p.Key, want, p.Class)
		}
	}
}

// A recorded person stands, looks and is called as the table says.
func TestContentIsAsRecorded(t *testing.T) {
	byName := map[int32]content.NPC{}
	for _, p := range content.NPCs() {
		byName[p.Name] = p
	}
	detector, seen := capture.NewDetector(packets.Dialect2022), map[string]bool{}
	for recorded, err := range capture.Read("frames.tsv", captures.Open(t), capture.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if !recorded.Whole {
			continue
		}
		reading := detector.Read(recorded)
		if reading.Err != nil || reading.Frame == nil || reading.Frame.Body == nil {
			continue
		}
		for _, s := range reading.Frame.Body.Sections {
			if p, ok := recordedTownsman(s, byName); ok {
				seen[p.Key] = true
				compareTownsman(t, reading.Position(), s, p)
			}
		}
	}
	if len(seen) < 3 {
		t.Errorf("expected three of the townsfolk or more in the recordings, found %v", seen)
	}
}

// recordedTownsman finds the townsman that a section spawns, by the number of its name.
func recordedTownsman(s packets.Section, byName map[int32]content.NPC) (content.NPC, bool) {
	spawned := false
	for _, r := range s.Regions {
		if _, ok := r.(*packets.SpawnSnapshot); ok {
			spawned = true
		}
		if trade, ok := r.(*packets.TradeMan); ok && spawned {
			if name, ok := trade.Command.(*packets.DisplayName); ok {
				p, known := byName[name.Code]
				return p, known
			}
		}
	}
	return content.NPC{}, false
}

func compareTownsman(t *testing.T, where string, s packets.Section, p content.NPC) {
	if int(s.Class) != p.Class {
		t.Errorf("%s: %s: expected the class %d, found %d", where, p.Key, p.Class, s.Class)
	}
	for _, r := range s.Regions {
		switch r := r.(type) {
		case *packets.SpawnSnapshot:
			off := max(math.Abs(float64(r.X-p.Position.X)), math.Abs(float64(r.Y-p.Position.Y)),
				math.Abs(float64(r.Z-p.Position.Z)))
			if off > 0.06 || r.Angle != p.Angle {
				t.Errorf("%s: %s: expected %v and angle %d, found %v %v %v and %d", where, p.Key, p.Position, p.Angle, r.X, r.Y,
					r.Z, r.Angle)
			}
		case *packets.ContMan:
			if m, ok := r.Command.(*packets.Model); ok && m.Name != p.Model {
				t.Errorf("%s: %s: expected the figure %q, found %q", where, p.Key, p.Model, m.Name)
			}
		case *packets.Manager:
			if m, ok := r.Command.(*packets.Title); ok && m.Key != p.Title {
				t.Errorf("%s: %s: expected the title %q, found %q", where, p.Key, p.Title, m.Key)
			}
			if m, ok := r.Command.(*packets.Occupation); ok && int(m.Number) != 50000+p.Type {
				t.Errorf("%s: %s: expected the occupation %d, found %d", where, p.Key, 50000+p.Type, m.Number)
			}
		}
	}
}
