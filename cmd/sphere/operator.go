package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/user"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"sphereserver/coords"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

// An operatorCommand is what the commands for operators have in common.
type operatorCommand struct {
	env  *environment
	json bool // of the flag --json
}

func (o *operatorCommand) addJSONFlag(c *cobra.Command) {
	c.PersistentFlags().BoolVar(&o.json, "json", false, "print JSON")
}

// connect finds the way to the data folder, through the server that runs there if there is one. create allows that a database is
// made.
func (o *operatorCommand) connect(ctx context.Context, create bool, work func(*admin.Conn) error) error {
	c, err := admin.Connect(ctx, o.env.dataDir, admin.Options{Who: operatorName(), Create: create, Warn: func(text string) {
		fmt.Fprintln(o.env.err, "sphere: note:", text)
	}})
	if err != nil {
		return plain(err)
	}
	return plain(errors.Join(work(c), c.Close()))
}

// verb does one verb and prints what has come of it, as JSON or by text.
func verb[R, A any](ctx context.Context, o *operatorCommand, v ops.Verb[R, A], request R, text func(w io.Writer, a A)) error {
	create := v.Name() == ops.AddAccount.Name()
	return o.connect(ctx, create, func(conn *admin.Conn) error { return verbOn(ctx, o, conn, v, request, text) })
}

// verbOn is verb on a connection that is there.
func verbOn[R, A any](
	ctx context.Context, o *operatorCommand, conn *admin.Conn, v ops.Verb[R, A], request R, text func(w io.Writer, a A),
) error {
	a, err := admin.Do(ctx, conn, v, request)
	if err != nil {
		return err
	}
	return o.print(a, func(w io.Writer) { text(w, a) })
}

// plain takes away what only developers want to read.
func plain(err error) error {
	var mistake *usageError
	if err == nil || errors.As(err, &mistake) {
		return err
	}
	return errors.New(ofPackage.ReplaceAllString(err.Error(), "$1"))
}

// ofPackage is where an error names the package that it comes from, and not a folder of that name.
var ofPackage = regexp.MustCompile(`(^|: |; |\n|\()(data: )+`)

// operatorName is for the audit trail.
func operatorName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return "operator " + u.Username
	}
	return "operator"
}

// print writes a result as JSON or as text.
func (o *operatorCommand) print(result any, text func(w io.Writer)) error {
	if !o.json {
		text(o.env.out)
		return nil
	}
	return printJSON(o.env.out, result)
}

// table writes rows of cells under headings. What players have named cannot spoil it.
func table(w io.Writer, headings []string, rows [][]string) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{headings}, rows...) {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(t, "\t")
			}
			fmt.Fprint(t, visible(cell))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// visible keeps control characters from the terminal.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, text)
}

// confirm asks a question that has to be answered with yes.
func (o *operatorCommand) confirm(ctx context.Context, question string) error {
	fmt.Fprintf(o.env.err, "%s [y/N] ", visible(question))
	answer, err := readLine(ctx, o.env.in)
	if err != nil {
		return fmt.Errorf("expected an answer or --yes, found %w; nothing was changed", err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes", "д", "да":
		return nil
	}
	return errors.New("not confirmed, nothing was changed")
}

// maxLine in bytes is more than anybody has to answer.
const maxLine = 4096

var errNoLine = errors.New("the end of the input")

// readLine reads one line and not a byte more, so that another one can be read later.
func readLine(ctx context.Context, in io.Reader) (string, error) {
	type result struct {
		line string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		var line []byte
		for b := make([]byte, 1); len(line) < maxLine; {
			n, err := in.Read(b)
			if n == 1 && b[0] == '\n' || err == io.EOF && len(line) > 0 {
				break
			}
			if n == 1 {
				line = append(line, b[0])
			}
			if err == io.EOF {
				err = errNoLine
			}
			if err != nil {
				done <- result{"", err}
				return
			}
		}
		done <- result{strings.TrimSuffix(string(line), "\r"), nil}
	}()
	select {
	case r := <-done:
		return r.line, r.err
	case <-ctx.Done(): // the terminal is left as it was, and the program ends
		return "", errors.New("an interruption")
	}
}

// when shows a time, as the operator's clock has it.
func when(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// levelText shows an absolute level minus one as players know it: "great 15".
func levelText(level int) string {
	cycle := [...]string{"", "great ", "greatest ", "legendary "}
	level = min(max(level, 0), rules.MaxLevel)
	return fmt.Sprintf("%s%d", cycle[level/rules.CycleLevels], level%rules.CycleLevels+1)
}

func positionText(p coords.Position) string {
	return fmt.Sprintf("%.1f %.1f %.1f", p.X, p.Y, p.Z)
}
