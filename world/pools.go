package world

import "sphereserver/world/rules"

// poolsChanged tells of a player's pools what is not as it was before. What is worn is not looked at: HP change many
// times a second in a fight.
func (w *World) poolsChanged(p *player, before rules.Pools) {
	p.Pools = p.derived.Limit(p.Pools)
	now := &p.Pools
	p.known.Pools = shownPools(*now)
	if *now != before {
		w.markUnsaved(p)
		w.tell(w.pools.put(PoolsChanged{p.ID, before, *now}))
	}
	if now.HP != before.HP || now.MaxHP != before.MaxHP {
		w.showHealth(&p.entity)
	}
}

// regenerate gives a player what one period gives.
func (w *World) regenerate(e *entity) {
	p := e.player
	if !p.heard {
		return
	}
	before := p.Pools
	changed := p.Pools.Regenerate()
	if shownPools(p.Pools) != shownPools(before) {
		w.markUnsaved(p)
	}
	w.tell(PoolsTick{p.ID, p.Pools, changed})
	if changed {
		w.showHealth(&p.entity)
	}
}
