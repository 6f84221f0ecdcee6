package api

import (
	"errors"
	"net/http"
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
		f.add("role", missingText)
	case *b.Role < data.Helper:
		f.add("role", tokenRoleText)
	}
}

// tokenAnswer is a token; Secret is told once, when it is made.
type tokenAnswer struct {
	ID       data.TokenID `json:"id"`
	Login    string       `json:"login"`
	Name     string       `json:"name"`
	Role     data.Role    `json:"role"`
	Created  time.Time    `json:"created"`
	Expires  time.Time    `json:"expires,omitzero"`
	LastUsed time.Time    `json:"lastUsed,omitzero"`
	Secret   string       `json:"token,omitempty"`
}

func describeToken(t data.Token) tokenAnswer {
	return tokenAnswer{ID: t.ID, Login: t.Login, Name: t.Name, Role: t.Role, Created: t.Created, Expires: t.Expires,
		LastUsed: t.LastUsed}
}

var (
	tokenRoleText = text{"Роль ключа — не ниже helper.", "The role of a token is helper at least."}
	tokenHighText = text{"Роль ключа не может быть выше вашей: %s.",
		"The role of a token cannot be above yours, %s."}
	noTokenText = text{"Ключом новые ключи не создают: войдите в браузере.",
		"Tokens are not made with a token: log in with a browser."}
	manyTokensText = text{"Ключей уже слишком много: удалите ненужные.",
		"There are too many tokens already: delete some."}
)

func makeToken(s *Server, r *request, b *tokenBody) (any, error) {
	if r.who.token != nil {
		return nil, refuse(http.StatusForbidden, "token", noTokenText)
	}
	if *b.Role > r.who.role {
		var f fieldErrors
		f.add("role", tokenHighText, r.who.role)
		return nil, f.err()
	}
	t := data.Token{Account: r.who.account.ID, Login: r.who.account.Login, Name: strings.TrimSpace(b.Name), Role: *b.Role}
	if b.Days > 0 {
		t.Expires = time.Now().AddDate(0, 0, b.Days).UTC().Truncate(time.Millisecond)
	}
	made, secret, err := s.o.Store.CreateToken(data.Audited(r.Context(),
		data.AuditEntry{Who: r.who.actor().Name, Action: "token add", Target: t.Login,
			Detail: t.Role.String() + " " + t.Name}), t)
	if errors.Is(err, data.ErrTooManyTokens) {
		return nil, refuse(http.StatusConflict, "too-many", manyTokensText)
	} else if err != nil {
		return nil, err
	}
	a := describeToken(made)
	a.Secret = secret
	return a, nil
}

func tokens(s *Server, r *request) (any, error) {
	all, err := s.o.Store.Tokens(r.Context())
	if err != nil {
		return nil, err
	}
	out := make([]tokenAnswer, len(all))
	for i, t := range all {
		out[i] = describeToken(t)
	}
	return out, nil
}

func deleteToken(s *Server, r *request) (any, error) {
	id, err := r.number("id")
	if err != nil {
		return nil, err
	}
	entry := data.AuditEntry{Who: r.who.actor().Name, Action: "token delete", Target: r.who.account.Login,
		Detail: r.PathValue("id")}
	return nothing{}, s.o.Store.DeleteToken(data.Audited(r.Context(), entry), data.TokenID(id))
}
