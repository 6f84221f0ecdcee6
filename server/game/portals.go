package game

import (
	"fmt"
	"strings"

	"sphereserver/data/content"
	"sphereserver/server/ops"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// portalRefused tells a player why a portal refuses it. The use of an object that is no portal has no answer.
func (s *player) portalRefused(e world.PortalRefused) {
	switch t, ok := thingRefusals[e.Why]; {
	case e.Why == rules.LeadsNowhere:
		s.Tell(text("Этот путь никуда не ведёт.", "This way leads nowhere."))
	case ok:
		s.TellOwn(view.RefusalText(e.Why, nil), t)
	}
}

// travelTold tells a player its things for journeys: tokens by where they lead, and licences.
func (s *player) travelTold(e world.TravelTold) {
	var tokens []string
	for _, t := range e.Tokens {
		name := fmt.Sprint(t.Number)
		if p, ok := content.DestinationOf(t.Number); ok {
			name = p.Name(s.Russian)
		}
		if t.Charges > 1 {
			name += fmt.Sprintf(" x%d", t.Charges)
		}
		tokens = append(tokens, name)
	}
	if len(tokens) == 0 {
		tokens = []string{text("нет", "none").In(s.Russian)}
	}
	s.Tell(text("Жетоны: %s.", "Tokens: %s."), strings.Join(tokens, ", "))
	for licence, t := range licenceTexts {
		if t.Russian != "" && e.Licences.Has(rules.Licence(licence)) {
			s.Tell(t)
		}
	}
	if e.Teleport && len(e.Tokens) > 0 {
		s.Tell(text("Телепорт рядом: /путь МЕСТО.", "There is a teleport beside you: /travel PLACE."))
	}
}

var licenceTexts = [...]ops.Text{
	rules.LicenceHaron: text("У вас есть лицензия на большой телепорт на Харон.",
		"You have the licence for the great teleport to Haron."),
	rules.LicencePhoebe: text("У вас есть лицензия на большие телепорты на Феб и Родос.",
		"You have the licence for the great teleports to Phoebe and Rodos."),
}
