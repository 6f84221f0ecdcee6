package api

import (
	"net/http"
	"net/netip"

	"sphereserver/server/ops"
	"sphereserver/server/webserver"
)

// fromHere reports whether a request comes from the server's own machine.
func fromHere(r *http.Request) bool {
	from := webserver.ClientAddr(r)
	if from.IsLoopback() {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(interface{ AddrPort() netip.AddrPort })
	return ok && from.IsValid() && local.AddrPort().Addr().Unmap().WithZone("") == from
}

type firstState struct {
	Open bool `json:"open"` // there is no administrator yet, and the first can be made from where the question comes
}

func firstOpen(s *Server, r *request) (any, error) {
	if !fromHere(r.Request) {
		return firstState{}, nil
	}
	key, err := s.o.Ops.FirstKey(r.Context())
	return firstState{key != ""}, err
}

// makeFirst makes the first administrator and logs it in.
func makeFirst(s *Server, r *request, f *ops.First) (any, error) {
	if !fromHere(r.Request) {
		return nil, errNotHere
	}
	if err := s.o.Ops.MakeFirst(r.Context(), *f); err != nil {
		s.o.Log.Warn("admin page: the first administrator was not made", "login", f.Login,
			"address", webserver.ClientAddr(r.Request).String(), "error", err)
		return nil, err
	}
	s.o.Log.Info("admin page: made the first administrator", "login", f.Login)
	return login(s, r, &loginBody{Login: f.Login, Password: f.Password})
}
