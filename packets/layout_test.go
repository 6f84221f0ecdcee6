package packets

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// A layout is a row of the tables in layout_table_test.go: a message and its fields.
//
//	u7 s3 f v     unsigned, two's complement, float32, varint
//	=60:8         a constant in 8 bits; not a field of the Go type
//	in4,5,7       one of these, in 8 bits
//	a8:20         numbers of 20 bits behind a count of 8
//	t4 z8         text behind a count of 4 bits, and behind one of 8 bits that includes a NUL
//	c4            characters of 7 bits behind a count of 4
//	t b b1        the rest of a command's array as text, as bytes, as at least one byte; b never ends with a NUL
//	e E           the rest of a command's array as text that a NUL may end: as an exception, as a rule
//	z z40 z3-99   a text that its NUL ends, of at most 40 bytes, of 3 to 99; w3-99 has printable characters
//	p19           text filled up with NULs to 19 bytes
//	n*f           as many as the field before says
//	9*u7          nine times
type layout struct {
	kind   string // of commands: their region
	number uint32 // of the region or of the command
	class  Class
	dir    Direction
	name   string
	fields []string
}

func regionTable() []layout  { return parseLayouts(regionLayouts, false) }
func commandTable() []layout { return parseLayouts(commandLayouts, true) }

func parseLayouts(table string, commands bool) []layout {
	var out []layout
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		w := strings.Fields(line)
		var l layout
		if commands {
			l.kind = w[0]
			w = []string{w[2], w[1], w[3], w[4], strings.Join(w[5:], " ")}
		} else {
			w = []string{w[0], w[1], w[2], w[3], strings.Join(w[4:], " ")}
		}
		class, _ := strconv.Atoi(w[0])
		number, _ := strconv.Atoi(w[1])
		l.class, l.number, l.name = Class(class), uint32(number), w[3]
		l.dir = map[string]Direction{"S": FromServer, "C": FromClient, "B": EitherWay}[w[2]]
		for _, field := range strings.Fields(w[4]) {
			times, f, ok := strings.Cut(field, "*")
			n, err := strconv.Atoi(times)
			if !ok || err != nil {
				n, f = 1, field
			}
			for range n {
				l.fields = append(l.fields, f)
			}
		}
		out = append(out, l)
	}
	return out
}

// dirs are the ways that the message goes.
func (l layout) dirs() []Direction {
	return slices.DeleteFunc([]Direction{FromServer, FromClient}, func(d Direction) bool { return l.dir&d == 0 })
}

// A drawing makes up random values for a layout: their bits by bitString, and the expected leaves of the Go type.
type drawing struct {
	t      *rapid.T
	bits   bitString
	leaves []any
	// wild draws numbers in wider forms than they need, and texts without their NUL.
	wild, departed bool
	// room is the rest of a command's array, in bytes.
	room int
}

func (d *drawing) draw(l layout) {
	for i := 0; i < len(l.fields); i++ {
		if f := l.fields[i]; f == "n*f" {
			for range int(d.leaves[len(d.leaves)-1].(uint64)) {
				d.field("f")
			}
			continue
		}
		d.field(l.fields[i])
	}
}

