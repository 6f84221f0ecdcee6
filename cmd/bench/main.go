// Command bench measures the server against its performance bars and prints a table: our figure, that of a bare
// reference which does the same with the least possible code, their ratio, and whether the bar is met.
//
// Everything runs on this machine over the loopback interface, is bounded in time and ends by itself. Ours and the
// reference take turns, so that a machine that slows down slows both; each figure is the median of the runs. Where a
// bar speaks of the server's processor time or memory, server and load are processes of their own: the program starts
// itself again as the server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"sphereserver/server/passwords"
)

func main() {
	if passwords.Called() {
		os.Exit(passwords.Main())
	}
	if len(os.Args) > 1 {
		if serve, ok := servers[os.Args[1]]; ok {
			os.Exit(runServer(serve, os.Args[2:]))
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(1)
	}
}

// servers are the hidden commands that make this program a server; each starts one from its JSON settings.
var servers = map[string]func(settings []byte) (*served, error){
	"serve-game": serveGame,
	"serve-bare": serveBare,
}

// bars are all that this program measures, in the order of the table.
var bars = []bar{
	{"P1", measureAnswers}, {"P2", measureManyAnswers}, {"P3", measureAnswerCost}, {"P4", measureUpdates},
	{"P5", measureTicks}, {"P6", measureMemory}, {"P7", measureLoops}, {"P8", measureLoops},
	{"P9", measureTicksWhileSaving}, {"P10", measureLoops}, {"P11", measureStart}, {"P12", measureLogins},
	{"P13", measureLoops}, {"P14", measureLoops}, {"P15", measureLoops}, {"P16", measureLoops},
	{"P17", measureLoops}, {"P18", measureLoops}, {"P19", measureLoops}, {"P20", measureLoops},
	{"P21", measureIdleServer}, {"P22", measureLoops},
}

// An order is the content of the command line.
type order struct {
	bars                     []bar
	quick, asked             bool // asked: for these bars, by their names
	asJSON, asMarkdown       bool
	runs                     int
	folder, profiles, sphere string
}

// readOrder reads the command line.
func readOrder(args []string, progress io.Writer) (o order, err error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(progress)
	f.Usage = func() {
		fmt.Fprintln(progress, "Usage of bench. The exit code is 0 if all bars are met, and 1 if one is missed or fails: "+
			"the last lines\nsay which.")
		f.PrintDefaults()
	}
	f.BoolVar(&o.quick, "quick", false, "small sizes, for machines with company: a bar is missed if more than a third "+
		"of it is wanting\nin each of three attempts")
	only := f.String("only", "", "bars to measure, such as P1,P7; default: all of "+numbers(bars))
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.asMarkdown, "markdown", false, "print a Markdown table")
	f.IntVar(&o.runs, "runs", 3, "runs of ours and of the reference each")
	f.StringVar(&o.folder, "dir", "", "`folder` for temporary databases; its disk is what saving is measured on")
	f.StringVar(&o.profiles, "profiles", "", "`folder` to write profiles of our servers to, of the processor and, for "+
		"P6, of memory")
	f.StringVar(&o.sphere, "sphere", "", "`program` whose start is measured; default: built from this source")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.asked = *only != ""
	if o.bars, err = choose(*only); err != nil {
		return o, err
	}
	if o.runs < 1 || f.NArg() > 0 {
		return o, errors.New("expected at least one run, and no arguments beside the flags")
	}
	return o, nil
}

// run measures the bars of the command line.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	o, err := readOrder(args, progress)
	if err != nil {
		return err
	}
	s := fullSizes
	if o.quick {
		s = quickSizes
	}
	if o.asked {
		s.leftOut = nil
	}
	b, err := newBench(s, o.runs, o.folder, progress)
	if err != nil {
		return err
	}
	defer b.close()
	b.sphere = o.sphere
	if o.profiles != "" {
		if b.profiles, err = filepath.Abs(o.profiles); err != nil {
			return err
		}
		if err := os.MkdirAll(b.profiles, 0o777); err != nil {
			return err
		}
	}
	t := &table{Machine: thisMachine(), Commit: commit(ctx), Quick: o.quick, Runs: o.runs, Began: time.Now()}
	for _, c := range o.bars {
		t.Rows = append(t.Rows, b.rowsOf(ctx, c)...)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	t.Took = time.Since(t.Began)
	write := t.writeText
	switch {
	case o.asJSON:
		write = t.writeJSON
	case o.asMarkdown:
		write = t.writeMarkdown
	}
	return errors.Join(write(out), t.missed())
}

// choose finds the bars of a list such as P1,P7.
func choose(list string) (chosen []bar, err error) {
	if list == "" {
		return bars, nil
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		wanted[strings.ToUpper(strings.TrimSpace(name))] = true
	}
	for _, c := range bars {
		if wanted[c.number] {
			chosen = append(chosen, c)
			delete(wanted, c.number)
		}
	}
	for name := range wanted {
		return nil, fmt.Errorf("there is no bar %q here, expected some of %s", name, numbers(bars))
	}
	return chosen, nil
}

func numbers(of []bar) string {
	names := make([]string, len(of))
	for i, c := range of {
		names[i] = c.number
	}
	return strings.Join(names, ", ")
}
