package content

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A PieceKind is a kind of object in an instance.
type PieceKind string

// The kinds of pieces.
const (
	PieceStart     PieceKind = "start" // where one begins
	PieceLabyrinth PieceKind = "labyrinth"
	PieceNPC       PieceKind = "npc"
	PieceItem      PieceKind = "item"
	PieceChest     PieceKind = "chest"
	PieceTeleport  PieceKind = "teleport"
	PiecePost      PieceKind = "post" // a text of the first lessons
	PieceMonster   PieceKind = "monster"
)

var pieceKinds = []PieceKind{PieceStart, PieceLabyrinth, PieceNPC, PieceItem, PieceChest, PieceTeleport, PiecePost,
	PieceMonster}

// A Piece is something that stands in each instance of a dungeon.
type Piece struct {
	Kind      PieceKind
	Class     int
	At        coords.Position // from the origin of the instance
	Number    int             // of the map, the name, the text, the kind of item, the model, the type
	Things    []rules.Item    // of a chest: its contents
	Sometimes bool            // only half of all instances have it
	Source    string
}

// Newcomers is the key of the dungeon in which new characters begin.
const Newcomers = "newcomers"

// MissionDungeon is the key of the dungeon in which missions are done: its last monster is the target.
const MissionDungeon = "mission"

var loadInstances = embedded("instances.tsv", parseInstances)

// Pieces returns the pieces of the instances of a dungeon, in the order in which clients are shown them; nil for a
// dungeon that is not known. The slice is shared and not to be changed.
func Pieces(dungeon string) []Piece { return loadInstances()[dungeon] }

var pieceColumns = []string{"layout", "kind", "class", "x", "y", "z", "yaw", "number", "things", "often", "source"}

// parseInstances reads a table of the pieces of instances.
func parseInstances(name, text string) (map[string][]Piece, error) {
	out := map[string][]Piece{}
	err := readTable(name, text, pieceColumns, func(r *tableRow) {
		p := Piece{Kind: choice(r, "kind", pieceKinds...), At: r.position("x", "y", "z"),
			Sometimes: choice(r, "often", "always", "half") == "half", Source: r.text("source")}
		p.At.Yaw = r.yaw("yaw")
		if p.Kind != PieceStart {
			p.Class = int(r.number("class", 1, 4095))
		}
		if r.known("number") {
			p.Number = int(r.number("number", 0, math.MaxInt32))
		}
		if r.known("things") {
			p.contents(r)
		}
		for _, d := range []float32{p.At.X, p.At.Y, p.At.Z} {
			if r.err == nil && math.Abs(float64(d)) > rules.InstanceReach {
				r.err = fmt.Errorf("%s: expected a place within %d m of the origin, found %v", r.where, rules.InstanceReach, p.At)
			}
		}
		layout := r.text("layout")
		out[layout] = append(out[layout], p)
	})
	for layout, pieces := range out {
		if err == nil && (len(pieces) < 2 || pieces[0].Kind != PieceStart || pieces[1].Kind != PieceLabyrinth) {
			err = fmt.Errorf("%s: %s: expected a start and a labyrinth before all else", name, layout)
		}
	}
	return out, err
}

// contents reads the contents of a chest.
func (p *Piece) contents(r *tableRow) {
	for _, word := range strings.Fields(r.text("things")) {
		class, count, _ := strings.Cut(word, ":")
		c, err := strconv.ParseUint(class, 10, 12)
		n, err2 := strconv.ParseUint(count, 10, 8)
		if err != nil || err2 != nil || n == 0 || len(p.Things) >= rules.ClassOf(rules.ClassChest).Room {
			r.fail("things", "up to nine of CLASS:COUNT")
			return
		}
		p.Things = append(p.Things, rules.Item{Class: int(c), Suffix: rules.NoSuffix, Count: int(n), Durability: 100,
			MaxDurability: 100, Slot: len(p.Things)})
	}
}
