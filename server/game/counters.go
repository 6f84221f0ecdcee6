package game

import (
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"sphereserver/server/measure"
	"sphereserver/world"
)

// counters are what the server counts since its start. They only grow, but for those named as current.
type counters struct {
	accepted, refused           atomic.Uint64 // connections
	framesIn, framesDropped     atomic.Uint64
	bytesIn, bytesOut           atomic.Uint64
	pings, foreignPings         atomic.Uint64 // answered; naming another player
	positionsRefused            atomic.Uint64
	outOfPlace, undecodable     atomic.Uint64
	checksums                   atomic.Uint64 // that do not match
	logins, loginsFailed        atomic.Uint64
	loginsThrottled             atomic.Uint64
	accountsMade, charactersNew atomic.Uint64
	charactersDeleted           atomic.Uint64
	saves, saveFailures         atomic.Uint64
	chatLines, chatHeldBack     atomic.Uint64      // passed on; not, because of floods, repetition or a mute
	chatAbandoned               atomic.Uint64      // lines that never became whole
	changes, changesFailed      atomic.Uint64      // of belongings; refused by the store
	changeConflicts             atomic.Uint64      // of belongings that were not stored as the world had them
	refusedWishes               [256]atomic.Uint64 // what players wanted with belongings and did not get, by why
	panics                      atomic.Uint64
	recordingsLost              atomic.Uint64 // sessions whose recording ended early
	ticks, slowTicks            atomic.Uint64 // slow: longer than the tick period
	worstTick                   atomic.Int64  // nanoseconds
	tickTimes                   measure.Times

	sessions, inWorld atomic.Int64 // current
}

func (c *counters) tick(d time.Duration, limit time.Duration) {
	c.ticks.Add(1)
	c.tickTimes.Record(d)
	if d > limit {
		c.slowTicks.Add(1)
	}
	for {
		worst := c.worstTick.Load()
		if int64(d) <= worst || c.worstTick.CompareAndSwap(worst, int64(d)) {
			return
		}
	}
}

func (c *counters) refuse(why world.RejectReason) { c.refusedWishes[why].Add(1) }

// counterName makes a name of a counter of words.
func counterName(words string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '_'
		case r == ',' || r == '\'':
			return -1
		}
		return unicode.ToLower(r)
	}, words)
}

// Counters returns what has been counted, by name.
func (s *Server) Counters() map[string]uint64 {
	c := &s.count
	all := map[string]uint64{
		"connections_accepted": c.accepted.Load(), "connections_refused": c.refused.Load(),
		"frames_in": c.framesIn.Load(), "frames_dropped": c.framesDropped.Load(),
		"bytes_in": c.bytesIn.Load(), "bytes_out": c.bytesOut.Load(),
		"pings": c.pings.Load(), "pings_foreign": c.foreignPings.Load(), "positions_refused": c.positionsRefused.Load(),
		"moves_dropped":       s.world.Dropped(),
		"messages_outofplace": c.outOfPlace.Load(), "frames_undecodable": c.undecodable.Load(),
		"checksum_mismatches": c.checksums.Load(),
		"logins":              c.logins.Load(), "logins_failed": c.loginsFailed.Load(), "logins_throttled": c.loginsThrottled.Load(),
		"accounts_made": c.accountsMade.Load(), "characters_made": c.charactersNew.Load(), "characters_deleted": c.charactersDeleted.Load(),
		"saves": c.saves.Load(), "save_failures": c.saveFailures.Load(), "panics": c.panics.Load(),
		"chat_lines": c.chatLines.Load(), "chat_held_back": c.chatHeldBack.Load(), "chat_abandoned": c.chatAbandoned.Load(),
		"chat_log_dropped": s.chronicle.dropped.Load(), "recordings_lost": c.recordingsLost.Load(),
		"ticks": c.ticks.Load(), "ticks_slow": c.slowTicks.Load(), "tick_worst_ns": uint64(c.worstTick.Load()),
		"belongings_changes": c.changes.Load(), "belongings_failed": c.changesFailed.Load(), "belongings_conflicts": c.changeConflicts.Load(),
	}
	for why := range c.refusedWishes {
		if n := c.refusedWishes[why].Load(); n > 0 {
			all["belongings_refused_"+counterName(world.RejectReason(why).String())] = n
		}
	}
	return all
}
