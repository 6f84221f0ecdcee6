//go:build unix

package main

import (
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// Monsters are of a running server: without one each command says so, whatever else is right.
func TestMonstersNeedARunningServer(t *testing.T) {
	l := populated(t)
	for _, line := range []string{"monster summon 1011 --beside Сова", "monster summon Wolf --at shipstone", "monster remove --id 7",
		"monster remove --beside Сова", "spawner list", "spawner off h:1:2", "spawner on --beside Сова"} {
		l.fails(1, "no server is running", strings.Fields(line)...)
	}
	l.fails(2, "expected --at or --beside", "monster", "summon", "1011")
	l.fails(2, "expected --at or --beside", "monster", "remove")
	l.fails(2, "expected --at or --beside", "spawner", "off")
	l.fails(2, `--at: expected the name of a place`, "monster", "summon", "1011", "--at", "1 2")
	l.fails(2, "--at", "monster", "summon", "1011", "--at", "NaN 1 2")
	l.fails(2, "not both", "monster", "remove", "--at", "1 2 3", "--beside", "Сова")
	l.fails(1, `"Сава" not found`, "monster", "remove", "--beside", "Сава")
	l.fails(1, "Expected a level from 1 to 120", "monster", "summon", "1011", "--at", "1 2 3", "--level", "-1")
	l.fails(1, "Expected a radius", "spawner", "list", "--at", "1 2 3", "--radius", "1001")
	l.fails(1, "not found", "monster", "summon", "нетакого", "--at", "1 2 3")
}

func TestMonstersAreSummonedAndRemovedByCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("a server of its own")
	}
	besideOthers(t)
	p, _ := pageOf(t)
	l := commandLine{t, p.dir}
	places := operate[[]ops.Spawner](p, "spawner", "list")
	if len(places) == 0 {
		t.Fatal("there are no spawners")
	}
	first := places[0]
	at := positionText(first.At)
	if out := l.must("monster", "summon", "wolf", "--at", at, "--level", "12",
		"--named"); out != "Wolf of level 12 is there\n" {
		t.Errorf("found %q", out)
	}
	if out := l.must("monster", "remove", "--at", at, "--radius", "50"); out != "1 monsters removed\n" {
		t.Errorf("found %q", out)
	}
	l.fails(1, "no monster that was summoned", "monster", "remove", "--at", at)

	if out := l.must("spawner", "off", first.Key); out != "1 places, 1 of them were not so already\n" {
		t.Errorf("found %q", out)
	}
	if off := operate[[]ops.Spawner](p, "spawner", "list", "--off"); len(off) != 1 || off[0].Key != first.Key {
		t.Errorf("found %+v", off)
	}
	if out := l.must("spawner", "list", "--at", at, "--radius", "1"); !strings.Contains(out, first.Key) ||
		!strings.Contains(out, "off") {
		t.Errorf("found %q", out)
	}
	if out := l.must("spawner", "on", "--at", at, "--radius", "1"); !strings.Contains(out, ", 1 of them") {
		t.Errorf("found %q", out)
	}
	var trail []string
	for _, e := range operate[[]data.AuditEntry](p, "audit") {
		trail = append(trail, e.Action)
	}
	if got := strings.Join(trail, ", "); got != "spawner set, spawner set, monster remove, monster summon" {
		t.Errorf("the trail is %s", got)
	}
	p.stop()
}
