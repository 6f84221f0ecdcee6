package main

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/landscape"
	"sphereserver/server/admin"
	"sphereserver/server/config"
	"sphereserver/server/ops"
)

// dbCommand is "sphere db" with all below it.
func dbCommand(env *environment) *cobra.Command {
	return env.withJSON(group("db", "Back up, restore, check, export and import the database",
		dbBackup(env), dbRestore(env), dbCheck(env), dbExport(env), dbImport(env)))
}

func dbBackup(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "backup [FILE]", Short: "Copy the database to a file, also while the server runs", Args: expect(1, "a file"),
		Long: "Copy the database to a file, also while the server runs: the state of one moment, verified. Without FILE " +
			"the copy goes to the folder\nbackups of the data folder.",
		RunE: func(c *cobra.Command, args []string) error {
			var f ops.File
			var err error
			if len(args) > 0 {
				if f.Path, err = filepath.Abs(args[0]); err != nil {
					return err
				}
			}
			return verb(c.Context(), env, ops.Backup, f, func(w printer, made ops.File) {
				w.line("backed up to %s", made.Path)
			})
		},
	}
}

func dbRestore(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "restore FILE", Short: "Put a backup in the place of the database, while no server runs",
		Args: expect(0, "a backup's file"),
		Long: "Put a backup in the place of the database. The backup is verified first; the database that was there is " +
			"kept under another name.",
		RunE: func(c *cobra.Command, args []string) error {
			kept, err := data.Restore(c.Context(), env.dataDir, args[0])
			if err != nil {
				return err
			}
			result := struct {
				Restored string `json:"restored"`
				Kept     string `json:"kept,omitempty"`
			}{args[0], kept}
			return env.print(result, func(w printer) {
				w.line("restored %s", args[0])
				if kept != "" {
					w.line("kept the old database as %s", kept)
				}
			})
		},
	}
}

func dbCheck(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Read the whole database and list what is wrong with it", Args: expect(0),
		RunE: func(c *cobra.Command, args []string) error {
			return reach(c.Context(), env, false, func(conn *admin.Conn) error {
				result, err := admin.Do(c.Context(), conn, ops.Check, ops.Empty{})
				if err != nil {
					return err
				}
				err = env.print(result, func(w printer) { showProblems(w, result.Problems) })
				if err == nil && len(result.Problems) > 0 {
					err = failf("db check: expected no problems, found %d", len(result.Problems))
				}
				return err
			})
		},
	}
}

func dbExport(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "export FILE", Short: "Write all that the database holds as JSON, also while the server runs",
		Args: expect(0, "a file, or - for the output"),
		Long: "Write all that the database holds to FILE, an object of JSON in each line, to read it or to move to another " +
			"server. The file has\n" +
			"the hashes of passwords, so only its owner can read it. With - for FILE it goes to the standard output.",
		RunE: func(c *cobra.Command, args []string) error {
			rows, err := data.ExportFile(c.Context(), env.dataDir, args[0], env.out)
			if err != nil {
				return err
			}
			if args[0] == "-" {
				return nil
			}
			result := struct {
				File string         `json:"file"`
				Rows map[string]int `json:"rows"`
			}{args[0], rows}
			return env.print(result, func(w printer) {
				w.line("exported to %s", args[0])
				showRows(w, rows)
			})
		},
	}
}

func dbImport(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Make the database of a new data folder from an export",
		Args: expect(0, "an export's file, or - for the input"),
		Long: "Make the database of a data folder that has none yet from what \"sphere db export\" has written. With - for " +
			"FILE it comes from the\nstandard input.",
		RunE: func(c *cobra.Command, args []string) error {
			in, err := env.open(args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			result, err := data.Import(c.Context(), env.dataDir, in)
			if err != nil {
				return err
			}
			return env.print(result, func(w printer) {
				w.line("imported into %s", env.dataDir)
				showRows(w, result.Rows)
				if missing := notMoved(env.dataDir); len(missing) > 0 {
					w.line("not here, if the old data folder had them: %s", strings.Join(missing, ", "))
				}
				for _, p := range result.Problems {
					w.line("the exported database had a problem: %v", errors.New(visible(p)))
				}
			})
		},
	}
}

// notMoved are the files of an operator that an export has not, and that a data folder does not have.
func notMoved(dir string) []string {
	files := []string{config.FileName, config.BalanceFile, config.WebhooksFile, content.MissionsFile, content.ContentFile,
		landscape.FileName}
	return slices.DeleteFunc(files, func(name string) bool { return fileThere(filepath.Join(dir, name)) })
}

func showRows(w printer, rows map[string]int) {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(rows)), func(n string) bool { return n == "sqlite_sequence" })
	table(w, w.words("TABLE", "ROWS"), each(names, func(name string) []string {
		return []string{name, strconv.Itoa(rows[name])}
	}))
}
