package game

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/chat"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/ground"
	"sphereserver/world/rules"
)

// Options are the settings of a game server. [DefaultOptions] are the shipped ones; a zero field is not replaced.
type Options struct {
	Listen  string // HOST:PORT, port 0 for a free one
	Network string // of package transport: "gnet", "net", or empty for the system's default
	Loops   int    // of package transport; 0 for one per processor
	// Listener is used instead of Listen, with Network "net"; nil for none.
	Listener net.Listener
	session.Settings
	// ChatLog gets a line for each line that is said, [chat.Entry.String]; nil for none. Writing may block.
	ChatLog io.Writer
	// Page is the address of the administrators' page that operators are told in the chat; empty for none.
	Page string

	// Start is where new characters stand.
	Start coords.Position
	// MoreStarts are further such places: each account has one of all in turn, so that a crowd of newcomers is spread.
	MoreStarts []coords.Position
	World      world.Options
	// Land is ground that is known beforehand, below the ground that players teach; nil for none.
	Land ground.Land
	// NewcomersDungeon says that new characters begin in a dungeon of their own, from which a token leads to Torweal,
	// and come back into one until they have left it.
	NewcomersDungeon bool
	// Words are the texts that the server says by itself; [Server.ChangeWords] changes them.
	Words Words
	// FirstHelp says that the client's first help opens by itself, each page once.
	FirstHelp bool
	// Monsters reports whether there are any; sphere.toml has them by default.
	Monsters bool
	// Catalogue is the kinds of items; nil for the one that is built in. World.Tables are its tables unless they are set.
	Catalogue *content.Catalogue
}

// DefaultOptions returns the settings that ship.
func DefaultOptions() Options {
	return Options{Listen: ":25860", Start: content.Cities()[0].Position, Settings: session.DefaultSettings(),
		Words: Words{Every: 30 * time.Minute}}
}

func (o *Options) check() error {
	if o.Limits.Connections < 1 || o.Limits.HashWorkers < 1 || o.Limits.LoginQueue < 1 {
		return fmt.Errorf("game: limits of connections (%d), hash workers (%d) and queued logins (%d) must be at least 1",
			o.Limits.Connections, o.Limits.HashWorkers, o.Limits.LoginQueue)
	}
	for _, at := range append([]coords.Position{o.Start}, o.MoreStarts...) {
		if err := at.Check(); err != nil {
			return fmt.Errorf("game: start of new characters: %w", err)
		}
	}
	return nil
}

// A Store is the part of package data that the game needs.
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

// GarbagePercent is how much garbage the heap of a server may have, in per cent of the memory in use. Play makes
// little, so that collections are rare all the same: 2,000 hunting bots cause one in 1.8 seconds. Source:
// docs/benchmarks.md.
const GarbagePercent = 12
