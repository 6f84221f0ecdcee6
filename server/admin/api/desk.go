package api

import (
	"sphereserver/data"
	"sphereserver/server/ops"
)

// deskAnswer is the answer to game masters: moves that were not believed, accounts with an address in common, notes.
type deskAnswer struct {
	Doubts []doubtAnswer `json:"doubts"` // the last ones first
	Shared []ops.Shared  `json:"shared"` // those of most accounts first
	Notes  []ops.Note    `json:"notes"`  // the newest first
}

type doubtAnswer struct {
	ops.Doubt
	Role  data.Role `json:"role"` // of the account
	Place text      `json:"place"`
}

func desk(s *Server, r *request) (any, error) {
	doubts, err := perform(s, r, ops.ListDoubts, ops.Empty{})
	if err != nil {
		return nil, err
	}
	a := deskAnswer{Doubts: []doubtAnswer{}}
	for _, d := range doubts {
		of, err := s.o.Store.AccountByID(r.Context(), d.Account)
		if err != nil {
			continue // it is gone
		}
		a.Doubts = append(a.Doubts, doubtAnswer{d, of.Role, ops.Where(d.At)})
	}
	if a.Shared, err = perform(s, r, ops.ListShared, ops.Empty{}); err != nil {
		return nil, err
	}
	a.Notes, err = perform(s, r, ops.ListNotes, ops.NoteSearch{Limit: r.asked.number["limit"]})
	return a, err
}

// notesOfAccount lists the notes on an account.
func notesOfAccount(s *Server, r *request) (any, error) {
	id, err := r.id()
	if err != nil {
		return nil, err
	}
	return perform(s, r, ops.ListNotes, ops.NoteSearch{AccountName: ops.AccountName{ID: data.AccountID(id)}})
}
