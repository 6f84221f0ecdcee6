package main

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/bot"
	"sphereserver/server/config"
)

// demoPassword is no secret: a demonstration listens on this machine only, and has a data folder of its own.
const demoPassword = "demonstration"

func demoCommand(env *environment) *cobra.Command {
	var set *configured
	bots := 1
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Run a server with bots walking in it",
		Long: "Run a server for this machine alone, with bots that log in, make their characters and walk about, and tell " +
			"what they see.\n" +
			"The original client can join them at 127.0.0.1. The bots have passwords that everybody knows, so use a data " +
			"folder of its own.",
		Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if bots < 1 || bots > 26 {
				return usagef(c, "--bots: expected 1 to 26, found %d", bots)
			}
			ctx, stop := context.WithCancel(c.Context())
			var walking sync.WaitGroup
			err := serve(c, env, set, func(addr netip.AddrPort) {
				for i := range bots {
					walking.Go(func() { demoBot(ctx, env, addr.String(), i) })
				}
			})
			stop()
			walking.Wait()
			return err
		},
	}
	cmd.Flags().IntVar(&bots, "bots", bots, "how many bots walk")
	defaults := config.Defaults()
	defaults.Game.Listen = "127.0.0.1:25860"
	defaults.Game.Limits.ExemptLoopback = true
	set = addConfigured(cmd, defaults, true) // a file is for a server of its own
	return cmd
}

// demoBot plays until ctx ends, and comes back when it is thrown out.
func demoBot(ctx context.Context, env *environment, addr string, n int) {
	letter := string(rune('a' + n))
	login := "demo-" + letter
	say := func(line string) { fmt.Fprintf(env.out, "[%s] %s\n", login, line) }
	who := bot.Identity{Login: login, Password: demoPassword, Name: "Demo" + strings.ToUpper(letter)}
	for ctx.Err() == nil {
		if _, err := bot.Solo(ctx, addr, bot.Options{Seed: uint64(n + 1)}, who, say); err != nil && ctx.Err() == nil {
			say("out of the world: " + err.Error())
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
}
