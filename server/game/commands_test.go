package game

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world"
)

// A crew is a player, a helper, a game master and an administrator, beside each other in Shipstone.
type crew struct {
	*clanScene
	player, helper, master, administrator *conn
}

func newCrew(t *testing.T) *crew {
	g := newClanScene(t, 4)
	for i, c := range g.all {
		c.s().Record().Role = data.Role(i)
		if err := g.store.SetRole(t.Context(), c.s().Account(), data.Role(i)); err != nil {
			t.Fatal(err)
		}
	}
	return &crew{g, g.all[0], g.all[1], g.all[2], g.all[3]}
}

// commands gives a command, and returns the lines that come back.
func (g *crew) commands(c *conn, format string, args ...any) []string {
	g.t.Helper()
	g.settle()
	c.p().Command(fmt.Sprintf(format, args...))
	c.g.run()
	return g.settle()[slices.Index(g.all, c)]
}

func (g *crew) wantLine(c *conn, want, format string, args ...any) {
	g.t.Helper()
	command := fmt.Sprintf(format, args...)
	if have := strings.Join(g.commands(c, "%s", command), "\n"); !strings.Contains(have, want) {
		g.t.Errorf("%s: %s was answered %q, want %q", c.s().Login(), command, have, want)
	}
}

func TestIgnoreCommands(t *testing.T) {
	t.Parallel()
	g := newCrew(t)
	p, other := g.player, g.helper
	g.wantLine(p, "Вы слышите всех.", "/игнор")
	g.wantLine(p, "#857", "/игнор Никто")
	g.wantLine(p, "Это вы сами.", "/игнор %s", p.name())
	g.wantLine(p, "Игрока "+other.name()+" вы больше не слышите", "/ignore %s", strings.ToLower(other.name()))
	g.wantLine(p, "Вы не слышите: "+other.name()+".", "/игнор")
	g.wantLine(other, "Этот игрок не хочет вас слышать.", "/лично %s привет", p.name())
	g.wantLine(other, "Этот игрок не хочет иметь с вами дела.", "/торг %s", p.name())
	g.wantLine(p, "Игрока "+g.master.name()+" вы и так слышите.", "/разигнор %s", g.master.name())
	g.wantLine(p, "Вы снова слышите игрока "+other.name()+".", "/разигнор %s", other.name())
	g.wantLine(other, "Лично для "+p.name()+": привет", "/лично %s привет", p.name())
	g.wantLine(p, "Вы снова слышите всех.", "/unignore all")
}

