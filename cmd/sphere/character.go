package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/admin"
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

// characterCommand is "sphere character" with all below it.
func characterCommand(env *environment) *cobra.Command {
	o := &operatorCommand{env: env}
	c := group("character", "Manage characters, whether the server runs or not",
		characterList(o), characterShow(o), characterItems(o), characterMove(o), characterUnstuck(o), characterRename(o),
		characterGive(o), characterMoney(o), characterLevel(o), characterClear(o), characterDelete(o))
	o.addJSONFlag(c)
	return c
}

func characterList(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "list [TEXT]", Short: "List characters, those whose name contains TEXT", Args: expect(1, "a part of a name"),
		RunE: func(c *cobra.Command, args []string) error {
			like := ops.Search{Like: strings.Join(args, "")}
			return verb(c.Context(), o, ops.ListCharacters, like, func(w io.Writer, found []ops.Character) {
				var rows [][]string
				for _, c := range found {
					rows = append(rows, []string{c.Name, c.Account, strconv.Itoa(c.Slot + 1), levelText(c.TitleLevel), levelText(c.DegreeLevel),
						strconv.FormatInt(c.Money, 10), positionText(c.Position), seen(c)})
				}
				table(w, []string{"NAME", "ACCOUNT", "SLOT", "TITLE", "DEGREE", "MONEY", "POSITION", "LAST SEEN"}, rows)
			})
		},
	}
}

func seen(c ops.Character) string {
	if c.Online {
		return "now"
	}
	return when(c.LastSeen)
}

func characterShow(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Show everything that is stored of a character", Args: expect(0, "a character's name"),
		RunE: func(c *cobra.Command, args []string) error {
			return verb(c.Context(), o, ops.ShowCharacter, character(args), showCharacter)
		},
	}
}

var karmaNames = map[int]string{
	rules.KarmaVeryBad: "very bad", rules.KarmaBad: "bad", rules.KarmaNeutral: "neutral", rules.KarmaGood: "good", rules.KarmaBenign: "benign",
}

func showCharacter(w io.Writer, d ops.CharacterDetail) {
	gender := "male"
	if d.Female {
		gender = "female"
	}
	clan := "none"
	if d.Clan != "" {
		clan = fmt.Sprintf("%s, rank %d", d.Clan, d.ClanRank)
	}
	guild := "none"
	if d.Guild != 0 {
		guild = fmt.Sprintf("%d, level %d", d.Guild, d.GuildLevel+1)
	}
	state := "played " + (time.Duration(d.PlayedSeconds) * time.Second).String()
	if d.Tutorial {
		state += ", has not finished the newcomers' dungeon"
	}
	table(w, []string{d.Name, gender}, [][]string{
		{"account", fmt.Sprintf("%s, slot %d", d.Account, d.Slot+1)},
		{"created", when(d.Created)},
		{"last seen", seen(d.Character)},
		{"", state},
		{"title", fmt.Sprintf("%s, %d experience, %d points to spend", levelText(d.TitleLevel), d.TitleXP, d.TitlePoints)},
		{"degree", fmt.Sprintf("%s, %d experience, %d points to spend", levelText(d.DegreeLevel), d.DegreeXP, d.DegreePoints)},
		{"HP", fmt.Sprintf("%d of %d", d.HP, d.MaxHP)},
		{"MP", fmt.Sprintf("%d of %d", d.MP, d.MaxMP)},
		{"satiety", fmt.Sprintf("%d of %d", d.Satiety, d.MaxSatiety)},
		{"title stats", fmt.Sprintf("strength %d, agility %d, accuracy %d, endurance %d", d.Strength, d.Agility, d.Accuracy, d.Endurance)},
		{"degree stats", fmt.Sprintf("earth %d, air %d, water %d, fire %d", d.Earth, d.Air, d.Water, d.Fire)},
		{"karma", fmt.Sprintf("%d, %s", d.Karma, karmaNames[d.KarmaType])},
		{"clan", clan},
		{"guild", guild},
		{"money", strconv.FormatInt(d.Money, 10)},
		{"position", fmt.Sprintf("%s, looks to %.2f", positionText(d.Position), d.Position.Yaw)},
	})
	if len(d.Items) == 0 {
		fmt.Fprintln(w, "no items")
		return
	}
	fmt.Fprintln(w)
	var rows [][]string
	for _, i := range d.Items {
		place := strconv.Itoa(i.Slot)
		if i.In != 0 {
			place = fmt.Sprintf("%d in %d", i.Slot, i.In)
		}
		suffix := "none"
		if i.Suffix >= 0 {
			suffix = strconv.Itoa(i.Suffix)
		}
		rows = append(rows, []string{strconv.FormatInt(int64(i.ID), 10), place, strconv.Itoa(i.Class), strconv.Itoa(i.GameID), suffix,
			strconv.Itoa(i.Count), fmt.Sprintf("%d/%d", i.Durability, i.MaxDurability)})
	}
	table(w, []string{"ITEM", "SLOT", "CLASS", "GAME ID", "SUFFIX", "COUNT", "DURABILITY"}, rows)
}

