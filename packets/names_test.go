package packets

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Protocol session 1.5: an index travels high byte first; as a number inside messages its bytes are swapped.
func TestPlayerIndexes(t *testing.T) {
	if id := FirstPlayerIndex.ID(); id != 0x6F4F || PlayerIndexOf(id) != FirstPlayerIndex {
		t.Errorf("index %s has the id %s", FirstPlayerIndex, id)
	}
	for i := range 1 << 16 {
		if PlayerIndexOf(PlayerIndex(i).ID()) != PlayerIndex(i) {
			t.Fatalf("%#x", i)
		}
	}
}

func TestNamesForPeople(t *testing.T) {
	for want, v := range map[string]fmt.Stringer{
		"0x4F6F": FirstPlayerIndex, "0x6F4F": FirstPlayerIndex.ID(), "0xFFFFFF": EmptyHand,
		"S2C": FromServer, "C2S": FromClient, "both": EitherWay,
		"2026": Dialect2026, "2022": Dialect2022, "classic": Classic, "Dialect(9)": Dialect(9),
		"_player": ClassPlayer, "class 4000": Class(4000),
		"HP": StatHP, "money": StatMoney, "stat 23": StatUnknown23, "stat 60": Stat(60),
		"greeting reply": ChannelReply, "8086-11-27 08:01:15": Time(0x47AF6805),
	} {
		if v.String() != want {
			t.Errorf("%T %v, want %s", v, v, want)
		}
	}
	for want, m := range map[string]any{"Money": &Money{}, "SetStat": &SetStat{}, "nothing": nil, "Craft32": Craft32{}} {
		if got := Name(m); got != want {
			t.Errorf("%T is %s, want %s", m, got, want)
		}
	}
	if c, ok := CommandOf(&SetStat{}); ok {
		t.Errorf("a value holds the command %v", c)
	}
}

func TestDialectNames(t *testing.T) {
	for _, d := range dialects {
		if back, err := ParseDialect(d.String()); err != nil || back != d {
			t.Errorf("%s is read as %s, %v", d, back, err)
		}
	}
	if d, err := ParseDialect("2023"); err == nil {
		t.Errorf("2023 is read as %s", d)
	}
}

// Protocol ingame 3.3: second 15, minute 1, hour 8, day 27, month 11, year 286.
func TestTimeOfTheDocuments(t *testing.T) {
	want := Moment{Year: 286, Month: 11, Day: 27, Hour: 8, Minute: 1, Quarter: 1}
	if got := Time(0x47AF6805).Moment(); got != want || want.Pack() != 0x47AF6805 {
		t.Errorf("%+v, packed %#x", got, uint32(want.Pack()))
	}
	rapid.Check(t, func(t *rapid.T) {
		v := Time(rapid.Uint32().Draw(t, "time"))
		if back := v.Moment().Pack(); back != v {
			t.Fatalf("%#x came back as %#x", uint32(v), uint32(back))
		}
	})
}

// The people of the towns are the classes whose scripts are called so, protocol ingame 19.1: their region 12 has
// commands of its own.
func TestPeopleOfTheTowns(t *testing.T) {
	for c := range Class(1 << 12) {
		if want := strings.HasPrefix(c.String(), "npc"); c.NPC() != want {
			t.Errorf("%s (%d): a person %v, by its name %v", c, uint16(c), c.NPC(), want)
		}
	}
}

// Protocol ingame 2.6: 8 bits for every class but the player, since 2026.
func TestWidthOfContMan(t *testing.T) {
	for _, c := range []struct {
		d     Dialect
		class Class
		bits  int
	}{{Dialect2026, ClassPlayer, 4}, {Dialect2026, 500, 8}, {Dialect2022, ClassPlayer, 4}, {Dialect2022, 500,
		4}, {Classic, 210, 4}} {
		if got := c.d.contManBits(c.class); got != c.bits {
			t.Errorf("%s, %s: %d bits, documented %d", c.d, c.class, got, c.bits)
		}
	}
}
