package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/data/content"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

// characterCommand is "sphere character" with all below it.
func characterCommand(env *environment) *cobra.Command {
	aName := expect(0, "a character's name")
	return env.withJSON(group("character", "Manage characters, whether the server runs or not",
		&cobra.Command{
			Use: "list [TEXT]", Short: "List characters, those whose name contains TEXT",
			Args: expect(1, "a part of a name"),
			RunE: does(env, ops.ListCharacters, func(args []string) ops.Search {
				return ops.Search{Like: strings.Join(args, "")}
			}, listCharacters),
		},
		&cobra.Command{
			Use: "show NAME", Short: "Show everything that is stored of a character", Args: aName,
			RunE: does(env, ops.ShowCharacter, character, showCharacter),
		},
		characterItems(env), characterMove(env), characterRename(env),
		&cobra.Command{
			Use: "unstuck NAME", Short: "Bring a character to the nearest city", Args: aName,
			RunE: does(env, ops.UnstuckCharacter, character, showPosition),
		},
		&cobra.Command{
			Use: "heal NAME", Short: "Give a living character all HP and MP", Args: aName,
			RunE: does(env, ops.HealCharacter, character, func(w printer, c ops.Character) {
				w.line("%s has all HP and MP now", c.Name)
			}),
		},
		&cobra.Command{
			Use: "revive NAME", Short: "Let a dead character live again where it lies", Args: aName,
			Long: "Let a dead character live again where it lies, with all its HP. What it has lost by dying stays lost.",
			RunE: does(env, ops.ReviveCharacter, character, func(w printer, c ops.Character) {
				w.line("%s lives again", c.Name)
			}),
		},
		characterMission(env), characterGive(env), characterMoney(env), characterLevel(env), characterPoints(env),
		characterClear(env), characterDelete(env), characterDeleted(env), characterUndelete(env)))
}

// characterRename is "sphere character rename".
func characterRename(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "rename NAME NEWNAME", Short: "Give a character another name and end the sessions of its account",
		Args: expect(0, "a character's name", "its new name"),
		RunE: func(c *cobra.Command, args []string) error {
			r := ops.Rename{CharacterName: character(args), NewName: args[1]}
			return verb(c.Context(), env, ops.RenameCharacter, r, func(w printer, renamed ops.Character) {
				w.line("%s is now %s", visible(args[0]), renamed.Name)
			})
		},
	}
}

// characterMission is "sphere character mission".
func characterMission(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "mission NAME give|finish|cancel [GOAL] [TEMPLATE]",
		Short: "Give a character a mission, finish the one it has, or cancel it",
		Long: `Give a character that is in the world a mission for a goal, title, degree, money or karma, or of a template
of the table of missions, as k001; finish the one that it has, as if it were fulfilled; or cancel it, also
while nobody plays the character.`,
		Args: expect(2, "a character's name", "give, finish or cancel", "a goal", "a template"),
		RunE: func(c *cobra.Command, args []string) error {
			m := ops.MissionDeed{CharacterName: character(args), Do: args[1]}
			for _, word := range args[2:] {
				m.Want(word)
			}
			return verb(c.Context(), env, ops.OrderMission, m, func(w printer, of ops.Character) {
				w.line("done about the mission of %s", of.Name)
			})
		},
	}
}

// character names the one of the first argument.
func character(args []string) ops.CharacterName { return ops.CharacterName{Name: args[0]} }

func listCharacters(w printer, found []ops.Character) {
	table(w, w.words("NAME", "ACCOUNT", "SLOT", "TITLE", "DEGREE", "MONEY", "POSITION", "LAST SEEN"),
		each(found, func(c ops.Character) []string {
			return []string{c.Name, c.Account, strconv.Itoa(int(c.Slot) + 1), w.level(c.TitleLevel), w.level(c.DegreeLevel),
				strconv.FormatInt(c.Money, 10), positionText(c.Position), w.seen(c)}
		}))
}

