package content

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

var updateWorld = flag.Bool("update", false, "write the lists of docs/world.md and docs/world.ru.md anew")

// The lists of the pages about the world are those of the tables.
func TestWorldPages(t *testing.T) {
	for file, russian := range map[string]bool{"../../docs/world.md": false, "../../docs/world.ru.md": true} {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(page)
		for name, list := range map[string]func(bool) string{"areas": areasList, "places": placesList,
			"townsfolk": townsfolkList, "portals": portalsList, "destinations": destinationsList,
			"landmarks": landmarksList} {
			open := "<!-- " + name + " -->\n"
			before, rest, ok := strings.Cut(text, open)
			found, after, closed := strings.Cut(rest, "<!-- end -->")
			if !ok || !closed {
				t.Fatalf("%s: expected %q and an end", file, open)
			}
			want := list(russian)
			if found != want && !*updateWorld {
				t.Errorf("%s: %s: expected\n%s\nfound\n%s", file, name, want, found)
			}
			text = before + open + want + "<!-- end -->" + after
		}
		for _, number := range []int{len(Places()), len(NPCs())} {
			if !strings.Contains(text[:600], strconv.Itoa(number)+" ") {
				t.Errorf("%s: expected the number %d in its first lines", file, number)
			}
		}
		if *updateWorld {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// inLanguage returns the text of one of the two languages.
func inLanguage(russian bool, inRussian, inEnglish string) string {
	if russian {
		return inRussian
	}
	return inEnglish
}

func metres(v float32) string { return strconv.FormatFloat(float64(v), 'f', -1, 32) }

func spot(p coords.Position, yaw bool) string {
	s := metres(p.X) + ", " + metres(p.Y) + ", " + metres(p.Z)
	if yaw {
		s += " @" + metres(p.Yaw)
	}
	return s
}

func areasList(russian bool) string {
	var b strings.Builder
	b.WriteString(inLanguage(russian, "| ключ | название | y от | y до |\n",
		"| key | name | y from | y below |\n") + "|---|---|---|---|\n")
	for _, a := range Areas() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", a.Key, inLanguage(russian, a.Russian, a.English), metres(a.From),
			metres(a.Below))
	}
	return b.String()
}

var placeTitles = map[PlaceKind][2]string{
	PlaceCity: {"Города", "Cities"}, PlaceStart: {"Начало пути",
		"Where characters begin"}, PlaceWaking: {"Где просыпаются с плохой кармой",
		"Where those with a bad karma wake"}, PlaceIsland: {"Остров", "Island"}, PlaceArena: {"Арена", "Arena"},
	PlaceToken:  {"Куда ведут жетоны", "Where tokens lead"},
	PlaceCastle: {"Замки: снаружи", "Castles: outside"}, PlaceHall: {"Замки: залы",
		"Castles: halls"}, PlaceCastleDungeon: {"Замки: подземелья", "Castles: dungeons"},
	PlaceDungeon: {"Общие подземелья", "Shared dungeons"}, PlaceCemetery: {"Кладбища",
		"Cemeteries"}, PlaceTeleport: {"Точки телепортов под открытым небом",
		"Teleport points in the open"},
	PlaceTavern: {"Трактиры", "Taverns"},
}

func placesList(russian bool) string {
	areaName := map[string]string{}
	for _, a := range Areas() {
		areaName[a.Key] = inLanguage(russian, a.Russian, a.English)
	}
	var b strings.Builder
	for _, k := range placeKinds {
		fmt.Fprintf(&b, "\n### %s\n\n%s|---|---|---|---|\n", inLanguage(russian, placeTitles[k][0], placeTitles[k][1]),
			inLanguage(russian, "| название | ключ | где | координаты |\n",
				"| name | key | where | position |\n"))
		for _, p := range Places() {
			if p.Kind == k {
				fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", p.Name(russian), p.Key, areaName[p.Area], spot(p.Position, p.YawKnown))
			}
		}
	}
	return b.String() + "\n"
}

func townsfolkList(russian bool) string {
	type row struct {
		class, occupation int
		role              string
	}
	count, rows := map[row]map[string]int{}, []row{}
	for _, k := range npcKinds {
		for o := 1; o < 20; o++ {
			for _, p := range NPCs() {
				if p.Kind != k || p.Type != o {
					continue
				}
				r := row{p.Class, int(OccupationNumber(p.Type)) - 50000, p.Role(russian)}
				if count[r] == nil {
					count[r], rows = map[string]int{}, append(rows, r)
				}
				count[r][p.Area]++
				count[r]["all"]++
			}
		}
	}
	var b strings.Builder
	b.WriteString(inLanguage(russian, "| кто | класс | занятие | всего | Гиперион | Харон | Феб | Родос | в залах |\n",
		"| who | class | occupation | all | Hyperion | Haron | Phoebe | Rodos | in halls |\n") +
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		c := count[r]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d |\n", r.role, r.class, r.occupation, c["all"],
			c["hyperion"], c["haron"],
			c["phoebe"], c["rodos"], c["halls"])
	}
	return b.String()
}

