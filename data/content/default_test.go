package content

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"sphereserver/world/rules"
)

func TestDefaultDressesFromLevel1To20(t *testing.T) {
	c := Default()
	for _, class := range []int{500, 501, 502, 750, 752, 754, 755, 756, 757, 758, 751, 759, 760, 761} {
		strongest := 0
		for level := 1; level <= 20; level++ {
			tier := min(level, 74)/5 + 1
			n := 0
			for _, k := range c.OfClass(class) {
				if k.Tier == tier && k.Need.Title < level && k.Need.Degree < level {
					n++
					value := -k.Attack + k.Bonus.PhysicalDefence + k.Bonus.MagicalDefence + k.Bonus.HP
					if value < strongest {
						t.Errorf("class %d: tier %d is weaker than a tier below", class, tier)
					}
					strongest = max(strongest, value)
				}
			}
			if n == 0 {
				t.Errorf("class %d: nothing of tier %d for level %d", class, tier, level)
			}
		}
	}
}

// There is a monster of each level that a spawner may have: on Hyperion from level 1, on each of the other continents
// from the levels that it adds, and two more at either end for the spread.
func TestDefaultHasMonstersOfEachLevel(t *testing.T) {
	b := rules.DefaultBalance().Spawn
	for letter, from := range map[byte]int{'P': 0, 'F': 0, 'M': 0, 'H': b.Haron, 'N': b.Phoebe, 'R': b.Rodos} {
		for level := max(from-1, 1); level <= from+rules.DefaultBalance().Spawn.MostLevel+2; level++ {
			if !slices.ContainsFunc(Default().Monsters(), func(m rules.Monster) bool { return m.Inhabits(letter, level) }) {
				t.Errorf("habitat %c: nobody of level %d", letter, level)
			}
		}
	}
}

func TestDefaultMonstersAreWhole(t *testing.T) {
	balance := rules.DefaultBalance()
	for _, m := range Default().Monsters() {
		if m.Names["ru"] == "" || m.Names["en"] == "" || !isScript(m.Names["ru"], unicode.Cyrillic) ||
			!isScript(m.Names["en"], unicode.Latin) {
			t.Errorf("monster %d is called %v", m.ID, m.Names)
		}
		if change := balance.Karma.ForMonster(&m); m.ID == rules.PracticeTarget && change != 0 { // review D11
			t.Errorf("a kill of the practice target changes the karma by %d", change)
		}
		flies := m.Class == 211
		if m.ID < rules.FirstType || m.ID > rules.LastType || m.Class != 210 && !flies || flies != (m.Flying == 100) {
			t.Errorf("monster %d: class %d, flying %d", m.ID, m.Class, m.Flying)
		}
		if m.Low < 0 || m.High < m.Low || m.HPBase < 1 || m.Attack > 0 || m.Magic > 0 || m.Physical < 0 || m.Magical < 0 ||
			m.Karma < 1 || m.Karma > 5 || m.Size < 1 || m.Habitat == "" {
			t.Errorf("monster %d: %+v", m.ID, m)
		}
		if fights := m.ID != rules.PracticeTarget; fights != (m.Attack+m.Magic < 0 && m.Delay > 0 && m.Range > 0 && m.Speed > 0) {
			t.Errorf("monster %d: attack %d, delay %d, range %d, speed %d", m.ID, m.Attack, m.Delay, m.Range, m.Speed)
		}
		for _, trophy := range m.Trophies {
			if known := Default().Kind(trophy.Kind) != nil; known != (trophy.Kind > 0) || known != (trophy.Chance > 0) {
				t.Errorf("monster %d leaves %+v", m.ID, trophy)
			}
		}
		if effect := m.Effect > 0; effect != (m.Length > 0) || effect != (m.Chance > 0) || effect != (m.EffectKey != "") {
			t.Errorf("monster %d: effect %d, length %d, chance %d, key %q", m.ID, m.Effect, m.Length, m.Chance, m.EffectKey)
		}
	}
}

