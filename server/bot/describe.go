package bot

import (
	"fmt"
	"strings"
	"time"

	"sphereserver/packets"
	"sphereserver/server/measure"
)

func (c *Client) tellScreen(login string) {
	if c.options.Tell == nil {
		return
	}
	c.tell("logged in as %q", login)
	for i := range c.Screen.Characters {
		r := &c.Screen.Characters[i]
		if r.Empty {
			c.tell("  slot %d: empty", i)
			continue
		}
		c.tell("  slot %d: %s, title %d, degree %d, HP %d/%d, MP %d/%d, satiety %d/%d", i, r.Name, r.Title+1, r.Degree+1,
			r.HP, r.MaxHP, r.MP, r.MaxMP, r.Satiety, r.MaxSatiety)
	}
}

func (c *Client) tellWorld() {
	if c.options.Tell == nil {
		return
	}
	c.tell("in the world as %s at %s, it is %s, %d players", c.Snapshot.Name, placeText(c.Position), c.Time, c.Players)
	c.tell("  %s, satiety %d/%d, money %d", c.pools(), c.Stats.Value(packets.StatSatiety),
		c.Stats.Value(packets.StatMaxSatiety), c.Money)
	for _, it := range c.Items() {
		s := fmt.Sprintf("  slot %d: %s %s", it.Slot, it.Class, it.ID)
		if it.GameID != 0 {
			s += fmt.Sprintf(", number %d", it.GameID)
		}
		if it.Count > 1 {
			s += fmt.Sprintf(", %d pieces", it.Count)
		}
		c.tell("%s, weight %d", s, it.Weight)
	}
}

func (c *Client) pools() string {
	return fmt.Sprintf("HP %d/%d, MP %d/%d", c.Stats.Value(packets.StatHP), c.Stats.Value(packets.StatMaxHP),
		c.Stats.Value(packets.StatMP), c.Stats.Value(packets.StatMaxMP))
}

// Status is a line about how the client is, for people.
func (c *Client) Status() string {
	var d measure.Distribution
	c.tally.Answers.AddTo(&d)
	s := fmt.Sprintf("at %s, %s, %d positions answered, p50 %s, max %s, %s, %d players", placeText(c.Position), c.pools(),
		d.Count, milliseconds(d.Quantile(0.5)), milliseconds(d.Max), c.Time, c.Players)
	objects := 0
	for _, o := range c.Objects {
		if o.Player == nil && o.Parent == packets.NoObject {
			objects++
		}
	}
	var around []string
	if c.people > 0 {
		around = append(around, fmt.Sprintf("%d players", c.people))
	}
	if objects > 0 {
		around = append(around, fmt.Sprintf("%d objects", objects))
	}
	if len(around) > 0 {
		s += ", near: " + strings.Join(around, ", ")
	}
	return s
}

// milliseconds shows a time as people read latencies.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	digits := 2
	for limit := 10.0; ms >= limit && digits > 0; limit *= 10 {
		digits--
	}
	return fmt.Sprintf("%.*f ms", digits, ms)
}
