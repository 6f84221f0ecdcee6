package query

import (
	"bytes"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sphereserver/packets/ase"
	"sphereserver/packets/mcquery"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

// gamePort is a port that a game could have: nobody else has it over UDP at the moment.
func gamePort(t testing.TB) netip.AddrPort {
	t.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).AddrPort()
}

// listen starts a server that the test ends.
func listen(t testing.TB, o *Options, source Source) *Server {
	t.Helper()
	var err error
	for range 10 { // another program may be quicker than we to take a free port
		var s *Server
		if s, err = Listen(gamePort(t), *o, source); err == nil {
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			return s
		}
	}
	t.Fatal(err)
	return nil
}

// A caller is a client's socket.
type caller struct {
	t testing.TB
	*net.UDPConn
}

func call(t testing.TB, to netip.AddrPort) caller {
	t.Helper()
	c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(to))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return caller{t, c}
}

// ask sends a request, again if it is lost, and returns the answer.
func (c caller) ask(request []byte) []byte {
	c.t.Helper()
	buf := make([]byte, 1<<16)
	for range 5 {
		if _, err := c.Write(request); err != nil {
			c.t.Fatal(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
		if n, err := c.Read(buf); err == nil {
			return buf[:n]
		}
	}
	c.t.Fatalf("no answer to % X", request)
	return nil
}

func TestServerAnswersBothProtocols(t *testing.T) {
	b := newBoard(2)
	s := listen(t, unlimited(), b)
	if s.ASE() == s.Minecraft() || !s.ASE().Addr().IsLoopback() {
		t.Errorf("listens on %v and %v", s.ASE(), s.Minecraft())
	}
	eye, err := ase.Decode(call(t, s.ASE()).ask([]byte("s")))
	if err != nil || eye.(*ase.EYE1).Name != "Сфера" {
		t.Errorf("%+v, %v", eye, err)
	}
	c := call(t, s.Minecraft())
	var token mcquery.Token
	if err := mcquery.Decode(c.ask(mcquery.AskToken(5).Append(nil)), &token); err != nil {
		t.Fatal(err)
	}
	n, err := token.Number()
	if err != nil {
		t.Fatal(err)
	}
	var m mcquery.Full
	if err := mcquery.Decode(c.ask(mcquery.AskFull(5, n).Append(nil)), &m); err != nil || len(m.Players) != 2 {
		t.Errorf("%+v, %v", m, err)
	}
	counted := s.Counters()
	counts := func() bool { return counted["ase_answers"] > 0 && counted["minecraft_answers"] >= 2 }
	// an answer is counted after it has left
	for end := time.Now().Add(time.Minute); !counts() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
		counted = s.Counters()
	}
	if !counts() || counted["ase_bytes_out"] == 0 || counted["minecraft_bytes_in"] < 22 {
		t.Errorf("%v", counted)
	}
}

func TestASETakesTheNextPort(t *testing.T) {
	game := gamePort(t)
	if game.Port() > 60000 {
		t.Skip("no room above the port that the system chose")
	}
	taken, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(game.Addr(), game.Port()+123)))
	if err != nil {
		t.Skip(err)
	}
	defer taken.Close()
	var log bytes.Buffer
	o := unlimited()
	o.Minecraft.Off = true
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	s, err := Listen(game, *o, newBoard(1))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := s.ASE().Port() - game.Port(); n < 124 || n > 130 {
		t.Errorf("listens %d above the game", n)
	}
	if !strings.Contains(log.String(), "taken") {
		t.Errorf("log: %s", log.String())
	}
	o.ASE.Port = int(game.Port()) + 123
	if again, err := Listen(game, *o, newBoard(1)); err == nil {
		again.Close()
		t.Error("a taken port that was asked for is replaced")
	}
}

