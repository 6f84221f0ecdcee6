// Package ops has the operators' verbs on a server, each once: the role that it needs, its checks, its entry in the
// audit trail, and its work, on a data folder alone or through a running server.
//
// A [Verb] is asked for by the chat, the admin page, programs with a token and the command line alike; they differ in
// their [Actor] only.
package ops

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Store is the part of package data that verbs need. [data.Store] is one.
type Store interface {
	Accounts(ctx context.Context, like string) ([]data.Account, error)
	AccountByID(ctx context.Context, id data.AccountID) (data.Account, error)
	AccountByLogin(ctx context.Context, login string) (data.Account, error)
	CreateAccount(ctx context.Context, login, passwordHash string, role data.Role) (data.Account, error)
	DeleteAccount(ctx context.Context, id data.AccountID) error
	SetPassword(ctx context.Context, id data.AccountID, hash string) error
	SetRole(ctx context.Context, id data.AccountID, r data.Role) error
	Ban(ctx context.Context, id data.AccountID, b data.Ban) error
	Unban(ctx context.Context, id data.AccountID) error
	Mute(ctx context.Context, id data.AccountID, m data.Mute) error
	Unmute(ctx context.Context, id data.AccountID) error
	BanAddress(ctx context.Context, b data.AddressBan) error
	UnbanAddress(ctx context.Context, p netip.Prefix) error
	AddressBans() []data.AddressBan
	AddNote(ctx context.Context, account data.AccountID, by, text string) (data.Note, error)
	Notes(ctx context.Context, account data.AccountID, most int) ([]data.Note, error)
	NoteByID(ctx context.Context, id data.NoteID) (data.Note, error)
	DeleteNote(ctx context.Context, id data.NoteID) error
	LastAddresses(ctx context.Context, most int) ([]string, error)

	FindCharacters(ctx context.Context, like string) ([]data.Character, error)
	Characters(ctx context.Context, id data.AccountID) ([]data.Character, error)
	CharacterByID(ctx context.Context, id data.CharacterID) (data.Character, error)
	CharacterByName(ctx context.Context, name string) (data.Character, error)
	MoveCharacter(ctx context.Context, id data.CharacterID, p coords.Position) error
	RenameCharacter(ctx context.Context, id data.CharacterID, name string) error
	DeleteCharacter(ctx context.Context, id data.CharacterID) (data.Character, error)
	DeletedCharacters(ctx context.Context, account data.AccountID, like string) ([]data.DeletedCharacter, error)
	DeletedByID(ctx context.Context, id data.CharacterID) (data.DeletedCharacter, error)
	DeletedByName(ctx context.Context, name string) (data.DeletedCharacter, error)
	UndeleteCharacter(ctx context.Context, id data.CharacterID, slot int) (data.Character, error)
	Items(ctx context.Context, owner data.CharacterID) ([]rules.Item, error)
	Vault(ctx context.Context, account data.AccountID) ([]rules.Item, error)
	Apply(ctx context.Context, c rules.Change) ([]rules.ItemID, error)
	TurnSpawners(ctx context.Context, keys []string, off bool) error
	Rates(ctx context.Context) ([]data.Rate, error)
	SetRate(ctx context.Context, r data.Rate) error
	EndRates(ctx context.Context, k rules.RateKind) error
	Orders(ctx context.Context) (map[data.OrderKey]data.Order, error)
	SetOrder(ctx context.Context, key data.OrderKey, o data.Order) error
	EndOrder(ctx context.Context, key data.OrderKey) error

	Dir() string
	Backup(ctx context.Context, path string) error
	Check(ctx context.Context) ([]string, error)
	Counts(ctx context.Context) (data.Counts, error)
	AppendAudit(ctx context.Context, e data.AuditEntry) error
	AuditTrail(ctx context.Context, f data.AuditFilter, limit int) ([]data.AuditEntry, error)
}

