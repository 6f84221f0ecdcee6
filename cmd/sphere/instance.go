package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// instanceCommand is "sphere instance" with all below it.
func instanceCommand(env *environment) *cobra.Command {
	return env.withJSON(group("instance", "See the dungeons that belong to one player or a few, while the server runs",
		instanceList(env)))
}

func instanceList(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the dungeons that belong to one player or a few", Args: expect(0),
		Long: "Each with for whom and when it was made, its players, monsters, chests and things.\n" +
			"A * is behind monsters that have names of their own.",
		RunE: func(c *cobra.Command, _ []string) error {
			return reach(c.Context(), env, false, func(conn *admin.Conn) error {
				return verbOn(c.Context(), env, conn, ops.ListInstances, ops.Empty{}, listInstances)
			})
		},
	}
}

func listInstances(w printer, all []ops.Instance) {
	headings := w.words("INSTANCE", "DUNGEON", "MADE FOR", "SINCE", "PLAYERS", "MONSTERS", "CHESTS", "THINGS")
	table(w, headings, each(all, func(in ops.Instance) []string {
		players := strings.Join(in.Players, ", ")
		switch {
		case in.Ending:
			players = w.say("ending")
		case !in.Emptied.IsZero():
			players = w.say("empty since %s", w.when(in.Emptied))
		}
		return []string{strconv.Itoa(in.Number), in.Dungeon, in.Owner, w.when(in.Began), players,
			strings.Join(each(in.Monsters, func(m ops.MonsterInside) string { return monsterInside(w, m) }), ", "),
			w.say("%d, %d of them opened", in.Chests, in.Opened),
			strings.Join(each(in.Things, func(t ops.ThingInside) string {
				return severally(t.Count, t.Name.In(w.russian))
			}), ", ")}
	}))
}

func monsterInside(w printer, m ops.MonsterInside) string {
	name := w.say("%s of level %d", m.Name.In(w.russian), m.Level)
	if m.Named {
		name += "*"
	}
	return severally(m.Count, name)
}

// severally is a name with how many there are, unless it is one.
func severally(n int, name string) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%d × %s", n, name)
}
