package main

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/data/content/clientfiles"
	"sphereserver/packets"
)

// aClient makes a folder with a servers.cfg that has this text; nothing else of a client is in it.
func aClient(t *testing.T, servers string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "params"), 0o700); err != nil {
		t.Fatal(err)
	}
	if servers == "" {
		return folder
	}
	packed, err := clientfiles.PackParams([]byte(servers))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "params", "servers.cfg"), packed, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestDoctorLooksAtAClient(t *testing.T) {
	const good = "SRV00 \"203.0.113.5\"\r\nCNTR0001 1\r\n"
	says := func(channel packets.Channel, err error) func(context.Context, string) ([4]byte, error) {
		return func(_ context.Context, at string) ([4]byte, error) {
			if at != "203.0.113.5:25860" {
				t.Errorf("it asks %s", at)
			}
			return [4]byte{10, 0, byte(channel), byte(channel >> 8)}, err
		}
	}
	broken := aClient(t, "")
	if err := os.WriteFile(filepath.Join(broken, "params", "servers.cfg"), []byte("SRV00 \"203.0.113.5\""), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, folder           string
		greet                  func(context.Context, string) ([4]byte, error)
		matter, state, english string
	}{
		{"a server that answers", aClient(t, good), says(packets.ChannelGreeting, nil), "reach", fine, "answers there"},
		{"one that is full", aClient(t, good), says(packets.ChannelRefused, nil), "reach", warned, "lets nobody in now"},
		{"another program", aClient(t, good), says(0x5448, nil), "reach", isWrong, "no server of the game"},
		{"one that is silent", aClient(t, good), says(0, errSilent), "reach", isWrong, "no server of the game"},
		{"nobody", aClient(t, good), says(0, errors.New("connection refused")), "reach", isWrong, "connection refused"},
		{"nobody, as the system says it", aClient(t, good), says(0, &net.OpError{Op: "dial", Net: "tcp4",
			Err: os.NewSyscallError("connect", errors.New("connection refused"))}), "reach", isWrong, ": connection refused"},
		{"an unknown name", aClient(t, good), says(0, &net.DNSError{Err: "no such host"}), "reach", isWrong, "is not known here"},
		{"no folder", filepath.Join(t.TempDir(), "none"), nil, "client", isWrong, "there is no folder"},
		{"another folder", t.TempDir(), nil, "client", isWrong, "no folder params"},
		{"the folder below", filepath.Join(aClient(t, good), "params"), nil, "client", isWrong, "not that of the client"},
		{"no servers.cfg", aClient(t, ""), nil, "servers.cfg", isWrong, "there is no "},
		{"one that is not packed", broken, nil, "servers.cfg", isWrong, "SPHR"},
		{"one without a line", aClient(t, "CNTR0001 1\r\n"), nil, "servers.cfg", isWrong, "no line SRV00"},
		{"one with a port", aClient(t, "SRV00 \"203.0.113.5:25860\"\r\n"), nil, "servers.cfg", isWrong, "without a port"},
		{"no tables", aClient(t, good), says(packets.ChannelGreeting, nil), "files", warned, "nothing of use was found"},
		{"its generation", aClient(t, good), says(packets.ChannelGreeting, nil), "generation", noted, "do not tell"},
	} {
		for _, russian := range []bool{false, true} {
			p := &subject{russian: russian, machine: machine{greet: c.greet}}
			examineClient(t.Context(), p, c.folder)
			found := false
			for _, f := range p.findings {
				if russian && strings.Contains(f.Text, "refused") {
					t.Errorf("%s: in Russian %q", c.name, f.Text)
				}
				found = found || f.Matter == c.matter && f.State == c.state && (russian || strings.Contains(f.Text, c.english)) &&
					(f.State != isWrong || f.Do != "")
			}
			if !found {
				t.Errorf("%s: %+v", c.name, p.findings)
			}
		}
	}
}

// A server of ours greets each connection; a program that takes one and says nothing is none.
func TestWhoAnswersAtAnAddress(t *testing.T) {
	for what, want := range map[string]error{"\x0A\x00\xC8\x00\x00": nil, "": errSilent, "\x0A": errSilent} {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte(what))
			_ = c.Close()
		}()
		head, err := greet(t.Context(), l.Addr().String())
		if !errors.Is(err, want) || err == nil && head != [4]byte{10, 0, 0xC8, 0} {
			t.Errorf("%q: %v, %v", what, head, err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
