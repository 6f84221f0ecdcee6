package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/bot"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/ops"
)

func serveCommand(env *environment) *cobra.Command {
	var set *configured
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server",
		Long: `Run the server. With no settings at all it listens on port 25860, makes its database and is playable.
Settings are read from sphere.toml of the data folder, which "sphere config init" writes. Every flag goes before the
file, and can be set in the environment too: --take-over by SPHERE_TAKE_OVER.`,
		Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error {
			return serve(c, env, set, func(netip.AddrPort) {})
		},
	}
	set = addConfigured(cmd, config.Defaults(), false)
	return cmd
}

// settles is after which time the memory that only the start has needed goes back to the system: the world has its
// monsters by then.
const settles = 5 * time.Second

// startGarbage is how much garbage the heap may have until then, in per cent of the memory in use: Go's default. The
// heap grows sevenfold meanwhile, and with [game.GarbagePercent] would be collected two dozen times.
const startGarbage = 100

// serve runs the server until it is told to stop. ready is called when it listens.
func serve(c *cobra.Command, env *environment, set *configured, ready func(netip.AddrPort)) error {
	reload, gone, stopHangups := hangups()
	defer stopHangups()
	found, sources, err := set.load(c, env)
	if err != nil {
		return err
	}
	_, given := os.LookupEnv("GOGC")
	if !given {
		defer debug.SetGCPercent(debug.SetGCPercent(startGarbage))
	}
	p, err := openProgram(env.dataDir, found, sources, env.err)
	if err != nil {
		return err
	}
	var started *time.Timer
	err = p.run(c.Context(), reload, gone, func() {
		started = time.AfterFunc(settles, func() {
			if !given {
				debug.SetGCPercent(game.GarbagePercent)
			}
			debug.FreeOSMemory()
			dropProgram()
		})
		line := "ready" // tells scripts where everything listens
		for _, l := range p.listeners() {
			line += fmt.Sprintf(" %s=%s", l.name, reachable(l.at))
		}
		fmt.Fprintln(env.out, line)
		env.tellFirst(c.Context(), p)
		ready(reachable(p.game.Addr()))
	})
	if started != nil {
		started.Stop()
	}
	stopped := p.stop()
	if errors.Is(err, errRestart) && stopped != nil {
		return stopped // what was not saved is to be seen
	}
	return errors.Join(err, stopped)
}

// tellFirst says how there comes to be an administrator, where there is none yet. It goes to the user that has
// started the server and not into the log, which others may read.
func (env *environment) tellFirst(ctx context.Context, p *program) {
	r, err := ops.GetReport.Do(ctx, p.game.Operators(), ops.Owner(operatorName()), ops.Empty{})
	switch {
	case err != nil || r.Stored.Administrators > 0:
	case r.FirstLink == "":
		fmt.Fprintln(env.out, noFirstText.In(env.russian, env.whereData()))
	default:
		fmt.Fprintln(env.out, firstText.In(env.russian, r.FirstLink, env.whereData()))
	}
}

// whereData is the flag by which other commands find the data folder, "" where none is needed.
func (env *environment) whereData() string {
	switch dir := filepath.Clean(env.dataDir); {
	case dir == filepath.Clean(usualData):
		return ""
	case strings.ContainsRune(dir, ' '):
		return ` --data "` + dir + `"`
	default:
		return " --data " + dir
	}
}

var (
	noFirstText = text(
		"Администратора ещё нет. Создать его: sphere account add ЛОГИН --role administrator%s",
		"There is no administrator yet. To make one: sphere account add LOGIN --role administrator%s")
	firstText = text(
		"Администратора ещё нет. "+
			"Создайте его в браузере на этой машине: %s\n"+
			"или командой: sphere account add ЛОГИН --role administrator%s",
		"There is no administrator yet. Make one in a browser on this machine: %s\n"+
			"or by the command: sphere account add LOGIN --role administrator%s")
)

// demoPassword is no secret: a demonstration listens on this machine only, and has a data folder of its own.
const demoPassword = "demonstration"

func demoCommand(env *environment) *cobra.Command {
	var set *configured
	bots := 100
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Run a server with bots that live in a town",
		Long: `Run a server for this machine alone, with bots that log in, make their characters, and live in the town:
walk, talk, trade, carry things and found groups; one in ten goes out of the gate to hunt. The first of them
tells what it sees. The original client can join them at 127.0.0.1. The bots have passwords that everybody
knows, so use a data folder of its own.`,
		Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if bots < 1 || bots > maxDemoBots {
				return usagef(c, "--bots: expected 1 to %d, found %d", maxDemoBots, bots)
			}
			ctx, stop := context.WithCancel(c.Context())
			var walking sync.WaitGroup
			err := serve(c, env, set, func(addr netip.AddrPort) {
				walking.Go(func() { demoTeller(ctx, env, addr.String()) })
				hunters := bots / demoHunters
				if hunters > 0 {
					walking.Go(func() { demoTown(ctx, env, addr.String(), "Hunter", hunters, bot.Options{Seed: 2, Hunt: true}) })
				}
				if n := bots - 1 - hunters; n > 0 {
					walking.Go(func() { demoTown(ctx, env, addr.String(), "Town", n, demoLife) })
				}
			})
			stop()
			walking.Wait()
			return err
		},
	}
	cmd.Flags().IntVar(&bots, "bots", bots, "how many bots live there")
	defaults := config.Defaults()
	defaults.Game.Listen, defaults.Game.NewcomersDungeon = "127.0.0.1:25860", false // a player is to find the bots
	set = addConfigured(cmd, defaults, true)                                        // a file is for a server of its own
	return cmd
}

// maxDemoBots is how many bots a demonstration has room for; "sphere bot" brings more.
const maxDemoBots = 1000

// demoLife is the life of the bots of a demonstration.
var demoLife = bot.Options{Seed: 1, Walk: bot.Square, ChatEvery: time.Minute, GroupEvery: 2 * time.Minute,
	ItemsEvery: 20 * time.Second}

// demoHunters is how many bots there are for each that goes out of the gate.
const demoHunters = 10

// demoTown runs bots with their orders until ctx ends, under names that "sphere bot" does not have for its own. They
// come in slowly: each new password costs the processors a while.
func demoTown(ctx context.Context, env *environment, addr, prefix string, n int, life bot.Options) {
	town, err := bot.NewSwarm(bot.SwarmOptions{Addr: addr, Count: n, Rate: 5, Reconnect: true, Prefix: prefix,
		Password: demoPassword, Client: life, Sight: -1})
	if err != nil {
		env.note("%v", err)
		return
	}
	town.Run(ctx)
}

// demoTeller tells the sights of one bot, until ctx ends; it comes back when it is thrown out.
func demoTeller(ctx context.Context, env *environment, addr string) {
	say := func(line string) { fmt.Fprintf(env.out, "[demo-a] %s\n", env.botLine(line)) }
	who := bot.Identity{Login: "demo-a", Password: demoPassword, Name: "DemoA"}
	for ctx.Err() == nil {
		if _, err := bot.Solo(ctx, addr, bot.Options{Seed: 1, Walk: bot.Square}, who, say); err != nil && ctx.Err() == nil {
			say("out of the world: " + err.Error())
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
}
