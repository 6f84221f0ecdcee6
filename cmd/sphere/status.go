package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"sphereserver/server/ops"

	"github.com/spf13/cobra"
)

// statusCommand is "sphere status".
func statusCommand(env *environment) *cobra.Command {
	o := &operatorCommand{env: env}
	c := &cobra.Command{
		Use: "status", Short: "Show whether a server runs, and who is in the world", Args: expect(0),
		RunE: func(c *cobra.Command, args []string) error {
			return verb(c.Context(), o, ops.GetReport, ops.Empty{}, showReport)
		},
	}
	c.SetFlagErrorFunc(flagError)
	o.addJSONFlag(c)
	return c
}

func showReport(w io.Writer, r ops.Report) {
	state := "not running"
	rows := [][]string{
		{"stored", fmt.Sprintf("%d accounts, %d characters, %d items", r.Stored.Accounts, r.Stored.Characters, r.Stored.Items)},
		{"bans", fmt.Sprintf("%d accounts, %d addresses", r.Stored.AccountBans, r.Stored.AddressBans)},
	}
	if s := r.Status; s != nil {
		state = fmt.Sprintf("running since %s (%s)", when(s.Started), time.Since(s.Started).Round(time.Second))
		rows = append(rows, [][]string{
			{"players", fmt.Sprintf("%d in the world, %d accounts online, %d sessions", s.Players, s.AccountsOnline, s.Sessions)},
			{"process", fmt.Sprintf("%d goroutines, %.1f MiB of heap", s.Goroutines, float64(s.HeapBytes)/(1<<20))},
		}...)
	}
	table(w, []string{"server", state}, rows)
	if r.Status == nil {
		return
	}
	if len(r.Status.Characters) > 0 {
		fmt.Fprintln(w)
		var rows [][]string
		for _, c := range r.Status.Characters {
			rows = append(rows, []string{c.Name, c.Account, positionText(c.Position)})
		}
		table(w, []string{"IN THE WORLD", "ACCOUNT", "POSITION"}, rows)
	}
	if len(r.Status.Counters) > 0 {
		fmt.Fprintln(w)
		var rows [][]string
		for _, name := range slices.Sorted(maps.Keys(r.Status.Counters)) {
			rows = append(rows, []string{name, strconv.FormatUint(r.Status.Counters[name], 10)})
		}
		table(w, []string{"COUNTER", "VALUE"}, rows)
	}
}
