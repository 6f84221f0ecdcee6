package main

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sphereserver/data/content/clientfiles"
	"sphereserver/packets"
)

// clientPort is where the original client connects to; it knows no other.
const clientPort = 25860

// reachWithin bounds how long a server is waited for.
const reachWithin = 5 * time.Second

// greet connects to a server and returns the beginning of its first words, the head of a frame.
func greet(ctx context.Context, address string) (head [4]byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, reachWithin)
	defer cancel()
	var dialer net.Dialer
	c, err := dialer.DialContext(ctx, "tcp4", address)
	if err != nil {
		return head, err
	}
	defer c.Close()
	end, _ := ctx.Deadline()
	if err := c.SetReadDeadline(end); err != nil {
		return head, err
	}
	for n := 0; n < len(head); {
		got, err := c.Read(head[n:])
		if n += got; err != nil && n < len(head) {
			return head, errSilent
		}
	}
	return head, nil
}

// errSilent is the error of a server that takes a connection and says nothing that a server of the game would.
var errSilent = errors.New("no greeting")

// examineClient looks at the folder of an original client: whether it is one, where it connects to, and whether a
// server answers there.
func examineClient(ctx context.Context, p *subject, folder string) {
	params := filepath.Join(folder, "params")
	again := p.say("give the folder in which the client's program lies, with a folder params in it",
		"укажите папку, где лежит программа клиента; в ней есть папка params")
	switch {
	case !isFolder(folder):
		p.find("client", isWrong, p.say("there is no folder %s", "папки %s нет", folder), again)
		return
	case !isFolder(params) && strings.EqualFold(filepath.Base(folder), "params"):
		p.find("client", isWrong, p.say("%s is the folder of settings, not that of the client",
			"%s — папка настроек, а не самого клиента", folder), p.say("give the folder above it: %s",
			"укажите папку над ней: %s", filepath.Dir(filepath.Clean(folder))))
		return
	case !isFolder(params):
		p.find("client", isWrong, p.say("%s has no folder params, so it is no client of Sphere",
			"в %s нет папки params, это не клиент «Сферы»", folder), again)
		return
	}
	if address, ok := examineServers(p, filepath.Join(params, "servers.cfg")); ok {
		examineReach(ctx, p, address)
	}
	examineTables(ctx, p, folder)
	p.find("generation", noted, p.say("whether the client is of 2022–2023 or of 2026 its files do not tell",
		"2022–2023 года клиент или 2026-го, по файлам не понять"),
		p.say("nothing is to be done: the server notices it by what the client sends in the world",
			"делать ничего не нужно: сервер сам заметит это по тому, что клиент пришлёт в мире"))
}

// examineServers reads where the client connects to, and reports whether it is known.
func examineServers(p *subject, path string) (address string, ok bool) {
	point := p.say("\"sphere client servers-cfg %s ADDRESS\" writes it",
		"его запишет «sphere client servers-cfg %s АДРЕС»", path)
	content, err := readServers(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.find("servers.cfg", isWrong, p.say("there is no %s: the client does not know where to connect to",
			"файла %s нет: клиент не знает, куда подключаться", path), point)
		return "", false
	case err != nil:
		p.find("servers.cfg", isWrong, p.saying(err), point)
		return "", false
	}
	if f, err := os.OpenFile(path, os.O_WRONLY, 0); err != nil {
		p.find("servers.cfg", warned, p.say("%s cannot be written to by this user",
			"этот пользователь не может изменить %s", path),
			p.say("put the client where you may write, not into \"Program Files\", or run the command as an administrator",
				"поставьте клиент туда, где вам можно писать, не в «Program Files», или запустите команду от имени администратора"))
	} else {
		f.Close()
	}
	lines := serverLine().FindAllString(string(content), -1)
	if len(lines) == 0 {
		p.find("servers.cfg", isWrong, p.say("%s has no line SRV00 \"address\"", "в %s нет строки SRV00 \"адрес\"", path),
			point)
		return "", false
	}
	_, address, _ = strings.Cut(lines[0], `"`)
	address = strings.TrimSuffix(address, `"`)
	if why := noServer(address); why != nil {
		p.find("servers.cfg", isWrong, p.say("the client connects to %q: %s", "клиент подключается к %q: %s", address,
			p.saying(why)), point)
		return "", false
	}
	p.find("servers.cfg", fine, p.say("the client connects to %s, port %d", "клиент подключается к %s, порт %d", address,
		clientPort), "")
	return address, true
}

// examineReach reports whether a server of the game answers at an address.
func examineReach(ctx context.Context, p *subject, address string) {
	head, err := p.machine.greet(ctx, net.JoinHostPort(address, strconv.Itoa(clientPort)))
	var unknown *net.DNSError
	channel := packets.Channel(binary.LittleEndian.Uint16(head[2:]))
	switch {
	case errors.As(err, &unknown):
		p.find("reach", isWrong, p.say("the name %s is not known here", "имя %s здесь неизвестно", address),
			p.say("look for a slip in it, or write the IPv4 address instead",
				"проверьте, нет ли опечатки, или впишите адрес IPv4"))
	case errors.Is(err, errSilent),
		err == nil && channel != packets.ChannelGreeting && channel != packets.ChannelRefused:
		p.find("reach", isWrong, p.say("something answers at %s, port %d, but no server of the game",
			"по адресу %s, порт %d, отвечает не игровой сервер", address, clientPort),
			p.say("ask who runs the server for its address", "уточните адрес у того, кто держит сервер"))
	case err != nil:
		p.find("reach", isWrong, p.say("nobody answers at %s, port %d: %v", "по адресу %s, порт %d, никто не отвечает: %v",
			address, clientPort, p.saying(causeOf(err))), p.say("is the server running? Firewalls and the router have to let TCP port %d through",
			"работает ли сервер? Брандмауэры и роутер должны пропускать порт TCP %d", clientPort))
	case channel == packets.ChannelRefused:
		p.find("reach", warned, p.say("a server of the game is there, and lets nobody in now",
			"игровой сервер там есть, но сейчас никого не пускает"),
			p.say("try again in a while: it is full, or keeps this address out",
				"попробуйте позже: он заполнен или не пускает этот адрес"))
	default:
		p.find("reach", fine, p.say("a server of the game answers there", "там отвечает игровой сервер"), "")
	}
}

// examineTables says which files of the client are missing or damaged, as far as we know them.
func examineTables(ctx context.Context, p *subject, folder string) {
	_, report, err := clientfiles.Import(ctx, folder, clientfiles.Options{})
	again := p.say("install the client anew, or check its files", "переустановите клиент или проверьте его файлы")
	missing := report.Missing()
	switch {
	case err != nil:
		p.find("files", warned, p.saying(err), again)
	case len(missing) > 0:
		p.find("files", warned, p.say("tables of the client that are missing: %s", "в клиенте нет таблиц: %s",
			strings.Join(missing, ", ")), again)
	case len(report.Problems) > 0:
		p.find("files", warned, p.say("what is wrong in files of the client: %d, the first: %s",
			"ошибок в файлах клиента: %d, первая: %s", len(report.Problems)+report.More, report.Problems[0].What), again)
	default:
		p.find("files", fine, p.say("all tables of the client that we know are there: %d files read",
			"все известные нам таблицы клиента на месте: прочитано файлов %d", report.Read), "")
	}
}

// causeOf is the system's word for a connection that was not made, without the address.
func causeOf(err error) error {
	var dialing *net.OpError
	if errors.As(err, &dialing) {
		err = dialing.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		err = call.Err
	}
	return err
}
