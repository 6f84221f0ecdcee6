package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/ops"
)

// statusCommand is "sphere status".
func statusCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use: "status", Short: "Show whether a server runs, and who is in the world", Args: expect(0),
		RunE: does(env, ops.GetReport, func([]string) ops.Empty { return ops.Empty{} }, showReport),
	}
	env.addJSONFlag(c)
	return c
}

func showReport(w io.Writer, r ops.Report) {
	rows := [][]string{
		{"stored", fmt.Sprintf("%d accounts, %d characters, %d items",
			r.Stored.Accounts, r.Stored.Characters, r.Stored.Items)},
		{"bans", fmt.Sprintf("%d accounts, %d addresses", r.Stored.AccountBans, r.Stored.AddressBans)},
	}
	s := r.Status
	if s == nil {
		table(w, []string{"server", "not running"}, rows)
		return
	}
	state := fmt.Sprintf("running since %s (%s)", when(s.Started), time.Since(s.Started).Round(time.Second))
	table(w, []string{"server", state}, append(rows,
		[]string{"players", fmt.Sprintf("%d in the world, %d accounts online, %d sessions",
			s.Players, s.AccountsOnline, s.Sessions)},
		[]string{"process", fmt.Sprintf("%d goroutines, %.1f MiB of heap",
			s.Goroutines, float64(s.HeapBytes)/mebibyte)}))
	if len(s.Characters) > 0 {
		fmt.Fprintln(w)
		table(w, []string{"IN THE WORLD", "ACCOUNT", "POSITION"},
			each(s.Characters, func(c ops.OnlineCharacter) []string {
				return []string{c.Name, c.Account, positionText(c.Position)}
			}))
	}
	if len(s.Counters) > 0 {
		fmt.Fprintln(w)
		table(w, []string{"COUNTER", "VALUE"},
			each(slices.Sorted(maps.Keys(s.Counters)), func(name string) []string {
				return []string{name, strconv.FormatUint(s.Counters[name], 10)}
			}))
	}
}

// auditCommand is "sphere audit".
func auditCommand(env *environment) *cobra.Command {
	limit := 100
	c := &cobra.Command{
		Use: "audit [TARGET]", Short: "Show what operators have done, newest first",
		Args: expect(1, "a login or a character's name"),
		Long: "Show what operators have done, newest first: all of it, or what was done to one account or character.",
		RunE: func(c *cobra.Command, args []string) error {
			if limit < 1 {
				return usagef(c, "--limit %d: expected a number above 0", limit)
			}
			s := ops.AuditSearch{Target: strings.Join(args, ""), Limit: limit}
			return verb(c.Context(), env, ops.Audit, s, func(w io.Writer, trail []ops.AuditEntry) {
				table(w, []string{"AT", "WHO", "ACTION", "TARGET", "DETAIL"},
					each(trail, func(e ops.AuditEntry) []string {
						return []string{when(e.At), e.Who, e.Action, e.Target, e.Detail}
					}))
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", limit, "how many entries")
	env.addJSONFlag(c)
	return c
}
