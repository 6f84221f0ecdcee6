package game

import (
	"sphereserver/packets"
	"sphereserver/world"
)

// A sink takes what happens in the world to the sessions. It runs on the world's goroutine.
//
// What many are to be told is encoded once and copied into the outbox of each. At the end of the tick every loop with
// outboxes is handed all of its own by one call.
type sink struct {
	*Server
	loops  []*loop // that have a batch
	frames []byte  // encoded in this tick
	clock  uint16  // in this tick
	step   step

	people  map[*world.Player][]byte  // how they look in this tick, as far as somebody was shown them
	objects map[world.ObjectID][]byte // the frames that spawn them, not addressed yet

	journeys map[world.PlayerID][]packets.Section // what is told of tokens that are taking players somewhere
}

// keptSpawns is how many objects' frames are kept; then it begins anew.
const keptSpawns = 4096

func newSink(s *Server) *sink {
	return &sink{Server: s, people: map[*world.Player][]byte{}, objects: map[world.ObjectID][]byte{},
		journeys: map[world.PlayerID][]packets.Section{}}
}

// moved shows that a player walks.
func (k *sink) moved(e *world.Moved) {
	k.show(e.Viewers, e.ID, k.encode(k.step.to(k.clock, e.ID, e.To)))
}

// teleportSeen shows that a player is somewhere else at once.
func (k *sink) teleportSeen(e *world.TeleportSeen) {
	k.show(e.Viewers, e.ID, k.person(e.ID, jump(e.To)))
}

// appeared gives a client a player.
func (k *sink) appeared(e *world.Appeared) {
	viewer, p := e.Viewer, e.Player
	s := k.session(viewer)
	if s == nil || viewer == p.ID || !s.view.hold(p.ID) {
		return
	}
	frames, ok := k.people[p]
	if !ok {
		frames = k.drawn(p)
		k.people[p] = frames
	}
	k.put(s, frames)
}

// drawn are the frames that show somebody.
func (k *sink) drawn(p *world.Player) []byte {
	start := len(k.frames)
	out, err := appendPerson(k.frames, k.clock, k.options.Dialect, p)
	if err != nil {
		k.options.Log.Error("cannot encode a player", "player", p.Name, "error", err)
		return nil
	}
	k.frames = out
	return out[start:]
}

// vanished takes a player from a client.
func (k *sink) vanished(e *world.Vanished) {
	if s := k.session(e.Viewer); s != nil && s.view.drop(e.Player) {
		k.put(s, k.removal(playerID(e.Player)))
	}
}

func (k *sink) removal(id packets.ObjectID) []byte {
	return k.encode(&packets.Body{Clock: k.clock, Sections: []packets.Section{packets.Removal(id)}})
}

// objectAppeared gives a client an object, under an id of its own.
func (k *sink) objectAppeared(e *world.ObjectAppeared) {
	s, o := k.session(e.Viewer), e.Object
	if s == nil {
		return
	}
	frame, ok := k.objects[o.ID]
	if !ok {
		frame = k.drawnObject(o)
		if len(k.objects) >= keptSpawns {
			clear(k.objects)
		}
		k.objects[o.ID] = frame
	}
	if len(frame) == 0 {
		return
	}
	what := kindOf(o)
	if k, held := s.ids.object(o.ID); held { // the player has just dropped it
		s.ids.change(k.objectID(), func(k *idEntry) { k.kind = what })
		return
	}
	if id, ok := s.ids.add(idEntry{kind: what, class: objectClass(o), object: o.ID, at: o.Position}); ok {
		box := k.box(s)
		start := len(box.frames)
		box.frames = append(box.frames, frame...)
		addressSpawn(box.frames[start:], k.clock, id)
	}
}

// drawnObject is the frame that spawns an object; nothing if it cannot be shown.
func (k *sink) drawnObject(o *world.Object) []byte {
	section, err := spawnObject(o, k.kinds)
	var frame []byte
	if err == nil {
		frame, err = packets.AppendServer(nil, &packets.Body{Sections: []packets.Section{section}}, k.options.Dialect)
	}
	if err != nil {
		k.options.Log.Error("cannot encode an object", "error", err)
	}
	return frame
}

