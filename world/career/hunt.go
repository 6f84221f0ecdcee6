package career

import (
	"math"
	"time"

	"sphereserver/world/rules"
)

// attack is a character's attack with a weapon, and its MP.
func (h *hunter) attack(k *rules.Kind) (a rules.Attack, mp int) {
	if k == nil {
		return h.b.Damage.AttackWith(&h.derived, nil, nil), 0
	}
	a, mp = h.b.Damage.AttackWith(&h.derived, k, &k.Columns), max(-k.UseMP, 0)
	if rules.ClassOf(k.Class).Use == rules.Mantra {
		a, mp = h.b.Effect.EasyMantra(a, mp, h.degree+1)
	}
	return a, mp
}

func (h *hunter) defence() rules.Defence {
	return rules.Defence{Physical: h.derived.PhysicalDefence, Magical: h.derived.MagicalDefence}
}

// mean is the mean damage of a blow, about.
func mean(b *rules.DamageBalance, a rules.Attack, d rules.Defence, miss float64) float64 {
	one := func(attack, defence int) float64 {
		if attack <= 0 {
			return 0
		}
		return b.Pierce(float64(attack), float64(defence))
	}
	return (1 - miss) * max(math.Floor(one(a.Physical, d.Physical)+one(a.Magical, d.Magical)), 1)
}

// head is how long a monster runs before it can strike a character that strikes from far.
func (h *hunter) head(m *rules.Monster) time.Duration {
	reach := h.b.Blow.FistRange
	if h.hand != nil {
		reach, _ = h.b.Blow.Reach(&h.hand.Columns)
	}
	speed := min(float64(m.Speed)/100*h.b.Mind.ChaseFar, h.b.Mind.TopSpeed)
	way := reach - max(float64(m.Range), h.b.Mind.Melee)
	if way <= 0 || speed <= 0 {
		return 0
	}
	return time.Duration(min(way/speed, 60) * float64(time.Second))
}

// forecast is the expected cost of a fight with a monster of a level: seconds, HP, and MP. A monster that cannot be
// killed takes for ever.
func (h *hunter) forecast(m *rules.Monster, level int) (seconds, hp, mana float64) {
	a, mp := h.attack(h.hand)
	done := mean(&h.b.Damage, a, h.b.Damage.DefenceOf(m, level, false), h.b.Damage.MissPlayer)
	blows := math.Ceil(float64(h.b.Strength.MaxHP(m, level, false)) / done)
	if mp > 0 && blows*float64(mp) > float64(h.pools.MaxMP) {
		return math.Inf(1), math.Inf(1), 0
	}
	seconds = blows * h.useTime(h.hand).Seconds()
	taken := mean(&h.b.Damage, h.b.Damage.AttackOf(m, level, false), h.defence(), h.b.Damage.MissMonster)
	taken *= h.b.Strength.Damage * h.b.Damage.EasyFactor(rules.Strength(h.title, h.degree))
	if m.Attack == 0 && m.Magic == 0 {
		taken = 0
	}
	return seconds, taken * max(seconds-h.head(m).Seconds(), 0) / delay(m).Seconds(), blows * float64(mp)
}

func delay(m *rules.Monster) time.Duration { return time.Duration(max(m.Delay, 1)) * time.Second }

// plenty is for how many potions a character has money that does not rest for its HP.
const plenty = 300

// choose sets the level of prey that teaches the most for its time at a risk that the character takes; 0 if there is
// none.
func (h *hunter) choose() {
	h.target = 0
	best := 0.0
	own := rules.Strength(h.title, h.degree)
	for level := 1; level <= min(own+ahead, len(h.prey)-1); level++ {
		if len(h.prey[level]) == 0 {
			continue
		}
		xp, seconds, hp, mana := 0.0, 0.0, 0.0, 0.0
		for _, m := range h.prey[level] {
			s, damage, mp := h.forecast(m, level)
			hunters := [1]rules.Contributor{{Level: own, Damage: 1}}
			h.b.Experience.Share(int(h.b.Experience.Mean(m, level, false)), level, hunters[:])
			h.b.Experience.Ease(hunters[:])
			xp, seconds, hp, mana = xp+float64(hunters[0].XP), seconds+s, max(hp, damage), max(mana, mp)
		}
		n := float64(len(h.prey[level]))
		if hp > bold*float64(h.pools.MaxHP) || math.IsInf(seconds, 0) {
			continue
		}
		// Lost HP have to be rested for: about so many come back in a second.
		back := max(float64(h.pools.MaxHP)/500, 1.5) / rules.RegenerationPeriod.Seconds()
		if p := h.potion(); p != nil && h.money > h.saving+plenty*int64(p.Price) {
			back = float64(p.Magic) / gulp.Seconds()
		}
		manaBack := 3 / rules.RegenerationPeriod.Seconds()
		if rate := xp / n / (seconds/n + search.Seconds() + max(hp/back, mana/manaBack)); rate > best {
			best, h.target = rate, level
		}
	}
}

