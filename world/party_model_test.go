package world

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"sphereserver/world/rules"
)

// A model of parties: of each player, the number of its party and of the one it has applied to, 0 for none. Lists are
// in the order of time.
type groupModel struct {
	inside       map[PlayerID]bool
	in, applied  map[PlayerID]int
	joined, asks []PlayerID
	leads        map[int]PlayerID
	last         int
}

func (m *groupModel) of(g int) (out []PlayerID) {
	for _, id := range m.joined {
		if m.in[id] == g {
			out = append(out, id)
		}
	}
	return out
}

func (m *groupModel) list(g int) (ids []PlayerID, all []PartyMember) {
	ids = append(ids, m.leads[g])
	for _, id := range m.of(g) {
		if id != m.leads[g] {
			ids = append(ids, id)
		}
	}
	return ids, members(ids[0], ids[1:]...)
}

func (m *groupModel) waiting(g int) (out []PlayerID) {
	for _, id := range m.asks {
		if m.applied[id] == g {
			out = append(out, id)
		}
	}
	return out
}

func without(ids []PlayerID, id PlayerID) []PlayerID {
	return slices.DeleteFunc(slices.Clone(ids), func(other PlayerID) bool { return other == id })
}

func (m *groupModel) join(id PlayerID, g int) {
	m.in[id], m.applied[id] = g, 0
	m.joined = append(without(m.joined, id), id)
}

func (m *groupModel) end(g int) (told []Event) {
	for _, id := range m.waiting(g) {
		m.applied[id] = 0
		told = append(told, PartyRefused{id, rules.TheyHaveNoParty})
	}
	return told
}

func (m *groupModel) lead(id PlayerID) []Event {
	g := m.in[id]
	m.leads[g] = id
	ids, all := m.list(g)
	told := []Event{PartyLeader{all, ids}}
	for _, other := range m.waiting(g) {
		told = append(told, PartyApplied{id, name(other)})
	}
	return told
}

func (m *groupModel) part(id PlayerID, why Parting) []Event {
	g := m.in[id]
	ids, _ := m.list(g)
	m.in[id] = 0
	var remaining []PlayerID
	if rest := without(ids, id); len(rest) > 0 {
		remaining = rest
	}
	return []Event{PartyLeft{id, name(id), why, remaining}}
}

// do does one of six things, and returns the expected events.
func (m *groupModel) do(kind int, id, other PlayerID, limit int) []Event {
	g, theirs := m.in[id], m.in[other]
	refuse := func(why rules.RejectReason) []Event { return []Event{PartyRefused{id, why}} }
	if !m.inside[id] {
		return nil
	}
	if kind == 2 || kind == 3 { // a leader's
		switch {
		case g == 0:
			return refuse(rules.NoParty)
		case m.leads[g] != id:
			return refuse(rules.NotLeader)
		case !m.inside[other]:
			return refuse(rules.NobodyThere)
		case other == id:
			return refuse(rules.Yourself)
		case kind == 2 && m.applied[other] != g:
			return refuse(rules.NotApplied)
		case kind == 3 && theirs != g:
			return refuse(rules.NotMember)
		}
	}
	switch kind {
	case 0: // create
		if g != 0 {
			return refuse(rules.AlreadyInParty)
		}
		m.last++
		m.join(id, m.last)
		m.leads[m.last] = id
		return []Event{PartyCreated{id}}
	case 1: // apply
		switch {
		case g != 0:
			return refuse(rules.AlreadyInParty)
		case !m.inside[other]:
			return refuse(rules.NobodyThere)
		case other == id:
			return refuse(rules.Yourself)
		case theirs == 0:
			return refuse(rules.TheyHaveNoParty)
		case m.applied[id] == theirs:
			return refuse(rules.AlreadyApplied)
		case len(m.of(theirs)) >= limit:
			return refuse(rules.PartyFull)
		}
		m.applied[id], m.asks = theirs, append(without(m.asks, id), id)
		return []Event{PartyApplied{m.leads[theirs], name(id)}}
	case 2: // accept
		if len(m.of(g)) >= limit {
			return refuse(rules.PartyFull)
		}
		m.join(other, g)
		_, all := m.list(g)
		return []Event{PartyJoined{other, name(other), all}}
	case 3: // expel
		return m.part(other, Expelled)
	case 4: // leave the party
		switch {
		case g == 0:
			return refuse(rules.NoParty)
		case m.leads[g] != id:
			return m.part(id, PartedByChoice)
		}
		var told []Event
		for _, member := range append(without(m.of(g), id), id) {
			m.in[member] = 0
			told = append(told, PartyLeft{member, name(member), Disbanded, nil})
		}
		return append(told, m.end(g)...)
	}
	// leave the world
	m.inside[id], m.applied[id] = false, 0
	if g == 0 {
		return nil
	}
	told := m.part(id, Disconnected)
	switch rest := m.of(g); {
	case len(rest) == 0:
		told = append(told, m.end(g)...)
	case m.leads[g] == id:
		told = append(told, m.lead(rest[0])...)
	}
	return told
}

// For requests by chance the events are those of the model.
func TestGroupsAreThoseOfTheModel(t *testing.T) {
	const players, limit = 7, 3
	kinds := map[string]int{}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := newStage(Options{PartySize: limit})
		m := &groupModel{inside: map[PlayerID]bool{}, in: map[PlayerID]int{}, applied: map[PlayerID]int{},
			leads: map[int]PlayerID{}}
		for step := range 1500 {
			id, other := PlayerID(r.IntN(players)+1), PlayerID(r.IntN(players)+1)
			kind := []int{0, 1, 1, 1, 2, 2, 2, 3, 4, 5, 5, 5}[r.IntN(12)]
			if !m.inside[id] && r.IntN(2) == 0 {
				m.inside[id] = true
				s.in(shipstone, id)
			}
			if kind == 5 && r.IntN(3) > 0 {
				continue
			}
			if r.IntN(4) > 0 { // mostly something that can be done
				switch {
				case kind == 2 && m.applied[other] != 0:
					id = m.leads[m.applied[other]]
				case kind == 3 && m.in[other] != 0:
					id = m.leads[m.in[other]]
				case kind == 1:
					for try := 0; try < players && m.in[other] == 0; try++ {
						other = other%players + 1
					}
				case kind == 4 && r.IntN(2) > 0:
					continue
				}
			}
			do := []Command{PartyCreate{id}, PartyApply{id, name(other)}, PartyAccept{id, name(other)},
				PartyExpel{id, name(other)}, PartyLeave{id}, Leave{ID: id}}[kind]
			clear(s.declined) // it has no part in this
			want := m.do(kind, id, other, limit)
			got := slices.DeleteFunc(s.does(do), func(e Event) bool {
				return kind == 5 && !isOfGroups(e) || reflect.TypeOf(e) == reflect.TypeFor[Population]()
			})
			if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, step %d: %#v is told as\n%+v, want\n%+v", seed, step, do, got, want)
			}
			for _, e := range got {
				kinds[fmt.Sprintf("%T", e)]++
			}
			if kind == 5 {
				s.does(Leave{ID: id}) // again, without being inside
			}
		}
		s.sound(t)
	}
	if len(kinds) != 6 || kinds["world.PartyJoined"] < 500 || kinds["world.PartyLeader"] < 100 {
		t.Errorf("told only %v", kinds)
	}
}

func isOfGroups(e Event) bool {
	switch e.(type) {
	case PartyCreated, PartyApplied, PartyJoined, PartyLeft, PartyLeader, PartyRefused:
		return true
	}
	return false
}
