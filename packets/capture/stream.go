package capture

import (
	"slices"
	"time"
)

// Bounds of segments that wait for bytes that a pcap may never bring.
const (
	maxHeldBytes    = 256 << 10        // of one direction of a connection
	maxHeldSegments = 1024             // of one direction of a connection
	maxHeldTime     = 10 * time.Second // by the clock of the capture
)

// A segment is the data of one TCP packet.
type segment struct {
	sequence uint32 // of its first byte
	data     []byte
	at       time.Time
}

// A stream puts the segments of one direction of a connection in order. Sequence numbers are compared by their distance
// from the next one, so they may wrap.
//
// The reassembly of gopacket is not used: of several connections between the same ports it loses all but the first
// when one side was reset, and its distances are right only near the wrap and within half of the numbers.
type stream struct {
	started bool
	next    uint32    // sequence number of the next byte
	held    []segment // beyond next, by their distance from it
	bytes   int       // in held
}

// deliver takes bytes that are in order. Lost is how many are missing before them.
type deliver func(data []byte, at time.Time, lost int)

// start makes sequence the number of the next byte.
func (s *stream) start(sequence uint32) {
	s.started = true
	s.next = sequence
}

// add takes a segment and delivers the bytes that are in order by now. It keeps nothing of the data.
func (s *stream) add(seg segment, out deliver) {
	if len(seg.data) == 0 {
		return
	}
	if !s.started { // the capture began in the middle of the connection
		s.start(seg.sequence)
	}
	if s.distance(seg) <= 0 {
		s.take(seg, 0, out)
		s.drain(out)
		return
	}
	s.hold(seg)
	for s.full(seg.at) {
		s.skip(out)
	}
}

func (s *stream) distance(seg segment) int { return int(int32(seg.sequence - s.next)) }

// take delivers the bytes of a segment beyond those that were delivered before.
func (s *stream) take(seg segment, lost int, out deliver) {
	seen := -s.distance(seg)
	if seen >= len(seg.data) {
		return // sent again
	}
	data := seg.data[seen:]
	s.next += uint32(len(data))
	out(data, seg.at, lost)
}

// drain delivers the held segments that have become next.
func (s *stream) drain(out deliver) {
	n := 0
	for n < len(s.held) && s.distance(s.held[n]) <= 0 {
		s.take(s.held[n], 0, out)
		s.bytes -= len(s.held[n].data)
		n++
	}
	s.held = slices.Delete(s.held, 0, n)
}

func (s *stream) hold(seg segment) {
	at, found := slices.BinarySearchFunc(s.held, seg, func(a, b segment) int { return s.distance(a) - s.distance(b) })
	if found && len(s.held[at].data) >= len(seg.data) {
		return
	}
	seg.data = slices.Clone(seg.data)
	s.bytes += len(seg.data)
	if found { // sent again, with more
		s.bytes -= len(s.held[at].data)
		s.held[at] = seg
		return
	}
	s.held = slices.Insert(s.held, at, seg)
}

// full reports whether there is no more sense in waiting.
func (s *stream) full(now time.Time) bool {
	if len(s.held) == 0 {
		return false
	}
	return s.bytes > maxHeldBytes || len(s.held) > maxHeldSegments || now.Sub(s.held[0].at) > maxHeldTime
}

// skip gives up on the bytes before the first held segment.
func (s *stream) skip(out deliver) {
	if len(s.held) == 0 {
		return
	}
	first := s.held[0]
	lost := s.distance(first)
	s.next = first.sequence
	s.held = slices.Delete(s.held, 0, 1)
	s.bytes -= len(first.data)
	s.take(first, lost, out)
	s.drain(out)
}

// flush delivers all bytes that are held.
func (s *stream) flush(out deliver) {
	for len(s.held) > 0 {
		s.skip(out)
	}
}
