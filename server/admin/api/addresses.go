package api

import (
	"net/netip"
	"strings"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// addressBody names an address or a network.
type addressBody struct {
	Address string `json:"address"`
}

func (b *addressBody) check(f *fieldErrors) {
	if _, err := data.ParsePrefix(strings.TrimSpace(b.Address)); err != nil {
		f.Add("address", addressText)
	}
}

// prefix is the network in the body; it was checked.
func (b *addressBody) prefix() netip.Prefix {
	p, _ := data.ParsePrefix(strings.TrimSpace(b.Address))
	return p
}

type banAddressBody struct {
	addressBody
	penaltyBody
	Wide bool `json:"wide"` // the network is meant to be as wide as a provider
}

func (b *banAddressBody) check(f *fieldErrors) {
	b.addressBody.check(f)
	b.penaltyBody.check(f)
}

func banAddressRequest(_ *Server, _ *request, b *banAddressBody) (ops.AddressBan, error) {
	p := b.penalty()
	return ops.AddressBan{Prefix: b.prefix(), Ban: ops.Ban{Until: p.Until, Reason: p.Reason}, Wide: b.Wide}, nil
}

func unbanAddressRequest(_ *Server, _ *request, b *addressBody) (ops.AddressBan, error) {
	return ops.AddressBan{Prefix: b.prefix()}, nil
}

func listAddresses(s *Server, r *request) (any, error) {
	return perform(s, r, ops.ListAddressBans, ops.Empty{})
}
