package w3host

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"sphereserver/packets/w3gs"
)

// printable says whether a name has no control characters.
func printable(name string) bool { return strings.IndexFunc(name, unicode.IsControl) < 0 }

// join lets a player in, or refuses. Source: protocol w3gs 4.11, 7.1.
func (g *game) join(p *player, message w3gs.Message) {
	m := message.(*w3gs.Join)
	if why, detail := g.refusal(m); why != 0 {
		g.refuse(p, why, detail)
		return
	}
	seat := g.openSeat()
	if seat < 0 {
		g.refuse(p, w3gs.RefusedFull, "no open slot")
		return
	}
	id := g.freeID()
	if id == 0 {
		g.refuse(p, w3gs.RefusedFull, "no free player ID")
		return
	}
	p.id, p.name, p.seat, p.inside, p.moved = id, m.Name, seat, true, g.now
	g.sit(p, seat)
	if g.playersPlaying() > g.options.Starts && g.options.Layout&w3gs.FixedForces == 0 {
		g.seats[seat].slot.Team = g.host.Version.ObserverTeam()
		g.seats[seat].slot.Colour = g.host.Version.ObserverTeam()
	}
	g.tidy()

	welcome := &w3gs.Welcome{SlotTable: g.table(), Player: id}
	if p.address.Addr().Is4() {
		welcome.Address = p.address
	}
	g.send(p, welcome)
	if g.hostID != 0 {
		g.send(p, introduction(g.hostID, g.options.Host))
	}
	for _, other := range g.players {
		g.send(p, introduction(other.id, other.name))
	}
	g.send(p, g.options.Map.check())
	g.broadcast(introduction(id, p.name), nil)
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
	case len(m.Name) < 1 || len(m.Name) > w3gs.MaxName || !printable(m.Name):
		return w3gs.RefusedInvalid, "name"
	case strings.EqualFold(m.Name, g.options.Host) || g.named(m.Name) != nil:
		return w3gs.RefusedInvalid, "name is taken"
	}
	return 0, ""
}

