package bot

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// receive acts on one frame. Frequent frames are recognised without decoding them in full.
func (c *Client) receive(frame []byte) {
	c.tally.FramesIn.Add(1)
	if c.options.OnFrame == nil {
		if isKeepalive(frame) {
			c.keepalive()
			return
		}
		if origin, clock, id, ok := readPong(frame); ok && c.state != stateGreeted {
			c.pong(frame, origin, clock, id)
			return
		}
		if c.movements(frame) {
			return
		}
	}
	f, err := packets.DecodeFrame(frame, packets.FromServer, c.options.Dialect)
	if err != nil {
		if c.options.Dialect == packets.Classic && isClassicTime(frame) {
			c.watch.timeAt = time.Now()
			return
		}
		c.find(Undecodable, "%v: %s", err, shown(frame))
	}
	if f == nil {
		return
	}
	if c.options.OnFrame != nil {
		c.options.OnFrame(f)
	}
	if f.Reserved != 0 {
		c.find(StrangeFrame, "byte 4 is %#02x: %s", f.Reserved, shown(frame))
	}
	if f.Body == nil {
		c.control(f.Control, frame)
	} else {
		if n := f.Body.UnknownBits(); n > 0 && err == nil {
			c.find(UnknownBits, "%d bits: %s", n, shown(frame))
		}
		c.body(f.Body, frame)
	}
}

func (c *Client) control(m packets.Control, frame []byte) {
	switch m := m.(type) {
	case *packets.Greeting:
		if c.state != stateConnected {
			c.find(OutOfPlace, "a second greeting")
			return
		}
		c.Key = m.Key
		c.state = stateGreeted
		c.tell("greeted: number %d, key 0x%04X", m.Number, m.Key)
		_ = c.sendControl(&packets.GreetingReply{Value: packets.GreetingReplyValue}) // the state tells if it fails
	case *packets.Keepalive:
		c.keepalive()
	case *packets.Refused:
		c.refused(m.Why)
	default:
		c.find(StrangeFrame, "%s: %s", m.Channel(), shown(frame))
	}
}

// refused notes the limit that keeps the client out. During a login it follows the refusal of that.
func (c *Client) refused(why string) {
	refusal := fmt.Errorf("bot: %w", withReason(ErrFull, why))
	if c.state == stateLoggingIn {
		c.seen.limit = why
		return
	}
	c.seen.refusal = refusal
	_ = c.over(refusal)
}

// A limitError is a server's word for why it refuses a client.
type limitError string

// Error implements error.
func (e limitError) Error() string { return string(e) }

// sort is the word without its variable part.
func (e limitError) sort() string {
	sort, _, _ := strings.Cut(string(e), ": ")
	return sort
}

// untoldRefusal has the possible reasons of a refused login without a word: clients are not told which.
const untoldRefusal = "wrong password, banned, or in use already; the server's log says which"

// longestReason, in bytes, bounds the shown part of a server's words.
const longestReason = 120

// withReason adds a server's words to an error, unless there are none that can be shown.
func withReason(err error, why string) error {
	if why = why[:min(len(why), longestReason)]; why == "" || strings.ContainsFunc(why, notASCII) {
		return err
	}
	return fmt.Errorf("%w: %w", err, limitError(why))
}

func notASCII(r rune) bool { return r < ' ' || r > '~' }

func (c *Client) keepalive() {
	c.seen.keepalive = true
	c.watch.heard++
	c.watch.kept++
}

func (c *Client) pong(frame []byte, origin coords.Origin, clock uint16, id packets.ObjectID) {
	now := time.Now()
	if id != c.ID() {
		c.find(WrongID, "answer to a position message of %s for %s: %s", c.ID(), id, shown(frame))
		return
	}
	if !c.pings.waitFor(origin) && c.unasked(now) {
		return
	}
	ping, skipped, ok := c.pings.answer(origin)
	if !ok {
		c.find(OutOfPlace, "answer to a position message that was not sent: %s", shown(frame))
		return
	}
	for range skipped {
		c.find(Unanswered, "a later position message was answered")
	}
	if ping.origin != origin {
		c.find(WrongOrigin, "sent %v, answered %v: %s", ping.origin, origin, shown(frame))
	}
	latency := now.Sub(ping.at)
	c.pings.last = Pong{origin, clock, latency}
	c.trackedBot.answered(ping.at, now)
	c.tally.Pongs.Add(1)
	c.tally.Answers.Record(latency)
	if c.options.Dialect != packets.Classic {
		c.checkClock(clock, ping.at, now)
	}
}

// A step is where an object goes.
type step struct {
	of *Object
	to coords.Position
}

