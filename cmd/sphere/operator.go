package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os/user"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/data"
	"sphereserver/data/lazyregexp"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// reach finds the way to the data folder, through the server that runs there if there is one. create allows that a
// database is made.
func reach(ctx context.Context, env *environment, create bool, work func(*admin.Conn) error) error {
	c, err := admin.Connect(ctx, env.dataDir, admin.Options{Who: operatorName(), Create: create, Russian: env.russian,
		Warn:        func(text string) { env.note("%v", errors.New(text)) },
		InRussian:   russianOf,
		KeepDeleted: func() time.Duration { return env.settings().KeepDeleted },
		FileOrders: func() ops.ServerOrders {
			s := env.settings()
			return s.Game.FileOrders()
		}})
	if errors.Is(err, data.ErrNotFound) {
		return noDatabase{sentence{"there is no database in %s: \"sphere serve\" makes one, and --data names another folder",
			[]any{env.dataDir}}}
	} else if err != nil {
		return err
	}
	return errors.Join(work(c), c.Close())
}

// noDatabase is a folder in which no server has ever run.
type noDatabase struct{ sentence }

// verb does one verb and prints its answer, as JSON or by text.
func verb[R, A any](ctx context.Context, env *environment, v ops.Verb[R, A], request R,
	text func(w printer, a A)) error {
	return reach(ctx, env, v.Name() == ops.AddAccount.Name(), func(conn *admin.Conn) error {
		return verbOn(ctx, env, conn, v, request, text)
	})
}

// verbOn is verb on a connection that is there.
func verbOn[R, A any](ctx context.Context, env *environment, conn *admin.Conn, v ops.Verb[R, A], request R,
	text func(w printer, a A)) error {
	a, err := admin.Do(ctx, conn, v, request)
	if err != nil {
		return err
	}
	return env.print(a, func(w printer) { text(w, a) })
}

// A runner is the work of a command.
type runner = func(c *cobra.Command, args []string) error

// does is the runner that does one verb, with the request that its arguments make.
func does[R, A any](env *environment, v ops.Verb[R, A], request func(args []string) R,
	text func(w printer, a A)) runner {
	return func(c *cobra.Command, args []string) error { return verb(c.Context(), env, v, request(args), text) }
}

// deletes is a runner that deletes, after a question about the target, which show finds.
func deletes[R, S, A any](env *environment, yes *bool, show ops.Verb[R, S], question func(S) sentence,
	v ops.Verb[R, A], request func(args []string) R, text func(w printer, a A)) runner {
	return func(c *cobra.Command, args []string) error {
		return reach(c.Context(), env, false, func(conn *admin.Conn) error {
			found, err := admin.Do(c.Context(), conn, show, request(args))
			if err == nil && !*yes {
				err = confirm(c.Context(), env, question(found))
			}
			if err != nil {
				return err
			}
			return verbOn(c.Context(), env, conn, v, request(args), text)
		})
	}
}

// plain takes away words for developers alone.
func plain(err error) error {
	var mistake *usageError
	var code exitCode
	if err == nil || errors.As(err, &mistake) || errors.As(err, &code) {
		return err
	}
	text := err.Error()
	if dialing := new(net.OpError); errors.As(err, &dialing) && dialing.Op == "dial" {
		text = strings.ReplaceAll(text, dialing.Error(), unreached(dialing))
	}
	if listening := new(net.OpError); errors.As(err, &listening) && listening.Op == "listen" {
		why := unheard(listening)
		text = strings.ReplaceAll(text, listening.Error(), why)
		text = strings.ReplaceAll(text, why+": "+why, why) // the package that listens may have said it
	}
	if denied := new(fs.PathError); errors.As(err, &denied) && errors.Is(denied, fs.ErrPermission) {
		if path, owner, user := whose(denied.Path); owner != user {
			text = fmt.Sprintf("%s; %s belongs to %s, this program runs as %s", text, path, owner, user)
		}
	}
	if errors.Is(err, syscall.EMFILE) {
		text += "; raise the limit of open files: \"ulimit -n\", or LimitNOFILE= of systemd"
	}
	return errors.New(ofPackage().ReplaceAllString(text, "$1"))
}

// unheard says why nobody can listen at an address.
func unheard(e *net.OpError) string {
	var unknown *net.DNSError
	switch {
	case errors.As(e, &unknown):
		return fmt.Sprintf("the name %s is not known here", unknown.Name)
	case e.Addr == nil:
	case errors.Is(e, errInUse):
		return fmt.Sprintf("another program listens on %s", e.Addr)
	case errors.Is(e, errForbidden):
		return fmt.Sprintf("this user may not listen on %s", e.Addr)
	case errors.Is(e, errNotHere):
		return fmt.Sprintf("%s is no address of this machine", e.Addr)
	}
	return e.Error()
}

// unreached says why there is no connection.
func unreached(e *net.OpError) string {
	why, unknown := e.Err.Error(), new(net.DNSError)
	switch {
	case errors.As(e, &unknown):
		return fmt.Sprintf("the name %s is not known here", unknown.Name)
	case e.Addr == nil:
		return "cannot connect: " + why
	case strings.Contains(why, "refused"):
		why = "nobody listens there"
	case e.Timeout():
		why = "no answer in time"
	}
	return fmt.Sprintf("cannot reach %s: %s", e.Addr, why)
}

// ofPackage is where an error names the package that it comes from, and not a folder of that name.
var ofPackage = lazyregexp.Of(`(^|: |; |\n|\()((data|game|replay|control|transport): )+`)

// operatorName is for the audit trail.
func operatorName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return ops.MachineOwner + " " + u.Username
	}
	return ops.MachineOwner
}
