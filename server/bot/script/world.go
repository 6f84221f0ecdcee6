package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

func walkTo(p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		ctx, cancel := context.WithTimeout(p.runner.context, c.TimeTo(*a.at)+p.runner.patience)
		defer cancel()
		if err := c.Walk(ctx, *a.at); err != nil {
			return err
		}
		return c.Confirm(ctx)
	})
}

func turn(p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		at := c.Position
		at.Yaw = float32(*a.number * math.Pi / 180)
		return p.ping(c, at)
	})
}

func isSentAway(p *player, _ *args) error {
	if _, err := p.within(p.runner.patience, func(*bot.Client) bool { return false }); err == nil {
		return &Failure{say("the server to end the connection of %s", "сервер разрывает соединение игрока %s", p.name),
			say("%s is still connected", "%s всё ещё на связи", p.name)}
	} else if p.client == nil {
		return err
	}
	_ = p.leave(true)
	return nil
}

// isAt waits until the client believes that the character is there, and asks the server.
func isAt(p *player, a *args) error {
	off := *cmp.Or(a.number, new(1.0))
	reached := func() error {
		return p.until(say("%s at %s, give or take %v m", "%s стоит в %s с точностью до %v м", p.name, pointText(*a.at), off),
			func(c *bot.Client) bool { return c.Position.Distance(*a.at) <= off }, func(c *bot.Client) Text {
				return say("is at %s, %.2f m from %s", "стоит в %s, в %.2f м от %s", pointText(c.Position),
					c.Position.Distance(*a.at), pointText(*a.at))
			})
	}
	if err := reached(); err != nil {
		return err
	}
	if err := p.confirm(); err != nil && !errors.Is(err, bot.ErrPutBack) {
		return err
	}
	return reached()
}

// confirm asks the server whether the character is where the client has it.
func (p *player) confirm() error {
	return p.do(func(c *bot.Client) error {
		if !c.InWorld() {
			return c.Err()
		}
		ctx, cancel := context.WithTimeout(p.runner.context, p.runner.patience)
		defer cancel()
		return c.Confirm(ctx)
	})
}

func valuesText(all []wanted, gives func(wanted) int) string {
	var out []string
	for _, w := range all {
		out = append(out, fmt.Sprintf("%s %d", w.stat.name, gives(w)))
	}
	return strings.Join(out, ", ")
}

func asWanted(w wanted) int { return w.value }

// hasValues makes a step of a comparison of the own character's values.
func hasValues(how func(values string) Text, fits func(have, want int) bool) action {
	return func(p *player, a *args) error {
		return p.until(how(valuesText(a.values, asWanted)), func(c *bot.Client) bool {
			return !slices.ContainsFunc(a.values, func(w wanted) bool { return !fits(w.stat.own(c), w.value) })
		}, func(c *bot.Client) Text {
			return say("has %s", "имеет %s", valuesText(a.values, func(w wanted) int { return w.stat.own(c) }))
		})
	}
}

// other finds another player that the client holds, nil if it is not shown; dressed, if its equipment has to be
// shown, too.
func other(c *bot.Client, name string, dressed bool) *bot.Object {
	return c.First(func(o *bot.Object) bool {
		return o.Player != nil && o.Player.Name == name && (o.Gear != nil || !dressed)
	})
}

func others(c *bot.Client) Text {
	return say("sees %s", "видит: %s", objects(c, nobody, func(o *bot.Object) Text {
		if o.Player == nil {
			return Text{}
		}
		return say("%s at %s", "%s в %s", o.Player.Name, pointText(o.Position))
	}))
}

// objects lists in words the objects that the client holds; those without words are left out.
func objects(c *bot.Client, none Text, words func(*bot.Object) Text) Text {
	var all []Text
	for _, o := range c.Objects {
		if text := words(o); text != (Text{}) {
			all = append(all, text)
		}
	}
	sorted(all)
	return list(all, none)
}

