package cursor

import "fmt"

// A Damage is the place where a message stops to make sense.
type Damage struct {
	Offset int    // of the first wrong byte, from 0
	Field  string // that begins there
	Reason string
}

// Error names the byte, the field and the fault there.
func (d *Damage) Error() string {
	return fmt.Sprintf("byte %d: %s: %s", d.Offset, d.Field, d.Reason)
}

// Fields is a cursor with names of fields, for damage, and perhaps with a limit of the message.
type Fields struct {
	Cursor
	Limit int // of the message in bytes, 0 for none

	list  string // that is being read, "" outside of lists
	index int    // of its entry
}

// Damaged says that a field does not begin here as it should. Only the first damage counts.
func (f *Fields) Damaged(field, format string, args ...any) {
	f.DamagedAt(f.pos, field, format, args...)
}

// DamagedAt is Damaged of a field that begins elsewhere.
func (f *Fields) DamagedAt(offset int, field, format string, args ...any) {
	if f.err != nil {
		return
	}
	if f.list != "" {
		field = fmt.Sprintf("%s %d: %s", f.list, f.index+1, field)
	}
	f.Fail(&Damage{offset, field, fmt.Sprintf(format, args...)})
}

// End returns the damage, which bytes behind the last field are too.
func (f *Fields) End() error {
	if n := f.Left(); n > 0 {
		f.Damaged("end", "%d bytes after the last field", n)
	}
	return f.err
}

// List is a list: one walks over an entry and reports whether it belongs to the list. Reading, the list ends where none
// does, or at damage, which is then named after the list and its entry. Writing, entries that do not belong are left
// out, and the list ends before the first entry that does not fit into the limit, with tail bytes behind it.
func List[T any](f *Fields, name string, list *[]T, tail int, one func(*T) bool) {
	if !f.reading {
		for i := range *list {
			at := f.Offset()
			if !one(&(*list)[i]) {
				f.Seek(at)
			} else if f.Limit > 0 && f.Offset()+tail > f.Limit {
				f.Seek(at)
				return
			}
		}
		return
	}
	f.list = name
	for f.index = 0; ; f.index++ {
		entries := append(*list, *new(T))
		if !one(&entries[len(*list)]) || f.err != nil {
			break
		}
		*list = entries
	}
	f.list = ""
}
