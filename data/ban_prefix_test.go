package data

import (
	"net/netip"
	"testing"
)

// One IPv6 address is banned with all that its owner can change it to.
func TestBannedPrefix(t *testing.T) {
	for text, want := range map[string]string{
		"fd99::2": "fd99::/64", "fd99:0:0:1::2/128": "fd99:0:0:1::/64", "fd99::/96": "fd99::/64", "fd99::/64": "fd99::/64",
		"fd99::/48": "fd99::/48", "203.0.113.7": "203.0.113.7/32", "203.0.113.0/24": "203.0.113.0/24",
		"::ffff:203.0.113.7": "203.0.113.7/32", "203.0.113.7:50000": "203.0.113.7/32", "[fd99::2]:5": "fd99::/64",
	} {
		p, err := ParsePrefix(text)
		if got := BannedPrefix(p); err != nil || got != netip.MustParsePrefix(want) {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
}
