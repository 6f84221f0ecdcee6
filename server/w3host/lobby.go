package w3host

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sphereserver/packets/w3gs"
)

// join admits a player, or refuses it. Source: protocol w3gs 4.11, 7.1.
func (g *game) join(p *player, message w3gs.Message) {
	m := message.(*w3gs.Join)
	if why, detail := g.refusal(m); why != 0 {
		g.refuse(p, why, detail)
		return
	}
	slot := g.openSlot()
	if slot < 0 {
		g.refuse(p, w3gs.RefusedFull, "no open slot")
		return
	}
	id := g.freeID()
	if id == 0 {
		g.refuse(p, w3gs.RefusedFull, "no free player ID")
		return
	}
	p.id, p.name, p.inside, p.moved = id, m.Name, true, g.now
	g.sit(p, slot)
	if g.playersPlaying() > g.options.Starts && g.options.Layout&w3gs.FixedForces == 0 {
		g.slots[slot].Team, g.slots[slot].Colour = g.watchers(), g.watchers()
	}
	g.tidy()

	welcome := &w3gs.Welcome{SlotTable: g.table(), Player: id}
	if p.address.Addr().Is4() {
		welcome.Address = p.address
	}
	g.send(welcome, p)
	if g.hostID != 0 {
		g.send(introduction(g.hostID, g.options.Host), p)
	}
	for _, other := range g.players {
		g.send(introduction(other.id, other.name), p)
	}
	g.send(g.options.Map.check(), p)
	g.broadcast(introduction(id, p.name))
	g.players = append(g.players, p)
	g.slotsHave(changed)
	g.tellSlots()
	g.ping(p)
	g.refresh = true
	g.log.Info("player joined", "player", p.name, "id", id, "address", p.address.String(), "players", len(g.players))
}

// refusal says why a join cannot be.
func (g *game) refusal(m *w3gs.Join) (why w3gs.Refusal, detail string) {
	switch {
	case m.Game != g.counter || m.EntryKey != g.key:
		return w3gs.RefusedInvalid, "wrong key"
	case g.state != Lobby:
		return w3gs.RefusedStarted, g.state.String()
	case !nameFits(m.Name, w3gs.MaxName):
		return w3gs.RefusedInvalid, "name"
	case strings.EqualFold(m.Name, g.options.Host) || g.named(m.Name) != nil:
		return w3gs.RefusedInvalid, "name is taken"
	}
	return 0, ""
}

func (g *game) refuse(p *player, why w3gs.Refusal, detail string) {
	g.send(&w3gs.JoinRefused{Reason: why}, p)
	g.end(p, Refused, detail)
}

// introduction is the packet about a player. Without addresses clients do not connect to each other, and nobody learns
// where the others are. Source: protocol w3gs 4.5.
func introduction(id w3gs.PlayerID, name string) *w3gs.Player {
	return &w3gs.Player{Counter: w3gs.UsualCounter, Player: id, Name: name}
}

// named returns the player of that name, or nil.
func (g *game) named(name string) *player {
	for _, p := range g.players {
		if strings.EqualFold(p.name, name) {
			return p
		}
	}
	return nil
}

// openSlot is the first slot that can be taken, or -1.
func (g *game) openSlot() int {
	return slices.IndexFunc(g.slots, func(s w3gs.Slot) bool { return s.State == w3gs.SlotOpen })
}

// freeID is the lowest free player ID. When there is no other, the host's own player gives way, since it has no slot
// and the game is full without it. It is 0 when there is none at all.
func (g *game) freeID() w3gs.PlayerID {
	if id := g.unusedID(); id != 0 || g.hostID == 0 {
		return id
	}
	id := g.hostID
	g.hostLeaves()
	return id
}

func (g *game) unusedID() w3gs.PlayerID {
	for id := w3gs.PlayerID(1); int(id) <= g.host.Version.MaxSlots(); id++ {
		if id != g.hostID && !slices.ContainsFunc(g.players, func(p *player) bool { return p.id == id }) {
			return id
		}
	}
	return 0
}

// hostLeaves takes the host's own player out of the game. Source: protocol w3gs 7.1.
func (g *game) hostLeaves() {
	if g.hostID != 0 {
		g.broadcast(&w3gs.PlayerLeft{Player: g.hostID, Reason: w3gs.LeftLobby})
		g.hostID = 0
	}
}

// hostReturns brings the host's own player back into the lobby, when it had given way and there is room again.
func (g *game) hostReturns() {
	if g.hostID != 0 || g.state != Lobby {
		return
	}
	if g.hostID = g.unusedID(); g.hostID != 0 {
		g.broadcast(introduction(g.hostID, g.options.Host))
	}
}

