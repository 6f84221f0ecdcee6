package session

import (
	"context"
	"log/slog"
	"time"

	"sphereserver/packets"
)

// Settings are an operator's decisions about sessions.
type Settings struct {
	Generation
	Log *slog.Logger
	// Unknown logs requests of unknown form; nil: none does.
	Unknown *slog.Logger
	// Passwords hashes passwords; nil for this process.
	Passwords Passwords
	// CreateAccounts makes an account of an unknown login with the password given.
	CreateAccounts bool
	// Maintenance admits only operators, and the logins of Admit.
	Maintenance bool
	Admit       []string
	// TakeOver makes a newer login of an account close the older one; otherwise the newer one is refused.
	TakeOver bool
	Timeouts Timeouts
	Delays   Delays
	Limits   Limits
}

// Passwords hashes passwords, which takes tens of milliseconds of a processor.
type Passwords interface {
	// Hash makes the hash that an account stores.
	Hash(ctx context.Context, password string) (string, error)
	// Verify reports whether a password fits a hash.
	Verify(ctx context.Context, hash, password string) (bool, error)
}

// A Generation is the setting of the clients' dialect: one for all, or found out for each.
type Generation struct {
	// Dialect is the dialect of all clients; with Auto, of a client until it has shown its own.
	Dialect packets.Dialect
	Auto    bool
}

const autoGeneration = "auto"

// String returns the generation as settings spell it.
func (g Generation) String() string {
	if g.Auto {
		return autoGeneration
	}
	return g.Dialect.String()
}

// ParseGeneration reads the texts of String.
func ParseGeneration(name string) (Generation, error) {
	if name == autoGeneration {
		return Generation{Auto: true}, nil
	}
	d, err := packets.ParseDialect(name)
	return Generation{Dialect: d}, err
}

// Timeouts are how long a session may stay in a state, in all.
type Timeouts struct {
	Handshake time.Duration // connected, no answer to the greeting
	Login     time.Duration // greeted, no login
	Screen    time.Duration // on the character screen; the protocol sets no limit, this only ends the forgotten
	Entering  time.Duration // loading the world, no acknowledgement
	Silence   time.Duration // in the world, nothing heard
}

// Delays are the pauses that old servers made and clients are used to.
//
// Source: protocol session 4.6.
type Delays struct {
	Credentials time.Duration // after the client's answer
	Screen      time.Duration // after the login
	Records     time.Duration // after the start of the screen
	Settle      time.Duration // after the world's data
	AnyAck      time.Duration // how long another frame than the real acknowledgement is waited on
	Unstuck     time.Duration // standing still, before /unstuck takes a player away; ours
}

// Limits keep one client, or one address, from costing the others.
type Limits struct {
	// Of limits per address an IPv6 /48 has four times as much as an IPv4 address or an IPv6 /64. Of limits in all, a
	// fifth is kept for addresses with an earlier login.
	Connections        int     // in all
	PerAddress         int     // of one address
	NewPerAddressBurst int     // new connections of an address at once,
	NewPerAddress      float64 // and per second
	New                float64 // new connections per second in all, with a burst of the same

	FramesPerSecond float64 // of one session
	FramesBurst     int
	FramesDropped   int // above the rate, after which a session ends
	Pending         int // bytes that a client owes to read

	HashWorkers       int // password hashes at once
	LoginQueue        int // logins waiting
	FailuresPerMinute int // of one account from one address, then twice as long each time, up to 15 minutes
	AddressPerMinute  int // failures of one address, with all accounts
	AccountPerHour    int // failures of one account, from all addresses
	NewAccounts       int // made from one address in a minute
	NewCharacters     int // made by one account in an hour

	// ExemptLoopback frees this machine's own clients from the limits of connections and new accounts per address, and
	// from the rate of new connections. It is no help in guessing passwords.
	ExemptLoopback bool
}

// spareDescriptors are kept for the database, logs, other listeners and connections that are being refused.
const spareDescriptors = 512

// fitDescriptors lowers the limit of connections as far as the system's limit of descriptors demands, and says by how
// much.
func (l *Limits) fitDescriptors(have int) (lowered bool) {
	if have <= 0 {
		return false
	}
	room := have - spareDescriptors
	if room < have/4 {
		room = have / 4 // a very low limit: most of it still serves players
	}
	if l.Connections <= room {
		return false
	}
	l.Connections = max(room, 1)
	return true
}

// fitSystem lowers the limit of connections as far as this system demands, and logs that.
func (l *Limits) fitSystem(log *slog.Logger) {
	if wanted, have := l.Connections, descriptors(); l.fitDescriptors(have) {
		log.Warn("fewer connections than set: the system's limit of open files is too low", "set", wanted,
			"allowed", l.Connections, "open files", have)
	}
}

// DefaultSettings are the settings that ship.
func DefaultSettings() Settings {
	return Settings{Generation: Generation{Auto: true}, Log: slog.New(slog.DiscardHandler), CreateAccounts: true,
		Limits: DefaultLimits(),
		Timeouts: Timeouts{Handshake: 30 * time.Second, Login: 2 * time.Minute, Screen: 30 * time.Minute,
			Entering: 60 * time.Second, Silence: 60 * time.Second},
		Delays: Delays{Credentials: 100 * time.Millisecond, Screen: 50 * time.Millisecond,
			Records: 50 * time.Millisecond, Settle: 50 * time.Millisecond, AnyAck: 1500 * time.Millisecond,
			Unstuck: 10 * time.Second}}
}

// DefaultLimits are the limits that ship.
func DefaultLimits() Limits {
	return Limits{Connections: 10000, PerAddress: 8, NewPerAddressBurst: 10, NewPerAddress: 2, New: 200,
		FramesPerSecond: 30, FramesBurst: 50, FramesDropped: 300, Pending: 256 << 10,
		HashWorkers: 1, LoginQueue: 4096, FailuresPerMinute: 5, AddressPerMinute: 30, AccountPerHour: 100, NewAccounts: 20,
		NewCharacters: 10, ExemptLoopback: true}
}
