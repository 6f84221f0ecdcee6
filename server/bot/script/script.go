// Package script plays scenarios: acts of players of the game, and their expected sights of each other. Scenarios are
// written in Starlark, a small and safe kin of Python; docs/scripts.md lists the verbs that they have besides.
//
// A scenario cannot read files or reach the network, except the server that it is played with. Its steps and its
// time are bounded, and nothing in it is random.
package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Script is a scenario that has been read.
type Script struct {
	Name    string
	program *starlark.Program
}

// An Error is a mistake in a scenario.
type Error struct {
	Name string // of the scenario
	Line int
	Text string // the expected and the found
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Text) }

// Errors are the mistakes of a scenario that show before it is played, by their lines.
type Errors []*Error

func (e Errors) Error() string {
	var out []string
	for _, one := range e {
		out = append(out, one.Error())
	}
	return strings.Join(out, "\n")
}

// Unwrap returns each mistake.
func (e Errors) Unwrap() []error {
	var out []error
	for _, one := range e {
		out = append(out, one)
	}
	return out
}

// mostErrors are named of one scenario.
const mostErrors = 20

var dialect = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}

// Parse reads a scenario, and looks for mistakes that show before it is played. The error is [Errors] or an [*Error].
func Parse(name, text string) (*Script, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	switch {
	case len(text) > MaxBytes:
		return nil, &Error{name, 1, fmt.Sprintf("expected at most %d bytes, found %d", MaxBytes, len(text))}
	case !utf8.ValidString(text):
		good, _, _ := strings.Cut(strings.ToValidUTF8(text, "\xFF"), "\xFF")
		return nil, &Error{name, 1 + strings.Count(good, "\n"), "expected UTF-8, found bytes that are not"}
	}
	file, err := dialect.Parse(name, text, 0)
	if err != nil {
		return nil, mistake(name, err)
	}
	if len(file.Stmts) == 0 {
		return nil, &Error{name, max(strings.Count(text, "\n"), 1), "expected a call, found none"}
	}
	wrong := check(name, file)
	program, err := starlark.FileProgram(file, func(global string) bool { return globals()[global] != nil })
	var resolving resolve.ErrorList
	switch {
	case errors.As(err, &resolving):
		for _, one := range resolving {
			wrong = append(wrong, mistake(name, resolve.ErrorList{one}))
		}
	case err != nil:
		wrong = append(wrong, mistake(name, err))
	}
	if len(wrong) > 0 {
		slices.SortStableFunc(wrong, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
		return nil, wrong[:min(len(wrong), mostErrors)]
	}
	return &Script{name, program}, nil
}

func mistake(name string, err error) *Error {
	var parsing syntax.Error
	var resolving resolve.ErrorList
	var running *starlark.EvalError
	switch {
	case errors.As(err, &parsing):
		return &Error{name, int(parsing.Pos.Line), parsing.Msg}
	case errors.As(err, &resolving) && len(resolving) > 0:
		text := resolving[0].Msg
		if word, undefined := strings.CutPrefix(text, "undefined: "); undefined && !strings.Contains(word, " ") {
			text = "undefined: " + cut(word) + didYouMean(word, sortedNames(globals()))
		}
		return &Error{name, int(resolving[0].Pos.Line), text}
	case errors.As(err, &running):
		line, callers := lines(name, running.CallStack)
		return &Error{name, line, running.Msg + callers}
	}
	return &Error{name, 1, err.Error()}
}

// lines says in which line of the scenario a call is, and from which lines that was called.
func lines(name string, stack starlark.CallStack) (line int, callers string) {
	for _, frame := range slices.Backward(stack) {
		switch at := frame.Pos; {
		case at.Filename() != name:
		case line == 0:
			line = int(at.Line)
		default:
			callers += fmt.Sprintf(", called from line %d", at.Line)
		}
	}
	return max(line, 1), callers
}

// check finds unknown verbs, and calls with arguments that can never be right.
func check(name string, file *syntax.File) (all Errors) {
	known := map[string]bool{"name": true}
	for _, v := range []starlark.HasAttrs{starlark.String(""), new(starlark.List), new(starlark.Dict), new(starlark.Set),
		starlark.Bytes("")} {
		for _, attr := range v.AttrNames() {
			known[attr] = true
		}
	}
	wrong := func(at syntax.Position, format string, args ...any) {
		all = append(all, &Error{name, int(at.Line), fmt.Sprintf(format, args...)})
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.LoadStmt:
			wrong(n.Load, "load: a scenario is one file")
		case *syntax.DotExpr:
			if verb := n.Name.Name; methods()[verb] == nil && !known[verb] {
				wrong(n.Name.NamePos, "expected a verb, found %s%s", cut(verb), didYouMean(verb, sortedNames(methods())))
			}
		case *syntax.CallExpr:
			if v := called(n); v != nil && !known[v.name] {
				if bad := v.checkCall(n); bad != nil {
					wrong(n.Lparen, "%v", bad)
				}
			}
		}
		return len(all) < mostErrors
	})
	return all
}

// called is the verb that a call names; nil if it is something else.
func called(n *syntax.CallExpr) *verb {
	switch fn := n.Fn.(type) {
	case *syntax.DotExpr:
		return methods()[fn.Name.Name]
	case *syntax.Ident:
		return globals()[fn.Name]
	}
	return nil
}

// checkCall binds the arguments of a call that are written out.
func (v *verb) checkCall(n *syntax.CallExpr) error {
	var positional starlark.Tuple
	var named []starlark.Tuple
	for _, arg := range n.Args {
		switch e := arg.(type) {
		case *syntax.UnaryExpr:
			if e.Op == syntax.STAR || e.Op == syntax.STARSTAR {
				return nil // how many they are, only playing tells
			}
		case *syntax.BinaryExpr:
			if e.Op == syntax.EQ {
				named = append(named, starlark.Tuple{starlark.String(e.X.(*syntax.Ident).Name), literal(e.Y)})
				continue
			}
		}
		positional = append(positional, literal(arg))
	}
	_, err := (&Runner{reading: true}).bind(v, positional, named)
	return err
}

// literal is the value of an expression that is one; [starlark.None], which fits everywhere, for others.
func literal(e syntax.Expr) starlark.Value {
	if l, ok := e.(*syntax.Literal); ok {
		switch v := l.Value.(type) {
		case string:
			return starlark.String(v)
		case int64:
			return starlark.MakeInt64(v)
		case float64:
			return starlark.Float(v)
		}
	}
	return starlark.None
}

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

// over counts and tells the outcome of a step. The error ends the scenario.
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
