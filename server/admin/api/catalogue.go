package api

import "sphereserver/world/rules"

// A kindAnswer is a kind of things that an operator may have meant.
type kindAnswer struct {
	ID     int  `json:"id"`
	Name   text `json:"name"`
	Title  int  `json:"title"`  // level that it needs, as the game shows it; 0: none
	Degree int  `json:"degree"` // likewise
	Stack  int  `json:"stack"`  // how many lie in one place
	Price  int  `json:"price"`
	Suffix int  `json:"suffix"` // that was named, too; -1: none
	// Suffixes are all that it can have, with the name of the thing that has them.
	Suffixes []suffixAnswer `json:"suffixes"`
}

type suffixAnswer struct {
	Suffix int  `json:"suffix"`
	Name   text `json:"name"`
}

// catalogue finds kinds of things by a typed part of a name.
func catalogue(s *Server, r *request) (any, error) {
	out := []kindAnswer{}
	kinds := s.o.Game.Kinds()
	for _, m := range kinds.Find(r.asked.text["search"], r.asked.number["limit"]) {
		k := m.Kind
		a := kindAnswer{ID: k.ID, Name: nameOf(k, nil), Title: levelShown(k.Need.Title), Degree: levelShown(k.Need.Degree),
			Stack: max(1, k.Stack), Price: k.Price, Suffix: m.Suffix, Suffixes: []suffixAnswer{}}
		for i := range kinds.Suffixes(k.SuffixLetter()) {
			if with := kinds.Suffix(k, i); with != nil {
				a.Suffixes = append(a.Suffixes, suffixAnswer{i, nameOf(k, with)})
			}
		}
		out = append(out, a)
	}
	return out, nil
}

func nameOf(k *rules.Kind, with *rules.Suffix) text {
	return both(k.FullName(with, "ru"), k.FullName(with, "en"))
}

// levelShown is a level that is needed, as the game shows it.
func levelShown(need int) int {
	if need <= 0 {
		return 0
	}
	return need + 1
}
