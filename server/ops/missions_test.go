package ops

import (
	"errors"
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
		_, err := by(t.Context(), s, OrderMission, MissionDeed{owl, what, ""})
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
