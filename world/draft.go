package world

import "sphereserver/world/rules"

func (w *World) draft(p *player, c Command) *draft { return &draft{p: p, command: c} }

// change is all that is different.
func (d *draft) change() rules.Change {
	d.changes = d.Changes()
	out := rules.Change{Items: d.changes}
	if p := d.p; p != nil {
		if d.money != 0 {
			out.Money = []rules.MoneyChange{{Character: p.Character, Was: p.Money, Is: p.Money + d.money}}
		}
		if d.become != nil {
			is := p.Player
			d.become(&is)
			out.Progress = []rules.ProgressChange{{Character: p.Character, Title: is.Title, Degree: is.Degree,
				Progress: is.Progress, Pools: is.Pools}}
		}
	}
	return out
}

// apply makes the draft the state, with the numbers that the store has given new items.
func (d *draft) apply(ids []rules.ItemID) {
	d.Apply(ids)
	if p := d.p; p != nil {
		p.Money += d.money
		if d.before = p.Pools; d.become != nil {
			d.become(&p.Player)
		}
	}
}
