package api

import (
	"errors"
	"slices"
	"strings"
	"time"

	"sphereserver/data"
)

type tokenBody struct {
	Name string     `json:"name"`
	Role *data.Role `json:"role"`
	Days int        `json:"days"` // 0: for ever
}

func (b *tokenBody) check(f *fieldErrors) {
	f.line("name", b.Name, 100, true)
	f.within("days", b.Days, 0, 3650)
	switch {
	case b.Role == nil:
		f.Add("role", missingText)
	case *b.Role < data.Helper:
		f.Add("role", tokenRoleText)
	}
}

// tokenAnswer is a token; Secret is told once, when it is made.
type tokenAnswer struct {
	data.Token
	Secret string `json:"token,omitempty"`
}

func makeToken(s *Server, r *request, b *tokenBody) (any, error) {
	if r.who.token != nil {
		return nil, errTokenMakes
	}
	if *b.Role > r.who.role {
		return nil, fault("role", tokenHighText, r.who.role)
	}
	t := data.Token{Account: r.who.account.ID, Login: r.who.account.Login, Name: strings.TrimSpace(b.Name), Role: *b.Role}
	if b.Days > 0 {
		t.Expires = time.Now().AddDate(0, 0, b.Days).UTC().Truncate(time.Millisecond)
	}
	made, secret, err := s.o.Store.CreateToken(data.Audited(r.Context(),
		data.AuditEntry{Who: r.who.actor().Name, Action: "token add", Target: t.Login,
			Detail: t.Role.String() + " " + t.Name}), t)
	if errors.Is(err, data.ErrTooManyTokens) {
		return nil, errManyTokens
	} else if err != nil {
		return nil, err
	}
	return tokenAnswer{made, secret}, nil
}

func tokens(s *Server, r *request) (any, error) {
	all, err := s.o.Store.Tokens(r.Context())
	out := make([]tokenAnswer, len(all))
	for i, t := range all {
		out[i].Token = t
	}
	return out, err
}

func deleteToken(s *Server, r *request) (any, error) {
	id, err := r.id()
	if err != nil {
		return nil, err
	}
	all, err := s.o.Store.Tokens(r.Context())
	if err != nil {
		return nil, err
	}
	entry := data.AuditEntry{Who: r.who.actor().Name, Action: "token delete", Detail: r.PathValue("id")}
	if i := slices.IndexFunc(all, func(t data.Token) bool { return t.ID == data.TokenID(id) }); i >= 0 {
		entry.Target = all[i].Login
	}
	return nothing{}, s.o.Store.DeleteToken(data.Audited(r.Context(), entry), data.TokenID(id))
}
