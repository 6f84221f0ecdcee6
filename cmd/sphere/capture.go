package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/packets"
	"sphereserver/packets/capture"
	"sphereserver/server/ops"
)

// captureCommand is "sphere capture": recorded sessions, recorded traffic in words, and the proof that decoding and
// encoding are exact.
func captureCommand(env *environment) *cobra.Command {
	return group("capture",
		"Record sessions and play them again, put recorded game traffic into words, "+
			"and check that decoding and encoding are exact",
		captureReader(env, &cobra.Command{
			Use:   "decode HEX… | FILE… | -",
			Short: "Put frames into words: hex, a dump, a table (TSV), a pcap, a pcapng or a recording",
			Example: `  sphere capture decode 08 00 3F 42 2A 01 F4 01
  sphere capture decode session.pcapng
  sphere capture decode --json frames.tsv | jq .sections
  xclip -o | sphere capture decode -`,
		}, capture.FromArguments, printFrames),
		captureReader(env, &cobra.Command{
			Use:   "verify FILE… | -",
			Short: "Decode frames, encode them again and compare",
			Long: `Decode frames, encode them again and compare: the two must be exact inverses.

Each frame that is not exact, cannot be read to its end, has bits without a known meaning, or contradicts itself in the
file gets a line. The last line is

  frames N, decoded N, exact N, unknown bits N

for the frames that are whole; the line before it counts the others. ` +
				"The status is 1 where a whole frame was not exact.",
		}, capture.FromFiles, verifyFrames),
		captureRecordCommand(env), captureReplayCommand(env))
}

// recordedFrames are the frames of a capture, in their order.
type recordedFrames = iter.Seq2[capture.Recorded, error]

// captureReader makes a command one that reads recorded traffic: open finds the frames, and use does the work.
func captureReader(env *environment, c *cobra.Command,
	open func(args []string, in io.Reader, o capture.Options) (recordedFrames, error),
	use func(*environment, recordedFrames, *capture.Detector) error) *cobra.Command {
	var flags captureFlags
	c.Flags().BoolVar(&env.json, "json", false, "print one JSON object per line")
	flags.add(c)
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef(c, "expected a file of frames, or - for the standard input, found nothing")
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o, detector, err := flags.parse(c)
		if err != nil {
			return err
		}
		frames, err := open(args, env.in, o)
		if none := (capture.FileError{}); errors.As(err, &none) {
			return mistake(c, cmp.Or(notAFile(none.Name), err))
		}
		if err != nil {
			return usagef(c, "%v", err)
		}
		return use(env, frames, detector)
	}
	return c
}

// notAFile says why an argument names no file; nil if it does.
func notAFile(name string) error {
	info, err := os.Stat(name)
	switch shown := capture.Clean(name); {
	case strings.TrimSpace(name) == "":
		return failf("expected the name of a file, found %q", name)
	case err == nil && info.IsDir():
		return failf("%s is a folder, expected a file", shown)
	case errors.Is(err, fs.ErrNotExist):
		return failf("%s: there is no such file", shown)
	case err != nil:
		return failf("%s: %v", shown, errors.Unwrap(err))
	}
	return nil
}

// captureFlags are the flags of the commands that read recorded traffic.
type captureFlags struct {
	dialect string
	dir     string
	column  string
	port    uint16
	plain   bool
}

func (f *captureFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.dialect, "dialect", "auto", "generation of client and server: auto, 2022, 2026 or classic")
	c.Flags().StringVar(&f.dir, "dir", "auto", "way of frames whose file does not tell: auto, c2s or s2c")
	c.Flags().StringVar(&f.column, "column", "", "name or number of a table's column of frames (default: found by itself)")
	c.Flags().Uint16Var(&f.port, "port", capture.DefaultPort, "TCP port of the server in a pcap")
	c.Flags().BoolVar(&f.plain, "plain", false, "client frames are not obfuscated")
}

