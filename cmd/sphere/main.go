// Command sphere is the Sphere server with everything around it: the server itself, an operator's commands, and tools
// to study the wire.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	_ "time/tzdata" // for a system without zone files, such as an empty container

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/packets/capture"
	"sphereserver/server/passwords"
	"sphereserver/world/rules"
)

func main() {
	if passwords.Called() {
		os.Exit(passwords.Main())
	}
	restore := prepareConsole()
	args, clicked := os.Args[1:], doubleClicked()
	if clicked && len(args) == 0 {
		args = []string{"serve"} // a click on a server serves
	}
	code := run(args, os.Stdin, os.Stdout, os.Stderr)
	if clicked && code != 0 {
		fmt.Println("Enter закроет это окно. / Enter closes this window.")
		_, _ = readLine(context.Background(), os.Stdin)
	}
	restore()
	os.Exit(code)
}

// An exitCode is the failure of a command that has said all there is to say.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// secondSignal is how long after a signal another one ends the program at once.
const secondSignal = time.Second

// run executes a command line and returns the exit code: 0, 1 for a failure, 2 for a mistake in the command line.
// Either is one line on err. Another code is a command's own.
func run(args []string, in io.Reader, out, err io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends what does not listen to the first, such as a read of a pipe or of a share that is gone. One
	// that comes with the first, as some programs send it twice, is none.
	defer context.AfterFunc(ctx, func() { time.AfterFunc(secondSignal, stop) })()
	env := &environment{in: in, out: out, err: err, giveBack: func() {}}
	root := rootCommand(env)
	root.SetArgs(args)
	failure := root.ExecuteContext(ctx)
	env.giveBack()
	if failure == nil {
		return 0
	}
	var code exitCode
	if errors.As(failure, &code) {
		return int(code)
	}
	line := plain(failure).Error()
	if env.russian {
		line = russianOf(failure)
	}
	fmt.Fprintf(err, "sphere: %s\n", strings.ReplaceAll(shortened(line, args), "\n", "; "))
	var mistake *usageError
	if errors.As(failure, &mistake) {
		return 2
	}
	return 1
}

// Of an argument longer than mostRepeated, in bytes, errors repeat no more than the first characters.
const mostRepeated, repeated = 255, 100

// shortened cuts long arguments where an error repeats them, also quoted and as values of flags.
func shortened(line string, args []string) string {
	for _, arg := range args {
		if name, value, is := strings.Cut(arg, "="); is && strings.HasPrefix(name, "-") {
			arg = value
		}
		if len(arg) <= mostRepeated {
			continue
		}
		for _, long := range []string{arg, capture.Clean(arg), strings.Trim(strconv.Quote(arg), `"`)} {
			if runes := []rune(long); len(runes) > repeated {
				line = strings.ReplaceAll(line, long, string(runes[:repeated])+"…")
			}
		}
	}
	return line
}

func rootCommand(env *environment) *cobra.Command {
	env.russian, _ = inRussian(nil, "") // before flags are read: they may be wrong
	root := group("sphere", "A server for the game «Сфера»",
		serveCommand(env), accountCommand(env), characterCommand(env), noteCommand(env), monsterCommand(env),
		spawnerCommand(env), instanceCommand(env), dbCommand(env), configCommand(env), doctorCommand(env), statusCommand(env),
		stopCommand(env), rateCommand(env), motdCommand(env), maintenanceCommand(env), auditCommand(env),
		captureCommand(env), clientCommand(env),
		importCommand(env), groundCommand(env), catalogueCommand(env), balanceCommand(env), botCommand(env),
		queryCommand(env), w3hostCommand(env), webhookCommand(env), demoCommand(env), serviceCommand(env),
		versionCommand(env))
	root.PersistentFlags().StringVar(&env.dataDir, "data", usualData,
		"folder of everything that lasts (environment: SPHERE_DATA)")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if err := misspeltVariable(c, os.Environ()); err != nil {
			return err
		}
		if err := flagsFromEnvironment(c); err != nil {
			return err
		}
		if c.Name() == cobra.ShellCompRequestCmd {
			offerWords(root)
		}
		env.giveBack = keepOwners(env.dataDir)
		return checkFolder(c, env.dataDir)
	}
	root.Version = version
	offerCompletions(env, root)
	setHelp(root)
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetIn(env.in)
	root.SetOut(env.out)
	root.SetErr(env.err)
	addLibraryCommands(root) // which remembers the output
	return root
}

// checkFolder refuses a data folder that was named and can be none. One that is not there yet may be made.
func checkFolder(c *cobra.Command, dir string) error {
	if !c.Flags().Changed("data") {
		return nil
	}
	if dir == "" {
		return usagef(c, "--data: expected a folder, found nothing")
	}
	info, err := os.Stat(dir)
	_, link := os.Lstat(dir)
	switch {
	case err == nil && !info.IsDir():
		return failf("--data: expected a folder, %s is none", dir)
	case errors.Is(err, fs.ErrNotExist) && link == nil:
		return failf("--data: %s is a link to something that is not there", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return failf("--data: %v", err)
	}
	return nil
}

// variablePrefix begins the names of all variables that flags are read from.
const variablePrefix = "SPHERE_"

func variableOf(f *pflag.Flag) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

// misspeltVariable refuses a variable that is nearly the name of one that some command reads: otherwise an operator
// would believe in a setting that does not count. A name that is near none may be another program's, such as
// SPHERE_SERVICE_HOST of Kubernetes.
func misspeltVariable(c *cobra.Command, environment []string) error {
	known := map[string]bool{}
	var learn func(*cobra.Command)
	learn = func(c *cobra.Command) {
		note := func(f *pflag.Flag) { known[strings.TrimPrefix(variableOf(f), variablePrefix)] = true }
		c.Flags().VisitAll(note)
		c.PersistentFlags().VisitAll(note)
		for _, below := range c.Commands() {
			learn(below)
		}
	}
	learn(c.Root())
	for _, entry := range environment {
		assigned, _, _ := strings.Cut(entry, "=")
		name, ours := strings.CutPrefix(assigned, variablePrefix)
		if !ours || known[name] {
			continue
		}
		if near, ok := rules.Nearest(name, slices.Sorted(maps.Keys(known))); ok {
			return usagef(c, "environment variable %s is unknown, did you mean %s?", assigned, variablePrefix+near)
		}
	}
	return nil
}

// flagsFromEnvironment sets each flag that the command line does not, from its variable: --max-speed from
// SPHERE_MAX_SPEED.
func flagsFromEnvironment(c *cobra.Command) (err error) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		name := variableOf(f)
		v, ok := os.LookupEnv(name)
		if keyOf(f) != nil { // package config reads it, and remembers that it has
			return
		}
		if !ok || f.Changed || err != nil || f.Name == "yes" { // a confirmation is given once, not for all time
			return
		}
		var wrong *pflag.InvalidValueError
		if e := c.Flags().Set(f.Name, v); errors.As(e, &wrong) {
			err = usagef(c, "environment variable %s: %v", name, valueFault(wrong))
		} else if e != nil {
			err = usagef(c, "environment variable %s: %v", name, e)
		}
	})
	return err
}
