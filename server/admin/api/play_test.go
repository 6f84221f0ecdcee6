package api

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/config"
	"sphereserver/server/geography"
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// player finds a player as the API shows it.
func (b *browser) player(name string) playerAnswer {
	b.g.t.Helper()
	var all []playerAnswer
	b.want(http.StatusOK, b.send("GET", "/api/players?search="+name, nil), &all)
	if len(all) != 1 {
		b.g.t.Fatalf("%d players are called %s", len(all), name)
	}
	return all[0]
}

func TestPlayersAreShownAsTheyAreInTheWorld(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna", "Berta", "Clara")
		b := g.as(data.Administrator)
		var all []playerAnswer
		b.want(http.StatusOK, b.send("GET", "/api/players", nil), &all)
		if len(all) != 3 || all[0].Name != "Anna" || all[1].Name != "Berta" || all[2].Name != "Clara" {
			t.Fatalf("%+v, expected Anna, Berta and Clara", all)
		}
		views := g.game.World().Players
		for _, p := range all {
			i := slices.IndexFunc(views, func(v world.PlayerView) bool { return v.ID == p.ID })
			if i < 0 || views[i].Name != p.Name || data.CharacterID(views[i].Character) != p.Character {
				t.Fatalf("%+v is not in the world", p)
			}
			if p.BytesIn == 0 || p.BytesOut == 0 || p.Address != "127.0.0.1" {
				t.Errorf("%+v, expected bytes and the address", p)
			}
			if p.Level.Title != 1 || p.HP == 0 || p.Area != "hyperion" || p.Place.Russian == "" ||
				p.Account != "player-"+strings.ToLower(p.Name) {
				t.Errorf("%+v, expected a beginner on Hyperion", p)
			}
		}
		if p := g.as(data.Helper).player("Berta"); p.Address != "" {
			t.Errorf("a helper is told the address %s", p.Address)
		}
		var status statusAnswer
		b.want(http.StatusOK, b.send("GET", "/api/status", nil), &status)
		if status.Online != 3 || status.AccountsOnline != 3 || status.Connections != 3 || status.BytesIn == 0 ||
			!status.Saving || status.Listeners["game"] == "" {
			t.Errorf("%+v, expected three players", status)
		}
	})
}

