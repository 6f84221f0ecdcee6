package world

import (
	"fmt"
	"reflect"
	"testing"
)

func name(id PlayerID) string { return fmt.Sprintf("Герой%d", id) }

// five returns a stage with five players, of whom the first leads a group with the second and third.
func five(o Options) *stage {
	s := newStage(o)
	s.in(shipstone, 1, 2, 3, 4, 5)
	s.does(GroupCreate{1}, GroupApply{2, name(1)}, GroupApply{3, name(1)}, GroupAccept{1, name(2)}, GroupAccept{1, name(3)})
	return s
}

func members(leader PlayerID, others ...PlayerID) []GroupMember {
	out := []GroupMember{{leader, name(leader), true}}
	for _, id := range others {
		out = append(out, GroupMember{id, name(id), false})
	}
	return out
}

func TestGroupLife(t *testing.T) {
	s := five(Options{})
	for _, step := range []struct {
		do   Command
		told []Event
	}{
		{GroupApply{4, name(1)}, []Event{GroupApplied{1, 4, name(4)}}},
		{GroupAccept{1, "ГЕРОЙ4"}, []Event{GroupJoined{4, name(4), members(1, 2, 3, 4), []PlayerID{1, 2, 3, 4}}}},
		{GroupApply{5, name(3)}, []Event{GroupApplied{1, 5, name(5)}}}, // by the name of any member
		{GroupRefuse{1, name(5)}, []Event{GroupRefused{5, Declined}}},
		{GroupApply{5, name(1)}, []Event{GroupApplied{1, 5, name(5)}}},
		{GroupExpel{1, name(2)}, []Event{GroupLeft{2, name(2), Expelled, []PlayerID{1, 3, 4}}}},
		{GroupLeave{4}, []Event{GroupLeft{4, name(4), PartedByChoice, []PlayerID{1, 3}}}},
		{GroupLead{1, name(3)}, []Event{GroupLeader{3, name(3), members(3, 1), []PlayerID{3, 1}}, GroupApplied{3, 5, name(5)}}},
		{GroupAccept{3, name(5)}, []Event{GroupJoined{5, name(5), members(3, 1, 5), []PlayerID{3, 1, 5}}}},
		{GroupCreate{2}, []Event{GroupCreated{2}}},
		{GroupApply{4, name(3)}, []Event{GroupApplied{3, 4, name(4)}}},
		{GroupLeave{3}, []Event{GroupLeft{1, name(1), Disbanded, nil}, GroupLeft{5, name(5), Disbanded, nil}, GroupLeft{3, name(3), Disbanded, nil},
			GroupRefused{4, TheyHaveNoGroup}}},
		{GroupLeave{2}, []Event{GroupLeft{2, name(2), Disbanded, nil}}},
	} {
		if got := s.does(step.do); !reflect.DeepEqual(got, step.told) {
			t.Errorf("%#v is told as\n%+v, want\n%+v", step.do, got, step.told)
		}
	}
}

func TestGroupRequestsAreRefusedWithAReason(t *testing.T) {
	for _, c := range []struct {
		do  Command
		why Refusal
	}{
		{GroupCreate{1}, AlreadyInGroup},
		{GroupCreate{2}, AlreadyInGroup},
		{GroupApply{2, name(1)}, AlreadyInGroup},
		{GroupApply{4, name(4)}, Yourself},
		{GroupApply{4, name(5)}, TheyHaveNoGroup},
		{GroupApply{4, "Никто"}, NobodyThere},
		{GroupApply{4, ""}, NobodyThere},
		{GroupAccept{4, name(5)}, NoGroup},
		{GroupAccept{2, name(5)}, NotLeader},
		{GroupAccept{1, name(5)}, NotApplied},
		{GroupAccept{1, name(2)}, NotApplied},
		{GroupAccept{1, name(1)}, Yourself},
		{GroupAccept{1, "Никто"}, NobodyThere},
		{GroupRefuse{4, name(5)}, NoGroup},
		{GroupRefuse{2, name(5)}, NotLeader},
		{GroupRefuse{1, name(5)}, NotApplied},
		{GroupRefuse{1, name(1)}, Yourself},
		{GroupExpel{4, name(5)}, NoGroup},
		{GroupExpel{2, name(3)}, NotLeader},
		{GroupExpel{1, name(4)}, NotMember},
		{GroupExpel{1, name(1)}, Yourself},
		{GroupExpel{1, "Никто"}, NobodyThere},
		{GroupLeave{4}, NoGroup},
		{GroupLead{4, name(5)}, NoGroup},
		{GroupLead{2, name(3)}, NotLeader},
		{GroupLead{1, name(4)}, NotMember},
		{GroupLead{1, name(1)}, Yourself},
	} {
		s := five(Options{})
		asker := PlayerID(reflect.ValueOf(c.do).Field(0).Uint())
		if got := s.does(c.do); !reflect.DeepEqual(got, []Event{GroupRefused{asker, c.why}}) {
			t.Errorf("%#v is told as %+v, want %v", c.do, got, c.why)
		}
		s.pass(40 * TickPeriod)
		if sizes := s.Snapshot().Players; sizes[0].GroupSize != 3 || sizes[3].GroupSize != 0 {
			t.Errorf("%#v changed something", c.do)
		}
	}
}