// movements acts on a frame that does nothing but move objects that the client holds, and reports whether it was one.
// Source: protocol ingame 9.5.
func (c *Client) movements(frame []byte) bool {
	h, ok := readHead(frame)
	if !ok || !h.moving {
		return false
	}
	// First only look, so that a frame which turns out to be something else has had no effect.
	c.steps = c.steps[:0]
	for {
		id, class, marker := h.section()
		o := c.Objects[id]
		if marker != updateMarker || o == nil || o.Class != class || o.Player != nil && o.Gear == nil ||
			o.Monster != nil && o.Monster.Dying {
			return false
		}
		x, y, z := coords.Rel12(h.r.Uint(12)), coords.Rel12(h.r.Uint(12)), coords.Rel12(h.r.Uint(12))
		c.steps = append(c.steps, step{o, moved(x, y, z, coords.Angle8(h.r.Uint(8)), h.origin)})
		if h.r.Err() != nil {
			return false
		}
		if h.r.Left() < markerBits {
			break
		}
		next := h.r.Uint(markerBits)
		if next == 0 && h.r.Left() < 8 && h.r.Uint(h.r.Left()) == 0 {
			break
		}
		if next != nextMarker {
			return false
		}
	}
	for _, s := range c.steps {
		c.monsterMoved(s.of, s.to, h.clock)
		s.of.Position = s.to
	}
	c.checkFrameClock(h.clock)
	return true
}

func (c *Client) body(b *packets.Body, frame []byte) {
	c.checkFrameClock(b.Clock)
	c.beginUpdate()
	defer c.endUpdate(frame)
	for i := range b.Sections {
		s := &b.Sections[i]
		switch s.Class {
		case packets.ClassNone:
			c.remove(s, frame)
		case packets.ClassMain:
			for _, r := range s.Regions {
				if m, ok := r.(*packets.GameTime); ok {
					c.Time = m.Time
					c.seen.time = true
					c.watch.timeAt = time.Now()
				}
			}
			c.checkReady("game time")
		case packets.ClassStat:
			c.population(s)
		case packets.ClassChat:
			c.chat(s)
		case packets.ClassPlayer:
			if c.state == stateGreeted {
				c.credentials(s)
			}
			if s.Object == c.ID() {
				c.own(b, s, frame)
			} else {
				c.other(b, s, frame)
			}
		default:
			c.thing(b, s, frame)
		}
	}
}

func (c *Client) population(s *packets.Section) {
	for _, r := range s.Regions {
		switch m := r.(type) {
		case *packets.PlayerCountSpawn:
			c.Players, c.seen.count = int(m.Players), true
		case *packets.PlayerCount:
			c.Players = int(m.Players)
		default:
			continue
		}
		c.checkReady("number of players")
	}
}

// credentials tells the client its index. Source: protocol session 4.3.
func (c *Client) credentials(s *packets.Section) {
	for _, r := range s.Regions {
		command, _ := packets.CommandOf(r)
		if _, ok := command.(*packets.LoginTime); ok {
			c.Index = packets.PlayerIndexOf(s.Object)
			c.state = stateLogin
			c.tell("credentials: index %s, object id %s", c.Index, c.ID())
			return
		}
	}
}

func (c *Client) own(b *packets.Body, s *packets.Section, frame []byte) {
	for _, r := range s.Regions {
		switch m := r.(type) {
		case *packets.WorldSnapshot:
			if c.state != stateChoosing || c.seen.snapshot {
				c.find(OutOfPlace, "enter world without being asked for")
			}
			c.Snapshot, c.Money, c.update.money, c.seen.snapshot = *m, m.Money, m.Money, true
			c.Snapshot.Occupied, c.Snapshot.Weights = slices.Clone(m.Occupied), slices.Clone(m.Weights)
			c.Clan = Clan{Name: m.Clan, Rank: int(m.ClanRank)}
			c.Position = coords.Position{X: m.X, Y: m.Y, Z: m.Z, Yaw: m.Yaw}
		case *packets.SetStat:
			c.stat(m)
		case *packets.ReceiveHit:
			c.receiveHit(m, frame)
		case *packets.PositionStream:
			if m.Count == 0 {
				c.pong(frame, b.Origin, b.Clock, s.Object)
			}
		case *packets.PlayerSpawn:
			c.find(SecondSpawn, "the own character")
		case *packets.TransformState:
			c.stand(placed(m.X, m.Y, m.Z, m.Angle))
		default:
			if command, ok := packets.CommandOf(r); ok {
				c.command(command, frame)
			}
		}
	}
}

