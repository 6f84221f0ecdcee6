package w3host

import (
	"sphereserver/packets/w3gs"
)

// A message is a kind of client packet, as far as states tell them apart.
type message uint8

const (
	joinMessage message = iota
	leaveMessage
	pongMessage
	loadedMessage
	actionMessage
	tickDoneMessage
	dropVoteMessage
	lobbyChatMessage
	gameChatMessage
	changeMessage // of a slot
	mapStateMessage
	mapTakenMessage
	mapRefusedMessage
	uselessMessage // known, and of no use to a host
	strangeMessage // unknown, or not for a host
	messages       // count
)

// classify tells a packet's kind. Only chat and changes need more than the opcode.
func classify(m w3gs.Message) message {
	switch m := m.(type) {
	case *w3gs.Join:
		return joinMessage
	case *w3gs.Leave:
		return leaveMessage
	case *w3gs.Pong:
		return pongMessage
	case *w3gs.Loaded:
		return loadedMessage
	case *w3gs.Action:
		return actionMessage
	case *w3gs.TickDone:
		return tickDoneMessage
	case *w3gs.DropVote:
		return dropVoteMessage
	case *w3gs.Request:
		switch m.Kind {
		case w3gs.LobbyChat:
			return lobbyChatMessage
		case w3gs.GameChat:
			return gameChatMessage
		}
		return changeMessage
	case *w3gs.MapState:
		return mapStateMessage
	case *w3gs.MapTaken:
		return mapTakenMessage
	case *w3gs.MapRefused:
		return mapRefusedMessage
	case *w3gs.MapStart, *w3gs.MapQuestion, *w3gs.PeerSet, *w3gs.Extension:
		return uselessMessage
	}
	return strangeMessage
}

// A rule is what a state does with a kind of message.
type rule struct {
	do func(*game, *player, w3gs.Message)
	// harsh: no client of the game does this, and the connection ends.
	harsh bool
	// calm: it may well come, late or early, and is dropped without being counted.
	calm bool
}

var (
	// skip drops a message that has no place in the state. So many of them are a reason to end the connection.
	skip  = rule{}
	drop  = rule{calm: true}
	fatal = rule{harsh: true}
)

// machine is the whole state machine: state × message → what is done. A row of Joining is asked by the connection,
// which has no game yet; all others by the game. Source: protocol w3gs 4, the table, and 4.10, 4.13, 6, 7.
var machine [states][messages]rule