// seen is when a character was last in the world.
func (w printer) seen(c ops.Character) string {
	if c.Online {
		return w.say("now")
	}
	return w.when(c.LastSeen)
}

var karmaNames = map[int]word{
	rules.KarmaVeryBad: "very bad", rules.KarmaBad: "bad", rules.KarmaNeutral: "neutral", rules.KarmaGood: "good",
	rules.KarmaBenign: "benign",
}

func showCharacter(w printer, d ops.CharacterDetail) {
	gender := w.say("male")
	if d.Female {
		gender = w.say("female")
	}
	clan := w.say("none")
	if d.Clan != "" {
		clan = w.say("%s, rank %d", d.Clan, d.ClanRank)
	}
	guild := w.say("none")
	if d.Guild != 0 {
		language := "en"
		if w.russian {
			language = "ru"
		}
		guild = w.say("%s, rank %d", rules.GuildName(d.Guild, language), d.GuildLevel+1)
	}
	state := w.say("played %s", time.Duration(d.PlayedSeconds)*time.Second)
	if d.Tutorial {
		state += ", " + w.say("has not finished the newcomers' dungeon")
	}
	fights := w.say("%d kills, %d deaths", d.Fight.Kills, d.Fight.Deaths)
	if d.Fight.Duel != "" {
		fights += ", " + w.say("a duel with %s", d.Fight.Duel)
	}
	levels := func(level ops.Ordinal, xp uint32, points int) string {
		return w.say("%s, %d experience, %d points to spend", w.level(level), xp, points)
	}
	rows := [][]string{
		{"account", w.say("%s, slot %d", d.Account, d.Slot+1)},
		{"created", w.when(d.Created)},
		{"last seen", w.seen(d.Character)},
		{"", state},
		{"title", levels(d.TitleLevel, d.TitleXP, d.TitlePoints)},
		{"degree", levels(d.DegreeLevel, d.DegreeXP, d.DegreePoints)},
		{"HP", w.say("%d of %d", d.HP, d.MaxHP)},
		{"MP", w.say("%d of %d", d.MP, d.MaxMP)},
		{"satiety", w.say("%d of %d", d.Satiety, d.MaxSatiety)},
		{"title stats", w.say("strength %d, agility %d, accuracy %d, endurance %d",
			d.Strength, d.Agility, d.Accuracy, d.Endurance)},
		{"degree stats", w.say("earth %d, air %d, water %d, fire %d", d.Earth, d.Air, d.Water, d.Fire)},
		{"karma", w.say("%d, %s", d.Karma, karmaNames[d.KarmaType])},
		{"fights", fights},
		{"clan", clan},
		{"guild", guild},
		{"money", strconv.FormatInt(d.Money, 10)},
		{"position", w.say("%s, looks to %.2f", positionText(d.Position), d.Position.Yaw)},
	}
	table(w, []string{d.Name, gender}, w.labelled(rows))
	showSlots(w, d.Items)
}

// showSlots tells of things by their places and numbers.
func showSlots(w printer, items []rules.Item) {
	if len(items) == 0 {
		w.line("no items")
		return
	}
	fmt.Fprintln(w)
	table(w, w.words("ITEM", "SLOT", "CLASS", "GAME ID", "SUFFIX", "COUNT", "DURABILITY"),
		each(items, func(i rules.Item) []string {
			place := strconv.Itoa(i.Slot)
			if i.In != 0 {
				place = w.say("%d in %d", i.Slot, i.In)
			}
			suffix := w.say("none")
			if i.Suffix >= 0 {
				suffix = strconv.Itoa(i.Suffix)
			}
			return []string{strconv.FormatInt(int64(i.ID), 10), place, strconv.Itoa(i.Class), strconv.Itoa(i.GameID),
				suffix, strconv.Itoa(i.Count), fmt.Sprintf("%d/%d", i.Durability, i.MaxDurability)}
		}))
}

