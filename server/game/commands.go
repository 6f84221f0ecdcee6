package game

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A CommandStore is what commands of the chat need of package data.
type CommandStore interface {
	ops.Store
	SetLanguage(ctx context.Context, id data.AccountID, language string) error
}

// standing is what a session keeps for commands and clans.
type standing struct {
	asking  bool // a command or a request about a clan is being worked on
	clan    clanStanding
	unstuck unstuck
}

// muteEnd is when a mute ends: one for ever in a hundred years.
func muteEnd(m data.Mute) time.Time {
	if m.Until.IsZero() {
		return m.At.AddDate(100, 0, 0)
	}
	return m.Until
}

// An order is a command that players give in the chat: "/who", or "!who".
type order struct {
	russian, english string  // its names, without the slash
	verb             ops.Any // of operators that it does, which says who may give it; nil for commands of players
	args             text    // what follows the name, as help shows it
	help             text    // one sentence
	words            int     // least number of words after the name
	private          bool    // what is said stays out of the audit trail
	do               func(*asking) (string, error)
}

// least is the role that the command takes at least.
func (o *order) least() data.Role {
	if o.verb == nil {
		return data.Player
	}
	return o.verb.Least()
}

// asking is one command that somebody has given. It is worked on away from the session's loop.
type asking struct {
	context.Context
	server  *Server
	session *player // for [Session.later] only

	account   data.AccountID
	login     string
	role      data.Role
	language  Language
	player    world.PlayerID
	character data.CharacterID
	name      string
	at        coords.Position

	words []string // after the name of the command
}

// A mistake is what the player did wrong, or what cannot be done, told in the player's language.
type mistake struct {
	text text
	args []any
}

func (m *mistake) Error() string { return m.in(English) }

func (m *mistake) in(l Language) string { return spell(m.text, l, m.args) }

// spell writes a text in a language, with texts among its arguments in the same.
func spell(t text, l Language, args []any) string {
	args = slices.Clone(args)
	for i := range args {
		if arg, ok := args[i].(text); ok {
			args[i] = arg.in(l)
		}
	}
	return t.in(l, args...)
}

func mistaken(t text, args ...any) error { return &mistake{t, args} }

// word returns the i-th word, empty if there are fewer.
func (a *asking) word(i int) string {
	if i < len(a.words) {
		return a.words[i]
	}
	return ""
}

// rest returns the words from the i-th on.
func (a *asking) rest(i int) string { return strings.Join(a.words[min(i, len(a.words)):], " ") }

// say writes a text in the player's language.
func (a *asking) say(t text, args ...any) string { return t.in(a.language, args...) }

// russian says whether the player reads Russian.
func (a *asking) russian() bool { return a.language == Russian }

// storeText is what a player is told when the store could not do something.
var storeText = text{"Не получилось: сервер сейчас не может это " +
	"сохранить. Попробуйте позже.",
	"That did not work: the server cannot store it now. Try again later."}

// command does what a line that begins with / or ! asks for, and tells the player what has come of it.
func (s *player) command(line string) {
	words := strings.Fields(strings.TrimLeft(line, "/!"))
	if len(words) == 0 {
		return
	}
	o, err := findOrder(words[0], s.Role())
	switch {
	case err != nil:
	case s.Role() < o.least() && s.Role() == data.Player:
		err = ops.RoleRefusal(o.least(), s.Role())
	case s.Role() >= o.least() && len(words)-1 < o.words:
		err = mistaken(usageText, o.usage(s.language))
	}
	if err != nil {
		s.answer("", err)
		return
	}
	a := &asking{server: s.server, session: s, account: s.Account(), login: s.Login(), role: s.Role(),
		language: s.language,
		player:   s.id(), character: s.character.ID, name: s.character.Name, at: s.here(), words: words[1:]}
	s.aside(func(ctx context.Context) func(*player) {
		a.Context = ctx
		answer, err := a.obey(o)
		return func(s *player) { s.answer(answer, err) }
	})
}

