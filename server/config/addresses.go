package config

import (
	"fmt"
	"net/netip"
	"strings"
)

// optionalHostPort wants an address to listen on, or nothing.
func optionalHostPort(text string) error {
	if text == "" {
		return nil
	}
	return hostPort(text)
}

// hostName wants a name or an address as the Host of a request has it, without the port.
func hostName(text string) error {
	if _, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		return nil
	}
	if text == "" || len(text) > 253 || strings.ContainsFunc(text, func(r rune) bool {
		return r != '-' && r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		return fmt.Errorf("expected the name of a host without a port, found %q", text)
	}
	return nil
}

// network wants a network, or one address.
func network(text string) error {
	if _, err := ParseNetwork(text); err != nil {
		return fmt.Errorf("expected a network like 10.0.0.0/8, or an address, found %q", text)
	}
	return nil
}

// ParseNetwork reads a network, or one address as the network of it alone.
func ParseNetwork(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	return p.Masked(), err
}