func showPosition(w printer, moved ops.Character) {
	w.line("%s is now at %s", moved.Name, positionText(moved.Position))
}

func characterMove(env *environment) *cobra.Command {
	what, beside := []string{"a character's name", "X", "Y", "Z", "YAW"}, ""
	c := numbers(&cobra.Command{
		Use: "move NAME PLACE | X Y Z [YAW] | --beside NAME", Short: "Put a character somewhere else",
		Args: func(c *cobra.Command, args []string) error { return expect(0, what[0])(c, args[:min(len(args), 1)]) },
		Long: "Put a character somewhere else; one that is in the world is teleported. PLACE is a name " +
			"that /tp\nof the chat knows. X, Y (height) and Z are metres, YAW, where it looks, radians.",
		RunE: func(c *cobra.Command, args []string) error {
			args = append(args[:1:1], strings.Fields(strings.Join(args[1:], " "))...)
			m := ops.Move{CharacterName: character(args), Beside: beside, KeepYaw: len(args) < len(what)}
			if (len(args) > 1) == (beside != "") {
				return usagef(c, "expected one of a place, X Y Z and --beside")
			}
			var noNumber error
			if beside == "" {
				_, noNumber = strconv.ParseFloat(args[1], 32)
			}
			switch {
			case beside != "": // all is said
			case errors.Is(noNumber, strconv.ErrSyntax):
				m.Place = strings.Join(args[1:], " ")
			default:
				if err := expect(1, what...)(c, args); err != nil {
					return err
				}
				to := []*float32{&m.Position.X, &m.Position.Y, &m.Position.Z, &m.Position.Yaw}
				for i, number := range args[1:] {
					v, err := strconv.ParseFloat(number, 32)
					if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
						return usagef(c, "expected a number for %s, found %q", what[i+1], number)
					}
					*to[i] = float32(v)
				}
			}
			return verb(c.Context(), env, ops.MoveCharacter, m, showPosition)
		},
	})
	c.Flags().StringVar(&beside, "beside", "", "where the character `NAME` is")
	return c
}

// numbers is a command in which -10 is a number and no flag, after the first argument.
func numbers(c *cobra.Command) *cobra.Command {
	expected, run := c.Args, c.RunE
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		args, err := flagsAfterNumbers(c, args)
		if err == nil {
			err = expected(c, args)
		}
		if err != nil {
			return err
		}
		return run(c, args)
	}
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

func characterGive(env *environment) *cobra.Command {
	count := 1
	c := &cobra.Command{
		Use: "give NAME ITEM", Short: "Put an item into the inventory of a character",
		Args: expect(0, "a character's name", "an item"),
		Long: "Put an item into the inventory of a character. ITEM is a name, or a number of \"sphere catalogue\".",
		RunE: does(env, ops.GiveItem, func(args []string) ops.Gift {
			return ops.Gift{CharacterName: character(args), Item: args[1], Count: &count}
		}, func(w printer, gave ops.Gave) {
			w.line("%s gets: %s × %d", gave.Character, gave.Name, gave.Count)
		}),
	}
	c.Flags().IntVar(&count, "count", count, "how many")
	return c
}

func characterMoney(env *environment) *cobra.Command {
	return numbers(&cobra.Command{
		Use: "money NAME [+|-]AMOUNT", Short: "Set the money of a character, add to it or take of it",
		Args: expect(0, "a character's name", "an amount"),
		RunE: func(c *cobra.Command, args []string) error {
			amount, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil {
				return usagef(c, "expected an amount like 500, +500 or -500, found %q", args[1])
			}
			m := ops.Money{CharacterName: character(args), Amount: amount, Relative: strings.ContainsAny(args[1][:1], "+-")}
			return verb(c.Context(), env, ops.SetMoney, m, func(w printer, has ops.Character) {
				w.line("%s has %d coins now", has.Name, has.Money)
			})
		},
	})
}

