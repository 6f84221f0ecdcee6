package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/packets"
	"sphereserver/server/bot"
)

// botFlags are those of "sphere bot".
type botFlags struct {
	addr, login, password, name, prefix, dialect, walk string
	slot, count, crowd                                 int
	rate, speed, sight                                 float64
	duration, stay, pingEvery, load                    time.Duration
	chatEvery, groupEvery, thingsEvery, slack          time.Duration
	plain, json, stand, reconnect                      bool
	seed                                               uint64
}

// botCommand is "sphere bot": headless clients, one to try things with, many to load a server.
func botCommand(env *environment) *cobra.Command {
	var f botFlags
	c := &cobra.Command{
		Use:   "bot",
		Short: "Play without a screen: one client to try a server with, or thousands to load it",
		Long: `Plays the game without a screen. One client (the default) tells in words what happens to it; with --count, many log in one after
the other and a table shows how the server does: connections, positions answered per second and how fast, what was lost.

Clients behave as the original one does: they answer the greeting, log in, make a character where the slot is empty, enter, and walk
about: near where they are (--walk wander), in the middle of the nearest city (square), or from one named place to another (places).
Whatever the original client would stumble over is reported as a finding. Many clients also know where all of them truly are, and
report who is not shown, shown too long, under a wrong name or in a wrong place. They keep account of their things and their money; with
--things-every each comes back a last time at the end, to see whether it has what it had. The exit code is 1 if there was a finding, or if a
connection was lost.

"sphere bot script" plays a scenario from a file.

Only the server that --addr names is spoken to.`,
		Example: `  sphere bot
  sphere bot --addr 192.168.0.5:25860 --login vasya --password secret --slot 1
  sphere bot --count 1000 --for 2m
  sphere bot --count 300 --walk square --chat-every 30s --group-every 20s
  sphere bot --count 100 --walk square --things-every 5s --stay 1m
  sphere bot --count 10000 --rate 500 --stand --json > figures.json`,
		Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := f.options(c)
			if err != nil {
				return err
			}
			if f.count == 1 {
				return f.solo(c.Context(), env, o)
			}
			return f.swarm(c, env, o)
		},
	}
	c.AddCommand(botScriptCommand(env))
	f.register(c.Flags())
	return c
}

// register makes the flags known.
func (f *botFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.addr, "addr", "127.0.0.1:25860", "server, HOST:PORT")
	fl.StringVar(&f.login, "login", "bot", "login of the one client")
	fl.StringVar(&f.password, "password", "bot", "password of all clients")
	fl.StringVar(&f.name, "name", "", "name of the character that the one client makes (default: the prefix)")
	fl.IntVar(&f.slot, "slot", 0, "slot of the character, 0 to 2")
	fl.IntVar(&f.count, "count", 1, "number of clients")
	fl.DurationVar(&f.duration, "for", 0, "how long to play in all (default: until interrupted)")
	fl.StringVar(&f.prefix, "prefix", "Bot", "what logins and names of many clients begin with, Latin letters")
	fl.Float64Var(&f.rate, "rate", 200, "logins per second, at most")
	fl.StringVar(&f.dialect, "dialect", packets.Dialect2026.String(), "generation of the client: 2026, 2022 or classic")
	fl.BoolVar(&f.plain, "plain", false, "send frames in clear instead of obfuscated")
	fl.BoolVar(&f.json, "json", false,
		"print the figures as JSON at the end; what happens meanwhile goes to the standard error")
	fl.StringVar(&f.walk, "walk", bot.Wander.String(), "where to walk about: wander, square or places")
	fl.Float64Var(&f.speed, "speed", 0, "metres per second that clients walk (default: 4, and 5 from place to place)")
	fl.DurationVar(&f.chatEvery, "chat-every", 0,
		"how often a client says something to all around, on average (default: never)")
	fl.DurationVar(&f.groupEvery, "group-every", 0,
		"how often a client founds, seeks, leaves a group or lets somebody in, on average (default: never)")
	fl.DurationVar(&f.thingsEvery, "things-every", 0,
		"how often a client moves, drops, picks up, wears, buys or sells something, on average (default: never)")
	fl.Float64Var(&f.sight, "sight", 100, "metres within which the server has to show other players; 0 compares nothing")
	fl.IntVar(&f.crowd, "crowd", 256, "how many other players the server shows a client at most")
	fl.DurationVar(&f.slack, "slack", time.Second,
		"how much later than a second something may be shown because of the network")
	fl.BoolVar(&f.stand, "stand", false, "stand still")
	fl.DurationVar(&f.pingEvery, "ping-every", 2*time.Second, "time between two positions")
	fl.DurationVar(&f.load, "load-time", time.Second, "how long loading the world takes a client")
	fl.DurationVar(&f.stay, "stay", 0,
		"how long a client stays on average before it logs out and comes back (default: for ever)")
	fl.BoolVar(&f.reconnect, "reconnect", false, "bring back clients that have lost their connection")
	fl.Uint64Var(&f.seed, "seed", 1, "of everything random")
}

// Limits of flags: the server believes in 60 m/s, and movements reach 120 m.
const (
	fastestWalk   = 1000
	farthestSight = 10_000
)

