package game

import (
	"sync/atomic"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/chat"
	"sphereserver/server/ratelimit"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A player is the player behind a session: its requests and its messages in the world. It is touched on the session's
// loop only, except entered and the guarded parts of its client.
type player struct {
	*session.Session
	*chat.Participant
	server *Server
	client *view.Client

	character *data.Playing
	entrant   *entrant    // that is going to enter the world, until it does
	placed    bool        // in the world, which has to be left
	pinged    bool        // the client stands where it has said last
	entered   atomic.Bool // the player is in the world; for others than its loop

	blow      world.Command    // the last: most blows are the one before again, which needs no new memory
	groupRate ratelimit.Bucket // of requests about groups
	clan      clanState
}

// An entrant is a player before it enters the world.
type entrant struct {
	world.Player
	values [64]int32     // by index
	into   *world.Layout // the dungeon in which it enters, nil for none
}

// newPlayer makes the player that will enter the world, gives the carried items ids of its client's own, and sends
// the enter-world frame.
func (s *Server) newPlayer(session *session.Session, c *data.Character, items, vault []rules.Item) session.Player {
	p := &player{Session: session, server: s, character: session.Character()}
	p.Participant = s.chat.Join(p, session.Record().Language, session.Record().Mute)
	into, at := s.begins(c)
	if into == nil && rules.AmongInstances(s.place(c.Position)) {
		at = entranceOf(items, at)
	}
	e := &entrant{into: into, Player: world.Player{ID: p.id(), Character: int64(c.ID), Name: c.Name, Account: p.Login(),
		Role: world.Role(p.Role()), Title: c.TitleLevel, Degree: c.DegreeLevel, Position: at,
		Pools: vitalsOf(c), Appearance: lookOf(c),
		Items: rules.BagsFirst(items), VaultItems: rules.BagsFirst(vault), Vault: int64(p.Account()), Money: c.Money,
		Progress: c.Progress, Revision: c.Revision, Effects: c.Effects,
		Cooldowns: c.Cooldowns, Tally: c.Tally}}
	sheet, look := world.SheetOf(s.options.World.Tables, s.World().Balance, e.Player)
	e.Appearance = look
	view.SheetValues(&sheet, &e.values)
	p.entrant = e
	p.client = view.NewClient(p.id(), p.Login(), p, session.Queue())
	p.client.SetDialect(session.Dialect())
	s.view.Attach(p.client)
	p.client.KnowCarried(e.Items)

	m := view.EntrySnapshot(&e.Player, &e.values)
	if into != nil {
		m.X, m.Y, m.Z, m.Yaw = s.entry.X, s.entry.Y, s.entry.Z, s.entry.Yaw
	}
	if s.options.Dialect == packets.Classic {
		at := packets.ClassicPlace{X: float64(m.X), Y: float64(m.Y), Z: float64(m.Z), Yaw: float64(m.Yaw)}
		p.Send(packets.ClassicEnterWorld(p.Index(), m, at))
	} else {
		p.Send(packets.EnterWorldFrame(p.Index(), packets.PregameClock, &m))
	}
	return p
}

// screen returns the values and clothes of a character for the character screen, as at its entry.
func (s *Server) screen(c *data.Character, items []rules.Item) session.Shown {
	sheet, look := world.SheetOf(s.options.World.Tables, s.World().Balance, world.Player{Character: int64(c.ID),
		Title: c.TitleLevel, Degree: c.DegreeLevel, Pools: vitalsOf(c), Appearance: lookOf(c), Items: items,
		Progress: c.Progress, Effects: c.Effects})
	return session.Shown{Sheet: sheet, Worn: look.Worn}
}

// id is the player's in the world.
func (p *player) id() world.PlayerID { return world.PlayerID(p.Index()) }

// post calls a function on the session's loop, unless it has ended by then. Any goroutine may call it.
func (p *player) post(do func(*player)) { p.Post(func(*session.Session) { do(p) }) }

// Introduce implements [Player].
func (p *player) Introduce() {
	for _, sections := range view.EncodeCarried(p.server.options.World.Tables, p.client, &p.entrant.Player) {
		p.Send(&packets.Body{Clock: p.Clock(), Sections: sections})
	}
	p.tellMe(view.StatsRegions(&p.entrant.values, p.entrant.Appearance.Female)...)
}

// tellMe sends the client something about its own player.
func (p *player) tellMe(regions ...packets.Region) {
	p.Send(packets.Message(p.Clock(), p.ID(), packets.ClassPlayer, regions...))
}

// Enter implements [Player].
func (p *player) Enter() {
	p.placed = true
	if l := p.entrant.into; l != nil {
		p.server.world.Do(world.EnterInside{Player: p.entrant.Player, Layout: l})
	} else {
		p.server.world.Do(world.Enter{Player: p.entrant.Player})
	}
	if all := p.character.Ignored; len(all) > 0 {
		p.server.world.Do(world.Ignore{ID: p.id(), All: all})
	}
	p.entrant = nil
}

// Recognised implements [Player]: objects that the client was told in words that it does not understand are told again.
func (p *player) Recognised(d packets.Dialect) {
	p.client.SetDialect(d)
	p.server.world.Do(world.ShowAgain{ID: p.id()})
}

// Moved implements [Player].
func (p *player) Moved(at coords.Position) {
	if said, _ := p.client.Standpoint.Get(); p.pinged && at == said {
		return
	}
	if p.server.world.Move(p.id(), at) {
		p.stand(at)
		p.pinged = true
	}
}

// stand notes where the player is: where its client says, until the world does not believe that or puts it elsewhere.
func (p *player) stand(at coords.Position) {
	p.pinged = false
	p.client.Standpoint.Set(at)
}

// manyBytes are the unread bytes of a client from which on the world shows it no further objects for a while.
const manyBytes = 16 << 10

// Owes implements [Player].
func (p *player) Owes(bytes int) {
	if behind := bytes > manyBytes; p.client.Behind.Load() != behind { // it is the same nearly always, and a store is dear
		p.client.Behind.Store(behind)
	}
}

// Leave implements [Player].
func (p *player) Leave() bool {
	p.leaveClans()
	if p.placed {
		p.server.world.Do(world.Leave{ID: p.id(), Lingers: p.Reason().ByClient()}) // onLeft goes on
		return true
	}
	p.server.view.Detach(p.client)
	return false
}

// onLeft saves a player that has left the world.
func (p *player) onLeft(e world.Left) {
	release := func(error) {
		p.server.view.Detach(p.client)
		p.Release()
	}
	if !e.Inside {
		release(nil)
		return
	}
	left, was := &e.Player, p.character
	c := data.Character{ID: was.ID, Name: was.Name, FirstHelp: was.FirstHelp}
	c.Position, c.Money, c.Tally = left.Position, left.Money, left.Tally
	c.Effects, c.Cooldowns = left.Effects, left.Cooldowns
	c.SetProgress(&rules.ProgressChange{Revision: left.Revision, Title: left.Title, Degree: left.Degree,
		Progress: left.Progress, Pools: left.Pools})
	c.Tutorial = was.Tutorial && (p.server.newcomers == nil || rules.AmongInstances(left.Position))
	c.LastSeen = time.Now()
	c.Played = was.Played + e.Played
	p.server.saver.saveCharacter(c, release)
}

// greeting tells a character that is in the world for the first time where to find everything else.
var greeting = text("Добро пожаловать! /куда — торговцы и монстры вашего уровня, /помощь — все команды.",
	"Welcome! /guide tells of traders and monsters of your level, /help of all commands.")

// entered tells a session that its player is inside. Its place is noted at once, since steps in its sight are told
// from it before its client has said where it is.
func (s *Server) entered(e world.Entered) {
	if c := s.view.Client(e.ID); c != nil {
		c.Standpoint.Begin(e.At)
	}
	s.post(e.ID, func(p *player) { p.inside(e) })
}

// inside begins life in the world.
func (p *player) inside(e world.Entered) {
	p.entered.Store(true)
	p.EnteredWorld(e.Players)
	p.enterClans()
	p.greet()
}

// enterRefused ends a session that the world does not admit.
func (s *player) enterRefused(e world.EnterRefused) {
	s.placed = false
	s.End(session.WorldRefused, e.Why.Error())
}

// moveRefused notes that where the client says it is does not count.
func (s *player) moveRefused(e world.MoveRefused) {
	s.stand(e.At)
	if e.Why != nil {
		s.RefusePosition(e.Why)
		s.server.doubts.add(s.Account(), s.Login(), s.character.Name, &e, time.Now())
	}
}

// poolsTick tells the client the MP, and the HP if they have grown; the article's clients are told of a constant.
func (s *player) poolsTick(e world.PoolsTick) {
	if s.server.options.Dialect == packets.Classic {
		s.SendSoon(packets.ClassicSixSeconds(s.Index()))
		return
	}
	if e.HPChanged {
		s.SendSoon(packets.Regenerated(s.ID(), s.Clock(), int32(e.Pools.HP)))
	}
	s.SendSoon(packets.SixSeconds(s.ID(), s.Clock(), int32(e.Pools.MP)))
}

// vitalsOf are the pools of a character.
func vitalsOf(c *data.Character) rules.Pools {
	return rules.Pools{HP: c.HP, MP: c.MP, MaxHP: rules.MaxHP(c.TitleLevel, c.DegreeLevel),
		MaxMP:   rules.MaxMP(c.TitleLevel, c.DegreeLevel),
		Satiety: c.Satiety, MaxSatiety: c.MaxSatiety}
}

// showLook tells viewers the player's appearance, except the parts that the world itself changes.
func (s *player) showLook() {
	c := s.character
	s.server.world.Do(world.ChangeClan{ID: s.id(), Clan: c.ClanName, Rank: int(c.ClanRank)})
}

// place is a stored position as the world has it. A position outside of the world, from an older store or a hand,
// becomes the start.
func (s *Server) place(p coords.Position) coords.Position {
	if p.Check() == nil {
		return p
	}
	return s.options.Start
}

// post runs a function on the loop of a player's session, behind all that its client was sent before.
func (s *Server) post(id world.PlayerID, do func(*player)) {
	s.view.Call(id, func(o view.Owner) { do(o.(*player)) })
}

// playerOf is the player with an id, nil for none. Any goroutine may ask, but touches only fields that say so.
func (s *Server) playerOf(id world.PlayerID) *player {
	if c := s.view.Client(id); c != nil {
		return c.Owner().(*player)
	}
	return nil
}

// clanState is a session's record of its player's clan.
type clanState struct {
	listed     atomic.Bool // it is, or was, in [clans.present]
	applied    time.Duration
	applicants []applicant // that want to join the player's clan, oldest first
	recruits   []recruit   // the players that this one has asked to join, oldest first
}

// A recruit has been asked to join the clan of a player.
type recruit struct {
	who   *player
	clan  string
	until time.Duration // on the clock of the asking player's loop
}

// An applicant has asked a player to be taken into its clan.
type applicant struct {
	session *player
	name    string
	who     data.CharacterID
	master  bool          // it is a game master
	clan    string        // of the asked player
	until   time.Duration // on the clock of the asked player's loop
}