func TestMinecraftPortThatIsTaken(t *testing.T) {
	game := gamePort(t)
	taken, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(game))
	if err != nil {
		t.Skip(err)
	}
	defer taken.Close()
	if s, err := Listen(game, *unlimited(), newBoard(1)); err == nil || !strings.Contains(err.Error(), "Minecraft Query") {
		t.Errorf("%v, %v", s, err)
	}
}

func TestGameOnTheLastPort(t *testing.T) {
	o := unlimited()
	o.Minecraft.Off = true
	s, err := Listen(netip.MustParseAddrPort("127.0.0.1:65500"), *o, newBoard(1))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.ASE().Port() == 0 {
		t.Error("no port")
	}
}

func TestOffSwitches(t *testing.T) {
	o := unlimited()
	o.ASE.Off, o.Minecraft.Off = true, true
	o.ASE.MaxAnswer = 0 // means nothing then
	s, err := Listen(gamePort(t), *o, newBoard(1))
	if err != nil || s.ASE().IsValid() || s.Minecraft().IsValid() || len(s.Counters()) != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	for _, v := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.ASE.MaxAnswer = 699 }, "699"},
		{func(o *Options) { o.ASE.MaxAnswer = 8193 }, "8193"},
		{func(o *Options) { o.Minecraft.HostIP = "example.org" }, "example.org"},
		{func(o *Options) { o.Reach = []netip.Prefix{{}} }, "networks"},
	} {
		o := unlimited()
		v.change(o)
		if s, err := Listen(gamePort(t), *o, newBoard(1)); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%v, %v, expected %q", s, err, v.want)
		}
	}
	if _, err := Listen(netip.MustParseAddrPort("127.0.0.1:0"), *unlimited(), newBoard(1)); err == nil {
		t.Error("a game without a port")
	}
}

