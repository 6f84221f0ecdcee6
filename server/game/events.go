package game

import (
	"reflect"

	"sphereserver/data"
	"sphereserver/world"
)

// An eventRow is what the server does with one type of event of the world; do is nil if nothing, on purpose. It runs on the world's
// goroutine.
type eventRow struct {
	of reflect.Type
	do func(*sink, world.Event)
}

// on is the row of an event.
func on[E world.Event](do func(*sink, E)) eventRow {
	return eventRow{reflect.TypeFor[E](), func(k *sink, e world.Event) { do(k, e.(E)) }}
}

// onLoop is the row of an event that is heard on the loop of the session of the player whom it is about, behind what its client was
// sent before.
func onLoop[E world.Event](about func(E) world.PlayerID, do func(*Session, E)) eventRow {
	return on(func(k *sink, e E) { k.do(about(e), func(s *Session) { do(s, e) }) })
}

// unheardEvent is the row of an event with which nothing is done, on purpose.
func unheardEvent[E world.Event]() eventRow { return eventRow{of: reflect.TypeFor[E]()} }

// onEvent is the table of all events. A type that is missing here fails TestEveryEventHasARow.
var onEvent = eventsByType(
	// Of many each tick.
	on((*sink).moved),
	on((*sink).appeared),
	on((*sink).vanished),
	on((*sink).objectAppeared),
	on((*sink).objectVanished),
	on((*sink).teleportSeen),
	on((*sink).lookChanged),
	on((*sink).healthSeen),

	// A player in the world.
	onLoop(func(e world.Entered) world.PlayerID { return e.ID }, (*Session).inside),
	onLoop(func(e world.EnterRefused) world.PlayerID { return e.ID }, (*Session).enterRefused),
	onLoop(func(e world.MoveRefused) world.PlayerID { return e.ID }, (*Session).moveRefused),
	onLoop(func(e world.PoolsTick) world.PlayerID { return e.ID }, (*Session).poolsTick),
	onLoop(func(e world.PortalRefused) world.PlayerID { return e.ID }, (*Session).portalRefused),
	on((*sink).teleported),
	on((*sink).onLeft),
	on(func(k *sink, e world.PositionsDue) { k.saver.savePlaces(placesToSave(e.Places)) }),
	on(func(k *sink, e world.Population) { k.tellPopulation(e.Players) }),
	on((*sink).statsChanged),
	unheardEvent[world.HandChanged](), // its client shows it by itself, and others are told by AppearanceChanged

	// Items and trade.
	on((*sink).itemMoved),
	on((*sink).tookUp),
	on((*sink).putAway),
	on((*sink).dropped),
	on((*sink).dragged),
	on((*sink).bagChanged),
	on((*sink).opened),
	on((*sink).containerClosed),
	on((*sink).tradeOpened),
	on((*sink).tradeClosed),
	on((*sink).bought),
	on((*sink).offered),
	on((*sink).sold),
	on((*sink).used),
	on((*sink).refused),
	on((*sink).granted),
	on(func(k *sink, e world.CommitRequest) { k.ledger.add(e) }),

	// Chat and parties.
	on((*sink).said),
	onLoop(func(e world.SayRefused) world.PlayerID { return e.From }, (*Session).sayRefused),
	on(func(k *sink, e world.PartyCreated) { k.groupNews(groupCreated(e)) }),
	on(func(k *sink, e world.PartyApplied) { k.groupNews(groupApplied(e)) }),
	on(func(k *sink, e world.PartyJoined) { k.groupNews(groupJoined(e)...) }),
	on(func(k *sink, e world.PartyLeft) { k.groupNews(groupLeft(e)...) }),
	on(func(k *sink, e world.PartyLeader) { k.groupNews(groupLed(e)) }),
	onLoop(func(e world.PartyRefused) world.PlayerID { return e.ID }, func(s *Session, e world.PartyRefused) { s.refuse(e.Why) }),
)

func eventsByType(rows ...eventRow) map[reflect.Type]func(*sink, world.Event) {
	table := make(map[reflect.Type]func(*sink, world.Event), len(rows))
	for _, r := range rows {
		table[r.of] = r.do
	}
	return table
}

// Happened puts what has happened into outboxes, and hands them over.
func (k *sink) Happened(events []world.Event) {
	k.clock = k.Server.clock()
	for _, e := range events {
		if do := onEvent[reflect.TypeOf(e)]; do != nil {
			do(k, e)
		}
	}
	k.strand()
	k.handOver()
	clear(k.people)
	k.frames = k.frames[:0]
}

// teleported shows a player where it is now, or ends the journey that a token has begun.
func (k *sink) teleported(e world.Teleported) {
	if !k.arrive(e) {
		k.do(e.ID, func(s *Session) { s.teleported(e) })
	}
}

// onLeft lets a player go who is out of the world.
func (k *sink) onLeft(e world.Left) {
	if s := k.session(e.Player.ID); s != nil {
		s.view.players, s.view.maxHP = nil, 0
		k.left(s, e)
	}
}

func placesToSave(places []world.Place) []data.PositionSave {
	out := make([]data.PositionSave, len(places))
	for i, p := range places {
		out[i] = data.PositionSave{ID: data.CharacterID(p.Character), Position: p.Position}
	}
	return out
}