func init() {
	leave, pong := rule{do: (*game).leave}, rule{do: (*game).pong}
	action, tickDone := rule{do: (*game).action}, rule{do: (*game).tickDone}
	lobbyChat, gameChat := rule{do: (*game).chat}, rule{do: (*game).chat}
	machine = [states][messages]rule{
		// A join that succeeds moves to Lobby.
		Joining: {joinMessage: {do: (*game).join}, leaveMessage: skip, pongMessage: skip, loadedMessage: skip,
			actionMessage:   skip,
			tickDoneMessage: skip, dropVoteMessage: skip, lobbyChatMessage: skip, gameChatMessage: skip, changeMessage: skip,
			mapStateMessage: skip, mapTakenMessage: skip, mapRefusedMessage: skip, uselessMessage: skip, strangeMessage: skip},

		// Enough players who are ready, or the operator, move to Countdown.
		Lobby: {joinMessage: skip, leaveMessage: leave, pongMessage: pong, loadedMessage: skip, actionMessage: fatal,
			tickDoneMessage: skip, dropVoteMessage: skip, lobbyChatMessage: lobbyChat, gameChatMessage: drop,
			changeMessage:   {do: (*game).change},
			mapStateMessage: {do: (*game).mapState}, mapTakenMessage: {do: (*game).mapTaken},
			mapRefusedMessage: {do: (*game).mapRefused},
			uselessMessage:    drop, strangeMessage: skip},

		// Time moves to Loading.
		Countdown: {joinMessage: skip, leaveMessage: leave, pongMessage: pong, loadedMessage: skip, actionMessage: fatal,
			tickDoneMessage: skip, dropVoteMessage: skip, lobbyChatMessage: lobbyChat, gameChatMessage: drop,
			changeMessage:   drop,
			mapStateMessage: drop, mapTakenMessage: drop, mapRefusedMessage: drop, uselessMessage: drop, strangeMessage: skip},

		// The last who has loaded moves to Playing.
		Loading: {joinMessage: skip, leaveMessage: leave, pongMessage: pong, loadedMessage: {do: (*game).loaded},
			actionMessage:   action,
			tickDoneMessage: skip, dropVoteMessage: skip, lobbyChatMessage: drop, gameChatMessage: drop, changeMessage: drop,
			mapStateMessage: skip, mapTakenMessage: skip, mapRefusedMessage: skip, uselessMessage: drop, strangeMessage: skip},

		// A player far behind moves to Waiting.
		Playing: {joinMessage: skip, leaveMessage: leave, pongMessage: pong, loadedMessage: drop, actionMessage: action,
			tickDoneMessage: tickDone, dropVoteMessage: drop, lobbyChatMessage: drop, gameChatMessage: gameChat,
			changeMessage:   drop,
			mapStateMessage: skip, mapTakenMessage: skip, mapRefusedMessage: skip, uselessMessage: drop, strangeMessage: skip},

		// When nobody is behind any more, or those who are have been dropped, back to Playing.
		Waiting: {joinMessage: skip, leaveMessage: leave, pongMessage: pong, loadedMessage: drop, actionMessage: action,
			tickDoneMessage: tickDone, dropVoteMessage: {do: (*game).vote}, lobbyChatMessage: drop, gameChatMessage: gameChat,
			changeMessage: drop, mapStateMessage: skip, mapTakenMessage: skip, mapRefusedMessage: skip, uselessMessage: drop,
			strangeMessage: skip},

		Over: {joinMessage: drop, leaveMessage: leave, pongMessage: drop, loadedMessage: drop, actionMessage: drop,
			tickDoneMessage: drop,
			dropVoteMessage: drop, lobbyChatMessage: drop, gameChatMessage: drop, changeMessage: drop, mapStateMessage: drop,
			mapTakenMessage: drop, mapRefusedMessage: drop, uselessMessage: drop, strangeMessage: drop},
	}
}

// receive handles a packet by the state's rules.
func (g *game) receive(p *player, packet []byte) {
	if p.ended {
		return
	}
	p.heard = g.now
	m, err := g.decoder.Decode(packet)
	if err != nil {
		g.part(p, g.lost(), NotTheProtocol, err.Error())
		return
	}
	kind, state := classify(m), g.stateOf(p)
	switch r := machine[state][kind]; {
	case r.do != nil:
		r.do(g, p, m)
	case r.harsh:
		g.part(p, g.lost(), NotTheProtocol, w3gs.OpcodeOf(m).String()+" in state "+state.String())
	case !r.calm:
		if p.strange++; p.strange > g.host.Limits.Strange {
			g.part(p, g.lost(), StrangePackets, w3gs.OpcodeOf(m).String()+" in state "+state.String())
		}
	}
}

// run does what is due, and then tells what has changed.
func (g *game) run() {
	if g.now-g.swept >= g.sweepEvery() {
		g.swept = g.now
		g.sweep()
	}
	switch g.state {
	case Lobby:
		if g.pumpAt > 0 && g.now >= g.pumpAt {
			g.pump()
		}
		g.maybeStart()
	case Countdown:
		if g.now >= g.countdownEnd {
			g.load()
		}
	case Playing:
		g.runTicks()
	case Over:
		if g.now >= g.closeAt {
			for len(g.players) > 0 {
				g.part(g.players[0], w3gs.LeftDisconnected, GameEnded, "")
			}
			g.done = true
		}
	}
	g.tellSlots()
	if g.state == Lobby && (g.now-g.refreshed >= refreshEvery || g.refresh && g.now-g.refreshed >= refreshPause) {
		g.refresh, g.refreshed = false, g.now
		i := g.info()
		g.outside.announce(&w3gs.GameRefreshed{Game: g.counter, Players: i.Players, Seats: i.Seats})
	}
}
