package game

import (
	"sync"

	"sphereserver/coords"
)

// A MarkKind is the kind of a [Mark].
type MarkKind int

// Kinds of marks.
const (
	KillMark  MarkKind = iota // monsters that have died
	DeathMark                 // players that have died
	MoneyMark                 // coins that kills have brought and traders have paid
)

// A Mark says that something has happened at a place, and how often or how much.
type Mark struct {
	Of     MarkKind
	At     coords.Position
	Amount int64 // above 0
}

// maxMarks is how many marks wait to be taken at most: 10 s of 5,000 players that kill once a second have room.
const maxMarks = 65_536

// marks are the events, with their places, since they were last taken. Marks without room are dropped: they are only
// for looking at.
type marks struct {
	mu  sync.Mutex
	all []Mark
}

func (m *marks) add(of MarkKind, at coords.Position, amount int64) {
	if amount <= 0 {
		return
	}
	m.mu.Lock()
	if len(m.all) < maxMarks {
		m.all = append(m.all, Mark{of, at, amount})
	}
	m.mu.Unlock()
}

// TakeMarks returns the marks since the last call. into is memory that it may use for the next ones.
func (s *Server) TakeMarks(into []Mark) []Mark { return s.count.marks.take(into) }

func (m *marks) take(into []Mark) (taken []Mark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	taken, m.all = m.all, into[:0]
	return taken
}
