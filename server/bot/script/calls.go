package script

import (
	"context"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// lines says in which line of the scenario a call is, and from which lines that was called.
func lines(name string, stack starlark.CallStack) (line int, callers string) {
	for i := len(stack) - 1; i >= 0; i-- {
		switch at := stack[i].Pos; {
		case at.Filename() != name:
		case line == 0:
			line = int(at.Line)
		default:
			callers += fmt.Sprintf(", called from line %d", at.Line)
		}
	}
	return max(line, 1), callers
}

// builtin makes a verb callable; p is the player that it is a method of, nil for none.
func (r *Runner) builtin(v *verb, p *player) *starlark.Builtin {
	return starlark.NewBuiltin(v.name, func(t *starlark.Thread, _ *starlark.Builtin, positional starlark.Tuple,
		named []starlark.Tuple) (starlark.Value, error) {
		if err := r.context.Err(); err != nil {
			return nil, context.Cause(r.context)
		}
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
		return a.result, r.over(Outcome{line, callText(v, p, positional, named), err})
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
