package session

import (
	"sync/atomic"

	"sphereserver/server/measure"
)

// sessionCounters are the counters of sessions. Each is declared in [newSessionCounters], and so is in the status and
// in the metrics.
type sessionCounters struct {
	accepted, refused                *measure.Counter // connections
	framesIn, framesDropped          *measure.Counter
	bytesIn, bytesOut                *measure.Counter
	pings, foreignPings              *measure.Counter // answered; naming another player
	positionsRefused                 *measure.Counter
	outOfPlace, undecodable          *measure.Counter
	checksums                        *measure.Counter // that do not match
	logins, loginsFailed             *measure.Counter
	loginsThrottled                  *measure.Counter
	accountsMade                     *measure.Counter
	charactersNew, charactersDeleted *measure.Counter
	panics                           *measure.Counter
	recordingsLost                   *measure.Counter // sessions with a recording that ended early

	sessions atomic.Int64 // current
}

// newSessionCounters declares the counters of sessions: each by its name in the status, its name in Prometheus, and
// its meaning.
func newSessionCounters(r *measure.Registry) *sessionCounters {
	return &sessionCounters{
		accepted: r.Counter("connections_accepted", "sphere_connections_accepted_total",
			"Connections of clients that were accepted."),
		refused: r.Counter("connections_refused", "sphere_connections_refused_total",
			"Connections of clients that were refused."),
		framesIn:      r.Counter("frames_in", "sphere_frames_received_total", "Frames of clients."),
		framesDropped: r.Counter("frames_dropped", "sphere_frames_dropped_total", "Frames of clients above their rate."),
		bytesIn:       r.Counter("bytes_in", "sphere_received_bytes_total", "Bytes from clients."),
		bytesOut:      r.Counter("bytes_out", "sphere_sent_bytes_total", "Bytes to clients."),
		pings:         r.Counter("pings", "sphere_position_messages_total", "Position messages that were answered."),
		foreignPings: r.Counter("pings_foreign", "sphere_position_messages_foreign_total",
			"Position messages that name another player."),
		positionsRefused: r.Counter("positions_refused", "sphere_positions_refused_total", "Positions that cannot be."),
		outOfPlace: r.Counter("messages_outofplace", "sphere_messages_out_of_place_total",
			"Messages that do not belong into the state of their session."),
		undecodable: r.Counter("frames_undecodable", "sphere_frames_undecodable_total", "Frames that could not be decoded."),
		checksums: r.Counter("checksum_mismatches", "sphere_checksum_mismatches_total",
			"Frames whose checksum does not match."),
		logins:          r.Counter("logins", "sphere_logins_total", "Logins."),
		loginsFailed:    r.Counter("logins_failed", "sphere_logins_failed_total", "Logins that were refused."),
		loginsThrottled: r.Counter("logins_throttled", "sphere_logins_throttled_total", "Logins that came too often."),
		accountsMade: r.Counter("accounts_made", "sphere_accounts_created_total",
			"Accounts that were made by a first login."),
		charactersNew: r.Counter("characters_made", "sphere_characters_created_total", "Characters that were made."),
		charactersDeleted: r.Counter("characters_deleted", "sphere_characters_deleted_total",
			"Characters that were deleted by their players."),
		panics:         r.Counter("panics", "sphere_panics_total", "Defects of the server that ended one session."),
		recordingsLost: r.Counter("recordings_lost", "sphere_recordings_lost_total", "Sessions whose recording ended early."),
	}
}