func portalsList(russian bool) string {
	var b strings.Builder
	b.WriteString(inLanguage(russian, "| ключ | класс | координаты | ± м | куда ведёт |\n",
		"| key | class | position | ± m | leads to |\n") + "|---|---|---|---|---|\n")
	for _, p := range Portals() {
		to := inLanguage(russian, "сломан", "broken")
		switch place, ok := PlaceByKey(p.Place); {
		case ok:
			to = place.Name(russian) + ": " + spot(p.To, true)
		case p.HasNumber:
			to = inLanguage(russian, "дверь под ключ ", "a door for the key ") + strconv.Itoa(int(p.Number))
		case rules.TakesTokens(p.Class):
			to = inLanguage(russian, "куда жетон", "where a token leads")
		}
		fmt.Fprintf(&b, "| `%s` | %d | %s | %s | %s |\n", p.Key, p.Class, spot(p.Position, false), metres(p.Error), to)
	}
	return b.String()
}

func destinationsList(russian bool) string {
	var b strings.Builder
	b.WriteString(inLanguage(russian, "| номер | куда | ключ | ± м |\n", "| number | leads to | key | ± m |\n") +
		"|---|---|---|---|\n")
	for _, d := range Destinations() {
		if p, ok := PlaceByKey(d.Place); ok {
			fmt.Fprintf(&b, "| %d | %s | `%s` | %v |\n", d.Number, p.Name(russian), p.Key, d.Error)
		} else {
			fmt.Fprintf(&b, "| %d | %s (“%s”) | | |\n", d.Number, inLanguage(russian, "неизвестно", "not known"), d.Meaning)
		}
	}
	return b.String()
}

func landmarksList(russian bool) string {
	var b strings.Builder
	b.WriteString(inLanguage(russian, "| название | ключ | x, z | ± м | что ещё |\n",
		"| name | key | x, z | ± m | what more |\n") + "|---|---|---|---|---|\n")
	for _, m := range Landmarks() {
		fmt.Fprintf(&b, "| %s | `%s` | %s, %s | %s | %s |\n", inLanguage(russian, m.Russian, m.English), m.Key,
			metres(m.Position.X), metres(m.Position.Z), metres(m.Error), whatMore(russian, m.What))
	}
	return b.String()
}

// whatMoreWords are what the table of landmarks says besides, in Russian: the longer words first.
var whatMoreWords = strings.NewReplacer("very bad karma", "очень плохая карма", "bad karma", "плохая карма", "to the choice island",
	"на Остров выбора", "to Haron", "на Харон", "to Phoebe", "на Феб", "from Phoebe", "с Феба", "circle of power", "круг силы",
	"flying tower", "летающая башня", "unicorns", "единороги", "bridge", "мост", "copper", "медь", "iron", "железо", "lead", "свинец",
	"silver", "серебро", "gold", "золото", "mithril", "мифрил", "platinum", "платина")

// whatMore is a remark of the table of landmarks in a language. The name of a guild is in that of its master.
func whatMore(russian bool, what string) string {
	if number, ok := strings.CutPrefix(what, "guild "); ok {
		number, _, _ = strings.Cut(number, " ")
		return inLanguage(russian, "гильдия ", "guild ") + number
	}
	return inLanguage(russian, whatMoreWords.Replace(what), what)
}
