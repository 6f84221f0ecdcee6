package api

import (
	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/world"
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

// sheetAnswer is everything that is stored of a character. Of one who is in the world, this is as it was last saved.
type sheetAnswer struct {
	ops.CharacterDetail
	Level levels       `json:"level"`
	Place text         `json:"place"`
	Items []itemAnswer `json:"items"`
}

type itemAnswer struct {
	ID         rules.ItemID `json:"id"`
	Container  rules.ItemID `json:"container"` // the bag it is in; 0 for none
	Slot       int          `json:"slot"`
	Place      string       `json:"place"` // name of the slot
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
	if v := s.find(func(v *world.PlayerView) bool { return v.Character == int64(d.ID) }); v != nil {
		d.Position = v.Position
	}
	a := sheetAnswer{CharacterDetail: d, Level: levelsOf(int(d.TitleLevel), int(d.DegreeLevel)), Place: whereabouts(d.Position),
		Items: []itemAnswer{}}
	for _, i := range d.Items {
		a.Items = append(a.Items, s.describeItem(i))
	}
	return a, nil
}

func (s *Server) describeItem(i rules.Item) itemAnswer {
	a := itemAnswer{ID: i.ID, Container: i.In, Slot: i.Slot, Place: rules.SlotName(i.Slot), Class: i.Class,
		GameID: i.GameID, Suffix: i.Suffix, Count: i.Count, Durability: i.Durability, Most: i.MaxDurability,
		Weight: i.Weight, Bound: i.Bound}
	if i.In != 0 {
		a.Place = "bag"
	}
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
