package main

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// recordFlags are the flags of "sphere capture record".
type recordFlags struct {
	order                   ops.RecordingOrder
	session                 string
	detach, stop, showState bool
	duration                time.Duration
}

// captureRecordCommand is "sphere capture record".
func captureRecordCommand(env *environment) *cobra.Command {
	var f recordFlags
	c := &cobra.Command{
		Use:   "record",
		Short: "Record sessions of the running server into a file",
		Long: "Records what sessions of the running server send and receive, both ways and with times, until it is " +
			"interrupted or --for is over.\n" +
			"Passwords are not in the file; logins, names and what is said are, unless --anonymous gives other " +
			"names. The server writes the\n" +
			"file, which must not exist, and never waits for the disk: a session that comes faster than it can " +
			"be written is recorded in part.\n" +
			"\n" +
			"\"sphere capture decode\" and \"verify\" read the file, \"sphere capture replay\" plays it again.",
		Example: `  sphere capture record --all --out evening.sphrec --for 10m
  sphere capture record --account vasya --out vasya.sphrec
  sphere capture record --session 0x4F6F
  sphere capture record --all --detach
  sphere capture record --stop`,
		Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c, env) },
	}
	env.withJSON(c)
	fl := c.Flags()
	fl.BoolVar(&f.order.All, "all", false, "record all sessions")
	fl.StringVar(&f.order.Login, "account", "", "record the sessions of the account with this login")
	fl.StringVar(&f.session, "session", "",
		"record the session of the player with this index, as the log shows it: 0x4F6F")
	fl.StringVar(&f.order.Path, "out", "", "file to write (default: one in the folder recordings of the data folder)")
	fl.Var((*span)(&f.duration), "for", "how long to record, up to 7d (default: until interrupted)")
	fl.BoolVar(&f.order.Anonymous, "anonymous", false, "put other logins and names in place of the true ones")
	fl.BoolVar(&f.detach, "detach", false, "only start the recording, which goes on until --stop or --for")
	fl.BoolVar(&f.stop, "stop", false, "stop the recording that goes on")
	fl.BoolVar(&f.showState, "state", false, "tell of the recording that goes on, or the last one")
	return c
}

// check returns the first mistake in the flags, and completes the order.
func (f *recordFlags) check(c *cobra.Command) error {
	wanted := 0
	for _, is := range []bool{f.order.All, f.order.Login != "", f.session != "", f.stop, f.showState} {
		if is {
			wanted++
		}
	}
	if wanted != 1 {
		return usagef(c, "expected one of --all, --account, --session, --stop and --state, found %d of them", wanted)
	}
	f.order.Seconds = f.duration.Seconds()
	if f.session != "" {
		index, err := strconv.ParseUint(f.session, 0, 16)
		if err != nil || index == 0 {
			return usagef(c, "--session %q: expected the index of a player, such as 0x4F6F", f.session)
		}
		f.order.Session = uint16(index)
	}
	if f.order.Path == "" {
		return nil
	}
	path, err := filepath.Abs(f.order.Path) // the server, which writes the file, has another working folder
	if err != nil {
		return failf("--out: %v", err)
	}
	f.order.Path = path
	return nil
}

func (f *recordFlags) run(c *cobra.Command, env *environment) error {
	if err := f.check(c); err != nil {
		return err
	}
	return reach(c.Context(), env, false, func(conn *admin.Conn) error {
		ctx := context.WithoutCancel(c.Context()) // an interruption ends the recording, and the command with it
		var state ops.Recording
		var err error
		switch {
		case f.stop:
			state, err = admin.Do(ctx, conn, ops.StopRecording, ops.Empty{})
		case f.showState:
			if state, err = admin.Do(ctx, conn, ops.LastRecording, ops.Empty{}); err == nil && state.Path == "" {
				err = failf("no sessions have been recorded since the server was started")
			}
		default:
			if state, err = admin.Do(ctx, conn, ops.StartRecording, f.order); err == nil && !f.detach {
				env.progress().line("recording to %s; interrupt to stop", state.Path)
				state, err = followRecording(c.Context(), conn, state)
			}
		}
		if err != nil {
			return err
		}
		if err := env.print(state, func(w printer) { showRecording(w, state) }); err != nil || state.Error == "" {
			return err
		}
		return failf("%v", errors.New(state.Error))
	})
}

// followRecording waits until a recording has ended, and ends it when ctx does.
func followRecording(ctx context.Context, conn *admin.Conn, began ops.Recording) (ops.Recording, error) {
	away := context.WithoutCancel(ctx)
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			if state, err := admin.Do(away, conn, ops.StopRecording, ops.Empty{}); err == nil {
				return state, nil
			}
			return admin.Do(away, conn, ops.LastRecording, ops.Empty{}) // it has ended meanwhile
		case <-tick.C:
		}
		state, err := admin.Do(away, conn, ops.LastRecording, ops.Empty{})
		if err != nil || !state.Running || !state.Started.Equal(began.Started) {
			return state, err
		}
	}
}

func showRecording(w printer, r ops.Recording) {
	state := w.say("recording")
	switch {
	case !r.Running && r.Why == "stopped":
		state = w.say("recorded")
	case !r.Running:
		state = w.say("recorded, ended since %v", errors.New(r.Why))
	}
	table(w, []string{w.say("file"), r.Path}, w.labelled([][]string{
		{"state", state},
		{"sessions", w.say("%d, of which %d in part", r.Sessions, r.Lost)},
		{"frames", strconv.Itoa(r.Frames)},
		{"size", w.say("%.1f KiB", float64(r.Bytes)/1024)},
	}))
}
