package packets

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// registeredRegions are the types of all regions with a known layout.
func registeredRegions() map[string]Region {
	out := map[string]Region{}
	for _, list := range slices.AppendSeq([]*regions{&anyRegions}, maps.Values(classRegions)) {
		for number, construct := range list {
			if construct == nil {
				continue
			}
			r := construct.new()
			if int(r.number()) != number {
				panic(fmt.Sprintf("%s stands at %d and says %d", Name(r), number, r.number()))
			}
			out[Name(r)] = r
		}
	}
	return out
}

// registeredCommands are the types of all known commands, by the region that they stand in.
func registeredCommands() map[string]Command {
	out := map[string]Command{}
	for kind, c := range commandRegions {
		for _, forms := range c.set.forms {
			for _, form := range forms {
				m := form.new()
				out[kind+" "+Name(m)] = m
			}
		}
	}
	return out
}

// Every region, command and control frame that is registered has an example: one of the documents, or, where they
// print no bytes of it, one in constructed.txt. An example of its own is the only way to see that a layout was not
// invented.
func TestEveryMessageHasAnExample(t *testing.T) {
	seen := map[string]string{}
	printed := map[string]bool{}
	for _, g := range goldens(t) {
		f, _ := DecodeFrame(g.frame, g.dir, g.only[0])
		note := func(name string) {
			if seen[name] == "" || !strings.HasPrefix(g.name, "constructed-") {
				seen[name] = g.name
			}
			printed[name] = printed[name] || !strings.HasPrefix(g.name, "constructed-")
		}
		if f.Control != nil {
			note(Name(f.Control))
			continue
		}
		for _, s := range f.Body.Sections {
			for _, r := range s.Regions {
				note(Name(r))
				if c, ok := CommandOf(r); ok {
					note(Name(r) + " " + Name(c))
				}
			}
		}
	}
	for name := range registeredRegions() {
		if seen[name] == "" {
			t.Errorf("no example of region %s", name)
		}
	}
	for name := range registeredCommands() {
		if seen[name] == "" {
			t.Errorf("no example of command %s", name)
		}
	}
	for channel, k := range controls {
		if name := Name(k.new()); seen[name] == "" {
			t.Errorf("no example of %s on channel %d", name, channel)
		}
	}
	// Messages that the documents print need no constructed example.
	for name, example := range seen {
		if rest, ok := strings.CutPrefix(example, "constructed-"); ok && printed[name] && strings.HasSuffix(name, " "+rest) {
			t.Errorf("%s is printed in the documents and constructed too", name)
		}
	}
}

// Every registered message stands in the documents' tables as layout_table_test.go has them, with the same number and
// direction, and nothing else does.
func TestLayoutsAreComplete(t *testing.T) {
	rows := map[string]layout{}
	for _, l := range commandTable() {
		rows[l.kind+" "+l.name] = l
	}
	for kind, c := range commandRegions {
		for number, forms := range c.set.forms {
			for _, form := range forms {
				name := kind + " " + Name(form.new())
				l, ok := rows[name]
				if !ok {
					t.Errorf("%s has no row", name)
					continue
				}
				if l.number != uint32(number) || l.dir != form.dir || form.class != nil && !form.class(l.class) {
					t.Errorf("%s: registered as %d %s, documented as %d %s of %s", name, number, form.dir, l.number, l.dir, l.class)
				}
			}
		}
	}
	commands := registeredCommands()
	for name := range rows {
		if commands[name] == nil {
			t.Errorf("%s is documented and not registered", name)
		}
	}
	regionRows := map[string]bool{}
	for _, l := range regionTable() {
		regionRows[l.name] = true
		if r := newRegion(l.class, uint8(l.number)); r == nil || Name(r) != l.name {
			t.Errorf("region %d of %s is %s, documented %s", l.number, l.class, Name(r), l.name)
		}
	}
	for name, r := range registeredRegions() {
		if _, holdsCommand := commandRegions[name]; !regionRows[name] && !holdsCommand {
			t.Errorf("region %s has no row", name)
		} else if c, ok := commandRegions[name]; ok && c.number != r.number() {
			t.Errorf("%s is region %d, documented %d", name, r.number(), c.number)
		}
	}
}

