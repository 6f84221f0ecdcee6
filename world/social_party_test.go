package world

import (
	"fmt"
	"reflect"
	"testing"

	"sphereserver/world/rules"
)

func name(id PlayerID) string { return fmt.Sprintf("Герой%d", id) }

// five returns a stage with five players: the first leads a party with the second and third.
func five(o Options) *stage {
	s := newStage(o)
	s.in(shipstone, 1, 2, 3, 4, 5)
	s.does(PartyCreate{1}, PartyApply{2, name(1)}, PartyApply{3, name(1)}, PartyAccept{1, name(2)},
		PartyAccept{1, name(3)})
	return s
}

func members(leader PlayerID, others ...PlayerID) []PartyMember {
	out := []PartyMember{{leader, name(leader), true}}
	for _, id := range others {
		out = append(out, PartyMember{id, name(id), false})
	}
	return out
}

func TestGroupLife(t *testing.T) {
	s := five(Options{})
	for _, step := range []struct {
		do   Command
		told []Event
	}{
		{PartyApply{4, name(1)}, []Event{PartyApplied{1, name(4)}}},
		{PartyAccept{1, "ГЕРОЙ4"}, []Event{PartyJoined{4, name(4), members(1, 2, 3, 4)}}},
		{PartyApply{5, name(3)}, []Event{PartyApplied{1, name(5)}}}, // by the name of any member
		{PartyExpel{1, name(2)}, []Event{PartyLeft{2, name(2), Expelled, []PlayerID{1, 3, 4}}}},
		{PartyLeave{4}, []Event{PartyLeft{4, name(4), PartedByChoice, []PlayerID{1, 3}}}},
		{PartyAccept{1, name(5)}, []Event{PartyJoined{5, name(5), members(1, 3, 5)}}},
		{PartyCreate{2}, []Event{PartyCreated{2}}},
		{PartyApply{4, name(3)}, []Event{PartyApplied{1, name(4)}}},
		{PartyLeave{1}, []Event{PartyLeft{3, name(3), Disbanded, nil}, PartyLeft{5, name(5), Disbanded, nil},
			PartyLeft{1, name(1), Disbanded, nil}, PartyRefused{4, rules.TheyHaveNoParty}}},
		{PartyLeave{2}, []Event{PartyLeft{2, name(2), Disbanded, nil}}},
	} {
		if got := s.does(step.do); !reflect.DeepEqual(got, step.told) {
			t.Errorf("%#v is told as\n%+v, want\n%+v", step.do, got, step.told)
		}
	}
}

func TestGroupRequestsAreRefusedWithAReason(t *testing.T) {
	for _, c := range []struct {
		do  Command
		why rules.RejectReason
	}{
		{PartyCreate{1}, rules.AlreadyInParty},
		{PartyCreate{2}, rules.AlreadyInParty},
		{PartyApply{2, name(1)}, rules.AlreadyInParty},
		{PartyApply{4, name(4)}, rules.Yourself},
		{PartyApply{4, name(5)}, rules.TheyHaveNoParty},
		{PartyApply{4, "Никто"}, rules.NobodyThere},
		{PartyApply{4, ""}, rules.NobodyThere},
		{PartyAccept{4, name(5)}, rules.NoParty},
		{PartyAccept{2, name(5)}, rules.NotLeader},
		{PartyAccept{1, name(5)}, rules.NotApplied},
		{PartyAccept{1, name(2)}, rules.NotApplied},
		{PartyAccept{1, name(1)}, rules.Yourself},
		{PartyAccept{1, "Никто"}, rules.NobodyThere},
		{PartyExpel{4, name(5)}, rules.NoParty},
		{PartyExpel{2, name(3)}, rules.NotLeader},
		{PartyExpel{1, name(4)}, rules.NotMember},
		{PartyExpel{1, name(1)}, rules.Yourself},
		{PartyExpel{1, "Никто"}, rules.NobodyThere},
		{PartyLeave{4}, rules.NoParty},
		{PartyMark{ID: 4, Aloud: true}, rules.NoParty},
		{PartyMark{ID: 2, Aloud: true}, rules.NotLeader},
	} {
		s := five(Options{})
		asker := PlayerID(reflect.ValueOf(c.do).Field(0).Uint())
		if got := s.does(c.do); !reflect.DeepEqual(got, []Event{PartyRefused{asker, c.why}}) {
			t.Errorf("%#v is told as %+v, want %v", c.do, got, c.why)
		}
		if s.player(1).partySize() != 3 || s.player(4).partySize() != 0 {
			t.Errorf("%#v changed something", c.do)
		}
	}
}

