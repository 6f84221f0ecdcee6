package content

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sphereserver/world/rules"
)

// someContent has one of everything.
func someContent() *Content {
	k := sword(7777, 3, "swords_n")
	k.Names, k.Group, k.Look = rules.Names{"ru": "Меч <проб> & \"ы\"", "en": "Trial"}, "A", [3]string{"1", "", "x"}
	return &Content{
		Source: "a test", Kinds: []rules.Kind{k},
		Suffixes: []rules.Suffix{{Letter: "A", Columns: rules.Columns{Attack: -1, Need: rules.Need{Stats: rules.Stats{1}}},
			Names: rules.Names{"ru": "урона"}, ByModule: map[string]rules.Names{"m": {"en": "of x"}}}},
		Monsters: []rules.Monster{{ID: 1000, Class: 210, Module: "monster", HPBase: 80,
			Trophies: [2]rules.Trophy{{Kind: 501, Chance: 150}}, Changes: rules.Bonus{HP: 3}}},
		Placements: []Placement{{File: "mazes/a.mbd", Name: "door", X: 1.5, Y: -2, Yaw: 3}},
		Texts: map[string][]Text{"_tokens": {{Number: 1801, Text: rules.Names{"ru": "Город"}},
			{Section: "FULL", Number: 4000, Text: rules.Names{"en": "Ann"}}}, "_sys": {{Number: 1,
			Text: rules.Names{"ru": "Да"}}}},
		Models: map[string]Model{"npc40": {1, 8.3}, "crt07": {Walk: 2.9}},
	}
}

func TestContentComesBackAsItWas(t *testing.T) {
	c := someContent()
	file, err := EncodeContent(c)
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecodeContent(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*c, back); diff != "" {
		t.Errorf("-written +read\n%s", diff)
	}
	again, err := EncodeContent(&back)
	if err != nil || !bytes.Equal(again, file) {
		t.Errorf("encoded again it differs: %v", err)
	}
}

func TestAnyDamageOfContentIsFound(t *testing.T) {
	file, err := EncodeContent(someContent())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		damaged := bytes.Clone(file)
		switch at := rapid.IntRange(0, len(file)-1).Draw(t, "at"); rapid.IntRange(0, 2).Draw(t, "how") {
		case 0:
			damaged = damaged[:at]
		case 1:
			damaged[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		case 2:
			damaged = slices.Insert(damaged, at, byte(rapid.IntRange(0, 255).Draw(t, "byte")))
		}
		// Only the source, and spaces within the header, are left unharmed.
		back, err := DecodeContent(damaged)
		if err != nil {
			return
		}
		back.Source = someContent().Source
		if diff := cmp.Diff(*someContent(), back); diff != "" {
			t.Fatalf("damage was not found:\n%s", diff)
		}
	})
}

func TestOtherVersionsAreNamed(t *testing.T) {
	file, err := EncodeContent(someContent())
	if err != nil {
		t.Fatal(err)
	}
	newer := bytes.Replace(file, []byte(`"version":1`), []byte(`"version":2`), 1)
	if _, err := DecodeContent(newer); err == nil || !strings.Contains(err.Error(), "expected version 1, found 2") {
		t.Errorf("version 2: %v", err)
	}
}

func TestOpenTakesWhatWasImported(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	c, err := Open(dir)
	if err != nil || c != Default() {
		t.Fatalf("nothing imported: %v, %v", c.Content.Source, err)
	}
	if err := WriteContent(dir, someContent()); err != nil {
		t.Fatal(err)
	}
	c, err = Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if c.Content.Source != "a test" || c.Kind(7777) == nil || c.Monster(1000).HPBase != 80 || len(c.Monsters()) != 1 ||
		len(c.Suffixes("A")) != 1 {
		t.Errorf("catalogue of %s: %v, %d monsters, %d suffixes", c.Content.Source, c.Kind(7777), len(c.Monsters()),
			len(c.Suffixes("A")))
	}
	if c.Kind(15001) != nil {
		t.Error("kinds that we have made up stand beside imported ones")
	}
	if c.Of(701, 0, 0) == nil || c.Kind(1) == nil {
		t.Error("what the files do not have is lost")
	}
	if got, ok := c.Content.Models["npc40"]; !ok || got.Run != 8.3 || len(c.Content.Placements) != 1 || len(c.Content.Texts["_tokens"]) != 2 {
		t.Errorf("model %v, %d places, %d texts", got, len(c.Content.Placements), len(c.Content.Texts["_tokens"]))
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

func TestPartsThatWereNotImportedAreTheDefault(t *testing.T) {
	c, err := Compose(&Content{Texts: map[string][]Text{"_sys": {{Number: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Kinds()) != len(Default().Kinds()) || len(c.Monsters()) != len(Default().Monsters()) ||
		len(c.Suffixes("A")) != 20 {
		t.Errorf("%d kinds, %d monsters, %d suffixes of swords", len(c.Kinds()), len(c.Monsters()), len(c.Suffixes("A")))
	}
}

func TestDamagedContentFileLeavesADefault(t *testing.T) {
	dir := t.TempDir()
	if err := WriteContent(dir, someContent()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, ContentFile)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file[:len(file)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir)
	if err == nil || c != Default() || !strings.Contains(err.Error(), ContentFile) {
		t.Errorf("%v, %v", c.Content.Source, err)
	}
}

func TestContentThatMakesNoSenseIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	if err := WriteContent(dir, someContent()); err != nil {
		t.Fatal(err)
	}
	bad := someContent()
	bad.Kinds = append(bad.Kinds, bad.Kinds[0])
	if err := WriteContent(dir, bad); err == nil {
		t.Error("two kinds with one id were written")
	}
	if c, err := Open(dir); err != nil || c.Content.Source != "a test" {
		t.Errorf("what was there before: %v, %v", c.Content.Source, err)
	}
}

func FuzzDecodeContent(f *testing.F) {
	file, err := EncodeContent(someContent())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		c, err := DecodeContent(file)
		if err != nil {
			return
		}
		again, err := EncodeContent(&c)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := DecodeContent(again); err != nil || !cmp.Equal(c, back) {
			t.Fatalf("came back as %+v, %v", back, err)
		}
	})
}
