package api

import (
	"time"

	"sphereserver/coords"
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
		out = append(out, characterAnswer{c, levelsOf(int(c.TitleLevel), int(c.DegreeLevel)), ops.Where(c.Position)})
	}
	return out, err
}

// sheetAnswer is everything that is known of a character.
type sheetAnswer struct {
	ops.CharacterDetail
	Level levels       `json:"level"`
	Place text         `json:"place"`
	Items []itemAnswer `json:"items"`
	Vault []itemAnswer `json:"vault"` // of the account

	Rank     *rankAnswer    `json:"rank,omitempty"`     // nil: it is in no guild
	Mission  *missionAnswer `json:"mission,omitempty"`  // nil: none
	Instance *insideAnswer  `json:"instance,omitempty"` // in which it is, nil: in the open world
}

// rankAnswer is a rank in a guild.
type rankAnswer struct {
	Guild text `json:"guild"`
	Rank  int  `json:"rank"` // from 1
}

// rankIn is a rank, from 0, in a guild; nil for none.
func rankIn(guild, rank int) *rankAnswer {
	if !rules.IsGuild(guild) {
		return nil
	}
	return &rankAnswer{both(rules.GuildName(guild, "ru"), rules.GuildName(guild, "en")), rank + 1}
}

// insideAnswer is the instance that a character is in.
type insideAnswer struct {
	Number  int    `json:"number"`
	Dungeon string `json:"dungeon"`
}

func inside(now *world.Snapshot, id data.CharacterID) *insideAnswer {
	for i := range now.Players {
		p := &now.Players[i]
		if data.CharacterID(p.Character) != id || p.Instance == 0 {
			continue
		}
		for _, v := range now.Instances {
			if v.ID == p.Instance {
				return &insideAnswer{int(v.ID), v.Layout}
			}
		}
	}
	return nil
}

// missionAnswer is a character's mission.
type missionAnswer struct {
	Kind    string          `json:"kind"`    // the letter of its template
	Goal    string          `json:"goal"`    // title, degree, money or karma
	Level   int             `json:"level"`   // of the monsters, from 1
	Monster *text           `json:"monster"` // which has to die, nil for none
	At      coords.Position `json:"at"`      // of the entrance, or of the target
	Place   text            `json:"place"`
	Ends    time.Time       `json:"ends"`
	Rank    *rankAnswer     `json:"rank,omitempty"` // for which it is the task, nil for none
}

func (s *Server) describeMission(m *rules.Mission) *missionAnswer {
	if m == nil {
		return nil
	}
	a := &missionAnswer{Kind: m.Template[:1], Goal: m.Goal.Name("en"), Level: m.Level, At: m.At,
		Place: ops.Where(m.At), Ends: time.Unix(m.Ends, 0), Rank: rankIn(m.Guild, m.Rank)}
	if row := s.o.Game.Kinds().Monster(m.Type); row != nil {
		name := both(row.Name("ru"), row.Name("en"))
		a.Monster = &name
	}
	return a
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
	id, err := r.id()
	if err != nil {
		return nil, err
	}
	d, err := perform(s, r, ops.ShowCharacter, ops.CharacterName{ID: data.CharacterID(id)})
	if err != nil {
		return nil, err
	}
	a := sheetAnswer{CharacterDetail: d, Level: levelsOf(int(d.TitleLevel), int(d.DegreeLevel)),
		Place: ops.Where(d.Position), Items: s.describeItems(d.Items, rules.SlotName),
		Vault: s.describeItems(d.Vault, func(int) string { return "vault" }), Mission: s.describeMission(d.Mission),
		Rank: rankIn(d.Guild, int(d.GuildLevel))}
	a.Instance = inside(s.o.Game.World(), d.ID)
	return a, nil
}

// describeItems describes the items in the slots that have such names.
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

// deletedAnswer is a deleted character that can come back.
type deletedAnswer struct {
	ops.DeletedCharacter
	Level levels `json:"level"`
}

// deletedCharacters lists the deleted characters of an account.
func deletedCharacters(s *Server, r *request) (any, error) {
	id, err := r.id()
	if err != nil {
		return nil, err
	}
	all, err := perform(s, r, ops.ListDeleted, ops.DeletedSearch{Account: data.AccountID(id)})
	out := []deletedAnswer{}
	for _, d := range all {
		out = append(out, deletedAnswer{d, levelsOf(int(d.TitleLevel), int(d.DegreeLevel))})
	}
	return out, err
}
