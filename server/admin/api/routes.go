package api

import (
	"math"
	"net/http/pprof"
	"time"

	"sphereserver/data"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// longWork is the time for routes that read or copy the whole database, or watch the process for a while.
const longWork = 10 * time.Minute

// routes are all routes. A caller that is not logged in is refused everything but public ones.
var routes = append([]route{
	{method: "POST", path: "/api/login", public: true, do: withBody(login)},
	{method: "GET", path: "/api/first", public: true, do: noBody(firstOpen)},
	{method: "POST", path: "/api/first", public: true, do: withBody(makeFirst)},
	{method: "POST", path: "/api/logout", do: withBody(logout)},
	{method: "GET", path: "/api/me", do: noBody(me)},

	{method: "GET", path: "/api/status", do: noBody(status)},
	{method: "GET", path: "/api/history", query: []param{{name: "minutes", usual: 180, most: pastMinutes}},
		do: noBody(history)},
	{method: "GET", path: "/api/map", do: noBody(wholeWorld)},
	{method: "GET", path: "/api/map/tiles/{theme}/{area}/{zoom}/{x}/{y}", raw: mapTile, rate: tileRate},
	{method: "GET", path: "/api/heat", query: []param{{name: "area"}, {name: "of", oneOf: heatKinds},
		{name: "hours", usual: heatHours, most: heatHours}}, do: noBody(heatMap)},
	{method: "GET", path: "/api/height", query: []param{{name: "area"}, {name: "x"}, {name: "z"}}, do: noBody(height)},
	{method: "GET", path: "/api/wares", query: []param{{name: "townsman"}}, do: noBody(wares)},
	{method: "GET", path: "/api/monsters", query: []param{{name: "area"}, {name: "box"},
		{name: "cell", most: 10_000}, {name: "id", most: math.MaxInt}}, do: noBody(monsters)},
	{method: "GET", path: "/api/spawners", do: noBody(spawnersOff)},
	{method: "GET", path: "/api/spawners/all", query: []param{{name: "area"}}, do: noBody(spawnersOfArea)},
	{method: "GET", path: "/api/instances", do: asked(ops.ListInstances)},
	{method: "GET", path: "/api/events", raw: events, within: sessionLife},

	{method: "GET", path: "/api/players", query: []param{search}, do: noBody(players)},

	{method: "GET", path: "/api/characters", query: []param{search, limit(100, maxShown)}, do: noBody(listCharacters)},
	{method: "GET", path: "/api/characters/{id}", do: noBody(showCharacter)},

	{method: "GET", path: "/api/accounts", query: []param{search, limit(100, maxShown)}, do: noBody(listAccounts)},
	{method: "GET", path: "/api/accounts/{id}/deleted", do: noBody(deletedCharacters)},
	{method: "GET", path: "/api/accounts/{id}/notes", do: noBody(notesOfAccount)},
	{method: "GET", path: "/api/desk", query: []param{limit(100, maxShown)}, do: noBody(desk)},

	{method: "GET", path: "/api/addresses", do: asked(ops.ListAddressBans)},

	{method: "GET", path: "/api/catalogue", need: data.GameMaster, query: []param{search, limit(10, 50)},
		do: noBody(catalogue)},

	{method: "GET", path: "/api/chat", query: []param{limit(200, 500)}, do: noBody(chatTail)},
	{method: "GET", path: "/api/audit", query: []param{{name: "target"}, {name: "before", most: math.MaxInt},
		limit(100, maxShown)},
		do: noBody(audit)},
	{method: "GET", path: "/api/log", need: data.Administrator, query: logQuery, do: noBody(logLines)},

	{method: "GET", path: "/api/rates", do: asked(ops.ListRates)},
	{method: "GET", path: "/api/motd", do: asked(ops.ShowMotd)},
	{method: "GET", path: "/api/maintenance", do: asked(ops.ShowMaintenance)},
	{method: "GET", path: "/api/config", need: data.Administrator, do: noBody(configuration)},
	{method: "POST", path: "/api/config", need: data.Administrator, do: withBody(configure)},

	{method: "GET", path: "/api/backups", need: data.Administrator, do: noBody(backups)},
	{method: "GET", path: "/api/backups/{file}", need: data.Administrator, raw: downloadBackup, within: longWork},

	{method: "GET", path: "/api/tokens", need: data.Administrator, do: noBody(tokens)},
	{method: "POST", path: "/api/tokens", need: data.Administrator, do: withBody(makeToken)},
	{method: "DELETE", path: "/api/tokens/{id}", need: data.Administrator, do: noBody(deleteToken)},

	{method: "GET", path: "/api/capture", need: data.Administrator, do: noBody(capture)},
	{method: "POST", path: "/api/capture", need: data.Administrator, do: withBody(setCapture)},

	{method: "GET", path: "/healthz", public: true, localOnly: true, raw: healthz},
	{method: "GET", path: "/readyz", public: true, localOnly: true, raw: readyz},
	{method: "GET", path: "/metrics", public: true, localOnly: true, raw: scrape},

	{method: "GET", path: "/debug/pprof/{$}", need: data.Administrator, raw: profile(pprof.Index)},
	{method: "GET", path: "/debug/pprof/{name}", need: data.Administrator, raw: profile(pprof.Index)},
	{method: "GET", path: "/debug/pprof/profile", need: data.Administrator, raw: profile(pprof.Profile), within: longWork},
	{method: "GET", path: "/debug/pprof/trace", need: data.Administrator, raw: profile(pprof.Trace), within: longWork},
}, verbRoutes...)

// verbRoutes are one route for each verb. The command line uses these, and programs may.
var verbRoutes = func() (all []route) {
	for _, v := range ops.Verbs() {
		most := int64(0)
		if v.Name() == ops.SetBalance.Name() {
			most = maxFileBody
		}
		all = append(all, route{method: "POST", path: admin.VerbPath(v.Name()), within: longWork, most: most, do: work{
			verb: v, body: v.NewRequest, do: func(s *Server, r *request, body any) (any, error) {
				return v.DoAny(r.Context(), s.o.Ops, r.who.actor(), body)
			}}})
	}
	return all
}()