func TestMeasuresAgainstPlayersWork(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna", "Berta")
		b := g.as(data.GameMaster)
		anna, berta := b.player("Anna"), b.player("Berta")
		move := func(p playerAnswer, m ops.Move) answer {
			m.ID = p.Character
			return b.send("POST", "/api/verbs/character-move", m)
		}
		say := func(login, text string) answer {
			return b.send("POST", "/api/verbs/say", ops.Broadcast{AccountName: ops.AccountName{Login: login}, Text: text})
		}
		here := func(p playerAnswer) coords.Position {
			for _, v := range g.game.World().Players {
				if v.ID == p.ID {
					return v.Position
				}
			}
			return coords.Position{}
		}

		var moved ops.Character
		b.want(http.StatusOK, move(anna, ops.Move{Place: "umrad"}), &moved)
		umrad, _ := content.FindPlace("umrad")
		g.until("Anna is in Umrad", func() bool { return here(anna).Distance(umrad.Position) < 200 })
		if ops.Where(moved.Position).English != umrad.English {
			t.Errorf("%+v, expected Umrad", moved)
		}
		if p := b.player("Anna"); p.Area != "phoebe" {
			t.Errorf("%+v, expected Phoebe", p)
		}
		b.want(http.StatusOK, move(berta, ops.Move{Beside: "Anna"}), nil)
		g.until("Berta is with Anna", func() bool { return here(berta).Distance(umrad.Position) < 200 })
		shipstone := coords.Position{X: 2614, Y: 157.8, Z: 1293}
		b.want(http.StatusOK, move(berta, ops.Move{Position: shipstone}), nil)
		g.until("Berta is in Shipstone", func() bool { return here(berta).Distance(shipstone) < 200 })
		b.want(http.StatusOK, b.send("POST", "/api/verbs/character-unstuck", ops.CharacterName{ID: anna.Character}), nil)
		for m, field := range map[ops.Move]string{{}: "place", {Place: "nowhereatall"}: "place",
			{Place: "umrad", Beside: "Berta"}: "place", {Place: "umrad", Position: shipstone}: "place",
			{Position: coords.Position{X: 1e9, Y: 150, Z: 1293}}: "x"} {
			if e := b.refused(http.StatusBadRequest, "invalid", move(anna, m)); e.Fields[field] == "" {
				t.Errorf("%+v: fields %v, expected one about %s", m, e.Fields, field)
			}
		}
		b.refused(http.StatusNotFound, "not-found", move(anna, ops.Move{Beside: "Nobody"}))

		var said ops.Broadcast
		b.want(http.StatusOK, say("player-anna", "Осторожно!"), nil)
		b.want(http.StatusOK, say("player-anna", "Меч × <b>два</b>"), &said)
		if said.Text != "Меч x два" {
			t.Errorf("said to be told %q", said.Text)
		}
		e := b.refused(http.StatusBadRequest, "invalid", say("", "Ура 😀"))
		if !strings.Contains(e.Fields["text"], "😀") || !strings.Contains(e.Fields["text"], "5") {
			t.Errorf("%+v, expected the character and its place", e)
		}
		b.want(http.StatusOK, say("", "Перезапуск через час."), nil)
		g.until("the announcement is in the chat", func() bool {
			var lines []chatAnswer
			b.want(http.StatusOK, b.send("GET", "/api/chat", nil), &lines)
			time.Sleep(50 * time.Millisecond)
			return slices.ContainsFunc(lines, func(l chatAnswer) bool {
				return l.Text == "Перезапуск через час." &&
					l.From == ""
			})
		})

		b.want(http.StatusOK, b.send("POST", "/api/verbs/account-kick",
			ops.Kick{AccountName: ops.AccountName{Login: "player-anna"}, Reason: "Отдохните"}), nil)
		g.until("Anna's session has ended", func() bool {
			return strings.Contains(fmt.Sprint(g.game.EndsByReason()),
				"kicked")
		})
		for _, line := range []string{"gamemaster | account kick | player-anna | Отдохните",
			"gamemaster | character move | Anna |", "gamemaster | say |  | Перезапуск",
			"gamemaster | say | player-anna | Осторожно!"} {
			if !strings.Contains(g.trail(), line) {
				t.Errorf("the audit trail has no %q:\n%s", line, g.trail())
			}
		}
	})
}

func TestThingsAreGiven(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna")
		b := g.as(data.GameMaster)
		anna := b.player("Anna")
		give := func(gift ops.Gift) answer {
			gift.ID = anna.Character
			return b.send("POST", "/api/verbs/character-give", gift)
		}
		kinds := g.game.Kinds()
		kind := &kinds.Kinds()[slices.IndexFunc(kinds.Kinds(), func(k rules.Kind) bool { return k.Stack > 1 })]
		two := 2
		var gave ops.Gave
		b.want(http.StatusOK, give(ops.Gift{Item: kind.Name("en"), Count: &two}), &gave)
		if gave.Count != 2 || gave.Name.English == "" {
			t.Errorf("%+v, expected two of %s", gave, kind.Name("en"))
		}
		g.until("Anna has it", func() bool {
			var sheet sheetAnswer
			b.want(http.StatusOK, b.send("GET", fmt.Sprintf("/api/characters/%d", anna.Character), nil), &sheet)
			time.Sleep(50 * time.Millisecond)
			return slices.ContainsFunc(sheet.Items, func(i itemAnswer) bool {
				return i.Count == 2 && i.Name == gave.Name &&
					i.Place == "inventory"
			})
		})
		if !strings.Contains(g.trail(), "gamemaster | character give | Anna | 2 × ") {
			t.Errorf("the audit trail does not tell of the gift:\n%s", g.trail())
		}
		many, bad := 10000, 77
		for body, field := range map[ops.Gift]string{{Item: "no such thing at all"}: "item", {Item: kind.Name("en"),
			Count: &many}: "count",
			{Item: kind.Name("en"), Suffix: &bad}: "suffix", {}: "item"} {
			if e := b.refused(http.StatusBadRequest, "invalid", give(body)); e.Fields[field] == "" {
				t.Errorf("%+v: fields %v, expected one about %s", body, e.Fields, field)
			}
		}
	})
}