// A wildcard address is told as none, and answers come through both families where the system has both.
func TestWildcardAddress(t *testing.T) {
	for _, wild := range []string{"0.0.0.0", "::"} {
		game := netip.AddrPortFrom(netip.MustParseAddr(wild), gamePort(t).Port())
		o := unlimited()
		o.Minecraft.HostIP = ""
		s, err := Listen(game, *o, newBoard(1))
		if err != nil {
			t.Skip(err)
		}
		eye, err := ase.Decode(call(t, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), s.ASE().Port())).ask([]byte("s")))
		if err != nil {
			t.Errorf("%s: %v, %v", wild, eye, err)
		}
		c := call(t, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), s.Minecraft().Port()))
		var token mcquery.Token
		var m mcquery.Basic
		_ = mcquery.Decode(c.ask(mcquery.AskToken(5).Append(nil)), &token)
		n, _ := token.Number()
		if err := mcquery.Decode(c.ask(mcquery.AskBasic(5, n).Append(nil)), &m); err != nil || m.IP != "0.0.0.0" {
			t.Errorf("%s: %+v, %v", wild, m, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A bare port is the part of a server that is tested without a socket.
func barePort(o *Options, source Source) (eye, craft *port) {
	return newPort("ase", nil, o, newASEResponder(o, source).respond),
		newPort("minecraft", nil, o, newMinecraftResponder(o, source).respond)
}

func TestSendersThatNobodyAnswers(t *testing.T) {
	eye, _ := barePort(unlimited(), newBoard(1))
	eye.own = []uint16{25983, 25860}
	for sender, want := range map[string]outcome{
		"192.0.2.1:7": badSender, "192.0.2.1:53": badSender, "192.0.2.1:1023": badSender, "192.0.2.1:1024": answered,
		"192.0.2.1:25983": badSender, "192.0.2.1:25860": badSender, "192.0.2.1:25861": answered,
		"192.0.2.1:0": badSender, "224.0.0.1:9000": badSender, "255.255.255.255:9000": badSender, "0.0.0.0:9000": badSender,
		"[ff02::1]:9000": badSender,
		"192.0.2.1:9000": answered, "[2001:db8::1]:9000": answered, "127.0.0.1:9000": answered,
	} {
		if _, what := eye.decide(eye.began, from(sender), []byte("s")); what != want {
			t.Errorf("%s: %v, want %v", sender, outcomeNames[what], outcomeNames[want])
		}
	}
	if _, what := eye.decide(eye.began, netip.AddrPort{}, []byte("s")); what != badSender {
		t.Errorf("no sender: %v", outcomeNames[what])
	}
}

func TestReach(t *testing.T) {
	o := unlimited()
	o.Reach = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/32")}
	eye, craft := barePort(o, newBoard(1))
	for sender, want := range map[string]outcome{"192.0.2.1:9000": answered, "192.0.3.1:9000": outOfReach,
		"[2001:db8::1]:9000": answered, "127.0.0.1:9000": outOfReach} {
		if _, what := eye.decide(eye.began, from(sender), []byte("s")); what != want {
			t.Errorf("%s: %v", sender, outcomeNames[what])
		}
		if _, what := craft.decide(craft.began, from(sender), mcquery.AskToken(1).Append(nil)); what != want {
			t.Errorf("%s: %v", sender, outcomeNames[what])
		}
	}
}

// A faulty is a source that fails.
type faulty struct{}

func (faulty) Info() Info { panic(errors.New("the sky falls")) }

func TestFaultsEndNothing(t *testing.T) {
	var log bytes.Buffer
	o := unlimited()
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	eye, _ := barePort(o, faulty{})
	for range 100 {
		if out, what := eye.decide(eye.began.Add(time.Second), from("192.0.2.1:9000"), []byte("s")); out != nil ||
			what != panicked {
			t.Fatalf("% X, %v", out, outcomeNames[what])
		}
	}
	if n := strings.Count(log.String(), "the sky falls"); n != 1 {
		t.Errorf("%d lines in the log:\n%s", n, log.String())
	}
}

// Thousands of random datagrams change nothing and get no answer, but those which begin as requests do.
func TestRandomDatagrams(t *testing.T) {
	eye, craft := barePort(unlimited(), newBoard(5))
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 4000 {
		datagram := make([]byte, random.IntN(1500))
		for j := range datagram {
			datagram[j] = byte(random.Uint32())
		}
		sender := from("192.0.2.1:9000")
		out, what := eye.decide(eye.began, sender, datagram)
		if asks := len(datagram) > 0 && strings.IndexByte("srbxv", datagram[0]) >= 0; asks != (what == answered) ||
			asks != (out != nil) {
			t.Fatalf("datagram %d: %v", i, outcomeNames[what])
		}
		if out, what := craft.decide(craft.began, sender, datagram[:min(len(datagram), 80)]); out != nil ||
			what != malformed {
			t.Fatalf("datagram %d: %v, % X", i, outcomeNames[what], out)
		}
	}
}

// Any datagram of a stranger causes no panic, and an answer within the limits or none.
func FuzzDatagram(f *testing.F) {
	for _, s := range []string{"s", "r x", "b", "x", "v", "", "\xFE\xFD\x09\x00\x00\x00\x01",
		"\xFE\xFD\x00\x00\x00\x00\x01\x00\x91\x29\x5B\x00\x00\x00\x00"} {
		f.Add([]byte(s), uint16(5000), uint32(1))
	}
	b := newBoard(300)
	eye, craft := barePort(limited(), b)
	f.Fuzz(func(t *testing.T, datagram []byte, source uint16, ms uint32) {
		a := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(source >> 8), byte(source)}), source)
		for _, p := range []*port{eye, craft} {
			out, what := p.decide(p.began.Add(time.Duration(ms)*time.Millisecond), a, datagram)
			if what == panicked || len(out) > 1400 || (what == answered) != (len(out) > 0) {
				t.Fatalf("% X: %v, %d bytes", datagram, outcomeNames[what], len(out))
			}
		}
	})
}
