package api

import (
	"net/http/pprof"
	"time"

	"sphereserver/data"
)

// longWork is for what reads or copies the whole database, or watches the process for a while.
const longWork = 10 * time.Minute

// routes are all that can be asked for. Everything is refused to those who are not logged in, unless need is [data.Player].
var routes = []route{
	{method: "POST", path: "/api/login", need: data.Player, do: told(login)},
	{method: "POST", path: "/api/logout", need: data.Helper, do: told(logout)},
	{method: "GET", path: "/api/me", need: data.Helper, do: asked(me)},

	{method: "GET", path: "/api/status", need: data.Helper, do: asked(status)},
	{method: "GET", path: "/api/history", need: data.Helper, do: asked(history)},
	{method: "GET", path: "/api/map", need: data.Helper, do: asked(geography)},
	{method: "GET", path: "/api/events", need: data.Helper, raw: events, within: sessionLife},

	{method: "GET", path: "/api/players", need: data.Helper, do: asked(players)},
	{method: "POST", path: "/api/players/{id}/kick", need: data.Helper, do: told(kickPlayer)},
	{method: "POST", path: "/api/players/{id}/teleport", need: data.GameMaster, do: told(teleportPlayer)},
	{method: "POST", path: "/api/players/{id}/unstuck", need: data.GameMaster, do: told(unstuckPlayer)},
	{method: "POST", path: "/api/players/{id}/message", need: data.GameMaster, do: told(messagePlayer)},
	{method: "POST", path: "/api/players/{id}/give", need: data.GameMaster, do: told(giveThing)},
	{method: "POST", path: "/api/say", need: data.GameMaster, do: told(say)},

	{method: "GET", path: "/api/characters", need: data.Helper, do: asked(characters)},
	{method: "GET", path: "/api/characters/{id}", need: data.Helper, do: asked(character)},

	{method: "GET", path: "/api/accounts", need: data.Helper, do: asked(accounts)},
	{method: "POST", path: "/api/accounts/{id}/mute", need: data.Helper, do: told(muteAccount)},
	{method: "POST", path: "/api/accounts/{id}/unmute", need: data.Helper, do: told(unmuteAccount)},
	{method: "POST", path: "/api/accounts/{id}/ban", need: data.GameMaster, do: told(banAccount)},
	{method: "POST", path: "/api/accounts/{id}/unban", need: data.GameMaster, do: told(unbanAccount)},
	{method: "POST", path: "/api/accounts/{id}/role", need: data.Administrator, do: told(setRole)},
	{method: "POST", path: "/api/accounts/{id}/password", need: data.Administrator, do: told(setPassword)},

	{method: "GET", path: "/api/chat", need: data.Helper, do: asked(chat)},
	{method: "GET", path: "/api/audit", need: data.Helper, do: asked(audit)},
	{method: "GET", path: "/api/log", need: data.Administrator, do: asked(logLines)},

	{method: "GET", path: "/api/config", need: data.Administrator, do: asked(configuration)},
	{method: "POST", path: "/api/config", need: data.Administrator, do: told(configure)},
	{method: "POST", path: "/api/config/reload", need: data.Administrator, do: told(reload)},

	{method: "GET", path: "/api/backups", need: data.Administrator, do: asked(backups)},
	{method: "POST", path: "/api/backup", need: data.Administrator, do: told(makeBackup), within: longWork},

	{method: "GET", path: "/api/tokens", need: data.Administrator, do: asked(tokens)},
	{method: "POST", path: "/api/tokens", need: data.Administrator, do: told(makeToken)},
	{method: "DELETE", path: "/api/tokens/{id}", need: data.Administrator, do: asked(deleteToken)},

	{method: "GET", path: "/api/capture", need: data.Administrator, do: asked(capture)},
	{method: "POST", path: "/api/capture", need: data.Administrator, do: told(setCapture)},

	{method: "GET", path: "/healthz", need: data.Player, nearby: true, raw: healthz},
	{method: "GET", path: "/readyz", need: data.Player, nearby: true, raw: readyz},
	{method: "GET", path: "/metrics", need: data.Player, nearby: true, raw: scrape},

	{method: "GET", path: "/debug/pprof/{$}", need: data.Administrator, raw: profile(pprof.Index)},
	{method: "GET", path: "/debug/pprof/{name}", need: data.Administrator, raw: profile(pprof.Index)},
	{method: "GET", path: "/debug/pprof/profile", need: data.Administrator, raw: profile(pprof.Profile), within: longWork},
	{method: "GET", path: "/debug/pprof/trace", need: data.Administrator, raw: profile(pprof.Trace), within: longWork},
}
