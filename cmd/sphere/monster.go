package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// A whereabouts is a place that flags name: one of the table or coordinates, or where a character is.
type whereabouts struct{ at, beside string }

func (p *whereabouts) addFlags(c *cobra.Command) {
	c.Flags().StringVar(&p.at, "at", "", "a `PLACE` by its name, or \"X Y Z\"")
	c.Flags().StringVar(&p.beside, "beside", "", "where the character `NAME` is")
}

func (p *whereabouts) named() bool { return p.at != "" || p.beside != "" }

// find finds the place. Without one it returns an error that asks for it.
func (p *whereabouts) find(c *cobra.Command, conn *admin.Conn) (coords.Position, error) {
	switch {
	case p.beside != "" && p.at != "":
		return coords.Position{}, usagef(c, "expected --at or --beside, not both")
	case p.beside != "":
		d, err := admin.Do(c.Context(), conn, ops.ShowCharacter, ops.CharacterName{Name: p.beside})
		return d.Position, err
	case p.at != "":
		at, err := content.ParsePlace(p.at)
		if err != nil {
			err = usagef(c, "--at: %v", err)
		}
		return at, err
	}
	return coords.Position{}, usagef(c, "expected --at or --beside")
}

// doesThere is a runner that does one verb about a place.
func doesThere[R, A any](env *environment, v ops.Verb[R, A], where *whereabouts, needed func() bool,
	request func(args []string, at coords.Position) R, text func(w printer, a A)) runner {
	return func(c *cobra.Command, args []string) error {
		return reach(c.Context(), env, false, func(conn *admin.Conn) error {
			var at coords.Position
			var err error
			if where.named() || needed() {
				at, err = where.find(c, conn)
			}
			if err != nil {
				return err
			}
			return verbOn(c.Context(), env, conn, v, request(args, at), text)
		})
	}
}

// monsterCommand is "sphere monster" with all below it.
func monsterCommand(env *environment) *cobra.Command {
	return env.withJSON(group("monster", "Summon and remove monsters while the server runs",
		monsterSummon(env), monsterRemove(env)))
}

func monsterSummon(env *environment) *cobra.Command {
	var r ops.MonsterSummon
	var where whereabouts
	c := &cobra.Command{
		Use: "summon MONSTER", Short: "Put a monster somewhere",
		Args: expect(0, "a monster's name or number"),
		Long: "Put a monster somewhere, by its name or number. It stays until somebody kills or removes it, or the server " +
			"ends.",
		Example: "  sphere monster summon Wolf --at \"2800 156 1500\" --level 12\n" +
			"  sphere monster summon 1011 --beside Hero --named",
		RunE: doesThere(env, ops.SummonMonster, &where, func() bool { return true },
			func(args []string, at coords.Position) ops.MonsterSummon {
				r.Monster, r.At = args[0], at
				return r
			}, func(w printer, m ops.SummonedMonster) { w.line("%s of level %d is there", m.Name, m.Level) }),
	}
	where.addFlags(c)
	c.Flags().IntVar(&r.Level, "level", 0, "its level; 0 is the middle of what it may have")
	c.Flags().BoolVar(&r.Named, "named", false, "it has a name of its own, and is stronger")
	return c
}

func monsterRemove(env *environment) *cobra.Command {
	var r ops.MonsterRemoval
	var where whereabouts
	c := &cobra.Command{
		Use: "remove", Short: "Remove the monsters near a place that were summoned", Args: expect(0),
		Long: "Remove the monsters near a place that operators have summoned, or one monster by its number, which the " +
			"page shows.",
		RunE: doesThere(env, ops.RemoveMonsters, &where, func() bool { return r.ID == 0 },
			func(_ []string, at coords.Position) ops.MonsterRemoval {
				r.At = at
				return r
			}, func(w printer, gone ops.RemovedMonsters) { w.line("%d monsters removed", gone.Count) }),
	}
	where.addFlags(c)
	c.Flags().Uint32Var((*uint32)(&r.ID), "id", 0, "the number of the only one")
	c.Flags().Float64Var(&r.Radius, "radius", 30, "metres around the place, up to 1000")
	return c
}

// spawnerCommand is "sphere spawner" with all below it.
func spawnerCommand(env *environment) *cobra.Command {
	return env.withJSON(group("spawner", "See where monsters come from, and turn it off or on, while the server runs",
		spawnerList(env),
		spawnerTurn(env, "off", "Let no monsters come any more, also after a restart", true),
		spawnerTurn(env, "on", "Let monsters come again", false)))
}

// usualSpawnerRadius in metres is how far around a place spawners are meant.
const usualSpawnerRadius = 100

func spawnerList(env *environment) *cobra.Command {
	var r ops.SpawnerSearch
	var where whereabouts
	c := &cobra.Command{
		Use: "list", Short: "List where monsters come from, near a place or everywhere", Args: expect(0),
		RunE: doesThere(env, ops.ListSpawners, &where, func() bool { return false },
			func(_ []string, at coords.Position) ops.SpawnerSearch {
				if where.named() {
					r.At = &at
				}
				return r
			}, listSpawners),
	}
	where.addFlags(c)
	c.Flags().Float64Var(&r.Radius, "radius", usualSpawnerRadius, "metres around the place, up to 1000")
	c.Flags().BoolVar(&r.Off, "off", false, "only those that are turned off")
	return c
}

func listSpawners(w printer, found []ops.Spawner) {
	table(w, w.words("KEY", "PLACE", "POSITION", "LEVEL", ""), each(found, func(s ops.Spawner) []string {
		state := ""
		if s.Off {
			state = w.say("off")
		}
		return []string{s.Key, ops.Where(s.At).In(w.russian), positionText(s.At), strconv.Itoa(s.Level), state}
	}))
}

func spawnerTurn(env *environment, name, short string, off bool) *cobra.Command {
	r := ops.SpawnerSwitch{Off: off}
	var where whereabouts
	c := &cobra.Command{
		Use: name + " [KEY]", Short: short, Args: expect(1, "a key of \"sphere spawner list\""),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				r.Key = args[0]
			}
			return doesThere(env, ops.TurnSpawners, &where, func() bool { return r.Key == "" },
				func(_ []string, at coords.Position) ops.SpawnerSwitch {
					r.At = at
					return r
				}, func(w printer, t ops.SpawnersTurned) {
					w.line("%d places, %d of them were not so already", t.Count, t.Changed)
				})(c, args)
		},
	}
	where.addFlags(c)
	c.Flags().Float64Var(&r.Radius, "radius", usualSpawnerRadius, "metres around the place, up to 1000")
	return c
}