func (d *drawing) field(f string) {
	arg := f[1:]
	n, _ := strconv.Atoi(arg)
	switch f[0] {
	case 'u':
		d.number(rapid.Uint64Range(0, 1<<n-1).Draw(d.t, f), n)
	case 's':
		v := rapid.Int64Range(-1<<(n-1), 1<<(n-1)-1).Draw(d.t, f)
		d.bits.uint(uint64(v), n)
		d.leaves = append(d.leaves, v)
	case 'f':
		v := rapid.Uint32().Draw(d.t, f)
		d.bits.uint(uint64(v), 32)
		d.leaves = append(d.leaves, uint64(v))
	case 'v':
		d.varint()
	case '=':
		value, width, _ := strings.Cut(arg, ":")
		v, _ := strconv.Atoi(value)
		w, _ := strconv.Atoi(width)
		d.bits.uint(uint64(v), w)
	case 'a':
		count, width, _ := strings.Cut(arg, ":")
		c, _ := strconv.Atoi(count)
		w, _ := strconv.Atoi(width)
		most := 4
		if rapid.IntRange(0, 9).Draw(d.t, "long") == 0 {
			most = 1<<c - 1
		}
		values := append([]uint64{}, rapid.SliceOfN(rapid.Uint64Range(0, 1<<w-1), 0, most).Draw(d.t, f)...)
		d.bits.uint(uint64(len(values)), c)
		for _, v := range values {
			d.bits.uint(v, w)
		}
		d.leaves = append(d.leaves, values)
	case 'i':
		choice := rapid.SampledFrom(strings.Split(f[2:], ",")).Draw(d.t, f)
		v, _ := strconv.Atoi(choice)
		d.number(uint64(v), 8)
	default:
		d.text(f, arg, n)
	}
}

func (d *drawing) number(v uint64, n int) {
	d.bits.uint(v, n)
	d.leaves = append(d.leaves, v)
}

func (d *drawing) varint() {
	v := rapid.OneOf(rapid.Int64Range(-9, 9), rapid.Int64Range(-20000, 20000),
		rapid.Int64Range(-math.MaxInt32, math.MaxInt32)).Draw(d.t, "v")
	selector := smallestSelector(v)
	switch {
	case d.wild && v == 0 && rapid.Bool().Draw(d.t, "minus zero"):
		d.departed = true
		d.bits.uint(1, 1)
		d.bits.uint(uint64(selector), 2)
		d.bits.uint(0, varintBits[selector])
	case d.wild:
		wider := rapid.IntRange(selector, 3).Draw(d.t, "selector")
		d.departed = d.departed || wider > selector
		d.bits.varint(v, wider)
	default:
		d.bits.varint(v, selector)
	}
	d.leaves = append(d.leaves, v)
}

var (
	anyByte    = rapid.Byte()
	lettered   = rapid.ByteRange(1, 255)
	printable  = rapid.ByteRange(0x20, 255)
	sevenBits  = rapid.ByteRange(0, 127)
	emptyBytes = []byte{}
)

func (d *drawing) text(f, arg string, n int) {
	least, most := 0, d.room
	if low, high, ok := strings.Cut(arg, "-"); ok {
		least, _ = strconv.Atoi(low)
		most, _ = strconv.Atoi(high)
	} else if n > 0 && f[0] == 'z' {
		most = n
	}
	var b []byte
	nul := false
	switch f[0] {
	case 't', 'c':
		if n > 0 {
			most = 1<<n - 1
		}
		b = bytesOf(d.t, map[byte]*rapid.Generator[byte]{'t': anyByte, 'c': sevenBits}[f[0]], 0, most)
		if n > 0 {
			d.bits.uint(uint64(len(b)), n)
		}
	case 'z':
		if n == 8 {
			b = bytesOf(d.t, anyByte, 0, 254)
			nul = !d.wild || rapid.Bool().Draw(d.t, "NUL") || len(b) > 0 && b[len(b)-1] == 0
			d.departed = d.departed || !nul
			extra := 0
			if nul {
				extra = 1
			}
			d.bits.uint(uint64(len(b)+extra), 8)
			break
		}
		b = bytesOf(d.t, lettered, least, min(most, d.room-1))
		nul = true
	case 'e', 'E':
		b = bytesOf(d.t, anyByte, 0, most-1)
		if n := len(b); n > 0 && b[n-1] == 0 {
			b[n-1] = ' '
		}
		odd := d.wild && rapid.Bool().Draw(d.t, "odd end")
		nul = odd != (f[0] == 'E')
		d.departed = d.departed || odd
	case 'w':
		b = bytesOf(d.t, printable, least, min(most, d.room-1))
		nul = true
	case 'p':
		b = bytesOf(d.t, lettered, 0, n)
	case 'b':
		b = bytesOf(d.t, lettered, n, d.room)
	default:
		panic("layout " + f)
	}
	width := 8
	if f[0] == 'c' {
		width = 7
	}
	for _, c := range b {
		d.bits.uint(uint64(c), width)
	}
	switch {
	case nul:
		d.bits.uint(0, 8)
	case f[0] == 'p':
		for range n - len(b) {
			d.bits.uint(0, 8)
		}
	}
	d.leaves = append(d.leaves, b)
}