// sit gives a slot to a player.
func (g *game) sit(p *player, at int) {
	p.slot = at
	s := &g.slots[at]
	s.Player, s.State, s.Computer, s.Download = p.id, w3gs.SlotTaken, 0, p.percent(&g.options.Map)
}

// playersPlaying is how many slots play: people and computers, without observers.
func (g *game) playersPlaying() (n int) {
	for _, s := range g.slots {
		if s.State == w3gs.SlotTaken && s.Team != g.watchers() {
			n++
		}
	}
	return n
}

// watchers is the team of the observers, and their colour.
func (g *game) watchers() uint8 { return g.host.Version.ObserverTeam() }

// tidy gives each free slot its own colour, or another one where a player has taken that.
func (g *game) tidy() {
	if g.options.Layout&w3gs.FixedSettings != 0 {
		return
	}
	for i := range g.slots {
		s, own := &g.slots[i], g.options.Slots[i].Colour
		if s.State == w3gs.SlotTaken {
			continue
		}
		if s.Colour = own; own != g.watchers() && g.coloured(own, true) {
			s.Colour = g.freeColour()
		}
	}
}

// freeColour is the lowest colour that no slot has, or where slots nobody has taken have them all, none of the others.
func (g *game) freeColour() uint8 {
	for _, taken := range []bool{false, true} {
		for c := range g.watchers() {
			if !g.coloured(c, taken) {
				return c
			}
		}
	}
	return 0
}

// coloured reports whether a slot, or one that is taken, has a colour.
func (g *game) coloured(c uint8, taken bool) bool {
	return slices.ContainsFunc(g.slots, func(s w3gs.Slot) bool {
		return s.Colour == c && (!taken || s.State == w3gs.SlotTaken)
	})
}

// table is the slots as players are told them.
func (g *game) table() w3gs.SlotTable {
	return w3gs.SlotTable{Slots: slices.Clone(g.slots), Seed: g.seed, Layout: g.options.Layout,
		Starts: uint8(g.options.Starts)}
}

// tellSlots tells all players the slots if they have changed, but neither too often nor too late in the game.
// Source: protocol w3gs 4.7.
func (g *game) tellSlots() {
	pause := slotsEvery
	if g.news == progress {
		pause = progressEvery
	}
	if g.now-g.slotsSent >= pause {
		g.tellSlotsNow()
	}
}

func (g *game) tellSlotsNow() {
	if g.news != noNews && g.state <= Countdown {
		g.news, g.slotsSent = noNews, g.now
		g.broadcast(&w3gs.SlotUpdate{SlotTable: g.table()})
	}
}

// info is the game's answer to a search. Seconds and Port are the host's to fill in. Source: protocol w3gs 2.2.
func (g *game) info() w3gs.GameInfo {
	o := g.options
	i := w3gs.GameInfo{Product: g.host.Product, Version: g.host.Version, Game: g.counter, EntryKey: g.key, Name: o.Name,
		Stat: w3gs.Stat{Settings: o.Settings, Width: o.Map.Width, Height: o.Map.Height, Check: o.Map.Check, Path: o.Map.Path,
			Host: o.Host, SHA1: o.Map.SHA1},
		Slots: uint32(len(g.slots)), Flags: o.Flags, Players: uint32(len(g.players))}
	for _, s := range g.slots {
		if s.State != w3gs.SlotClosed && s.Computer == 0 {
			i.Seats++
		}
	}
	// The host's own player has no slot but counts, and clients need room for it in their tables. Where there is no more
	// room, it will give way to the last that joins.
	if len(g.slots) < g.host.Version.MaxSlots() {
		i.Slots++
		i.Seats++
		i.Players++
	}
	return i
}

// change changes a player's slot as it asks, if that may be. Source: protocol w3gs 4.10.
func (g *game) change(p *player, message w3gs.Message) {
	m := message.(*w3gs.Request)
	l := &g.host.Limits
	switch {
	case m.Sender != p.id:
		g.gone(p, NotTheProtocol, "sends for another player")
		return
	case !p.changes.Take(g.now, 1, l.ChangePerSecond, float64(l.ChangeBurst)):
		return
	}
	free := g.options.Layout&w3gs.FixedSettings == 0
	s := &g.slots[p.slot]
	done := false
	switch v := m.Value; m.Kind {
	case w3gs.ChangeTeam:
		done = g.changeTeam(p, v)
	case w3gs.ChangeColour:
		if done = free && s.Team != g.watchers() && v < g.watchers() && !g.coloured(v, true); done {
			s.Colour = v
		}
	case w3gs.ChangeRace:
		chosen := s.Race&w3gs.RaceSelectable != 0 && g.options.Settings&w3gs.RandomRaces == 0
		if done = free && chosen && slices.Contains(races, w3gs.Race(v)); done {
			s.Race = w3gs.Race(v) | w3gs.RaceSelectable
		}
	case w3gs.ChangeHandicap:
		if done = free && v >= 50 && v <= 100 && v%10 == 0; done {
			s.Handicap = v
		}
	}
	if done {
		g.tidy()
		g.slotsHave(changed)
	}
}

