package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/data/content"
	"sphereserver/data/content/clientfiles"
)

// importResult is what "sphere import" has done.
type importResult struct {
	*clientfiles.Report
	Written string `json:"written,omitempty"` // the content file, "" for a dry run
}

func importCommand(env *environment) *cobra.Command {
	dryRun, yes := false, false
	c := &cobra.Command{
		Use:   "import CLIENT_FOLDER",
		Short: "Take over items, monsters and names from the files of your own client",
		Long: "Read the tables of items, suffixes and monsters, the language files and the placements of a client, and put " +
			"what they say into\n" +
			"the data folder, where the server finds it at its next start. The client's files are only read. What is damaged, " +
			"missing or\n" +
			"unknown is named and left out. If nothing can be used, what was imported before stays as it is; a folder in " +
			"which most tables\nare missing is taken over only after a question.",
		Example: "  sphere import ~/games/Sphere --dry-run\n  sphere import ~/games/Sphere",
		Args:    expect(0, "a client's folder"),
		RunE: func(c *cobra.Command, args []string) error {
			progress := func(read, total int) {
				if read%progressStep == 0 || read == total {
					env.progress().line("read %d of %d files", read, total)
				}
			}
			found, report, err := clientfiles.Import(c.Context(), args[0], clientfiles.Options{Progress: progress})
			if err != nil {
				for _, p := range report.Problems {
					env.note("%v", errors.New(problemText(p)))
				}
				return err
			}
			result := importResult{Report: report}
			if !dryRun {
				if n := len(report.Missing()); n > len(report.Tables)/2 && !yes {
					rows, _ := report.Rows()
					if err := confirm(c.Context(), env, sentence{"Of %d tables %d are missing: this is no whole client. " +
						"Make its %d rows the catalogue all the same?", []any{len(report.Tables), n, rows}}); err != nil {
						return err
					}
				}
				if err := content.WriteContent(env.dataDir, &found); err != nil {
					return err
				}
				result.Written = filepath.Join(env.dataDir, content.ContentFile)
			} else if _, err := content.Compose(&found); err != nil {
				return err
			}
			return env.print(result, func(w printer) { printImport(w, result) })
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be taken over")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	env.addJSONFlag(c)
	return c
}

// progressStep is how many files are read between two lines of progress.
const progressStep = 500

func problemText(p clientfiles.Problem) string {
	parts := slices.DeleteFunc([]string{p.File, p.Where, p.What}, func(s string) bool { return s == "" })
	return visible(strings.Join(parts, ": "))
}

func printImport(w printer, r importResult) {
	w.line("%d files looked at, %d read", r.Files, r.Read)
	fmt.Fprintln(w)
	table(w, w.words("TABLE", "READ", "EXPECTED", "SKIPPED", "FILE"),
		each(r.Tables, func(t clientfiles.TableReport) []string {
			return []string{t.Table, strconv.Itoa(t.Read), strconv.Itoa(t.Expected), strconv.Itoa(t.Skipped),
				cmp.Or(t.File, w.say("missing"))}
		}))
	read, skipped := r.Rows()
	fmt.Fprintln(w)
	w.line("rows: %d read, %d skipped; tables missing: %d of %d", read, skipped, len(r.Missing()),
		len(r.Tables))
	w.line("language files: %s", w.counts(r.Languages))
	w.line("kinds and monsters with a name: %s", w.counts(r.Names))
	w.line("placements: %d, other texts: %d, models with speeds: %d", r.Places, r.Texts, r.Models)
	if n := len(r.Problems) + r.More; n > 0 {
		fmt.Fprintln(w)
		w.line("remarks: %d", n)
		for _, p := range r.Problems {
			fmt.Fprintf(w, "  %s\n", w.told(problemText(p)))
		}
		if r.More > 0 {
			fmt.Fprintf(w, "  %s\n", w.say("and %d more", r.More))
		}
	}
	fmt.Fprintln(w)
	if r.Written == "" {
		w.line("dry run: nothing was written")
	} else {
		w.line("written to %s; a server uses it from its next start on", r.Written)
	}
}

// counts lists numbers by language.
func (w printer) counts(by map[string]int) string {
	var out []string
	for _, l := range []string{"ru", "en", "it", "pl", "de", "fr", "es"} {
		if by[l] > 0 {
			out = append(out, fmt.Sprintf("%s %d", l, by[l]))
		}
	}
	if out == nil {
		return w.say("none")
	}
	return strings.Join(out, ", ")
}
