package bot

import (
	"fmt"
	"slices"
	"strings"
)

// A ViolationKind is something that the original client would stumble over, or that shows a server's defect.
type ViolationKind string

// The kinds of violations.
const (
	// Unanswered: a position message without an answer. After 10 s the client says that there is no link, and leaves.
	// Source: protocol session 4.7.
	Unanswered ViolationKind = "ping unanswered"
	// WrongID: an answer or a message about the own character names another object.
	WrongID ViolationKind = "wrong object id"
	// WrongOrigin: an answer to a position message with another origin than the one sent; the client leaves when it
	// differs too much. Source: protocol ingame 7.2.
	WrongOrigin ViolationKind = "wrong origin"
	// ClockBackwards: the server's clock went back.
	ClockBackwards ViolationKind = "server clock went back"
	// ClockRate: the server's clock does not run at 3 per second. Source: protocol ingame 3.1.
	ClockRate ViolationKind = "server clock rate"
	// Undecodable: a frame that the grammar does not read to its end.
	Undecodable ViolationKind = "undecodable frame"
	// UnknownBits: a frame with regions or bits that have no known meaning.
	UnknownBits ViolationKind = "unknown bits"
	// StrangeFrame: an unknown channel, a known one in another form, or a header byte that is not 0.
	StrangeFrame ViolationKind = "strange frame"
	// BrokenStream: the stream cannot be cut into frames, or ends inside one.
	BrokenStream ViolationKind = "broken stream"
	// UnknownObject: a change or removal of an object that the client does not hold: its script machine may crash.
	// Source: protocol ingame 0, 9.4.
	UnknownObject ViolationKind = "unknown object"
	// SecondSpawn: an object that the client holds already is made again; it would be ignored. Source: protocol ingame
	// 9.3.
	SecondSpawn ViolationKind = "second spawn"
	// WrongClass: a change under another class than the one of the object's spawn, or a class that cannot be.
	WrongClass ViolationKind = "wrong class"
	// NoOrigin: a movement in a body without the origin that its offsets count from. Source: protocol ingame 6.3.
	NoOrigin ViolationKind = "movement without origin"
	// MissingSpawn: a slot was bound to an item that never comes. Source: protocol ingame 10.3.
	MissingSpawn ViolationKind = "item never spawned"
	// MissingGear: another player without the worn gear that makes it visible. Source: protocol ingame 9.3.
	MissingGear ViolationKind = "player without gear"
	// Missing: a frame that the server owes did not come: statistics, game time, number of players, keepalive, the
	// frames of every 6 and 15 s. Source: protocol ingame 7.5.
	Missing ViolationKind = "missing frame"
	// StateDiffers: a message differs from an earlier one of the server, or from the client's expectation.
	StateDiffers ViolationKind = "state differs"
	// OutOfPlace: a message that cannot come at this point.
	OutOfPlace ViolationKind = "out of place"
	// Unseen: a client of the swarm is in sight of another one that was not given it. This one and the next three are
	// found by clients of a swarm, which knows where all of them are. Source: protocol ingame 9.8.
	Unseen ViolationKind = "player in sight not shown"
	// NotDespawned: a player or an object that is too far away to be shown, or has left the world, was not removed.
	NotDespawned ViolationKind = "held beyond sight"
	// WrongPerson: another client of the swarm is shown under another name, or with another look or gender.
	WrongPerson ViolationKind = "wrong name or look"
	// WrongPosition: another client of the swarm is shown where it is not.
	WrongPosition ViolationKind = "shown in a wrong place"
	// Unreleased: the client has locked itself with a request, and was not released. Source: protocol ingame 13.1.
	Unreleased ViolationKind = "use lock not released"
	// NoReply: a request about items was not answered.
	NoReply ViolationKind = "request not answered"
	// TwicePlaced: an item lies in two slots.
	TwicePlaced ViolationKind = "thing in two slots"
	// UnsolicitedChange: something about the own belongings changes, and the client has not asked for it.
	UnsolicitedChange ViolationKind = "belongings changed unasked"
	// WrongSum: weights, prices or money that do not add up. Source: protocol ingame 10.3, 11.2.
	WrongSum ViolationKind = "wrong sum"
	// HPDiffer: HP of the own character or of a monster that disagree with the sum of the hits that were told.
	// Source: protocol fight 1.2.
	HPDiffer ViolationKind = "HP differ"
	// Jumps: a monster goes farther than it can in the time, and was not put there. Source: protocol fight 4.4.
	Jumps ViolationKind = "monster jumps"
	// AfterDeath: something that only the living do or suffer is told of the dead. Source: protocol fight 4.4, 4.6.
	AfterDeath ViolationKind = "after its death"
	// MissingBag: another client in sight of the place was shown the bag of a kill, and this one was not.
	MissingBag ViolationKind = "bag not shown"
	// ExperienceLost: a level or experience falls, otherwise than by death. Source: protocol fight 8.2.
	ExperienceLost ViolationKind = "experience lost"
	// MissionFails: a mission that cannot be done: its key opens nothing, its target is not shown, or dies and it goes on.
	MissionFails ViolationKind = "mission that cannot be done"
	// PaidOtherwise: a mission that is paid without its key being taken, or a key that is taken for nothing.
	PaidOtherwise ViolationKind = "mission paid otherwise than once"
	// OtherBelongings: the character comes back with other items or other money than it left with.
	OtherBelongings ViolationKind = "other belongings than at leaving"
)

// A Violation is how often a fault was found, with its first examples.
type Violation struct {
	Kind     ViolationKind `json:"kind"`
	Count    int           `json:"count"`
	Examples []string      `json:"examples"`
}

// String shows the violation with its examples.
func (f Violation) String() string {
	return strings.Join(append([]string{fmt.Sprintf("%s × %d", f.Kind, f.Count)}, f.Examples...), "\n    ")
}

const examplesKept = 5

// addViolation counts one more of a kind; text is asked for only while examples are kept.
func addViolation(all []Violation, k ViolationKind, text func() string) []Violation {
	i := slices.IndexFunc(all, func(v Violation) bool { return v.Kind == k })
	if i < 0 {
		i, all = len(all), append(all, Violation{Kind: k})
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
		v.Examples = slices.Clone(v.Examples)
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
