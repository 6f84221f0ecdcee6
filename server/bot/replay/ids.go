package replay

import "sphereserver/packets"

// ids translate the ids of a recording into those of now, and back.
type ids struct {
	now, was map[packets.ObjectID]packets.ObjectID
}

func newIDs() *ids {
	return &ids{map[packets.ObjectID]packets.ObjectID{}, map[packets.ObjectID]packets.ObjectID{}}
}

// bind makes two ids the same. What either was bound to before is free again.
func (i *ids) bind(was, now packets.ObjectID) {
	if old, ok := i.now[was]; ok {
		delete(i.was, old)
	}
	if old, ok := i.was[now]; ok {
		delete(i.now, old)
	}
	i.now[was], i.was[now] = now, was
}

// free forgets an id of the recording.
func (i *ids) free(was packets.ObjectID) {
	if now, ok := i.now[was]; ok {
		delete(i.now, was)
		delete(i.was, now)
	}
}

// toNow returns what an object of the recording is called now; known is false for one that nothing is known of.
func (p *player) toNow(was packets.ObjectID) (now packets.ObjectID, known bool) {
	if fixed(was) {
		return was, true
	}
	if now, known = p.play.people.now[was]; known {
		return now, true
	}
	now, known = p.things.now[was]
	return now, known
}

// taken says whether an id of now belongs to something that the recording has a name for.
func (p *player) taken(now packets.ObjectID) bool {
	if _, ok := p.play.people.was[now]; ok || fixed(now) {
		return true
	}
	_, ok := p.things.was[now]
	return ok
}
