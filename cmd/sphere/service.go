package main

import (
	"context"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/server/config"
)

// serviceCommand is "sphere service" with all below it.
func serviceCommand(env *environment) *cobra.Command {
	return group("service", "Run the server as a service of Windows",
		serviceInstall(env), serviceVerb("remove", "Remove the service; the data folder stays", removeService),
		serviceVerb("start", "Start the service", startService),
		serviceVerb("stop", "Stop the service, and wait until everybody is saved", stopService),
		serviceRun(env))
}

func serviceInstall(env *environment) *cobra.Command {
	var set *configured
	c := &cobra.Command{
		Use: "install", Short: "Install the service, which starts with the system", Args: expect(0),
		Long: "Install the server as a service that starts with the system. Flags are those of \"sphere serve\", and are " +
			"kept; what stands in the\n" +
			"configuration file can be changed later. The service runs as LocalService, which gets the right to the data " +
			"folder. Run this as\n" +
			"an administrator.",
		Example: "  sphere service install --data C:\\ProgramData\\Sphere",
		RunE: func(c *cobra.Command, _ []string) error {
			if _, _, err := set.load(c, env); err != nil { // better now than at the first start
				return err
			}
			dir, err := filepath.Abs(env.dataDir)
			if err != nil {
				return err
			}
			args, err := serviceArguments(c.Flags(), dir)
			if err != nil {
				return err
			}
			return installService(env.answers(), dir, args)
		},
	}
	set = addConfigured(c, config.Defaults(), false)
	return c
}

// serviceArguments are the arguments that the system starts the service with: the data folder, and the flags that
// were given. Files have their whole path, since a service starts in another folder.
func serviceArguments(flags *pflag.FlagSet, dir string) (args []string, err error) {
	paths := map[string]bool{"config": true}
	for _, k := range config.Keys() {
		paths[k.Flag] = k.Path
	}
	args = []string{"service", "run", "--data=" + dir}
	flags.Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if paths[f.Name] && value != "" {
			path, e := filepath.Abs(value)
			if e != nil {
				err = e
			}
			value = path
		}
		if f.Name != "data" {
			args = append(args, "--"+f.Name+"="+value)
		}
	})
	return args, err
}

func serviceVerb(use, short string, do func(context.Context) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: expect(0),
		RunE: func(c *cobra.Command, _ []string) error { return do(c.Context()) }}
}

// serviceRun is the command that the system starts.
func serviceRun(env *environment) *cobra.Command {
	var set *configured
	c := &cobra.Command{
		Use: "run", Short: "Be the service; the system calls this", Args: expect(0), Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			return runService(c.Context(), func(ctx context.Context, ready func()) error {
				c.SetContext(ctx)
				return serve(c, env, set, func(netip.AddrPort) { ready() })
			})
		},
	}
	defaults := config.Defaults()
	set = addConfigured(c, defaults, false)
	set.serviceLog = true
	return c
}

// A served is the server within a service: how the system's wishes come to it, and how it ends.
type served struct {
	cancel context.CancelCauseFunc
	ready  chan struct{} // closed when it listens
	done   chan struct{} // closed when it has ended, with err
	err    error
}

// startServed runs serve until its stop is called or it fails.
func startServed(ctx context.Context, serve func(ctx context.Context, ready func()) error) *served {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &served{cancel: cancel, ready: make(chan struct{}), done: make(chan struct{})}
	var once sync.Once
	go func() {
		defer close(s.done)
		s.err = serve(ctx, func() { once.Do(func() { close(s.ready) }) })
	}()
	return s
}

// inProfile reports whether a path lies in a user's own folders, where a service of another account may not read.
func inProfile(path, profile string) bool {
	path, profile = strings.ToLower(filepath.Clean(path)), strings.ToLower(filepath.Clean(profile))
	return profile != "." && (path == profile || strings.HasPrefix(path, profile+string(filepath.Separator)))
}
