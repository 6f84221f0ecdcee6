package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/data"
	"sphereserver/server/config"
	"sphereserver/server/oplog"
)

// serviceCommand is "sphere service" with all below it.
func serviceCommand(env *environment) *cobra.Command {
	return group("service", "Run the server as a service of Windows",
		serviceInstall(env), serviceVerb("remove", "Remove the service; the data folder stays", removeService),
		serviceVerb("start", "Start the service, and wait until players can come in",
			func(ctx context.Context) error { return startService(ctx, env.answers()) }),
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
			"folder, as do\n" +
			"administrators, and nobody else. Run this as an administrator.",
		Example: "  sphere service install --data C:\\ProgramData\\Sphere",
		RunE: func(c *cobra.Command, _ []string) error {
			if _, _, err := set.load(c, env); err != nil { // better now than at the first start
				return err
			}
			dir, err := filepath.Abs(env.dataDir)
			if err != nil {
				return err
			}
			if !forServiceAlone(dir) {
				return failf("--data: expected a folder for the service alone, found %s", dir)
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
				err := serve(c, env, set, func(netip.AddrPort) { ready() })
				noteServiceFailure(env.dataDir, err)
				return err
			})
		},
	}
	defaults := config.Defaults()
	set = addConfigured(c, defaults, false)
	set.serviceLog = true
	return c
}

// serviceLogFile in the data folder is the log of a service unless another one is set.
const serviceLogFile = "sphere.log"

// noteServiceFailure writes into the log of a service why it has ended: nobody sees its standard error, and a mistake
// in the configuration is found before there is a log.
func noteServiceFailure(dir string, err error) {
	if err == nil || errors.Is(err, errRestart) {
		return
	}
	f, open := os.OpenFile(filepath.Join(dir, serviceLogFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	if open != nil {
		return
	}
	defer f.Close()
	log := oplog.New(f, slog.LevelInfo, false)
	defer log.Close()
	log.Error("the service has failed", "error", plain(err))
}

// forServiceAlone reports whether a folder can be the service's: it takes all rights to it from everybody else, so it
// has to be new, or empty, or the data folder of a server, and without a program in it.
func forServiceAlone(dir string) bool {
	inside, err := os.ReadDir(dir)
	if filepath.Dir(dir) == dir || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	ours := len(inside) == 0
	for _, e := range inside {
		if strings.EqualFold(filepath.Ext(e.Name()), ".exe") {
			return false
		}
		ours = ours || e.Name() == data.DatabaseFile || e.Name() == config.FileName || e.Name() == serviceLogFile
	}
	return ours
}

// folderRights are the arguments of icacls that give a data folder to the system, its administrators and the account of
// the service, and to nobody else, and then the same to all that is in it, if anything is.
func folderRights(dir string, empty bool) [][]string {
	const all, change = ":(OI)(CI)F", ":(OI)(CI)M"
	rights := [][]string{{dir, "/inheritance:r", "/grant:r", "*" + localSystemSID + all, "*" + administratorsSID + all,
		"*" + localServiceSID + change, "/Q"}}
	if !empty { // /L: what a link leads to keeps its rights
		rights = append(rights, []string{filepath.Join(dir, "*"), "/reset", "/T", "/C", "/L", "/Q"})
	}
	return rights
}

// SIDs of accounts are the same in every language of Windows.
const (
	localSystemSID    = "S-1-5-18"
	localServiceSID   = "S-1-5-19"
	administratorsSID = "S-1-5-32-544"
)

// A serviceState is how far a service has come.
type serviceState int

const (
	serviceStarts serviceState = iota
	serviceRuns
	serviceStopped
)

const (
	// serviceStart is how long "sphere service start" waits: a large database that is brought up to date takes longer.
	serviceStart = 2 * time.Minute
	// serviceLook is how often it looks.
	serviceLook = 200 * time.Millisecond
)

// awaitStart waits until a service runs or has stopped again, and returns how far it has come.
func awaitStart(ctx context.Context, state func() (serviceState, error)) (serviceState, error) {
	for deadline := time.Now().Add(serviceStart); ; {
		is, err := state()
		if err != nil || is != serviceStarts || time.Now().After(deadline) {
			return is, err
		}
		select {
		case <-ctx.Done():
			return is, ctx.Err()
		case <-time.After(serviceLook):
		}
	}
}

// tellStart says how far a service has come that was started.
func tellStart(out printer, name string, is serviceState) error {
	switch is {
	case serviceRuns:
		out.line("the service %s runs", name)
	case serviceStopped:
		return failf("the service %s has stopped again: %s in its data folder and the event log say why", name, serviceLogFile)
	case serviceStarts:
		out.line("the service %s is still starting, as with a large database; \"sphere status\" says when it runs", name)
	}
	return nil
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