// Runtime is the part of a running server: the sessions and the world. Its methods may be called from any goroutine.
type Runtime interface {
	// Disconnect tells the player of an account why, ends its sessions (if any), and returns when their characters are
	// saved.
	Disconnect(ctx context.Context, account data.AccountID, why Notice) error
	// SetMute tells the session of an account, if any, of a mute that was stored; the zero value is none. SetRole does so
	// of a role.
	SetMute(account data.AccountID, m data.Mute)
	SetRole(account data.AccountID, r data.Role)
	// Announce says something to all in the world, Tell to the player of one account; false if it is not in the world.
	Announce(text string)
	Tell(account data.AccountID, n Notice) bool
	// PlanStop makes the server stop at a time, which players are told, in the place of the former plan; nil takes that
	// back. It returns the former plan, nil for none.
	PlanStop(*PlannedStop) (before *PlannedStop)
	// RatesChanged makes rates that have changed in the store count. FileRates are the rates of the balance file.
	RatesChanged()
	FileRates() rules.RatePlans
	// ChangeOrder makes an order that was stored count, nil one that was deleted no more. FileOrders are those of the
	// configuration.
	ChangeOrder(data.OrderKey, *data.Order)
	FileOrders() ServerOrders
	// Online reports whether the account has a session, and the character in the world (0 if none). Present is that
	// character as it is in the world; false if it is not there.
	Online(account data.AccountID) (online bool, character data.CharacterID)
	Present(account data.AccountID, id data.CharacterID) (world.PlayerView, bool)
	// LockedUntil is until when wrong passwords from elsewhere keep all but known addresses from logging in with an
	// account, the zero time if they do not.
	LockedUntil(login string) time.Time
	// World is the latest snapshot of the world, Command asks it for something.
	World() *world.Snapshot
	Command(world.Command)
	NextEntityID() world.EntityID
	// Change does a deed, in the world if the character is there, else where it is stored, and returns when it is durable.
	Change(ctx context.Context, id data.CharacterID, d Deed) (money int64, err error)
	// Kinds is the catalogue of items, Missions the templates of missions, Start where new characters begin.
	Kinds() *content.Catalogue
	Missions() []rules.MissionTemplate
	Start() coords.Position
}

// A Deed changes a character. The world changes a character in it, the store all others; never both, so that nothing
// is done twice or undone by an older state.
type Deed struct {
	InWorld func(id world.PlayerID, tag uint64) world.Command
	Stored  func(ctx context.Context, c *data.Character) (rules.Change, error)
}

// A Recorder is a running server that can record sessions.
type Recorder interface {
	// MayRecord says why a recording of an order cannot begin, nil if it can: no such session, or one goes on.
	MayRecord(RecordingOrder) error
	// BeginRecording records the sessions of the order, into a file that does not exist yet.
	BeginRecording(RecordingOrder) (Recording, error)
	// EndRecording ends the recording that goes on and returns when its file is whole; without one that is ErrNoRecording.
	EndRecording() (Recording, error)
	// LastRecording is the recording that goes on, or the last one; false without any.
	LastRecording() (Recording, bool)
}

// A firstKey makes the first administrator; see [Service.FirstKey].
type firstKey struct {
	mu   sync.Mutex
	key  string // "" until it is first asked for
	done bool   // there has been an administrator
}

// A Service does verbs. Fields may be changed before its first use only.
type Service struct {
	Store    Store
	Runtime  Runtime        // nil when no server is running
	Recorder Recorder       // records sessions; nil when no server is running
	Doubts   func() []Doubt // whose moves were not believed; nil when no server is running
	Status   func() Status  // figures of the running server, nil when there is none
	// Reload makes the running server read its configuration again, and returns the changes; with check it only returns
	// them; nil when there is none.
	Reload func(check bool) ([]SettingChange, error)
	// ReadBalance and WriteBalance read and replace the balance file of the running server; nil when there is none. The
	// second returns the changes, and only these with Check; it refuses with ErrChanged when the file is another one by
	// now.
	ReadBalance  func() (BalanceFile, error)
	WriteBalance func(BalanceOrder) ([]SettingChange, error)
	// FileOrders are the orders of the configuration where no server is running; nil: none.
	FileOrders func() ServerOrders
	// Russian is an error in Russian, for the audit trail; nil: only errors that know both languages are told in Russian.
	Russian func(error) string
	Log     *slog.Logger // nil: nothing is logged

	HashParams data.HashParams // cost of new passwords; zero: data.DefaultHashParams

	// DenialEvery is how long the same operator's next attempt at the same thing beyond its role is not written down, so
	// that nobody fills the audit trail; 0: a minute.
	DenialEvery time.Duration
	denials     struct {
		mu sync.Mutex
		at map[denial]time.Time // the last one that was written down
	}

	whole  turn // to read whole tables
	first  firstKey
	orders turn     // to store an order and give it to the server, so that both have the same last one
	folder struct { // values read once when no server is running
		once  sync.Once
		kinds *content.Catalogue
	}
}

// kinds is the catalogue of the running server, else the data folder's or the built-in one.
func (s *Service) kinds() *content.Catalogue {
	if s.Runtime != nil {
		return s.Runtime.Kinds()
	}
	s.folder.once.Do(func() {
		s.folder.kinds, _ = content.Open(s.Store.Dir()) // the built-in one if the imported is broken
	})
	return s.folder.kinds
}