func (g *game) refuse(p *player, why w3gs.Refusal, detail string) {
	g.send(p, &w3gs.JoinRefused{Reason: why})
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

// openSeat is the first seat that can be taken, or -1.
func (g *game) openSeat() int {
	for i := range g.seats {
		if g.seats[i].slot.State == w3gs.SlotOpen {
			return i
		}
	}
	return -1
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
	var used [256]bool
	used[g.hostID] = true
	for _, p := range g.players {
		used[p.id] = true
	}
	for id := 1; id <= g.host.Version.MaxSlots(); id++ {
		if !used[id] {
			return w3gs.PlayerID(id)
		}
	}
	return 0
}

// hostLeaves takes the host's own player out of the game. Source: protocol w3gs 7.1.
func (g *game) hostLeaves() {
	if g.hostID != 0 {
		g.broadcast(&w3gs.PlayerLeft{Player: g.hostID, Reason: w3gs.LeftLobby}, nil)
		g.hostID = 0
	}
}

// hostReturns brings the host's own player back into the lobby, when it had given way and there is room again.
func (g *game) hostReturns() {
	if g.hostID != 0 || g.state != Lobby {
		return
	}
	if g.hostID = g.unusedID(); g.hostID != 0 {
		g.broadcast(introduction(g.hostID, g.options.Host), nil)
	}
}

// sit gives a seat to a player.
func (g *game) sit(p *player, at int) {
	s := &g.seats[at]
	s.player, p.seat = p, at
	s.slot.Player, s.slot.State, s.slot.Computer, s.slot.Download = p.id, w3gs.SlotTaken, 0, p.percent(&g.options.Map)
}

// playersPlaying is how many slots play: people and computers, without those who watch.
func (g *game) playersPlaying() int {
	n := 0
	for i := range g.seats {
		if s := &g.seats[i].slot; s.State == w3gs.SlotTaken && s.Team != g.host.Version.ObserverTeam() {
			n++
		}
	}
	return n
}

// tidy gives each slot that nobody has taken its own colour, or another one where somebody has taken that too.
func (g *game) tidy() {
	if g.options.Layout&w3gs.FixedSettings != 0 {
		return
	}
	var used [256]bool
	for i := range g.seats {
		if s := &g.seats[i]; s.slot.State == w3gs.SlotTaken {
			used[s.slot.Colour] = true
		}
	}
	watcher := g.host.Version.ObserverTeam()
	for i := range g.seats {
		s := &g.seats[i]
		if s.slot.State == w3gs.SlotTaken {
			continue
		}
		if s.slot.Colour = s.original.Colour; s.slot.Colour != watcher && used[s.slot.Colour] {
			s.slot.Colour = g.freeColour()
		}
	}
}

// freeColour is the lowest colour that no slot has, or where slots nobody has taken have them all, none of the others.
func (g *game) freeColour() uint8 {
	var used, taken [256]bool
	for i := range g.seats {
		s := &g.seats[i].slot
		used[s.Colour] = true
		taken[s.Colour] = taken[s.Colour] || s.State == w3gs.SlotTaken
	}
	watcher := g.host.Version.ObserverTeam()
	for _, list := range [][256]bool{used, taken} {
		for c := range watcher {
			if !list[c] {
				return c
			}
		}
	}
	return 0
}

// table is the slots as players are told them.
func (g *game) table() w3gs.SlotTable {
	t := w3gs.SlotTable{Seed: g.seed, Layout: g.options.Layout, Starts: uint8(g.options.Starts)}
	for i := range g.seats {
		t.Slots = append(t.Slots, g.seats[i].slot)
	}
	return t
}

// tellSlots tells all players the slots if they have changed, but neither too often nor too late in the game.
// Source: protocol w3gs 4.7.
func (g *game) tellSlots() {
	pause := slotsEvery
	if g.slots == progress {
		pause = progressEvery
	}
	if g.now-g.slotsSent >= pause {
		g.tellSlotsNow()
	}
}

func (g *game) tellSlotsNow() {
	if g.slots != noNews && g.state <= Countdown {
		g.slots, g.slotsSent = noNews, g.now
		g.broadcast(&w3gs.SlotUpdate{SlotTable: g.table()}, nil)
	}
}

// info is what the game tells those who look for games. Seconds and Port are the host's to fill in.
// Source: protocol w3gs 2.2.
func (g *game) info() w3gs.GameInfo {
	o := g.options
	i := w3gs.GameInfo{Product: g.host.Product, Version: g.host.Version, Game: g.counter, EntryKey: g.key, Name: o.Name,
		Stat: w3gs.Stat{Settings: o.Settings, Width: o.Map.Width, Height: o.Map.Height, Check: o.Map.Check, Path: o.Map.Path,
			Host: o.Host, SHA1: o.Map.SHA1},
		Slots: uint32(len(g.seats)), Flags: o.Flags, Players: uint32(len(g.players))}
	for j := range g.seats {
		if s := &g.seats[j].slot; s.State != w3gs.SlotClosed && s.Computer == 0 {
			i.Seats++
		}
	}
	// The host's own player has no slot but counts, and clients need room for it in their tables. Where there is no more
	// room, it will give way to the last who joins.
	if len(g.seats) < g.host.Version.MaxSlots() {
		i.Slots++
		i.Seats++
		i.Players++
	}
	return i
}

// change does what a player wants of its slot, if that may be. Source: protocol w3gs 4.10.
func (g *game) change(p *player, message w3gs.Message) {
	m := message.(*w3gs.Request)
	l := &g.host.Limits
	switch {
	case m.Sender != p.id:
		g.part(p, g.lost(), NotTheProtocol, "sends for another player")
		return
	case !p.changes.Take(g.now, 1, l.ChangePerSecond, float64(l.ChangeBurst)):
		return
	}
	fixed := g.options.Layout&w3gs.FixedSettings != 0
	s := &g.seats[p.seat].slot
	done := false
	switch v := m.Value; m.Kind {
	case w3gs.ChangeTeam:
		done = g.changeTeam(p, v)
	case w3gs.ChangeColour:
		if done = !fixed && s.Team != g.host.Version.ObserverTeam() && v < g.host.Version.ObserverTeam() &&
			!g.colourTaken(v); done {
			s.Colour = v
		}
	case w3gs.ChangeRace:
		race := w3gs.Race(v)
		if done = !fixed && s.Race&w3gs.RaceSelectable != 0 && g.options.Settings&w3gs.RandomRaces == 0 &&
			isRace(race); done {
			s.Race = race | w3gs.RaceSelectable
		}
	case w3gs.ChangeHandicap:
		if done = !fixed && v >= 50 && v <= 100 && v%10 == 0; done {
			s.Handicap = v
		}
	}
	if done {
		g.tidy()
		g.slotsHave(changed)
	}
}

// isRace says whether a player may choose a race.
func isRace(r w3gs.Race) bool {
	switch r {
	case w3gs.Human, w3gs.Orc, w3gs.NightElf, w3gs.Undead, w3gs.Random:
		return true
	}
	return false
}

func (g *game) colourTaken(c uint8) bool {
	for i := range g.seats {
		if s := &g.seats[i].slot; s.State == w3gs.SlotTaken && s.Colour == c {
			return true
		}
	}
	return false
}

// changeTeam moves a player to a team: where teams belong to slots, by moving it to another slot.
func (g *game) changeTeam(p *player, team uint8) bool {
	watcher := g.host.Version.ObserverTeam()
	s := &g.seats[p.seat].slot
	if team == s.Team {
		return false
	}
	if g.options.Layout&w3gs.FixedForces != 0 {
		return g.moveTo(p, team)
	}
	switch {
	case team == watcher:
		if !g.options.Settings.JoinableObservers() {
			return false
		}
		s.Team, s.Colour = watcher, watcher
	case int(team) >= g.options.Starts:
		return false
	case s.Team == watcher:
		if g.playersPlaying() >= g.options.Starts {
			return false
		}
		s.Team, s.Colour = team, g.freeColour()
	default:
		s.Team = team
	}
	return true
}

// moveTo gives a player the first open slot of a team. What is not fixed goes with the player.
func (g *game) moveTo(p *player, team uint8) bool {
	for i := range g.seats {
		to := &g.seats[i]
		if to.slot.State != w3gs.SlotOpen || to.slot.Team != team {
			continue
		}
		from := &g.seats[p.seat]
		had := from.slot
		from.player, from.slot = nil, from.original
		g.sit(p, i)
		if g.options.Layout&w3gs.FixedSettings == 0 {
			watcher := g.host.Version.ObserverTeam()
			if had.Colour != watcher && to.slot.Colour != watcher {
				to.slot.Colour = had.Colour
			}
			to.slot.Handicap = had.Handicap
			if to.slot.Race&w3gs.RaceSelectable != 0 {
				to.slot.Race = had.Race
			}
		}
		return true
	}
	return false
}

func (g *GameOptions) check(o *Options) error {
	most := o.Version.MaxSlots()
	if n := len(g.Slots); n < 1 || n > most {
		return fmt.Errorf("slots: expected 1 to %d with version %s, found %d", most, o.Version, n)
	}
	if g.Starts < 1 || g.Starts > most {
		return fmt.Errorf("start positions: expected 1 to %d, found %d", most, g.Starts)
	}
	if n := len(g.Host); n < 1 || n > w3gs.MaxName || !printable(g.Host) {
		return fmt.Errorf("host's name: expected 1 to %d bytes without control characters, found %q", w3gs.MaxName, g.Host)
	}
	if n := len(g.Name); n < 1 || n > w3gs.MaxGameName || !printable(g.Name) {
		return fmt.Errorf("name: expected 1 to %d bytes without control characters, found %q", w3gs.MaxGameName, g.Name)
	}
	if g.Download && len(g.Map.Data) == 0 {
		return errors.New("download: expected a map file, found none")
	}
	open, playing := 0, 0
	for i, s := range g.Slots {
		if s.State == w3gs.SlotOpen {
			open++
		}
		if s.State != w3gs.SlotClosed && s.Team != o.Version.ObserverTeam() {
			playing++
		}
		if s.Team > o.Version.ObserverTeam() || s.Colour > o.Version.ObserverTeam() {
			return fmt.Errorf("slot %d: expected a team and a colour of 0 to %d, found %d and %d", i+1, most, s.Team, s.Colour)
		}
	}
	if open == 0 {
		return errors.New("slots: expected one that is open, found none")
	}
	if playing > g.Starts && g.Layout&w3gs.FixedForces == 0 && !g.Settings.JoinableObservers() {
		return fmt.Errorf("start positions: expected %d for as many who play, found %d", playing, g.Starts)
	}
	if g.StartWhen > open || g.StartWhen < StartNever {
		return fmt.Errorf("start when: expected 0 to %d players, found %d", open, g.StartWhen)
	}
	if _, err := w3gs.Append(nil, g.Map.check()); err != nil {
		return err
	}
	info := newGame(o, g, 1, 0, 0, nil).info()
	_, err := w3gs.Append(nil, &info)
	return err
}
