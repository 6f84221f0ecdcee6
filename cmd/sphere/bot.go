package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/data/content"
	"sphereserver/data/lazyregexp"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

// botFlags are the flags of "sphere bot".
type botFlags struct {
	bot.SwarmOptions // one client uses only the options for one

	login, name, dialect, walk string
}

// botCommand is "sphere bot": headless clients, one to try things with, many to load a server.
func botCommand(env *environment) *cobra.Command {
	var f botFlags
	c := &cobra.Command{
		Use:   "bot",
		Short: "Play without a screen: one client to try a server with, or thousands to load it",
		Long: `Plays the game without a screen. One client (the default) tells in words what happens to it; with --count,
many log in one after the other and a table shows how the server does: connections, positions answered per
second and how fast, what was lost.

Clients behave as the original one does: they answer the greeting, log in, make a character where the slot
is empty, enter, and walk about: near where they are (--walk wander), in the middle of the nearest city
(square), or from one named place to another (places). Whatever the original client would stumble over is
reported as a finding. Many clients also know where all of them truly are, and report who is not shown,
shown too long, under a wrong name or in a wrong place. They keep account of their things and their money;
with --things-every each comes back a last time at the end, to see whether it has what it had. The exit code
is 1 if there was a finding, or if a connection was lost.

With --hunt they go out of the nearest town, hunt monsters of their own level, take what those leave, flee
and rest when few HP are left, die and wake up, spend the points of new levels, and come back to sell and to
buy. The figures say what came of it.

With --missions they take missions of all kinds from those who give them: go into dungeons with the key and
to monsters outside, kill what is to be killed, fetch, bring and win back parcels, buy, find or hunt what is
to be collected, lead people to the way out or to a teleport, look into chests on the way, and report a key
that opens nothing, a target that is not there, and what is not paid as it should. The figures say what came
of each kind, and why missions were given up.

"sphere bot script" plays a scenario from a file.

Only the server that --addr names is spoken to.`,
		Example: `  sphere bot
  sphere bot --addr 192.168.0.5:25860 --login vasya --password secret --slot 1
  sphere bot --count 1000 --for 2m
  sphere bot --count 300 --walk square --chat-every 30s --group-every 20s
  sphere bot --count 100 --walk square --things-every 5s --stay 1m
  sphere bot --hunt --for 10m
  sphere bot --count 100 --hunt --for 1h
  sphere bot --count 50 --missions --for 30m
  sphere bot --count 10000 --rate 500 --stand --json > figures.json`,
		Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			if f.Count == 1 {
				return f.solo(c.Context(), env)
			}
			return f.swarm(c, env)
		},
	}
	c.AddCommand(botScriptCommand(env))
	c.Flags().BoolVar(&env.json, "json", false,
		"print the figures as JSON at the end; what happens meanwhile goes to the standard error")
	f.register(c.Flags())
	return c
}

// register makes the flags known.
func (f *botFlags) register(fl *pflag.FlagSet) {
	addServerFlag(fl, &f.Addr)
	fl.StringVar(&f.login, "login", "bot", "login of the one client")
	fl.StringVar(&f.Password, "password", "bot", "password of all clients")
	fl.StringVar(&f.name, "name", "", "name of the character that the one client makes (default: the prefix)")
	fl.IntVar(&f.Slot, "slot", 0, "slot of the character, 0 to 2")
	fl.IntVar(&f.Count, "count", 1, "number of clients")
	fl.Var((*span)(&f.For), "for", "how long to play in all (default: until interrupted)")
	fl.StringVar(&f.Prefix, "prefix", "Bot", "what logins and names of many clients begin with, Latin letters")
	fl.Float64Var(&f.Rate, "rate", 200, "logins per second, at most")
	fl.StringVar(&f.dialect, "dialect", packets.Dialect2026.String(),
		"generation of the client, which it shows before it enters: 2026, 2022 or classic")
	fl.BoolVar(&f.Client.Plain, "plain", false, "send frames in clear instead of obfuscated")
	fl.StringVar(&f.walk, "walk", string(bot.Wander), "where to walk about: wander, square or places")
	fl.Float64Var(&f.Client.Speed, "speed", 0, "metres per second that clients walk (default: 4, and 5 from place to "+
		"place); a server as it ships believes 12")
	fl.DurationVar(&f.Client.ChatEvery, "chat-every", 0,
		"how often a client says something to all around, on average (default: never)")
	fl.DurationVar(&f.Client.GroupEvery, "group-every", 0,
		"how often a client founds, seeks, leaves a group or lets somebody in, on average (default: never)")
	fl.DurationVar(&f.Client.ItemsEvery, "things-every", 0,
		"how often a client moves, drops, picks up, wears, buys or sells something, on average (default: never)")
	fl.Float64Var(&f.Sight, "sight", 100, "metres within which the server has to show other players; 0 compares nothing")
	fl.IntVar(&f.Crowd, "crowd", 256, "how many other players the server shows a client at most")
	fl.DurationVar(&f.Slack, "slack", time.Second,
		"how much later than a second something may be shown because of the network")
	fl.BoolVar(&f.Client.Hunt, "hunt", false,
		"hunt monsters: go out of the town, fight, loot, come back to sell and to buy")
	fl.BoolVar(&f.Client.Missions, "missions", false, "take missions and do them, in dungeons and outside")
	fl.BoolVar(&f.Client.Idle, "stand", false, "stand still")
	fl.DurationVar(&f.Client.PingEvery, "ping-every", 2*time.Second, "time between two positions")
	fl.DurationVar(&f.Client.LoadTime, "load-time", time.Second, "how long loading the world takes a client")
	fl.DurationVar(&f.Stay, "stay", 0,
		"how long a client stays on average before it logs out and comes back (default: for ever)")
	fl.BoolVar(&f.Reconnect, "reconnect", false, "bring back clients that have lost their connection")
	fl.Uint64Var(&f.Client.Seed, "seed", 1, "of everything random")
}

