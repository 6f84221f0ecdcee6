package main

import (
	"strings"
	"testing"
)

// Monsters are of a running server: without one each command says so, with all else right.
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
