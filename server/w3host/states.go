package w3host

import "sphereserver/packets/w3gs"

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

// A rule is the handler of a kind of message in a state.
type rule struct {
	do    func(*game, *player, w3gs.Message)
	harsh bool // no client of the game does this, and the connection ends
	calm  bool // it may well come, late or early, and is dropped without being counted
}

var (
	skip  = rule{} // it has no place in the state, and many such messages end the connection
	drop  = rule{calm: true}
	fatal = rule{harsh: true}
)

// machine is the whole state machine: message × state → handler. The connection itself drops messages before a join.
// Source: protocol w3gs 4, the table, and 4.10, 4.13, 6, 7.
var machine [messages][states]rule

func init() {
	do := func(handler func(*game, *player, w3gs.Message)) rule { return rule{do: handler} }
	join, leave, pong, loaded := do((*game).join), do((*game).leave), do((*game).pong), do((*game).loaded)
	chat, action, done, vote := do((*game).chat), do((*game).action), do((*game).tickDone), do((*game).vote)
	change, state, taken := do((*game).change), do((*game).mapState), do((*game).mapTaken)
	refused := do((*game).mapRefused)
	machine = [messages][states]rule{
		// Joining, Lobby, Countdown, Loading, Playing, Waiting, Over
		joinMessage:       {join, skip, skip, skip, skip, skip, drop},
		leaveMessage:      {skip, leave, leave, leave, leave, leave, leave},
		pongMessage:       {skip, pong, pong, pong, pong, pong, drop},
		loadedMessage:     {skip, skip, skip, loaded, drop, drop, drop},
		actionMessage:     {skip, fatal, fatal, action, action, action, drop},
		tickDoneMessage:   {skip, skip, skip, skip, done, done, drop},
		dropVoteMessage:   {skip, skip, skip, skip, drop, vote, drop},
		lobbyChatMessage:  {skip, chat, chat, drop, drop, drop, drop},
		gameChatMessage:   {skip, drop, drop, drop, chat, chat, drop},
		changeMessage:     {skip, change, drop, drop, drop, drop, drop},
		mapStateMessage:   {skip, state, drop, skip, skip, skip, drop},
		mapTakenMessage:   {skip, taken, drop, skip, skip, skip, drop},
		mapRefusedMessage: {skip, refused, drop, skip, skip, skip, drop},
		uselessMessage:    {skip, drop, drop, drop, drop, drop, drop},
		strangeMessage:    {skip, skip, skip, skip, skip, skip, drop},
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
		g.gone(p, NotTheProtocol, err.Error())
		return
	}
	state := g.state
	if !p.inside {
		state = Joining
	}
	switch r := machine[classify(m)][state]; {
	case r.do != nil:
		r.do(g, p, m)
	case r.harsh:
		g.gone(p, NotTheProtocol, w3gs.OpcodeOf(m).String()+" in state "+state.String())
	case !r.calm:
		if p.strange++; p.strange > g.host.Limits.Strange {
			g.gone(p, StrangePackets, w3gs.OpcodeOf(m).String()+" in state "+state.String())
		}
	}
}

// run does the due work, and then tells the changes.
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
