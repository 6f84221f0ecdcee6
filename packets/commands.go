package packets

import (
	"fmt"
	"reflect"
	"slices"
)

// A Command is what a region with a command number and an array of bytes holds: [ContMan], [Manager], [TradeMan],
// [Owner] and their like. The number and the array's length follow from its type and fields.
//
// Source: protocol ingame 4.
type Command interface {
	fields(*fields)
}

// UnknownCommand keeps a command that no known type describes: an unknown number, or a known one whose array has
// another form.
type UnknownCommand struct {
	Number uint32
	Data   []byte
}

func (m *UnknownCommand) fields(f *fields) { f.restBytes(&m.Data) }

// A commandForm is one known array of one command.
type commandForm struct {
	dir   Direction
	class func(Class) bool // nil: every class
	turn  int              // among the forms of its number, the lowest first
	new   func() Command
}

// A commandSet is what the commands of one kind of region can be.
type commandSet struct {
	forms   map[uint32][]commandForm // by command number, in the order in which they are tried
	numbers map[reflect.Type]uint32
}

// The sets fill up when the package is initialised: each command registers itself beside its type.
var (
	contManCommands, managerCommands, tradeManCommands, ownerCommands commandSet

	expiryCommands, regionManagerCommands, bankCommands, extendedCommands commandSet
)

// registered is what a registration returns, so that it can stand at the top level of a file.
type registered struct{}

// fromServer, fromClient and eitherWay register a form of a command: whether its sender is the server, the client or
// either. Forms that a frame could be taken for alike need a [turn] each: what order files are initialised in must not
// decide how a frame is read.
func fromServer(s *commandSet, number uint32, construct func() Command, limits ...limit) registered {
	return s.add(number, FromServer, construct, limits)
}

func fromClient(s *commandSet, number uint32, construct func() Command, limits ...limit) registered {
	return s.add(number, FromClient, construct, limits)
}

func eitherWay(s *commandSet, number uint32, construct func() Command, limits ...limit) registered {
	return s.add(number, EitherWay, construct, limits)
}

