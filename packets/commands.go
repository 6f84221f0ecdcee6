package packets

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// A Command is the content of a region with a command number and an array of bytes: [ContMan], [Manager], [TradeMan],
// [Owner] and their like. It is a pointer to one of the types that are registered for them; the number and the
// array's length follow from its type and fields. Source: protocol ingame 4.
type Command any

// UnknownCommand keeps a command without a known type: an unknown number, or a known one with an array of another form.
type UnknownCommand struct {
	Number uint32
	Data   []byte
}

// A commandForm is one known array of one command.
type commandForm struct {
	number uint32
	dir    Direction
	class  func(Class) bool // nil: every class
	turn   int              // among the forms of its number, the lowest first
	new    func() Command
	is     func(Command) bool
	clear  func(Command)
	fields func(Command, *fields)
	tried  sync.Pool // of cleared commands: another form was what fitted
}

// A commandSet is the commands of one kind of region.
type commandSet struct {
	forms [][]*commandForm // by command number, in the order in which they are tried
	types map[reflect.Type]*commandForm
}

// The sets fill up when the package is initialised: each command registers itself, with its fields, beside its type.
var (
	contManCommands, managerCommands, tradeManCommands, ownerCommands commandSet

	expiryCommands, regionManagerCommands, bankCommands, extended13Commands, extended14Commands commandSet

	tournamentCommands, captureCommands commandSet
)

// registered is the result of a registration, so that it can stand at the top level of a file.
type registered struct{}

// fromServer, fromClient and eitherWay register a form of a command: whether its sender is the server, the client or
// either. Forms that a frame could be taken for alike need a [turn] each: the order in which files are initialised
// must not decide how a frame is read.
func fromServer[T any](s *commandSet, number uint32, walk func(*T, *fields), limits ...limit) registered {
	return add(s, number, FromServer, walk, limits)
}

func fromClient[T any](s *commandSet, number uint32, walk func(*T, *fields), limits ...limit) registered {
	return add(s, number, FromClient, walk, limits)
}

func eitherWay[T any](s *commandSet, number uint32, walk func(*T, *fields), limits ...limit) registered {
	return add(s, number, EitherWay, walk, limits)
}

func add[T any](s *commandSet, number uint32, dir Direction, walk func(*T, *fields), limits []limit) registered {
	if s.types == nil {
		s.types = map[reflect.Type]*commandForm{}
	}
	for uint32(len(s.forms)) <= number {
		s.forms = append(s.forms, nil)
	}
	form := &commandForm{number: number, dir: dir, new: func() Command { return new(T) },
		is:     func(c Command) bool { _, ok := c.(*T); return ok },
		clear:  func(c Command) { *c.(*T) = *new(T) },
		fields: func(c Command, f *fields) { walk(c.(*T), f) }}
	for _, l := range limits {
		l(form)
	}
	forms := s.forms[number]
	at := slices.IndexFunc(forms, func(other *commandForm) bool { return other.turn > form.turn })
	if at < 0 {
		at = len(forms)
	}
	s.forms[number] = slices.Insert(forms, at, form)
	s.types[reflect.TypeFor[*T]()] = form
	return registered{}
}

// A limit narrows when a form is tried.
type limit func(*commandForm)

// turn is the place among the forms of one number: stricter ones first, since the first that fits to the last byte is
// taken. Without a turn a form is tried first.
func turn(n int) limit { return func(f *commandForm) { f.turn = n } }

// catchAll is the turn of a form that fits nearly everything.
const catchAll = 100

// of limits a form to these classes.
func of(classes ...Class) limit {
	return func(f *commandForm) { f.class = func(c Class) bool { return slices.Contains(classes, c) } }
}

// notOf keeps a form from a class.
func notOf(class Class) limit {
	return func(f *commandForm) { f.class = func(c Class) bool { return c != class } }
}

// ofNPC limits a form to the people of the towns.
func ofNPC(f *commandForm) { f.class = Class.NPC }

// walk reads or writes a command number of commandBits and an array of bytes behind a count of countBits.
func (s *commandSet) walk(f *fields, c *Command, commandBits, countBits int) {
	if f.mode != reading {
		s.write(f, *c, commandBits, countBits)
		return
	}
	number := f.r.Uint(commandBits)
	n := int(f.r.Uint(countBits)) * 8
	if n > f.r.Left() && f.r.Err() == nil {
		f.fail("command %d has an array of %d bytes, %d bits left", number, n/8, f.r.Left())
	}
	if f.r.Err() != nil {
		return
	}
	end := f.r.Limit(n)
	*c = s.read(f, number, *c)
	f.r.Unlimit(end)
}

// read returns the first form of a number that fits to the last byte of the array. It reads into an old command that
// has its type.
func (s *commandSet) read(f *fields, number uint32, old Command) Command {
	at, ordinal, departures := f.r.Pos(), f.ordinal, len(f.forms)
	if number < uint32(len(s.forms)) {
		for _, form := range s.forms[number] {
			if form.dir&f.dir == 0 || form.class != nil && !form.class(f.class) {
				continue
			}
			m := form.command(old)
			form.fields(m, f)
			if f.r.Err() == nil && f.r.Left() == 0 {
				return m
			}
			if m != old {
				form.clear(m)
				form.tried.Put(m)
			}
			f.r = f.r.Again(at)
			f.ordinal, f.forms = ordinal, f.forms[:departures]
		}
	}
	m := &UnknownCommand{Number: number}
	f.restBytes(&m.Data)
	return m
}

