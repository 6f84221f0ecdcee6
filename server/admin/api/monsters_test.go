package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// awaited asks until the answer is as it should be: the world tells others once a second.
func awaited[T any](t *testing.T, ask func() T, good func(T) bool) T {
	t.Helper()
	var got T
	for range 200 {
		if got = ask(); good(got) {
			return got
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("still %+v", got)
	return got
}

func TestMonstersOfTheMap(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		master, helper := g.as(data.GameMaster), g.as(data.Helper)
		at := coords.Position{X: 2800, Y: 156, Z: 1500}
		var made ops.SummonedMonster
		master.want(http.StatusOK, master.send("POST", "/api/verbs/monster-summon",
			ops.MonsterSummon{Monster: "Волк", Level: 5, Named: true, At: at}), &made)
		if made.Type != 1011 || made.Level != 5 || !made.Named || made.Name.English != "Wolf" {
			t.Fatalf("%+v", made)
		}
		in := func(area string) func() monstersAnswer {
			return func() (m monstersAnswer) {
				helper.want(http.StatusOK, helper.send("GET", "/api/monsters?area="+area, nil), &m)
				return m
			}
		}
		m := awaited(t, in("hyperion"), func(m monstersAnswer) bool { return len(m.Monsters) == 1 })
		row := m.Monsters[0]
		if row[1] != 1011 || row[2] != 5 || row[3] != row[4] || row[3] < 1 || row[8] != 1 || row[9] != 1 ||
			m.Types["1011"].English != "Wolf" {
			t.Errorf("%+v", m)
		}
		for query, want := range map[string][3]int{"hyperion&box=2700,1400,2900,1600": {1, 1, 0}, "hyperion&box=0,0,9,9": {1, 0, 0},
			fmt.Sprintf("hyperion&box=0,0,9,9&id=%.0f", row[0]): {1, 1, 0}, "hyperion&cell=200": {1, 0, 1}} {
			if m := in(query)(); m.Count != want[0] || len(m.Monsters) != want[1] || len(m.Cells) != want[2] ||
				want[2] > 0 && m.Cells[0] != [4]float64{2900, 1500, 1, 5} && m.Cells[0] != [4]float64{2700, 1500, 1, 5} {
				t.Errorf("%s: %+v", query, m)
			}
		}
		for _, query := range []string{"box=1,2,3", "box=a,b,c,d", "cell=0", "cell=100000"} {
			helper.want(http.StatusBadRequest, helper.send("GET", "/api/monsters?"+query, nil), nil)
		}
		if other := in("haron")(); len(other.Monsters) != 0 {
			t.Errorf("on another continent are %+v", other)
		}
		gone := ops.MonsterRemoval{ID: world.EntityID(row[0])}
		helper.refused(http.StatusForbidden, "role", helper.send("POST", "/api/verbs/monster-remove", gone))
		master.want(http.StatusOK, master.send("POST", "/api/verbs/monster-remove", gone), nil)
		awaited(t, in(""), func(m monstersAnswer) bool { return len(m.Monsters) == 0 })
		master.refused(http.StatusNotFound, "not-found", master.send("POST", "/api/verbs/monster-remove", gone))
		if trail := g.trail(); !strings.Contains(trail, "monster summon | Wolf | named of level 5") ||
			!strings.Contains(trail, "monster remove | Wolf | 1 at ") {
			t.Errorf("the trail\n%s", trail)
		}
	})
}

func TestInstancesAreListed(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		helper := g.as(data.Helper)
		list := func() (all []ops.Instance) {
			helper.want(http.StatusOK, helper.send("GET", "/api/instances", nil), &all)
			return all
		}
		if all := list(); all == nil || len(all) != 0 {
			t.Errorf("without any there are %+v", all)
		}
		at := coords.Position{X: 2800, Y: 156, Z: 1500}
		lies := func(class, game, count int) world.Piece {
			return world.Piece{Kind: world.GroundItem{Item: rules.Item{Class: class, GameID: game, Suffix: rules.NoSuffix, Count: count}}}
		}
		chest := lies(rules.ClassChest, 0, 1)
		chest.Things = []rules.Item{{Class: 653, Suffix: rules.NoSuffix, Count: 1}}
		g.game.Command(world.EnterInside{Player: world.Player{ID: 50_000, Character: 50_000, Name: "Новичок", Position: at},
			Layout: &world.Layout{Key: "newcomers", Pieces: []world.Piece{{Kind: world.Labyrinth{Map: 1}}, chest, chest,
				lies(653, 0, 3), lies(653, 0, 1), lies(506, 1, 1)},
				Lairs: []world.Spawner{{At: coords.Position{X: 60}, Level: 1, Tutorial: true},
					{At: coords.Position{X: 70}, Level: 2, Types: []int{1011}, Alone: true}, {At: coords.Position{X: 80}, Level: 2, Types: []int{1011}, Alone: true},
					{At: coords.Position{X: 90}, Level: 2, Types: []int{1011}, Alone: true, Name: -7}}}})
		all := awaited(t, list, func(all []ops.Instance) bool { return len(all) == 1 && len(all[0].Monsters) == 3 })
		if in := all[0]; in.Number != 1 || in.Dungeon != "newcomers" || in.Owner != "Новичок" || len(in.Players) != 1 ||
			in.Players[0] != "Новичок" || in.Began.IsZero() || !in.Emptied.IsZero() || in.Origin.Y != 4500 || in.Ending {
			t.Errorf("%+v", in)
		}
		wolf := ops.Text{Russian: "Волк", English: "Wolf"}
		if in := all[0]; in.Monsters[0].Count != 1 || in.Monsters[0].Name == wolf ||
			in.Monsters[1] != (ops.MonsterInside{Name: wolf, Level: 2, Named: true, Count: 1}) ||
			in.Monsters[2] != (ops.MonsterInside{Name: wolf, Level: 2, Count: 2}) {
			t.Errorf("its monsters are %+v", in.Monsters)
		}
		if in := all[0]; in.Chests != 2 || in.Opened != 0 || len(in.Things) != 2 || in.Things[0].Count+in.Things[1].Count != 5 {
			t.Errorf("in it are %d chests, %+v", in.Chests, in.Things)
		}
		g.game.Command(world.Leave{ID: 50_000})
		all = awaited(t, list, func(all []ops.Instance) bool { return len(all) == 1 && len(all[0].Players) == 0 })
		if in := all[0]; in.Emptied.IsZero() || in.Players == nil || in.Monsters == nil || in.Things == nil {
			t.Errorf("when everybody has gone: %+v", in)
		}
	})
}