func TestMeasuresAgainstAccounts(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna")
		admin, master, helper := g.as(data.Administrator), g.as(data.GameMaster), g.as(data.Helper)
		find := func(login string) (id data.AccountID, all accountsList) {
			admin.want(http.StatusOK, admin.send("GET", "/api/accounts?search="+login, nil), &all)
			if len(all) != 1 {
				t.Fatalf("%d accounts for %s", len(all), login)
			}
			return all[0].ID, all
		}
		// do has an operator do a verb to an account; more are further fields of its request.
		do := func(b *browser, login, what, more string) answer {
			id, _ := find(login)
			return b.send("POST", "/api/verbs/account-"+what, fmt.Sprintf(`{"id":%d%s}`, id, more))
		}
		const later = `,"until":"9999-01-01T00:00:00Z"`

		helper.want(http.StatusOK, do(helper, "player-anna", "mute", later+`,"reason":"spam"`), nil)
		if _, all := find("player-anna"); all[0].Mute == nil || all[0].Mute.Reason != "spam" || !all[0].Online {
			t.Errorf("%+v, expected the mute of somebody who is online", all[0])
		}
		helper.want(http.StatusOK, do(helper, "player-anna", "unmute", ""), nil)
		helper.refused(http.StatusForbidden, "role", do(helper, "gamemaster", "mute", later))
		master.refused(http.StatusForbidden, "role", do(master, "administrator", "ban", `,"confirm":"administrator"`))
		for what, more := range map[string]string{"ban": `,"confirm":"administrator"`, "role": `,"role":"player"`, "mute": ""} {
			admin.refused(http.StatusConflict, "self", do(admin, "administrator", what, more))
		}

		e := master.refused(http.StatusConflict, "confirm",
			do(master, "player-anna", "ban", later+`,"reason":"cheats","confirm":""`))
		if !strings.Contains(e.Error, "player-anna") || !strings.Contains(e.Error, "Anna") {
			t.Errorf("%q does not name what would be lost", e.Error)
		}
		master.refused(http.StatusConflict, "confirm", do(master, "player-anna", "ban", later+`,"confirm":"somebody"`))
		master.want(http.StatusOK, do(master, "player-anna", "ban", later+`,"reason":"cheats","confirm":"player-anna"`), nil)
		if _, all := find("player-anna"); all[0].Ban == nil || all[0].Online {
			t.Errorf("%+v, expected somebody who is banned and gone", all[0])
		}
		master.want(http.StatusOK, do(master, "player-anna", "unban", ""), nil)
		master.refused(http.StatusNotFound, "not-found", do(master, "player-anna", "unban", ""))
		for more, word := range map[string]string{`,"minutes":5`: "minutes", `,"until":"2001-01-01T00:00:00Z"`: "until",
			`,"until":"x"`: "a time like", `,"until":5`: "a time like", `,"reason":"a\nb"`: "reason",
			`,"reason":"` + strings.Repeat("x", 501) + `"`: "reason"} {
			a := do(master, "player-anna", "ban", more)
			if a.status != http.StatusBadRequest || !strings.Contains(string(a.body), word) {
				t.Errorf("%s: status %d, %s; expected 400 about %s", more, a.status, a.body, word)
			}
		}

		admin.want(http.StatusOK, do(admin, "player-anna", "role", `,"role":"helper"`), nil)
		if _, all := find("player-anna"); all[0].Role != data.Helper {
			t.Errorf("the role is %v, expected helper", all[0].Role)
		}
		admin.refused(http.StatusBadRequest, "invalid", do(admin, "player-anna", "role", ""))
		if a := do(admin, "player-anna", "role", `,"role":"king"`); a.status != http.StatusBadRequest {
			t.Errorf("a role that there is not: status %d, %s", a.status, a.body)
		}
		admin.want(http.StatusOK, do(admin, "helper", "passwd", `,"password":"another-password"`), nil)
		helper.refused(http.StatusUnauthorized, "unauthorized", helper.send("GET", "/api/me",
			nil)) // with another password the session ends
		admin.refused(http.StatusBadRequest, "invalid", do(admin, "helper", "passwd",
			`,"password":"`+strings.Repeat("x", 1000)+`"`))
	})
}

