package game

import (
	"slices"
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// stored is a player as the store has it.
func (p *possessor) stored(t *testing.T) data.Character {
	t.Helper()
	c, err := p.g.store.CharacterByID(t.Context(), p.p().character.ID)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A guild from the refusal at its master to the rank and back, as the client is told. Source: life checks 7.1, 7.3, 7.5
// and 7.12, protocol ingame 10.9.
func TestLifeCheck7_3GuildsAsClientsAreTold(t *testing.T) {
	t.Parallel()
	p := questing(t, "b001")
	p.givesTo(func(g *rules.MissionGiver) { g.Guild, g.Goals = 2, [rules.MissionGoals]bool{} })
	npc := p.seen(view.NPCEntry)
	opens := func() []*packets.Body {
		p.frames()
		p.say(p.own(manager(&packets.TradeWindow{Trader: packets.ObjectID(npc.ID)})))
		return p.told()
	}
	if got := texts(opens()); !slices.Equal(got, [][2]int{{int(view.TextGuildClosed)}, {int(view.TextTitleTooLow), 16}}) {
		t.Errorf("a title of 1 is told %v", got)
	}
	p.g.server.world.Do(world.SetLevels{ID: p.pid(), Title: 20})
	p.told()
	bodies := opens()
	if got := texts(bodies); !slices.Equal(got, [][2]int{{int(view.TextMission)}, {int(view.TextGuildJoin)}}) {
		t.Errorf("the first task comes with %v", got)
	}
	lines := ""
	for _, m := range commandsOfType[*packets.SystemMessage](bodies) {
		lines += m.Text
	}
	if !strings.Contains(lines, "Это задание гильдии: крестоносцы, ранг 1 из 6.") {
		t.Errorf("the task is told as %q", lines)
	}

	p.frames()
	p.g.server.world.Do(world.OrderMission{ID: p.pid(), What: world.FinishMission})
	won := p.told()
	spawned := map[packets.Class]int{}
	for _, b := range won {
		for _, s := range b.Sections {
			if s.Class >= rules.ClassGuildEmblem && s.Class <= rules.ClassLastAbility && len(s.Regions) > 0 {
				if _, ok := s.Regions[0].(*packets.SpawnSnapshot); ok {
					spawned[s.Class]++
				}
			}
		}
	}
	sheet := p.stored(t)
	if spawned[2000] != 1 || spawned[2001] != 2 || spawned[2004] != 1 || sheet.Guild != 2 || sheet.GuildRank != 0 {
		t.Errorf("spawned %v, the store has guild %d of rank %d", spawned, sheet.Guild, sheet.GuildRank)
	}
	stats := statsIn(won)
	if stats[packets.StatGuild] != 2+64 || stats[packets.StatEndurance] != 14 {
		t.Errorf("told the values %v", stats)
	}

	p.frames()
	p.p().Command("/resetguild")
	p.p().Command("/resetguild confirm")
	p.g.until("the guild is left", func() bool { return p.stored(t).Guild == 0 })
	stats = statsIn(p.told())
	if stats[packets.StatGuild] != 0 || stats[packets.StatEndurance] != 0 || len(stats) == 0 {
		t.Errorf("left: told the values %v", stats)
	}
}