// A player that buys the things of its level must be able to meet their requirements with its points.
func TestDefaultNeedsCanBeMet(t *testing.T) {
	points := map[int]int{1: 4, 5: 22, 10: 54, 15: 96, 20: 138} // both ladders alone, about; protocol gamerules 2.4
	for i := range Default().Kinds() {
		k := &Default().Kinds()[i]
		level := max(k.Need.Title, k.Need.Degree) + 1
		sum := 0
		for _, n := range k.Need.Stats {
			sum += n
		}
		for at, has := range points {
			if level == at && sum > has {
				t.Errorf("%s of level %d needs %d points, of about %d", k.Name("en"), level, sum, has)
			}
		}
	}
}

func TestDefaultKindsAreWhole(t *testing.T) {
	for i := range Default().Kinds() {
		k := &Default().Kinds()[i]
		if k.Names["ru"] == "" || k.Names["en"] == "" {
			t.Errorf("kind %d has names %v", k.ID, k.Names)
		}
		if !isScript(k.Names["ru"], unicode.Cyrillic) || !isScript(k.Names["en"], unicode.Latin) {
			t.Errorf("kind %d mixes alphabets: %v", k.ID, k.Names)
		}
		if rules.ClassOfModule(k.Module) != k.Class || k.Class == 0 {
			t.Errorf("kind %d: class %d, but its module %s is of class %d", k.ID, k.Class, k.Module,
				rules.ClassOfModule(k.Module))
		}
		if k.Ours != (k.ID >= OurFirst && k.ID <= OurLast) || k.GameID > 1<<14-1 {
			t.Errorf("kind %d: game id %d, ours %v", k.ID, k.GameID, k.Ours)
		}
		if k.GameID == 0 && k.ID != ThingBase+10*k.Class+k.Subtype || k.GameID != 0 && k.ID != k.GameID {
			t.Errorf("kind %d has game id %d", k.ID, k.GameID)
		}
		if k.Attack > 0 || k.Price < 0 || k.Weight < 0 || k.Stack < 1 || k.Tier > rules.MaxTier {
			t.Errorf("kind %d: %+v", k.ID, k)
		}
		if got := Default().Of(k.Class, k.GameID, k.Subtype); got != k {
			t.Errorf("class %d game id %d is %v, want kind %d", k.Class, k.GameID, got, k.ID)
		}
		if l := k.SuffixLetter(); l != "" && len(Default().Suffixes(l)) == 0 {
			t.Errorf("kind %d: group %s has no suffixes", k.ID, l)
		}
		if (k.Class == 760) != (k.SuffixLetter() == "F") {
			t.Errorf("kind %d of class %d: must have a suffix: %v", k.ID, k.Class, k.SuffixLetter() == "F")
		}
	}
	for _, id := range []int{1, 140, 501, 570, 601, 717, 900, 5500} { // numbers that are known
		if k := Default().Kind(id); k == nil || k.Ours {
			t.Errorf("kind %d is %v", id, k)
		}
	}
	if k := Default().Of(701, 77, 0); k == nil || k.Names["en"] != "Key" {
		t.Errorf("a key is %v", k)
	}
	if k := Default().Of(500, 77, 0); k != nil {
		t.Errorf("an unknown sword is %v", k)
	}
}

func isScript(text string, script *unicode.RangeTable) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(script, r) })
}

func TestDefaultSuffixesAreThoseOfTheRules(t *testing.T) {
	// Counts and some names of protocol gamerules 7.3.
	total := 0
	for letter, want := range map[string]int{"A": 20, "B": 19, "C": 25, "D": 8, "E": 11, "F": 18, "G": 24, "H": 20,
		"I": 27, "Z": 10} {
		group := Default().Suffixes(letter)
		if len(group) != want {
			t.Errorf("group %s has %d suffixes, want %d", letter, len(group), want)
		}
		total += len(group)
		for _, s := range group {
			if s.Key == "" || s.Names["ru"] == "" || s.Names["en"] == "" {
				t.Errorf("suffix %s%d: %+v", letter, s.Index, s)
			}
		}
	}
	if total != 182 || len(Default().Letters()) != 10 {
		t.Errorf("%d suffixes in %d groups", total, len(Default().Letters()))
	}
	for _, v := range []struct {
		letter string
		index  int
		key    string
		spread int
	}{{"A", 6, "disorder", 2}, {"A", 7, "chaos", 4}, {"A", 19, "value", 0}, {"B", 13, "mastery", 0}, {"I", 26,
		"elements(new)", 0}, {"Z", 9, "peace", 0}, {"G", 23, "dragon", 0}} {
		if s := Default().Suffixes(v.letter)[v.index]; s.Key != v.key || s.Spread != v.spread {
			t.Errorf("suffix %s%d is %s with spread %d, want %s with %d", v.letter, v.index, s.Key, s.Spread, v.key, v.spread)
		}
	}
}

