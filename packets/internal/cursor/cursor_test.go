package cursor

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// A walk is one of each kind of field.
type walk struct {
	a    uint8
	b    uint16
	c    uint32
	d    int32
	text string
	rest []byte
}

func (m *walk) fields(f *Fields) {
	number := func(name string, ok bool) {
		if !ok {
			f.Damaged(name, "%d bytes left", f.Left())
		}
	}
	number("a", Little(&f.Cursor, &m.a))
	number("b", Little(&f.Cursor, &m.b))
	number("c", Little(&f.Cursor, &m.c))
	number("d", Big32(&f.Cursor, &m.d))
	if !f.Reading() {
		f.AppendNUL(m.text)
		f.Append(m.rest...)
		return
	}
	n := f.UntilNUL()
	if n < 0 {
		f.Damaged("text", "no NUL")
		return
	}
	m.text = string(f.Take(n))
	f.Take(1)
	m.rest = bytes.Clone(f.Take(f.Left()))
}

var (
	walked    = walk{1, 0x0203, 0x04050607, -2, "ab", []byte{9, 8}}
	walkedHex = []byte{1, 3, 2, 7, 6, 5, 4, 0xFF, 0xFF, 0xFF, 0xFE, 'a', 'b', 0, 9, 8}
)

func readWalk(b []byte) (m walk, err error) {
	f := Fields{Cursor: Read(b, 0)}
	m.fields(&f)
	return m, f.End()
}

func writeWalk(dst []byte, m *walk) []byte {
	f := Fields{Cursor: Write(dst, 0)}
	m.fields(&f)
	return f.Written()
}

func TestFieldsAreReadAsTheyWereWritten(t *testing.T) {
	if got := writeWalk([]byte("before"), &walked); string(got[:6]) != "before" || !bytes.Equal(got[6:], walkedHex) {
		t.Errorf("written % X", got)
	}
	got, err := readWalk(walkedHex)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(walked) {
		t.Errorf("read %v, %v", got, err)
	}
}

// Of a message that ends too early the damage is where the first field begins that is not whole, and nothing behind
// it is read.
func TestDamageIsWhereTheFirstFieldEnds(t *testing.T) {
	for n, want := range []string{0: "byte 0: a: 0 bytes left", 1: "byte 1: b: 0 bytes left", 2: "byte 1: b: 1 bytes left",
		3: "byte 3: c: 0 bytes left", 6: "byte 3: c: 3 bytes left", 10: "byte 7: d: 3 bytes left", 13: "byte 11: text: " +
			"no NUL"} {
		m, err := readWalk(walkedHex[:n])
		if want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%d bytes: %v, want %s", n, err, want)
		}
		if m.text != "" || m.rest != nil {
			t.Errorf("%d bytes: read on to %v", n, m)
		}
	}
}

func TestFirstFailureSticks(t *testing.T) {
	first := errors.New("first")
	c := Read([]byte{1, 2, 3}, 1)
	if c.Offset() != 1 || c.Left() != 2 {
		t.Errorf("begins at %d with %d left", c.Offset(), c.Left())
	}
	c.Fail(first)
	c.Fail(errors.New("second"))
	var v uint8
	if c.Err() != first || c.Left() != 0 || Little(&c, &v) || c.Take(0) != nil {
		t.Errorf("%v, %d left", c.Err(), c.Left())
	}
	w := Write([]byte("xyhead"), 4)
	w.Append(1)
	w.Fail(first)
	if w.Err() != first || w.Offset() != 5 {
		t.Errorf("%v at %d", w.Err(), w.Offset())
	}
}

func TestWhatIsTakenIsNotWrittenOver(t *testing.T) {
	b := []byte{1, 2, 3}
	c := Read(b, 0)
	_ = append(c.Take(1), 9)
	if b[1] != 2 {
		t.Error("a part of a message reaches into the next")
	}
}

func TestSeekTakesBack(t *testing.T) {
	w := Write([]byte("dst"), 0)
	w.AppendText("abc")
	at := w.Offset()
	w.AppendText("de")
	w.Seek(at)
	w.Appended(append(w.Written(), 'd'))
	w.Seek(at)
	if at != 3 || string(w.Written()) != "dstabc" {
		t.Errorf("%q, was at %d", w.Written(), at)
	}
	r := Read([]byte{5, 6}, 0)
	r.Take(2)
	r.Seek(1)
	if v := r.Take(1); v[0] != 6 {
		t.Errorf("read %d", v)
	}
}

// bytesUpTo0 is a list of bytes up to a 0, of which none may be 7.
func bytesUpTo0(f *Fields, list *[]byte, tail int) {
	List(f, "entry", list, tail, func(p *byte) bool {
		at := f.Offset()
		if !Little(&f.Cursor, p) {
			f.Damaged("value", "missing")
		} else if *p == 7 {
			f.DamagedAt(at, "value", "seven")
		}
		return *p != 0
	})
}

// Damage inside a list is named after its entry, counted from 1; behind the list it is not.
func TestListsNameTheirEntries(t *testing.T) {
	for _, v := range []struct {
		in   []byte
		want string
		err  string
	}{
		{[]byte{3, 4, 0}, "[3 4]", "<nil>"},
		{[]byte{3, 4}, "[3 4]", "byte 2: entry 3: value: missing"},
		{[]byte{3, 7, 0}, "[3]", "byte 1: entry 2: value: seven"},
		{[]byte{3, 0, 1, 1}, "[3]", "byte 2: end: 2 bytes after the last field"},
	} {
		f := Fields{Cursor: Read(v.in, 0)}
		var got []byte
		bytesUpTo0(&f, &got, 0)
		if err := f.End(); fmt.Sprint(got) != v.want || fmt.Sprint(err) != v.err {
			t.Errorf("% X: %v, %v; want %s, %s", v.in, got, err, v.want, v.err)
		}
	}
	f, none := Fields{Cursor: Read([]byte{0}, 0)}, []byte(nil)
	if bytesUpTo0(&f, &none, 0); none != nil || f.End() != nil {
		t.Errorf("a list without entries is %v, %v", none, f.Err())
	}
}

// An entry that does not belong to a list is not written, nor are entries without room, with the fields behind the
// list.
func TestListsEndAtTheLimit(t *testing.T) {
	for _, v := range []struct {
		limit, tail int
		want        string
	}{{0, 0, "[1 2 3 4]"}, {6, 0, "[1 2 3 4]"}, {5, 0, "[1 2 3]"}, {5, 1, "[1 2]"}, {2, 0, "[]"}, {1, 0, "[]"}} {
		f := Fields{Cursor: Write([]byte("dsthd"), 2), Limit: v.limit}
		list := []byte{1, 0, 2, 3, 4}
		if bytesUpTo0(&f, &list, v.tail); fmt.Sprint(f.Written()[5:]) != v.want || len(list) != 5 {
			t.Errorf("%d bytes with %d behind: %v, want %s", v.limit, v.tail, f.Written()[5:], v.want)
		}
	}
}

// All bytes that are read are written as the same bytes, and nothing makes the cursor leave the message.
func FuzzCursor(f *testing.F) {
	f.Add(walkedHex)
	f.Add([]byte{})
	f.Add(walkedHex[:12])
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := readWalk(b)
		var damage *Damage
		switch {
		case err == nil:
			if back := writeWalk(nil, &m); !bytes.Equal(back, b) {
				t.Fatalf("% X is written as % X", b, back)
			}
		case !errors.As(err, &damage) || damage.Offset < 0 || damage.Offset > len(b):
			t.Fatalf("% X: %v", b, err)
		}
	})
}