// objectVanished takes an object from a client, and before it what the client knows to be in it.
func (k *sink) objectVanished(e *world.ObjectVanished) {
	k.hearing(e.Viewer, func(f *former) {
		if o, ok := f.ids.object(e.Object); ok {
			f.lose(e.Object)
			f.remove(o)
		}
	})
}

// lookChanged shows that a player looks different: what has changed, or if that cannot be told, all of it.
func (k *sink) lookChanged(e *world.AppearanceChanged) {
	regions, again := lookChange(&e.Before, &e.Player.Appearance)
	switch {
	case again:
		frames := append(k.removal(playerID(e.Player.ID)), k.drawn(e.Player)...)
		k.show(e.Viewers, e.Player.ID, frames)
	case len(regions) > 0:
		k.show(e.Viewers, e.Player.ID, k.person(e.Player.ID, regions...))
	}
}

// healthSeen shows a player's HP, and the most that it can have unless that was told before.
func (k *sink) healthSeen(e *world.HealthSeen) {
	newMax := true
	if s := k.session(e.ID); s != nil {
		newMax = s.view.maxHP != e.MaxHP
		s.view.maxHP = e.MaxHP
	}
	k.show(e.Viewers, e.ID, k.person(e.ID, healthChange(e.HP, e.MaxHP, newMax)...))
}

// person is a frame about a player.
func (k *sink) person(id world.PlayerID, regions ...packets.Region) []byte {
	return k.encode(packets.Message(k.clock, playerID(id), packets.ClassPlayer, regions...))
}

// show sends frames about a player to those of the witnesses who hold it.
func (k *sink) show(witnesses []world.PlayerID, about world.PlayerID, frames []byte) {
	for _, id := range witnesses {
		if s := k.session(id); s != nil && s.view.holds(about) {
			k.put(s, frames)
		}
	}
}

// encode encodes a message for as many as are to have it. The frame is valid in this tick.
func (k *sink) encode(b *packets.Body) []byte {
	start := len(k.frames)
	out, err := packets.AppendServer(k.frames, b, k.options.Dialect)
	if err != nil {
		k.options.Log.Error("cannot encode", "error", err) // a defect of ours
		return nil
	}
	k.frames = out
	return out[start:len(out):len(out)]
}

// send puts frames into a player's outbox. They must not say anything about somebody or something else that its client
// does not hold.
func (k *sink) send(to world.PlayerID, frames []byte) {
	if s := k.session(to); s != nil {
		k.put(s, frames)
	}
}

// do has something done on the loop of a player's session, behind what was put into its outbox before.
func (k *sink) do(to world.PlayerID, work func(*Session)) {
	if s := k.session(to); s != nil {
		b := k.box(s)
		b.cues = append(b.cues, cue{len(b.frames), work})
	}
}

func (k *sink) put(s *Session, frames []byte) {
	b := k.box(s)
	b.frames = append(b.frames, frames...)
}

// session is that of a player, nil if it has gone.
func (k *sink) session(id world.PlayerID) *Session { return k.sessions[uint16(id)].Load() }

// box is the session's outbox of this tick.
func (k *sink) box(s *Session) *outbox {
	if s.view.box != nil {
		return s.view.box
	}
	b := outboxes.Get().(*outbox)
	b.to, s.view.box = s, b
	if s.loop.batch == nil {
		s.loop.batch = batches.Get().(*batch)
		k.loops = append(k.loops, s.loop)
	}
	s.loop.batch.boxes = append(s.loop.batch.boxes, b)
	return b
}

// handOver gives the loops their batches.
func (k *sink) handOver() {
	for i, l := range k.loops {
		all := l.batch
		l.batch, k.loops[i] = nil, nil
		for _, b := range all.boxes {
			b.to.view.box = nil
		}
		_ = l.at.Execute(func() { l.take(all) }) // a loop that has stopped has no sessions
	}
	k.loops = k.loops[:0]
}
