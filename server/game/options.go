package game

import (
	"context"
	"fmt"
	"io"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
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
	session.Settings
	// ChatLog gets a line for each line that is said, [chat.Entry.String]; nil for none. Writing may block.
	ChatLog io.Writer

	// Start is where new characters stand.
	Start coords.Position
	World world.Options
	// Monsters says whether there are any; sphere.toml has them by default.
	Monsters bool
	// Catalogue is the kinds of items; nil for the one that is built in. World.Tables are those of it unless they are
	// set.
	Catalogue *content.Catalogue
}

// DefaultOptions returns the settings that ship.
func DefaultOptions() Options {
	return Options{Listen: ":25860", Start: content.Cities()[0].Position, Settings: session.DefaultSettings()}
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
	SpawnersOff(ctx context.Context) ([]string, error)
	SaveLive(ctx context.Context, states []rules.LiveState) error
	Ground(ctx context.Context) ([]rules.GroundCell, error)
	SaveGround(ctx context.Context, cells []rules.GroundCell) error
	SaveCharacters(ctx context.Context, cs []data.Character) error
	ops.Store
	chat.Store
	ClanStore
}
