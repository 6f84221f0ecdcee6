package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"sphereserver/data"
)

func dbExport(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "export FILE", Short: "Write all that the database holds as JSON, also while the server runs",
		Args: expect(0, "a file, or - for the output"),
		Long: "Write all that the database holds to FILE, an object of JSON in each line, to read it or to move to another " +
			"server. The file has\n" +
			"the hashes of passwords, so only its owner can read it. With - for FILE it goes to the standard output.",
		RunE: func(c *cobra.Command, args []string) error {
			rows, err := data.ExportFile(c.Context(), o.env.dataDir, args[0], o.env.out)
			if err != nil {
				return plain(err)
			}
			if args[0] == "-" {
				return nil
			}
			result := struct {
				File string         `json:"file"`
				Rows map[string]int `json:"rows"`
			}{args[0], rows}
			return o.print(result, func(w io.Writer) {
				fmt.Fprintf(w, "exported to %s\n", args[0])
				showRows(w, rows)
			})
		},
	}
}

func dbImport(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Make the database of a new data folder from an export",
		Args: expect(0, "an export's file, or - for the input"),
		Long: "Make the database of a data folder that has none yet from what \"sphere db export\" has written. With - for " +
			"FILE it comes from the\nstandard input.",
		RunE: func(c *cobra.Command, args []string) error {
			in := o.env.in
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
			}
			result, err := data.Import(c.Context(), o.env.dataDir, in)
			if err != nil {
				return plain(err)
			}
			return o.print(result, func(w io.Writer) {
				fmt.Fprintf(w, "imported into %s\n", o.env.dataDir)
				showRows(w, result.Rows)
				for _, p := range result.Problems {
					fmt.Fprintf(w, "the exported database had a problem: %s\n", visible(p))
				}
			})
		},
	}
}

func showRows(w io.Writer, rows map[string]int) {
	var cells [][]string
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		if name != "sqlite_sequence" {
			cells = append(cells, []string{name, strconv.Itoa(rows[name])})
		}
	}
	table(w, []string{"TABLE", "ROWS"}, cells)
}
