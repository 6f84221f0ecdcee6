package game

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Players that were inside when the server ended come back to the start of a dungeon each, and when they have gone
// all cells are free.
func TestLifeCheck2_7AHundredComeBackToAStart(t *testing.T) {
	t.Parallel()
	const many = 100
	g := newStage(t, func(o *Options) { inDungeons(o); o.Timeouts.Silence = time.Hour })
	i := 0
	all := g.livingTogether(many, func(n *data.NewCharacter) {
		n.Position = rules.InstanceOrigin(i % 10) // some cells held more than one, before and after an earlier start
		n.Position.X, n.Position.Y, n.Tutorial = n.Position.X-20, n.Position.Y+2, true
		i++
	})
	g.server.world.Do(world.Publish{})
	g.pass(100 * time.Millisecond)
	cells := map[world.InstanceID]bool{}
	for _, p := range all {
		v, _ := g.server.viewOf(p.pid())
		cells[v.Instance] = true
		start := g.server.newcomers.Start
		o := rules.InstanceOrigin(int(v.Instance) - 1)
		if at := (coords.Position{X: o.X + start.X, Y: o.Y + start.Y, Z: o.Z + start.Z}); v.Instance == 0 ||
			v.Position.Distance(at) > 0.1 {
			t.Errorf("it is at %v in dungeon %d, expected %v", v.Position, v.Instance, at)
		}
	}
	if len(cells) != many {
		t.Errorf("they are in %d dungeons", len(cells))
	}
	for _, p := range all {
		p.hangUp()
	}
	g.pass(g.server.world.Balance().Spawn.InstanceLinger + 5*time.Second)
	if left := g.server.world.Snapshot().Instances; len(left) != 0 {
		t.Errorf("left are %d dungeons", len(left))
	}
}

// Inside, the command for stuck players leads to the start, then to the city; not twice within a minute.
func TestLifeCheck2_8UnstuckOnceAMinute(t *testing.T) {
	t.Parallel()
	g := newStage(t, inDungeons)
	c := g.connect().in(session.InWorld)
	g.pass(time.Second)
	start := c.p().Here()
	rests := func(d time.Duration) {
		for range int(d / time.Second) {
			c.ping(c.p().Here())
			g.pass(time.Second)
		}
	}
	says := func(want view.TextNumber) {
		t.Helper()
		c.frames()
		c.p().Command("/unstuck")
		g.until("it is answered", func() bool {
			var bodies []*packets.Body
			for _, f := range c.frames() {
				if f.Body != nil {
					bodies = append(bodies, f.Body)
				}
			}
			return slices.ContainsFunc(texts(bodies), func(m [2]int) bool { return m[0] == int(want) })
		})
	}
	c.walk(-28, 1.6, 2)
	says(view.TextEvacuates)
	rests(g.server.options.Delays.Unstuck + 2*time.Second)
	if is := c.p().Here(); is.Distance(start) > 0.1 || c.dungeonOf() == 0 {
		t.Errorf("it is at %v, expected %v", is, start)
	}
	says(view.TextEvacuateLater)
	rests(time.Minute)
	says(view.TextEvacuates)
	rests(g.server.options.Delays.Unstuck + 2*time.Second)
	if is := c.p().Here(); rules.AmongInstances(is) || c.dungeonOf() != 0 {
		t.Errorf("then it is at %v", is)
	}
}

// givesTo changes the giver of missions, so that it gives them to other players.
func (p *possessor) givesTo(change func(*rules.MissionGiver)) {
	p.g.pass(1500 * time.Millisecond) // for the snapshot
	for o := range p.g.server.World().Objects() {
		if npc, ok := o.Kind.(world.NPC); ok && npc.Giver != nil {
			change(npc.Giver)
		}
	}
}

// texts are the client's own texts in bodies, with their numbers.
func texts(bodies []*packets.Body) (out [][2]int) {
	for _, b := range bodies {
		commandsIn(b, func(_ *packets.Section, c packets.Command) {
			switch m := c.(type) {
			case *packets.SystemText:
				out = append(out, [2]int{int(m.Text)})
			case *packets.SystemTextNumber:
				out = append(out, [2]int{int(m.Text), int(m.Argument)})
			}
		})
	}
	return out
}

