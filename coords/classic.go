package coords

import "math"

// The published article found out how coordinates travel by trial, and its routines are right only in part. They
// are kept for the classic dialect, which reproduces that article's bytes; everything else uses float32.

// EncodeClassic returns the bits that the article's "logarithmic" encoder makes of a coordinate. They are
// those of a float32 with the mantissa truncated, except for powers of two from 4096 on (half of the value)
// and for values between -1 and 1 (about 0.0005 to 0.002).
//
// Source: protocol session 3.1, ingame 6.2.
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

// DecodeClassic reads the bits of a coordinate in a position message as the article does: a float32, but 0 for every
// value from 0.5 to below 1, and a denormal for 0.
//
// Source: protocol session 3.2.
func DecodeClassic(bits uint32) float64 {
	exp := int(bits >> 23 & 0xFF)
	if exp == 126 {
		return 0
	}
	v := (1 + float64(bits&(1<<23-1))/(1<<23)) * math.Pow(2, float64(exp-127))
	if bits>>31 != 0 {
		v = -v
	}
	return v
}

// ClassicFraction returns the 12-bit "fraction" that the article's movement format sends beside an integer
// coordinate: 4095 (x and z) or 2047 (y) less 64 times the fractional part, rounded. Read as the [Rel12]
// that it really is, x and z come out mirrored.
//
// Source: protocol ingame 6.4.
func ClassicFraction(v float64, from uint16) Rel12 {
	frac := v - math.Floor(v)
	return Rel12(from - uint16(math.RoundToEven(frac*64)))
}

// ClassicAngle is the article's angle byte: t × 256 / 2π, truncated, t reduced into (-2π, 2π).
//
// Source: protocol ingame 6.5.
func ClassicAngle(t float64) Angle8 {
	return Angle8(int(math.Mod(t, 2*math.Pi)*256/2/math.Pi) & 0xFF)
}
