package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/server/admin"
)

// dbCommand is "sphere db" with all below it.
func dbCommand(env *environment) *cobra.Command {
	o := &operatorCommand{env: env}
	c := group("db", "Back up, restore, check, export and import the database", dbBackup(o), dbRestore(o), dbCheck(o), dbExport(o), dbImport(o))
	o.addJSONFlag(c)
	return c
}

func dbBackup(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "backup [FILE]", Short: "Copy the database to a file, also while the server runs", Args: expect(1, "a file"),
		Long: "Copy the database to a file, also while the server runs: the state of one moment, verified. Without FILE the copy goes to the folder\nbackups of the data folder.",
		RunE: func(c *cobra.Command, args []string) error {
			var f admin.File
			if len(args) > 0 {
				path, err := filepath.Abs(args[0])
				if err != nil {
					return err
				}
				f.Path = path
			}
			return o.reach(c.Context(), false, func(op admin.Operator) error {
				made, err := op.Backup(c.Context(), f)
				if err != nil {
					return err
				}
				return o.print(made, func(w io.Writer) { fmt.Fprintf(w, "backed up to %s\n", made.Path) })
			})
		},
	}
}

func dbRestore(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "restore FILE", Short: "Put a backup in the place of the database, while no server runs", Args: expect(0, "a backup's file"),
		Long: "Put a backup in the place of the database. The backup is verified first; the database that was there is kept under another name.",
		RunE: func(c *cobra.Command, args []string) error {
			kept, err := data.Restore(c.Context(), o.env.dataDir, args[0])
			if err != nil {
				return plain(err)
			}
			result := struct {
				Restored string `json:"restored"`
				Kept     string `json:"kept,omitempty"`
			}{args[0], kept}
			return o.print(result, func(w io.Writer) {
				fmt.Fprintf(w, "restored %s\n", args[0])
				if kept != "" {
					fmt.Fprintf(w, "kept the old database as %s\n", kept)
				}
			})
		},
	}
}

func dbCheck(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Read the whole database and list what is wrong with it", Args: expect(0),
		RunE: func(c *cobra.Command, args []string) error {
			return o.reach(c.Context(), false, func(op admin.Operator) error {
				result, err := op.Check(c.Context(), admin.Nothing{})
				if err != nil {
					return err
				}
				err = o.print(result, func(w io.Writer) {
					for _, p := range result.Problems {
						fmt.Fprintln(w, visible(p))
					}
					if len(result.Problems) == 0 {
						fmt.Fprintln(w, "no problems found")
					}
				})
				if err == nil && len(result.Problems) > 0 {
					err = fmt.Errorf("db check: expected no problems, found %d", len(result.Problems))
				}
				return err
			})
		},
	}
}
