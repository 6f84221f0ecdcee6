package api

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/server/admin"
)

// Bounds of what bodies ask for.
const (
	maxReason  = 500
	maxMinutes = 10 * 365 * 24 * 60
	maxShown   = 1000
)

func accounts(s *Server, r *request) (any, error) {
	q := r.ask("search", "limit")
	search, limit := q.text("search"), q.number("limit", 100, 1, maxShown)
	if err := q.f.problem(); err != nil {
		return nil, err
	}
	all, err := s.o.Ops.Accounts(r.Context(), admin.Search{Like: search})
	if err != nil {
		return nil, err
	}
	all = all[:min(len(all), limit)]
	for i := range all {
		all[i] = r.shown(all[i])
	}
	return all, nil
}

// shown is an account as the caller may see it: addresses of players are for game masters.
func (r *request) shown(a admin.Account) admin.Account {
	if r.who.role < data.GameMaster {
		a.LastAddress = ""
	}
	return a
}

var (
	selfText  = text{"Со своей учётной записью этого сделать нельзя.", "You cannot do this to your own account."}
	aboveText = text{"%s — %s: для этого нужна роль выше.", "%s is a %s: this needs a higher role."}
)

// target finds the account that a measure is about. Nobody takes measures against who has at least the same role, but for
// administrators, and nobody against himself.
func (s *Server) target(r *request, login string) (data.Account, error) {
	var a data.Account
	var err error
	if login != "" {
		a, err = s.o.Ops.Store.AccountByLogin(r.Context(), login)
	} else {
		var id int64
		if id, err = r.number("id"); err == nil {
			a, err = s.o.Ops.Store.AccountByID(r.Context(), data.AccountID(id))
		}
	}
	switch {
	case err != nil:
		return a, err
	case a.ID == r.who.account.ID:
		return a, refuse(http.StatusConflict, "self", selfText)
	case a.Role >= r.who.role && r.who.role < data.Administrator:
		return a, s.denied(r, r.who, r.Method+" "+r.URL.Path, refuse(http.StatusForbidden, "role", aboveText, a.Login, a.Role))
	}
	return a, nil
}

type roleBody struct {
	Role *data.Role `json:"role"`
}

func (b *roleBody) check(f *faults) {
	if b.Role == nil {
		f.add("role", missingText)
	}
}

func setRole(s *Server, r *request, b *roleBody) (any, error) {
	a, err := s.target(r, "")
	if err != nil {
		return nil, err
	}
	return s.o.Ops.SetRole(r.Context(), admin.RoleChange{Login: a.Login, Role: *b.Role})
}

type passwordBody struct {
	Password string `json:"password"`
}

func (b *passwordBody) check(f *faults) {
	if b.Password == "" {
		f.add("password", missingText)
	} else if err := data.CheckPassword(b.Password); err != nil {
		f.add("password", refusedText, strings.TrimPrefix(err.Error(), "data: "))
	}
}

func setPassword(s *Server, r *request, b *passwordBody) (any, error) {
	a, err := s.target(r, "")
	if err != nil {
		return nil, err
	}
	return s.o.Ops.SetPassword(r.Context(), admin.Password{Login: a.Login, Password: b.Password})
}

// sentence is how long a measure lasts, and why; without an end it lasts for ever.
type sentence struct {
	Until   string `json:"until"` // RFC 3339
	Minutes *int   `json:"minutes"`
	Reason  string `json:"reason"`
}

var (
	eitherText = text{"Укажите либо until, либо minutes.", "Give either until or minutes."}
	futureText = text{"Нужен момент в будущем, например 2030-01-31T12:00:00Z.", "Expected a moment in the future, like 2030-01-31T12:00:00Z."}
)

func (b *sentence) check(f *faults) {
	f.line("reason", b.Reason, maxReason, false)
	switch {
	case b.Until != "" && b.Minutes != nil:
		f.add("minutes", eitherText)
	case b.Minutes != nil:
		f.within("minutes", *b.Minutes, 1, maxMinutes)
	case b.Until != "":
		if until, err := time.Parse(time.RFC3339, b.Until); err != nil || !until.After(time.Now()) || until.Year() > 9999 {
			f.add("until", futureText)
		}
	}
}

