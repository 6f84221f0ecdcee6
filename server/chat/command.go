package chat

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/server/view"
	"sphereserver/world/rules"
)

// A command is a request of a player in the chat: "/who", or "!who".
type command struct {
	names   ops.Text // without the slash; both are understood, in any language of the player
	client  string   // the name that the client's own list has for it, if that is another
	verb    ops.Any  // of operators that it does, which has the least role; nil for commands of players
	args    ops.Text // arguments, as help shows them
	help    ops.Text // one sentence
	words   int      // least number of words after the name
	private bool     // the words stay out of the audit trail
	secret  bool     // so does every word
	do      func(*commandContext) (string, error)
}

// least is the role that the command takes at least.
func (o *command) least() data.Role {
	if o.verb == nil {
		return data.Player
	}
	return o.verb.Least()
}

// usage is the command with its arguments.
func (o *command) usage(russian bool) string {
	return strings.TrimRight("/"+o.names.In(russian)+" "+o.args.In(russian), " ")
}

// commands are all commands, the players' first. docs/commands.md is made of this table.
var commands []command

// findCommand finds a command, or for an unknown name the nearest one that a role may give.
func findCommand(name string, role data.Role) (*command, error) {
	key := commandKey(name)
	var allowed []string
	for i := range commands {
		o := &commands[i]
		if key == commandKey(o.names.Russian) || key == commandKey(o.names.English) ||
			o.client != "" && key == commandKey(o.client) {
			return o, nil
		}
		if role >= o.least() {
			allowed = append(allowed, o.names.Russian, o.names.English)
		}
	}
	near, ok := rules.Nearest(name, allowed)
	if i := slices.IndexFunc(allowed, func(known string) bool { return strings.Contains(commandKey(known), key) }); !ok &&
		i >= 0 && utf8.RuneCountInString(key) > 3 {
		near, ok = allowed[i], true // "title" of "titledown"
	}
	if ok {
		return nil, UserError(nearCommandText, shortName(name), near)
	}
	return nil, ownError{UserError(unknownCommandText, shortName(name)), view.TextNoCommand}
}

// commandKey is equal for spellings of a word that make no difference.
func commandKey(word string) string { return rules.FoldWord(word) }

// A commandContext is one given command. It is worked on away from the session's loop.
type commandContext struct {
	context.Context
	service *Service
	from    *Participant // for its loop only: by [Speaker.Call]

	actor     ops.Actor // the player that gives it
	russian   bool
	character data.CharacterID
	name      string
	tutorial  bool // it had not left the newcomers' dungeon when it entered
	at        coords.Position

	words []string // after the name of the command
}

// word returns the i-th word, empty if there are fewer.
func (c *commandContext) word(i int) string {
	if i < len(c.words) {
		return c.words[i]
	}
	return ""
}

// rest returns the words from the i-th on.
func (c *commandContext) rest(i int) string { return strings.Join(c.words[min(i, len(c.words)):], " ") }

// say writes a text in the player's language.
func (c *commandContext) say(russian, english string, args ...any) string {
	return text(russian, english).In(c.russian, args...)
}

// Command does the command in a line that begins with / or !, and tells the player the outcome.
func (p *Participant) Command(line string) {
	if words := strings.Fields(strings.TrimLeft(line, "/!")); len(words) > 0 {
		p.inTurn(func() aside { return p.command(words) })
	}
}

// command returns the work of a command, nil if the player may not give it so.
func (p *Participant) command(words []string) aside {
	s := p.Speaker
	o, err := findCommand(words[0], s.Role())
	args := words[1:]
	if err == nil && o.private {
		args = addressed(args, commandKey(words[0]) == o.client)
	}
	switch {
	case err != nil:
	case s.Role() < o.least() && s.Role() == data.Player:
		err = ownError{ops.RoleRefusal(o.least(), s.Role()), view.TextNoCommand}
	case s.Role() >= o.least() && len(args) < o.words:
		err = UserError(usageText, o.usage(p.Russian))
	}
	if err != nil {
		p.Answer("", err)
		return nil
	}
	c := &commandContext{service: p.service, from: p, russian: p.Russian, words: args,
		actor:     ops.Actor{Account: s.Account(), Name: s.Login(), Role: s.Role()},
		character: s.Character().ID, name: s.Character().Name, tutorial: s.Character().Tutorial, at: s.Here()}
	return func(ctx context.Context) func() {
		c.Context = ctx
		answer, err := c.obey(o)
		return func() { p.Answer(answer, err) }
	}
}

// addressEnd are the signs between name and text of a private line, as clients send the sign and as plain text has it.
const addressEnd = ">›"

// addressed returns the words of a private line with the addressee as the first. The client's own form is NAME>TEXT,
// with a name of any number of words; own says that the line was given by the client's own name of the command.
//
// Source: protocol life 13.
func addressed(words []string, own bool) []string {
	all := strings.Join(words, " ")
	at := strings.IndexAny(all, addressEnd)
	if at < 0 || !own && !strings.ContainsAny(words[0], addressEnd) {
		return words
	}
	_, size := utf8.DecodeRuneInString(all[at:])
	return append([]string{strings.TrimSpace(all[:at])}, strings.Fields(all[at+size:])...)
}

// obey does a command. A command of an account with a role is in the audit trail before it is done: verbs of
// operators see to that themselves.
func (c *commandContext) obey(o *command) (string, error) {
	switch {
	case c.actor.Role < o.least():
		return "", c.service.Operators.Deny(c, c.actor, o.verb)
	case o.verb == nil && c.actor.Role > data.Player:
		e := data.AuditEntry{Who: c.actor.Name, Action: "/" + o.names.English, Detail: c.rest(0)}
		if strings.Contains(o.args.English, "PLAYER") {
			e.Target = c.word(0)
		}
		switch {
		case o.secret:
			e.Detail = ""
		case o.private:
			e.Detail = c.word(0)
		}
		if err := c.service.Store.AppendAudit(c, e); err != nil {
			return "", err
		}
	}
	return o.do(c)
}

var (
	usageText          = text("Нужно: %s", "Expected: %s")
	unknownCommandText = text("Нет команды «%s». Все команды: /помощь", "There is no command “%s”. All commands: /help")
	nearCommandText    = text("Нет команды «%s». Может быть, /%s?", "There is no command “%s”. Did you mean /%s?")
	nearText           = text("«%s» не найдено. Может быть, «%s»?", "“%s” was not found. Did you mean “%s”?")
	unknownText        = text("«%s» не найдено.", "“%s” was not found.")
	awayText           = text("Игрока %s сейчас нет в мире.", "%s is not in the world now.")
)
