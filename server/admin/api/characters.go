package api

import (
	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

// maxShown bounds lists.
const maxShown = 1000

type characterAnswer struct {
	ops.Character
	Level levels `json:"level"`
	Place text   `json:"place"`
}

func listCharacters(s *Server, r *request) (any, error) {
	all, err := perform(s, r, ops.ListCharacters, ops.Search{Like: r.asked.text["search"]})
	out := []characterAnswer{}
	for _, c := range all[:min(len(all), r.asked.number["limit"])] {
		out = append(out, characterAnswer{c, levelsOf(int(c.TitleLevel), int(c.DegreeLevel)), whereabouts(c.Position)})
	}
	return out, err
}

// sheetAnswer is everything that is known of a character.
type sheetAnswer struct {
	ops.CharacterDetail
	Level levels       `json:"level"`
	Place text         `json:"place"`
	Items []itemAnswer `json:"items"`
	Vault []itemAnswer `json:"vault"` // what the account keeps with a banker
}

type itemAnswer struct {
	ID         rules.ItemID `json:"id"`
	Container  rules.ItemID `json:"container"` // the bag it is in; 0 for none
	Slot       int          `json:"slot"`
	Place      string       `json:"place"` // name of the slot, "bag" or "vault"
	Name       text         `json:"name"`
	Class      int          `json:"class"`
	GameID     int          `json:"gameId"`
	Suffix     int          `json:"suffix"` // -1: none
	Count      int          `json:"count"`
	Durability int          `json:"durability"`
	Most       int          `json:"maxDurability"`
	Weight     int          `json:"weight"`
	Bound      bool         `json:"bound"`
}

func showCharacter(s *Server, r *request) (any, error) {
	id, err := r.number("id")
	if err != nil {
		return nil, err
	}
	d, err := perform(s, r, ops.ShowCharacter, ops.CharacterName{ID: data.CharacterID(id)})
	if err != nil {
		return nil, err
	}
	return sheetAnswer{CharacterDetail: d, Level: levelsOf(int(d.TitleLevel), int(d.DegreeLevel)),
		Place: whereabouts(d.Position), Items: s.describeItems(d.Items, rules.SlotName),
		Vault: s.describeItems(d.Vault, func(int) string { return "vault" })}, nil
}

// describeItems describes what is in the slots that have such names.
func (s *Server) describeItems(items []rules.Item, name func(slot int) string) []itemAnswer {
	out := make([]itemAnswer, len(items))
	for n, i := range items {
		if out[n] = s.describeItem(i); i.In == 0 {
			out[n].Place = name(i.Slot)
		}
	}
	return out
}

func (s *Server) describeItem(i rules.Item) itemAnswer {
	a := itemAnswer{ID: i.ID, Container: i.In, Slot: i.Slot, Place: "bag", Class: i.Class,
		GameID: i.GameID, Suffix: i.Suffix, Count: i.Count, Durability: i.Durability, Most: i.MaxDurability,
		Weight: i.Weight, Bound: i.Bound}
	kinds := s.o.Game.Kinds()
	if k := kinds.Of(i.Class, i.GameID, 0); k != nil {
		suffix := kinds.Suffix(k, i.Suffix)
		a.Name = both(k.FullName(suffix, "ru"), k.FullName(suffix, "en"))
	}
	return a
}

func listAccounts(s *Server, r *request) (any, error) {
	all, err := perform(s, r, ops.ListAccounts, ops.Search{Like: r.asked.text["search"]})
	return all[:min(len(all), r.asked.number["limit"])], err
}