func (c *Client) stat(m *packets.SetStat) {
	c.checkReady("a value of the character")
	c.vitalStat(m)
	if slices.Contains(rewards[:], m.Stat) && c.Stats[m.Stat] != m.Value {
		c.update.rewarded = true
	}
	c.Stats[m.Stat] = m.Value
	if m.Stat >= packets.StatBaseStrength && m.Stat <= packets.StatBaseFire {
		c.heard(valueTold)
	}
	switch m.Stat {
	case packets.StatMaxHP:
		c.seen.stats = true
	case packets.StatMP:
		c.watch.sixAt = time.Now()
		if c.options.Dialect == packets.Classic {
			c.watch.heard++ // the article's answer to a keepalive is one of these
		}
	case packets.StatMoney:
		c.Money = uint32(m.Value)
	}
}

// hearNumber hears one of the client's own texts, of which the server says the number: "#10302".
func (c *Client) hearNumber(text int, argument string) {
	said := fmt.Sprintf("#%d%s", text, argument)
	c.hear(Line{Text: said, Message: said})
	c.heardWords()
}

func (c *Client) command(command packets.Command, frame []byte) {
	switch m := command.(type) {
	case *packets.CannotConnect:
		c.seen.refusal = ErrRefused
	case *packets.AccountExpired:
		c.seen.refusal = ErrExpired
	case *packets.CharacterScreen:
		if c.state != stateLoggingIn || c.seen.screen {
			c.find(OutOfPlace, "character screen without being asked for")
		}
		c.seen.screen = true
	case *packets.CharacterRecord:
		if !c.seen.screen || c.records == len(c.Screen.Characters) {
			c.find(OutOfPlace, "a character's record outside of the character screen")
			return
		}
		c.Screen.Characters[c.records] = Character{*m, m.Look >= 0 && m.Look <= packets.EmptySlotLook || m.Name == ""}
		c.records++
	case *packets.NameAccepted:
		c.seen.accepted = true
	case *packets.NameRejected:
		c.seen.rejected = true
	case *packets.ChangeHP:
		c.Stats[packets.StatHP] += int32(m.Change) - packets.HPBias
	case *packets.SetCoordinates:
		c.stand(coords.Position{X: m.X, Y: m.Y, Z: m.Z, Yaw: m.Yaw})
	case *packets.SetPlace:
		c.stand(coords.Position{X: m.X, Y: m.Y, Z: m.Z, Yaw: c.Position.Yaw})
	case *packets.PlayEffect:
		c.update.vitals.regained = c.update.vitals.regained || m.Effect == packets.RegenerationEffect
	case *packets.PlayEffect8: // with the HP, of older servers
		c.update.vitals.regained = c.update.vitals.regained || m.Effect == packets.RegenerationEffect&0xFF
	case *packets.SystemMessage:
		c.hear(Line{Text: m.Text, Message: m.Text})
		c.heardWords()
	case *packets.SystemText:
		c.missionText(int(m.Text))
		c.hearNumber(int(m.Text), "")
	case *packets.SystemTextNumber:
		c.hearNumber(int(m.Text), fmt.Sprintf(" %d", m.Argument))
	case *packets.MapMark:
		c.missionMarked(m)
	default:
		_ = c.ownCommand(command, frame) || c.chatParts(command) || c.groupCommand(command) || c.clanCommand(command)
	}
}

// stand puts the character where the server says.
func (c *Client) stand(at coords.Position) {
	if err := at.Check(); err != nil {
		c.find(StateDiffers, "put outside of the world: %v", err)
		return
	}
	if c.trail.before(at) && !c.fight.dead { // a character may well wake up where it was before
		c.tally.PutBack.Add(1)
		c.detour = fmt.Errorf("bot: %w: at %s, put back to %s", ErrPutBack, placeText(c.pingedAt), placeText(at))
		c.tell("the server does not believe %s: put back to %s", placeText(c.pingedAt), placeText(at))
	} else {
		c.detour = fmt.Errorf("bot: put at %s on the way", placeText(at))
		c.tell("put at %s", placeText(at))
	}
	c.trail.add(at)
	c.arrived(at)
	c.missionPlaced(at)
	c.heard(placeTold)
	c.Position, c.pingedAt = at, at
	c.trackedBot.put(at, time.Now())
	c.walker.settle(at, time.Now())
	c.due[jobPing] = time.Now()
	if c.state == stateInWorld && c.does(jobPing) && !c.dead() { // without that a server believes nothing else
		c.due[jobPing] = time.Now().Add(c.options.PingEvery)
		_ = c.sendPing() // an error shows with the next message
	}
}
