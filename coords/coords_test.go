package coords

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Protocol ingame 6.3, its table.
func TestRel12Table(t *testing.T) {
	for _, c := range []struct {
		distance float32
		code     Rel12
		decoded  float64
	}{
		{0, 2047, 0}, {0.0078, 2046, 0.0147}, {0.1, 2040, 0.1029}, {0.25, 2030, 0.2507}, {0.5, 2013, 0.5046},
		{0.75, 1996, 0.7617}, {0.999, 1980, 1.0066}, {1, 1980, 1.0066}, {2, 1917, 2.0005}, {-0.25, 4078, -0.2507},
		{-1, 4028, -1.0066}, {5, 1743, 5.0137}, {10, 1501, 10.0031}, {20, 1137, 20.0073}, {40, 682, 40.0195},
		{60, 409, 60.0367}, {80, 227, 80.0586}, {100, 97, 100.0855}, {119, 4, 119.0675}, {119.9, 0, 120},
		{-10, 3549, -10.0031},
		{120, 2047, 0}, {5000, 2047, 0}, {float32(math.NaN()), 2047, 0}, {float32(math.Inf(-1)), 2047, 0},
	} {
		code := EncodeRel12(c.distance, 0)
		if code != c.code {
			t.Errorf("distance %v is %d, documented %d", c.distance, code, c.code)
		}
		if got := float64(code.Decode(0)); math.Abs(got-c.decoded) > 0.0001 {
			t.Errorf("code %d is %.4f, documented %v", code, got, c.decoded)
		}
	}
}

// The error is never more than one step, and a step is at most 0.0147 near the origin and 0.24 at its reach.
func TestRel12Error(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		origin := rapid.Int32Range(-32000, 32000).Draw(t, "origin")
		d := rapid.Float64Range(-119.9, 119.9).Draw(t, "d")
		v := float32(float64(origin) + d)
		got := float64(EncodeRel12(v, origin).Decode(origin))
		step := (math.Abs(d) + 40.5) * (math.Abs(d) + 40.5) * (1.0/40 - 1.0/160) / 2047
		if diff := math.Abs(got - float64(v)); diff > step+0.004 { // 0.004: float32 at 32000
			t.Fatalf("%v from %d comes back as %v: error %v, step %v", v, origin, got, diff, step)
		}
	})
	for code := range Rel12(0x1000) {
		if code == rel12Below|rel12Zero {
			continue // minus zero
		}
		if code&rel12Zero == 0 {
			continue // 120 itself is out of reach of the encoder
		}
		v := code.Decode(0)
		if back := EncodeRel12(v, 0).Decode(0); math.Abs(float64(back-v)) > 0.25 {
			t.Errorf("code %d: %v comes back as %v", code, v, back)
		}
	}
}

// Protocol ingame 6.5.
func TestAngle8(t *testing.T) {
	for a, want := range map[float32]Angle8{0: 0, 0.5: 20, math.Pi / 2: 63, math.Pi: 127, 3 * math.Pi / 2: 191,
		2 * math.Pi: 255, -math.Pi / 2: 191, -0.01: 255, 6.4207: 5, 11: 192, 1001: 0,
		float32(math.NaN()): 0, float32(math.Inf(1)): 0} {
		if got := EncodeAngle8(a); got != want {
			t.Errorf("%v rad is %d, documented %d", a, got, want)
		}
	}
	for a := range 256 {
		if back := EncodeAngle8(Angle8(a).Radians()); back != Angle8(a) {
			t.Errorf("%d comes back as %d", a, back)
		}
	}
}

