package world

import "sphereserver/world/rules"

// bless lays an effect on a player, or renews one, by the rules of [rules.Effects]; by is whose it is, nil for a
// monster's.
func (w *World) bless(p *player, e rules.Effect, by *player) {}

// stunned says whether a player cannot strike.
func (p *player) stunned() bool { return false }

// invisible says whether monsters do not notice a player.
func (p *player) invisible() bool { return false }

// disturb ends what ends when a player strikes: invisibility.
func (w *World) disturb(p *player) {}

// struck lets the effects on a player and on who struck it work on a hit: circles, prana, mirror, vampire. It returns
// what is left of the damage.
func (w *World) struck(p *player, by EntityID, damage int, school rules.School) int { return damage }
