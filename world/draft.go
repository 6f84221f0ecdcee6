package world

import "sphereserver/world/rules"

// A draft is a change in the making: of inventories, and of the money and progress of the player who asks for it.
type draft struct {
	rules.InventoryTx
	p       *player // whose request it is, nil for the world's own
	command Command

	money    int64          // that p is to have
	progress rules.Progress // of p, and its levels and pools
	title    int
	degree   int
	pools    rules.Pools
	sheeted  bool // progress, levels and pools are part of the change

	changes []rules.ItemChange
}

func (w *World) draft(p *player, c Command) *draft {
	d := &draft{p: p, command: c}
	if p != nil {
		d.money, d.progress, d.title, d.degree, d.pools = p.Money, p.Progress, p.Title, p.Degree, p.Pools
	}
	return d
}

// change is all that is different.
func (d *draft) change() rules.Change {
	d.changes = d.Changes()
	out := rules.Change{Items: d.changes}
	if p := d.p; p != nil {
		if d.money != p.Money {
			out.Money = []rules.MoneyChange{{Character: p.Character, Was: p.Money, Is: d.money}}
		}
		if d.sheeted {
			out.Progress = []rules.ProgressChange{{Character: p.Character, Title: d.title, Degree: d.degree,
				Progress: d.progress, Pools: d.pools}}
		}
	}
	return out
}
