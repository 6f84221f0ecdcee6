package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/admin"
	"sphereserver/server/bot"
	"sphereserver/server/ops"
)

// A road is a way to ask for a verb. It returns a refusal in Russian, "" for success.
type road func(command string, v ops.Any, request string) string

// byChat gives commands with a client of the game, in the world.
func (g *stage) byChat(role data.Role, name string) (say road, leave func()) {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), 3*time.Minute)
	c, err := bot.Dial(ctx, g.game.Addr().String(), bot.Options{AllowExternalChanges: true, Dial: g.dialer()})
	if err != nil {
		g.t.Fatal(err)
	}
	_, loginErr := c.Login(ctx, role.String(), password)
	_, makeErr := c.Create(ctx, 0, bot.NewCharacter{Name: name})
	greeted := func() bool { return len(c.Lines) > 0 }
	if err := errors.Join(loginErr, makeErr, c.Enter(ctx), c.Until(ctx, greeted)); err != nil {
		g.t.Fatal(err)
	}
	say = func(command string, _ ops.Any, _ string) string {
		const pace = 260 * time.Millisecond // more than four lines a second are not heard
		heard := 0
		if n := len(c.Lines); n > 0 {
			heard = c.Lines[n-1].Number
		}
		answer := func() string {
			var parts []string
			for _, l := range c.Lines {
				if l.Number > heard && l.Sender == "" {
					parts = append(parts, l.Message)
				}
			}
			return strings.Join(parts, " ")
		}
		if err := errors.Join(c.Speak(0, command), c.Until(ctx, func() bool { return answer() != "" }),
			c.Idle(ctx, pace)); err != nil {
			g.t.Fatalf("%s: %v", command, err)
		}
		return answer()
	}
	return say, func() {
		c.Close()
		cancel()
	}
}

// byHTTP asks for verbs as the page does, and as the command line does.
func (b *browser) byHTTP(_ string, v ops.Any, request string) string {
	b.g.t.Helper()
	a := b.send("POST", admin.VerbPath(v.Name()), request, func(r *http.Request) { r.Header.Set("Accept-Language", "ru") })
	if a.status == http.StatusOK {
		return ""
	}
	var e errorAnswer
	if err := json.Unmarshal(a.body, &e); err != nil || e.Error == "" {
		b.g.t.Fatalf("%s %s: status %d, %s", v.Name(), request, a.status, a.body)
	}
	for _, field := range e.Fields {
		return field
	}
	return e.Error
}

// byCommand is a client with the token of the control file.
func (g *stage) byCommand() *browser {
	g.t.Helper()
	where := controlOf(g.t, g.store.Dir())
	here := *g
	here.url = "http://" + where.Host()
	b := here.stranger()
	if g.net == nil {
		b.http.Transport = &http.Transport{DialContext: where.Dialer(g.store.Dir())}
	}
	b.token = where.Token
	return b
}

// since are the entries of the audit trail after one, oldest first, and the number of the last.
func (g *stage) since(id int64) (entries []string, last int64) {
	g.t.Helper()
	all, err := g.store.AuditTrail(g.t.Context(), data.AuditFilter{}, 20)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, e := range slices.Backward(all) {
		if e.ID > id {
			entries = append(entries, fmt.Sprintf("%s|%s|%s", e.Action, e.Target, e.Detail))
		}
		last = e.ID
	}
	return entries, last
}

// mute mutes the account of a player, or ends its mute, if there is one.
func (g *stage) mute(name string, mute bool) {
	g.t.Helper()
	c, err := g.store.CharacterByName(g.t.Context(), name)
	if err != nil {
		return
	}
	_ = g.store.Unmute(g.t.Context(), c.Account)
	if mute {
		if err := g.store.Mute(g.t.Context(), c.Account, data.Mute{}); err != nil {
			g.t.Fatal(err)
		}
	}
}

