package main

import "sphereserver/coords"

// A ground is where the characters stand.
type ground struct {
	name string
	at   func(i int) coords.Position
}

// groupSize is how many stand together on the second ground: each has 50 others in sight.
const groupSize = 51

// The grounds: everybody alone, out of sight of everybody else, or in groups that see each other and nobody else. Both are far
// from the towns, whose people would be seen, too.
var (
	apart    = ground{"apart", func(i int) coords.Position { return onGrid(i, 100, 150) }}
	together = ground{"together", func(i int) coords.Position {
		group, member := onGrid(i/groupSize, 20, 300), onGrid(i%groupSize, 8, 2)
		group.X += member.X - onGrid(0, 1, 0).X
		group.Z += member.Z - onGrid(0, 1, 0).Z
		return group
	}}
)

// onGrid is a spot of a grid with so many columns, each so many metres from the next.
func onGrid(i, columns int, metres float32) coords.Position {
	return coords.Position{X: 10000 + float32(i%columns)*metres, Y: 150, Z: 10000 + float32(i/columns)*metres}
}
