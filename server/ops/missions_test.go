package ops

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/world/rules"
)

// quest gives the stored character a mission.
func quest(t *testing.T, s *Service) {
	t.Helper()
	m := rules.Mission{Template: "k001", Level: 1, Ends: 1}
	key, _ := m.Key()
	change := rules.Change{Items: []rules.ItemChange{{Is: &rules.StoredItem{Item: key, Owner: 1}}}}
	if _, err := s.Store.(*data.Store).Apply(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

func TestMissionsOfStoredCharacters(t *testing.T) {
	s := offline(t)
	if m := do(t, s, ShowCharacter, owl).Mission; m != nil {
		t.Errorf("it has %+v", m)
	}
	order := func(what string) error {
		_, err := by(t.Context(), s, OrderMission, MissionDeed{CharacterName: owl, Do: what})
		return err
	}
	if why := RejectedBy(order("cancel")); why != rules.NoMission {
		t.Errorf("nothing is cancelled: %v", why)
	}
	quest(t, s)
	if m := do(t, s, ShowCharacter, owl).Mission; m == nil || m.Template != "k001" {
		t.Errorf("it has %+v", m)
	}
	for _, what := range []string{"give", "finish"} {
		if err := order(what); !errors.Is(err, ErrNotInWorld) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := order("praise"); !errors.Is(err, ErrInvalid) {
		t.Errorf("a word that is none: %v", err)
	}
	if err := order("cancel"); err != nil {
		t.Error(err)
	}
	if m := do(t, s, ShowCharacter, owl).Mission; m != nil {
		t.Errorf("afterwards it has %+v", m)
	}
}

// A template is one of the server's table, and for a mission that is given alone; without a goal it is for its first.
func TestMissionsAreGivenByTemplate(t *testing.T) {
	s, f := made(t)
	f.missions = []rules.MissionTemplate{{Key: "k001", Goals: [rules.MissionGoals]bool{true, true}},
		{Key: "b003", Goals: [rules.MissionGoals]bool{rules.MoneyGoal: true}}}
	for _, c := range []struct {
		m    MissionDeed
		want string
	}{
		{MissionDeed{owl, "give", "", "b00"}, `mission template "b00" not found; did you mean "b003"?`},
		{MissionDeed{owl, "give", "", "c000"}, `mission template "c000" not found`},
		{MissionDeed{owl, "finish", "", "k001"}, "A template, here k001, is for give only."},
		{MissionDeed{owl, "give", "fame", "k001"}, "Expected the goal title, degree, money or karma, or a template like k001, not fame."},
		{MissionDeed{owl, "give", "", "b003"}, "give 1 a mission for money: b003"},
		{MissionDeed{owl, "give", "", "k001"}, "give 1 a mission for title: k001"},
		{MissionDeed{owl, "give", "karma", "K001"}, "give 1 a mission for karma: k001"},
	} {
		_, err := by(t.Context(), s, OrderMission, c.m)
		if got := fmt.Sprint(f.log(), err); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s, expected %s", c.m, got, c.want)
		}
	}
}
