// Command sphere is the Sphere server with everything around it: the server itself, an operator's commands, and
// tools for those who study the wire.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func main() {
	restore := prepareConsole()
	args, clicked := os.Args[1:], doubleClicked()
	if clicked && len(args) == 0 {
		args = []string{"serve"} // what a click on a server is for
	}
	code := run(args, os.Stdin, os.Stdout, os.Stderr)
	if clicked && code != 0 {
		fmt.Println("Enter закроет это окно. / Enter closes this window.")
		_, _ = readLine(context.Background(), os.Stdin)
	}
	restore()
	os.Exit(code)
}

// run executes a command line and returns the exit code: 0, 1 for a failure, 2 for a mistake in the command line.
// Either is one line on err.
func run(args []string, in io.Reader, out, err io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	env := &environment{in: in, out: out, err: err}
	root := rootCommand(env)
	root.SetArgs(args)
	failure := root.ExecuteContext(ctx)
	if failure == nil {
		return 0
	}
	fmt.Fprintf(err, "sphere: %s\n", strings.ReplaceAll(plain(failure).Error(), "\n", "; "))
	var mistake *usageError
	if errors.As(failure, &mistake) {
		return 2
	}
	return 1
}

func rootCommand(env *environment) *cobra.Command {
	root := group("sphere", "A server for the game «Сфера»",
		serveCommand(env), accountCommand(env), characterCommand(env), dbCommand(env), configCommand(env),
		doctorCommand(env), statusCommand(env), auditCommand(env), captureCommand(env), clientCommand(env),
		importCommand(env),
		catalogueCommand(env), botCommand(env), queryCommand(env), w3hostCommand(env), demoCommand(env),
		serviceCommand(env), versionCommand(env))
	root.PersistentFlags().StringVar(&env.dataDir, "data", "./sphere-data",
		"folder of everything that lasts (environment: SPHERE_DATA)")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return flagsFromEnvironment(c) }
	root.Version = version
	offerCompletions(env, root)
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetIn(env.in)
	root.SetOut(env.out)
	root.SetErr(env.err)
	return root
}

// flagsFromEnvironment sets each flag that the command line does not, from its variable: --max-speed from
// SPHERE_MAX_SPEED.
func flagsFromEnvironment(c *cobra.Command) (err error) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		name := "SPHERE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		v, ok := os.LookupEnv(name)
		if _, elsewhere := f.Annotations[configuredMark]; elsewhere { // package config reads it, and remembers that it has
			return
		}
		if !ok || f.Changed || err != nil || f.Name == "yes" { // a confirmation is given once, not for all time
			return
		}
		if e := c.Flags().Set(f.Name, v); e != nil {
			err = usagef(c, "environment variable %s: %v", name, e)
		}
	})
	return err
}