// end is when the measure ends; zero for never.
func (b *sentence) end() time.Time {
	switch {
	case b.Minutes != nil:
		return time.Now().Add(time.Duration(*b.Minutes) * time.Minute)
	case b.Until != "":
		until, _ := time.Parse(time.RFC3339, b.Until) // it was checked
		return until
	}
	return time.Time{}
}

type banBody struct {
	sentence
	Confirm string `json:"confirm"`
}

var confirmBanText = text{"Учётная запись %s с персонажами [%s] потеряет вход, её сеанс прервётся. Чтобы подтвердить, повторите логин в поле confirm.",
	"The account %s with the characters [%s] will be kept out, and its session ended. To confirm, repeat the login in the field confirm."}

func banAccount(s *Server, r *request, b *banBody) (any, error) {
	a, err := s.target(r, "")
	if err != nil {
		return nil, err
	}
	if b.Confirm != a.Login {
		described, err := s.o.Ops.Account(r.Context(), admin.AccountName{Login: a.Login})
		if err != nil {
			return nil, err
		}
		return nil, refuse(http.StatusConflict, "confirm", confirmBanText, a.Login, strings.Join(described.Characters, ", "))
	}
	return s.o.Ops.BanAccount(r.Context(), admin.AccountBan{Login: a.Login, Until: b.end(), Reason: b.Reason})
}

func unbanAccount(s *Server, r *request, _ *nothing) (any, error) {
	a, err := s.target(r, "")
	if err != nil {
		return nil, err
	}
	return s.o.Ops.UnbanAccount(r.Context(), admin.AccountName{Login: a.Login})
}

type muteBody struct{ sentence }

func muteAccount(s *Server, r *request, b *muteBody) (any, error) {
	a, err := s.target(r, "")
	if err != nil {
		return nil, err
	}
	done, err := s.o.Ops.MuteAccount(r.Context(), admin.AccountMute{Login: a.Login, Until: b.end(), Reason: b.Reason})
	return r.shown(done), err
}

func unmuteAccount(s *Server, r *request, _ *nothing) (any, error) {
	a, err := s.target(r, "")
	if err != nil {
		return nil, err
	}
	done, err := s.o.Ops.UnmuteAccount(r.Context(), admin.AccountName{Login: a.Login})
	return r.shown(done), err
}

type tokenBody struct {
	Name string     `json:"name"`
	Role *data.Role `json:"role"`
	Days int        `json:"days"` // 0: for ever
}

func (b *tokenBody) check(f *faults) {
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
	return tokenAnswer{ID: t.ID, Login: t.Login, Name: t.Name, Role: t.Role, Created: t.Created, Expires: t.Expires, LastUsed: t.LastUsed}
}

var (
	tokenRoleText  = text{"Роль ключа — не ниже helper.", "The role of a token is helper at least."}
	tokenHighText  = text{"Роль ключа не может быть выше вашей: %s.", "The role of a token cannot be above yours, %s."}
	noTokenText    = text{"Ключом новые ключи не создают: войдите в браузере.", "Tokens are not made with a token: log in with a browser."}
	manyTokensText = text{"Ключей уже слишком много: удалите ненужные.", "There are too many tokens already: delete some."}
)

func makeToken(s *Server, r *request, b *tokenBody) (any, error) {
	if r.who.token != nil {
		return nil, refuse(http.StatusForbidden, "token", noTokenText)
	}
	if *b.Role > r.who.role {
		f := faults{{"role", tokenHighText, []any{r.who.role}}}
		return nil, f.problem()
	}
	t := data.Token{Account: r.who.account.ID, Login: r.who.account.Login, Name: strings.TrimSpace(b.Name), Role: *b.Role}
	if b.Days > 0 {
		t.Expires = time.Now().AddDate(0, 0, b.Days).UTC().Truncate(time.Millisecond)
	}
	made, secret, err := s.o.Ops.Store.CreateToken(data.Audited(r.Context(), data.AuditEntry{Who: r.who.name(), Action: "token add", Target: t.Login,
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
	all, err := s.o.Ops.Store.Tokens(r.Context())
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
	entry := data.AuditEntry{Who: r.who.name(), Action: "token delete", Target: r.who.account.Login, Detail: r.PathValue("id")}
	return nothing{}, s.o.Ops.Store.DeleteToken(data.Audited(r.Context(), entry), data.TokenID(id))
}
