package world

import (
	"slices"

	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// whisperRange is how far [Near] and [Whisper] are heard, in metres.
const whisperRange = 5

// Say says something. *[Said] or [SayRefused] follows. The channel decides the recipients: [Near] and [Whisper]
// players within 5 m, [Normal] those within [Options].Hearing, [Trade] all, [Special] all if a game master says it,
// [Clan], [ClanSay] and [Alliance] those of the same clan (alliances are not known), [Party] and [PartySay] the
// party, [Private] the named player. Of these, [Ignore] takes some from all channels but those of parties and clans.
type Say struct {
	From    PlayerID
	Channel Channel
	To      string // for [Private]: the name of a player; case does not matter
	Text    string // checked and cleaned already
}

func (c Say) who() PlayerID { return c.From }

func (c Say) act(w *World, p *player) {
	from := len(w.ids)
	if why := w.social.recipients(p, c); why != 0 {
		w.tell(SayRefused{c.From, c.Channel, c.To, why})
		return
	}
	if len(w.ignores) > 0 && (c.Channel == Near || c.Channel == Whisper || c.Channel == Normal || c.Channel == Trade) {
		w.ids = append(w.ids[:from], slices.DeleteFunc(w.ids[from:], func(id PlayerID) bool {
			return w.ignoring(w.player(id), p)
		})...)
	}
	w.tell(w.said.put(Said{c.From, p.Name, c.Channel, c.Text, w.list(from)}))
}

// Broadcast says something to all in the server's name. *[Said] follows.
type Broadcast struct{ Text string }

func (Broadcast) who() PlayerID { return 0 }

func (c Broadcast) do(w *World) {
	from := len(w.ids)
	w.social.everybody(func(*player) bool { return true })
	w.tell(w.said.put(Said{Channel: Special, Text: c.Text, To: w.list(from)}))
}

// recipients appends the recipients of a line to core.ids, or says why it has none.
func (so *social) recipients(p *player, c Say) rules.RejectReason {
	switch c.Channel {
	case Near, Whisper:
		so.within(p.Position, p.inside, whisperRange)
	case Normal:
		so.within(p.Position, p.inside, so.options.Hearing)
	case Trade:
		so.everybody(func(*player) bool { return true })
	case Special:
		if p.Role < GameMaster {
			return rules.NotAllowed
		}
		so.everybody(func(*player) bool { return true })
	case Clan, ClanSay, Alliance:
		if p.Appearance.Clan == "" {
			return rules.NoClan
		}
		so.everybody(func(q *player) bool { return q.Appearance.Clan == p.Appearance.Clan })
	case Party, PartySay:
		if p.party == nil {
			return rules.NoParty
		}
		for _, q := range p.party.members {
			so.ids = append(so.ids, q.ID)
		}
	case Private:
		q := so.named(c.To)
		switch q {
		case nil:
			return rules.NobodyThere
		case p:
			return rules.Yourself
		}
		if so.ignoring(q, p) {
			return rules.IgnoresYou
		}
		so.ids = append(so.ids, q.ID, p.ID)
	default:
		return rules.UnknownChannel
	}
	return 0
}

// everybody appends all players that fit to core.ids.
func (so *social) everybody(fits func(*player) bool) {
	for _, e := range so.all[players] {
		if p := e.player; fits(p) {
			so.ids = append(so.ids, p.ID)
		}
	}
}

// within appends the players within a distance of a place, in an instance or with nil in the open world, to core.ids.
func (so *social) within(at coords.Position, in *instance, distance float64) {
	square := distance * distance
	if so.places.space.Squares(distance) > float64(len(so.all[players])) {
		so.everybody(func(p *player) bool { return p.inside == in && space.DistSq(&at, &p.Position) <= square })
		return
	}
	for e := range so.places.space.Around(at, in.number(), distance, players) {
		if space.DistSq(&at, &e.At) <= square {
			so.ids = append(so.ids, PlayerID(e.Number))
		}
	}
}
