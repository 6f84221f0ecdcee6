package ops

import (
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/world/rules"
)

func TestTheSheetTellsOfTheFight(t *testing.T) {
	s := offline(t)
	mantra := s.kinds().Find("Мантра силы удара", 1)[0].Kind
	e, ok := rules.EffectOf(mantra, &mantra.Columns)
	if !ok {
		t.Fatal("the mantra leaves no effect")
	}
	e.Left = 90 * time.Second
	ch := data.Character{Effects: []rules.Effect{e, {ID: 1005, Kind: rules.BadEffect, Left: time.Second}, {ID: 9}}}
	ch.Tally = rules.Tally{Kills: 7, Deaths: 2}
	ch.Resets = 1<<rules.TitleDown | 1<<rules.Unlearn
	f := s.fightOf(&ch, rules.Derived{Attack: -12, Magic: -3, PhysicalDefence: 7, MagicalDefence: 5})
	if !f.Dead || f.Attack != 12 || f.MagicalAttack != 3 || f.Defence != 7 || f.MagicalDefence != 5 || f.Kills != 7 || f.Deaths != 2 || len(f.Effects) != 3 ||
		f.Effects[0] != (EffectDetail{Text{"Мантра силы удара", "Mantra of hard blows"}, false, 90}) ||
		!f.Effects[1].Harmful || f.Effects[2].Name != (Text{"№ 9", "no. 9"}) ||
		len(f.Resets) != 2 || f.Resets[0] != "title" || f.Resets[1] != "points" {
		t.Errorf("%+v", f)
	}
	if ch.HP = 1; s.fightOf(&ch, rules.Derived{}).Dead {
		t.Error("who has a point of HP is not dead")
	}
}
