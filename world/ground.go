package world

// A Ground answers how high the ground is at a place, in metres; false where that is not known. It is asked on the
// ticking goroutine, so it must be quick, and must give the same answer for the same question.
type Ground func(x, z float32) (y float32, known bool)

// unknownGround knows nothing: heights stay those that clients name.
func unknownGround(float32, float32) (float32, bool) { return 0, false }
