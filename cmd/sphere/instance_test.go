package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"sphereserver/server/ops"
)

// Instances are listed with all that is in them, in both languages.
func TestInstancesAreListedWithTheirContents(t *testing.T) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	all := []ops.Instance{
		{Number: 7, Dungeon: "mission", Owner: "Сова", Began: began, Players: []string{"Вася", "Сова"},
			Monsters: []ops.MonsterInside{{Name: ops.Text{Russian: "Волк", English: "Wolf"}, Level: 2, Named: true, Count: 1},
				{Name: ops.Text{Russian: "Волк", English: "Wolf"}, Level: 2, Count: 3}},
			Chests: 2, Opened: 1, Things: []ops.ThingInside{{Name: ops.Text{Russian: "Лепёшка", English: "Bread"}, Count: 4}}},
		{Number: 8, Dungeon: "newcomers", Owner: "Пух", Began: began, Emptied: began.Add(time.Hour)},
		{Number: 9, Dungeon: "newcomers", Owner: "Пух", Began: began, Emptied: began.Add(time.Hour), Ending: true},
	}
	for russian, rows := range map[bool][][]string{
		false: {{"INSTANCE", "MADE FOR", "SINCE", "CHESTS"},
			{"7", "mission", "Сова", "2026-01-02 03:04", "Вася, Сова", "Wolf of level 2*, 3 × Wolf of level 2",
				"2, 1 of them opened", "4 × Bread"},
			{"8", "empty since 2026-01-02 04:04"}, {"9", "ending"}},
		true: {{"ПОДЗЕМЕЛЬЕ", "ДЛЯ КОГО"}, {"7", "Волк, уровень 2*, 3 × Волк, уровень 2", "2, открыто: 1", "4 × Лепёшка"},
			{"8", "пусто с 2026-01-02 04:04"}, {"9", "исчезает"}},
	} {
		var out bytes.Buffer
		listInstances(printer{&out, russian}, all)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != len(rows) {
			t.Fatalf("%d lines: %s", len(lines), out.String())
		}
		for i, row := range rows {
			for _, cell := range row {
				if !strings.Contains(lines[i], cell) {
					t.Errorf("%q is not in %q", cell, lines[i])
				}
			}
		}
	}
	populated(t).fails(1, "no server is running", "instance", "list")
}