// parse turns the flags into options of the capture package.
func (f *captureFlags) parse(c *cobra.Command) (capture.Options, *capture.Detector, error) {
	o := capture.Options{Column: f.column, Port: f.port, Plain: f.plain}
	switch f.dir {
	case "auto":
	case "c2s":
		o.Direction = packets.FromClient
	case "s2c":
		o.Direction = packets.FromServer
	default:
		return o, nil, usagef(c, "--dir %q: expected auto, c2s or s2c", f.dir)
	}
	if f.port == 0 {
		return o, nil, usagef(c, "--port 0: expected 1 to 65535")
	}
	if f.dialect == "auto" {
		return o, capture.NewDetector(), nil
	}
	d, err := packets.ParseDialect(f.dialect)
	if err != nil {
		return o, nil, usagef(c, "--dialect %q: expected auto, 2022, 2026 or classic", f.dialect)
	}
	return o, capture.NewDetector(d), nil
}

// printFrames prints frames as they come, and errors of unreadable ones on the standard error.
func printFrames(env *environment, frames recordedFrames, detector *capture.Detector) error {
	out := bufio.NewWriter(env.out)
	bad := unreadable{to: env.progress()}
	n := 0
	for recorded := range bad.without(frames) {
		r := detector.Read(recorded)
		if env.json {
			out.Write(append(capture.AppendJSON(nil, &r), '\n'))
		} else {
			if n > 0 {
				out.WriteByte('\n')
			}
			if r.File != "" {
				fmt.Fprintln(out, capture.Heading(&r))
			}
			out.WriteString(capture.Words(&r))
		}
		n++
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return bad.result()
}

// unreadable are the places of a capture that could not be read. Each gets a line of its own, a single one the line
// that the program ends with.
type unreadable struct {
	to    printer
	count int
	last  error
}

// without are the frames that can be read.
func (u *unreadable) without(frames recordedFrames) iter.Seq[capture.Recorded] {
	return func(yield func(capture.Recorded) bool) {
		for recorded, err := range frames {
			if err != nil {
				u.print()
				u.count, u.last = u.count+1, err
			} else if !yield(recorded) {
				return
			}
		}
	}
}

func (u *unreadable) print() {
	if u.last != nil {
		u.to.line("%v", errors.New(capture.Clean(u.last.Error())))
	}
	u.last = nil
}

func (u *unreadable) result() error {
	if u.count == 1 && u.last != nil {
		return u.last
	}
	u.print()
	if u.count > 0 {
		return failf("%d places of the capture could not be read", u.count)
	}
	return nil
}

func verifyFrames(env *environment, frames recordedFrames, detector *capture.Detector) error {
	out := bufio.NewWriter(env.out)
	defer out.Flush()
	v := capture.Verifier{Detector: detector}
	bad := unreadable{to: env.progress()}
	for recorded := range bad.without(frames) {
		_, findings := v.Check(recorded)
		for _, f := range findings {
			env.printFinding(out, &recorded, f)
		}
	}
	v.Totals.Unreadable = bad.count
	t := v.Totals
	if env.json {
		out.Write(append(t.AppendJSON(nil), '\n'))
	} else {
		w := printer{out, env.russian}
		for line := range strings.Lines(t.Summary()) {
			w.line("%v", w.told(strings.TrimSpace(line)))
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	switch {
	case t.Exact < t.Frames:
		bad.print()
		return failf("%d of %d whole frames are not exact", t.Frames-t.Exact, t.Frames)
	case t.Frames+t.NotWhole == 0 && bad.count == 0:
		return failf("no frames to verify")
	}
	return bad.result()
}

// findingKinds are the kinds of findings as people read them.
var findingKinds = map[capture.Kind]ops.Text{capture.Inexact: text("неточно", "inexact"),
	capture.Undecoded: text("не разобрано", "undecoded"), capture.Unknown: text("неизвестно", "unknown"),
	capture.Note: text("замечание", "note")}

func (env *environment) printFinding(out io.Writer, r *capture.Recorded, f capture.Finding) {
	if env.json {
		out.Write(append(capture.AppendFindingJSON(nil, r, f), '\n'))
		return
	}
	reason := capture.Clean(f.Reason)
	if env.russian {
		reason = russianSentence(reason)
	}
	fmt.Fprintf(out, "%s: %s: %s\n", r.Position(), findingKinds[f.Kind].In(env.russian), reason)
}
