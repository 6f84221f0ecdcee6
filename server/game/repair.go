package game

import (
	"fmt"
	"strings"

	"sphereserver/world"
	"sphereserver/world/rules"
)

// mostPriced is how many items a smith names with their prices.
const mostPriced = 8

// repairPriced tells a player the prices of a repair, and how to order it.
func (s *player) repairPriced(e world.RepairPriced) {
	var all []string
	var total int64
	slot := 0
	for i := range e.Items {
		t := &e.Items[i]
		if total += e.Prices[i]; i >= mostPriced {
			continue
		}
		name := s.server.itemName(t).In(s.Russian)
		if rules.InInventory(t.Slot) {
			slot = t.Slot - rules.SlotInventory + 1
			name += fmt.Sprintf(text(" (ячейка %d)", " (slot %d)").In(s.Russian), slot)
		}
		all = append(all, fmt.Sprintf("%s — %d", name, e.Prices[i]))
	}
	if more := len(e.Items) - len(all); more > 0 {
		all = append(all, fmt.Sprintf(text("и ещё %d", "and %d more").In(s.Russian), more))
	}
	s.Tell(text("Ремонт: %s. Всего %d, у вас %d.", "Repair: %s. In all %d, and you have %d."), strings.Join(all, ", "),
		total, e.Money)
	if len(e.Items) == 1 && slot > 0 {
		s.Tell(text("Починить: /ремонт %d.", "To repair it: /repair %d."), slot)
		return
	}
	s.Tell(text("Починить: /ремонт да, или одну вещь: /ремонт ЯЧЕЙКА.",
		"To repair: /repair yes, or one thing: /repair SLOT."))
}

// itemsRepaired shows a player its repaired items.
func (s *Server) itemsRepaired(e world.ItemsRepaired) {
	s.view.ItemsRepaired(e)
	s.post(e.ID, func(p *player) {
		p.Tell(text("Починено вещей: %d, заплачено %d.", "Repaired: %d, paid: %d."), len(e.Items), e.Price)
	})
}
