package packets

import "fmt"

// regions are the known layouts of a class, by region number.
type regions [maxRegion + 1]*regionType

// A regionType makes messages of one type, and recognises them.
type regionType struct {
	new func() Region
	is  func(Region) bool
}

// maxRegion is the greatest number of a region: its marker is one more, and 63 stands between sections.
const maxRegion = 61

// The tables fill up when the package is initialised: each region registers itself beside its type.
var (
	// anyRegions exist in every class that has no layout of its own, and in those where nothing else is said. Source:
	// protocol ingame 2.3.
	anyRegions regions

	// classRegions are the layouts of classes of their own. A region that stands here replaces that of anyRegions; a
	// class in onlyOwn has none of those. Source: protocol ingame 2.4.
	classRegions = map[Class]*regions{}
)

var onlyOwn = map[Class]bool{ClassMain: true, ClassStat: true, ClassChat: true, ClassPlayer: true}

// everyClass registers a region in anyRegions. It is no class: those have 12 bits.
const everyClass Class = 1 << classBits

// region registers a type of region, under its own number, in classes.
func region[T any, P interface {
	*T
	Region
}](classes ...Class) registered {
	t := &regionType{
		new: func() Region { return P(new(T)) },
		is:  func(r Region) bool { _, ok := r.(P); return ok },
	}
	number := t.new().number()
	for _, c := range classes {
		table := &anyRegions
		if c != everyClass {
			if table = classRegions[c]; table == nil {
				table = new(regions)
				classRegions[c] = table
			}
		}
		if table[number] != nil {
			panic(fmt.Sprintf("packets: region %d of %s is registered twice", number, c))
		}
		table[number] = t
	}
	return registered{}
}

// regionTypeOf returns the type of a region of that number in that class, or nil where its layout is unknown.
func regionTypeOf(c Class, number uint8) *regionType {
	if number > maxRegion {
		return nil
	}
	if own := classRegions[c]; own != nil && (own[number] != nil || onlyOwn[c]) {
		return own[number]
	}
	return anyRegions[number]
}

// region returns a message to read a region into: one that was read before if it has the right type, since reading
// overwrites every field; else a new one.
func (f *fields) region(c Class, number uint8) Region {
	t := regionTypeOf(c, number)
	if t == nil {
		if c == ClassAreaPowder && f.dir == FromClient && f.dialect == Dialect2026 && f.r.Left() >= areaMinimum {
			return &AreaUse{Number: number}
		}
		return &UnknownRegion{Number: number}
	}
	if i := len(f.regions); i < len(f.old) && t.is(f.old[i]) {
		return f.old[i]
	}
	return t.new()
}