// A place that the leader marks is told to the others of the party and to no other player; marks of others are not
// told.
//
// Source: protocol life 13, check 5.11.
func TestTheLeaderMarksAPlaceForItsGroup(t *testing.T) {
	s := five(Options{})
	at := shipstone
	at.X += 100
	if got := s.does(PartyMark{ID: 1, At: at}); !reflect.DeepEqual(got, []Event{PlaceMarked{2, at}, PlaceMarked{3, at}}) {
		t.Errorf("the leader's is told as %+v", got)
	}
	if got := s.does(PartyMark{ID: 2, At: at}, PartyMark{ID: 4, At: at}); len(got) != 0 {
		t.Errorf("those of others are told as %+v", got)
	}
}

func TestGroupsHaveALimit(t *testing.T) {
	s := five(Options{PartySize: 4})
	s.does(PartyApply{4, name(1)}, PartyApply{5, name(1)}, PartyAccept{1, name(4)})
	if got := s.does(PartyAccept{1, name(5)}); !reflect.DeepEqual(got, []Event{PartyRefused{1, rules.PartyFull}}) {
		t.Errorf("a fifth is told as %v", got)
	}
	s.does(PartyLeave{2})
	if got := of[PartyJoined](s.does(PartyAccept{1, name(5)})); len(got) != 1 {
		t.Error("the application was lost")
	}
	if got := s.does(PartyApply{2, name(1)}); !reflect.DeepEqual(got, []Event{PartyRefused{2, rules.PartyFull}}) {
		t.Errorf("applying to a full group is told as %v", got)
	}
}

func TestOneApplicationAtATime(t *testing.T) {
	s := five(Options{})
	s.does(PartyCreate{4}, PartyApply{5, name(1)})
	if got := s.does(PartyApply{5, name(2)}); !reflect.DeepEqual(got, []Event{PartyRefused{5, rules.AlreadyApplied}}) {
		t.Errorf("applying twice is told as %v", got)
	}
	if got := s.does(PartyApply{5, name(4)}); !reflect.DeepEqual(got, []Event{PartyApplied{4, name(5)}}) {
		t.Errorf("applying elsewhere is told as %v", got)
	}
	if got := s.does(PartyAccept{1, name(5)}); !reflect.DeepEqual(got, []Event{PartyRefused{1, rules.NotApplied}}) {
		t.Errorf("accepting who has gone elsewhere is told as %v", got)
	}
	s.does(PartyCreate{5})
	if got := s.does(PartyAccept{4, name(5)}); !reflect.DeepEqual(got, []Event{PartyRefused{4, rules.NotApplied}}) {
		t.Errorf("accepting who has made a group is told as %v", got)
	}
}

func TestDisconnectedMembersLeave(t *testing.T) {
	s := five(Options{})
	s.does(PartyApply{4, name(1)}, PartyApply{5, name(1)})
	groupEvents := func(events []Event) (out []Event) {
		for _, e := range events {
			switch e.(type) {
			case PartyLeft, PartyLeader, PartyApplied, PartyRefused, Left:
				out = append(out, e)
			}
		}
		return out[:len(out)-1] // Left comes last
	}
	for _, step := range []struct {
		id   PlayerID
		told []Event
	}{
		{5, nil},
		{1, []Event{PartyLeft{1, name(1), Disconnected, []PlayerID{2, 3}},
			PartyLeader{members(2, 3), []PlayerID{2, 3}},
			PartyApplied{2, name(4)}}},
		{3, []Event{PartyLeft{3, name(3), Disconnected, []PlayerID{2}}}},
		{2, []Event{PartyLeft{2, name(2), Disconnected, nil}, PartyRefused{4, rules.TheyHaveNoParty}}},
	} {
		if got := groupEvents(s.does(Leave{ID: step.id})); len(got)+len(step.told) > 0 && !reflect.DeepEqual(got, step.told) {
			t.Errorf("%d leaves: told %+v, want %+v", step.id, got, step.told)
		}
	}
	if got := s.does(PartyCreate{4}); !reflect.DeepEqual(got, []Event{PartyCreated{4}}) {
		t.Errorf("who had applied to a group that is gone: %v", got)
	}
}
