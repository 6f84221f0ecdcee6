package world

import "slices"

// A draft is a change in the making: copies of the hoards that it concerns, which become the hoards when the change is durable. What is to be
// stored is the difference.
type draft struct {
	w       *World
	p       *player // whose request it is, nil for the world's own
	command Command
	sides   []*side
	touched []ItemID // in the order in which they were first changed
	news    ItemID   // new things are numbered from -1 down until the store has given them numbers

	money   int64    // that p is to have
	sheet   Progress // of p, and its levels and vitals
	title   int
	degree  int
	vitals  Pools
	sheeted bool // the sheet is part of the change

	changes []ItemChange
	moves   []passage
}

// A side is one hoard of a draft, in a copy.
type side struct {
	hoard
	was    *hoard // nil: it is new
	before hoard  // as it was when the draft began
}

// A passage is what has become of one thing.
type passage struct {
	from, to *side // where it was and is; nil: it is new, or no more
	was, is  Item
	draftID  ItemID // as the draft called it
}

func (w *World) draft(p *player, c Command) *draft {
	d := &draft{w: w, p: p, command: c}
	if p != nil {
		d.money, d.sheet, d.title, d.degree, d.vitals = p.Money, p.Progress, p.Title, p.Degree, p.Pools
	}
	return d
}

// side returns the copy of a hoard.
func (d *draft) side(h *hoard) *side {
	for _, s := range d.sides {
		if s.was == h {
			return s
		}
	}
	s := &side{hoard: *h, was: h, before: *h}
	s.things = slices.Clone(h.things)
	d.sides = append(d.sides, s)
	return s
}

// ground begins a hoard that will lie in the world.
func (d *draft) ground(l OnGround) *side {
	s := &side{hoard: hoard{lying: &l}}
	d.sides = append(d.sides, s)
	return s
}

func (d *draft) touch(id ItemID) {
	if !slices.Contains(d.touched, id) {
		d.touched = append(d.touched, id)
	}
}

// edit returns a thing of a side to be changed, but for its ID.
func (d *draft) edit(s *side, id ItemID) *Item {
	d.touch(id)
	return s.find(id)
}

// add puts a thing that is in no other side into one. An ID of 0 makes it a new one.
func (d *draft) add(s *side, t Item) ItemID {
	if t.ID == 0 {
		d.news--
		t.ID = d.news
	}
	d.touch(t.ID)
	i, _ := s.index(t.ID)
	s.things = slices.Insert(s.things, i, t)
	return t.ID
}

// take takes one thing out of a side, but not what is in it.
func (d *draft) take(s *side, id ItemID) Item {
	i, _ := s.index(id)
	t := s.things[i]
	d.touch(id)
	s.things = slices.Delete(s.things, i, i+1)
	return t
}

// carry brings a thing with all that is in it into a slot of a side.
func (d *draft) carry(from, to *side, id, in ItemID, slot int) {
	if from == to {
		t := d.edit(to, id)
		t.In, t.Slot = in, slot
		return
	}
	inside := from.within(id, nil)
	t := d.take(from, id)
	t.In, t.Slot = in, slot
	d.add(to, t)
	for i := range inside {
		d.add(to, d.take(from, inside[i].ID))
	}
}

// merge adds all of a stack to another, and the stack is no more.
func (d *draft) merge(from, to *side, id, onto ItemID) {
	n := from.find(id).Count
	d.edit(to, onto).Count += n
	d.take(from, id)
}

// destroy ends a thing, and before it what is in it.
func (d *draft) destroy(s *side, id ItemID) (gone []Item) {
	gone = s.within(id, nil)
	for i := len(gone) - 1; i >= 0; i-- {
		d.take(s, gone[i].ID)
	}
	return slices.Insert(gone, 0, d.take(s, id))
}

// use takes one from a stack, and says how many are left.
func (d *draft) use(s *side, id ItemID) (left int) {
	if t := s.find(id); t.Count > 1 {
		t = d.edit(s, id)
		t.Count--
		return t.Count
	}
	d.take(s, id)
	return 0
}

// change is all that is different.
func (d *draft) change() Change {
	for _, id := range d.touched {
		m := passage{draftID: id}
		for _, s := range d.sides {
			if s.was != nil {
				if t := s.was.find(id); t != nil {
					m.from, m.was = s, *t
				}
			}
			if t := s.find(id); t != nil {
				m.to, m.is = s, *t
			}
		}
		if m.from == nil && m.to == nil || m.from == m.to && m.was.same(&m.is) && m.to.was.lying == m.to.lying {
			continue
		}
		d.moves = append(d.moves, m)
	}
	d.changes = make([]ItemChange, len(d.moves))
	for i, m := range d.moves {
		if m.from != nil {
			d.changes[i].Was = m.from.was.stored(&m.was)
		}
		if m.to != nil {
			is := m.to.stored(&m.is)
			if is.ID < 0 {
				is.ID = 0
			}
			if is.In < 0 {
				is.In = -ItemID(1 + slices.IndexFunc(d.moves, func(o passage) bool { return o.is.ID == is.In }))
			}
			d.changes[i].Is = is
		}
	}
	out := Change{Items: d.changes}
	if p := d.p; p != nil {
		if d.money != p.Money {
			out.Money = []MoneyChange{{p.Character, p.Money, d.money}}
		}
		if d.sheeted {
			out.Progress = []ProgressChange{{p.Character, d.title, d.degree, d.sheet, d.vitals}}
		}
	}
	return out
}

// number gives new things their numbers.
func (d *draft) number(ids []ItemID) {
	if d.news == 0 {
		return
	}
	given := map[ItemID]ItemID{}
	for i := range d.moves {
		if m := &d.moves[i]; m.is.ID < 0 {
			given[m.is.ID] = ids[i]
		}
	}
	name := func(t *Item) {
		if n := given[t.ID]; n != 0 {
			t.ID = n
		}
		if n := given[t.In]; n != 0 {
			t.In = n
		}
	}
	for _, s := range d.sides {
		for i := range s.things {
			name(&s.things[i])
		}
		if n := given[s.rootID]; n != 0 {
			s.rootID = n
		}
		s.sort()
	}
	for i := range d.moves {
		name(&d.moves[i].is)
	}
}

// moved returns what has become of a thing, by its number in the draft.
func (d *draft) moved(id ItemID) *passage {
	for i := range d.moves {
		if d.moves[i].draftID == id {
			return &d.moves[i]
		}
	}
	return nil
}
