package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/server/query"
)

// documented is the server of the examples in the documentation.
type documented struct{}

func (documented) Info() query.Info {
	return query.Info{Name: "Сфера", Version: "0.1.0", Map: "Hyperion", Slots: 10000, Port: 25860,
		Uptime: 5025 * time.Second,
		Rules:  []query.Rule{{Key: "uptime", Value: "5025"}},
		Players: []query.Player{{Name: "Вася", Level: 12, Online: 34 * time.Minute}, {Name: "Ann", Level: 60,
			Online: 7 * time.Minute}, {Name: "Женя", Level: 75}}}
}

// answerFile is the answer in the file that an example reads: the basic one of the research note, cut off.
const answerFile = "00 01 02 03 04 54 65 73 74 20 53 65 72 76 65 72 00 53 4D 50 00 77 6F 72 6C 64 00 ;Test " +
	"Server.SMP.world.\n32 2F\n"

var (
	console = regexp.MustCompile("(?s)```console\n\\$ (?:echo ([^|\n]*) \\| )?sphere query ([^\n]*)\n(.*?)```")
	took    = regexp.MustCompile(`[0-9.]+ (ms|мс)|"milliseconds": [0-9.]+`)
)

// Every example of "sphere query" in the documentation prints the text there, in its language, but for the time that it took.
func TestQueryExamplesInDocuments(t *testing.T) {
	s := listenQuery(t, documented{})
	file := filepath.Join(t.TempDir(), "answer.hex")
	if err := os.WriteFile(file, []byte(answerFile), 0o666); err != nil {
		t.Fatal(err)
	}
	actual := strings.NewReplacer("127.0.0.1:25983", s.ASE().String(), "127.0.0.1:25860", s.Minecraft().String(),
		"answer.hex", file)
	told := strings.NewReplacer(s.ASE().String(), "127.0.0.1:25983", s.Minecraft().String(), "127.0.0.1:25860", file,
		"answer.hex")
	for page, want := range map[string]int{"protocol/ase.md": 3, "protocol/minecraft-query.md": 3, "operating.md": 1,
		"operating.ru.md": 1} {
		text, err := os.ReadFile(filepath.Join("../../docs", page))
		if err != nil {
			t.Fatal(err)
		}
		examples := console.FindAllStringSubmatch(string(text), -1)
		if len(examples) < want {
			t.Errorf("%s: only %d examples", page, len(examples))
		}
		for _, e := range examples {
			_, out, failure := inquireIn(strings.HasSuffix(page, ".ru.md"), e[1], strings.Fields(actual.Replace(e[2]))...)
			if failure != "" {
				out += "sphere: " + failure + "\n"
			}
			if diff := cmp.Diff(took.ReplaceAllString(e[3], "…"), took.ReplaceAllString(told.Replace(out),
				"…")); diff != "" {
				t.Errorf("%s: sphere query %s: -page +program\n%s", page, e[2], diff)
			}
		}
	}
}
