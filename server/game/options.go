package game

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/chat"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Options are the settings of a game server. [DefaultOptions] is what ships; a zero field is not replaced.
type Options struct {
	Listen  string // HOST:PORT, port 0 for a free one
	Network string // of package transport: "gnet", "net", or empty for the system's default
	Dialect packets.Dialect
	Log     *slog.Logger
	// ChatLog gets a line for each line that is said, [chat.Entry.String]; nil for none. Writing may block.
	ChatLog io.Writer

	// CreateAccounts makes an account of an unknown login with the password given.
	CreateAccounts bool
	// TakeOver lets a newer login of an account close the older one; otherwise the newer one is refused.
	TakeOver bool
	// Start is where new characters stand.
	Start coords.Position
	World world.Options
	// Catalogue is the kinds of things; nil for the one that is built in. World.Tables are those of it unless they are
	// set.
	Catalogue *content.Catalogue

	Timeouts session.Timeouts
	Delays   session.Delays
	Limits   session.Limits
}

// DefaultOptions returns the settings that ship.
func DefaultOptions() Options {
	return Options{
		Listen:         ":25860",
		Log:            slog.New(slog.DiscardHandler),
		CreateAccounts: true,
		Start:          content.Cities()[0].Position,
		Timeouts:       session.DefaultTimeouts(), Delays: session.DefaultDelays(), Limits: session.DefaultLimits(),
	}
}

func (o *Options) check() error {
	if o.Limits.Connections < 1 || o.Limits.HashWorkers < 1 || o.Limits.LoginQueue < 1 {
		return fmt.Errorf("game: limits of connections (%d), hash workers (%d) and queued logins (%d) must be at least 1",
			o.Limits.Connections, o.Limits.HashWorkers, o.Limits.LoginQueue)
	}
	if err := o.Start.Check(); err != nil {
		return fmt.Errorf("game: start of new characters: %w", err)
	}
	return nil
}

// A Store is what the game needs of package data.
type Store interface {
	session.Store
	Lying(ctx context.Context) ([]rules.StoredItem, error)
	SaveLive(ctx context.Context, states []rules.LiveState) error
	SaveCharacters(ctx context.Context, cs []data.Character) error
	ops.Store
	chat.Store
	ClanStore
}
