package packets

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// Protocol ingame 17: messages of clients of two generations about objects, and those that are alike in both.
func TestFramesShowTheirGeneration(t *testing.T) {
	for frame, want := range map[string][]Dialect{
		"15 00 00 00 01 01 2C 01 00 D0 07 34 12 14 47 E1 60 E0 E9 0D 00":                                  {Dialect2026},
		"15 00 00 00 01 01 2C 01 00 D0 07 34 12 14 47 E1 06 9E DE 00 00":                                  {Dialect2022},
		"1B 00 00 00 01 01 2C 01 00 D0 07 00 20 5C 46 E1 60 E0 E9 0D A0 A0 30 F0 F4 06 00":                {Dialect2026},
		"1A 00 00 00 01 01 2C 01 00 D0 07 00 20 5C 46 E1 06 9E DE 00 0A 3A F0 F4 06 00":                   {Dialect2022},
		"20 00 00 00 01 01 2C 01 00 D0 07 4F 6F 08 40 A3 20 20 E1 47 23 01 7D 14 CE E0 E9 0D 20 99 07 00": {Dialect2022},
		"1F 00 00 00 01 01 2C 01 00 D0 07 00 15 54 43 C1 07 9E DE 00 7E 4F 6F 08 40 A3 62 00 00 00 00":    {Dialect2022},
		"16 00 00 00 01 01 2C 01 00 D0 07 4F 6F 08 40 23 86 80 46 02 00 00":                               {Dialect2026, Dialect2022},
		"18 00 00 00 01 01 2C 01 00 D0 07 4F 6F 08 40 81 0C 9E DE 00 00 36 34 00":                         {Dialect2026, Dialect2022},
		"15 00 00 00 01 01 2C 01 00 D0 07 34 12 14 47 FF FF FF FF FF 07":                                  nil,
	} {
		b, err := hex.DecodeString(strings.ReplaceAll(frame, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if have := Readings(b); !slices.Equal(have, want) {
			t.Errorf("%s makes sense as %v, expected %v", frame, have, want)
		}
	}
}