// Each value that is a fact says where it is from, in the column beside it.
func TestFactsNameColumnsAndSources(t *testing.T) {
	fact := regexp.MustCompile(`^([a-z_0-9]+): ((ingame|fight|life) )?[0-9]+(\.[0-9]+)?$`)
	n := 0
	for _, name := range []string{"weapons", "armour", "jewellery", "things", "magic", "guilds", "suffixes", "monsters"} {
		for _, r := range readDefault(name) {
			facts := r.cell("facts")
			if facts == "" {
				if id := r.number("id"); id != 0 && (id < OurFirst || id > OurLast) && name != "monsters" {
					t.Errorf("%s: id %d is not ours and has no source", r.at(), id)
				}
				continue
			}
			for f := range strings.SplitSeq(facts, "; ") {
				m := fact.FindStringSubmatch(f)
				if m == nil {
					t.Errorf("%s: %q is not a column and a section", r.at(), f)
				} else if r.cell(m[1]) == "" && m[1] != "subtype" && m[1] != "low" {
					t.Errorf("%s: the fact %s has no value", r.at(), m[1])
				}
				n++
			}
		}
	}
	if n < 80 {
		t.Errorf("found %d facts, expected more", n)
	}
}

func TestKindsThatCannotBeToldApartAreRefused(t *testing.T) {
	for name, c := range map[string]Content{
		"one id twice":        {Kinds: []rules.Kind{sword(5, 1, ""), sword(5, 2, "")}},
		"no id":               {Kinds: []rules.Kind{{Class: 500}}},
		"one number twice":    {Kinds: []rules.Kind{{ID: 1, GameID: 9, Class: 500}, {ID: 2, GameID: 9, Class: 500}}},
		"gap in a group":      {Suffixes: []rules.Suffix{{Letter: "A", Index: 0}, {Letter: "A", Index: 2}}},
		"suffix twice":        {Suffixes: []rules.Suffix{{Letter: "A", Index: 0}, {Letter: "A", Index: 0}}},
		"one monster twice":   {Monsters: []rules.Monster{{ID: 1}, {ID: 1}}},
		"group not from zero": {Suffixes: []rules.Suffix{{Letter: "B", Index: 1}}},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestPagesCountWhatThereIs(t *testing.T) {
	suffixes := 0
	for _, letter := range Default().Letters() {
		suffixes += len(Default().Suffixes(letter))
	}
	for page, format := range map[string]string{
		"../../docs/catalogue.md":    "%d kinds, %d suffixes and %d monsters",
		"../../docs/catalogue.ru.md": "%d вида предметов, %d суффикса и %d монстров",
	} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf(format, len(Default().Kinds()), suffixes,
			len(Default().Monsters())); !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %q", page, want)
		}
	}
}

func TestMonsterHPAsRecorded(t *testing.T) {
	// protocol gamerules 17 and 18.
	for _, v := range []struct{ monster, level, hp int }{
		{1000, 2, 128}, {1000, 1, 80}, {1010, 1, 80}, {1010, 3, 176}, {1010, 4, 224}, {1071, 4, 254}, {1120, 5, 299}, {1170,
			1, 32},
		{1020, 1, 85}, {1020, 3, 187}, {1020, 4, 238}, {1060, 2, 131}, {1060, 4, 229}, {1001, 3, 178}, {1011, 4, 229}, {1021,
			4, 243},
		{1070, 1, 86}, {1070, 2, 137}, {1069, 1, 64},
	} {
		m := Default().Monster(v.monster)
		if m == nil {
			t.Errorf("no monster %d", v.monster)
		} else if got := m.MaxHP(v.level, false); got != v.hp {
			t.Errorf("monster %d of level %d has %d HP, want %d", v.monster, v.level, got, v.hp)
		}
	}
	if m := Default().Monster(1); m != nil {
		t.Errorf("monster 1 is %v", m)
	}
}
