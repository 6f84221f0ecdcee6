package api

import (
	"compress/gzip"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/server/config"
	"sphereserver/server/ops"
)

// inRussian asks as a browser of a Russian reader.
func inRussian(r *http.Request) { r.Header.Set("Accept-Language", "ru") }

func TestSettingsOfTheNextStartWait(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Administrator)
		shown := func(key string) keyAnswer {
			var all []keyAnswer
			b.want(http.StatusOK, b.send("GET", "/api/config", nil), &all)
			return all[slices.IndexFunc(all, func(k keyAnswer) bool { return k.Key == key })]
		}
		was := shown("world.crowd")
		if was.Waits != nil || was.Reloadable {
			t.Fatalf("%+v, expected one that needs a restart and does not wait", was)
		}
		set := func(value string) (changed changesAnswer) {
			b.want(http.StatusOK, b.send("POST", "/api/config", `{"key":"world.crowd","value":"`+value+`"}`), &changed)
			return changed
		}
		if got := set("77").Changes; len(got) != 1 || !got[0].Restart || got[0].New != "77" {
			t.Errorf("%+v, expected a change that waits", got)
		}
		if now := shown("world.crowd"); now.Waits == nil || *now.Waits != "77" || now.Value != was.Value {
			t.Errorf("%+v, expected that 77 waits", now)
		}
		b.want(http.StatusOK, b.send("POST", "/api/config", `{"key":"server.name","value":"x"}`), nil)
		if now := shown("world.crowd"); now.Waits == nil {
			t.Error("it waits no more since another has changed")
		}
		set(was.Value)
		if now := shown("world.crowd"); now.Waits != nil {
			t.Errorf("%+v, expected that nothing waits", now)
		}
		if !strings.Contains(g.trail(), "config set | world.crowd | from 77 to "+was.Value) {
			t.Errorf("the trail\n%s", g.trail())
		}
		if file := shown("log.file"); file.Fixed != "owner" {
			t.Errorf("%+v, expected that only the owner may change it", file)
		}
	})
}

// No wrong value of any setting is explained in English alone.
func TestWrongSettingsAreExplainedInRussian(t *testing.T) {
	for _, k := range config.Keys() {
		for _, wrong := range []string{"\x00", "abc:def:ghi", "-1e99", strings.Repeat("x", 2000)} {
			s := config.Defaults()
			err := k.Set(&s, wrong)
			if err == nil {
				continue
			}
			said := textOf(err)
			if !strings.ContainsAny(said.Russian, "абвгдеиноуст") || strings.Contains(said.Russian, "expected") {
				t.Errorf("%s = %.20q: %s", k.Name, wrong, said.Russian)
			}
			if strings.ContainsAny(said.English, "абвгдеиноуст") {
				t.Errorf("%s = %.20q: %s", k.Name, wrong, said.English)
			}
		}
	}
}

func TestRefusalsAreInRussian(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Administrator)
		verb := func(name string) string { return "/api/verbs/" + name }
		for _, c := range []struct{ method, path, body string }{
			{"GET", "/api/characters/99999", ""},
			{"POST", verb("account-unban"), `{"id":99999}`},
			{"POST", verb("account-add"), `{"login":"","password":"x"}`},
			{"POST", verb("account-add"), `{"login":"helper","password":"x"}`},
			{"POST", verb("account-add"), `{"login":"new","password":"日本"}`},
			{"POST", verb("character-rename"), `{"id":1,"newName":"1"}`},
			{"POST", verb("address-ban"), `{"address":"everybody"}`},
			{"POST", verb("address-unban"), `{"address":"192.0.2.7"}`},
			{"POST", verb("backup-restore"), `{"file":"none.db"}`},
			{"POST", verb("backup-delete"), `{"file":"none.db"}`},
			{"GET", "/api/backups/none.db", ""},
			{"POST", "/api/config", `{"key":"limits.max-per-address","value":"abc"}`},
		} {
			var body any = c.body
			if c.method == "GET" {
				body = nil
			}
			a := b.send(c.method, c.path, body, inRussian)
			var e errorAnswer
			b.want(a.status, a, &e)
			said := e.Error
			for _, field := range e.Fields {
				said += " " + field
			}
			if a.status < 400 || !strings.ContainsAny(said, "абвгдеиноуст") || strings.Contains(said, "not found") ||
				strings.Contains(said, "expected") {
				t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, a.status, said)
			}
		}
	})
}