func TestARoleCountsAsItIsNow(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		admin, master := g.as(data.Administrator), g.as(data.GameMaster)
		admin.want(http.StatusOK, admin.send("POST", "/api/verbs/account-role", `{"login":"gamemaster","role":"helper"}`), nil)
		master.refused(http.StatusForbidden, "role", master.send("POST", "/api/verbs/say", ops.Broadcast{Text: "x"}))
		admin.want(http.StatusOK, admin.send("POST", "/api/verbs/account-ban",
			`{"login":"gamemaster","confirm":"gamemaster"}`), nil)
		master.refused(http.StatusUnauthorized, "unauthorized", master.send("GET", "/api/me", nil))
	})
}

func TestTheMapIsThatOfTheTables(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Helper)
		var m geography.World
		b.want(http.StatusOK, b.send("GET", "/api/map", nil), &m)
		landmarks := 0 // besides the portals
		for _, p := range m.Places {
			if p.Kind == "landmark" {
				landmarks++
			}
		}
		if len(m.Areas) != len(content.Areas()) || len(m.Places)-landmarks != len(content.Places()) || landmarks != 150 ||
			len(m.Townsfolk) != len(content.NPCs()) || len(m.Portals) != len(content.Portals()) {
			t.Fatalf("%d areas, %d places, %d townsfolk, %d portals", len(m.Areas), len(m.Places), len(m.Townsfolk),
				len(m.Portals))
		}
		for _, p := range m.Places {
			i := slices.IndexFunc(m.Areas, func(a geography.Area) bool { return a.Key == p.Area })
			if i < 0 || m.Areas[i].Bounds == nil {
				t.Fatalf("%s lies in the area %q, which has no bounds", p.Key, p.Area)
			}
			if r := m.Areas[i].Bounds; p.X < r[0] || p.Z < r[1] || p.X > r[2] || p.Z > r[3] {
				t.Errorf("%s at %v %v is not within %v", p.Key, p.X, p.Z, r)
			}
		}
		for _, a := range m.Areas {
			if a.Open != (a.Sketch != nil) || a.Open && len(a.Sketch.Land) == 0 {
				t.Errorf("%s: a continent has a coast, and nothing else has: %+v", a.Key, a.Sketch)
			}
		}
		for _, p := range m.Townsfolk {
			if p.Occupation == "" {
				t.Errorf("%s has no occupation", p.Key)
			}
		}
	})
}

func TestSettingsAreShownAndChanged(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Administrator)
		var all []keyAnswer
		b.want(http.StatusOK, b.send("GET", "/api/config", nil), &all)
		if len(all) != len(config.Keys()) {
			t.Fatalf("%d settings, expected %d", len(all), len(config.Keys()))
		}
		var changed changesAnswer
		b.want(http.StatusOK, b.send("POST", "/api/config", `{"key":"server.name","value":"Другая сфера"}`),
			&changed)
		if len(changed.Changes) != 1 || changed.Changes[0].New != "Другая сфера" {
			t.Errorf("%+v, expected the name", changed)
		}
		var me meAnswer
		b.want(http.StatusOK, b.send("GET", "/api/me", nil), &me)
		if me.Name != "Другая сфера" || !strings.Contains(g.trail(),
			"administrator | config set | server.name | from Sphere to Другая сфера") {
			t.Errorf("the name is %q, the trail\n%s", me.Name, g.trail())
		}
		for body, field := range map[string]string{`{}`: "key", `{"key":"x.y","value":""}`: "key",
			`{"key":"log.file","value":"/etc/motd"}`:       "key",
			`{"key":"limits.max-per-address","value":"0"}`: "value", `{"key":"server.name"}`: "value"} {
			if e := b.refused(http.StatusBadRequest, "invalid", b.send("POST", "/api/config", body)); e.Fields[field] == "" {
				t.Errorf("%s: fields %v, expected one about %s", body, e.Fields, field)
			}
		}
		b.want(http.StatusOK, b.send("POST", "/api/verbs/config-reload", "{}"), nil)
		if !strings.Contains(g.trail(), "administrator | config reload") {
			t.Errorf("the trail\n%s", g.trail())
		}
	})
}

