package main

import (
	"github.com/spf13/cobra"

	"sphereserver/data"
)

// groundCommand is "sphere ground" with all below it.
func groundCommand(env *environment) *cobra.Command {
	return env.withJSON(group("ground", "Move what the server has learned of the height of the ground",
		groundExport(env), groundImport(env)))
}

// groundResult is the result of "sphere ground".
type groundResult struct {
	File    string `json:"file,omitempty"`
	Heights int    `json:"heights"`
}

func groundExport(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "export FILE", Short: "Write the heights that players have taught, also while the server runs",
		Args: expect(0, "a file, or - for the output"),
		Long: "Write how high the ground is where players have walked to FILE, for another server. With - for FILE it goes " +
			"to the standard output.",
		RunE: func(c *cobra.Command, args []string) error {
			n, err := data.ExportGround(c.Context(), env.dataDir, args[0], env.out)
			if err != nil || args[0] == "-" {
				return err
			}
			return env.print(groundResult{args[0], n}, func(w printer) { w.line("%d heights written to %s", n, args[0]) })
		},
	}
}

func groundImport(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Add heights from an export, while no server runs",
		Args: expect(0, "an export's file, or - for the input"),
		Long: "Add what \"sphere ground export\" has written to what the server knows. Where both know a height, that of " +
			"the file counts. With -\nfor FILE it comes from the standard input.",
		RunE: func(c *cobra.Command, args []string) error {
			in, err := env.open(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			n, err := data.ImportGround(c.Context(), env.dataDir, in)
			if err != nil {
				return err
			}
			return env.print(groundResult{"", n}, func(w printer) { w.line("%d heights added", n) })
		},
	}
}
