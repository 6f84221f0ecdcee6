package script

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/coords"
	"sphereserver/server/bot"
)

// Options of a run.
type Options struct {
	Addr   string      // of the server, HOST:PORT
	Client bot.Options // of each player
	// Patience is how long a step waits for what it expects; 5 s if 0. A scenario can say otherwise.
	Patience time.Duration
	// KeepGoing goes on with the next step when one has failed.
	KeepGoing bool
	// Limit is how long a scenario may take in all; an hour if 0.
	Limit time.Duration
	// Tell is told of each step when it is over; Print of what the scenario prints. Both may be nil.
	Tell  func(Outcome)
	Print func(text string)
}

// An Outcome is what has become of a step.
type Outcome struct {
	Line int    // of the scenario, from 1
	Text string // the call, with its arguments as they were
	Err  error  // often a [*Failure]; nil if it is as the step says
	Took time.Duration
}

// A Failure is something that is not as a step expects.
type Failure struct {
	Expected string
	Instead  string // what is so
}

func (f *Failure) Error() string {
	return fmt.Sprintf("expected %s; instead %s", f.Expected, f.Instead)
}

// A Result is what has become of a scenario.
type Result struct {
	OK, Failed int // steps
	// Violations are what the original client would have stumbled over, each with the name of its player.
	Violations []string
}

// Clean says whether all is as the scenario says, and the server made no mistake.
func (r *Result) Clean() bool { return r.Failed == 0 && len(r.Violations) == 0 }

// A Runner plays a scenario.
type Runner struct {
	options  Options
	reading  bool // the scenario is only read: nothing is played
	context  context.Context
	patience time.Duration
	scene    *coords.Position // what offsets count from, nil before the first place was named
	players  []*player
	result   Result
}

// errFailed ends a scenario whose step has failed.
var errFailed = errors.New("a step has failed")

// Run plays a scenario. It returns when all players have left. The error is an [*Error] for a mistake in the scenario that only
// playing shows; a step that fails is none.
func Run(ctx context.Context, script *Script, o Options) (*Result, error) {
	if o.Patience <= 0 {
		o.Patience = 5 * time.Second
	}
	if o.Client.PingEvery <= 0 {
		o.Client.PingEvery = 500 * time.Millisecond
	}
	if o.Limit <= 0 {
		o.Limit = defaultTime
	}
	limited, cancel := context.WithTimeoutCause(ctx, o.Limit, fmt.Errorf("the scenario takes longer than %v", o.Limit))
	defer cancel()
	r := &Runner{options: o, context: limited, patience: o.Patience}
	thread := &starlark.Thread{Name: script.Name, Print: func(_ *starlark.Thread, text string) {
		if o.Print != nil {
			o.Print(text)
		}
	}}
	thread.SetMaxExecutionSteps(maxSteps)
	thread.OnMaxSteps = func(t *starlark.Thread) {
		t.Cancel(fmt.Sprintf("the scenario takes more than %d steps: does a loop never end?", maxSteps))
	}
	stop := context.AfterFunc(limited, func() { thread.Cancel(context.Cause(limited).Error()) })
	defer stop()
	known := starlark.StringDict{}
	for name, v := range globals() {
		known[name] = r.builtin(v, nil)
	}
	_, err := script.program.Init(thread, known)
	for _, p := range r.players {
		if p.client != nil {
			_ = p.leave(true)
		}
		for _, v := range p.violations {
			r.result.Violations = append(r.result.Violations, p.name+": "+v.String())
		}
	}
	if err == nil || errors.Is(err, errFailed) {
		return &r.result, nil
	}
	return &r.result, mistake(script.Name, err)
}

// builtin makes a verb callable; p is the player that it is a method of, nil for none.
func (r *Runner) builtin(v *verb, p *player) *starlark.Builtin {
	return starlark.NewBuiltin(v.name, func(t *starlark.Thread, _ *starlark.Builtin, positional starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		if err := r.context.Err(); err != nil {
			return nil, context.Cause(r.context)
		}
		begin := time.Now()
		a, err := r.bind(v, positional, named)
		if err == nil {
			err = v.do(r.context, p, a)
		}
		if a == nil || a.result == nil {
			a = &args{result: starlark.None}
		}
		if v.quiet() {
			return a.result, err
		}
		line, _ := lines(t.Name, t.CallStack())
		return a.result, r.over(Outcome{line, callText(v, p, positional, named), err, time.Since(begin)})
	})
}

// over counts and tells what has become of a step. The error ends the scenario.
func (r *Runner) over(o Outcome) error {
	stopped := r.context.Err() != nil
	if stopped {
		o.Err = context.Cause(r.context)
	}
	if r.options.Tell != nil {
		r.options.Tell(o)
	}
	if o.Err == nil {
		r.result.OK++
		return nil
	}
	r.result.Failed++
	if stopped || !r.options.KeepGoing {
		return errFailed
	}
	return nil
}

// callText shows a call.
func callText(v *verb, p *player, positional starlark.Tuple, named []starlark.Tuple) string {
	var given []string
	for _, value := range positional {
		given = append(given, value.String())
	}
	for _, pair := range named {
		given = append(given, string(pair[0].(starlark.String))+"="+pair[1].String())
	}
	text := v.name + "(" + strings.Join(given, ", ") + ")"
	if p != nil {
		text = p.name + "." + text
	}
	return text
}

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
	a.result = place(at)
	return at.Check()
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

// A place is one of the world, as scenarios hold it.
type place coords.Position

// String shows the place as scenarios write it.
func (p place) String() string {
	return "(" + strings.ReplaceAll(pointText(coords.Position(p)), " ", ", ") + ")"
}
func (p place) Type() string          { return "place" }
func (p place) Freeze()               {}
func (p place) Truth() starlark.Bool  { return true }
func (p place) Hash() (uint32, error) { return starlark.String(p.String()).Hash() }
func (p place) AttrNames() []string   { return []string{"x", "y", "z"} }

// Attr returns a coordinate.
func (p place) Attr(name string) (starlark.Value, error) {
	switch name {
	case "x":
		return starlark.Float(p.X), nil
	case "y":
		return starlark.Float(p.Y), nil
	case "z":
		return starlark.Float(p.Z), nil
	}
	return nil, nil
}

// pointText shows a place to people.
func pointText(p coords.Position) string { return fmt.Sprintf("%.2f %.2f %.2f", p.X, p.Y, p.Z) }