// An Actor asks for a verb.
type Actor struct {
	Account data.AccountID // 0 for the owner of the machine, on the command line
	Name    string         // for the audit trail
	Role    data.Role
}

// MachineOwner is the actor of the command line in the audit trail, before the name of its user, if that is known.
const MachineOwner = "operator"

// Owner is the actor of the command line: a user that may read the data folder may do everything.
func Owner(name string) Actor {
	if name == "" {
		name = MachineOwner
	}
	return Actor{Name: name, Role: data.Administrator}
}

// A Rule says which accounts may be the target of a verb.
type Rule uint8

// The rules. Administrators may do everything to all others.
const (
	Anybody  Rule = iota
	NotAbove      // with a role not above the actor's
	Below         // with a role below the actor's; never the actor
)

// A Verb is one thing that operators do.
type Verb[Request, Answer any] struct {
	name  string // in the audit trail
	least data.Role
	rule  Rule
	do    func(*call, Request) (Answer, error)
}

func verb[R, A any](name string, least data.Role, rule Rule, do func(*call, R) (A, error)) Verb[R, A] {
	return Verb[R, A]{name, least, rule, do}
}

// Any is a verb with any request and answer.
type Any interface {
	// Name is the verb's name in the audit trail, Least the role that it takes, Rule its possible targets.
	Name() string
	Least() data.Role
	Rule() Rule
	// NewRequest returns a pointer to an empty request, which DoAny takes.
	NewRequest() any
	DoAny(ctx context.Context, s *Service, by Actor, request any) (any, error)
}

// Name is the verb's name in the audit trail.
func (v Verb[R, A]) Name() string { return v.name }

// Least is the role that the verb takes at least.
func (v Verb[R, A]) Least() data.Role { return v.least }

// Rule says which accounts may be the target of the verb.
func (v Verb[R, A]) Rule() Rule { return v.rule }

// NewRequest returns a pointer to an empty request.
func (v Verb[R, A]) NewRequest() any { return new(R) }

// DoAny is Do with a pointer to a request.
func (v Verb[R, A]) DoAny(ctx context.Context, s *Service, by Actor, request any) (any, error) {
	return v.Do(ctx, s, by, *request.(*R))
}

// Do does the verb. A wrong request, or a missing right, is a [Refusal] or [Faults].
func (v Verb[R, A]) Do(ctx context.Context, s *Service, by Actor, request R) (A, error) {
	var none A
	if by.Role < v.least {
		return none, s.Deny(ctx, by, v)
	}
	if r, ok := any(request).(checked); ok {
		var f Faults
		r.check(&f)
		if err := f.Err(); err != nil {
			return none, err
		}
	}
	answer, err := v.do(&call{Context: ctx, Service: s, by: by, verb: v.name, rule: v.rule}, request)
	if err != nil {
		return none, err
	}
	return answer, nil
}

// A checked request adds the faults of its arguments.
type checked interface{ check(f *Faults) }

// A call is a verb that is being done.
type call struct {
	context.Context
	*Service
	by   Actor
	verb string
	rule Rule
}

// A turn is had by one at a time.
type turn struct {
	once sync.Once
	held chan struct{}
}

