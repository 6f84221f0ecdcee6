package game

import (
	"fmt"
	"reflect"
	"runtime/debug"

	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// An eventRow is the handler of one type of event of the world; do is nil if nothing, on purpose. It runs on the
// world's goroutine.
type eventRow struct {
	of    reflect.Type
	do    func(*Server, world.Event)
	vital bool // a panic is a failure of the server
}

// on is the row of an event. If it panics, the session of the client that was being told something ends, and no other.
func on[E world.Event](do func(*Server, E)) eventRow {
	return eventRow{reflect.TypeFor[E](), func(s *Server, e world.Event) { do(s, e.(E)) }, false}
}

// vital is the row of an event without which something would be lost or wait for ever.
func vital[E world.Event](do func(*Server, E)) eventRow {
	r := on(do)
	r.vital = true
	return r
}

// shown is the row of an event that the view shows.
func shown[E world.Event](show func(*view.View, E)) eventRow {
	return on(func(s *Server, e E) { show(s.view, e) })
}

// onLoop is the row of an event that is heard on the loop of its player's session, behind all that the client was
// sent before.
func onLoop[E world.Event](about func(E) world.PlayerID, do func(*player, E)) eventRow {
	return on(func(s *Server, e E) { s.post(about(e), func(s *player) { do(s, e) }) })
}

// onEvent is the table of all events. A type that is missing here fails TestEveryEventHasARow.
var onEvent = eventsByType(
	// Of many each tick.
	shown((*view.View).Moved),
	shown((*view.View).Appeared),
	shown((*view.View).Vanished),
	shown((*view.View).ObjectAppeared),
	shown((*view.View).ObjectPlaced),
	shown((*view.View).TeleportSeen),
	shown((*view.View).AppearanceChanged),
	shown((*view.View).HealthSeen),
	shown((*view.View).PoolsChanged),

	// A player in the world.
	on((*Server).entered),
	onLoop(func(e world.EnterRefused) world.PlayerID { return e.ID }, (*player).enterRefused),
	onLoop(func(e world.MoveRefused) world.PlayerID { return e.ID }, (*player).moveRefused),
	onLoop(func(e world.PoolsTick) world.PlayerID { return e.ID }, (*player).poolsTick),
	onLoop(func(e world.PortalRefused) world.PlayerID { return e.ID }, (*player).portalRefused),
	onLoop(func(e world.InstanceRefused) world.PlayerID { return e.ID },
		func(s *player, e world.InstanceRefused) { s.Tell(thingRefusals[e.Why]) }),
	on((*Server).teleported),
	vital((*Server).onLeft),
	on((*Server).entityFailed),
	vital(func(s *Server, e world.SaveDue) { s.saver.saveLive(e.States) }),
	vital(func(s *Server, e world.GroundLearned) { s.saver.saveGround(e.Cells) }),
	on(func(s *Server, e world.Population) { s.tellPopulation(e.Players) }),
	shown((*view.View).StatsChanged),
	// The client shows it by itself, and others are told by AppearanceChanged.
	onLoop(func(e world.HandChanged) world.PlayerID { return e.ID },
		func(s *player, e world.HandChanged) { s.Armed = e.Item != 0 }),

	// Fights.
	on((*Server).monsterSwung),
	shown((*view.View).MonsterHurt),
	shown((*view.View).MonsterDied),
	on((*Server).playerHit),
	shown((*view.View).Gained),
	shown((*view.View).Shot),
	shown((*view.View).PlayerDied),
	on((*Server).killSeen),
	on((*Server).playerRevived),
	shown((*view.View).EffectBegan),
	shown((*view.View).EffectEnded),
	shown((*view.View).Healed),

	// Items and trade.
	shown((*view.View).ItemMoved),
	shown((*view.View).ItemsWorn),
	onLoop(func(e world.RepairPriced) world.PlayerID { return e.ID }, (*player).repairPriced),
	on((*Server).itemsRepaired),
	shown((*view.View).TookUp),
	shown((*view.View).PutAway),
	shown((*view.View).ItemDropped),
	shown((*view.View).Dragged),
	shown((*view.View).BagChanged),
	on((*Server).opened),
	shown((*view.View).TrapSeen),
	shown((*view.View).Closed),
	shown((*view.View).TradeOpened),
	shown((*view.View).TradeClosed),
	shown((*view.View).Bought),
	shown((*view.View).Offered),
	shown((*view.View).Sold),
	on((*Server).playerTradeOpened),
	on((*Server).lotShown),
	on((*Server).lotOffered),
	on((*Server).bidMade),
	on((*Server).playerTradeClosed),
	on((*Server).stolen),
	on((*Server).used),
	shown((*view.View).MissionGiven),
	on((*Server).missionEnded),
	on((*Server).guildChanged),
	onLoop(func(e world.GuildShown) world.PlayerID { return e.ID }, (*player).guildShown),
	shown((*view.View).PlaceMarked),
	shown((*view.View).MissionThing),
	shown((*view.View).MissionLacks),
	onLoop(func(e world.MissionPassed) world.PlayerID { return e.ID }, (*player).missionPassed),
	onLoop(func(e world.MissionShown) world.PlayerID { return e.ID }, (*player).missionShown),
	onLoop(func(e world.Follows) world.PlayerID { return e.ID }, (*player).follows),
	on((*Server).refused),
	on((*Server).granted),
	vital(func(s *Server, e world.CommitRequest) { s.commits.add(e) }),

	// Chat and parties.
	on(func(s *Server, e *world.Said) { s.chat.Said(e) }),
	onLoop(func(e world.SayRefused) world.PlayerID { return e.From }, (*player).SayRefused),
	shown((*view.View).PartyCreated),
	shown((*view.View).PartyApplied),
	shown((*view.View).PartyJoined),
	shown((*view.View).PartyLeft),
	shown((*view.View).PartyLeader),
	shown((*view.View).PartyInvited),
	onLoop(func(e world.InvitationTold) world.PlayerID { return e.ID }, (*player).invitationTold),
	onLoop(func(e world.PartyRefused) world.PlayerID { return e.ID },
		func(s *player, e world.PartyRefused) { s.Refuse(e.Why) }),
	onLoop(func(e world.DuelTold) world.PlayerID { return e.ID }, (*player).duelTold),
	onLoop(func(e world.ResetPossible) world.PlayerID { return e.ID }, (*player).resetPossible),
	onLoop(func(e world.ProgressReset) world.PlayerID { return e.ID }, (*player).progressReset),
	onLoop(func(e world.TravelTold) world.PlayerID { return e.ID }, (*player).travelTold),
)

func eventsByType(rows ...eventRow) map[reflect.Type]eventRow {
	table := make(map[reflect.Type]eventRow, len(rows))
	for _, r := range rows {
		table[r.of] = r
	}
	return table
}

// Happened takes the events of a tick of the world.
func (s *Server) Happened(events []world.Event) {
	s.view.BeginTick()
	for _, e := range events {
		s.hear(e)
	}
	s.view.EndTick()
}

// hear handles one event.
func (s *Server) hear(e world.Event) {
	r := onEvent[reflect.TypeOf(e)]
	if !r.vital {
		defer s.rescue(e)
	}
	if r.do != nil {
		r.do(s, e)
	}
	s.count.fight(e)
	s.help(e)
}

// rescue is deferred around whatever is told: an event, or steps at the end of a tick. If that panics, the session of
// the client that was being told of it ends, by a panic on its own loop, and everybody else is told of the rest.
func (s *Server) rescue(what any) {
	told := s.view.Telling()
	v := recover()
	if v == nil {
		return
	}
	err := fmt.Errorf("telling of %T panicked: %v\n%s", what, v, debug.Stack())
	if told == 0 {
		s.options.Log.Error("a panic while no client was told anything", "error", err)
		return
	}
	s.post(told, func(*player) { panic(err) })
}

// teleported shows a player where it is now.
func (s *Server) teleported(e world.Teleported) {
	s.view.Teleported(e)
	s.post(e.ID, func(s *player) { s.stand(e.To) })
}

// used shows that a player has used something, and where that has brought it.
func (s *Server) used(e world.Used) {
	s.view.Used(e)
	if rules.ClassOf(e.Item.Class).Use == rules.Insurance {
		name := s.itemName(&e.Item)
		s.post(e.ID, func(s *player) {
			s.Tell(text("Ваш опыт сохранён: %s.", "Your experience is kept: %s."), name.In(s.Russian))
		})
	}
	if e.To != nil {
		s.post(e.ID, func(s *player) { s.stand(*e.To) })
	}
}

func (s *Server) playerHit(e world.PlayerHit) {
	s.view.PlayerHit(e)
	s.hit(&e)
}

// monsterSwung is the same for a monster's blow, opened for the trap of a chest.
func (s *Server) monsterSwung(e *world.MonsterSwung) {
	s.view.MonsterSwung(e)
	if !e.Missed {
		s.hit(&e.Hit)
	}
}

func (s *Server) opened(e world.Opened) {
	s.view.Opened(e)
	if e.Hit != nil {
		s.hit(e.Hit)
	}
}

// hit tells a session that its player has died of a hit. A dead client says no more where it is, and is answered all
// the same.
func (s *Server) hit(e *world.PlayerHit) {
	if e.Died {
		every := s.world.Balance().Death.PositionEach
		s.post(e.ID, func(s *player) { s.Die(s.Here(), every) })
	}
}

func (s *Server) playerRevived(e world.PlayerRevived) {
	s.view.PlayerRevived(e)
	s.post(e.ID, func(s *player) {
		s.stand(e.To)
		s.Live()
	})
}

// onLeft releases a player that has left the world. Its session has ended, so that no loop touches it any more.
func (s *Server) onLeft(e world.Left) {
	s.view.Left(e.Player.ID)
	if p := s.playerOf(e.Player.ID); p != nil {
		p.onLeft(e)
	}
}

// entityFailed counts a defect of the world, and ends the session of the player that it has hit. The player is saved
// when it leaves.
func (s *Server) entityFailed(e world.EntityFailed) {
	s.count.entitiesFailed.Add(1)
	s.options.Log.Error("an entity of the world failed", "entity", e.ID, "error", e.Err)
	if e.ID <= world.MaxPlayerID {
		s.post(world.PlayerID(e.ID), func(s *player) { s.End(session.SessionPanicked, "in the world") })
	}
}

// granted shows a player an operator's change of its belongings.
func (s *Server) granted(e world.Granted) {
	s.pendingOps.done(e.Command, e.Money, 0)
	s.view.Granted(e)
}

// refused tells a player that something is not done, and why in words.
func (s *Server) refused(e world.Refused) {
	s.count.refuse(e.Why)
	if s.pendingOps.done(e.Command, 0, e.Why) {
		return
	}
	s.view.Refused(e)
	if s.missionRefused(e) || s.view.FightRefused(e) {
		return
	}
	if t, ok := thingRefusals[e.Why]; ok {
		own := view.RefusalText(e.Why, e.Command)
		s.post(e.ID, func(s *player) {
			if e.Why == rules.NoTitlePoints || e.Why == rules.NoDegreePoints {
				s.Tell(t, e.Limit)
				return
			}
			s.TellOwn(own, t)
			if e.Why == rules.TooPoor && e.Limit > 0 {
				s.Tell(text("Нужно %d, у вас %d.", "It costs %d, and you have %d."), e.Limit, e.Money)
			}
		})
	}
}

// tellPopulation tells everybody the number of players.
func (s *Server) tellPopulation(players int) {
	if s.options.Dialect == packets.Classic {
		return
	}
	s.SendAll(func(clock uint16) *packets.Body { return packets.Players(clock, players, false) })
}

// killText tells players nearby of a player's death by another: the victim and the killer. The client's own text 761
// says so of castles and names a clan.
//
// Source: protocol fight 12.2.
var killText = text("%s погибает от руки игрока %s.", "%s is killed by %s.")

func (s *Server) killSeen(e world.KillSeen) {
	for _, id := range e.To {
		s.post(id, func(s *player) { s.Tell(killText, e.Victim, e.Killer) })
	}
}