// TestAllRoadsAreOne: for every asker, verb and target the chat, the page and the command line do and note the same,
// or refuse it in the same words.
func TestAllRoadsAreOne(t *testing.T) {
	simulated(t, func(t *testing.T) {
		if testing.Short() {
			t.Skip("one thing after the other: there is nothing to race")
		}
		g := newSimulated(t, nil)
		g.game.Operators().DenialEvery = 1 // all attempts are written down
		targets := map[string]data.Role{"Anna": data.Player, "Clara": data.GameMaster}
		g.players("Anna", "Clara")
		for name, role := range targets {
			a, err := g.store.AccountByLogin(t.Context(), "player-"+strings.ToLower(name))
			if err == nil {
				err = g.store.SetRole(t.Context(), a.ID, role)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		long, item := strings.Repeat("x", 501), g.game.Kinds().Kinds()[0].ID
		verbs := []struct {
			verb             ops.Any
			command, request string // with the name of a target
			mute             bool   // of the target, before
		}{
			{ops.KickAccount, "/kick %s " + long, `{"character":"%s","reason":"` + long + `"}`, false},
			{ops.MuteAccount, "/mute %s forever шум", `{"character":"%s","reason":"шум"}`, false},
			{ops.UnmuteAccount, "/unmute %s", `{"character":"%s"}`, true},
			{ops.UnmuteAccount, "/unmute %s", `{"character":"%s"}`, false},
			{ops.UnbanAccount, "/unban %s", `{"character":"%s"}`, false},
			{ops.GiveItem, fmt.Sprintf("/give %%s %d 0", item), fmt.Sprintf(`{"name":"%%s","item":"%d","count":0}`, item), false},
			{ops.GiveItem, "/give %s qwertyuiop", `{"name":"%s","item":"qwertyuiop"}`, false},
			{ops.GiveItem, fmt.Sprintf("/give %%s %d", item), fmt.Sprintf(`{"name":"%%s","item":"%d"}`, item), false},
			{ops.SetMoney, "/money %s 500", `{"name":"%s","amount":500}`, false},
			{ops.SetMoney, "/money %s -501", `{"name":"%s","amount":-501,"relative":true}`, false},
			{ops.SetLevels, "/level %s 3 4", `{"name":"%s","title":3,"degree":4}`, false},
			{ops.SetPoints, "/points %s 3 4", `{"name":"%s","title":3,"degree":4}`, false},
			{ops.ClearItems, "/clear %s", `{"name":"%s"}`, false},
			{ops.BanAccount, "/ban %s forever " + long, `{"character":"%s","reason":"` + long + `"}`, false},
		}
		command := g.byCommand()
		for role := data.Helper; role <= data.Administrator; role++ {
			own := []string{"", "Eva", "Frida", "Gerda"}[role]
			chat, leave := g.byChat(role, own)
			page := g.as(role)
			roads := []road{chat, page.byHTTP}
			if role == data.Administrator {
				roads = append(roads, command.byHTTP)
			}
			for _, target := range []string{"Anna", "Clara", own, "Nobody"} {
				for _, v := range verbs {
					if role < v.verb.Least() && target != "Anna" {
						continue // it is refused for any target
					}
					var refusals, trails []string
					for i, ask := range roads {
						if i == 2 && target == own {
							continue // the owner of the machine has no account
						}
						g.mute(target, v.mute)
						g.unhurried()
						_, last := g.since(0)
						refused := ask(fmt.Sprintf(v.command, target), v.verb, fmt.Sprintf(v.request, target))
						wrote, _ := g.since(last)
						refused = strings.Replace(refused, "Причина: н", "Н", 1) // the page shows it beside its field
						if len(wrote) == 1 && strings.HasPrefix(wrote[0], v.verb.Name()+"|") {
							refused = "" // the chat tells of success, too
						}
						refusals, trails = append(refusals, refused), append(trails, strings.Join(wrote, "; "))
					}
					for i := 1; i < len(refusals); i++ {
						if refusals[i] != refusals[0] || trails[i] != trails[0] {
							t.Errorf("%v, %s: the roads differ:\n%q, %q\n%q, %q", role, fmt.Sprintf("%.30s", fmt.Sprintf(v.command, target)),
								refusals[0], trails[0], refusals[i], trails[i])
						}
					}
				}
			}
			leave()
		}
	})
}