// hunt finds a monster and fights it; false if there is none.
func (h *hunter) hunt() bool {
	all := h.prey[h.target]
	m := all[h.r.IntN(len(all))]
	h.rest(m)
	h.wait(search)
	began := h.clock
	before := [2]int{}
	killed, taken := h.fight(m, &before)
	h.fighting += h.clock - began
	h.lost += taken
	switch {
	case killed:
		h.now.Kills++
		hunters := [1]rules.Contributor{{Level: rules.Strength(h.title, h.degree), Damage: 1}}
		h.b.Experience.Share(h.b.Experience.ForKill(h.r, m, h.target, false), h.target, hunters[:])
		h.b.Experience.Ease(hunters[:])
		h.earn(h.tables.Loot(h.r, &h.b.Loot, m, h.target))
		h.learn(hunters[0].XP, rules.Taught(before, rules.Physical))
	case h.pools.HP <= 0:
		h.now.Deaths++
		h.progress = h.b.Death.Bury(h.title, h.degree, h.progress)
		h.clock += h.b.Death.Revive
		h.pools.HP = min(h.b.Death.HP, h.pools.MaxHP)
		h.wait(wayBack)
	default:
		return false // neither can kill the other
	}
	return true
}

// fight is blow by blow. blows are those of the character by school; taken is its loss of HP.
func (h *hunter) fight(m *rules.Monster, blows *[2]int) (killed bool, taken int) {
	hp := h.b.Strength.MaxHP(m, h.target, false)
	attack, defence := h.b.Damage.AttackOf(m, h.target, false), h.b.Damage.DefenceOf(m, h.target, false)
	harmless := attack.Physical == 0 && attack.Magical == 0
	began := h.clock
	strike := h.clock
	swing := h.clock + h.head(m) + time.Duration(h.b.Mind.FirstSwing*float64(delay(m)))
	for h.clock-began < longest {
		if next := min(strike, swing); next > h.clock {
			h.wait(next - h.clock)
		}
		if swing <= h.clock {
			swing += delay(m)
			if !harmless && !rules.Missed(h.r, h.b.Damage.MissMonster) {
				damage := h.b.Damage.Damage(h.r, attack, h.defence())
				damage = h.b.Strength.Hurts(h.b.Damage.OfMonster(damage, rules.Strength(h.title, h.degree)))
				taken += damage
				if h.pools.HP = max(h.pools.HP-damage, 0); h.pools.HP == 0 {
					return false, taken
				}
			}
			continue
		}
		with := h.hand
		a, mp := h.attack(with)
		if mp > h.pools.MP || !h.shoot(with) {
			with = h.blade
			a, mp = h.attack(with)
		}
		h.pools.MP -= mp
		strike += h.useTime(with)
		if rules.Missed(h.r, h.b.Damage.MissPlayer) {
			continue
		}
		if a.Physical >= a.Magical {
			blows[rules.Physical]++
		} else {
			blows[rules.Magical]++
		}
		if hp -= h.b.Damage.Damage(h.r, a, defence); hp <= 0 {
			h.wait(max(strike-h.clock, 0))
			return true, taken
		}
	}
	return false, taken
}

// rest waits, and drinks potions that it can pay for, until HP and MP are enough for a monster.
func (h *hunter) rest(m *rules.Monster) {
	enough := int(rested * float64(h.pools.MaxHP))
	if p := h.potion(); p != nil {
		for h.pools.HP < enough && h.money > h.saving+20*int64(p.Price) {
			h.pay(int64(p.Price))
			h.pools.HP = min(h.pools.HP+p.Magic, h.pools.MaxHP)
			h.wait(gulp)
		}
	}
	mp := 0
	if a, cost := h.attack(h.hand); cost > 0 {
		done := mean(&h.b.Damage, a, h.b.Damage.DefenceOf(m, h.target, false), h.b.Damage.MissPlayer)
		mp = min(int(math.Ceil(1.2*float64(h.b.Strength.MaxHP(m, h.target, false))/max(done, 1)))*cost, h.pools.MaxMP)
	}
	for i := 0; i < 100000 && (h.pools.HP < enough || h.pools.MP < mp); i++ {
		h.wait(rules.RegenerationPeriod)
	}
}