// Limits of flags: the server believes in 12 m/s unless it is told otherwise, and movements reach 120 m.
const (
	fastestWalk   = 1000
	farthestSight = 10_000
)

// wrongTime returns the first flag of a command that is a time below 0 or above 366 days.
func wrongTime(c *cobra.Command) (found *pflag.Flag) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		d, err := time.ParseDuration(f.Value.String())
		if found == nil && f.Value.Type() == "duration" && (err != nil || d < 0 || d > 366*24*time.Hour) {
			found = f
		}
	})
	return found
}

// check returns the first mistake in the flags, and reads flags that are words.
func (f *botFlags) check(c *cobra.Command) (err error) {
	o := &f.Client
	o.Dialect, err = packets.ParseDialect(f.dialect)
	switch {
	case err != nil:
		return usagef(c, "--dialect: %v", err)
	case f.Count < 1:
		return usagef(c, "--count: expected 1 or more, found %d", f.Count)
	case o.Idle && c.Flags().Changed("walk"):
		return usagef(c, "expected --walk or --stand, found both")
	case o.Hunt && o.Missions:
		return usagef(c, "expected --hunt or --missions, found both")
	case (o.Hunt || o.Missions) && (o.Idle || c.Flags().Changed("walk") || o.ItemsEvery > 0):
		return usagef(c, "expected --hunt and --missions without --walk, --stand and --things-every: they say where to go "+
			"and what to do")
	case f.Slot < 0 || f.Slot > 2:
		return usagef(c, "--slot: expected 0 to 2, found %d", f.Slot)
	case !(f.Rate >= 0.001 && f.Rate <= 1000000):
		return usagef(c, "--rate: expected 0.001 to 1000000, found %v", f.Rate)
	case o.PingEvery <= 0:
		return usagef(c, "--ping-every: expected more than 0, found %v", o.PingEvery)
	case wrongTime(c) != nil:
		of := wrongTime(c)
		return usagef(c, "--%s: expected a time from 0s to 8784h, found %s", of.Name, of.Value)
	case !(o.Speed >= 0) || o.Speed > fastestWalk:
		return usagef(c, "--speed: expected 0 to %d, found %v", fastestWalk, o.Speed)
	case !(f.Sight >= 0) || f.Sight > farthestSight:
		return usagef(c, "--sight: expected 0 to %d, found %v", farthestSight, f.Sight)
	case f.Crowd < 1:
		return usagef(c, "--crowd: expected 1 or more, found %d", f.Crowd)
	}
	if o.Walk, err = bot.ParseWalk(f.walk); err != nil {
		return usagef(c, "--walk: %v", err)
	}
	return nil
}

// progress is where to tell events.
func progress(env *environment) io.Writer {
	if env.json {
		return env.err
	}
	return env.out
}