// Protocol ingame 2.4: these classes have the regions of their own schema and no others.
func TestClassesOfTheirOwnSchema(t *testing.T) {
	for class, want := range map[Class][]uint8{
		ClassMain: {4}, ClassStat: {0, 61}, ClassChat: {2, 61},
		ClassPlayer: {0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 31, 32, 61},
		ClassVirus:  {1, 2, 3, 4, 6, 9, 12, 15, 20, 61},
		500:         {1, 2, 3, 4, 9, 12, 15, 20, 61},
		4000:        {1, 2, 3, 4, 9, 12, 15, 20, 61},
	} {
		var got []uint8
		for n := range uint8(127) {
			if newRegion(class, n) != nil {
				got = append(got, n)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has the regions %v, documented %v", class, got, want)
		}
	}
	if r := newRegion(ClassBank, 12); Name(r) != "Bank" {
		t.Errorf("region 12 of the bank is %s", Name(r))
	}
}

// Forms of one number that the same frame could be tried as have turns that differ: else the order of the package's
// files would decide how it is read.
func TestFormsHaveTurns(t *testing.T) {
	for kind, c := range commandRegions {
		for number, forms := range c.set.forms {
			for i, a := range forms {
				for _, b := range forms[i+1:] {
					if a.dir&b.dir == 0 || !haveAClass(a, b) {
						continue
					}
					if a.turn >= b.turn {
						t.Errorf("%s %d: %s and %s have the turns %d and %d", kind, number, Name(a.new()), Name(b.new()), a.turn, b.turn)
					}
				}
			}
		}
	}
}

func haveAClass(a, b *commandForm) bool {
	for c := range Class(1 << classBits) {
		if (a.class == nil || a.class(c)) && (b.class == nil || b.class(c)) {
			return true
		}
	}
	return false
}

// The forms of a number are tried in the order of their rows, in whatever order they were registered.
func TestFormsAreTriedInTheOrderOfTheirRows(t *testing.T) {
	row := map[string]int{}
	for i, l := range commandTable() {
		row[l.kind+" "+l.name] = i
	}
	for kind, c := range commandRegions {
		for number, forms := range c.set.forms {
			for i, a := range forms {
				for _, b := range forms[i+1:] {
					first, second := Name(a.new()), Name(b.new())
					if a.dir&b.dir != 0 && haveAClass(a, b) && row[kind+" "+first] > row[kind+" "+second] {
						t.Errorf("%s %d: %s is tried before %s", kind, number, first, second)
					}
				}
			}
		}
	}
	var s commandSet
	fromServer(&s, 1, func(*Model, *fields) {}, turn(catchAll))
	fromServer(&s, 1, func(*StackCount8, *fields) {}, turn(2))
	fromServer(&s, 1, func(*StackCount, *fields) {})
	fromServer(&s, 1, func(*ClearSlot, *fields) {}, turn(2))
	var got []string
	for _, form := range s.forms[1] {
		got = append(got, Name(form.new()))
	}
	if want := []string{"StackCount", "StackCount8", "ClearSlot", "Model"}; !slices.Equal(got, want) {
		t.Errorf("tried in the order %v, want %v", got, want)
	}
}

// A type stands for one command: its number follows from it.
func TestCommandsHaveOneNumber(t *testing.T) {
	for kind, c := range commandRegions {
		numbers := map[reflect.Type]int{}
		for number, forms := range c.set.forms {
			for _, form := range forms {
				typ := reflect.TypeOf(form.new())
				if other, twice := numbers[typ]; twice && other != number {
					t.Errorf("%s %s is %d and %d", kind, typ, other, number)
				}
				numbers[typ] = number
			}
		}
	}
}

// newRegion returns an empty region of that number in that class, or nil where its layout is unknown.
func newRegion(c Class, number uint8) Region {
	if t := regionTypeOf(c, number); t != nil {
		return t.new()
	}
	return nil
}
