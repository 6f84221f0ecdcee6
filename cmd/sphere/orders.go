package main

import (
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/server/ops"
)

// motdCommand is "sphere motd" with all below it.
func motdCommand(env *environment) *cobra.Command {
	return env.withJSON(group("motd", "The message of the day, told to everybody at entering",
		&cobra.Command{
			Use: "set TEXT", Short: "Set the message of the day", Args: expect(0, "a text"),
			Long: "Set the message of the day. It holds after a restart, too, and counts before chat.motto of the " +
				"configuration.",
			Example: "  sphere motd set \"Tournament at 20:00 in Shipstone\"",
			RunE: does(env, ops.SetMotd, func(args []string) ops.MotdText { return ops.MotdText{Text: args[0]} },
				showMotd),
		},
		&cobra.Command{
			Use: "end", Short: "End the message of the day that was set", Args: expect(0),
			Long: "End the message of the day that was set: that of the configuration counts again, if there is one.",
			RunE: does(env, ops.EndMotd, noRequest, showMotd),
		},
		&cobra.Command{
			Use: "show", Short: "Show the message of the day", Args: expect(0),
			RunE: does(env, ops.ShowMotd, noRequest, showMotd),
		}))
}

// noRequest is the request of verbs that ask for nothing.
func noRequest([]string) ops.Empty { return ops.Empty{} }

func showMotd(w printer, m ops.Motd) {
	switch {
	case m.Text == "":
		w.line("there is no message of the day")
	case m.By == "":
		w.line("%s (from the configuration)", m.Text)
	default:
		w.line("%s (set by %s, %s)", m.Text, ops.Author(m.By), when(m.At))
	}
}

// maintenanceCommand is "sphere maintenance" with all below it.
func maintenanceCommand(env *environment) *cobra.Command {
	return env.withJSON(group("maintenance", "Keep players out while something is done to the server",
		&cobra.Command{
			Use: "on [LOGIN...]", Short: "Let nobody in but operators and the accounts that are named",
			Args: cobra.ArbitraryArgs,
			Long: `Let nobody in but operators and the accounts that are named, and those of server.admit. The others are told why.
Players who are in stay. It holds after a restart, too. The next "on" has a list of its own.`,
			Example: "  sphere maintenance on\n  sphere maintenance on tester friend",
			RunE: does(env, ops.BeginMaintenance,
				func(args []string) ops.MaintenanceOrder { return ops.MaintenanceOrder{Admit: args} }, showMaintenance),
		},
		&cobra.Command{
			Use: "off", Short: "End the maintenance that was begun by command", Args: expect(0),
			RunE: does(env, ops.EndMaintenance, noRequest, showMaintenance),
		},
		&cobra.Command{
			Use: "list", Short: "Show whether there is maintenance, and which accounts get in", Args: expect(0),
			RunE: does(env, ops.ShowMaintenance, noRequest, showMaintenance),
		}))
}

func showMaintenance(w printer, m ops.Maintenance) {
	if !m.On {
		w.line("no maintenance: everybody gets in")
		return
	}
	if m.By != "" {
		w.line("maintenance, begun by %s, %s", ops.Author(m.By), when(m.At))
	}
	if m.File {
		w.line("maintenance, by server.maintenance of the configuration")
	}
	if len(m.Admit) == 0 {
		w.line("only operators get in")
		return
	}
	w.line("besides operators get in: %s", strings.Join(m.Admit, ", "))
}