// The sheet of a character tells its mission as the page shows it.
func TestASheetTellsTheMission(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		owner := g.account("owl", data.Player)
		at := content.Cities()[0].Position
		c, _, err := g.store.CreateCharacter(t.Context(), data.NewCharacter{Character: data.Character{Account: owner.ID,
			Name: "Owl", Position: at, HP: 1, MaxSatiety: 100}})
		if err != nil {
			t.Fatal(err)
		}
		helper, path := g.as(data.Helper), fmt.Sprintf("/api/characters/%d", c.ID)
		sheet := func() (all map[string]any) {
			helper.want(http.StatusOK, helper.send("GET", path, nil), &all)
			return all
		}
		if m, is := sheet()["mission"]; is {
			t.Errorf("it has %v", m)
		}
		m := rules.Mission{Template: "k001", Goal: rules.MoneyGoal, Level: 4, Type: 1010, At: at, Ends: 1_900_000_000}
		key, _ := m.Key()
		change := rules.Change{Items: []rules.ItemChange{{Is: &rules.StoredItem{Item: key, Owner: int64(c.ID)}}}}
		if _, err := g.store.Apply(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		told, _ := sheet()["mission"].(map[string]any)
		monster, _ := told["monster"].(map[string]any)
		place, _ := told["place"].(map[string]any)
		if told["kind"] != "k" || told["goal"] != "money" || told["level"] != 4.0 || monster["en"] == "" || monster["ru"] == "" ||
			place["en"] == "" || told["ends"] == nil {
			t.Errorf("%v", told)
		}
		master, cancel := g.as(data.GameMaster), ops.MissionDeed{CharacterName: ops.CharacterName{ID: c.ID}, Do: "cancel"}
		helper.refused(http.StatusForbidden, "role", helper.send("POST", "/api/verbs/character-mission", cancel))
		master.want(http.StatusOK, master.send("POST", "/api/verbs/character-mission", cancel), nil)
		if m, is := sheet()["mission"]; is {
			t.Errorf("cancelled, it has %v", m)
		}
		if !strings.Contains(g.trail(), "gamemaster | character mission | Owl | cancel") {
			t.Errorf("the audit trail has\n%s", g.trail())
		}
	})
}

func TestSpawnersThatAreOffAreListed(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		master := g.as(data.GameMaster)
		at := coords.Position{X: 2800, Y: 156, Z: 1500}
		g.game.Command(world.AddSpawners{Spawners: []world.Spawner{{Key: "h:2800:1500", At: at, Level: 3,
			Types: []int{1010}}}})
		off := func() (all []ops.Spawner) {
			master.want(http.StatusOK, master.send("GET", "/api/spawners", nil), &all)
			return all
		}
		if all := off(); len(all) != 0 {
			t.Errorf("%+v are off", all)
		}
		awaited(t, func() int { return len(g.game.World().Spawners) }, func(n int) bool { return n == 1 })
		for _, turn := range []bool{true, false} {
			var turned ops.SpawnersTurned
			master.want(http.StatusOK, master.send("POST", "/api/verbs/spawner-set", ops.SpawnerSwitch{At: at, Off: turn}), &turned)
			if turned != (ops.SpawnersTurned{Count: 1, Changed: 1}) {
				t.Errorf("%+v", turned)
			}
			all := awaited(t, off, func(all []ops.Spawner) bool { return (len(all) == 1) == turn })
			if turn && (all[0].Key != "h:2800:1500" || all[0].Level != 3 || fmt.Sprint(all[0].Types) != "[1010]") {
				t.Errorf("%+v", all)
			}
		}
	})
}