func TestBackupsAreFetchedRestoredAndDeleted(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Administrator)
		var made ops.File
		b.want(http.StatusOK, b.send("POST", "/api/verbs/db-backup", "{}"), &made)
		name := ops.BackupName{File: filepath.Base(made.Path)}
		path := "/api/backups/" + name.File
		got := b.send("GET", path, nil)
		b.want(http.StatusOK, got, nil)
		if !strings.HasPrefix(string(got.body), "SQLite format 3") ||
			got.header.Get("Content-Disposition") != `attachment; filename="`+name.File+`"` {
			t.Errorf("%d bytes, %v; expected %s", len(got.body), got.header, name.File)
		}
		listed := func() (all backupsAnswer) {
			b.want(http.StatusOK, b.send("GET", "/api/backups", nil), &all)
			return all
		}
		if all := listed(); len(all.Backups) != 1 || int64(len(got.body)) != all.Backups[0].Bytes {
			t.Errorf("%+v, expected the file of %d bytes", all.Backups, len(got.body))
		}
		b.want(http.StatusOK, b.send("POST", "/api/verbs/backup-restore", name), nil)
		if all := listed(); all.Restore != name.File {
			t.Errorf("%+v, expected that it is to be restored", all)
		}
		b.refused(http.StatusBadRequest, "invalid", b.send("POST", "/api/verbs/backup-delete", name))
		b.want(http.StatusOK, b.send("POST", "/api/verbs/backup-keep", "{}"), nil)
		if all := listed(); all.Restore != "" {
			t.Errorf("%+v, expected that nothing is to be restored", all)
		}
		b.want(http.StatusOK, b.send("POST", "/api/verbs/backup-delete", name), nil)
		b.refused(http.StatusNotFound, "not-found", b.send("GET", path, nil))
		if all := listed(); len(all.Backups) != 0 {
			t.Errorf("%+v, expected none", all.Backups)
		}
		for _, line := range []string{"backup download", "backup restore", "backup keep", "backup delete"} {
			if !strings.Contains(g.trail(), "administrator | "+line+" | "+name.File) {
				t.Errorf("%s is not in the trail\n%s", line, g.trail())
			}
		}
	})
}

func TestAddressesAreKeptOut(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Administrator)
		b.want(http.StatusOK, b.send("POST", "/api/verbs/address-ban",
			`{"address":" 192.0.2.7 ","until":"9999-01-01T00:00:00Z","reason":"bots"}`), nil)
		var all []ops.AddressBan
		b.want(http.StatusOK, b.send("GET", "/api/addresses", nil), &all)
		if len(all) != 1 || all[0].Prefix.String() != "192.0.2.7/32" || all[0].Reason != "bots" || all[0].Until.IsZero() {
			t.Errorf("%+v, expected the address", all)
		}
		b.want(http.StatusOK, b.send("POST", "/api/verbs/address-unban", `{"address":"192.0.2.7/32"}`), nil)
		b.want(http.StatusOK, b.send("GET", "/api/addresses", nil), &all)
		if len(all) != 0 {
			t.Errorf("%+v, expected none", all)
		}
	})
}

func TestTheCatalogueIsSearched(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.GameMaster)
		var found []kindAnswer
		b.want(http.StatusOK, b.send("GET", "/api/catalogue?search=knight's+sword&limit=3", nil), &found)
		if len(found) == 0 || len(found) > 3 || found[0].Name.Russian == "" || found[0].ID == 0 {
			t.Fatalf("%+v, expected a sword", found)
		}
		i := slices.IndexFunc(found, func(k kindAnswer) bool { return len(k.Suffixes) > 0 })
		if i < 0 || !strings.HasPrefix(found[i].Suffixes[0].Name.English, found[i].Name.English) {
			t.Errorf("%+v, expected suffixes by name", found)
		}
	})
}

func TestTextsComeCompressed(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Administrator)
		for path, wanted := range map[string]bool{"/api/map": true, "/api/config": true, "/api/me": false,
			"/api/events": false} {
			r, err := http.NewRequestWithContext(t.Context(), "GET", g.url+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", "gzip")
			resp, err := b.http.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			if got := resp.Header.Get("Content-Encoding") == "gzip"; got != wanted {
				t.Errorf("%s: %v, expected compressed: %v", path, resp.Header, wanted)
			}
			if wanted {
				plain, err := gzip.NewReader(resp.Body)
				if err != nil {
					t.Fatal(err)
				}
				if text, err := io.ReadAll(plain); err != nil || (text[0] != '{' && text[0] != '[') {
					t.Errorf("%s: %.40q, %v", path, text, err)
				}
			}
			resp.Body.Close()
		}
	})
}
