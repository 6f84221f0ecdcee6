package api

import (
	"bytes"
	"encoding"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/config"
	"sphereserver/server/geography"
	"sphereserver/server/ops"
	"sphereserver/server/public"
)

// answers are the types that the page reads, by its names for them. Its types are made of the Go ones.
var answers = []struct {
	name, about string
	value       any
}{
	{"Both", "A name or a label in both languages.", ops.Text{}},
	{"Position", "A point of the world in metres, and where it looks.", coords.Position{}},
	{"Point", "A point of the world in metres: x grows to the east, z to the north, y upwards.", geography.Point{}},
	{"Me", "Who asks.", meAnswer{}},
	{"First", "Whether the first administrator can be made here.", firstState{}},
	{"Levels", "Levels as the game shows them.", levels{}},
	{"Player", "A player in the world. The stream leaves out what the connection has to tell.", playerAnswer{}},
	{"Road", "", geography.Road{}},
	{"Region", "", geography.Region{}},
	{"Sketch", "The drawn base of a continent. Lines are x and z of one point after the other.", geography.Sketch{}},
	{"Area", "", geography.Area{}},
	{"Place", "", geography.Place{}},
	{"Townsman", "", geography.Townsman{}},
	{"Portal", "", geography.Portal{}},
	{"Geography", "The world as it stands in the tables.", geography.World{}},
	{"Monsters", "The monsters of an area, or of a part of it, or how many are in squares (id, type, level, HP, greatest HP, x, y, z, 1 if it has a name, 1 if it was summoned).",
		monstersAnswer{}},
	{"SpawnerOff", "A place where operators let no monsters come from.", offAnswer{}},
	{"Spawners", "Where the monsters of an area come from: of each key x, y, z, level in the middle, index of its choice of types, " +
		"1 if it is turned off.", spawnersAnswer{}},
	{"MonsterInside", "How many monsters of a kind are in a dungeon; those with names of their own apart.", ops.MonsterInside{}},
	{"ThingInside", "How many things of a kind lie in a dungeon.", ops.ThingInside{}},
	{"Instance", "A dungeon of one player or a few. Without emptied somebody is in it.", ops.Instance{}},
	{"Heat", "Where it is hot: of each cell x and z of its corner in cells, and seconds of players, deaths, kills or coins.",
		heatAnswer{}},
	{"Height", "How high the ground is at a place, in metres; null where that is not known.", heightAnswer{}},
	{"Ware", "An article that a townsman sells today.", wareAnswer{}},
	{"Status", "Figures of now.", statusAnswer{}},
	{"HistoryPoint", "How the server was doing for ten seconds.", point{}},
	{"History", "", historyAnswer{}},
	{"PlayersEvent", "Where everybody is (id, x, y, z, yaw), and who has come and gone since the last event.",
		playersEvent{}},
	{"ChatLine", "", chatAnswer{}},
	{"LogLine", "A line of the log; without Russian words it is shown as it is.", logAnswer{}},
	{"AuditEntry", "", ops.AuditEntry{}},
	{"Ban", "A ban or a mute; without an end it is for ever.", ops.Ban{}},
	{"Account", "", ops.Account{}},
	{"Character", "A character as a list shows it.", characterAnswer{}},
	{"Note", "What an operator has noted of an account.", ops.Note{}},
	{"SharedAccount", "", ops.SharedAccount{}},
	{"Shared", "What several accounts have in common; accounts are the first of them.", ops.Shared{}},
	{"Doubt", "What was not believed of the moves of an account; id is that of the account.", doubtAnswer{}},
	{"Desk", "What game masters look through.", deskAnswer{}},
	{"DeletedCharacter", "A deleted character that can come back.", deletedAnswer{}},
	{"Item", "", itemAnswer{}},
	{"Mission", "What a character has to do: kind is the letter of its template.", missionAnswer{}},
	{"Sheet", "Everything that is stored of a character.", sheetAnswer{}},
	{"Setting", "", keyAnswer{}},
	{"Change", "", config.Change{}},
	{"Changes", "What a change of the configuration has changed.", changesAnswer{}},
	{"BalanceFile", "The balance file; with a sample there is none yet.", ops.BalanceFile{}},
	{"Rate", "A rate that an operator has set; without an end until it is ended.", ops.SetRate{}},
	{"RateState", "How much more there is of something; without changes for ever.", ops.RateState{}},
	{"Motd", "The message of the day; without an author it is that of the configuration.", ops.Motd{}},
	{"Maintenance", "Whether only operators get in, and the logins that do as well.", ops.Maintenance{}},
	{"AddressBan", "", ops.AddressBan{}},
	{"Kind", "A kind of things that somebody may have meant.", kindAnswer{}},
	{"Suffix", "", suffixAnswer{}},
	{"Backup", "", data.BackupFile{}},
	{"Backups", "", backupsAnswer{}},
	{"Token", "A token; its secret is told once, when it is made.", tokenAnswer{}},
	{"Capture", "How a recording of sessions goes, or how the last one ended.", captureAnswer{}},
	{"PublicStatus", "How the server does, as everybody may know.", public.Status{}},
	{"PublicPlayer", "Somebody in the world, as far as that is shown: at is x, y, z and yaw.", public.Player{}},
	{"PublicOnline", "", public.Online{}},
	{"PublicLeader", "", public.Leader{}},
	{"PublicTop", "", public.Top{}},
}

