package api

import (
	"net/http/pprof"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// longWork is for what reads or copies the whole database, or watches the process for a while.
const longWork = 10 * time.Minute

// routes are all that can be asked for. Everything is refused to those who are not logged in, unless a route is public.
var routes = append([]route{
	{method: "POST", path: "/api/login", public: true, do: withBody(login)},
	{method: "POST", path: "/api/logout", need: data.Helper, do: withBody(logout)},
	{method: "GET", path: "/api/me", need: data.Helper, do: noBody(me)},

	{method: "GET", path: "/api/status", need: data.Helper, do: noBody(status)},
	{method: "GET", path: "/api/history", need: data.Helper, do: noBody(history)},
	{method: "GET", path: "/api/map", need: data.Helper, do: noBody(geography)},
	{method: "GET", path: "/api/events", need: data.Helper, raw: events, within: sessionLife},

	{method: "GET", path: "/api/players", need: data.Helper, do: noBody(players)},
	{method: "POST", path: "/api/players/{id}/kick", do: about(ops.KickAccount, playersAccount, quiet)},
	{method: "POST", path: "/api/players/{id}/teleport", do: byVerb(ops.MoveCharacter, moveRequest, describeMove)},
	{method: "POST", path: "/api/players/{id}/unstuck", do: about(ops.UnstuckCharacter, playersCharacter, describeMove)},
	{method: "POST", path: "/api/players/{id}/message", do: about(ops.Say, playersAccount, quiet)},
	{method: "POST", path: "/api/players/{id}/give", do: about(ops.GiveItem, playersCharacter, describeGift)},
	{method: "POST", path: "/api/say", do: about(ops.Say, everybodysAccount, quiet)},

	{method: "GET", path: "/api/characters", need: data.Helper, do: noBody(listCharacters)},
	{method: "GET", path: "/api/characters/{id}", need: data.Helper, do: noBody(showCharacter)},

	{method: "GET", path: "/api/accounts", need: data.Helper, do: noBody(listAccounts)},
	{method: "POST", path: "/api/accounts/{id}/mute", do: byVerb(ops.MuteAccount, muteRequest, asIs)},
	{method: "POST", path: "/api/accounts/{id}/unmute", do: about(ops.UnmuteAccount, accountOfPath, asIs)},
	{method: "POST", path: "/api/accounts/{id}/ban", do: byVerb(ops.BanAccount, banRequest, asIs)},
	{method: "POST", path: "/api/accounts/{id}/unban", do: about(ops.UnbanAccount, accountOfPath, asIs)},
	{method: "POST", path: "/api/accounts/{id}/role", do: about(ops.SetRole, accountOfPath, asIs)},
	{method: "POST", path: "/api/accounts/{id}/password", do: about(ops.SetPassword, accountOfPath, asIs)},

	{method: "GET", path: "/api/chat", need: data.Helper, do: noBody(chat)},
	{method: "GET", path: "/api/audit", need: data.Helper, do: noBody(audit)},
	{method: "GET", path: "/api/log", need: data.Administrator, do: noBody(logLines)},

	{method: "GET", path: "/api/config", need: data.Administrator, do: noBody(configuration)},
	{method: "POST", path: "/api/config", need: data.Administrator, do: withBody(configure)},
	{method: "POST", path: "/api/config/reload", need: data.Administrator, do: withBody(reload)},

	{method: "GET", path: "/api/backups", need: data.Administrator, do: noBody(backups)},
	{method: "POST", path: "/api/backup", do: byVerb(ops.Backup, backupRequest, describeBackup), within: longWork},

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
}, verbRoutes()...)
