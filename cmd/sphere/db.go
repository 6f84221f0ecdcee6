package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// dbCommand is "sphere db" with all below it.
func dbCommand(env *environment) *cobra.Command {
	o := &operatorCommand{env: env}
	c := group("db", "Back up, restore, check, export and import the database", dbBackup(o), dbRestore(o), dbCheck(o),
		dbExport(o), dbImport(o))
	o.addJSONFlag(c)
	return c
}

func dbBackup(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "backup [FILE]", Short: "Copy the database to a file, also while the server runs", Args: expect(1, "a file"),
		Long: "Copy the database to a file, also while the server runs: the state of one moment, verified. Without FILE " +
			"the copy goes to the folder\nbackups of the data folder.",
		RunE: func(c *cobra.Command, args []string) error {
			var f ops.File
			if len(args) > 0 {
				path, err := filepath.Abs(args[0])
				if err != nil {
					return err
				}
				f.Path = path
			}
			return verb(c.Context(), o, ops.Backup, f, func(w io.Writer, made ops.File) {
				fmt.Fprintf(w, "backed up to %s\n", made.Path)
			})
		},
	}
}

func dbRestore(o *operatorCommand) *cobra.Command {
	return &cobra.Command{
		Use: "restore FILE", Short: "Put a backup in the place of the database, while no server runs",
		Args: expect(0, "a backup's file"),
		Long: "Put a backup in the place of the database. The backup is verified first; the database that was there is " +
			"kept under another name.",
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
			return o.connect(c.Context(), false, func(conn *admin.Conn) error {
				result, err := admin.Do(c.Context(), conn, ops.Check, ops.Empty{})
				if err != nil {
					return err
				}
				err = o.print(result, func(w io.Writer) { showProblems(w, result.Problems) })
				if err == nil && len(result.Problems) > 0 {
					err = fmt.Errorf("db check: expected no problems, found %d", len(result.Problems))
				}
				return err
			})
		},
	}
}

func showProblems(w io.Writer, problems []string) {
	for _, p := range problems {
		fmt.Fprintln(w, visible(p))
	}
	if len(problems) == 0 {
		fmt.Fprintln(w, "no problems found")
	}
}
