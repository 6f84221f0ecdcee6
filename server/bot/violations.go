package bot

import "fmt"

// A ViolationKind is something that the original client would stumble over, or that shows a server's defect.
type ViolationKind uint8

// The kinds of violations.
const (
	// Unanswered: a position message without an answer. After 10 s the client says that there is no link, and leaves.
	// Source: protocol session 4.7.
	Unanswered ViolationKind = iota
	// WrongID: an answer or a message about the own character names another object.
	WrongID
	// WrongOrigin: an answer to a position message with another origin than the one sent; the client leaves when it
	// differs too much. Source: protocol ingame 7.2.
	WrongOrigin
	// ClockBackwards: the server's clock went back.
	ClockBackwards
	// ClockRate: the server's clock does not run at 3 per second. Source: protocol ingame 3.1.
	ClockRate
	// Undecodable: a frame that the grammar does not read to its end.
	Undecodable
	// UnknownBits: a frame with regions or bits that have no known meaning.
	UnknownBits
	// StrangeFrame: an unknown channel, a known one in another form, or a header byte that is not 0.
	StrangeFrame
	// BrokenStream: the stream cannot be cut into frames, or ends inside one.
	BrokenStream
	// UnknownObject: a change or removal of an object that the client does not hold: its script machine may crash.
	// Source: protocol ingame 0, 9.4.
	UnknownObject
	// SecondSpawn: an object that the client holds already is made again; it would be ignored. Source: protocol ingame
	// 9.3.
	SecondSpawn
	// WrongClass: a change under another class than that of the object's spawn, or a class that cannot be.
	WrongClass
	// NoOrigin: a movement in a body without the origin that its offsets count from. Source: protocol ingame 6.3.
	NoOrigin
	// MissingSpawn: a slot was bound to an item that never comes. Source: protocol ingame 10.3.
	MissingSpawn
	// MissingGear: another player without the worn gear that makes it visible. Source: protocol ingame 9.3.
	MissingGear
	// Missing: a frame that the server owes did not come: statistics, game time, number of players, keepalive, the
	// frames of every 6 and 15 s. Source: protocol ingame 7.5.
	Missing
	// StateDiffers: what the server tells differs from what it has told before, or from what the client expects.
	StateDiffers
	// OutOfPlace: a message that cannot come at this point.
	OutOfPlace
	// Unseen: a client of the swarm is in sight of another one that was not given it. This one and the next three are
	// found by clients of a swarm, which knows where all of them are. Source: protocol ingame 9.8.
	Unseen
	// NotDespawned: somebody or something that is farther away than anything is shown, or has left the world, was not
	// taken away.
	NotDespawned
	// WrongPerson: another client of the swarm is shown under another name, or with another look or gender.
	WrongPerson
	// WrongPosition: another client of the swarm is shown where it is not.
	WrongPosition
	// Unreleased: the client has locked itself with a request, and was not released. Source: protocol ingame 13.1.
	Unreleased
	// NoReply: a request about items was not answered.
	NoReply
	// TwicePlaced: an item lies in two slots.
	TwicePlaced
	// UnsolicitedChange: something about the own belongings changes, and the client has not asked for it.
	UnsolicitedChange
	// WrongSum: weights, prices or money that do not add up. Source: protocol ingame 10.3, 11.2.
	WrongSum
	// OtherBelongings: the character comes back with other items or other money than it left with.
	OtherBelongings
	kinds // count
)

var kindNames = [kinds]string{"ping unanswered", "wrong object id", "wrong origin", "server clock went back",
	"server clock rate",
	"undecodable frame", "unknown bits", "strange frame", "broken stream", "unknown object", "second spawn", "wrong class", "movement without origin",
	"item never spawned", "player without gear", "missing frame", "state differs", "out of place", "player in sight not shown", "held beyond sight", "wrong name or look",
	"shown in a wrong place", "use lock not released", "request not answered", "thing in two slots", "belongings changed unasked", "wrong sum",
	"other belongings than at leaving"}

// String returns the kind's name.
func (k ViolationKind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// MarshalText returns the kind's name.
func (k ViolationKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// A Violation is how often something was found, and what the first times looked like.
type Violation struct {
	Kind     ViolationKind `json:"kind"`
	Count    int           `json:"count"`
	Examples []string      `json:"examples"`
}

// String shows the violation with its examples.
func (f Violation) String() string {
	s := fmt.Sprintf("%s × %d", f.Kind, f.Count)
	for _, e := range f.Examples {
		s += "\n    " + e
	}
	return s
}

// examplesKept is how many examples of a kind are kept.
const examplesKept = 5

// addViolation counts one more of a kind; text is asked for only while examples are kept.
func addViolation(all []Violation, k ViolationKind, text func() string) []Violation {
	i := 0
	for i < len(all) && all[i].Kind != k {
		i++
	}
	if i == len(all) {
		all = append(all, Violation{Kind: k})
	}
	f := &all[i]
	f.Count++
	if len(f.Examples) < examplesKept {
		f.Examples = append(f.Examples, text())
	}
	return all
}

func copyViolations(all []Violation) []Violation {
	var out []Violation
	for _, v := range all {
		v.Examples = append([]string(nil), v.Examples...)
		out = append(out, v)
	}
	return out
}

// shown is a frame in hex for an example, cut where it is long.
func shown(frame []byte) string {
	const limit = 64
	if len(frame) > limit {
		return fmt.Sprintf("% X … (%d bytes)", frame[:limit], len(frame))
	}
	return fmt.Sprintf("% X", frame)
}
