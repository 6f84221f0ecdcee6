package world

import (
	"slices"
	"testing"

	"sphereserver/world/rules"
)

func TestWhoHearsWhat(t *testing.T) {
	s := newStage(Options{Hearing: 40})
	s.in(shipstone, 1)
	s.in(east(4), 2)
	s.in(east(6), 3)
	s.in(east(41), 4)
	s.in(east(5000), 5, 6)
	up := shipstone
	up.Y += 5.5
	s.in(up, 7)
	s.Do(Enter{Player{ID: 8, Character: 8, Name: "ведущий", Role: GameMaster, Position: east(9000)}})
	for _, id := range []PlayerID{1, 3, 5} {
		s.Do(changeAppearance{ID: id, Appearance: Appearance{Clan: "Клан"}})
	}
	s.Do(changeAppearance{ID: 2, Appearance: Appearance{Clan: "Другой"}})
	for _, c := range []Command{PartyCreate{6}, PartyApply{1, "герой6"}, PartyAccept{6, "ГЕРОЙ1"}} {
		s.does(c)
	}
	all := []PlayerID{1, 2, 3, 4, 5, 6, 7, 8}
	for _, c := range []struct {
		from    PlayerID
		channel Channel
		to      string
		want    []PlayerID
		why     rules.RejectReason
	}{
		{1, Near, "", []PlayerID{1, 2}, 0},
		{1, Whisper, "", []PlayerID{1, 2}, 0},
		{1, Normal, "", []PlayerID{1, 2, 3, 7}, 0},
		{4, Normal, "", []PlayerID{2, 3, 4}, 0},
		{1, Trade, "", all, 0},
		{1, Clan, "", []PlayerID{1, 3, 5}, 0},
		{1, ClanSay, "", []PlayerID{1, 3, 5}, 0},
		{1, Alliance, "", []PlayerID{1, 3, 5}, 0},
		{2, Clan, "", []PlayerID{2}, 0},
		{4, Clan, "", nil, rules.NoClan},
		{4, Alliance, "", nil, rules.NoClan},
		{1, Party, "", []PlayerID{1, 6}, 0},
		{6, PartySay, "", []PlayerID{1, 6}, 0},
		{2, Party, "", nil, rules.NoParty},
		{1, Private, "гЕРОЙ5", []PlayerID{1, 5}, 0},
		{1, Private, "Герой1", nil, rules.Yourself},
		{1, Private, "Никто", nil, rules.NobodyThere},
		{1, Private, "", nil, rules.NobodyThere},
		{1, Special, "", nil, rules.NotAllowed},
		{8, Special, "", all, 0},
		{1, 6, "", nil, rules.UnknownChannel},
		{1, 255, "", nil, rules.UnknownChannel},
	} {
		events := s.does(Say{c.from, c.channel, c.to, "Привет"})
		if len(events) != 1 {
			t.Errorf("%+v: told %v", c, events)
			continue
		}
		switch e := events[0].(type) {
		case *Said:
			heard := slices.Sorted(slices.Values(e.To))
			if c.why != 0 || !slices.Equal(heard, c.want) || e.From != c.from || e.Channel != c.channel ||
				e.Text != "Привет" || e.Name == "" {
				t.Errorf("%+v: told %+v", c, *e)
			}
		case SayRefused:
			if want := (SayRefused{c.from, c.channel, c.to, c.why}); e != want {
				t.Errorf("%+v: told %+v", c, e)
			}
		default:
			t.Errorf("%+v: told %T", c, e)
		}
	}
	if got := told[Said](s.does(Broadcast{"Рестарт"})); len(got) != 1 || got[0].From != 0 || got[0].Name != "" ||
		got[0].Text != "Рестарт" || len(got[0].To) != 8 {
		t.Errorf("announced as %+v", got)
	}
	s.sound(t)
}

// Hearing is the same whether players are looked for by place or one by one.
func TestHearingOfAnyRange(t *testing.T) {
	for _, hearing := range []float64{1, 99, 150, 400, 1e9} {
		s := newStage(Options{Hearing: hearing})
		for id := PlayerID(1); id <= 40; id++ {
			s.in(east(float32(id)*10), id)
		}
		got := told[Said](s.does(Say{From: 20, Channel: Normal, Text: "?"}))
		want := 0
		for id := 1; id <= 40; id++ {
			if d := float64(id-20) * 10; d <= hearing && -d <= hearing {
				want++
			}
		}
		if len(got) != 1 || len(got[0].To) != want {
			t.Errorf("within %v m %d hear it, want %d", hearing, len(got[0].To), want)
		}
	}
}

func TestNames(t *testing.T) {
	s := newStage(Options{})
	s.Do(Enter{Player{ID: 1, Character: 1, Name: "Ёжик", Position: shipstone}})
	s.Do(Enter{Player{ID: 2, Character: 2, Name: "ёЖИК", Position: shipstone}}) // the store does not let this happen
	s.Do(Enter{Player{ID: 3, Character: 3, Position: shipstone}})
	s.pass(TickPeriod)
	for name, want := range map[string]PlayerID{"ЁЖИК": 1, "ёжик": 1, "ежик": 0, "": 0} {
		var got PlayerID
		if p := s.named(name); p != nil {
			got = p.ID
		}
		if got != want {
			t.Errorf("%q is player %d, want %d", name, got, want)
		}
	}
	s.does(Leave{ID: 2})
	if s.named("ёжик") == nil {
		t.Error("a namesake took the name away")
	}
	if s.does(Leave{ID: 1}); s.named("ёжик") != nil {
		t.Error("who has left is still found by name")
	}
}