// obey does a command. What somebody with a role does is in the audit trail before it is done: verbs of operators see
// to that themselves.
func (a *asking) obey(o *order) (string, error) {
	switch {
	case a.role < o.least():
		return "", a.server.ops.Deny(a, a.actor(), o.verb)
	case o.verb == nil && a.role > data.Player:
		e := data.AuditEntry{Who: a.login, Action: "/" + o.english, Detail: a.rest(0)}
		if strings.Contains(o.args.english, "PLAYER") {
			e.Target = a.word(0)
		}
		if o.private {
			e.Detail = a.word(0)
		}
		if err := a.server.store.AppendAudit(a, e); err != nil {
			return "", err
		}
	}
	return o.do(a)
}

// answer shows what has come of a command, in as many lines as it needs.
func (s *player) answer(answer string, err error) {
	var m *mistake
	var refused ops.Localized
	switch {
	case errors.As(err, &m):
		answer = m.in(s.language)
	case errors.As(err, &refused):
		answer = refused.In(s.language == Russian)
	case err != nil:
		s.Log().Error("command failed", "login", s.Login(), "error", err)
		answer = storeText.in(s.language)
	}
	for _, line := range strings.Split(answer, "\n") {
		for _, part := range wrap(line, answerWidth) {
			s.Say(part)
		}
	}
}

// answerWidth in characters is what one system message holds with room to spare; its array has at most 255 bytes.
const answerWidth = 200

// wrap cuts a line into parts of at most width characters, at spaces where there are any.
func wrap(line string, width int) (parts []string) {
	runes := []rune(line)
	for len(runes) > width {
		cut := width
		for i := width; i > width/2; i-- {
			if runes[i] == ' ' {
				cut = i
				break
			}
		}
		parts = append(parts, string(runes[:cut]))
		runes = []rune(strings.TrimLeft(string(runes[cut:]), " "))
	}
	if len(runes) > 0 {
		parts = append(parts, string(runes))
	}
	return parts
}

// aside has work done away from the loop, one at a time for each session, and then what it returns on the loop.
func (s *player) aside(work func(ctx context.Context) (then func(*player))) {
	if s.asking {
		s.tell(askingText)
		return
	}
	s.asking = true
	s.Go(func(ctx context.Context) {
		then := work(ctx)
		s.post(func(s *player) {
			s.asking = false
			then(s)
		})
	})
}

// here is where the player is: where its client says, or where the world has it.
func (s *player) here() coords.Position {
	if s.pinged {
		return s.lastPing
	}
	if v, ok := s.server.inWorld(s.character.ID); ok {
		return v.Position
	}
	return s.server.place(s.character.Position)
}

// inWorld finds a character in the latest snapshot of the world.
func (s *Server) inWorld(id data.CharacterID) (world.PlayerView, bool) {
	for _, v := range s.world.Snapshot().Players {
		if v.Character == int64(id) {
			return v, true
		}
	}
	return world.PlayerView{}, false
}

// findOrder finds a command, or for a name that is none the nearest one that somebody of a role may give.
func findOrder(name string, role data.Role) (*order, error) {
	key := orderKey(name)
	var allowed []string
	for i := range orders {
		o := &orders[i]
		if key == orderKey(o.russian) || key == orderKey(o.english) {
			return o, nil
		}
		if role >= o.least() {
			allowed = append(allowed, o.russian, o.english)
		}
	}
	if near, ok := rules.Nearest(name, allowed); ok {
		return nil, mistaken(nearOrderText, shortName(name), near)
	}
	return nil, mistaken(unknownOrderText, shortName(name))
}

// orderKey is equal for spellings of a command that make no difference.
func orderKey(name string) string { return rules.FoldWord(name) }

// usage is the command with what follows it.
func (o *order) usage(l Language) string {
	name := o.russian
	if l == English {
		name = o.english
	}
	return strings.TrimRight("/"+name+" "+o.args.in(l), " ")
}
