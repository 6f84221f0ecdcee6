package content

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sphereserver/world/rules"
)

// MissionsFile is the name of the file within a data folder that changes templates of missions: a table like the one
// that is built in, which has all that there are; each row replaces the one of the same template.
const MissionsFile = "missions.tsv"

// maxMissionsFile, in bytes, is far above any file written by hand.
const maxMissionsFile = 1 << 20

// missionTemplates is how many texts the client has of each kind that can be done here. Source: protocol life 4.1.
var missionTemplates = map[byte]int{
	rules.KillInside: 5, rules.KillOutside: 8, rules.FetchParcel: 3, rules.BringParcel: 5, rules.RegainParcel: 1,
	rules.Collect: 7, rules.FreePerson: 5, rules.GuidePerson: 5,
}

// templateWords says which templates there are: "b000–b007, …", in the words of any language.
func templateWords() string {
	var words []string
	for _, kind := range slices.Sorted(maps.Keys(missionTemplates)) {
		word := fmt.Sprintf("%c000", kind)
		if last := missionTemplates[kind] - 1; last > 0 {
			word += fmt.Sprintf("–%c%03d", kind, last)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

var loadMissions = embedded("missions.tsv", parseMissions)

// Missions returns the templates of missions, in the order of the table. The slice is shared and not to be changed.
func Missions() []rules.MissionTemplate { return loadMissions() }

// OpenMissions returns the templates of missions with a data folder: the built-in ones, and the folder's. When its
// file cannot be used the error says why, and the built-in ones are returned.
func OpenMissions(dataDir string) ([]rules.MissionTemplate, error) {
	path := filepath.Join(dataDir, MissionsFile)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missions(), nil
	case err != nil:
		return Missions(), err
	case info.Size() > maxMissionsFile:
		return Missions(), fmt.Errorf("%s: expected at most %d bytes, found %d", path, maxMissionsFile, info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Missions(), err
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF")) // the mark that Windows editors begin with
	if !utf8.Valid(text) {
		return Missions(), fmt.Errorf("%s: the file is not in UTF-8; save it as UTF-8", path)
	}
	more, err := parseMissions(path, string(text))
	if err != nil {
		return Missions(), err
	}
	all := slices.Clone(Missions())
	for _, m := range more {
		all[slices.IndexFunc(all, func(o rules.MissionTemplate) bool { return o.Key == m.Key })] = m
	}
	return all, nil
}

var missionColumns = []string{"template", "goals", "min", "max", "types", "reward", "english", "russian"}

// parseMissions reads a table of templates of missions.
func parseMissions(name, text string) (all []rules.MissionTemplate, err error) {
	err = readTable(name, text, missionColumns, func(r *tableRow) {
		m := rules.MissionTemplate{Key: r.key("template"), Min: int(r.number("min", 1, rules.CycleLevels)),
			Max: int(r.number("max", 1, rules.CycleLevels)), Reward: float64(r.float("reward")),
			Text: rules.Names{"en": r.text("english"), "ru": r.text("russian")}}
		if !isTemplate(m.Key) {
			r.fail("template", templateWords())
		}
		if m.Max < m.Min {
			r.fail("max", "a level not below the least")
		}
		if !(m.Reward >= 0 && m.Reward <= 100) {
			r.fail("reward", "a number from 0 to 100")
		}
		for _, word := range strings.Fields(r.field("goals")) {
			goal, ok := rules.MissionGoalOf(word)
			if !ok {
				m.Goals = [rules.MissionGoals]bool{}
				break
			}
			m.Goals[goal] = true
		}
		if !slices.Contains(m.Goals[:], true) {
			r.fail("goals", "title, degree, money, karma")
		}
		switch {
		case !r.known("types"):
		case strings.HasPrefix(m.Key, string(rules.BringParcel)), strings.HasPrefix(m.Key, string(rules.GuidePerson)):
			r.fail("types", "-") // these have no monsters
		default:
			for _, word := range strings.Fields(r.text("types")) {
				n, err := strconv.ParseUint(word, 10, 31)
				if err != nil {
					expected := "numbers of monsters"
					if strings.HasPrefix(m.Key, string(rules.Collect)) {
						expected = "numbers of kinds of things"
					}
					r.fail("types", expected)
					break
				}
				m.Types = append(m.Types, int(n))
			}
		}
		all = append(all, m)
	})
	return all, err
}

// isTemplate reports whether the client has a text of a key.
func isTemplate(key string) bool {
	if len(key) != 4 {
		return false
	}
	n, err := strconv.ParseUint(key[1:], 10, 8)
	return err == nil && int(n) < missionTemplates[key[0]]
}

// CheckMissions returns the faults of templates of missions against the tables: unknown types of monsters, and kinds
// of things.
func CheckMissions(all []rules.MissionTemplate, tables *rules.Tables) (wrong []error) {
	for _, m := range all {
		for _, id := range m.Types {
			switch collects := m.Kind() == rules.Collect; {
			case collects && tables.Kind(id) == nil:
				wrong = append(wrong, fmt.Errorf("%s: types: expected kinds of the catalogue, found %d", m.Key, id))
			case !collects && tables.Monster(id) == nil:
				wrong = append(wrong, fmt.Errorf("%s: types: expected monsters of the catalogue, found %d", m.Key, id))
			}
		}
	}
	return wrong
}

// An Entrance is the way into the dungeons of missions.
type Entrance struct {
	rules.Entrance
	Area string
}

var loadEntrances = embedded("entrances.tsv", parseEntrances)

// Entrances returns the ways into the dungeons of missions. The slice is shared and not to be changed.
func Entrances() []Entrance { return loadEntrances() }

var entranceColumns = []string{"number", "area", "x", "y", "z", "angle", "source"}

func parseEntrances(name, text string) (all []Entrance, err error) {
	err = readTable(name, text, entranceColumns, func(r *tableRow) {
		e := Entrance{Area: r.text("area")}
		e.Number, e.Sends = int(r.number("number", 2000, 2148)), !r.known("x")
		if !e.Sends {
			e.At = r.position("x", "y", "z")
			e.At.Yaw = r.angle("angle").Radians()
			r.area("area", e.At)
		}
		if r.text("source"); r.again(r.field("number")) {
			r.fail("number", "every number once")
		}
		all = append(all, e)
	})
	return all, err
}

// missionPlaces are the places of missions by areas; Helios and Leon are not in the world. Source: protocol life 1.1.
var missionPlaces = map[string]rules.MissionPlace{"hyperion": rules.HyperionPlace, "rodos": rules.RodosPlace,
	"phoebe": rules.PhoebePlace, "haron": rules.HaronPlace}

// givers are the offers of givers of missions: the titles' is recorded (protocol life 1.1), the others are ours.
var givers = map[NPCKind][]rules.MissionGoal{TitleQuests: {rules.TitleGoal, rules.MoneyGoal},
	DegreeQuests: {rules.DegreeGoal, rules.MoneyGoal}, KarmaQuests: {rules.KarmaGoal, rules.MoneyGoal}}

// The numbers of the names of the guild masters, in the order of the guilds. Source: protocol life 5.1.
const (
	firstMasterOfRodos    = 461
	firstMasterOfHyperion = 480
)

// guild is the guild of its master, 0 for others.
func (t NPC) guild() int {
	first := int32(firstMasterOfRodos)
	if t.Name >= firstMasterOfHyperion {
		first = firstMasterOfHyperion
	}
	if n := int(t.Name-first) + 1; t.Kind == GuildMaster && rules.IsGuild(n) {
		return n
	}
	return 0
}

// Giver returns the offers of a townsman that gives missions, for money or for a rank; nil for all others. Where its
// continent has no entrance, it sends players with a mission.
func (t NPC) Giver() *rules.MissionGiver {
	goals, guild := givers[t.Kind], t.guild()
	if goals == nil && guild == 0 {
		return nil
	}
	g := &rules.MissionGiver{Guild: guild, TitleMax: rules.CycleLevels, DegreeMax: rules.CycleLevels,
		KarmaMin: rules.KarmaVeryBad, KarmaMax: rules.KarmaBenign, Near: rules.Entrance{At: t.Position, Sends: true}}
	for _, goal := range goals {
		g.Goals[goal] = true
	}
	g.Places[rules.NearbyPlace] = true
	if place, ok := missionPlaces[t.Area]; ok {
		g.Places[place] = true
	}
	least := math.Inf(1)
	for _, e := range Entrances() {
		switch d := t.Position.Distance(e.At); {
		case e.Area != t.Area:
		case e.Sends:
			g.Near = rules.Entrance{Number: e.Number, At: t.Position, Sends: true}
		default:
			if g.Far = append(g.Far, e.Entrance); d < least {
				g.Near, least = e.Entrance, d
			}
		}
	}
	g.Far = slices.DeleteFunc(g.Far, func(e rules.Entrance) bool { return e == g.Near })
	return g
}