func sees(p *player, a *args) error {
	off, expected := *cmp.Or(a.number, new(0.1)), sight(a.other())
	for _, w := range a.values {
		if w.stat.other == nil {
			return fmt.Errorf("the %s of others is not shown", w.stat.name)
		}
	}
	if a.at != nil {
		expected = expected.and(say(" at %s, give or take %v m", " в %s с точностью до %v м", pointText(*a.at), off))
	}
	if a.clan != nil {
		expected = expected.and(say(" of the clan %q", " из клана %q", *a.clan))
	}
	if len(a.values) > 0 {
		expected = expected.and(say(" with %s", ", %s", valuesText(a.values, asWanted)))
	}
	return p.until(expected, func(c *bot.Client) bool {
		o := other(c, a.other(), true)
		return o != nil && (a.at == nil || o.Position.Distance(*a.at) <= off) &&
			(a.clan == nil || like(o.Player.Clan, *a.clan)) &&
			!slices.ContainsFunc(a.values, func(w wanted) bool { return w.stat.other(o.Player) != w.value })
	}, func(c *bot.Client) Text {
		o := other(c, a.other(), true)
		if o == nil {
			return others(c)
		}
		found := say("sees %s at %s", "видит: %s в %s", a.other(), pointText(o.Position))
		if a.at != nil {
			found = found.and(say(", %.2f m from %s", ", в %.2f м от %s", o.Position.Distance(*a.at), pointText(*a.at)))
		}
		if a.clan != nil {
			found = found.and(say(" of the clan %q", " из клана %q", o.Player.Clan))
		}
		if len(a.values) > 0 {
			values := valuesText(a.values, func(w wanted) int { return w.stat.other(o.Player) })
			found = found.and(say(" with %s", ", %s", values))
		}
		return found
	})
}

func loses(p *player, a *args) error {
	return p.until(noSight(a.other()), func(c *bot.Client) bool { return other(c, a.other(), false) == nil }, others)
}

func doesNotSee(p *player, a *args) error {
	return p.never(a, noSight(a.other()), func(c *bot.Client) bool { return other(c, a.other(), false) != nil }, others)
}

// of finds the landmark among the objects that the client holds.
func (l *landmark) of(c *bot.Client) *bot.Object {
	const near = 0.01
	return c.First(func(o *bot.Object) bool {
		return o.Class == l.class && o.Spawn != nil && o.Position.Distance(l.at) <= near
	})
}

func (l *landmark) expected() Text {
	return say("to see %s at %s", "видеть %s в %s", l.key, pointText(l.at))
}

func surroundings(c *bot.Client) Text {
	classes := map[packets.Class]int{}
	for _, o := range c.Objects {
		if o.Spawn != nil && o.Spawn.Placement != packets.Contained && o.Parent == packets.NoObject {
			classes[o.Class]++
		}
	}
	var all []Text
	for class, n := range classes {
		all = append(all, say("%d of class %s", "%d класса %s", n, class))
	}
	sorted(all)
	return say("at %s sees %s", "в %s видит: %s", pointText(c.Position), list(all, nothing))
}

// reachLandmark waits until a landmark is shown, and does something about it.
func (p *player) reachLandmark(a *args, do func(*bot.Client, *bot.Object) error) error {
	return p.reach(a.landmark.expected(), a.landmark.of, surroundings, do)
}

func seesLandmark(p *player, a *args) error {
	return p.until(a.landmark.expected(), func(c *bot.Client) bool { return a.landmark.of(c) != nil }, surroundings)
}

func losesLandmark(p *player, a *args) error {
	return p.until(noSight(a.landmark.key), func(c *bot.Client) bool { return a.landmark.of(c) == nil }, surroundings)
}

func usePortal(p *player, a *args) error {
	return p.reachLandmark(a, func(c *bot.Client, o *bot.Object) error { return c.Use(o.ID) })
}