// take waits for the turn, or until the context is done. Call done at the end of the turn.
func (t *turn) take(ctx context.Context) (done func(), err error) {
	t.once.Do(func() { t.held = make(chan struct{}, 1) })
	select {
	case t.held <- struct{}{}:
		return func() { <-t.held }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inTurn waits until no other verb reads a whole table: the readers of the store are few, and logins need them.
func (c *call) inTurn() (done func(), err error) { return c.whole.take(c) }

// audited makes the writes of the store leave an entry in the audit trail, in the same transaction.
func (c *call) audited(target, detail string) context.Context {
	return data.Audited(c, c.entry(target, detail))
}

func (c *call) entry(target, detail string) data.AuditEntry {
	if strings.HasPrefix(detail, notDone) { // an operator's own words, which must not read as a failure
		detail = `"` + detail + `"`
	}
	return data.AuditEntry{Who: c.by.Name, Action: c.verb, Target: target, Detail: detail}
}

// notDone begins the details of a failed act.
const notDone = "not done: "

// Record does an act that no transaction can hold: the entry comes first, so that nothing is done without one. A
// failure is noted as such.
func (s *Service) Record(ctx context.Context, e data.AuditEntry, do func() error) error {
	if err := s.Store.AppendAudit(ctx, e); err != nil {
		return err
	}
	err := do()
	if err != nil {
		e.Detail = s.failure(err)
		s.note(context.WithoutCancel(ctx), e)
	}
	return err
}

// failure is the detail of an act that failed: why, in English and, in a line of its own, in Russian where that is
// known.
func (s *Service) failure(err error) string {
	english, russian := err.Error(), err.Error()
	var both Localized
	switch {
	case s.Russian != nil:
		russian = s.Russian(err)
	case errors.As(err, &both):
		russian = both.In(true)
	}
	oneLine := strings.NewReplacer("\n", "; ")
	detail := notDone + oneLine.Replace(english)
	if russian != english {
		detail += "\n" + oneLine.Replace(russian)
	}
	return detail
}

// whyNot is the reason that [Service.failure] has written down; false for the detail of another entry.
func whyNot(detail string) (why Text, failed bool) {
	rest, failed := strings.CutPrefix(detail, notDone)
	english, russian, both := strings.Cut(rest, "\n")
	if !both {
		russian = english
	}
	return Text{russian, english}, failed
}

func (c *call) record(target, detail string, do func() error) error {
	return c.Record(c, c.entry(target, detail), do)
}

// command gives the world a command, and records it.
func (c *call) command(target, detail string, command world.Command) error {
	return c.record(target, detail, func() error {
		c.Runtime.Command(command)
		return nil
	})
}

var (
	roleText  = Text{"Для этого нужна роль «%s», а у вас «%s».", "This needs the role %s, yours is %s."}
	selfText  = Text{"С собой этого сделать нельзя.", "You cannot do this to yourself."}
	aboveText = Text{"%s — %s: для этого нужна роль выше.", "%s is a %s: this needs a higher role."}
)

// RoleNames are the roles as people read them.
var RoleNames = [...]Text{data.Player: {"игрок", "player"}, data.Helper: {"помощник", "helper"},
	data.GameMaster:    {"мастер игры", "game master"},
	data.Administrator: {"администратор", "administrator"}}

// Deny refuses a verb that takes a higher role. An operator's attempt is noted; players may not fill the trail.
func (s *Service) Deny(ctx context.Context, by Actor, v Any) *Refusal {
	if by.Role > data.Player {
		s.Denied(ctx, by, v.Name(), "")
	}
	return RoleRefusal(v.Least(), by.Role)
}

// RoleRefusal is the refusal of a verb that takes a higher role.
func RoleRefusal(least, role data.Role) *Refusal {
	return refuse(ErrForbidden, roleText, RoleNames[least], RoleNames[role])
}

// A denial is a forbidden attempt of an account.
type denial struct {
	account data.AccountID
	what    string
}

// maxDenials bounds the remembered ones.
const maxDenials = 4096

// Denied notes a forbidden attempt of an operator, with its target if it had one.
func (s *Service) Denied(ctx context.Context, by Actor, what, whom string) {
	if s.worthNoting(denial{by.Account, what}, time.Now()) {
		s.note(ctx, data.AuditEntry{Who: by.Name, Action: "refused", Target: by.Name,
			Detail: strings.TrimSpace(what + " " + whom)})
	}
}

// worthNoting reports whether the like of a denial was written down long ago or never, and notes that it is now.
func (s *Service) worthNoting(d denial, now time.Time) bool {
	every := cmp.Or(s.DenialEvery, time.Minute)
	s.denials.mu.Lock()
	defer s.denials.mu.Unlock()
	if at, known := s.denials.at[d]; known && now.Sub(at) < every {
		return false
	}
	if len(s.denials.at) >= maxDenials || s.denials.at == nil {
		s.denials.at = map[denial]time.Time{}
	}
	s.denials.at[d] = now
	return true
}

// note notes an act that was not done. A failure to write it changes nothing.
func (s *Service) note(ctx context.Context, e data.AuditEntry) {
	if err := s.Store.AppendAudit(ctx, e); err != nil && s.Log != nil {
		s.Log.Warn("cannot write into the audit trail", "who", e.Who, "action", e.Action, "target", e.Target,
			"detail", e.Detail, "error", err)
	}
}

// mayActOn applies the verb's rule to an account, which the refusal calls by a name.
func (c *call) mayActOn(a *data.Account, name string) error {
	switch {
	case c.rule == Below && a.ID == c.by.Account:
		return refuse(ErrSelf, selfText)
	case c.by.Role >= data.Administrator, c.rule == Anybody,
		c.rule == Below && a.Role < c.by.Role, c.rule == NotAbove && a.Role <= c.by.Role:
		return nil
	}
	c.Denied(c, c.by, c.verb, a.Login)
	return refuse(ErrForbidden, aboveText, name, RoleNames[a.Role])
}