func characterLevel(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "level NAME TITLE [DEGREE]", Short: "Set the levels of a character, 1 to 240; 61 is the first after a rebirth",
		Args: expect(1, "a character's name", "a title level", "a degree level"),
		RunE: func(c *cobra.Command, args []string) error {
			l := ops.Levels{CharacterName: character(args)}
			expected := sentence{"a level from 1 to %d", []any{rules.MaxLevel + 1}}
			if err := optionalNumbers(c, args[1:], expected, 1, &l.Title, &l.Degree); err != nil {
				return err
			}
			return verb(c.Context(), env, ops.SetLevels, l, func(w printer, c ops.Character) {
				w.line("%s has title %d and degree %d now", c.Name, c.TitleLevel+1, c.DegreeLevel+1)
			})
		},
	}
}

// optionalNumbers reads each argument that there is; first is the number for people that is 0 inside.
func optionalNumbers[N ~int](c *cobra.Command, args []string, expected sentence, first int, into ...**N) error {
	for i, arg := range args {
		n, err := strconv.Atoi(arg)
		if err != nil {
			return usagef(c, "expected %s, found %q", expected, arg)
		}
		at := N(n - first)
		*into[i] = &at
	}
	return nil
}

func characterPoints(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "points NAME TITLE [DEGREE]", Short: "Set the points that a character has to spend",
		Args: expect(1, "a character's name", "a number of title points", "a number of degree points"),
		RunE: func(c *cobra.Command, args []string) error {
			p := ops.Points{CharacterName: character(args)}
			expected := sentence{"a number of points from 0 to %d", []any{rules.MaxPoints}}
			if err := optionalNumbers(c, args[1:], expected, 0, &p.Title, &p.Degree); err != nil {
				return err
			}
			return verb(c.Context(), env, ops.SetPoints, p, func(w printer, left ops.PointsLeft) {
				w.line("%s has %d title points and %d degree points to spend now", left.Character, left.Title, left.Degree)
			})
		},
	}
}

func characterClear(env *environment) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use: "clear NAME", Short: "Destroy what is in the inventory of a character",
		Args: expect(0, "a character's name"),
		RunE: does(env, ops.ClearItems, func(args []string) ops.Clearing {
			return ops.Clearing{CharacterName: character(args), All: all}
		}, func(w printer, c ops.Character) { w.line("destroyed the items of %s", c.Name) }),
	}
	c.Flags().BoolVar(&all, "all", false, "also what is worn")
	return c
}

func characterDelete(env *environment) *cobra.Command {
	var yes bool
	question := func(d ops.CharacterDetail) sentence {
		return sentence{"Delete %s of account %s with its %d items?", []any{d.Name, d.Account, len(d.Items)}}
	}
	c := &cobra.Command{
		Use: "delete NAME", Short: "Delete a character with all that it owns", Args: expect(0, "a character's name"),
		Long: "Delete a character with all that it owns. For a while, which the setting keep-deleted names, " +
			"\"sphere character undelete\" brings it back.",
		RunE: deletes(env, &yes, ops.ShowCharacter, question, ops.DeleteCharacter, character,
			func(w printer, deleted ops.Character) { w.line("deleted %s", deleted.Name) }),
	}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

func characterDeleted(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "deleted [TEXT]", Short: "List deleted characters that can come back, those whose name contains TEXT",
		Args: expect(1, "a part of a name"),
		RunE: does(env, ops.ListDeleted, func(args []string) ops.DeletedSearch {
			return ops.DeletedSearch{Like: strings.Join(args, "")}
		}, func(w printer, found []ops.DeletedCharacter) {
			table(w, w.words("NAME", "ACCOUNT", "SLOT", "TITLE", "DEGREE", "MONEY", "ITEMS", "DELETED", "KEPT UNTIL"),
				each(found, func(d ops.DeletedCharacter) []string {
					return []string{d.Name, d.Account, strconv.Itoa(int(d.Slot) + 1), w.level(d.TitleLevel),
						w.level(d.DegreeLevel), strconv.FormatInt(d.Money, 10), strconv.Itoa(d.Items), w.when(d.Deleted),
						w.when(d.KeptUntil)}
				}))
		}),
	}
}