func comeIn(_ *player, a *args) error {
	r := a.runner
	switch {
	case len(r.players) == maxPlayers:
		return fmt.Errorf("expected at most %d players", maxPlayers)
	case slices.ContainsFunc(r.players, func(p *player) bool { return p.name == a.text }):
		return fmt.Errorf("expected another name, found %q a second time", a.text)
	}
	p := &player{runner: r, name: a.text, login: a.login, password: a.password}
	r.players = append(r.players, p)
	a.result = p
	if err := p.enter(); err != nil || a.at == nil {
		return err
	}
	return p.do(func(c *bot.Client) error { return p.hasten(c, *a.at) })
}

func setScene(_ *player, a *args) error {
	a.runner.scene = a.at
	return nil
}

func fromScene(p *player, a *args) error {
	if a.at = a.runner.scene; a.at == nil {
		return errors.New(`no place was named yet that offsets count from: expected set_scene("…") or ` +
			`player(…, at="…") before`)
	}
	return fromPlace(p, a)
}

func fromPlace(_ *player, a *args) error {
	at := *a.at
	at.X += float32(a.offset[0])
	at.Y += float32(a.offset[1])
	at.Z += float32(a.offset[2])
	a.result = placeValue(at)
	return at.Check()
}

// placeValue is a place as scenarios hold it: (x, y, z), to the millimetre.
func placeValue(at coords.Position) starlark.Tuple {
	axis := func(v float32) starlark.Value { return starlark.Float(math.Round(float64(v)*1000) / 1000) }
	return starlark.Tuple{axis(at.X), axis(at.Y), axis(at.Z)}
}

func wait(_ *player, a *args) error {
	select {
	case <-time.After(a.span):
	case <-a.runner.context.Done():
	}
	return nil
}

func bePatient(_ *player, a *args) error {
	a.runner.patience = a.span
	return nil
}

// Movements that a server believes of a player that has just entered, with something to spare: metres at once, metres
// up at once, and metres a second.
const (
	leap     = 25
	leapUp   = 10
	hurry    = 10
	farStart = 90 // metres that a scenario may begin with
)

// hasten brings a character that is near a place there, at once or running.
func (p *player) hasten(c *bot.Client, to coords.Position) error {
	d := c.Position.Distance(to)
	if d > farStart {
		hint := ""
		if inDungeon(c) {
			hint = "; newcomers begin in dungeons of their own where the server is not given --start"
		}
		return fmt.Errorf("%s enters at %s, %.0f m from %s: expected at most %d m%s", p.name, pointText(c.Position), d,
			pointText(to), farStart, hint)
	}
	to.Yaw = c.Position.Yaw
	ctx, cancel := context.WithTimeout(p.runner.context, farStart/hurry*time.Second+p.runner.patience)
	defer cancel()
	if d > leap || to.Y-c.Position.Y > leapUp {
		before := c.Speed()
		_ = c.SetSpeed(hurry) // neither speed is out of bounds
		err := c.Walk(ctx, to)
		_ = c.SetSpeed(before)
		if err != nil {
			return err
		}
	} else if _, err := c.Ping(ctx, to); err != nil {
		return err
	}
	return c.Confirm(ctx)
}

// ping tells the server where the character is, and waits for the answer.
func (p *player) ping(c *bot.Client, at coords.Position) error {
	ctx, cancel := context.WithTimeout(p.runner.context, p.runner.patience)
	defer cancel()
	_, err := c.Ping(ctx, at)
	return err
}

// deleteCharacter logs out, and in again only to delete the character.
func deleteCharacter(p *player, _ *args) error {
	if p.client != nil {
		_ = p.leave(true) // an error shows when it logs in
	}
	return p.logIn(func(ctx context.Context, c *bot.Client, screen bot.Screen) error {
		p.departure = bot.Departure{}
		slot := screen.Find(p.name)
		if slot < 0 {
			return fmt.Errorf("no character is called %s", p.name)
		}
		return c.Delete(ctx, slot)
	})
}
