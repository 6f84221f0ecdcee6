package game

import (
	"strings"
	"testing"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// users B7: a refusal names the price and the purse. What is paid for is stored when it is told.
func TestRepairAtASmith(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	const leatherHelmet = 15101
	tables := g.server.Kinds()
	helmet := tables.NewItem(tables.Kind(leatherHelmet), rules.NoSuffix, 1, nil)
	helmet.Slot, helmet.Durability = 27, 0
	p := g.possessing(14, helmet, bread(28, 1))
	p.names[p.item(27)] = "helmet"
	says := func(command string) string {
		return strings.Join(p.commands(command), "\n")
	}
	wants := func(command, want string) {
		t.Helper()
		if have := says(command); !strings.Contains(have, want) {
			t.Errorf("%s is answered %q, want %q", command, have, want)
		}
	}
	wants("/ремонт", "Рядом нет оружейника или бронника.")
	g.server.world.Do(world.Put{Object: world.Object{ID: g.server.world.NextEntityID(), Position: emptyArea,
		Kind: world.NPC{Class: int(packets.ClassTrader), Type: content.OccupationArmour}}})
	p.hears()
	wants("/ремонт", "Ремонт: Кожаный шлем (ячейка 2) — 15. Всего 15, у вас 14.")
	wants("/ремонт", "Починить: /ремонт 2.")
	wants("/ремонт да", "SystemText Text=105")
	wants("/repair 2", "Нужно 15, у вас 14.")
	wants("/ремонт 3", "Эта вещь не изнашивается.")
	wants("/ремонт да 3", "Эта вещь не изнашивается.")
	wants("/repair yes 2", "Нужно 15, у вас 14.")
	wants("/ремонт да 0", "Нужен номер ячейки инвентаря")
	wants("/ремонт 2 3", "лишнее: «3»")
	wants("/ремонт да 2 3 4", "лишнее: «3 4»")
	wants("/ремонт 0", "Нужен номер ячейки инвентаря")
	wants("/ремонт шлем", "Нужен номер ячейки инвентаря")

	g.server.world.Do(world.GiveMoney{To: p.p().id(), Amount: 3})
	p.hears()
	told := says("/repair yes")
	for _, want := range []string{"player: Money Amount=2\n", "helmet: SpawnSnapshot", "A=100 B=100",
		"Починено вещей: 1, заплачено 15."} {
		if !strings.Contains(told, want) {
			t.Errorf("the repair is told as %q, want %q", told, want)
		}
	}
	items, err := g.store.Items(t.Context(), p.s().Character().ID)
	character, err2 := g.store.CharacterByID(t.Context(), p.s().Character().ID)
	if err != nil || err2 != nil || items[0].Durability != 100 || character.Money != 2 {
		t.Errorf("stored %+v with %d coins, %v, %v", items, character.Money, err, err2)
	}
	wants("/ремонт", "Чинить нечего: прочность не потеряна.")
}