// A player that gets no mission is told why in the client's words.
func TestLifeCheck4_3RefusalsInTheClientsWords(t *testing.T) {
	t.Parallel()
	p := questing(t, "b001")
	anybody := rules.MissionGiver{TitleMax: 60, DegreeMax: 60, KarmaMin: 1, KarmaMax: 5}
	for _, c := range []struct {
		change func(*rules.MissionGiver)
		want   [][2]int
	}{
		{func(g *rules.MissionGiver) { g.TitleMin = 3 }, [][2]int{{66}, {67, 4}}},
		{func(g *rules.MissionGiver) { g.TitleMax = -1 }, [][2]int{{66}, {68, 0}}},
		{func(g *rules.MissionGiver) { g.DegreeMin = 9 }, [][2]int{{66}, {69, 10}}},
		{func(g *rules.MissionGiver) { g.DegreeMax = -1 }, [][2]int{{66}, {70, 0}}},
		{func(g *rules.MissionGiver) { g.KarmaMin = 5 }, [][2]int{{66}, {71}}},
		{func(g *rules.MissionGiver) { g.KarmaMax = 1 }, [][2]int{{66}, {72}}},
	} {
		p.givesTo(func(g *rules.MissionGiver) {
			g.TitleMin, g.TitleMax, g.DegreeMin, g.DegreeMax = 0, anybody.TitleMax, 0, anybody.DegreeMax
			g.KarmaMin, g.KarmaMax = anybody.KarmaMin, anybody.KarmaMax
			c.change(g)
		})
		if got := texts(p.wishes(0)); !slices.Equal(got, c.want) {
			t.Errorf("told %v, expected %v", got, c.want)
		}
	}
	p.givesTo(func(g *rules.MissionGiver) { g.KarmaMax = 5 })
	p.g.server.world.Balance().Mission.Wait = time.Minute
	if got := texts(p.wishes(0)); !slices.Equal(got, [][2]int{{75}}) {
		t.Errorf("who may is told %v", got)
	}
	npc := p.seen(view.NPCEntry)
	p.frames()
	p.say(packets.Message(1000, packets.ObjectID(npc.ID), npc.Class, contMan(&packets.MissionRequest{Data: []byte{0}})))
	p.g.pass(150 * time.Millisecond)
	second := p.frames() // it is refused in words of ours: the client has none
	if words := commandsOf[*packets.SystemMessage](second); len(words) != 1 || p.missions(t) != 1 ||
		!strings.Contains(words[0].Text, "уже есть задание") || len(commandsOf[*packets.SystemText](second)) != 0 {
		t.Errorf("a second one is refused by %+v, it has %d keys", words, p.missions(t))
	}
	p.p().Command("/mission drop")
	p.g.until("the key is gone", func() bool { return p.missions(t) == 0 })
	if got := texts(p.wishes(0)); !slices.Equal(got, [][2]int{{173}}) {
		t.Errorf("too early it is told %v", got)
	}
}

// The name over the target is the one that its key names.
func TestLifeCheck4_6TheTargetIsCalledAsItsKeySays(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"k001", "b001"} {
		p := questing(t, kind)
		var target *packets.MissionTarget
		bodies := p.wishes(0) // the target may be in sight at once
		for _, r := range keyOf(t, bodies).Regions {
			if c, ok := packets.CommandOf(r); ok {
				if m, ok := c.(*packets.MissionTarget); ok {
					target = m
				}
			}
		}
		if kind == "k001" {
			door := p.seen(view.PortalEntry)
			p.say(packets.Message(1000, packets.ObjectID(door.ID), door.Class, contMan(&packets.Use{Player: p.s().ID()})))
		}
		p.g.pass(1500 * time.Millisecond) // for the snapshot
		for o := range p.g.server.World().Objects() {
			if m, ok := o.Kind.(*world.Monster); ok && m.Name == target.Name {
				p.goTo(o.Position)
			}
		}
		for _, f := range p.frames() {
			if f.Body != nil {
				bodies = append(bodies, f.Body)
			}
		}
		var over []int32
		for _, b := range bodies {
			commandsIn(b, func(s *packets.Section, c packets.Command) {
				if m, ok := c.(*packets.DisplayName); ok && s.Class == packets.ClassMonster {
					over = append(over, m.Code)
				}
			})
		}
		if n := slices.Index(over, target.Name); n < 0 || slices.Contains(over[n+1:], target.Name) {
			t.Errorf("%s: the key names %d, over monsters are %v", kind, target.Name, over)
		}
	}
}

// The end of a mission's time is told in the client's words, at once and to a player that was away then.
func TestLifeCheck4_10TheClientIsToldThatItsTimeIsOver(t *testing.T) {
	t.Parallel()
	p := questing(t, "b001")
	p.g.server.world.Balance().Mission.Lasts = 20 * time.Second
	p.wishes(0)
	p.g.pass(21 * time.Second)
	if got := texts(p.told()); !slices.Equal(got, [][2]int{{77}}) || p.missions(t) != 0 {
		t.Errorf("told %v, left are %d keys", got, p.missions(t))
	}
	m := rules.Mission{Template: "b001", Level: 1, Type: weakling, Target: -5, At: emptyArea, Ends: p.g.now.Unix() - 1}
	key, _ := m.Key()
	was := p.g.arrivingAs(func(n *data.NewCharacter) { n.Items, n.Tutorial = []rules.Item{key}, false })
	was.g.pass(300 * time.Millisecond)
	var own [][2]int
	for _, text := range texts(was.toldNow()) {
		if text[0] == int(view.TextMissionOver) {
			own = append(own, text)
		}
	}
	if len(own) != 1 || was.missions(t) != 0 {
		t.Errorf("coming back after its time it is told %v, and has %d keys", own, was.missions(t))
	}
	if lasts := rules.DefaultBalance().Mission.Lasts; lasts != 2*time.Hour {
		t.Errorf("a mission lasts %v", lasts)
	}
}
