package script

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/coords"
	"sphereserver/server/bot"
)

// comeIn brings a new player into the world.
func comeIn(ctx context.Context, _ *player, a *args) error {
	r := a.runner
	if len(r.players) == maxPlayers {
		return fmt.Errorf("expected at most %d players", maxPlayers)
	}
	for _, p := range r.players {
		if p.name == a.text {
			return fmt.Errorf("expected another name, found %q a second time", a.text)
		}
	}
	p := &player{runner: r, name: a.text, identity: bot.Identity{Login: a.login, Password: a.password}}
	r.players = append(r.players, p)
	a.result = p
	if err := p.enter(ctx); err != nil || a.at == nil {
		return err
	}
	return p.do(func(c *bot.Client) error { return jump(ctx, p, c, *a.at) })
}

func setScene(_ context.Context, _ *player, a *args) error {
	a.runner.scene = a.at
	return nil
}

func fromScene(ctx context.Context, p *player, a *args) error {
	if a.at = a.runner.scene; a.at == nil {
		return errors.New(`no place was named yet that offsets count from: expected set_scene("…") or player(…, at="…") before`)
	}
	return fromPlace(ctx, p, a)
}

func fromPlace(_ context.Context, _ *player, a *args) error {
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

func wait(ctx context.Context, _ *player, a *args) error {
	t := time.NewTimer(a.span)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	return nil
}

func bePatient(_ context.Context, _ *player, a *args) error {
	a.runner.patience = a.span
	return nil
}

// leap is how far, in metres, a client may move at once before the server does not believe it.
const leap = 90

// jump puts a character that is near a place there at once.
func jump(ctx context.Context, p *player, c *bot.Client, to coords.Position) error {
	if d := c.Position.Distance(to); d > leap {
		return fmt.Errorf("%s enters at %s, %.0f m from %s: expected at most %d m, for nobody goes farther at once", p.name,
			pointText(c.Position), d,
			pointText(to), leap)
	}
	to.Yaw = c.Position.Yaw
	return ping(ctx, p, c, to)
}

// ping tells the server where the character is, and waits for the answer.
func ping(ctx context.Context, p *player, c *bot.Client, at coords.Position) error {
	ctx, cancel := context.WithTimeout(ctx, p.runner.patience)
	defer cancel()
	_, err := c.Ping(ctx, at)
	return err
}

func leave(_ context.Context, p *player, _ *args) error { return p.leave(true) }

func cutOff(_ context.Context, p *player, _ *args) error { return p.leave(false) }

func comeBack(ctx context.Context, p *player, _ *args) error { return p.enter(ctx) }

// deleteCharacter logs out, and in again only to delete the character.
func deleteCharacter(ctx context.Context, p *player, _ *args) error {
	if p.client != nil {
		_ = p.leave(true) // an error shows when it logs in
	}
	ctx, cancel := context.WithTimeout(ctx, max(p.runner.patience, entryPatience))
	defer cancel()
	c, screen, err := p.logIn(ctx)
	if c == nil {
		return err
	}
	p.departure = bot.Departure{}
	if slot := screen.Find(p.name); err == nil && slot < 0 {
		err = fmt.Errorf("no character is called %s", p.name)
	} else if err == nil {
		err = c.Delete(ctx, slot)
	}
	_ = p.close(c)
	return err
}
