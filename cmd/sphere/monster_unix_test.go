//go:build system && unix

package main

import (
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/server/ops"
)

func TestMonstersAreSummonedAndRemovedByCommands(t *testing.T) {
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
