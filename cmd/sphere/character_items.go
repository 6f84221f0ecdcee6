package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"sphereserver/data/content"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

// A namedItem is a thing with its name and place in words.
type namedItem struct {
	rules.Item
	Name  rules.Names `json:"name"`
	Place string      `json:"place"`
}

func characterItems(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "items NAME", Short: "List what a character carries, by name", Args: expect(0, "a character's name"),
		RunE: func(c *cobra.Command, args []string) error {
			return reach(c.Context(), env, false, func(conn *admin.Conn) error {
				d, err := admin.Do(c.Context(), conn, ops.ShowCharacter, character(args))
				if err != nil {
					return err
				}
				items := nameItems(openCatalogue(env), d.Items)
				return env.print(items, func(w io.Writer) { showItems(w, d.Name, items) })
			})
		},
	}
}

func showItems(w io.Writer, owner string, items []namedItem) {
	if len(items) == 0 {
		fmt.Fprintf(w, "%s carries nothing\n", owner)
		return
	}
	table(w, []string{"PLACE", "THING", "", "COUNT", "DURABILITY", ""}, each(items, func(i namedItem) []string {
		note := ""
		if i.Bound {
			note = "bound"
		}
		return []string{i.Place, i.Name["en"], i.Name["ru"], strconv.Itoa(i.Count),
			fmt.Sprintf("%d/%d", i.Durability, i.MaxDurability), note}
	}))
}

// nameItems puts names and places to things. What is in a bag is said to be in it.
func nameItems(kinds *content.Catalogue, items []rules.Item) []namedItem {
	out := make([]namedItem, 0, len(items))
	name := func(i *rules.Item, language string) string {
		if k := kinds.Of(i.Class, i.GameID, 0); k != nil {
			return k.FullName(kinds.Suffix(k, i.Suffix), language)
		}
		return fmt.Sprintf("class %d, game id %d", i.Class, i.GameID)
	}
	bags := map[rules.ItemID]string{}
	for i := range items {
		it := &items[i]
		place := rules.SlotName(it.Slot)
		if it.In != 0 {
			place = fmt.Sprintf("%d in %s", it.Slot+1, bags[it.In])
		}
		bags[it.ID] = name(it, "en")
		out = append(out, namedItem{*it, rules.Names{"ru": name(it, "ru"), "en": name(it, "en")}, place})
	}
	return out
}
