package main

import (
	"net/netip"

	"sphereserver/data"
	"sphereserver/server/admin/api"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/measure"
	"sphereserver/server/oplog"
	"sphereserver/server/query"
)

// A pageSource is what the administrators' page is about.
type pageSource struct {
	store   *data.Store
	game    *game.Server
	queries *query.Server
	backups *data.BackupSchedule
	config  *config.Live
	log     *oplog.Log
	tail    *oplog.Tail
	writes  *measure.Histogram
}

// startPage opens the administrators' page, unless the settings have none, and the listener for commands.
func startPage(set config.Admin, about pageSource) (*api.Server, error) {
	listeners := map[string]string{"game": about.game.Addr().String()}
	for name, at := range map[string]netip.AddrPort{"ase": about.queries.ASE(), "minecraft": about.queries.Minecraft()} {
		if at.IsValid() {
			listeners[name] = at.String()
		}
	}
	return api.Listen(api.Options{Settings: set, Version: version, Store: about.store, Ops: about.game.Operators(),
		Game:   about.game,
		Config: about.config, Backups: about.backups, Tail: about.tail, Log: about.log.Logger, Listeners: listeners,
		Queries: about.queries.Counters, Writes: about.writes})
}
