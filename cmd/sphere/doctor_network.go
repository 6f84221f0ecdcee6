package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"sphereserver/packets/ase"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// examineServer says whether a server runs, or else whether one could listen.
func examineServer(ctx context.Context, p *subject) []finding {
	if conn, err := admin.Dial(ctx, p.dataDir, ""); err == nil {
		defer conn.Close()
		if r, err := admin.Do(ctx, conn, ops.GetReport, ops.Empty{}); err == nil && r.Status != nil {
			return []finding{{"server", fine, p.say("the server runs since %s, with %d players in the world",
				"сервер работает с %s, игроков в мире: %d",
				when(r.Status.Started), r.Status.Players), ""}}
		}
	}
	s := &p.config.Settings
	found := []finding{p.examineListening("tcp", s.Game.Listen, "port", isWrong)}
	host, port := splitListen(s.Game.Listen)
	if !s.Queries.ASE.Off && port != 0 {
		at := net.JoinHostPort(host, strconv.Itoa(int(port)+ase.DefaultPortOffset))
		found = append(found, p.examineListening("udp", at, "all-seeing eye", warned))
	}
	if !s.Queries.Minecraft.Off && port != 0 {
		found = append(found, p.examineListening("udp", s.Game.Listen, "minecraft query", warned))
	}
	if s.Admin.Listen != "" {
		found = append(found, p.examineListening("tcp", s.Admin.Listen, "admin page", isWrong))
	}
	return found
}

func splitListen(listen string) (host string, port uint16) {
	host, text, _ := net.SplitHostPort(listen)
	n, _ := strconv.ParseUint(text, 10, 16)
	return host, uint16(n)
}

// examineListening tries to listen on an address; worst is how bad it is if that fails.
func (p *subject) examineListening(network, address, matter, worst string) finding {
	name := strings.ToUpper(network)
	err := p.machine.listen(network, address)
	if err == nil {
		return finding{matter, fine, p.say("%s %s is free", "%s %s свободен", name, address), ""}
	}
	f := finding{Matter: matter, State: worst}
	_, port := splitListen(address)
	flag := "listen"
	if matter == "admin page" {
		flag = "admin-listen"
	}
	var dns *net.DNSError
	switch {
	case errors.Is(err, errInUse):
		f.Text = p.say("another program listens on %s %s", "%s %s занят другой программой", name,
			address)
		if who := p.machine.holder(port); network == "tcp" && who != "" {
			f.Text += ": " + who
		}
		f.Do = p.say("end that program, or choose another port with --%s",
			"завершите её или выберите другой порт ключом --%s", flag)
	case errors.Is(err, errForbidden):
		f.Text = p.say("this user may not listen on %s %s",
			"этому пользователю нельзя занять %s %s", name, address)
		f.Do = p.say("choose a port above 1023", "выберите порт больше 1023")
	case errors.As(err, &dns), errors.Is(err, errNotHere):
		f.Text = p.say("%s %s is no address of this machine", "%s %s — не адрес этой машины", name,
			address)
		f.Do = p.say("use one of this machine's addresses for --%s, or only the port: \":%d\"",
			"укажите в --%s адрес этой машины или только порт: «:%d»", flag, port)
	default:
		f.Text = p.say("cannot listen on %s %s: %v", "не удаётся занять %s %s: %v", name, address, err)
	}
	return f
}

// examineAddress says what players have to write into their client.
func examineAddress(_ context.Context, p *subject) []finding {
	host, port := splitListen(p.config.Settings.Game.Listen)
	var found []finding
	if port != 25860 && port != 0 {
		found = append(found, finding{"address", noted,
			p.say("the port is %d, and clients go to 25860 unless told otherwise",
				"порт — %d, а клиенты без настройки идут на 25860", port),
			p.say("forward the port 25860 to it, or use 25860",
				"перенаправьте на него порт 25860 или займите сам 25860")})
	}
	own, err := p.machine.addresses()
	if err != nil {
		return append(found, finding{"address", warned, err.Error(), ""})
	}
	if at, err := netip.ParseAddr(host); err == nil && !at.IsUnspecified() {
		own = slices.DeleteFunc(own, func(a netip.Addr) bool { return a != at.Unmap() })
		if len(own) == 0 {
			own = []netip.Addr{at.Unmap()}
		}
	}
	var public, private []string
	for _, a := range own {
		switch {
		case !a.Is4() || a.IsLoopback() || a.IsUnspecified() || a.IsLinkLocalUnicast(): // the client knows IPv4 only
		case a.IsPrivate() || sharedAddresses.Contains(a):
			private = append(private, a.String())
		default:
			public = append(public, a.String())
		}
	}
	point := func(address string) string {
		return p.say("in the client: \"sphere client servers-cfg params/servers.cfg %s\", which writes SRV00 \"%s\"",
			"в клиенте: «sphere client servers-cfg params/servers.cfg %s», это запишет SRV00 \"%s\"",
			address, address)
	}
	switch {
	case len(public)+len(private) == 0 && slices.ContainsFunc(own, netip.Addr.IsLoopback):
		return append(found, finding{"address", warned,
			p.say("only this machine can reach the server",
				"к серверу можно подключиться только с этой машины"),
			p.say("that is right for trying things; for other players listen on all addresses: --listen :%d",
				"для проб этого достаточно; чтобы могли играть другие, "+
					"слушайте на всех адресах: --listen :%d", port)})
	case len(public)+len(private) == 0:
		return append(found, finding{"address", warned,
			p.say("this machine has no IPv4 address that others could reach",
				"у этой машины нет адреса IPv4, доступного другим"), ""})
	}
	if len(public) > 0 {
		found = append(found, finding{"address", fine,
			p.say("public address: %s", "адрес в интернете: %s", strings.Join(public, ", ")), point(public[0])})
	}
	if len(private) > 0 {
		found = append(found, finding{"address", noted,
			p.say("address in the local network: %s", "адрес в локальной сети: %s",
				strings.Join(private, ", ")), point(private[0])})
		if len(public) == 0 {
			found = append(found, finding{"address", noted,
				p.say("players from the internet need the router's public address, and TCP port %d forwarded to this machine",
					"игрокам из интернета нужен внешний адрес роутера, а на нём — "+
						"проброс порта TCP %d на эту машину", port), ""})
		}
	}
	return found
}

// sharedAddresses are those behind a carrier's own translation (RFC 6598): not reachable from outside either.
var sharedAddresses = netip.MustParsePrefix("100.64.0.0/10")
