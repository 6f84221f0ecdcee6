package world

import (
	"math"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// whisperRange is how far [Near] and [Whisper] are heard, in metres.
const whisperRange = 5

// Say says something. *[Said] or [SayRefused] follows. Who hears it, depends on the channel: [Near] and [Whisper]
// those within 5 m, [Normal] those within [Options].Hearing, [Trade] all, [Special] all if a game master says it,
// [Clan], [ClanSay] and [Alliance] those of the same clan (alliances are not known), [Party] and [PartySay] the
// party, [Private] the one who is named.
type Say struct {
	From    PlayerID
	Channel Channel
	To      string // for [Private]: the name of a player; case does not matter
	Text    string // checked and cleaned already
}

func (c Say) who() PlayerID { return c.From }

func (c Say) act(w *World, p *player) {
	from := len(w.ids)
	if why := w.recipients(p, c); why != 0 {
		w.tell(SayRefused{c.From, c.Channel, c.To, why})
		return
	}
	w.tell(w.said.put(Said{c.From, p.Name, c.Channel, c.Text, w.list(from)}))
}

// Broadcast says something to all in the server's name. *[Said] follows.
type Broadcast struct{ Text string }

func (Broadcast) who() PlayerID { return 0 }

func (c Broadcast) do(w *World) {
	from := len(w.ids)
	w.everybody(func(*player) bool { return true })
	w.tell(w.said.put(Said{Channel: Special, Text: c.Text, To: w.list(from)}))
}

// recipients appends those who hear a line to w.ids, or says why nobody does.
func (w *World) recipients(p *player, c Say) rules.RejectReason {
	switch c.Channel {
	case Near, Whisper:
		w.within(p.Position, p.inside, whisperRange)
	case Normal:
		w.within(p.Position, p.inside, w.options.Hearing)
	case Trade:
		w.everybody(func(*player) bool { return true })
	case Special:
		if p.Role < GameMaster {
			return rules.NotAllowed
		}
		w.everybody(func(*player) bool { return true })
	case Clan, ClanSay, Alliance:
		if p.Appearance.Clan == "" {
			return rules.NoClan
		}
		w.everybody(func(q *player) bool { return q.Appearance.Clan == p.Appearance.Clan })
	case Party, PartySay:
		if p.party == nil {
			return rules.NoParty
		}
		for _, q := range p.party.members {
			w.ids = append(w.ids, q.ID)
		}
	case Private:
		q := w.named(c.To)
		switch q {
		case nil:
			return rules.NobodyThere
		case p:
			return rules.Yourself
		}
		w.ids = append(w.ids, q.ID, p.ID)
	default:
		return rules.UnknownChannel
	}
	return 0
}

// everybody appends the players who fit to w.ids.
func (w *World) everybody(fits func(*player) bool) {
	for _, e := range w.all[players] {
		if p := e.player; fits(p) {
			w.ids = append(w.ids, p.ID)
		}
	}
}

// within appends the players within a distance of a place, in an instance or with nil in the open world, to w.ids.
func (w *World) within(at coords.Position, in *instance, distance float64) {
	square := distance * distance
	if math.Pow(2*distance/w.grid.size+1, 2) > float64(len(w.all[players])) { // more cells than players
		w.everybody(func(p *player) bool { return p.inside == in && distSq(&at, &p.Position) <= square })
		return
	}
	w.cells = w.grid.around(at, in, distance, w.cells[:0])
	for _, c := range w.cells {
		for _, e := range c.of[players] {
			if distSq(&at, &e.at) <= square {
				w.ids = append(w.ids, PlayerID(e.id))
			}
		}
	}
}
