package content

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sphereserver/world/rules"
)

const classBread = 653 // its kinds have numbers that need more than 16 bits

const missionHead = "template\tgoals\tmin\tmax\ttypes\treward\tenglish\trussian\n"

func TestMissionsOfADataFolder(t *testing.T) {
	dir := t.TempDir()
	if all, err := OpenMissions(dir); err != nil || len(all) != len(Missions()) {
		t.Fatalf("of an empty folder %d, %v", len(all), err)
	}
	path := filepath.Join(dir, MissionsFile)
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(missionHead + "k001\tmoney\t5\t9\t1069 1070\t2.5\tHere\tЗдесь\nb007\tkarma\t1\t60\t-\t1\tThere\tТам\n" +
		fmt.Sprintf("c001\tmoney\t1\t60\t%d\t1\tThings\tВещи\n", Default().OfClass(classBread)[0].ID))
	all, err := OpenMissions(dir)
	if err != nil || len(all) != len(Missions()) {
		t.Fatalf("%d, %v", len(all), err)
	}
	for _, m := range all {
		if m.Key == "b007" && (m.Goals != [rules.MissionGoals]bool{rules.KarmaGoal: true} || m.Text["en"] != "There") {
			t.Errorf("replaced by %+v", m)
		}
		if m.Key == "k001" && (m.Min != 5 || m.Reward != 2.5 || len(m.Types) != 2 || m.Goals[rules.TitleGoal] ||
			!m.Goals[rules.MoneyGoal]) {
			t.Errorf("replaced by %+v", m)
		}
	}
	if wrong := CheckMissions(all, Default().Tables); len(wrong) != 0 {
		t.Errorf("wrong: %v", wrong)
	}
	all[0].Types = []int{7}
	all = append(all, rules.MissionTemplate{Key: "c006", Types: []int{1 << 20, Default().Kinds()[0].ID}})
	if wrong := CheckMissions(all, Default().Tables); len(wrong) != 2 {
		t.Errorf("wrong: %v", wrong)
	}
	write("\uFEFF" + strings.ReplaceAll(missionHead+"k001\tmoney\t5\t9\t-\t2\tHere\tЗдесь\n", "\n", "\r\n"))
	if _, err := OpenMissions(dir); err != nil {
		t.Errorf("as Windows writes it: %v", err)
	}
	for _, text := range []string{"\xFF\xFEt\x00e\x00", missionHead + "k001\tmoney\t5\t9\t-\t2\tHere\t\xC7\xE4\n"} {
		write(text)
		if _, err := OpenMissions(dir); err == nil || !strings.Contains(err.Error(), "not in UTF-8; save it as UTF-8") {
			t.Errorf("%q: %v", text, err)
		}
	}
	write(missionHead + "k001\tfame\t1\t60\t-\t1\tA\tБ\n")
	if all, err := OpenMissions(dir); err == nil || !strings.Contains(err.Error(), "missions.tsv:2") ||
		len(all) != len(Missions()) {
		t.Errorf("a wrong file: %d, %v", len(all), err)
	}
}

// Each text that the client has of a kind of mission has a row, in which stands all that it asks for.
func TestAllTemplatesOfTheClientAreThere(t *testing.T) {
	wants := map[byte][]string{rules.KillInside: {"MONSTER"}, rules.KillOutside: {"MONSTER"}, rules.FetchParcel: {"MONSTER"},
		rules.BringParcel: {"PERSON"}, rules.RegainParcel: {"MONSTER"}, rules.Collect: {"THINGS"}, rules.FreePerson: nil,
		rules.GuidePerson: nil}
	said, total := map[string]string{}, 0
	for _, m := range Missions() {
		for language, text := range m.Text {
			if other := said[text]; other != "" {
				t.Errorf("%s and %s are said alike: %s", m.Key, other, text)
			}
			said[text] = m.Key
			for _, word := range []string{"MONSTER", "PERSON", "THINGS"} {
				if strings.Contains(text, word) != slices.Contains(wants[m.Kind()], word) {
					t.Errorf("%s in %s: %s", m.Key, language, text)
				}
			}
		}
	}
	for kind, n := range missionTemplates {
		for i := range n {
			total++
			key := fmt.Sprintf("%c%03d", kind, i)
			if !slices.ContainsFunc(Missions(), func(m rules.MissionTemplate) bool { return m.Key == key }) {
				t.Errorf("%s is not there", key)
			}
		}
	}
	if total != 39 || len(Missions()) != total {
		t.Errorf("%d templates, %d in the table", total, len(Missions()))
	}
}

