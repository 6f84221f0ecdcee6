package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/data/content"
	"sphereserver/data/content/clientfiles"
	"sphereserver/data/landscape"
)

// importResult is the result of "sphere import".
type importResult struct {
	*clientfiles.Report
	Written string `json:"written,omitempty"` // the content file, "" for a dry run

	Ground        *landscape.Report `json:"ground,omitempty"`
	GroundWritten string            `json:"groundWritten,omitempty"` // the file of landscapes
	Told          string            `json:"report,omitempty"`        // the file about parts that were not understood
}

func importCommand(env *environment) *cobra.Command {
	dryRun, yes := false, false
	c := &cobra.Command{
		Use:   "import CLIENT_FOLDER",
		Short: "Take over items, monsters, names and the ground from the files of your own client",
		Long: "Read the tables of items, suffixes and monsters, the language files, the placements and the landscapes of a " +
			"client, and put what\n" +
			"they say into the data folder, where the server finds it at its next start. The client's files are only " +
			"read. What is damaged, " +
			"missing or\n" +
			"unknown is named and left out. If nothing can be used, what was imported before stays as it is; a folder in " +
			"which most tables\nare missing, or landscapes are damaged, is taken over only after a question.",
		Example: "  sphere import ~/games/Sphere --dry-run\n  sphere import ~/games/Sphere",
		Args:    expect(0, "a client's folder"),
		RunE: func(c *cobra.Command, args []string) error {
			return importClient(c.Context(), env, args[0], dryRun, yes)
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be taken over")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return env.withJSON(c)
}

// importClient takes over the contents of a client's folder: tables and texts, landscapes, or both.
func importClient(ctx context.Context, env *environment, folder string, dryRun, yes bool) error {
	progress := func(read, total int) {
		if read%progressStep == 0 || read == total {
			env.progress().line("read %d of %d files", read, total)
		}
	}
	found, report, err := clientfiles.Import(ctx, folder, clientfiles.Options{Progress: progress})
	if err != nil && !report.Nothing() {
		return err
	}
	result := importResult{Report: report}
	land, seen, landErr := importLand(ctx, env, folder)
	if ctx.Err() != nil {
		return failf("interrupted, nothing was changed")
	}
	if len(seen.Problems)+len(seen.Continents) > 0 {
		result.Ground = seen
	} else if landErr != nil && err == nil && !errors.Is(landErr, landscape.ErrNone) {
		return landErr
	}
	if result.Ground == nil {
		landErr = nil
	}
	if err != nil && land == nil {
		return foundNothing(env, result, slices.Concat(report.Problems, seen.Problems), errors.Join(err, landErr), dryRun)
	}
	if err != nil {
		env.note("%v", err) // the earlier import stays
	}
	if dryRun {
		if err == nil {
			_, err = content.Compose(&found)
		} else {
			err = nil
		}
	} else {
		err = takeOver(ctx, env, &result, &found, err == nil, land, yes)
		if err == nil {
			result.Told, err = keepReport(env, result, landErr)
		}
	}
	if err != nil {
		return err
	}
	return errors.Join(env.print(result, func(w printer) { printImport(w, result) }), landErr)
}

// foundNothing tells why nothing of a folder can be used, and keeps a report about the ground.
func foundNothing(env *environment, result importResult, problems []clientfiles.Problem, err error, dryRun bool) error {
	for _, p := range problems {
		env.note("%v", errors.New(problemText(p)))
	}
	if !dryRun && result.Ground != nil {
		_, told := keepReport(env, result, err)
		err = errors.Join(err, told)
	}
	return err
}

// takeOver puts the findings into the data folder, after questions where they are less than one would expect.
func takeOver(ctx context.Context, env *environment, result *importResult, found *content.Content, tables bool,
	land *landscape.Landscape, yes bool) error {
	if r := result.Report; tables && len(r.Missing()) > len(r.Tables)/2 && !yes {
		rows, _ := r.Rows()
		if err := confirm(ctx, env, sentence{"Of %d tables %d are missing: this is no whole client. " +
			"Make its %d rows the catalogue all the same?", []any{len(r.Tables), len(r.Missing()), rows}}); err != nil {
			return err
		}
	}
	if land != nil && !yes {
		if err := confirmLand(ctx, env, result.Ground); err != nil {
			return err
		}
	}
	if tables {
		if err := content.WriteContent(env.dataDir, found); err != nil {
			return err
		}
		result.Written = filepath.Join(env.dataDir, content.ContentFile)
	}
	if land != nil {
		if err := land.Write(env.dataDir); err != nil {
			return err
		}
		result.GroundWritten = filepath.Join(env.dataDir, landscape.FileName)
	}
	return nil
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
	w.line("rows: %d read, %d skipped; tables missing: %d of %d", read, skipped, len(r.Missing()), len(r.Tables))
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
	if r.Ground != nil {
		printLand(w, r.Ground)
	}
	fmt.Fprintln(w)
	if r.Written+r.GroundWritten == "" {
		w.line("dry run: nothing was written")
	}
	for _, path := range []string{r.Written, r.GroundWritten} {
		if path != "" {
			w.line("written to %s; a server uses it from its next start on", path)
		}
	}
	if r.Told != "" {
		w.line("what was not understood is in %s, which helps whoever mends the importer", r.Told)
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