// bytesOf favours short texts: long ones are slow to draw and say no more.
func bytesOf(t *rapid.T, of *rapid.Generator[byte], least, most int) []byte {
	if rapid.IntRange(0, 9).Draw(t, "long") > 0 {
		most = min(most, least+12)
	}
	return append(emptyBytes, rapid.SliceOfN(of, least, most).Draw(t, "bytes")...)
}

// leavesOf are the values of a message in the order of its fields, in the form in which drawings have them.
func leavesOf(m any) []any {
	var out []any
	appendLeaves(reflect.ValueOf(m).Elem(), &out)
	return out
}

func appendLeaves(v reflect.Value, out *[]any) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name == "Queued" || v.Type().Field(i).Name == "Low" {
				continue // not on the wire by themselves
			}
			appendLeaves(v.Field(i), out)
		}
	case reflect.Array:
		n := v.Len()
		if v.Type() == reflect.TypeFor[[15]float32]() { // PositionStream: as many as its count
			n = min(n, int((*out)[len(*out)-1].(uint64)))
		}
		for i := range n {
			appendLeaves(v.Index(i), out)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			*out = append(*out, append(emptyBytes, v.Bytes()...))
			return
		}
		values := []uint64{}
		for i := range v.Len() {
			values = append(values, v.Index(i).Uint())
		}
		*out = append(*out, values)
	case reflect.String:
		*out = append(*out, append(emptyBytes, Append1251(nil, v.String())...))
	case reflect.Float32:
		*out = append(*out, uint64(math.Float32bits(v.Interface().(float32))))
	case reflect.Bool:
		*out = append(*out, map[bool]uint64{true: 1}[v.Bool()])
	case reflect.Int8, reflect.Int16, reflect.Int32:
		*out = append(*out, v.Int())
	default:
		*out = append(*out, v.Uint())
	}
}

// setLeaves fills an empty message with values.
func setLeaves(m any, leaves []any) {
	if rest := fillLeaves(reflect.ValueOf(m).Elem(), leaves); len(rest) > 0 {
		panic(fmt.Sprintf("%T has fewer fields than its layout: %d left", m, len(rest)))
	}
}

func fillLeaves(v reflect.Value, leaves []any) []any {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "Queued" && v.Type().Field(i).Name != "Low" {
				leaves = fillLeaves(v.Field(i), leaves)
			}
		}
		return leaves
	case reflect.Array:
		for i := range v.Len() {
			if len(leaves) == 0 {
				break
			}
			leaves = fillLeaves(v.Index(i), leaves)
		}
		return leaves
	case reflect.Slice:
		values, ok := leaves[0].([]uint64)
		if !ok {
			v.SetBytes(leaves[0].([]byte))
			break
		}
		v.Set(reflect.MakeSlice(v.Type(), len(values), len(values)))
		for i, u := range values {
			v.Index(i).SetUint(u)
		}
	case reflect.String:
		v.SetString(Decode1251(leaves[0].([]byte)))
	case reflect.Float32:
		v.Set(reflect.ValueOf(math.Float32frombits(uint32(leaves[0].(uint64)))).Convert(v.Type()))
	case reflect.Bool:
		v.SetBool(leaves[0].(uint64) != 0)
	case reflect.Int8, reflect.Int16, reflect.Int32:
		v.SetInt(leaves[0].(int64))
	default:
		v.SetUint(leaves[0].(uint64))
	}
	return leaves[1:]
}
