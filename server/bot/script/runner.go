package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.starlark.net/starlark"
)

// Run plays a scenario. It returns when all players have left. The error is an [*Error] for a mistake in the scenario
// that only playing shows; a step that fails is none.
func Run(ctx context.Context, script *Script, o Options) (*Result, error) {
	o.Patience = cmp.Or(max(o.Patience, 0), 5*time.Second)
	o.Client.PingEvery = cmp.Or(max(o.Client.PingEvery, 0), 500*time.Millisecond)
	o.Limit = cmp.Or(max(o.Limit, 0), defaultTime)
	limited, cancel := context.WithTimeoutCause(ctx, o.Limit, fmt.Errorf("the scenario takes longer than %v", o.Limit))
	defer cancel()
	r := &Runner{options: o, context: limited, patience: o.Patience, methods: methods()}
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
	return starlark.NewBuiltin(v.name, func(t *starlark.Thread, _ *starlark.Builtin, positional starlark.Tuple,
		named []starlark.Tuple) (starlark.Value, error) {
		if r.context.Err() != nil {
			return nil, context.Cause(r.context)
		}
		result := starlark.Value(starlark.None)
		a, err := r.bind(v, positional, named)
		if err == nil {
			err = v.do(p, a)
		}
		if a != nil && a.result != nil {
			result = a.result
		}
		if v.quiet {
			return result, err
		}
		line, _ := lines(t.Name, t.CallStack())
		return result, r.over(Outcome{line, callText(v, p, positional, named), err})
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
