package main

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"sphereserver/data"
	"sphereserver/packets/ase"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// examineServer reports whether a server runs, or else whether one could listen.
func examineServer(ctx context.Context, p *subject) {
	if conn, err := admin.Dial(ctx, p.dataDir, ""); err == nil {
		defer conn.Close()
		if r, err := admin.Do(ctx, conn, ops.GetReport, ops.Empty{}); err == nil && r.Status != nil {
			p.find("server", fine, p.say("the server runs since %s, with %d players in the world",
				"сервер работает с %s, игроков в мире: %d", when(r.Status.Started), r.Status.Players),
				"")
			p.serverRuns = true
			p.noAdministrator(r)
			return
		}
	}
	s := &p.config.Settings
	p.examineListening("tcp", s.Game.Listen, "port", isWrong)
	host, port := splitListen(s.Game.Listen)
	if !s.Queries.ASE.Off && port != 0 {
		at := net.JoinHostPort(host, strconv.Itoa(cmp.Or(s.Queries.ASE.Port, int(port)+ase.DefaultPortOffset)))
		p.examineListening("udp", at, "all-seeing eye", warned)
	}
	if !s.Queries.Minecraft.Off && port != 0 {
		at := net.JoinHostPort(host, strconv.Itoa(cmp.Or(s.Queries.Minecraft.Port, int(port))))
		p.examineListening("udp", at, "minecraft query", warned)
	}
	if s.Admin.Listen != "" {
		p.examineListening("tcp", s.Admin.Listen, "admin page", isWrong)
	}
	if s.Public.Listen != "" {
		p.examineListening("tcp", s.Public.Listen, "public page", isWrong)
	}
}

// noAdministrator says how to become one, where there is none; of a server that does not run, the link is not known
// yet.
func (p *subject) noAdministrator(r ops.Report) {
	if r.Stored.Administrators > 0 || r.Stored.Accounts == 0 && !r.Running {
		return // a server that has never been used says it itself, at its first start
	}
	do := p.say("sphere account add LOGIN --role administrator; or start the server, which prints a link to make one",
		"sphere account add ЛОГИН --role administrator; или запустите сервер: он напечатает ссылку для этого")
	if r.FirstLink != "" {
		do = p.say("open on this machine: %s", "откройте на этой машине: %s", r.FirstLink)
	}
	p.find("administrator", noted, p.say("there is no administrator yet, so nobody can use the administrators' page",
		"администратора ещё нет, и страница администратора никого не впустит"), do)
}

func splitListen(listen string) (host string, port uint16) {
	host, text, _ := net.SplitHostPort(listen)
	n, _ := strconv.ParseUint(text, 10, 16)
	return host, uint16(n)
}

// examineListening tries to listen on an address; worst is how bad it is if that fails.
func (p *subject) examineListening(network, address, matter, worst string) {
	at := strings.ToUpper(network) + " " + address
	_, port := splitListen(address)
	flag := cmp.Or(map[string]string{"admin page": "admin-listen", "public page": "public-listen"}[matter], "listen")
	var text, do string
	var dns *net.DNSError
	switch err := p.machine.listen(network, address); {
	case err == nil:
		worst, text = fine, p.say("%s is free", "%s свободен", at)
	case errors.Is(err, errInUse):
		text = p.say("another program listens on %s", "%s занят другой программой", at)
		if who := p.machine.holder(port); network == "tcp" && who != "" {
			text += ": " + who
		}
		do = p.say("end that program, or choose another port with --%s",
			"завершите её или выберите другой порт ключом --%s", flag)
	case errors.Is(err, errForbidden):
		text = p.say("this user may not listen on %s", "этому пользователю нельзя занять %s", at)
		do = p.say("choose a port above 1023", "выберите порт больше 1023")
	case errors.As(err, &dns), errors.Is(err, errNotHere):
		text = p.say("%s is no address of this machine", "%s — не адрес этой машины", at)
		do = p.say("use one of this machine's addresses for --%s, or only the port: \":%d\"",
			"укажите в --%s адрес этой машины или только порт: «:%d»", flag, port)
	default:
		text = p.say("cannot listen on %s: %v", "не удаётся занять %s: %v", at, p.saying(err))
	}
	p.find(matter, worst, text, do)
}

// sharedAddresses are those behind a carrier's own translation (RFC 6598): not reachable from outside either.
var sharedAddresses = netip.MustParsePrefix("100.64.0.0/10")

// playerAddresses returns the addresses that clients could use, which know IPv4 only: from the internet, or from the
// local network.
func playerAddresses(own []netip.Addr) (public, private []string) {
	for _, a := range own {
		switch {
		case !a.Is4() || a.IsLoopback() || a.IsUnspecified() || a.IsLinkLocalUnicast():
		case a.IsPrivate() || sharedAddresses.Contains(a):
			private = append(private, a.String())
		default:
			public = append(public, a.String())
		}
	}
	return public, private
}

// examineAddress says which address players have to write into their client.
func examineAddress(_ context.Context, p *subject) {
	listen := p.config.Settings.Game.Listen
	if p.serverRuns { // with flags of its own, or with settings that have changed since
		listen = cmp.Or(data.HolderOf(p.dataDir).Address, listen)
	}
	host, port := splitListen(listen)
	if port != 25860 && port != 0 {
		p.find("address", noted, p.say("the port is %d, and clients go to 25860 unless told otherwise",
			"порт — %d, а клиенты без настройки идут на 25860", port),
			p.say("forward the port 25860 to it, or use 25860", "перенаправьте на него порт 25860 или займите сам 25860"))
	}
	own, err := p.machine.addresses()
	if err != nil {
		p.find("address", warned, err.Error(), "")
		return
	}
	if at, err := netip.ParseAddr(host); err == nil && !at.IsUnspecified() {
		own = []netip.Addr{at.Unmap()}
	}
	public, private := playerAddresses(own)
	point := func(addresses []string) string {
		return p.say("in the client: \"sphere client servers-cfg params/servers.cfg %[1]s\", which writes SRV00 \"%[1]s\"",
			"в клиенте: «sphere client servers-cfg params/servers.cfg %[1]s», это запишет SRV00 \"%[1]s\"",
			addresses[0])
	}
	if len(public) > 0 {
		p.find("address", fine, p.say("public address: %s", "адрес в интернете: %s", strings.Join(public, ", ")),
			point(public))
	}
	if len(private) > 0 {
		p.find("address", noted, p.say("address in the local network: %s", "адрес в локальной сети: %s",
			strings.Join(private, ", ")), point(private))
	}
	switch {
	case len(public) > 0:
	case len(private) > 0:
		p.find("address", noted, p.say(
			"players from the internet need the router's public address, and TCP port %d forwarded to this machine",
			"игрокам из интернета нужен внешний адрес роутера, а на нём — проброс порта TCP %d на эту машину", port), "")
	case slices.ContainsFunc(own, netip.Addr.IsLoopback):
		p.find("address", warned, p.say("only this machine can reach the server",
			"к серверу можно подключиться только с этой машины"),
			p.say("that is right for trying things; for other players listen on all addresses: --listen :%d",
				"для проб этого достаточно; чтобы могли играть другие, слушайте на всех адресах: --listen :%d", port))
	default:
		p.find("address", warned, p.say("this machine has no IPv4 address that others could reach",
			"у этой машины нет адреса IPv4, доступного другим"), "")
	}
}