// Protocol session 10.5: value, float32 in wire order, legacy in wire order.
var classicTable = []struct {
	v              float64
	plain, classic uint32
}{
	{0, 0x00000000, 0x3A000000}, {0.25, 0x3E800000, 0x3A000000}, {0.5, 0x3F000000, 0x3A000000},
	{-0.5, 0xBF000000, 0xBA000000},
	{0.75, 0x3F400000, 0x3AE00000}, {1, 0x3F800000, 0x3F800000}, {-1, 0xBF800000, 0xBF800000},
	{1.5, 0x3FC00000, 0x3FC00000},
	{1.57079637050629, 0x3FC90FDB, 0x3FC90FDB}, {2, 0x40000000, 0x40000000}, {-2, 0xC0000000, 0xC0000000},
	{3, 0x40400000, 0x40400000},
	{4, 0x40800000, 0x40800000}, {10, 0x41200000, 0x41200000}, {64, 0x42800000, 0x42800000}, {80, 0x42A00000, 0x42A00000},
	{100, 0x42C80000, 0x42C80000}, {-100, 0xC2C80000, 0xC2C80000}, {150, 0x43160000, 0x43160000},
	{157, 0x431D0000, 0x431D0000},
	{157.8, 0x431DCCCD, 0x431DCCCC}, {200, 0x43480000, 0x43480000}, {424, 0x43D40000, 0x43D40000},
	{512, 0x44000000, 0x44000000},
	{1000, 0x447A0000, 0x447A0000}, {-1000, 0xC47A0000, 0xC47A0000}, {1024, 0x44800000, 0x44800000},
	{-1098.695068359375, 0xC489563E, 0xC489563E}, {1293, 0x44A1A000, 0x44A1A000}, {1900.054931640625, 0x44ED81C2,
		0x44ED81C2},
	{2000, 0x44FA0000, 0x44FA0000}, {2047.5, 0x44FFF000, 0x44FFF000}, {2048, 0x45000000, 0x45000000},
	{-2048, 0xC5000000, 0xC5000000},
	{2614, 0x45236000, 0x45236000}, {-2500, 0xC51C4000, 0xC51C4000}, {3000, 0x453B8000, 0x453B8000},
	{4000, 0x457A0000, 0x457A0000},
	{4096, 0x45800000, 0x45000000}, {4097, 0x45800800, 0x45800800}, {-4096, 0xC5800000, 0xC5000000},
	{4501.61474609375, 0x458CACEB, 0x458CACEB},
	{5000, 0x459C4000, 0x459C4000}, {8192, 0x46000000, 0x45800000}, {10000, 0x461C4000, 0x461C4000},
}

func TestClassicEncoder(t *testing.T) {
	for _, c := range classicTable {
		if got := math.Float32bits(float32(c.v)); got != c.plain {
			t.Errorf("%v as float32 is %08X, documented %08X", c.v, got, c.plain)
		}
		if got := EncodeClassic(c.v); got != c.classic {
			t.Errorf("%v in the classic form is %08X, documented %08X", c.v, got, c.classic)
		}
	}
	// Protocol ingame 6.2: values below 1, and powers of two from 4096 on, as a client sees them.
	for v, seen := range map[float64]float32{0.7: 0.00166015625, 0.999: 0.0019521484, 16384: 8192} {
		if got := math.Float32frombits(EncodeClassic(v)); math.Abs(float64(got-seen)) > 1e-9 {
			t.Errorf("%v is seen as %v, documented %v", v, got, seen)
		}
	}
	// Every other integer is exact.
	for i := -16384; i <= 16384; i++ {
		switch i {
		case 0, 4096, -4096, 8192, -8192, 16384, -16384:
		default:
			if got := EncodeClassic(float64(i)); got != math.Float32bits(float32(i)) {
				t.Fatalf("%d is %08X", i, got)
			}
		}
	}
}

// Between 1 and 16384 the classic form is float32 with the mantissa cut off.
func TestClassicIsTruncatedFloat32(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(1, 16383.9).Draw(t, "v")
		exact := math.Float32bits(float32(v))
		if float64(float32(v)) > v {
			exact--
		}
		if _, frac := math.Modf(math.Log2(v)); frac == 0 {
			t.Skip("powers of two are in the table")
		}
		if got := EncodeClassic(v); got != exact {
			t.Fatalf("%v is %08X, want %08X", v, got, exact)
		}
	})
}

func TestPositionCheck(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, p := range []Position{{X: nan}, {Y: nan}, {Z: inf}, {Yaw: nan}, {X: 32768}, {X: -32769}, {Y: 6992}, {Y: -1201},
		{Z: 1e20}, {Yaw: 1001.5}} {
		if p.Check() == nil {
			t.Errorf("%+v was accepted", p)
		}
	}
	for _, p := range []Position{{}, {32767.5, 6991.5, -32768, 6.42}, {-1, -1200, 1, -4.1}} {
		if err := p.Check(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if got := (Position{X: -1993.75, Y: -104.5, Z: 457.25}).Origin(); got != (Origin{-1993, -104, 457}) {
		t.Errorf("origin truncates toward zero, got %+v", got)
	}
	if got := (Position{X: 3, Y: 4}).Distance(Position{Z: 12}); got != 13 {
		t.Errorf("distance %v", got)
	}
}

var sink Rel12

func BenchmarkRel12(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		sink = EncodeRel12(2614.25, 2614)
	}
}

func BenchmarkRel12Decode(b *testing.B) {
	var f float32
	for b.Loop() {
		f = Rel12(0x7DD).Decode(1293)
	}
	_ = f
}
