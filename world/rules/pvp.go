package rules

// An Opponent is one of two players that may fight each other.
type Opponent struct {
	Level     int // the greater of both careers, from 1
	Dead      bool
	AtPeace   bool // it is in a zone of peace
	Protected bool // nothing hurts it now
}

// A Bond is the relation of two opponents.
type Bond struct {
	Duel  bool // they have agreed to fight
	Truce bool // they have just ended that
	Party bool // they are in the same one
}

// MayFight says why a player may not strike another; 0 if it may. In a duel neither party nor level matters, and peace
// does.
//
// Source: protocol fight 12.2.
func (b *DuelBalance) MayFight(attacker, victim Opponent, between Bond) RejectReason {
	switch {
	case victim.Dead:
		return TargetDead
	case between.Party && !between.Duel:
		return PartyMember
	case attacker.AtPeace:
		return PeacefulPlace
	case victim.AtPeace:
		return TheirPeacefulPlace
	case attacker.Level < b.FromLevel && !between.Duel:
		return TooLow
	case victim.Level < b.FromLevel && !between.Duel:
		return TheyTooLow
	case victim.Protected, between.Truce:
		return Protected
	}
	return 0
}

// MayDuel says why two players may not begin a duel; 0 if they may. Busy says that one of them trades, or has a duel,
// far that they are too far away from each other.
//
// Source: protocol life 9.3.
func MayDuel(challenger, other Opponent, busy, far bool) RejectReason {
	switch {
	case challenger.Dead:
		return Dead
	case other.Dead:
		return TargetDead
	case busy:
		return Busy
	case far:
		return TooFar
	case challenger.AtPeace:
		return PeacefulPlace
	case other.AtPeace:
		return TheirPeacefulPlace
	}
	return 0
}
