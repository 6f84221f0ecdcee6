package capture

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sphereserver/packets"
)

func TestJSON(t *testing.T) {
	for name, c := range map[string]struct{ hex, want string }{
		"position": {"26 00 C2 43 3A 07 2C 01 00 3B 05 55 ED E8 20 50 F3 E9 0D 01 60 10 00 D0 09 11 00 F4 63 11 00 30 " +
			"1A 11 00 00 80 0E",
			`{"frame":1,"direction":"C2S","bytes":38,"whole":true,"dialect":"2026","decisive":false,"obfuscated":false,` +
				`"channel":300,"channel_name":"gameplay","sequence":1850,"checksum":17346,"clock":19776,` +
				`"origin":{"x":669,"y":4602,"z":931},` +
				`"sections":[{"object":28495,"class":2,"class_name":"_player","regions":[{"region":11,"name":"PositionStream",` +
				`"fields":{"x":669,"y":4602,"z":931,"yaw":0.00048828125}}]}],"unknown_bits":0,"unknown_commands":0,` +
				`"hex":"2600C2433A072C01003B0555EDE82050F3E90D01601000D0091100F4631100301A110000800E"}`},
		"named values": {"0E 00 2C 01 00 00 00 4F 6F 08 C0 02 10 1A",
			`{"frame":1,"direction":"S2C","bytes":14,"whole":true,"dialect":"2026","decisive":false,` +
				`"obfuscated":false,"channel":300,` +
				`"channel_name":"gameplay","clock":0,"sections":[{"object":28495,"class":2,` +
				`"class_name":"_player","regions":[{"region":10,` +
				`"name":"SetStat","fields":{"stat":0,"stat_name":"HP","value":104}}]}],"unknown_bits":0,"unknown_commands":0,` +
				`"hex":"0E002C010000004F6F08C002101A"}`},
		"control": {"0A 00 C8 00 6C 07 00 00 40 0E",
			`{"frame":1,"direction":"S2C","bytes":10,"whole":true,"dialect":"2026","decisive":false,` +
				`"obfuscated":false,"channel":200,` +
				`"channel_name":"greeting","control":{"name":"Greeting","fields":{"number":1900,"key":3648}},"unknown_bits":0,` +
				`"unknown_commands":0,"hex":"0A00C8006C070000400E"}`},
		"unknown region": {"0F 00 2C 01 00 00 00 4F 6F 08 40 09 00 00 80",
			`{"frame":1,"direction":"S2C","bytes":15,"whole":true,"dialect":"2026","decisive":false,` +
				`"obfuscated":false,"channel":300,` +
				`"channel_name":"gameplay","clock":0,"sections":[{"object":28495,"class":2,` +
				`"class_name":"_player","regions":[{"region":36,` +
				`"name":"UnknownRegion","unknown":true,"bits":27,"data":"00000004"}]}],"unknown_bits":27,"unknown_commands":0,` +
				`"hex":"0F002C010000004F6F084009000080"}`},
	} {
		r := readHexFrame(t, c.hex)
		if d := cmp.Diff(c.want, string(AppendJSON(nil, &r))); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

// Words and JSON come from one walk over the fields, so both have the same parts; JSON stays JSON for every number
// that a float can be.
func TestJSONIsValid(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	body := packets.Message(1, 0x6F4F, packets.ClassPlayer,
		&packets.Manager{Command: &packets.SetCoordinates{X: nan, Y: inf, Z: -inf, Yaw: 1e-40}},
		&packets.Manager{Command: &packets.UnknownCommand{Number: 200, Data: []byte{1, 2}}},
		&packets.PositionStream{Count: 3, Values: [15]float32{nan}},
		&packets.TransformState{X: math.MaxFloat32, Placement: 3})
	frame, err := packets.AppendServer(nil, body, packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	r := NewDetector().Read(Recorded{Direction: packets.FromServer, Wire: frame, Whole: true})
	got := AppendJSON(nil, &r)
	if !json.Valid(got) {
		t.Errorf("invalid: %s", got)
	}
	for _, want := range []string{`"x":"NaN","y":"-Inf","z":"+Inf","yaw":1e-40`, `"number":200,"data":"0102"`,
		`"value0":"NaN","value1":0`,
		`"placement":3}`, `"unknown_commands":1`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	for _, want := range []string{"x NaN  y -Inf  z +Inf  yaw 1e-40", "Manager UNKNOWN command 200, 2 bytes  01 02",
		"value0 NaN", "placement 3"} {
		if words := Words(&r); !strings.Contains(words, want) {
			t.Errorf("%s is not in %s", want, words)
		}
	}
	for _, f := range goldenFrames(t) {
		frames, err := ParseFrames(f.hex, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, frame := range frames {
			if r := NewDetector().Read(frame); !json.Valid(AppendJSON(nil, &r)) {
				t.Errorf("%s is invalid as JSON", f.name)
			}
		}
	}
}

func TestJSONStrings(t *testing.T) {
	for in, want := range map[string]string{
		`Вася "x" \`:       `"Вася \"x\" \\"`,
		"\x00\x1b\u009b":   `"\u0000\u001B\u009B"`,
		"\u202e\U000E0001": `"\u202E\uDB40\uDC01"`,
		"\xff":             `"\uFFFD"`,
	} {
		got := string(appendString(nil, in))
		if got != want || !json.Valid([]byte(got)) {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}

func TestFileCheckAsText(t *testing.T) {
	check := new(packets.FileCheck)
	copy(check.Folder[:], "models\\\x00old\x1b\x00\x00")
	copy(check.Mask[:], "*.txt")
	fields := fieldsOf(check, packets.ClassPlayer, packets.Body{}.Origin)
	var got []string
	for _, f := range fields {
		got = append(got, FieldName(f.name)+" "+f.words)
	}
	want := []string{`folder "models\\"`, `folder rest "old\x1b"`, `mask "*.txt"`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFieldNames(t *testing.T) {
	for name, want := range map[string][2]string{
		"X": {"x", "x"}, "MaxHP": {"max HP", "max_hp"}, "HP": {"HP", "hp"}, "HairColour": {"hair colour", "hair_colour"},
		"TitleXP": {"title XP", "title_xp"}, "Item1": {"item1", "item1"}, "HPChange": {"HP change", "hp_change"},
	} {
		if got := [2]string{FieldName(name), keyed(name)}; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestShortNumbers(t *testing.T) {
	for v, want := range map[float32]string{
		0: "0", 669: "669", 2614.25: "2614.25", 157.8: "157.8", 0.00048828125: "0.000488", -1098.695068359375: "-1098.7",
		1.5707964: "1.5708", 1000000: "1000000", 1e30: "1e+30", 4e-39: "4e-39", -0.25: "-0.25", 99999.9: "99999.9",
	} {
		if got := short(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
	if got := short(float32(math.Copysign(0, -1))); got != "0" {
		t.Errorf("negative zero is %s", got)
	}
}