func TestBackupsAreMadeAndListed(t *testing.T) {
	g := newStage(t, nil)
	b := g.as(data.Administrator)
	var backup ops.File
	b.want(http.StatusOK, b.send("POST", "/api/verbs/db-backup", "{}"), &backup)
	var all backupsAnswer
	b.want(http.StatusOK, b.send("GET", "/api/backups", nil), &all)
	if len(all.Backups) != 1 || filepath.Join(all.Folder, all.Backups[0].File) != backup.Path || all.Backups[0].Bytes == 0 {
		t.Fatalf("%+v, expected %s", all.Backups, backup.Path)
	}
	made := all.Backups[0]
	var now statusAnswer
	b.want(http.StatusOK, b.send("GET", "/api/status", nil), &now)
	if now.LastBackup == nil || now.LastBackup.File != made.File || !now.LastBackup.At.Equal(made.At) ||
		now.LastBackup.Late {
		t.Errorf("the status tells of %+v, expected %s", now.LastBackup, made.File)
	}
	older := data.DefaultBackupPath(g.store.Dir(), time.Now().Add(-50*time.Hour))
	if err := os.Rename(backup.Path, older); err != nil {
		t.Fatal(err)
	}
	b.want(http.StatusOK, b.send("GET", "/api/status", nil), &now)
	if !now.LastBackup.Late {
		t.Errorf("the status tells of %+v, expected that a backup of each day is late", now.LastBackup)
	}
}

func TestRecordsAreListed(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Administrator)
		g.log.Warn("something", "what", "odd")
		var lines []struct {
			Level, Message string
			Attrs          map[string]string
		}
		b.want(http.StatusOK, b.send("GET", "/api/log?level=warn&limit=1", nil), &lines)
		if len(lines) != 1 || lines[0].Message != "something" || lines[0].Level != "WARN" || lines[0].Attrs["what"] != "odd" {
			t.Errorf("%+v, expected the last warning", lines)
		}
		var trail []data.AuditEntry
		b.want(http.StatusOK, b.send("GET", "/api/audit?limit=1", nil), &trail)
		if len(trail) != 1 || trail[0].Action != "admin login" {
			t.Errorf("%+v, expected the login", trail)
		}
		newest := trail[0].ID
		b.want(http.StatusOK, b.send("GET", fmt.Sprintf("/api/audit?before=%d", newest), nil), &trail)
		if len(trail) > 0 && trail[0].ID >= newest {
			t.Errorf("%+v, expected what is older than %d", trail, newest)
		}
		for _, path := range []string{"/api/log?level=loud", "/api/log?limit=0", "/api/audit?limit=x", "/api/audit?before=0",
			"/api/chat?limit=1000", "/api/players?serach=x", "/api/history?minutes=0",
			"/api/accounts?search=" + strings.Repeat("x", 300)} {
			b.refused(http.StatusBadRequest, "invalid", b.send("GET", path, nil))
		}
	})
}

func TestTheHistoryGrows(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna")
		m := g.api.meter
		for i := range meterPoints + 5 {
			if i < 3 || i > meterPoints {
				m.look(t.Context(), time.Now(), true)
			} else {
				m.mu.Lock()
				m.points = append(m.points[max(0, len(m.points)-meterPoints+1):], point{At: time.Now()})
				m.mu.Unlock()
			}
		}
		var h historyAnswer
		b := g.as(data.Helper)
		b.want(http.StatusOK, b.send("GET", "/api/history?minutes=5", nil), &h)
		if len(h.Points) != meterPoints || h.Step != 10 {
			t.Fatalf("%d points of %d s, expected %d of 10", len(h.Points), h.Step, meterPoints)
		}
		if p := h.Points[len(h.Points)-1]; p.Online != 1 || p.Memory == 0 || math.IsNaN(p.StoreP99) {
			t.Errorf("%+v, expected one player", p)
		}
	})
}

