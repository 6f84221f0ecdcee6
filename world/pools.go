package world

import (
	"time"

	"sphereserver/world/rules"
)

// poolsChanged tells of a player's pools what is not as it was before. What is worn is looked at only if satiety now gives another bonus:
// HP change many times a second in a fight.
func (w *World) poolsChanged(p *player, before rules.Pools) {
	if w.ruled && rules.SatietyBonus(p.Pools.Satiety) != rules.SatietyBonus(before.Satiety) {
		w.refit(p, before)
		return
	}
	now := &p.Pools
	if w.ruled {
		now.HP, now.MP = min(now.HP, now.MaxHP), min(now.MP, now.MaxMP)
	}
	p.known[statHP], p.known[statMP], p.known[statSatiety] = now.HP, now.MP, now.Satiety
	if *now != before {
		w.tell(w.pools.put(PoolsChanged{p.ID, before, *now}))
	}
	if now.HP != before.HP || now.MaxHP != before.MaxHP {
		w.showHealth(&p.entity)
	}
}

// regenerate gives a player what one period gives.
func (w *World) regenerate(e *entity, _ time.Time) {
	p := e.player
	if !p.heard {
		return
	}
	changed := p.Pools.Regenerate()
	w.tell(PoolsTick{p.ID, p.Pools, changed})
	if changed {
		w.showHealth(&p.entity)
	}
}