func TestWrongTablesOfMissions(t *testing.T) {
	for _, c := range []struct{ row, want string }{
		{"k005\tmoney\t1\t60\t-\t1\tA\tБ", "template"},
		{"p003\tmoney\t1\t60\t-\t1\tA\tБ", "c000–c006, f000–f004, h000–h004, k000–k004, p000–p002, q000, s000–s004, found"},
		{"x000\tmoney\t1\t60\t-\t1\tA\tБ", "template"},
		{"k00\tmoney\t1\t60\t-\t1\tA\tБ", "template"},
		{"k000\tmoney\t0\t60\t-\t1\tA\tБ", "min"},
		{"k000\tmoney\t10\t9\t-\t1\tA\tБ", "max"},
		{"k000\tmoney\t1\t61\t-\t1\tA\tБ", "max"},
		{"k000\t\t1\t60\t-\t1\tA\tБ", "goals: expected title, degree, money, karma, found"},
		{"k000\t-\t1\t60\t-\t1\tA\tБ", "goals"},
		{"k000\tmoney fame\t1\t60\t-\t1\tA\tБ", "goals"},
		{"s000\tmoney\t1\t60\t1069\t1\tA\tБ", "types: expected -, found"},
		{"h000\tmoney\t1\t60\t1069\t1\tA\tБ", "types: expected -, found"},
		{"k000\tmoney\t1\t60\tdog\t1\tA\tБ", "types"},
		{"k000\tmoney\t1\t60\t-\tNaN\tA\tБ", "reward"},
		{"k000\tmoney\t1\t60\t-\t1\tA\tБ\nk000\tmoney\t1\t60\t-\t1\tA\tБ", "every key once"},
	} {
		if _, err := parseMissions("t", missionHead+c.row+"\n"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.row, err, c.want)
		}
	}
	const head = "number\tarea\tx\ty\tz\tangle\tsource\n"
	for _, c := range []struct{ row, want string }{
		{"1999\thyperion\t1\t155\t1\t0\tx", "number"},
		{"2000\thyperion\t1\t155\t1\t0\tx\n2000\thyperion\t1\t155\t1\t0\tx", "once"},
		{"2000\tnowhere\t1\t155\t1\t0\tx", "area"},
	} {
		if _, err := parseEntrances("t", head+c.row+"\n"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.row, err, c.want)
		}
	}
}

// The givers of titles have the recorded offers; all givers of missions have an entrance or send to one.
func TestLifeCheck4_1GiversOffer(t *testing.T) {
	n := 0
	for _, p := range NPCs() {
		g := p.Giver()
		if g == nil {
			continue
		}
		n++
		if (g.Guild != 0) != (p.Kind == GuildMaster) || g.Guild != 0 && slices.Contains(g.Goals[:], true) {
			t.Errorf("%s gives ranks of guild %d for %v", p.Key, g.Guild, g.Goals)
		}
		if g.Near.Number < 2000 || g.Near.At.Check() != nil || (len(g.Far) == 0) != g.Near.Sends ||
			slices.Contains(g.Far, g.Near) {
			t.Errorf("%s has the entrance %+v, and far away %+v", p.Key, g.Near, g.Far)
		}
		if p.Kind == TitleQuests && p.Area == "hyperion" && (g.Goals != [4]bool{true, false, true} ||
			g.Places != [7]bool{true, true} || g.TitleMax != 60 || g.KarmaMin != 1 || g.KarmaMax != 5) {
			t.Errorf("%s offers %+v", p.Key, g)
		}
	}
	if n != 34+26 {
		t.Errorf("%d give missions", n)
	}
}
