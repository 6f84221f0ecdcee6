package udp

import (
	"net"
	"net/netip"
	"runtime"
	"testing"
	"time"
)

// listen opens a socket that answers each datagram with its own bytes.
func listen(t *testing.T, network, at string) netip.AddrPort {
	t.Helper()
	a, err := net.ResolveUDPAddr(network, at)
	if err != nil {
		t.Fatal(err)
	}
	u, err := net.ListenUDP(network, a)
	if err != nil {
		t.Skip(err)
	}
	c := New(u)
	t.Cleanup(func() { c.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, to, err := c.Receive(buf)
			if err != nil {
				return
			}
			_ = c.Answer(buf[:n], from, to)
		}
	}()
	return c.LocalAddr().(*net.UDPAddr).AddrPort()
}

// asks sends a datagram, and says from where the answer has come.
func asks(t *testing.T, to netip.AddrPort) netip.AddrPort {
	t.Helper()
	network := "udp6"
	if to.Addr().Is4() {
		network = "udp4"
	}
	c, err := net.ListenUDP(network, nil) // not connected: the answer of another address comes in, too
	if err != nil {
		t.Skip(err)
	}
	defer c.Close()
	if _, err := c.WriteToUDPAddrPort([]byte("?"), to); err != nil {
		t.Skip(err)
	}
	if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	n, from, err := c.ReadFromUDPAddrPort(make([]byte, 1500))
	if err != nil || n != 1 {
		t.Fatalf("no answer from %s: %v", to, err)
	}
	return netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
}

func TestAnswersLeaveFromWhereTheyWereAsked(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems have one address of the loopback")
	}
	for _, v := range []struct{ network, at, ask string }{
		{"udp", ":0", "127.0.0.1"}, {"udp", ":0", "127.0.0.2"}, {"udp", ":0", "127.1.2.3"}, {"udp", ":0", "::1"},
		{"udp4", "0.0.0.0:0", "127.0.0.2"}, {"udp4", "127.0.0.3:0", "127.0.0.3"}, {"udp6", "[::]:0", "::1"},
		{"udp6", "[::1]:0", "::1"},
	} {
		port := listen(t, v.network, v.at).Port()
		to := netip.AddrPortFrom(netip.MustParseAddr(v.ask), port)
		if got := asks(t, to); got != to {
			t.Errorf("%s %s, asked at %s: the answer is from %s", v.network, v.at, to, got)
		}
	}
}

// To all of a network something can be asked, and no answer can be from there.
func TestAnswersToBroadcasts(t *testing.T) {
	u, err := net.ListenUDP("udp4", &net.UDPAddr{})
	if err != nil {
		t.Fatal(err)
	}
	c := New(u)
	defer c.Close()
	to := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), c.LocalAddr().(*net.UDPAddr).AddrPort().Port())
	for _, from := range []string{"127.255.255.255", "255.255.255.255", "224.0.0.1", "0.0.0.0", "203.0.113.77",
		"2001:db8::1"} {
		if err := c.Answer([]byte("!"), to, netip.MustParseAddr(from)); err != nil {
			t.Errorf("from %s: %v", from, err)
		}
	}
}
