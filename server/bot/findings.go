package bot

import "fmt"

// A Kind is something that the original client would stumble over, or that shows a server's defect.
type Kind uint8

// The kinds of findings.
const (
	// Unanswered: a position message without an answer. After 10 s the client says that there is no link, and leaves.
	// Source: protocol session 4.7.
	Unanswered Kind = iota
	// WrongID: an answer or a message about the own character names another object.
	WrongID
	// WrongOrigin: an answer to a position message with another origin than the one sent; the client leaves when it differs
	// too much. Source: protocol ingame 7.2.
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
	// SecondSpawn: an object that the client holds already is made again; it would be ignored. Source: protocol ingame 9.3.
	SecondSpawn
	// WrongClass: a change under another class than that of the object's spawn, or a class that cannot be.
	WrongClass
	// NoOrigin: a movement in a body without the origin that its offsets count from. Source: protocol ingame 6.3.
	NoOrigin
	// Unspawned: a slot was bound to an item that never comes. Source: protocol ingame 10.3.
	Unspawned
	// Undressed: another player without the worn gear that makes it visible. Source: protocol ingame 9.3.
	Undressed
	// Missing: a frame that the server owes did not come: statistics, game time, number of players, keepalive, the frames of
	// every 6 and 15 s. Source: protocol ingame 7.5.
	Missing
	// StateDiffers: what the server tells differs from what it has told before, or from what the client expects.
	StateDiffers
	// OutOfPlace: a message that cannot come at this point.
	OutOfPlace
	// Unseen: a client of the swarm is in sight of another one that was not given it. This one and the next three are found by
	// clients of a swarm, which knows where all of them are. Source: protocol ingame 9.8.
	Unseen
	// Overstayed: somebody or something that is farther away than anything is shown, or has left the world, was not taken away.
	Overstayed
	// WrongPerson: another client of the swarm is shown under another name, or with another look or gender.
	WrongPerson
	// Misplaced: another client of the swarm is shown where it is not.
	Misplaced
	// Unreleased: the client has locked itself with a request, and was not released. Source: protocol ingame 13.1.
	Unreleased
	// Unheeded: a request about things was not answered.
	Unheeded
	// TwicePlaced: a thing lies in two slots.
	TwicePlaced
	// Unasked: something about the own belongings changes, and the client has not asked for it.
	Unasked
	// WrongSum: weights, prices or money that do not add up. Source: protocol ingame 10.3, 11.2.
	WrongSum
	// OtherBelongings: the character comes back with other things or other money than it left with.
	OtherBelongings
	kinds // count
)

var kindNames = [kinds]string{"ping unanswered", "wrong object id", "wrong origin", "server clock went back", "server clock rate",
	"undecodable frame", "unknown bits", "strange frame", "broken stream", "unknown object", "second spawn", "wrong class", "movement without origin",
	"item never spawned", "player without gear", "missing frame", "state differs", "out of place", "player in sight not shown", "held beyond sight", "wrong name or look",
	"shown in a wrong place", "use lock not released", "request not answered", "thing in two slots", "belongings changed unasked", "wrong sum",
	"other belongings than at leaving"}

// String returns the kind's name.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// MarshalText returns the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// A Finding is how often something was found, and what the first times looked like.
type Finding struct {
	Kind     Kind     `json:"kind"`
	Count    int      `json:"count"`
	Examples []string `json:"examples"`
}

// String shows the finding with its examples.
func (f Finding) String() string {
	s := fmt.Sprintf("%s × %d", f.Kind, f.Count)
	for _, e := range f.Examples {
		s += "\n    " + e
	}
	return s
}

// examplesKept is how many examples of a kind are kept.
const examplesKept = 5

// addFinding counts one more of a kind; text is asked for only while examples are kept.
func addFinding(all []Finding, k Kind, text func() string) []Finding {
	i := 0
	for i < len(all) && all[i].Kind != k {
		i++
	}
	if i == len(all) {
		all = append(all, Finding{Kind: k})
	}
	f := &all[i]
	f.Count++
	if len(f.Examples) < examplesKept {
		f.Examples = append(f.Examples, text())
	}
	return all
}

// find notes a finding.
func (c *Client) find(k Kind, format string, args ...any) {
	text := func() string { return fmt.Sprintf(format, args...) }
	c.findings = addFinding(c.findings, k, text)
	if c.options.onFinding != nil {
		c.options.onFinding(k, text)
	}
	if c.options.Tell != nil {
		c.tell("finding: %s: %s", k, text())
	}
}

// Findings returns what the client has found, by kind in the order of their first appearance.
func (c *Client) Findings() []Finding {
	if c.gone == nil {
		c.checkUnborn(c.left)
	}
	out := make([]Finding, len(c.findings))
	for i, f := range c.findings {
		f.Examples = append([]string(nil), f.Examples...)
		out[i] = f
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