// command returns a command without content to read into.
func (form *commandForm) command(old Command) Command {
	if form.is(old) {
		form.clear(old)
		return old
	}
	if m := form.tried.Get(); m != nil {
		return m
	}
	return form.new()
}

func (s *commandSet) write(f *fields, c Command, commandBits, countBits int) {
	form := s.types[reflect.TypeOf(c)]
	if u, unknown := c.(*UnknownCommand); unknown {
		form = &commandForm{number: u.Number, fields: func(_ Command, f *fields) { f.bytes(u.Data) }}
	} else if form == nil {
		f.fail("%T is not a command of this region", c)
		return
	}
	f.w.Uint(form.number, commandBits)
	at := f.w.Pos()
	f.w.Uint(0, countBits)
	start := f.w.Pos()
	form.fields(c, f)
	f.w.Patch(at, uint32(f.w.Pos()-start)/8, countBits) // known only now
}

// The regions that hold a command, except [Owner].
type (
	// ContMan is a command about an object: its container, its contents, its use. Its command number takes 4 bits for
	// players; for other classes 4 or 8, by dialect. Source: protocol ingame 4.1.
	ContMan struct{ Command Command }

	// TradeMan is a command about trade, and about names and values shown on others: command of 4 bits, array of at
	// most 15 bytes. Source: protocol ingame 4.3.
	TradeMan struct{ Command Command }

	// Manager is a command about a player (and, in the same region, about people of the towns): command of 8 bits. Source:
	// protocol ingame 4.2, 4.4.
	Manager struct{ Command Command }

	// Bank is a command about the bank: 5 bits. Source: protocol life 7.2.
	Bank struct{ Command Command }

	// Extended13 is a rare command of a player, known from the client's scripts alone.
	Extended13 struct{ Command Command }

	// Extended14 is Extended13 in another region.
	Extended14 struct{ Command Command }

	// Expiry is a command about the time when an item ends: command of 4 bits, array of at most 15 bytes. Source: protocol
	// ingame 2.3.
	Expiry struct{ Command Command }

	// RegionManager is a command about an action of a monster: command of 32 bits. Source: protocol ingame 4.4.
	RegionManager struct{ Command Command }
)

var (
	_ = region[ContMan](everyClass, ClassPlayer)
	_ = region[TradeMan](everyClass, ClassPlayer)
	_ = region[Manager](everyClass, ClassPlayer)
	_ = region[Bank](ClassBank)
	_ = region[Extended13](ClassPlayer)
	_ = region[Extended14](ClassPlayer)
	_ = region[Expiry](everyClass)
	_ = region[RegionManager](everyClass)
)

func (*ContMan) number() uint8       { return 4 }
func (*TradeMan) number() uint8      { return 9 }
func (*Manager) number() uint8       { return 12 }
func (*Bank) number() uint8          { return 12 }
func (*Extended13) number() uint8    { return 13 }
func (*Extended14) number() uint8    { return 14 }
func (*Expiry) number() uint8        { return 15 }
func (*RegionManager) number() uint8 { return 20 }

func (m *ContMan) held() Command       { return m.Command }
func (m *TradeMan) held() Command      { return m.Command }
func (m *Manager) held() Command       { return m.Command }
func (m *Bank) held() Command          { return m.Command }
func (m *Extended13) held() Command    { return m.Command }
func (m *Extended14) held() Command    { return m.Command }
func (m *Expiry) held() Command        { return m.Command }
func (m *RegionManager) held() Command { return m.Command }

func (m *ContMan) fields(f *fields) {
	contManCommands.walk(f, &m.Command, f.dialect.contManBits(f.class), 8)
}
func (m *TradeMan) fields(f *fields)      { tradeManCommands.walk(f, &m.Command, 4, 4) }
func (m *Manager) fields(f *fields)       { managerCommands.walk(f, &m.Command, 8, 8) }
func (m *Bank) fields(f *fields)          { bankCommands.walk(f, &m.Command, 5, 8) }
func (m *Extended13) fields(f *fields)    { extended13Commands.walk(f, &m.Command, 5, 8) }
func (m *Extended14) fields(f *fields)    { extended14Commands.walk(f, &m.Command, 5, 8) }
func (m *Expiry) fields(f *fields)        { expiryCommands.walk(f, &m.Command, 4, 4) }
func (m *RegionManager) fields(f *fields) { regionManagerCommands.walk(f, &m.Command, 32, 8) }

// CommandOf returns the command that a region holds, if it is one of those that hold one.
func CommandOf(r Region) (Command, bool) {
	if h, ok := r.(interface{ held() Command }); ok {
		return h.held(), true
	}
	return nil, false
}

// Name returns the name of a region's or command's type, for people.
func Name(m any) string {
	t := reflect.TypeOf(m)
	if t == nil {
		return "nothing"
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

// String names the command and its number.
func (m *UnknownCommand) String() string {
	return fmt.Sprintf("unknown command %d, % X", m.Number, m.Data)
}
