package w3host

import (
	"slices"

	"sphereserver/packets/w3gs"
)

// chat passes a line on to those whom it is for and who are there. Source: protocol w3gs 4.9, 4.10.
func (g *game) chat(p *player, message w3gs.Message) {
	m := message.(*w3gs.Request)
	if m.Sender != p.id {
		g.gone(p, NotTheProtocol, "sends for another player")
		return
	}
	l := &g.host.Limits
	if !p.chats.Take(g.now, 1, l.ChatPerSecond, float64(l.ChatBurst)) {
		if g.now-p.window > chatWindow {
			p.window, p.dropped = g.now, 0
		}
		if p.dropped++; p.dropped >= l.ChatDropped {
			g.gone(p, TooMuchChat, "")
		}
		return
	}
	if len(m.Receivers) == 0 {
		return
	}
	if g.hostID != 0 && slices.Contains(m.Receivers, g.hostID) {
		g.log.Debug("chat", "player", p.name, "text", m.Text)
	}
	line := &w3gs.Chat{Receivers: m.Receivers, Sender: m.Sender, Kind: m.Kind, Scope: m.Scope, Text: m.Text}
	others := func(to *player) bool { return !slices.Contains(m.Receivers, to.id) }
	g.send(line, slices.DeleteFunc(slices.Clone(g.players), others)...)
}

// say sends a line of the host's own player to everybody in the lobby. It reports whether there is such a player.
func (g *game) say(text string) bool {
	if g.hostID == 0 || g.state > Countdown || len(g.players) == 0 {
		return false
	}
	line := &w3gs.Chat{Sender: g.hostID, Kind: w3gs.LobbyChat, Text: text}
	for _, p := range g.players {
		line.Receivers = append(line.Receivers, p.id)
	}
	g.broadcast(line)
	return true
}