func TestSpawnersOfTheMap(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		master, helper := g.as(data.GameMaster), g.as(data.Helper)
		at := func(x, y float32) coords.Position { return coords.Position{X: x, Y: y, Z: 1500} }
		g.game.Command(world.AddSpawners{Spawners: []world.Spawner{
			{Key: "h:2800:1500", At: at(2800, 156), Level: 3, Types: []int{1010, 1011}},
			{Key: "h:2900:1500", At: at(2900, 156), Level: 4, Types: []int{1010, 1011}},
			{Key: "c:2900:1500", At: at(2900, 405), Level: 40, Types: []int{1010}}}})
		ask := func(area string) (a spawnersAnswer) {
			helper.want(http.StatusOK, helper.send("GET", "/api/spawners/all?area="+area, nil), &a)
			return a
		}
		a := awaited(t, func() spawnersAnswer { return ask("hyperion") }, func(a spawnersAnswer) bool { return len(a.Keys) == 2 })
		if fmt.Sprint(a.Keys, a.Choices, a.Spawners) !=
			"[h:2800:1500 h:2900:1500] [[1010 1011]] [[2800 156 1500 3 0 0] [2900 156 1500 4 0 0]]" ||
			a.Types["1011"].English != "Wolf" || len(a.Types) != 2 {
			t.Errorf("%+v", a)
		}
		if a := ask("haron"); fmt.Sprint(a.Keys, a.Choices, len(a.Types)) != "[c:2900:1500] [[1010]] 1" {
			t.Errorf("%+v", a)
		}
		if a := ask(""); len(a.Keys) != 3 || len(a.Choices) != 2 {
			t.Errorf("%+v", a)
		}
		if a := ask("atlantis"); len(a.Keys) != 0 || a.Spawners == nil {
			t.Errorf("%+v", a)
		}
		one := ops.SpawnerSwitch{Key: "h:2900:1500", Off: true}
		helper.refused(http.StatusForbidden, "role", helper.send("POST", "/api/verbs/spawner-set", one))
		master.want(http.StatusOK, master.send("POST", "/api/verbs/spawner-set", one), nil)
		awaited(t, func() spawnersAnswer { return ask("hyperion") }, func(a spawnersAnswer) bool {
			return a.Spawners[0][5] == 0 && a.Spawners[1][5] == 1
		})
		if a := helper.send("GET", "/api/spawners/all?area=hyperion&off=1", nil); a.status != http.StatusBadRequest {
			t.Errorf("an unknown word: status %d", a.status)
		}
	})
}

func TestWaresOfTownsfolk(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		helper := g.as(data.Helper)
		sells := map[bool]int{}
		for _, n := range content.NPCs() {
			if n.Town != "shipstone" && n.Type >= int(rules.Tavern) { // a few of each kind are enough
				continue
			}
			if sells[true]+sells[false] > 20 {
				break
			}
			var all []wareAnswer
			helper.want(http.StatusOK, helper.send("GET", "/api/wares?townsman="+n.Key, nil), &all)
			trader := n.Type >= int(rules.Tavern) && n.Type <= int(rules.Weapons)
			if trader != (len(all) > 0) || all == nil {
				t.Errorf("%s, %s: %d articles", n.Key, n.Occupation(), len(all))
			}
			for _, w := range all {
				if w.Price <= 0 || w.Count <= 0 || w.Name.Russian == "" || w.Name.English == "" || g.game.Kinds().Kind(w.ID) == nil {
					t.Errorf("%s sells %+v", n.Key, w)
				}
			}
			sells[trader]++
		}
		if sells[true] == 0 || sells[false] == 0 {
			t.Errorf("asked of %v", sells)
		}
		for _, query := range []string{"", "?townsman=", "?townsman=npc-0", "?townsman=../map"} {
			helper.refused(http.StatusNotFound, "not-found", helper.send("GET", "/api/wares"+query, nil))
		}
	})
}

func TestWhatHasNotChangedIsNotSentAgain(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		master := g.as(data.GameMaster)
		ask := func(tag string) answer {
			return master.send("GET", "/api/monsters?area=hyperion", nil, func(r *http.Request) { r.Header.Set("If-None-Match", tag) })
		}
		first := ask("")
		master.want(http.StatusOK, first, nil)
		tag := first.header.Get("ETag")
		if again := ask(tag); again.status != http.StatusNotModified || len(again.body) > 0 || tag == "" {
			t.Errorf("status %d, %q, tag %q; expected 304 and nothing else", again.status, again.body, tag)
		}
		master.want(http.StatusOK, master.send("POST", "/api/verbs/monster-summon",
			ops.MonsterSummon{Monster: "Волк", Level: 5, At: coords.Position{X: 2800, Y: 156, Z: 1500}}), nil)
		changed := awaited(t, func() answer { return ask(tag) }, func(a answer) bool { return a.status == http.StatusOK })
		if changed.header.Get("ETag") == tag || !strings.Contains(string(changed.body), "Wolf") {
			t.Errorf("%s, tag %q as before", changed.body, tag)
		}
		if cache := changed.header.Get("Cache-Control"); cache != "no-store" {
			t.Errorf("the browser may keep it: %q", cache)
		}
	})
}
