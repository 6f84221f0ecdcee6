package main

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/spf13/cobra"

	"sphereserver/server/config"
)

func serveCommand(env *environment) *cobra.Command {
	var set *configured
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server",
		Long: "Run the server. With no settings at all it listens on port 25860, makes its database and is playable.\n" +
			"Settings are read from sphere.toml of the data folder, which \"sphere config init\" writes. Every flag goes " +
			"before the file,\n" +
			"and can be set in the environment too: --take-over by SPHERE_TAKE_OVER.",
		Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error {
			return serve(c, env, set, func(netip.AddrPort) {})
		},
	}
	set = addConfigured(cmd, config.Defaults(), false)
	return cmd
}

// serve runs the server until it is told to stop. ready is called when it listens.
func serve(c *cobra.Command, env *environment, set *configured, ready func(netip.AddrPort)) error {
	reload, gone, stopHangups := hangups()
	defer stopHangups()
	found, sources, err := set.load(c, env)
	if err != nil {
		return err
	}
	p, err := openProgram(env.dataDir, found, sources, env.err)
	if err != nil {
		return err
	}
	err = p.run(c.Context(), reload, gone, func() {
		line := "ready" // tells scripts where everything listens
		for _, l := range p.listeners() {
			line += fmt.Sprintf(" %s=%s", l.name, reachable(l.at))
		}
		fmt.Fprintln(env.out, line)
		ready(reachable(p.game.Addr()))
	})
	return errors.Join(err, p.stop())
}
