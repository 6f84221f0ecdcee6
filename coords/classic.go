package coords

import "math"

// The published article found out how coordinates travel by trial, and its routines are right only in part. They
// are kept for the classic dialect, which reproduces that article's bytes; everything else uses float32.

// EncodeClassic returns the bits that the article's "logarithmic" encoder makes of a coordinate. They are those of a
// float32 with the mantissa truncated, except for powers of two from 4096 on (half of the value) and for values between
// -1 and 1 (about 0.0005 to 0.002). Source: protocol session 3.1, ingame 6.2.
func EncodeClassic(v float64) uint32 {
	a := math.Abs(v)
	scale, steps := 69, 0
	switch rest := a; {
	case math.Trunc(a) == 0:
		scale = 58
	case a < 2048:
		for ; rest < 2048; rest *= 2 {
			steps++
		}
		scale -= (steps + 1) / 2
	default:
		for ; rest > 4096; rest /= 2 {
			steps++
		}
		scale += steps / 2
	}
	var n uint32
	if a > 0 {
		n = uint32((1 << 23) * (a/math.Pow(2, math.Trunc(math.Log2(a))) + 1))
	}
	top := uint32(scale)
	if v < 0 {
		top += 0x80
	}
	second := n >> 16 & 0xFF
	if steps%2 == 1 {
		second += 0x80
	}
	return top<<24 | second&0xFF<<16 | n&0xFFFF
}