func characterMove(o *operatorCommand) *cobra.Command {
	c := &cobra.Command{
		Use: "move NAME X Y Z [YAW]", Short: "Put a character somewhere else", Args: cobra.ArbitraryArgs,
		Long: "Put a character somewhere else; one that is in the world is teleported. X, Y (height) and Z are metres, YAW, where it looks, radians.",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := flagsAfterNumbers(c, args)
			if err != nil {
				return err
			}
			what := []string{"a character's name", "X", "Y", "Z", "YAW"}
			if err := expect(1, what...)(c, args); err != nil {
				return err
			}
			m := ops.Move{CharacterName: character(args), KeepYaw: len(args) < len(what)}
			for i, to := range []*float32{&m.Position.X, &m.Position.Y, &m.Position.Z, &m.Position.Yaw}[:len(args)-1] {
				v, err := strconv.ParseFloat(args[i+1], 32)
				if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
					return usagef(c, "expected a number for %s, found %q", what[i+1], args[i+1])
				}
				*to = float32(v)
			}
			return verb(c.Context(), o, ops.MoveCharacter, m, func(w io.Writer, moved ops.Character) {
				fmt.Fprintf(w, "%s is now at %s\n", moved.Name, positionText(moved.Position))
			})
		},
	}
	// After the name -10 is a number, not a flag.
	c.Flags().SetInterspersed(false)
	return c
}

// flagsAfterNumbers parses the flags that stand behind the first argument of a command where -10 is no flag, and
// returns the other arguments.
func flagsAfterNumbers(c *cobra.Command, args []string) ([]string, error) {
	var rest, flags []string
	for i := 0; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "--")
		if !isFlag {
			rest = append(rest, args[i])
			continue
		}
		flags = append(flags, args[i])
		if f := c.Flag(name); f != nil && f.NoOptDefVal == "" && i+1 < len(args) {
			i++
			flags = append(flags, args[i])
		}
	}
	if err := c.Flags().Parse(flags); err != nil {
		return nil, flagError(c, err)
	}
	return rest, nil
}

// character names the one of the first argument.
func character(args []string) ops.CharacterName { return ops.CharacterName{Name: args[0]} }

func characterRename(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "rename NAME NEWNAME", Short: "Give a character another name and end the sessions of its account", Args: expect(0, "a character's name", "its new name"),
		RunE: func(c *cobra.Command, args []string) error {
			r := ops.Rename{CharacterName: character(args), NewName: args[1]}
			return verb(c.Context(), o, ops.RenameCharacter, r, func(w io.Writer, renamed ops.Character) {
				fmt.Fprintf(w, "%s is now %s\n", visible(args[0]), renamed.Name)
			})
		},
	}
}

func characterDelete(o *operatorCommand) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete NAME", Short: "Delete a character with all that it owns", Args: expect(0, "a character's name"),
		RunE: func(c *cobra.Command, args []string) error {
			return o.connect(c.Context(), false, func(conn *admin.Conn) error {
				d, err := admin.Do(c.Context(), conn, ops.ShowCharacter, character(args))
				if err != nil {
					return err
				}
				if !yes {
					question := fmt.Sprintf("Delete %s of account %s with its %d items?", d.Name, d.Account, len(d.Items))
					if err := o.confirm(c.Context(), question); err != nil {
						return err
					}
				}
				return verbOn(c.Context(), o, conn, ops.DeleteCharacter, character(args), func(w io.Writer, deleted ops.Character) {
					fmt.Fprintf(w, "deleted %s\n", deleted.Name)
				})
			})
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}