func characterUndelete(env *environment) *cobra.Command {
	var slot int
	c := &cobra.Command{
		Use: "undelete NAME", Short: "Bring a deleted character back with all that it carried",
		Long: `Bring a deleted character back with all that it carried, into the slot that it had, or the first free one.
Of several of that name the one comes back that was deleted last. How long that is possible is the setting
keep-deleted, 30 days unless you change it. It is in no clan.`,
		Args: expect(0, "a character's name"),
		RunE: func(c *cobra.Command, args []string) error {
			u := ops.Undelete{CharacterName: character(args)}
			if c.Flags().Changed("slot") {
				u.Slot = new(ops.Ordinal(slot - 1))
			}
			return verb(c.Context(), env, ops.UndeleteCharacter, u, func(w printer, back ops.Character) {
				w.line("%s is back in slot %d of account %s", back.Name, back.Slot+1, back.Account)
			})
		},
	}
	c.Flags().IntVar(&slot, "slot", 0, "slot of the account, 1 to 3")
	return c
}

// A namedItem is a thing with its name and place in words.
type namedItem struct {
	rules.Item
	Name  rules.Names `json:"name"`
	Place string      `json:"place"`
	place sentence
}

func characterItems(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "items NAME", Short: "List by name what a character carries and has in the vault",
		Args: expect(0, "a character's name"),
		RunE: func(c *cobra.Command, args []string) error {
			return reach(c.Context(), env, false, func(conn *admin.Conn) error {
				d, err := admin.Do(c.Context(), conn, ops.ShowCharacter, character(args))
				if err != nil {
					return err
				}
				kinds := openCatalogue(env)
				items := append(nameItems(kinds, d.Items, slotPlace), nameItems(kinds, d.Vault, vaultPlace)...)
				return env.print(items, func(w printer) { showItems(w, d.Name, items) })
			})
		},
	}
}

func showItems(w printer, owner string, items []namedItem) {
	if len(items) == 0 {
		w.line("%s has nothing, also not in the vault", owner)
		return
	}
	table(w, w.words("PLACE", "THING", "", "COUNT", "DURABILITY", ""), each(items, func(i namedItem) []string {
		note := ""
		if i.Bound {
			note = w.say("bound")
		}
		return []string{i.place.In(w.russian), i.Name["en"], i.Name["ru"], strconv.Itoa(i.Count),
			fmt.Sprintf("%d/%d", i.Durability, i.MaxDurability), note}
	}))
}

func slotPlace(slot int) sentence { return sentence{rules.SlotName(slot), nil} }

func vaultPlace(slot int) sentence { return sentence{"vault %d", []any{slot + 1}} }

// nameItems puts names and places to things, by their slots. A thing in a bag is said to be in it.
func nameItems(kinds *content.Catalogue, items []rules.Item, slotPlace func(int) sentence) []namedItem {
	out := make([]namedItem, 0, len(items))
	name := func(i *rules.Item, language string) string {
		if k := kinds.Of(i.Class, i.GameID, 0); k != nil {
			return k.FullName(kinds.Suffix(k, i.Suffix), language)
		}
		return sentence{"class %d, game id %d", []any{i.Class, i.GameID}}.In(language == "ru")
	}
	bags := map[rules.ItemID]ops.Text{}
	for i := range items {
		it := &items[i]
		place := slotPlace(it.Slot)
		if it.In != 0 {
			place = sentence{"%d in %s", []any{it.Slot + 1, bags[it.In]}}
		}
		names := rules.Names{"ru": name(it, "ru"), "en": name(it, "en")}
		bags[it.ID] = text(names["ru"], names["en"])
		out = append(out, namedItem{*it, names, place.In(false), place})
	}
	return out
}
