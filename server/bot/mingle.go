package bot

import "time"

var smallTalk = [...]string{"Привет всем!", "Как дела?", "Кто в пещеру?",
	"Продам хлеб, недорого.", "Собираю группу.", "Где тут кузнец?", "Хорошая погода.",
	"Кто знает, где телепорт?", "Меняю меч на топор.", "Пойду посплю.", "Осторожно, там медведь.", "Спасибо!", "Подождите меня.", "Всем удачи!",
	"Есть лекарь?", "До города далеко?"}

// channelNormal is the channel for all around. Source: protocol ingame 15.2.
const channelNormal = 2

// groupStep does one thing about groups: those without one found or seek one, leaders let in who has applied, and now
// and then somebody leaves.
func (c *Client) groupStep(now time.Time) error {
	g, own := &c.Group, c.Snapshot.Name
	switch {
	case len(g.Applicants) > 0 && g.Leads(own):
		name := g.Applicants[0]
		g.Applicants = g.Applicants[1:] // may have changed its mind: it is not asked for twice
		return c.AcceptIntoGroup(name)
	case g.Leads(own) && len(g.Members) == 1:
		return nil // waits
	case g.Leads(own) && c.rand.IntN(4) == 0:
		return c.ExpelFromGroup(g.Members[len(g.Members)-1].Name)
	case len(g.Members) > 0 && c.rand.IntN(4) == 0:
		return c.LeaveGroup()
	case len(g.Members) > 0:
		return nil
	case c.rand.IntN(4) == 0:
		return c.CreateGroup()
	}
	if leader := c.someLeader(now); leader != "" {
		return c.ApplyToGroup(leader)
	}
	return nil
}

// someLeader is the name of somebody who leads a group, or might, "" for nobody.
func (c *Client) someLeader(now time.Time) string {
	if s := c.options.groundTruth; s != nil {
		if a := s.someLeader(now, c.rand); a != nil && a != c.trackedBot {
			return a.name
		}
		return ""
	}
	for _, o := range c.Objects {
		if o.Player != nil {
			return o.Player.Name
		}
	}
	return ""
}
