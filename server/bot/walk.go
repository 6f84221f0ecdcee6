package bot

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
)

// A Walk is where a client goes that lives by itself.
type Walk string

// The ways to walk about.
const (
	Wander Walk = "wander" // about the place where it was put
	Square Walk = "square" // to the centre of the nearest city, and about there
	Places Walk = "places" // from one named place to another of the same continent, in straight lines
)

// ParseWalk returns the way with this name.
func ParseWalk(name string) (Walk, error) {
	switch w := Walk(name); w {
	case Wander, Square, Places:
		return w, nil
	}
	return "", fmt.Errorf("expected wander, square or places, found %q", name)
}

// A walker moves a character: along the points of a verb, or about its home by itself.
type walker struct {
	rand    *rand.Rand
	walk    Walk
	home    coords.Position
	from    string // key of the place where the walker was last, from place to place
	points  []coords.Position
	roaming bool // the point is the walker's own choice
	moved   time.Time
	rest    time.Time // stands until then
}

const (
	roamRadius = 20.0 // metres about the home
	restMost   = 8 * time.Second
)

// settle makes a place the home: the character has been put there.
func (w *walker) settle(at coords.Position, now time.Time) {
	w.home, w.points, w.moved, w.roaming = at, nil, now, false
}

func (w *walker) follow(points []coords.Position, now time.Time) {
	w.points, w.moved, w.roaming = append([]coords.Position(nil), points...), now, false
}

func (w *walker) following() bool { return len(w.points) > 0 }

// roam chooses where to go next when there is nothing to follow: a point near the home, on the same height, for
// nothing is known of the ground; near a city's centre or near another place if the walker walks so. After some of
// them it rests.
func (w *walker) roam(at coords.Position, now time.Time) {
	if w.following() || now.Before(w.rest) {
		return
	}
	w.moved = now
	if w.rand.IntN(4) == 0 {
		w.rest = now.Add(time.Duration(w.rand.Int64N(int64(restMost))))
		return
	}
	to := w.home
	switch w.walk {
	case Square:
		if city, _, ok := content.NearestCity(at); ok {
			to = city.Position
		}
	case Places:
		to = w.anotherPlace(at)
	default:
		to.Y = at.Y
	}
	angle, r := w.rand.Float64()*2*math.Pi, roamRadius*math.Sqrt(w.rand.Float64())
	to.X += float32(r * math.Sin(angle))
	to.Z += float32(r * math.Cos(angle))
	if to.Check() != nil {
		return // at the edge of the world: stay for now
	}
	w.points, w.roaming = append(w.points[:0], to), true
}

// nearPlaces is of how many near places the walker chooses the next.
const nearPlaces = 6

// anotherPlace chooses one of the nearest named places of the continent, but not the one where the walker is; inside
// of something, or where there are none, it is the home.
func (w *walker) anotherPlace(at coords.Position) coords.Position {
	here, ok := content.ContinentOf(at)
	if !ok {
		return w.home
	}
	var near []content.Place
	for _, p := range content.Places() {
		if p.Area == here.Key && p.Key != w.from && p.Position.Distance(at) > 2*roamRadius {
			near = append(near, p)
		}
	}
	if len(near) == 0 {
		return w.home
	}
	slices.SortFunc(near, func(a, b content.Place) int {
		return cmp.Compare(a.Position.Distance(at), b.Position.Distance(at))
	})
	to := near[w.rand.IntN(min(nearPlaces, len(near)))]
	w.from = to.Key
	return to.Position
}

// move returns where the character is now, at a speed in metres per second, and forgets the points that it has reached.
func (w *walker) move(at coords.Position, speed float64, now time.Time) coords.Position {
	left := speed * max(now.Sub(w.moved).Seconds(), 0)
	w.moved = now
	for len(w.points) > 0 {
		to := w.points[0]
		d := at.Distance(to)
		yaw := at.Yaw
		if dx, dz := to.X-at.X, to.Z-at.Z; dx != 0 || dz != 0 {
			yaw = heading(dx, dz)
		}
		if d > left {
			part := float32(left / d)
			return coords.Position{X: at.X + (to.X-at.X)*part, Y: at.Y + (to.Y-at.Y)*part, Z: at.Z + (to.Z-at.Z)*part, Yaw: yaw}
		}
		left -= d
		at = coords.Position{X: to.X, Y: to.Y, Z: to.Z, Yaw: yaw}
		w.points = w.points[:copy(w.points, w.points[1:])]
	}
	return at
}

func (w *walker) arrival(at coords.Position, speed float64, now time.Time) time.Time {
	return now.Add(time.Duration(at.Distance(w.points[0])/speed*float64(time.Second)) + time.Millisecond)
}

// heading is the direction from 0 to below 2π, from the z axis toward the x axis.
func heading(dx, dz float32) float32 {
	yaw := math.Atan2(float64(dx), float64(dz))
	if yaw < 0 {
		yaw += 2 * math.Pi
	}
	return float32(yaw)
}
