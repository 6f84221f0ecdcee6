package view

import (
	"strings"
	"testing"

	"sphereserver/packets"
	"sphereserver/world"
)

// walker is a player in sight of others.
const walker = me + 9

// Moves and wounds are shown to the clients that hold the entity: a player under the id that all share, anything else
// under the id that each client has given it.
func TestMovesAndWoundsOfEntitiesOfAnyKind(t *testing.T) {
	s := newStage(t)
	other := &world.Player{ID: walker, Name: "Hero", Position: spot}
	s.Appeared(&world.Appeared{Viewer: me, Player: other})
	s.Appeared(&world.Appeared{Viewer: friend, Player: other})
	s.sees(friend, "what the friend alone sees", &world.Object{ID: npcObject + 7, Position: here,
		Kind: world.NPC{Class: 213}})
	for _, id := range []world.PlayerID{me, friend} {
		s.sees(id, "npc", &world.Object{ID: npcObject, Position: here, Kind: world.NPC{Class: 213}})
		s.viewers[id].names[playerID(walker)] = "hero"
	}
	mine, _ := s.viewers[me].IDs.Object(npcObject)
	theirs, _ := s.viewers[friend].IDs.Object(npcObject)
	if mine.ID == theirs.ID {
		t.Fatal("both clients know it by the same id")
	}
	viewers := []world.PlayerID{me, friend, stranger, 99}
	to := here
	to.X += 3
	for entity, name := range map[world.EntityID]string{world.EntityID(walker): "hero", npcObject: "npc"} {
		s.Moved(&world.Moved{ID: entity, To: to, Viewers: viewers})
		s.EndTick()
		for _, id := range viewers[:2] {
			if got := s.hears(id); len(got) != 1 || !strings.HasPrefix(got[0], name+": TransformUpdate") {
				t.Errorf("a step of %s is told to %d as %q", name, id, got)
			}
		}
		s.expect("who does not hold it", stranger)
		s.HealthSeen(&world.HealthSeen{ID: entity, HP: 5, MaxHP: 9, Viewers: viewers})
		s.EndTick()
		for _, id := range viewers[:2] {
			s.expect("a wound of "+name, id, name+": NameplateStat Value=5", name+": NameplateStat Stat=max HP Value=9")
		}
		s.expect("who does not hold it", stranger)
	}
	s.ObjectPlaced(&world.ObjectPlaced{ID: npcObject, To: to, Viewers: viewers})
	s.EndTick()
	for _, id := range viewers[:2] {
		if got := s.hears(id); len(got) != 1 || !strings.HasPrefix(got[0], "npc: TransformState") {
			t.Errorf("who is set down is told to %d as %q", id, got)
		}
	}
	s.expect("who does not hold it", stranger)
	if k, _ := s.viewers[friend].IDs.Object(npcObject); k.At != to {
		t.Errorf("it is known to be at %v, is at %v", k.At, to)
	}
	if _, ok := npcObject.Player(); ok {
		t.Error("what stands there is taken for a player")
	}
	if id, ok := world.EntityID(walker).Player(); !ok || id != walker {
		t.Errorf("the hero is taken for %v", id)
	}
}

func TestPlayersComeAndGo(t *testing.T) {
	s := newStage(t)
	other := &world.Player{ID: walker, Name: "Hero", Position: spot}
	s.viewers[me].names[playerID(walker)] = "hero"
	appear := &world.Appeared{Viewer: me, Player: other}
	s.Appeared(appear)
	if got := s.hears(me); len(got) != 3 || !strings.HasPrefix(got[0], "hero: PlayerSpawn") ||
		!strings.HasPrefix(got[2], "hero: SetWornGear") {
		t.Errorf("appears as %q", got)
	}
	s.Appeared(appear)
	s.expect("again", me)
	s.TeleportSeen(&world.TeleportSeen{ID: walker, To: here, Viewers: []world.PlayerID{me, friend}})
	s.expect("a jump", me, "hero: TransformState X=10 Y=20 Z=30")
	after := *other
	after.Appearance.Face = 1
	s.AppearanceChanged(&world.AppearanceChanged{Player: &after, Viewers: []world.PlayerID{me}})
	if got := s.hears(me); len(got) != 5 || got[0] != "removal of hero" {
		t.Errorf("shown anew as %q", got)
	}
	after.Appearance.Title = 3
	s.AppearanceChanged(&world.AppearanceChanged{Player: &after, Before: world.Appearance{Face: 1},
		Viewers: []world.PlayerID{me}})
	s.expect("a level", me, "hero: NameplateStat Stat=title Value=3")
	s.Vanished(&world.Vanished{Viewer: me, ID: world.EntityID(walker)})
	s.expect("vanished", me, "removal of hero")
	s.Vanished(&world.Vanished{Viewer: me, ID: world.EntityID(walker)})
	s.expect("vanished again", me)
	s.Appeared(appear)
	s.View.Left(me)
	s.hears(me)
	s.Appeared(appear)
	if got := s.hears(me); len(got) != 3 {
		t.Errorf("who enters again is shown %q", got)
	}
}