// solo plays with one client.
func (f *botFlags) solo(ctx context.Context, env *environment) error {
	if f.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.For)
		defer cancel()
	}
	name := cmp.Or(f.name, f.Prefix+[...]string{"", "second", "third"}[f.Slot]) // no name of a swarm
	who := bot.Identity{Login: f.login, Password: f.Password, Name: name, Slot: f.Slot}
	w, begin := progress(env), time.Now()
	client, err := bot.Solo(ctx, f.Addr, f.Client, who, func(line string) {
		fmt.Fprintf(w, "%6.1f  %s\n", time.Since(begin).Seconds(), env.botLine(line))
	})
	if bot.IsContextEnd(ctx, err) {
		err = nil
	}
	if client == nil {
		return err
	}
	figures := client.Figures()
	if e := env.print(figures, func(w printer) {
		if figures.Entries > 0 {
			fmt.Fprint(w, bot.Summary(figures, env.botLine))
		}
	}); e != nil {
		return e
	}
	return cmp.Or(err, verdict(figures))
}

// botLine is a line of a client in the language of the system. What others say stays as it is.
func (env *environment) botLine(line string) string {
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	if !env.russian {
		return line
	}
	if indent == "      " { // an example of a finding
		return indent + russianSentence(text)
	}
	head, rest, _ := strings.Cut(text, ": ")
	switch {
	case wordsOfOthers().MatchString(head):
		return indent + russianSentence(head) + ": " + rest
	case head == "finding":
		kind, example, _ := strings.Cut(rest, ": ")
		return indent + russianSentence(head) + ": " + russianSentence(kind) + ": " + russianSentence(example)
	}
	times := timesOf()
	if head != "given up" && onceTimes().MatchString(text) {
		times = onceTimes()
	}
	text = times.ReplaceAllStringFunc(text, func(of string) string {
		m := times.FindStringSubmatch(of)
		return m[1] + russianSentence(m[2]) + m[3]
	})
	if m := killed().FindStringSubmatch(text); m != nil {
		if rows, near := content.Default().FindMonsters(m[1], 1); len(rows) > 0 && !near {
			text = strings.Replace(text, m[1], rows[0].Name("ru"), 1)
		}
	}
	return indent + unitsOf().ReplaceAllStringFunc(russianSentence(text), russianUnits.Replace)
}

var (
	// wordsOfOthers stand behind these.
	wordsOfOthers = lazyregexp.Of(`^the server says$|^\S+ says \(channel \d+\)$`)
	killed        = lazyregexp.Of(`^killed (.+), level \d+$`)
	onceTimes     = lazyregexp.Of(`()^([^×]+)( × \d+)$`)
	timesOf       = lazyregexp.Of(`(^|given up: |, )([^,:×]+)( × \d+)`)
	unitsOf       = lazyregexp.Of(`\d (?:ms|[KMG]iB|B)(?:[,/ ]|$)`)
	russianUnits  = strings.NewReplacer("ms", "мс", "KiB", "КиБ", "MiB", "МиБ", "GiB", "ГиБ", "B", "Б")
)

// swarm plays with many.
func (f *botFlags) swarm(c *cobra.Command, env *environment) error {
	f.Sight = cmp.Or(f.Sight, -1)
	s, err := bot.NewSwarm(f.SwarmOptions)
	if err != nil {
		return usagef(c, "%v", errors.Unwrap(err))
	}
	const ownFiles = 32 // that are no connections
	if limit := descriptorLimit(); limit > 0 && limit < f.Count+ownFiles {
		env.progress().line("the system lets this process open %d files, too few for %d connections: "+
			"raise the limit (ulimit -n)", limit, f.Count)
	}
	w := progress(env)
	table := bot.NewTable(w, redrawable(w), env.botLine)
	ctx, done := context.WithCancel(c.Context())
	var showing sync.WaitGroup
	showing.Go(func() { table.Follow(ctx, s) })
	s.Run(c.Context())
	done()
	showing.Wait()
	figures := s.Figures()
	table.Finish(figures)
	if err := env.print(figures, func(printer) {}); err != nil {
		return err
	}
	return verdict(figures)
}

// verdict is the exit code: an error for findings and lost connections.
func verdict(f *bot.Figures) error {
	switch {
	case f.Clean():
		return nil
	case f.Entries == 0 && len(f.Disconnects) == 0:
		return failf("nobody came into the world within %s, all were still on their way; --for gives them longer",
			f.Elapsed.Round(100*time.Millisecond))
	}
	return failf("%d findings, %d connections lost", f.ViolationCount(), f.DisconnectCount())
}

// redrawable reports whether w can be redrawn in place. Old Windows consoles do not.
func redrawable(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok || runtime.GOOS == "windows" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
