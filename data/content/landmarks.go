package content

import "sphereserver/coords"

// guessedHeight is the height of landmarks, in metres, since a flat map has none: most measured points of Hyperion
// lie near it.
const guessedHeight = 159

// A Landmark is something that lies about the country, as players have drawn it.
type Landmark struct {
	Key              string // stable, of small Latin letters, digits and hyphens
	Kind             string
	Russian, English string
	Position         coords.Position // its height is a guess
	Error            float32         // metres by which x and z may be off
	What             string          // more words of the map, such as the metals of an ore field
}

var loadLandmarks = embedded("landmarks.tsv", parseLandmarks)

// Landmarks returns the landmarks that players have drawn, in the order of the table. The slice is shared and not to
// be changed.
func Landmarks() []Landmark { return loadLandmarks() }

var landmarkColumns = []string{"key", "kind", "x", "z", "error", "english", "russian", "what"}

// parseLandmarks reads a table of landmarks.
func parseLandmarks(name, text string) ([]Landmark, error) {
	var all []Landmark
	err := readTable(name, text, landmarkColumns, func(r *tableRow) {
		m := Landmark{Key: r.key("key"), Kind: r.text("kind"), English: r.text("english"), Russian: r.text("russian"),
			Position: coords.Position{X: r.float("x"), Y: guessedHeight, Z: r.float("z")}, Error: r.metres("error"),
			What: r.optional("what")}
		if err := m.Position.Check(); err != nil && r.err == nil {
			r.err = err
		}
		all = append(all, m)
	})
	return all, err
}

// FindLandmark returns the landmark with this key, or this name in either language, written in any way.
func FindLandmark(name string) (Landmark, bool) {
	plain := placeName(name)
	for _, m := range Landmarks() {
		if plain == placeName(m.Key) || plain == placeName(m.English) || plain == placeName(m.Russian) {
			return m, true
		}
	}
	return Landmark{}, false
}