// races are the races that a player may choose.
var races = []w3gs.Race{w3gs.Human, w3gs.Orc, w3gs.NightElf, w3gs.Undead, w3gs.Random}

// changeTeam moves a player to a team: where teams belong to slots, by moving it to another slot.
func (g *game) changeTeam(p *player, team uint8) bool {
	s := &g.slots[p.slot]
	switch watchers := g.watchers(); {
	case team == s.Team:
		return false
	case g.options.Layout&w3gs.FixedForces != 0:
		return g.moveTo(p, team)
	case team == watchers:
		if !g.options.Settings.JoinableObservers() {
			return false
		}
		s.Colour = watchers
	case int(team) >= g.options.Starts:
		return false
	case s.Team == watchers:
		if g.playersPlaying() >= g.options.Starts {
			return false
		}
		s.Colour = g.freeColour()
	}
	s.Team = team
	return true
}

// moveTo gives a player the first open slot of a team. Settings that are not fixed go with the player.
func (g *game) moveTo(p *player, team uint8) bool {
	i := slices.IndexFunc(g.slots, func(s w3gs.Slot) bool { return s.State == w3gs.SlotOpen && s.Team == team })
	if i < 0 {
		return false
	}
	had, to := g.slots[p.slot], &g.slots[i]
	g.slots[p.slot] = g.options.Slots[p.slot]
	g.sit(p, i)
	if g.options.Layout&w3gs.FixedSettings == 0 {
		if had.Colour != g.watchers() && to.Colour != g.watchers() {
			to.Colour = had.Colour
		}
		to.Handicap = had.Handicap
		if to.Race&w3gs.RaceSelectable != 0 {
			to.Race = had.Race
		}
	}
	return true
}

// chat passes a line on to its receivers that are there. Source: protocol w3gs 4.9, 4.10.
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

func (g *GameOptions) check(o *Options) error {
	most, watchers := o.Version.MaxSlots(), o.Version.ObserverTeam()
	open, playing := 0, 0
	for _, s := range g.Slots {
		if s.State == w3gs.SlotOpen {
			open++
		}
		if s.State != w3gs.SlotClosed && s.Team != watchers {
			playing++
		}
	}
	wrong := slices.IndexFunc(g.Slots, func(s w3gs.Slot) bool { return max(s.Team, s.Colour) > watchers })
	switch n := len(g.Slots); {
	case n < 1 || n > most:
		return fmt.Errorf("slots: expected 1 to %d with version %s, found %d", most, o.Version, n)
	case g.Starts < 1 || g.Starts > most:
		return fmt.Errorf("start positions: expected 1 to %d, found %d", most, g.Starts)
	case !nameFits(g.Host, w3gs.MaxName):
		return fmt.Errorf("host's name: expected 1 to %d bytes without control characters, found %q", w3gs.MaxName, g.Host)
	case !nameFits(g.Name, w3gs.MaxGameName):
		return fmt.Errorf("name: expected 1 to %d bytes without control characters, found %q", w3gs.MaxGameName, g.Name)
	case g.Download && len(g.Map.Data) == 0:
		return errors.New("download: expected a map file, found none")
	case wrong >= 0:
		return fmt.Errorf("slot %d: expected a team and a colour of 0 to %d, found %d and %d", wrong+1, most,
			g.Slots[wrong].Team, g.Slots[wrong].Colour)
	case open == 0:
		return errors.New("slots: expected one that is open, found none")
	case playing > g.Starts && g.Layout&w3gs.FixedForces == 0 && !g.Settings.JoinableObservers():
		return fmt.Errorf("start positions: expected %d for as many who play, found %d", playing, g.Starts)
	case g.StartWhen > open || g.StartWhen < StartNever:
		return fmt.Errorf("start when: expected 0 to %d players, found %d", open, g.StartWhen)
	}
	if _, err := w3gs.Append(nil, g.Map.check()); err != nil {
		return err
	}
	info := newGame(o, g, 1, 0, 0, nil).info()
	_, err := w3gs.Append(nil, &info)
	return err
}
