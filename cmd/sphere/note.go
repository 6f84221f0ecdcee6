package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// noteCommand is "sphere note" with all below it.
func noteCommand(env *environment) *cobra.Command {
	return env.withJSON(group("note", "Notes of operators on accounts, for each other",
		noteAdd(env), noteList(env), noteDelete(env)))
}

func noteAdd(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "add LOGIN TEXT", Short: "Write a note on an account", Args: expect(0, "a login", "a text"),
		RunE: does(env, ops.AddNote, func(args []string) ops.NewNote {
			return ops.NewNote{AccountName: login(args), Text: args[1]}
		}, func(w printer, n ops.Note) { w.line("note %d on %s is written", n.ID, n.Login) }),
	}
}

func noteList(env *environment) *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use: "list [LOGIN]", Short: "List the notes on an account, or on all, newest first", Args: expect(1, "a login"),
		RunE: func(c *cobra.Command, args []string) error {
			if limit < 1 {
				return usagef(c, "--limit %d: expected a number above 0", limit)
			}
			s := ops.NoteSearch{Limit: limit}
			if len(args) > 0 {
				s.AccountName = login(args)
			}
			return verb(c.Context(), env, ops.ListNotes, s, func(w printer, notes []ops.Note) {
				table(w, w.words("NUMBER", "ACCOUNT", "TIME", "BY", "NOTE"), each(notes, func(n ops.Note) []string {
					return []string{strconv.FormatInt(int64(n.ID), 10), n.Login, w.when(n.At), ops.Author(n.By).In(w.russian), n.Text}
				}))
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", 100, "how many notes to list at most")
	return c
}

func noteDelete(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "delete NUMBER", Short: "Delete a note", Args: expect(0, "the number of a note"),
		RunE: func(c *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usagef(c, "expected the number of a note, found %q", args[0])
			}
			return verb(c.Context(), env, ops.DeleteNote, ops.NoteName{ID: data.NoteID(id)}, func(w printer, n ops.Note) {
				w.line("note %d on %s is deleted", n.ID, n.Login)
			})
		},
	}
}

func accountDoubts(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "doubts", Short: "List whose moves the running server has not believed, and how often", Args: expect(0),
		RunE: does(env, ops.ListDoubts, noRequest, func(w printer, all []ops.Doubt) {
			table(w, w.words("ACCOUNT", "NAME", "MOVES", "FIRST", "LAST", "POSITION", "WHY"),
				each(all, func(d ops.Doubt) []string {
					return []string{d.Login, d.Character, strconv.Itoa(d.Count), w.when(d.First), w.when(d.Last),
						positionText(d.At), w.told(d.Why)}
				}))
		}),
	}
}

func accountShared(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "shared", Short: "List accounts that share an address or nearly a name", Args: expect(0),
		Long: `List accounts that have logged in from the same address last, or from the same IPv6 /64, and accounts with
characters whose names differ in digits and dashes only.`,
		RunE: does(env, ops.ListShared, noRequest, func(w printer, all []ops.Shared) {
			table(w, w.words("WHAT", "", "ACCOUNTS", ""), each(all, func(s ops.Shared) []string {
				logins := each(s.Accounts, func(a ops.SharedAccount) string { return a.Login })
				if more := s.Count - len(logins); more > 0 {
					logins = append(logins, "…")
				}
				return []string{w.say(s.Kind), s.Of, strconv.Itoa(s.Count), strings.Join(logins, ", ")}
			}))
		}),
	}
}
