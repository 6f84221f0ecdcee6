package rules

import (
	"math"

	"sphereserver/coords"
)

// Instances of dungeons lie on a grid: layers of cells with origins in their middles, at (100 + 200·i, 100 + 200·j).
//
// Source: protocol life 2.1, where 17 of the origins are recorded, and the size of the grid is inferred.
const (
	// InstanceReach is how far an instance reaches from its origin along each axis, in metres.
	InstanceReach = 100
	// MostInstances is how many cells there are.
	MostInstances = instanceRow * instanceRow * instanceLayers

	instanceRow    = 40
	instanceLayers = 2
	instanceHeight = 4500 // of the origins of the first layer
	instanceStep   = 2 * InstanceReach
	instanceFirst  = InstanceReach - instanceRow/2*instanceStep
)

// InstanceOrigin is the origin of a cell, 0 to [MostInstances]-1.
func InstanceOrigin(cell int) coords.Position {
	layer, row, column := cell/(instanceRow*instanceRow), cell/instanceRow%instanceRow, cell%instanceRow
	return coords.Position{X: float32(instanceFirst + instanceStep*column),
		Y: float32(instanceHeight + instanceStep*layer), Z: float32(instanceFirst + instanceStep*row)}
}

// InstanceCell is the cell to which a place belongs, -1 for none.
func InstanceCell(at coords.Position) int {
	index := func(v float32, first float64) int {
		return int(math.Floor((float64(v) - first + InstanceReach) / instanceStep))
	}
	column, row := index(at.X, instanceFirst), index(at.Z, instanceFirst)
	layer := index(at.Y, instanceHeight)
	if min(column, row, layer) < 0 || max(column, row) >= instanceRow || layer >= instanceLayers {
		return -1
	}
	return layer*instanceRow*instanceRow + row*instanceRow + column
}

// InInstance reports whether a place belongs to the cell of an origin.
func InInstance(origin, at coords.Position) bool {
	in := func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) <= InstanceReach }
	return in(at.X, origin.X) && in(at.Y, origin.Y) && in(at.Z, origin.Z)
}

// AmongInstances reports whether a place is at a height where nothing is but instances.
func AmongInstances(at coords.Position) bool {
	return at.Y >= instanceHeight-InstanceReach && at.Y < instanceHeight+instanceStep*(instanceLayers-1)+InstanceReach
}