func TestReadiness(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.stranger()
		b.want(http.StatusOK, b.send("GET", "/readyz", nil), nil)
		g.api.ready.Store(false)
		if a := b.send("GET", "/readyz", nil); a.status != http.StatusServiceUnavailable || string(a.body) != "starting\n" {
			t.Errorf("status %d, %q; expected 503 starting", a.status, a.body)
		}
		g.api.Ready()
		b.want(http.StatusOK, b.send("GET", "/healthz", nil), nil)
		if err := g.game.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a := b.send("GET", "/readyz", nil); a.status != http.StatusServiceUnavailable || string(a.body) != "stopping\n" {
			t.Errorf("status %d, %q; expected 503 stopping", a.status, a.body)
		}
	})
}

func TestReadinessWithoutADatabase(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps files that are in use")
	}
	g := newStage(t, nil)
	b := g.stranger()
	path := filepath.Join(g.store.Dir(), data.DatabaseFile)
	if err := os.Rename(path, path+".elsewhere"); err != nil {
		t.Fatal(err)
	}
	if _, err := g.store.CreateAccount(t.Context(), "later", "hash", data.Player); !errors.Is(err, data.ErrUnavailable) {
		t.Errorf("found %v, expected that nothing is written", err)
	}
	if a := b.send("GET", "/readyz", nil); a.status != http.StatusServiceUnavailable ||
		string(a.body) != "the database cannot be written\n" {
		t.Errorf("status %d, %q; expected 503", a.status, a.body)
	}
	if s := g.api.status(); s.Saving {
		t.Error("the page is told that what players do gets to the disk")
	}
	if err := os.Rename(path+".elsewhere", path); err != nil {
		t.Fatal(err)
	}
	if _, err := g.store.CreateAccount(t.Context(), "later", "hash", data.Player); err != nil {
		t.Error(err)
	}
	b.want(http.StatusOK, b.send("GET", "/readyz", nil), nil)
}

func TestSessionsAreRecordedOnDemand(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna")
		b := g.as(data.Administrator)
		var now captureAnswer
		b.want(http.StatusOK, b.send("GET", "/api/capture", nil), &now)
		if now.On {
			t.Fatalf("%+v, expected none", now)
		}
		b.want(http.StatusOK, b.send("POST", "/api/capture", `{"on":true,"account":"player-anna"}`), &now)
		if !now.On || now.Recording == nil || now.Path == "" {
			t.Fatalf("%+v, expected a recording", now)
		}
		b.refused(http.StatusConflict, "recording", b.send("POST", "/api/capture", `{"on":true}`))
		g.until("frames are recorded", func() bool { return g.game.Recording().State().Frames > 3 })
		b.want(http.StatusOK, b.send("POST", "/api/capture", `{"on":false}`), &now)
		if info, err := os.Stat(now.Path); now.On || err != nil || info.Size() == 0 {
			t.Errorf("%+v, %v; expected a file", now, err)
		}
		for body, field := range map[string]string{`{}`: "on", `{"on":true,"session":1,"account":"x"}`: "session",
			`{"on":true,"session":70000}`: "session", `{"on":true,"minutes":-1}`: "minutes"} {
			if e := b.refused(http.StatusBadRequest, "invalid", b.send("POST", "/api/capture", body)); e.Fields[field] == "" {
				t.Errorf("%s: fields %v, expected one about %s", body, e.Fields, field)
			}
		}
	})
}

func TestAnErrorIsInTheLanguageOfTheReader(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.stranger()
		for header, want := range map[string]string{"ru-RU,ru;q=0.9,en;q=0.8": errUnauthorized.text.Russian,
			"en-GB,ru": errUnauthorized.text.English, "": errUnauthorized.text.English, "de": errUnauthorized.text.English} {
			e := b.refused(http.StatusUnauthorized, "unauthorized", b.send("GET", "/api/me", nil,
				func(r *http.Request) { r.Header.Set("Accept-Language", header) }))
			if e.Error != want {
				t.Errorf("%q: %q, expected %q", header, e.Error, want)
			}
		}
	})
}