// A typescript writes Go types as types of TypeScript.
type typescript struct{ names map[reflect.Type]string }

// of is the type of a value that comes as JSON.
func (ts *typescript) of(t reflect.Type) string {
	if name := ts.names[t]; name != "" {
		return name
	}
	if t == reflect.TypeFor[time.Time]() || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return "string"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return ts.of(t.Elem()) + " | null"
	case reflect.Slice:
		return ts.of(t.Elem()) + "[]"
	case reflect.Array:
		return "[" + strings.TrimSuffix(strings.Repeat(ts.of(t.Elem())+", ", t.Len()), ", ") + "]"
	case reflect.Map:
		return "Record<string, " + ts.of(t.Elem()) + ">"
	case reflect.Struct:
		return "{ " + strings.ReplaceAll(strings.TrimSpace(ts.fields(t, " ")), "\n ", " ") + " }"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	}
	return "number"
}

// fields are the fields of a struct as JSON has them, a line each.
func (ts *typescript) fields(t reflect.Type, indent string) string {
	var b strings.Builder
	for _, f := range reflect.VisibleFields(t) {
		name, how, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "-" || name == "" {
			continue
		}
		kind := f.Type
		optional := strings.HasPrefix(how, "omit")
		for i := range f.Index[:len(f.Index)-1] { // fields of an embedded pointer may be missing
			optional = optional || t.FieldByIndex(f.Index[:i+1]).Type.Kind() == reflect.Pointer
		}
		if strings.HasPrefix(how, "omit") && kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		if optional {
			name += "?"
		}
		fmt.Fprintf(&b, "%s%s: %s;\n", indent, name, ts.of(kind))
	}
	return b.String()
}

// text is the whole file.
func (ts *typescript) text() []byte {
	var b bytes.Buffer
	b.WriteString("// What the server answers, as JSON has it. Made of the types of Go:\n" +
		"// go test ./server/admin/api -run TypeScript -update-types\n\nexport type Role =")
	for r := data.Player; r <= data.Administrator; r++ {
		fmt.Fprintf(&b, " %s'%s'", strings.Repeat("| ", min(1, int(r))), r)
	}
	b.WriteString(";\n")
	for _, a := range answers {
		b.WriteString("\n")
		if a.about != "" {
			fmt.Fprintf(&b, "/** %s */\n", a.about)
		}
		fmt.Fprintf(&b, "export interface %s {\n%s}\n", a.name, ts.fields(reflect.TypeOf(a.value), "  "))
	}
	return b.Bytes()
}

var updateTypes = flag.Bool("update-types", false, "write the page's types anew")

func TestTypeScriptIsThatOfGo(t *testing.T) {
	ts := &typescript{map[reflect.Type]string{reflect.TypeFor[data.Role](): "Role", reflect.TypeFor[text](): "Both"}}
	for _, a := range answers {
		ts.names[reflect.TypeOf(a.value)] = a.name
	}
	const path = "../web/src/answers.ts"
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	switch want := ts.text(); {
	case bytes.Equal(have, want):
	case !*updateTypes:
		t.Errorf("%s is not what the types of Go are; go test ./server/admin/api -run TypeScript -update-types writes it",
			path)
	default:
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