func TestGroupsHaveALimit(t *testing.T) {
	s := five(Options{GroupSize: 4})
	s.does(GroupApply{4, name(1)}, GroupApply{5, name(1)}, GroupAccept{1, name(4)})
	if got := s.does(GroupAccept{1, name(5)}); !reflect.DeepEqual(got, []Event{GroupRefused{1, GroupFull}}) {
		t.Errorf("a fifth is told as %v", got)
	}
	s.does(GroupLeave{2})
	if got := of[GroupJoined](s.does(GroupAccept{1, name(5)})); len(got) != 1 {
		t.Error("the application was lost")
	}
	if got := s.does(GroupApply{2, name(1)}); !reflect.DeepEqual(got, []Event{GroupRefused{2, GroupFull}}) {
		t.Errorf("applying to a full group is told as %v", got)
	}
}

func TestOneApplicationAtATime(t *testing.T) {
	s := five(Options{})
	s.does(GroupCreate{4}, GroupApply{5, name(1)})
	if got := s.does(GroupApply{5, name(2)}); !reflect.DeepEqual(got, []Event{GroupRefused{5, AlreadyApplied}}) {
		t.Errorf("applying twice is told as %v", got)
	}
	if got := s.does(GroupApply{5, name(4)}); !reflect.DeepEqual(got, []Event{GroupApplied{4, 5, name(5)}}) {
		t.Errorf("applying elsewhere is told as %v", got)
	}
	if got := s.does(GroupAccept{1, name(5)}); !reflect.DeepEqual(got, []Event{GroupRefused{1, NotApplied}}) {
		t.Errorf("accepting who has gone elsewhere is told as %v", got)
	}
	s.does(GroupCreate{5})
	if got := s.does(GroupAccept{4, name(5)}); !reflect.DeepEqual(got, []Event{GroupRefused{4, NotApplied}}) {
		t.Errorf("accepting who has made a group is told as %v", got)
	}
}

func TestDisconnectedMembersLeave(t *testing.T) {
	s := five(Options{})
	s.does(GroupApply{4, name(1)}, GroupApply{5, name(1)})
	groupEvents := func(events []Event) (out []Event) {
		for _, e := range events {
			switch e.(type) {
			case GroupLeft, GroupLeader, GroupApplied, GroupRefused, Left:
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
		{1, []Event{GroupLeft{1, name(1), Disconnected, []PlayerID{2, 3}}, GroupLeader{2, name(2), members(2, 3), []PlayerID{2, 3}},
			GroupApplied{2, 4, name(4)}}},
		{3, []Event{GroupLeft{3, name(3), Disconnected, []PlayerID{2}}}},
		{2, []Event{GroupLeft{2, name(2), Disconnected, nil}, GroupRefused{4, TheyHaveNoGroup}}},
	} {
		if got := groupEvents(s.does(Leave{step.id})); len(got)+len(step.told) > 0 && !reflect.DeepEqual(got, step.told) {
			t.Errorf("%d leaves: told %+v, want %+v", step.id, got, step.told)
		}
	}
	if got := s.does(GroupCreate{4}); !reflect.DeepEqual(got, []Event{GroupCreated{4}}) {
		t.Errorf("who had applied to a group that is gone: %v", got)
	}
}