func TestMuteAndKick(t *testing.T) {
	t.Parallel()
	g := newCrew(t)
	p := g.player.name()
	g.settle()
	g.helper.p().Command("/заглушить " + p + " 30м шум")
	have := g.settle()
	if !strings.Contains(strings.Join(have[0], ""), "Вам запрещено говорить до") ||
		!strings.Contains(strings.Join(have[0], ""), "шум") {
		t.Errorf("who is mute was told %q", have[0])
	}
	a, err := g.store.AccountByID(t.Context(), g.player.s().Account())
	m := a.Mute
	if err != nil || m == nil || m.By != g.helper.s().Login() || m.Reason != "шум" ||
		m.Until.Sub(m.At).Round(time.Minute) != 30*time.Minute {
		t.Errorf("stored %+v (%v)", m, err)
	}
	if m := g.player.s().Record().Mute; m == nil || time.Until(m.Until) < 29*time.Minute {
		t.Errorf("the session is mute as %+v", m)
	}

	// It lasts over a new login.
	login := g.player.s().Login()
	g.player.hangUp()
	g.until("saved", func() bool { return g.server.Presence(g.player.s().Account()) == nil })
	again := g.connect().in(session.Handshaken)
	again.login(login, "secret")
	g.until("the screen", func() bool { return again.s().State() == session.CharacterScreen })
	if m := again.s().Record().Mute; m == nil || time.Until(m.Until) < 29*time.Minute {
		t.Errorf("after a new login mute as %+v", m)
	}
	again.choose(0, &packets.EnterWorld{})
	g.until("loading", func() bool { return again.s().State() == session.Entering })
	again.say(again.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the world", func() bool { return again.s().State() == session.InWorld })
	g.all[0], g.player = again, again

	g.wantLine(g.helper, p+" снова может говорить.", "/unmute %s", p)
	if again.s().Record().Mute != nil {
		t.Error("still mute")
	}
	g.wantLine(g.helper, "навсегда", "/mute %s навсегда", p)
	if m := again.s().Record().Mute; m == nil || !m.Until.IsZero() {
		t.Errorf("for ever is %+v", m)
	}

	g.settle()
	g.helper.p().Command("/выгнать " + p + " хватит")
	g.until("kicked", func() bool { return again.closed })
	have = g.settle()
	if again.s().Reason() != session.KickedByOperator ||
		!slices.Contains(have[0], "Ваш сеанс прерван. хватит") ||
		!slices.Contains(have[1], "Сеанс игрока "+p+" прерван.") {
		t.Errorf("%v; told %q", again.s().Reason(), have)
	}
	g.wantLine(g.helper, "Игрока "+p+" сейчас нет в мире.", "/kick %s", p)
}

func TestBanAndUnban(t *testing.T) {
	t.Parallel()
	g := newCrew(t)
	p, account, login := g.player.name(), g.player.s().Account(), g.player.s().Login()
	g.master.p().Command("/бан " + p + " 7д обман")
	g.until("banned", func() bool { return g.player.closed })
	have := g.settle()
	if !strings.Contains(strings.Join(have[2], ""), "Вход для "+p+" закрыт до ") {
		t.Errorf("told %q", have[2])
	}
	if told := strings.Join(have[0], ""); !strings.HasPrefix(told, "Вход для вашей учётной записи закрыт до ") ||
		!strings.HasSuffix(told, ". обман") {
		t.Errorf("who is banned was told %q", have[0])
	}
	a, err := g.store.AccountByID(t.Context(), account)
	const week = 7 * 24 * time.Hour // from when it was written, a moment before it was done
	if err != nil || a.Ban == nil || a.Ban.Reason != "обман" || a.Ban.By != g.master.s().Login() ||
		a.Ban.Until.Sub(a.Ban.At).Round(time.Hour) != week || a.Ban.Until.Sub(a.Ban.At) > week {
		t.Errorf("stored %+v (%v)", a.Ban, err)
	}
	again := g.connect().in(session.Handshaken)
	again.login(login, "secret")
	g.until("refused", func() bool { return again.closed })
	if len(commandsOf[*packets.CannotConnect](again.frames())) != 1 || again.s().Reason() != session.LoginRefused {
		t.Errorf("a banned account's login ends by %v", again.s().Reason())
	}
	g.wantLine(g.master, p+" снова может входить.", "/unban %s", p)
	third := g.connect().in(session.Handshaken)
	third.login(login, "secret")
	g.until("the screen", func() bool { return third.s().State() == session.CharacterScreen })
}

// A role that is given or taken away counts at once, for commands and for lines of game masters to all.
func TestRolesCountAtOnce(t *testing.T) {
	t.Parallel()
	g := newCrew(t)
	set := func(c *conn, r data.Role) {
		t.Helper()
		if _, err := ops.SetRole.Do(t.Context(), g.server.Operators(), ops.Owner(""), ops.RoleChange{
			AccountName: ops.AccountName{ID: c.s().Account()}, Role: &r}); err != nil {
			t.Fatal(err)
		}
		g.settle()
	}
	p := g.player.name()
	set(g.master, data.Player)
	g.wantLine(g.master, "#859", "/дать %s 1", p)
	g.master.write(world.Special, "слышно?")
	if have := g.settle(); !slices.Contains(have[2], "#973") {
		t.Errorf("who is no game master any more was told %q", have[2])
	}
	set(g.master, data.GameMaster)
	g.wantLine(g.master, p+" получает", "/дать %s 1", p)

	late := g.connect().in(session.Entering)
	set(late, data.GameMaster)
	late.say(late.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the world", func() bool { return late.s().State() == session.InWorld })
	g.pass(2 * time.Second) // until it is in the snapshot
	if v, ok := g.server.viewOf(late.pid()); !ok || v.Role != world.Role(data.GameMaster) {
		t.Errorf("who was made a game master while its client was loading enters with role %v", v.Role)
	}
}

// A player that has just entered can be addressed before the world's next snapshot.
func TestWhoHasJustEnteredIsThere(t *testing.T) {
	t.Parallel()
	g := newCrew(t)
	late := g.connect().in(session.Entering)
	late.say(late.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	for late.s().State() != session.InWorld {
		g.pass(session.WheelPeriod)
	}
	account, character := late.s().Account(), late.s().Character()
	online, in := g.server.Online(account)
	v, there := g.server.Present(account, character.ID)
	if !online || in != character.ID || !there || v.Name != character.Name || v.ID != late.pid() {
		t.Errorf("online %v as %d; in the world %v: %+v", online, in, there, v)
	}
	late.hangUp()
	if _, there := g.server.Present(account, character.ID); there {
		t.Error("who has gone is there")
	}
}
