package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// auditCommand is "sphere audit".
func auditCommand(env *environment) *cobra.Command {
	o := &operatorCommand{env: env}
	limit := 100
	c := &cobra.Command{
		Use: "audit [TARGET]", Short: "Show what operators have done, newest first", Args: expect(1, "a login or a character's name"),
		Long: "Show what operators have done, newest first: all of it, or what was done to one account or character.",
		RunE: func(c *cobra.Command, args []string) error {
			if limit < 1 {
				return usagef(c, "--limit %d: expected a number above 0", limit)
			}
			s := ops.AuditSearch{Target: strings.Join(args, ""), Limit: limit}
			return verb(c.Context(), o, ops.Audit, s, func(w io.Writer, trail []data.AuditEntry) {
				var rows [][]string
				for _, e := range trail {
					rows = append(rows, []string{when(e.At), e.Who, e.Action, e.Target, e.Detail})
				}
				table(w, []string{"AT", "WHO", "ACTION", "TARGET", "DETAIL"}, rows)
			})
		},
	}
	c.SetFlagErrorFunc(flagError)
	c.Flags().IntVar(&limit, "limit", limit, "how many entries")
	o.addJSONFlag(c)
	return c
}
