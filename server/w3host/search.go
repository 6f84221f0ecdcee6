package w3host

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"slices"
	"time"

	"sphereserver/packets/w3gs"
	"sphereserver/server/ratelimit"
	"sphereserver/server/udp"
)

// searches answers searches for games. Its goroutine owns everything here but conn.
type searches struct {
	host   *Host
	conn   *udp.Conn
	begun  time.Time
	all    ratelimit.Bucket
	source map[netip.Addr]*ratelimit.Bucket
	swept  time.Duration
	answer []byte
	read   w3gs.Decoder
	turn   int // which game is told first
}

func newSearches(h *Host) *searches {
	return &searches{host: h, conn: udp.New(h.udp), begun: time.Now(), source: map[netip.Addr]*ratelimit.Bucket{}}
}

// maxSources is how many sources are remembered; with more, nobody new is answered until some are forgotten.
const maxSources = 4096

// listenUDP opens the socket for searches, beside the TCP port if that can be.
func listenUDP(listen string, tcp netip.AddrPort) (*net.UDPConn, error) {
	a, err := net.ResolveUDPAddr("udp4", listen)
	if err != nil {
		return nil, err
	}
	if a.Port == 0 {
		if conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: a.IP, Port: int(tcp.Port())}); err == nil {
			return conn, nil
		}
	}
	return net.ListenUDP("udp4", a)
}

// run answers until the socket is closed.
func (s *searches) run() {
	buffer := make([]byte, maxDatagram+1)
	for {
		n, from, to, err := s.conn.Receive(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // Windows tells so of an answer that nobody took
			continue
		}
		s.handle(buffer[:n], from, to)
	}
}

// local reports whether an address is one of a local network.
func local(a netip.Addr) bool { return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() }

// handle answers a search with one packet for each open game that it means. All else gets silence.
// Source: protocol w3gs 2.1, 8.
func (s *searches) handle(datagram []byte, from netip.AddrPort, to netip.Addr) {
	h := s.host
	h.count.searches.Add(1)
	from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
	m, err := s.read.Decode(datagram)
	search, ok := m.(*w3gs.Search)
	if err != nil || !ok || from.Port() == 0 || !h.options.AnswerAll && !local(from.Addr()) {
		h.count.searchesStrange.Add(1)
		return
	}
	if search.Product != h.options.Product || search.Version != h.options.Version {
		h.count.searchesOther.Add(1)
		return
	}
	rooms, now := h.allRooms(), time.Now()
	s.turn++
	for i := range rooms {
		r := rooms[(i+s.turn)%len(rooms)]
		packet := r.open.Load()
		if packet == nil || search.Game != 0 && search.Game != r.counter {
			continue
		}
		if !s.mayAnswer(from.Addr(), now.Sub(s.begun)) {
			h.count.searchesLimited.Add(1)
			return
		}
		s.answer = append(s.answer[:0], *packet...)
		seconds := uint32(now.Sub(r.created) / time.Second)
		binary.LittleEndian.PutUint32(s.answer[len(s.answer)-w3gs.SecondsFromEnd:], seconds)
		if err := s.conn.Answer(s.answer, from, to); err == nil {
			h.count.answers.Add(1)
		}
	}
}

// mayAnswer reports whether one more answer may go to a source.
func (s *searches) mayAnswer(a netip.Addr, now time.Duration) bool {
	l := &s.host.options.Limits
	b := s.source[a]
	if b == nil {
		if now-s.swept > time.Second {
			s.swept = now
			for a, b := range s.source {
				if b.Full(now, l.AnswersPerSource) {
					delete(s.source, a)
				}
			}
		}
		if len(s.source) >= maxSources {
			return false
		}
		b = new(ratelimit.Bucket)
		s.source[a] = b
	}
	return b.Take(now, 1, l.AnswersPerSource, max(l.AnswersPerSource, 1)) &&
		s.all.Take(now, 1, l.Answers, max(l.Answers, 1))
}

// announce implements [outside]: it sends a packet to the addresses that the operator has set.
// Source: protocol w3gs 2.3.
func (h *Host) announce(m w3gs.Message) {
	all := h.options.Announce
	if h.options.Networks != nil {
		all = slices.Concat(all, h.options.Networks())
	}
	if len(all) == 0 {
		return
	}
	packet, err := w3gs.Append(nil, m)
	if err != nil {
		h.options.Log.Error("cannot encode", "error", err)
		return
	}
	for _, to := range all {
		if _, err := h.udp.WriteToUDPAddrPort(packet, to); err != nil {
			h.count.announceFailed.Add(1)
			h.options.Log.Debug("cannot announce", "to", to.String(), "error", err)
			continue
		}
		h.count.announced.Add(1)
	}
}
