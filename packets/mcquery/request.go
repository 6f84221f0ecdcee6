package mcquery

import "fmt"

// A Request is a message of a client.
type Request struct {
	Kind    Kind
	Session uint32 // chosen by the client, copied into the answer
	Token   int32  // of status requests
	// Tail is the rest. Only its length counts, in a status request.
	Tail []byte
}

// Full reports whether a status request is for the full answer.
func (r *Request) Full() bool { return r.Kind == Status && len(r.Tail) == fullBytes-statusBytes }

func (r *Request) fields(f *fields) {
	f.magic()
	f.kind(&r.Kind)
	f.session(&r.Session)
	if r.Kind == Status {
		f.token(&r.Token)
	}
	f.rest(&r.Tail)
}

// Requests that are no requests, found out without an allocation: a flooded server reads mostly those.
var (
	errMagic = &Damage{Offset: 0, Field: "magic", Reason: "expected FE FD"}
	errKind  = &Damage{Offset: 2, Field: "kind", Reason: "expected 9 or 0"}
	errShort = func() (e [statusBytes]*Damage) {
		for n := range e {
			e[n] = &Damage{Offset: n, Field: "request", Reason: fmt.Sprintf("%d bytes, at least %d expected", n, handshakeBytes)}
			if n >= handshakeBytes {
				e[n].Reason = fmt.Sprintf("%d bytes, at least %d expected of a status request", n, statusBytes)
			}
		}
		return e
	}()
)

// DecodeRequest reads a request. Its tail is a part of the datagram, not a copy. Source: protocol minecraft-query 9.
func DecodeRequest(datagram []byte) (r Request, err error) {
	n := len(datagram)
	switch {
	case n < handshakeBytes:
		return r, errShort[n]
	case datagram[0] != magic0 || datagram[1] != magic1:
		return r, errMagic
	case Kind(datagram[2]) != Handshake && Kind(datagram[2]) != Status:
		return r, errKind
	case Kind(datagram[2]) == Status && n < statusBytes:
		return r, errShort[n]
	}
	f := reading(datagram)
	r.fields(&f)
	return r, f.End()
}

// Append appends the datagram of the request.
func (r *Request) Append(dst []byte) []byte {
	f := writing(dst, 0)
	r.fields(&f)
	return f.Written()
}

// AskToken is the request for a token.
func AskToken(session uint32) *Request { return &Request{Kind: Handshake, Session: session} }

// AskBasic is the request for the basic answer.
func AskBasic(session uint32, token int32) *Request {
	return &Request{Kind: Status, Session: session, Token: token}
}

// AskFull is the request for the full answer.
func AskFull(session uint32, token int32) *Request {
	return &Request{Kind: Status, Session: session, Token: token, Tail: make([]byte, fullBytes-statusBytes)}
}
