package script

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/coords"
	"sphereserver/server/bot"
)

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
	return p.do(func(c *bot.Client) error { return p.jump(c, *a.at) })
}

func setScene(_ *player, a *args) error {
	a.runner.scene = a.at
	return nil
}

func fromScene(p *player, a *args) error {
	if a.at = a.runner.scene; a.at == nil {
		return errors.New(`no place was named yet that offsets count from: expected set_scene("…") or player(…, at="…") before`)
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

// leap is how far, in metres, a client may move at once before the server does not believe it.
const leap = 90

// jump puts a character that is near a place there at once.
func (p *player) jump(c *bot.Client, to coords.Position) error {
	if d := c.Position.Distance(to); d > leap {
		return fmt.Errorf("%s enters at %s, %.0f m from %s: expected at most %d m, for nobody goes farther at once", p.name,
			pointText(c.Position), d, pointText(to), leap)
	}
	to.Yaw = c.Position.Yaw
	return p.ping(c, to)
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