func (f *botFlags) options(c *cobra.Command) (bot.Options, error) {
	d, err := packets.ParseDialect(f.dialect)
	switch {
	case err != nil:
		return bot.Options{}, usagef(c, "--dialect: %v", err)
	case f.count < 1:
		return bot.Options{}, usagef(c, "--count: expected 1 or more, found %d", f.count)
	case f.stand && c.Flags().Changed("walk"):
		return bot.Options{}, usagef(c, "expected --walk or --stand, found both")
	case f.slot < 0 || f.slot > 2:
		return bot.Options{}, usagef(c, "--slot: expected 0 to 2, found %d", f.slot)
	case f.rate <= 0:
		return bot.Options{}, usagef(c, "--rate: expected more than 0, found %v", f.rate)
	case f.pingEvery <= 0:
		return bot.Options{}, usagef(c, "--ping-every: expected more than 0, found %v", f.pingEvery)
	case f.duration < 0 || f.stay < 0 || f.load < 0 || f.chatEvery < 0 || f.groupEvery < 0 || f.thingsEvery < 0 ||
		f.slack < 0:
		return bot.Options{}, usagef(c, "expected no negative time")
	case !(f.speed >= 0) || f.speed > fastestWalk:
		return bot.Options{}, usagef(c, "--speed: expected 0 to %d, found %v", fastestWalk, f.speed)
	case !(f.sight >= 0) || f.sight > farthestSight:
		return bot.Options{}, usagef(c, "--sight: expected 0 to %d, found %v", farthestSight, f.sight)
	case f.crowd < 1:
		return bot.Options{}, usagef(c, "--crowd: expected 1 or more, found %d", f.crowd)
	}
	walk, err := bot.ParseWalk(f.walk)
	if err != nil {
		return bot.Options{}, usagef(c, "--walk: %v", err)
	}
	return bot.Options{Dialect: d, Plain: f.plain, Idle: f.stand, Walk: walk, Speed: f.speed, ChatEvery: f.chatEvery,
		GroupEvery: f.groupEvery,
		ItemsEvery: f.thingsEvery, PingEvery: f.pingEvery, LoadTime: f.load, Seed: f.seed}, nil
}

// progress is where to tell what happens.
func (f *botFlags) progress(env *environment) io.Writer {
	if f.json {
		return env.err
	}
	return env.out
}

// solo plays with one client.
func (f *botFlags) solo(ctx context.Context, env *environment, o bot.Options) error {
	if f.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.duration)
		defer cancel()
	}
	who := bot.Identity{Login: f.login, Password: f.password, Name: f.name, Slot: f.slot}
	if who.Name == "" {
		who.Name = f.prefix + [...]string{"", "second", "third"}[f.slot] // no name of a swarm
	}
	w, begin := f.progress(env), time.Now()
	client, err := bot.Solo(ctx, f.addr, o, who, func(line string) {
		fmt.Fprintf(w, "%6.1f  %s\n", time.Since(begin).Seconds(), line)
	})
	if bot.Meant(ctx, err) {
		err = nil
	}
	if client == nil {
		return err
	}
	figures := client.Figures()
	if f.json {
		if e := printFigures(env.out, figures); e != nil {
			return e
		}
	} else if figures.Entries > 0 {
		fmt.Fprint(w, bot.Summary(figures))
	}
	if err != nil {
		return err
	}
	return verdict(figures)
}

// swarm plays with many.
func (f *botFlags) swarm(c *cobra.Command, env *environment, o bot.Options) error {
	s, err := bot.NewSwarm(bot.SwarmOptions{Addr: f.addr, Count: f.count, Rate: f.rate, For: f.duration, Stay: f.stay,
		Reconnect: f.reconnect,
		Prefix:    f.prefix, Password: f.password, Slot: f.slot, Client: o, Sight: cmp.Or(f.sight,
			-1), Crowd: f.crowd, Slack: f.slack})
	if err != nil {
		return usagef(c, "%v", errors.Unwrap(err))
	}
	const ownFiles = 32 // that are no connections
	if limit := descriptorLimit(); limit > 0 && limit < f.count+ownFiles {
		fmt.Fprintf(env.err, "the system lets this process open %d files, too few for %d connections: raise the limit "+
			"(ulimit -n)\n", limit, f.count)
	}
	w := f.progress(env)
	table := bot.NewTable(w, redrawable(w))
	ctx, done := context.WithCancel(c.Context())
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		table.Follow(ctx, s)
	}()
	s.Run(c.Context())
	done()
	<-shown
	figures := s.Figures()
	table.Finish(figures)
	if f.json {
		if err := printFigures(env.out, figures); err != nil {
			return err
		}
	}
	return verdict(figures)
}

// verdict is the exit code: an error for findings and lost connections.
func verdict(f *bot.Figures) error {
	switch {
	case f.Clean():
		return nil
	case f.Entries == 0 && len(f.Disconnects) == 0:
		return errors.New("nobody came into the world")
	}
	return fmt.Errorf("%d findings, %d connections lost", f.ViolationCount(), f.DisconnectCount())
}

func printFigures(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// redrawable says whether w shows what is written in place. Old Windows consoles do not.
func redrawable(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok || runtime.GOOS == "windows" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
