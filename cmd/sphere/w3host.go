package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/packets/w3gs"
	"sphereserver/server/oplog"
	"sphereserver/server/w3host"
)

// w3hostSettings are the flags of w3host that are not fields of the host's options.
type w3hostSettings struct {
	version   uint32
	product   string
	announce  []string
	broadcast bool
	games     []string
	game      w3gameSettings
	logLevel  string
	level     slog.Level // of that name
	logFormat string
}

// w3hostCommand is "sphere w3host".
func w3hostCommand(env *environment) *cobra.Command {
	o := w3host.DefaultOptions()
	set := w3hostSettings{version: uint32(o.Version), product: "tft", game: defaultW3Game(), logLevel: "info",
		logFormat: "text"}
	cmd := &cobra.Command{
		Use:   "w3host",
		Short: "Host Warcraft III games on the local network",
		Long: "Host games for the classic client up to version 1.29, on the local network. The host plays no part in them " +
			"and knows nothing of\n" +
			"what happens in them: it leads players through the lobby and passes on what they do.\n\n" +
			"The map is a file (--map), or known by its path, size and CRC. Its --map-xoro and --map-sha1 are made by the " +
			"game itself: host\n" +
			"the map once with the original client, and \"sphere query w3gs\" with that machine's address prints them.\n\n" +
			"Clients find games that are not announced too, but only when their list of games is opened. --broadcast " +
			"announces.\n\n" +
			"Commands are read from the standard input: games, start, say TEXT, kick NAME, end, status, quit. With several " +
			"games, #2 behind\n" +
			"the command's name means game 2.",
		Example: `  sphere w3host --name "Friday night" --map maps/Echo.w3x --map-xoro 0xDEADBEEF --map-sha1 00…ff --broadcast
  sphere w3host --map maps/Echo.w3x --game "name=First" --game "name=Second; slots=2; start-when=2"`,
		Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error { return hostWarcraft(c, env, o, &set) },
	}
	f := cmd.Flags()
	f.StringVar(&o.Listen, "listen", o.Listen, "`HOST:PORT` of TCP and UDP; port 0 takes free ones")
	f.StringVar(&o.Network, "transport", "", "gnet or net; the default is gnet on Unix and net on Windows")
	f.Uint32Var(&set.version, "version", set.version, "minor version of the clients, 26 for 1.26")
	f.StringVar(&set.product, "product", set.product, "tft for The Frozen Throne, roc for Reign of Chaos")
	f.DurationVar(&o.Tick, "tick", o.Tick, "length of a tick, 50ms to 250ms")
	f.DurationVar(&o.Countdown, "countdown", o.Countdown, "from the start of the countdown to loading")
	f.StringArrayVar(&set.announce, "announce", nil, "announce games to this `ADDRESS:PORT` too; can be repeated")
	f.BoolVar(&set.broadcast, "broadcast", false, "announce games to all local networks of this machine")
	f.BoolVar(&o.AnswerAll, "answer-all", false, "answer searches from anywhere, not only from local networks")
	f.IntVar(&o.DownloadRate, "download-rate", o.DownloadRate, "bytes of maps sent per second, of all games together")
	f.BoolVar(&o.Once, "once", false, "end when every game has ended, instead of creating it anew")
	f.StringArrayVar(&set.games, "game", nil, "host several games: \"name=First; slots=4\" sets what differs from the "+
		"flags below; can be repeated")
	f.StringVar(&set.logLevel, "log-level", set.logLevel, "debug, info, warn or error")
	f.StringVar(&set.logFormat, "log-format", set.logFormat, "text or json")
	set.game.addFlags(f)
	return cmd
}

// apply brings the settings into the host's options.
func (set *w3hostSettings) apply(o *w3host.Options) (err error) {
	if o.Product, err = oneOf("--product", "tft or roc", set.product, w3products); err != nil {
		return err
	}
	o.Version = w3gs.Version(set.version)
	if o.Network != "" && o.Network != "gnet" && o.Network != "net" {
		return failf("--transport: expected gnet or net, found %q", o.Network)
	}
	for _, text := range set.announce {
		to, err := netip.ParseAddrPort(text)
		if err != nil || !to.Addr().Is4() || to.Port() == 0 {
			return failf("--announce: expected an IPv4 address and a port, found %q", text)
		}
		o.Announce = append(o.Announce, to)
	}
	if set.broadcast {
		o.Networks = everyNetwork
	}
	if o.Games, err = set.gameOptions(o.Version); err != nil {
		return err
	}
	if err := o.Check(); err != nil {
		return err
	}
	if err := set.level.UnmarshalText([]byte(set.logLevel)); err != nil {
		return failf("--log-level: expected debug, info, warn or error, found %q", set.logLevel)
	}
	if set.logFormat != "text" && set.logFormat != "json" {
		return failf("--log-format: expected text or json, found %q", set.logFormat)
	}
	return nil
}

// gameOptions are the games: one by the flags, or those of --game, which differ from it.
func (set *w3hostSettings) gameOptions(version w3gs.Version) (out []w3host.GameOptions, err error) {
	maps := map[string]w3host.Map{}
	if len(set.games) == 0 {
		g, err := set.game.options(version, maps)
		return []w3host.GameOptions{g}, err
	}
	games := make([]w3gameSettings, len(set.games))
	for i, text := range set.games {
		if games[i], err = set.game.with(text); err != nil {
			return nil, failf("--game %q: %v", text, err)
		}
	}
	for i := range games {
		g, err := games[i].options(version, maps)
		if err != nil {
			return nil, failf("--game %q: %v", set.games[i], err)
		}
		out = append(out, g)
	}
	return out, nil
}

// hostWarcraft hosts until it is told to stop, or every game has ended.
func hostWarcraft(c *cobra.Command, env *environment, o w3host.Options, set *w3hostSettings) (err error) {
	var file *mapFileError
	switch err := set.apply(&o); {
	case errors.As(err, &file):
		return file.err
	case err != nil:
		return usagef(c, "%v", err)
	}
	log := oplog.New(env.err, set.level, set.logFormat == "json")
	defer log.Close()
	o.Log = log.Logger
	h, err := w3host.New(o)
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve() }()
	fmt.Fprintf(env.out, "ready games=%d tcp=%s udp=%s\n", len(o.Games), reachable(h.Addr()), reachable(h.SearchAddr()))
	log.Info("ready", "tcp", h.Addr().String(), "udp", h.SearchAddr().String(), "product", o.Product.String(), "version",
		o.Version.String(), "games", len(o.Games))

	quit := make(chan struct{})
	op := &w3operator{env: env, host: h, quit: quit}
	go op.run(c.Context())
	select {
	case <-c.Context().Done():
		log.Info("stopping", "reason", "signal")
	case <-quit:
		log.Info("stopping", "reason", "quit")
	case err = <-served:
		log.Info("stopping", "reason", "no game is left")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), stopWithin)
	defer cancel()
	ctx, unheard := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM) // a second signal ends the waiting
	defer unheard()
	err = errors.Join(err, h.Stop(ctx))
	log.Info("stopped", "ran", time.Since(h.Status().Started).Round(time.Second).String())
	return err
}

// everyNetwork is where games are announced to all: the broadcast address, which leaves by one interface, and those of
// each network.
func everyNetwork() (out []netip.AddrPort) {
	networks, _ := ownNetworks() // without them there is the first address
	for _, a := range everybody(slices.DeleteFunc(networks, func(p netip.Prefix) bool { return !p.Addr().Is4() })) {
		if !a.IsLoopback() {
			out = append(out, netip.AddrPortFrom(a, w3gs.DefaultPort))
		}
	}
	return out
}