// The own client is told the greatest HP of its player once, others when it is new.
func TestTheGreatestHPIsToldWhenItIsNew(t *testing.T) {
	s := newStage(t)
	s.Appeared(&world.Appeared{Viewer: friend, Player: &world.Player{ID: me}})
	s.viewers[friend].names[playerID(me)] = "hurt"
	s.hears(friend)
	for _, maxHP := range []int{100, 100, 110} {
		s.HealthSeen(&world.HealthSeen{ID: world.EntityID(me), HP: 1 << 17, MaxHP: maxHP,
			Viewers: []world.PlayerID{friend}})
	}
	s.expect("three wounds", friend,
		"hurt: NameplateStat32 Value=131072", "hurt: NameplateStat Stat=max HP Value=100", "|",
		"hurt: NameplateStat32 Value=131072", "|", "hurt: NameplateStat32 Value=131072",
		"hurt: NameplateStat Stat=max HP Value=110")
}

func TestNewsOfParties(t *testing.T) {
	s := newStage(t)
	members := []world.PartyMember{{ID: me, Name: "Me", Leader: true}, {ID: stranger, Name: "Third"},
		{ID: friend, Name: "Friend"}}
	s.PartyApplied(world.PartyApplied{Leader: me, Name: "Friend"})
	s.expect("a candidate", me, "player: GroupCandidate Name=Friend")
	s.PartyJoined(world.PartyJoined{ID: friend, Name: "Friend", Party: members})
	s.EndTick()
	s.expect("the leader", me, "player: GroupCandidate State=1 Name=Friend")
	s.expect("who joins", friend, "player: GroupOperation Operation=5 Data=[]",
		"player: GroupMember State=2 Online=1 Name=Me",
		"player: GroupMember State=1 Online=1 Name=Third", "player: GroupMember State=1 Online=1 Name=Friend",
		"player: GroupCandidate State=1 Name=Friend")
	s.expect("the third", stranger, "player: GroupMember State=1 Online=1 Name=Friend")
	s.PartyLeft(world.PartyLeft{ID: friend, Name: "Friend", Why: world.Expelled, Remaining: []world.PlayerID{me}})
	s.EndTick()
	s.expect("expelled", friend, "player: GroupOperation Operation=11 Data=[]")
	s.expect("who remains", me, "player: GroupName Operation=10 Name=Friend")
	s.PartyLeft(world.PartyLeft{ID: friend, Name: "Friend", Why: world.Disconnected})
	s.expect("who has left the world", friend)
	s.PartyLeader(world.PartyLeader{Party: members[:2], Members: []world.PlayerID{me, stranger}})
	s.EndTick()
	for _, id := range []world.PlayerID{me, stranger} {
		if got := s.hears(id); len(got) != 3 || !strings.HasSuffix(got[1], "State=2 Online=1 Name=Me") {
			t.Errorf("%d is told of the leader by %q", id, got)
		}
	}
}

// An object of no kind that can be shown gets no id.
func TestWhatCannotBeShownIsNot(t *testing.T) {
	s := newStage(t)
	s.ObjectAppeared(&world.ObjectAppeared{Viewer: me, Object: &world.Object{ID: npcObject}})
	s.expect("an object of no kind", me)
	if _, ok := s.viewers[me].IDs.Object(npcObject); ok {
		t.Error("it has an id")
	}
	banker := &world.Object{ID: npcObject, Kind: world.NPC{Class: int(packets.ClassTrader), Type: 17}}
	s.View = New(s.Options)
	s.Attach(s.viewers[me].Client)
	s.ObjectAppeared(&world.ObjectAppeared{Viewer: me, Object: banker})
	if k, _ := s.viewers[me].IDs.Object(npcObject); k.Kind != BankerEntry {
		t.Errorf("a banker is known as %+v", k)
	}
}
