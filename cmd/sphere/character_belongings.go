package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

func characterUnstuck(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "unstuck NAME", Short: "Bring a character to the nearest city", Args: expect(0, "a character's name"),
		RunE: func(c *cobra.Command, args []string) error {
			return verb(c.Context(), o, ops.UnstuckCharacter, character(args), func(w io.Writer, moved ops.Character) {
				fmt.Fprintf(w, "%s is now at %s\n", moved.Name, positionText(moved.Position))
			})
		},
	}
}

func characterGive(o *operatorCommand) *cobra.Command {
	count := 1
	c := &cobra.Command{
		Use: "give NAME ITEM", Short: "Put an item into the inventory of a character", Args: expect(0, "a character's name", "an item"),
		Long: "Put an item into the inventory of a character. ITEM is a name, or a number of \"sphere catalogue\".",
		RunE: func(c *cobra.Command, args []string) error {
			g := ops.Gift{CharacterName: character(args), Item: args[1], Count: &count}
			return verb(c.Context(), o, ops.GiveItem, g, func(w io.Writer, gave ops.Gave) {
				fmt.Fprintf(w, "%s gets: %s × %d\n", gave.Character, gave.Name.English, gave.Count)
			})
		},
	}
	c.Flags().IntVar(&count, "count", count, "how many")
	return c
}

func characterMoney(o *operatorCommand) *cobra.Command {
	c := &cobra.Command{
		Use: "money NAME [+|-]AMOUNT", Short: "Set the money of a character, add to it or take of it", Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			args, err := flagsAfterNumbers(c, args)
			if err != nil {
				return err
			}
			if err := expect(0, "a character's name", "an amount")(c, args); err != nil {
				return err
			}
			amount, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil {
				return usagef(c, "expected an amount like 500, +500 or -500, found %q", args[1])
			}
			m := ops.Money{CharacterName: character(args), Amount: amount, Relative: strings.ContainsAny(args[1][:1], "+-")}
			return verb(c.Context(), o, ops.SetMoney, m, func(w io.Writer, has ops.Character) {
				fmt.Fprintf(w, "%s has %d coins now\n", has.Name, has.Money)
			})
		},
	}
	c.Flags().SetInterspersed(false) // after the name -10 is a number, not a flag
	return c
}

func characterLevel(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "level NAME TITLE [DEGREE]", Short: "Set the levels of a character, 1 to 240; 61 is the first after a rebirth",
		Args: expect(1, "a character's name", "a title level", "a degree level"),
		RunE: func(c *cobra.Command, args []string) error {
			l := ops.Levels{CharacterName: character(args)}
			for i, to := range []**int{&l.Title, &l.Degree}[:len(args)-1] {
				n, err := strconv.Atoi(args[i+1])
				if err != nil {
					return usagef(c, "expected a level from 1 to %d, found %q", rules.MaxLevel+1, args[i+1])
				}
				n--
				*to = &n
			}
			return verb(c.Context(), o, ops.SetLevels, l, func(w io.Writer, c ops.Character) {
				fmt.Fprintf(w, "%s has title %d and degree %d now\n", c.Name, c.TitleLevel+1, c.DegreeLevel+1)
			})
		},
	}
}

func characterClear(o *operatorCommand) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use: "clear NAME", Short: "Destroy what is in the inventory of a character", Args: expect(0, "a character's name"),
		RunE: func(c *cobra.Command, args []string) error {
			r := ops.Clearing{CharacterName: character(args), All: all}
			return verb(c.Context(), o, ops.ClearItems, r, func(w io.Writer, c ops.Character) {
				fmt.Fprintf(w, "destroyed the items of %s\n", c.Name)
			})
		},
	}
	c.Flags().BoolVar(&all, "all", false, "also what is worn")
	return c
}