// command returns the constructor of a type of command.
func command[T any, P interface {
	*T
	Command
}]() func() Command {
	return func() Command { return P(new(T)) }
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
func ofNPC(f *commandForm) { f.class = Class.npc }

func (s *commandSet) add(number uint32, dir Direction, construct func() Command, limits []limit) registered {
	if s.forms == nil {
		s.forms, s.numbers = map[uint32][]commandForm{}, map[reflect.Type]uint32{}
	}
	form := commandForm{dir: dir, new: construct}
	for _, l := range limits {
		l(&form)
	}
	forms := s.forms[number]
	at := slices.IndexFunc(forms, func(other commandForm) bool { return other.turn > form.turn })
	if at < 0 {
		at = len(forms)
	}
	s.forms[number] = slices.Insert(forms, at, form)
	s.numbers[reflect.TypeOf(construct())] = number
	return registered{}
}

// walk reads or writes a command number of commandBits and an array of bytes behind a count of countBits.
func (s *commandSet) walk(f *fields, c *Command, commandBits, countBits int) {
	if f.mode != reading {
		s.write(f, *c, commandBits, countBits)
		return
	}
	var number uint32
	num(f, &number, commandBits)
	n := f.count(0, countBits) * 8
	if n > f.r.Left() && f.r.Err() == nil {
		f.fail("command %d has an array of %d bytes, %d bits left", number, n/8, f.r.Left())
	}
	if f.r.Err() != nil {
		return
	}
	at := f.r.Pos()
	end := f.r.Limit(n)
	for _, form := range s.forms[number] {
		if form.dir&f.dir == 0 || form.class != nil && !form.class(f.class) {
			continue
		}
		m := form.new()
		m.fields(f)
		if f.r.Err() == nil && f.r.Left() == 0 {
			*c = m
			f.r.Unlimit(end)
			return
		}
		f.r = f.r.Again(at)
	}
	m := &UnknownCommand{Number: number}
	m.fields(f)
	*c = m
	f.r.Unlimit(end)
}

func (s *commandSet) write(f *fields, c Command, commandBits, countBits int) {
	var number uint32
	if u, ok := c.(*UnknownCommand); ok {
		number = u.Number
	} else if n, ok := s.numbers[reflect.TypeOf(c)]; ok {
		number = n
	} else {
		f.fail("%T is not a command of this region", c)
		return
	}
	at := f.w.Pos() + commandBits
	f.command(number, commandBits, 0, countBits)
	start := f.w.Pos()
	c.fields(f)
	f.w.Patch(at, uint32(f.w.Pos()-start)/8, countBits) // known only now
}

func (f *fields) command(number uint32, commandBits, size, countBits int) {
	num(f, &number, commandBits)
	f.count(size, countBits)
}

// ContMan is a command about an object: what it is in, what it holds, what is done with it. Its command number takes 4
// bits for players; for other classes 4 or 8, by dialect.
//
// Source: protocol ingame 4.1.
type ContMan struct{ Command Command }

var _ = region[ContMan](everyClass, ClassPlayer)

// Region is 4.
func (*ContMan) Region() uint8 { return 4 }

func (m *ContMan) fields(f *fields) {
	contManCommands.walk(f, &m.Command, f.dialect.contManBits(f.class), 8)
}

// TradeMan is a command about trade, and about names and values shown on others: command of 4 bits, array of at most
// 15 bytes.
//
// Source: protocol ingame 4.3.
type TradeMan struct{ Command Command }

var _ = region[TradeMan](everyClass, ClassPlayer)

// Region is 9.
func (*TradeMan) Region() uint8 { return 9 }

func (m *TradeMan) fields(f *fields) { tradeManCommands.walk(f, &m.Command, 4, 4) }

// Manager is a command about a player (and, in the same region, about people of the towns): command of 8 bits.
//
// Source: protocol ingame 4.2, 4.4.
type Manager struct{ Command Command }

var _ = region[Manager](everyClass, ClassPlayer)

// Region is 12.
func (*Manager) Region() uint8 { return 12 }

func (m *Manager) fields(f *fields) { managerCommands.walk(f, &m.Command, 8, 8) }

// Bank is a command about the bank: 5 bits. Its layout follows from the recorded frames alone; what its commands mean
// is unknown.
type Bank struct{ Command Command }

var _ = region[Bank](ClassBank)

// Region is 12.
func (*Bank) Region() uint8 { return 12 }

func (m *Bank) fields(f *fields) { bankCommands.walk(f, &m.Command, 5, 8) }

// Extended13 is a rare command of a player, known from the client's scripts alone.
type Extended13 struct{ Command Command }

var _ = region[Extended13](ClassPlayer)

// Region is 13.
func (*Extended13) Region() uint8 { return 13 }

func (m *Extended13) fields(f *fields) { extendedCommands.walk(f, &m.Command, 5, 8) }

// Extended14 is Extended13 in another region.
type Extended14 struct{ Command Command }

var _ = region[Extended14](ClassPlayer)

// Region is 14.
func (*Extended14) Region() uint8 { return 14 }

func (m *Extended14) fields(f *fields) { extendedCommands.walk(f, &m.Command, 5, 8) }

// Expiry is a command about the time when an item ends: command of 4 bits, array of at most 15 bytes.
//
// Source: protocol ingame 2.3.
type Expiry struct{ Command Command }

var _ = region[Expiry](everyClass)

// Region is 15.
func (*Expiry) Region() uint8 { return 15 }

func (m *Expiry) fields(f *fields) { expiryCommands.walk(f, &m.Command, 4, 4) }

// RegionManager is a command about what a monster does: command of 32 bits.
//
// Source: protocol ingame 4.4.
type RegionManager struct{ Command Command }

var _ = region[RegionManager](everyClass)

// Region is 20.
func (*RegionManager) Region() uint8 { return 20 }

func (m *RegionManager) fields(f *fields) { regionManagerCommands.walk(f, &m.Command, 32, 8) }

// CommandOf returns the command that a region holds, if it is one of those that hold one.
func CommandOf(r Region) (Command, bool) {
	switch m := r.(type) {
	case *ContMan:
		return m.Command, true
	case *Manager:
		return m.Command, true
	case *TradeMan:
		return m.Command, true
	case *Owner:
		return m.Command, true
	case *Expiry:
		return m.Command, true
	case *RegionManager:
		return m.Command, true
	case *Bank:
		return m.Command, true
	case *Extended13:
		return m.Command, true
	case *Extended14:
		return m.Command, true
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
