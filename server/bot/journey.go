package bot

import (
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

const (
	// arrivalPatience is how soon a token has to take its user away.
	arrivalPatience = 5 * time.Second
	// arrivalError is how far from where its number says a token may lead, in metres. Source: protocol life 16.
	arrivalError = 1
)

// A voyage is that the character has used a token and waits to be taken where its number leads.
type voyage struct {
	token packets.ObjectID
	to    coords.Position
	used  bool // the server has said that it is
	over  bool // the character is there
}

// isToken reports whether an object is a token with a number that the client was told.
func isToken(o *Object) bool { return rules.ClassOf(int(o.Class)).Use == rules.Token && o.Leads != 0 }

// seekTeleport goes to the nearest teleport in view with a token that leads to another place of the continent, if the
// character carries one.
func (c *Client) seekTeleport(now time.Time) error {
	token := c.pocketed(isToken)
	if token == nil {
		return nil
	}
	to, ok := content.DestinationOf(token.Leads)
	here, open := content.ContinentOf(c.Position)
	if there, _ := content.ContinentOf(to.Position); !ok || !open || here.Key != there.Key {
		return nil
	}
	teleport := c.Nearest(func(o *Object) bool { return rules.TakesTokens(int(o.Class)) })
	if teleport = c.within(teleport, traderInView); teleport != nil {
		c.beginTask(c.journey(token.ID, teleport.ID, to.Position), now)
	}
	return nil
}

// journey uses a token on a teleport, and waits until it has led the character away.
func (c *Client) journey(token, teleport packets.ObjectID, to coords.Position) func(now time.Time) error {
	var asked time.Time
	return func(now time.Time) error {
		t, o := c.Objects[teleport], c.Objects[token]
		switch v := c.busy.voyage; {
		case v != nil && v.over:
			c.busy.voyage = nil
		case v != nil && now.Sub(asked) > arrivalPatience:
			if v.used {
				c.find(StateDiffers, "a token that leads to %s is used, and the character is left at %s", placeText(v.to),
					placeText(c.Position))
			}
			c.busy.voyage = nil
		case v != nil:
			return nil
		case t == nil || o == nil:
		case !c.approach(t.Position, now):
			return nil
		default:
			asked, c.busy.voyage = now, &voyage{token: token, to: to}
			return c.about("use", token, &packets.UseOn{Player: c.ID(), Target: teleport})
		}
		c.endTask(now)
		return nil
	}
}

// tokenUsed notes that the server says of a token that it is used.
func (c *Client) tokenUsed(o *Object, m *packets.Used) {
	if v := c.busy.voyage; v != nil && v.token == o.ID && m.Player == c.ID() {
		v.used = true
	}
}

// arrived judges where a token has led the character.
func (c *Client) arrived(at coords.Position) {
	v := c.busy.voyage
	if v == nil || !v.used || v.over {
		return
	}
	v.over = true
	c.tally.Journeys.Add(1)
	if at.Distance(v.to) > arrivalError {
		c.find(StateDiffers, "a token that leads to %s has led to %s", placeText(v.to), placeText(at))
	}
}
