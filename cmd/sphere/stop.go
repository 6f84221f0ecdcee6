package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/ops"
)

// stopCommand is "sphere stop".
func stopCommand(env *environment) *cobra.Command {
	var wait span
	cancel := false
	c := &cobra.Command{
		Use: "stop [REASON]", Short: "Stop the server that runs, at once or in a while", Args: expect(1, "a reason"),
		Long: "Stop the server that runs, at once or in a while. Players are told at once, and an hour, 30, 10, 5 and 1 " +
			"minutes and\n10 seconds before; in the last minute only operators get in. The exit code of the server is 0.",
		Example: "  sphere stop --in 10m \"a new version\"\n  sphere stop --cancel",
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case cancel && (wait > 0 || len(args) > 0):
				return usagef(c, "expected --cancel alone")
			case cancel:
				return verb(c.Context(), env, ops.CancelStop, ops.Empty{}, func(w printer, p ops.PlannedStop) {
					w.line("the stop of %s is called off", when(p.At))
				})
			}
			seconds := int(time.Duration(wait).Round(time.Second) / time.Second)
			o := ops.StopOrder{Seconds: &seconds, Reason: strings.Join(args, " ")}
			return verb(c.Context(), env, ops.StopServer, o, func(w printer, p ops.PlannedStop) {
				w.line("the server stops at %s", when(p.At))
			})
		},
	}
	c.Flags().Var(&wait, "in", "how long to wait, up to 24h")
	c.Flags().BoolVar(&cancel, "cancel", false, "take a planned stop back")
	return env.withJSON(c)
}
