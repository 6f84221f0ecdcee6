package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/coords"
	"sphereserver/server/ops"
)

// An environment is the world outside of a command.
type environment struct {
	in       io.Reader
	out, err io.Writer
	dataDir  string // of the flag --data
	json     bool   // of the flag --json
	russian  bool   // the system's language is
	giveBack func() // at the end: what root has made in the data folder of another user becomes that user's
}

// usualData is the data folder unless another one is named.
const usualData = "./sphere-data"

// answers are where results go for people.
func (env *environment) answers() printer { return printer{env.out, env.russian} }

// words are texts in the language of the system.
func (env *environment) words(all ...ops.Text) []string {
	return each(all, func(t ops.Text) string { return t.In(env.russian) })
}

// progress is where news of the work goes.
func (env *environment) progress() printer { return printer{env.err, env.russian} }

// stopPatience is how long an orderly stop may take where nothing else ends the program before.
const stopPatience = 10 * time.Second

// withJSON gives a command, and those below it, the flag --json.
func (env *environment) withJSON(c *cobra.Command) *cobra.Command {
	c.PersistentFlags().BoolVar(&env.json, "json", false, "print JSON")
	return c
}

// open opens a file that a command reads, or its input for "-".
func (env *environment) open(file string) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(env.in), nil
	}
	return os.Open(file)
}

// readBounded reads a file whole. One of more than most bytes, which a device may have without end, is an error.
func readBounded(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(content)) > most {
		err = failf("%s: expected at most %d bytes, found more", path, most)
	}
	return content, err
}

// addServerFlag gives a command --addr, the server that it plays with. Its former names in scenarios and replays
// still work.
func addServerFlag(fl *pflag.FlagSet, addr *string) {
	*addr = "127.0.0.1:25860"
	fl.Var((*serverAddress)(addr), "addr", "server, HOST:PORT")
	fl.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "connect" {
			name = "addr"
		}
		return pflag.NormalizedName(name)
	})
}

// isHostPort reports whether a text is HOST:PORT with a port from 1 to 65535.
func isHostPort(text string) bool {
	host, port, err := net.SplitHostPort(text)
	n, notNumber := strconv.Atoi(port)
	return err == nil && host != "" && notNumber == nil && n >= 1 && n <= 65535
}

// A serverAddress is a flag for the address of a server, HOST:PORT.
type serverAddress string

// String implements pflag.Value.
func (a *serverAddress) String() string { return string(*a) }

// Type implements pflag.Value.
func (a *serverAddress) Type() string { return "string" }

// Set implements pflag.Value.
func (a *serverAddress) Set(text string) error {
	if !isHostPort(text) {
		return failf("expected an address HOST:PORT, found %q", text)
	}
	*a = serverAddress(text)
	return nil
}

// A span is a flag for a length of time: 90s, 30m, 12ч, 7d, 1h30m.
type span time.Duration

// String implements pflag.Value.
func (s *span) String() string {
	if *s == 0 {
		return ""
	}
	return time.Duration(*s).String()
}

// Type implements pflag.Value.
func (s *span) Type() string { return "TIME" }

// Set implements pflag.Value.
func (s *span) Set(text string) error {
	d, ok := ops.ParseSpan(text)
	if near, close := ops.NearSpan(text); !ok && close {
		return failf("expected a time like 30m, 12h or 7d, found %q, did you mean %q?", text, near)
	}
	if !ok {
		return failf("expected a time like 30m, 12h or 7d")
	}
	*s = span(d)
	return nil
}

// print writes a result as JSON or as text.
func (env *environment) print(result any, text func(w printer)) error {
	if !env.json {
		text(env.answers())
		return nil
	}
	return writeJSON(env.out, result)
}

// note tells something that is no result.
func (env *environment) note(format string, args ...any) {
	fmt.Fprintln(env.err, "sphere: "+env.answers().say("note")+": "+env.answers().say(format, args...))
}

// table writes rows of cells under headings. Names that players have chosen cannot spoil it.
func table(w io.Writer, headings []string, rows [][]string) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{headings}, rows...) {
		fmt.Fprintln(t, strings.Join(each(row, visible), "\t"))
	}
	t.Flush()
}

// each returns the results of f.
func each[T, U any](all []T, f func(T) U) []U {
	out := make([]U, len(all))
	for i, v := range all {
		out[i] = f(v)
	}
	return out
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

// when shows a time, as the operator's clock has it.
func when(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Local().Format("2006-01-02 15:04")
}

func positionText(p coords.Position) string {
	return fmt.Sprintf("%.1f %.1f %.1f", p.X, p.Y, p.Z)
}
