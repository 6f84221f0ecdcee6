package script

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.starlark.net/starlark"
)

// Run plays a scenario. It returns when all players have left. The error is an [*Error] for a mistake in the scenario
// that only playing shows; a step that fails is none.
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