func TestTheMapHasTiles(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Helper)
		road := make([]rules.GroundCell, 40)
		for i := range road {
			road[i] = rules.GroundCell{X: int32(i), Z: 5, Y: 150}
		}
		if err := g.store.SaveGround(t.Context(), road); err != nil {
			t.Fatal(err)
		}
		var m geography.World
		b.want(http.StatusOK, b.send("GET", "/api/map", nil), &m)
		if m.Version == "" || m.Areas[0].Relief != nil {
			t.Errorf("version %q, relief %v without an import", m.Version, m.Areas[0].Relief)
		}
		tile := b.send("GET", "/api/map/tiles/dark/hyperion/0/0/-1?v="+m.Version, nil)
		empty := b.send("GET", "/api/map/tiles/dark/haron/0/0/-1", nil)
		if tile.status != http.StatusOK || tile.header.Get("Content-Type") != "image/png" || len(tile.body) <= len(empty.body) {
			t.Errorf("status %d, %v, %d bytes, an empty one has %d", tile.status, tile.header, len(tile.body), len(empty.body))
		}
		again := b.send("GET", "/api/map/tiles/dark/hyperion/0/0/-1", nil, func(r *http.Request) {
			r.Header.Set("If-None-Match", tile.header.Get("ETag"))
		})
		if again.status != http.StatusNotModified {
			t.Errorf("status %d of a tile that the browser has", again.status)
		}
		for _, path := range []string{"light/hyperion/99/0/0", "light/hyperion/NaN/0/0", "pink/hyperion/0/0/0", "light/x/0/0/0",
			"light/hyperion/0/0/9223372036854775808"} {
			b.refused(http.StatusNotFound, "not-found", b.send("GET", "/api/map/tiles/"+path, nil))
		}
		g.stranger().refused(http.StatusUnauthorized, "unauthorized", g.stranger().send("GET",
			"/api/map/tiles/light/hyperion/0/0/0", nil))
		// A map takes many at a time, and leaves the rate of everything else alone.
		for range int(calls.burst) + 50 {
			b.want(http.StatusOK, b.send("GET", "/api/map/tiles/dark/haron/0/0/-1", nil), nil)
		}
		b.want(http.StatusOK, b.send("GET", "/api/me", nil), nil)
	})
}

// Characters are found by a part of their names, as many as are asked for; the desk has the notes of helpers; and rates
// are those that were set.
func TestListsOfCharactersNotesAndRates(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna", "Berta", "Hanna")
		helper, b := g.as(data.Helper), g.as(data.Administrator)
		for query, want := range map[string][]string{"?search=anna": {"Anna", "Hanna"}, "?search=ber": {"Berta"},
			"?search=x": {}, "?limit=2": {"Anna", "Berta"}, "": {"Anna", "Berta", "Hanna"}} {
			var found []characterAnswer
			b.want(http.StatusOK, b.send("GET", "/api/characters"+query, nil), &found)
			names := []string{}
			for _, c := range found {
				names = append(names, c.Name)
				if c.Place.English == "" || c.Level.Title != 1 {
					t.Errorf("%+v", c)
				}
			}
			if slices.Sort(names); !slices.Equal(names, want) {
				t.Errorf("%q finds %v, expected %v", query, names, want)
			}
		}

		owner, operators := ops.Owner("owner"), g.game.Operators()
		if _, err := ops.AddNote.Do(t.Context(), operators, owner, ops.NewNote{
			AccountName: ops.AccountName{Login: "player-anna"}, Text: "asks nicely"}); err != nil {
			t.Fatal(err)
		}
		var desk deskAnswer
		helper.want(http.StatusOK, helper.send("GET", "/api/desk", nil), &desk)
		if len(desk.Notes) != 1 || desk.Notes[0].Text != "asks nicely" || desk.Notes[0].Login != "player-anna" || len(desk.Doubts) != 0 {
			t.Errorf("%+v", desk)
		}

		for _, factor := range []float64{1, 2} {
			if factor != 1 {
				order := ops.RateOrder{Rate: "experience", Factor: factor}
				if _, err := ops.OrderRate.Do(t.Context(), operators, owner, order); err != nil {
					t.Fatal(err)
				}
			}
			var rates []ops.RateState
			helper.want(http.StatusOK, helper.send("GET", "/api/rates", nil), &rates)
			i := slices.IndexFunc(rates, func(r ops.RateState) bool { return r.Rate == "experience" })
			if i < 0 || rates[i].Factor != factor || len(rates[i].Set) != int(factor)-1 {
				t.Errorf("%+v, expected experience %v times", rates, factor)
			}
		}
	})
}
