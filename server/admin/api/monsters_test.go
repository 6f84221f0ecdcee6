package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/world"
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
	g := newStage(t, nil)
	master, helper := g.as(data.GameMaster), g.as(data.Helper)
	at := coords.Position{X: 2800, Y: 156, Z: 1500}
	var made ops.SummonedMonster
	master.want(http.StatusOK, master.send("POST", "/api/monsters",
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
	if other := in("haron")(); len(other.Monsters) != 0 {
		t.Errorf("on another continent are %+v", other)
	}
	gone := ops.MonsterRemoval{ID: world.EntityID(row[0])}
	helper.refused(http.StatusForbidden, "role", helper.send("POST", "/api/monsters/remove", gone))
	master.want(http.StatusOK, master.send("POST", "/api/monsters/remove", gone), nil)
	awaited(t, in(""), func(m monstersAnswer) bool { return len(m.Monsters) == 0 })
	master.refused(http.StatusNotFound, "not-found", master.send("POST", "/api/monsters/remove", gone))
	if trail := g.trail(); !strings.Contains(trail, "monster summon | Wolf | named of level 5") ||
		!strings.Contains(trail, "monster remove | Wolf | 1 at ") {
		t.Errorf("the trail\n%s", trail)
	}
}

func TestSpawnersThatAreOffAreListed(t *testing.T) {
	g := newStage(t, nil)
	master := g.as(data.GameMaster)
	at := coords.Position{X: 2800, Y: 156, Z: 1500}
	g.game.Command(world.AddSpawners{Spawners: []world.Spawner{{Key: "h:2800:1500", At: at, Level: 3, Types: []int{1010}}}})
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
		master.want(http.StatusOK, master.send("POST", "/api/spawners", ops.SpawnerSwitch{At: at, Off: turn}), &turned)
		if turned != (ops.SpawnersTurned{Count: 1, Changed: 1}) {
			t.Errorf("%+v", turned)
		}
		all := awaited(t, off, func(all []ops.Spawner) bool { return (len(all) == 1) == turn })
		if turn && (all[0].Key != "h:2800:1500" || all[0].Level != 3 || fmt.Sprint(all[0].Types) != "[1010]") {
			t.Errorf("%+v", all)
		}
	}
}
