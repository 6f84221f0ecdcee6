package config

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
)

// A Key is one setting. To add one: a field in [Settings] or in what that holds, its default in [Defaults] or there, a
// row here, and `go test ./server/config -run Documentation -update-docs`.
type Key struct {
	Name             string   // that of the file: table and key, "limits.max-per-address"
	Flag             string   // that of "sphere serve", without the dashes
	English, Russian string   // what it sets; a word in backquotes stands for the value in the help of the flag
	Min, Max         string   // bounds of numbers and durations, as a flag would write them; empty for none
	OneOf            []string // the only words that a text may be; empty for any
	Path             bool     // a text is the path of a file
	Reload           bool     // a change counts while the server runs

	Check func(text string) error // says what is wrong with a text; nil for nothing

	value      any // a pointer, into the settings that the row was made for; see value.go for the types
	table, row int // where the key stands
}

// Env is the name of the environment's variable.
func (k *Key) Env() string {
	return "SPHERE_" + strings.ToUpper(strings.ReplaceAll(k.Flag, "-", "_"))
}

// Doc is what the key sets, in Russian or in English, without the backquotes.
func (k *Key) Doc(russian bool) string {
	return strings.ReplaceAll(inLanguage(russian, k.English, k.Russian), "`", "")
}

func inLanguage(is bool, english, russian string) string {
	if is {
		return russian
	}
	return english
}

// Table is the table of the file that the key stands in.
func (k *Key) Table() string { return strings.SplitN(k.Name, ".", 2)[0] }

// A Table is a part of the file.
type Table struct {
	Name             string
	English, Russian string

	flag string // what the flags of its keys are called, "log-%s"
	keys func(*Settings) []Key
}

var tables = []Table{
	{"server", "The server itself", "Сам сервер", "%s", serverKeys},
	{"world", "What players see, hear and do in the world",
		"Что игроки видят, слышат и делают в мире", "%s", worldKeys},
	{"chat", "What players say", "Чат", "chat-%s", chatKeys},
	{"browsers", "What server browsers are told",
		"Что отвечать программам поиска серверов", "%s", browsersKeys},
	{"log", "The operator's log", "Журнал", "log-%s", logKeys},
	{"backups", "Backups that the server makes by itself",
		"Резервные копии, которые сервер делает сам", "backups-%s", backupsKeys},
	{"admin", "The page for administrators, the interface for programs, and metrics",
		"Страница администратора, интерфейс для программ и метрики",
		"admin-%s", adminKeys},
	{"timeouts", "How long a session may stay in a state",
		"Сколько сеанс может оставаться в каждом состоянии", "%s-timeout",
		timeoutsKeys},
	{"limits", "What keeps one client, or one address, from costing the others",
		"Чтобы один клиент или один адрес не мешал остальным", "%s", limitsKeys},
}

// keys are all keys in the order of the file.
var keys = func() (all []*Key) {
	var s Settings
	for t, table := range tables {
		for i, k := range table.keys(&s) {
			k.Flag, k.table, k.row = fmt.Sprintf(table.flag, k.Name), t, i
			k.Name = table.Name + "." + k.Name
			all = append(all, &k)
		}
	}
	return all
}()

// Keys lists all keys in the order of the file.
func Keys() []*Key { return keys }

// KeyNamed finds a key by its name in the file.
func KeyNamed(name string) (*Key, bool) {
	i := slices.IndexFunc(keys, func(k *Key) bool { return k.Name == name })
	if i < 0 {
		return nil, false
	}
	return keys[i], true
}

// at is a pointer to the value of the key; see value.go for the types.
func (k *Key) at(s *Settings) any { return tables[k.table].keys(s)[k.row].value }

var cityNames = func() string {
	var names []string
	for _, c := range content.Cities() {
		names = append(names, c.English)
	}
	return strings.Join(names, ", ")
}()

func serverKeys(s *Settings) []Key {
	return []Key{
		{Name: "name", value: &s.Name, Reload: true, Check: oneLine,
			English: "`name` of the server, as server browsers show it",
			Russian: "название сервера, каким его видят программы поиска " +
				"серверов"},
		{Name: "listen", value: &s.Game.Listen, Check: hostPort,
			English: "`HOST:PORT` of the game; port 0 takes a free one",
			Russian: "АДРЕС:ПОРТ игры; порт 0 — любой свободный"},
		{Name: "transport", value: &s.Game.Network, OneOf: []string{"", "gnet", "net"},
			English: "how connections are served: gnet or net; the default is gnet on Unix and net on Windows",
			Russian: "как обслуживать соединения: gnet или net; если пусто, то gnet в " +
				"Unix и net в Windows"},
		{Name: "dialect", value: word[packets.Dialect]{&s.Game.Dialect, packets.Dialect.String, packets.ParseDialect},
			OneOf:   []string{"2022", "2026", "classic"},
			English: "generation of the clients: 2022, 2026 or classic",
			Russian: "поколение клиентов: 2022, 2026 или classic"},
		{Name: "start", value: word[coords.Position]{&s.Game.Start, placeText, content.ParsePlace},
			English: "where new characters stand: " + cityNames + ", any other named place, or \"X Y Z [YAW]\"",
			Russian: "где появляются новые персонажи: " + cityNames +
				", другое место с названием или «X Y Z [ПОВОРОТ]»"},
		{Name: "create-accounts", value: &s.Game.CreateAccounts, Reload: true,
			English: "make an account of an unknown login",
			Russian: "заводить учётную запись, если такого логина ещё нет"},
		{Name: "take-over", value: &s.Game.TakeOver, Reload: true,
			English: "a newer login closes the older one of the account, instead of being refused",
			Russian: "новый вход завершает прежний сеанс той же учётной " +
				"записи, а не отклоняется"},
		{Name: "save-every", value: &s.Game.World.SaveEvery, Min: "50ms", Max: "1h",
			English: "how often places, HP and MP of characters are saved",
			Russian: "как часто сохраняются место, HP и MP персонажей"},
		{Name: "unstuck-delay", value: &s.Game.Delays.Unstuck, Min: "0s", Max: "10m",
			English: "how long a player stands still after /unstuck before it is taken to the nearest city",
			Russian: "сколько игрок стоит на месте после /застрял, прежде чем " +
				"окажется в ближайшем городе"},
	}
}

func worldKeys(s *Settings) []Key {
	w := &s.Game.World
	return []Key{
		{Name: "sight", value: &w.Sight, Min: "10", Max: "106",
			English: "how far players see, in metres; what they see is lost at a tenth more",
			Russian: "как далеко видят игроки, в метрах; увиденное исчезает на " +
				"десятую часть дальше"},
		{Name: "crowd", value: &w.ViewLimit, Min: "1", Max: "10000",
			English: "how many other players one player is shown at most",
			Russian: "сколько других игроков показывается одному игроку, " +
				"самое большее"},
		{Name: "hearing", value: &w.Hearing, Min: "1", Max: "100000",
			English: "how far ordinary speech is heard, in metres",
			Russian: "как далеко слышна обычная речь, в метрах"},
		{Name: "reach", value: &w.Reach, Min: "1", Max: "100",
			English: "from how far away one can take a thing, trade, or use a teleport, in metres",
			Russian: "с какого расстояния можно взять вещь, торговать или " +
				"войти в телепорт, в метрах"},
		{Name: "group-size", value: &w.PartySize, Min: "2", Max: "100",
			English: "how many members a group has at most",
			Russian: "сколько игроков может быть в группе"},
		{Name: "sell-fraction", value: &w.SellFraction, Min: "0.01", Max: "1",
			English: "which part of a thing's price a trader pays for it",
			Russian: "какую долю цены вещи платит за неё торговец"},
		{Name: "litter", value: &w.DespawnAfter, Min: "1s", Max: "8760h",
			English: "how long a thing lies where it was dropped",
			Russian: "сколько лежит брошенная вещь"},
		{Name: "seed", value: &w.Seed, Min: "0", Max: "2147483647",
			English: "what the world's chance begins with, to live through the same again; 0: drawn, and written to the log",
			Russian: "с чего начинается случай в мире, чтобы прожить то же ещё " +
				"раз; 0: выбирается и пишется в журнал"},
	}
}

func chatKeys(s *Settings) []Key {
	return []Key{
		{Name: "log", value: &s.ChatLog,
			English: "write what is said to the file chat.log of the data folder",
			Russian: "записывать всё сказанное в файл chat.log папки данных"},
	}
}

func browsersKeys(s *Settings) []Key {
	return []Key{
		{Name: "no-ase", value: &s.Queries.ASE.Off,
			English: "do not answer All-Seeing Eye, on the UDP port 123 above the game's",
			Russian: "не отвечать по протоколу All-Seeing Eye (порт UDP на 123 больше " +
				"порта игры)"},
		{Name: "no-minecraft", value: &s.Queries.Minecraft.Off,
			English: "do not answer Minecraft Query, on the game's UDP port",
			Russian: "не отвечать по протоколу Minecraft Query (порт UDP с номером " +
				"порта игры)"},
		{Name: "hide-names", value: &s.Queries.HideNames, Reload: true,
			English: "tell server browsers how many players there are, but not who",
			Russian: "сообщать, сколько игроков в мире, но не кто они"},
	}
}

func logKeys(s *Settings) []Key {
	return []Key{
		{Name: "level", value: word[slog.Level]{&s.Log.Level, levelText, parseLevel},
			OneOf: []string{"debug", "info", "warn", "error"}, Reload: true,
			English: "debug, info, warn or error", Russian: "подробность: debug, info, warn или error"},
		{Name: "format", value: word[bool]{&s.Log.JSON, formatText, parseFormat}, OneOf: []string{"text", "json"},
			English: "text for people or json for programs",
			Russian: "text — для людей, json — для программ"},
		{Name: "file", value: &s.Log.File, Path: true, Check: oneLine,
			English: "`file` that the log is appended to; the standard error if empty",
			Russian: "файл, в конец которого пишется журнал; если пусто — " +
				"стандартный поток ошибок"},
	}
}

func backupsKeys(s *Settings) []Key {
	return []Key{
		{Name: "every", value: &s.Backups.Every, Min: "0s", Max: "8760h", Reload: true,
			English: "time from one backup to the next; 0s for none",
			Russian: "время от одной копии до следующей; 0s — не делать"},
		{Name: "keep", value: &s.Backups.Keep, Min: "0", Max: "100000", Reload: true,
			English: "how many of them are kept; 0 for all",
			Russian: "сколько последних копий хранить; 0 — все"},
		{Name: "keep-for", value: &s.Backups.KeepFor, Min: "0s", Max: "876000h", Reload: true,
			English: "how long they are kept; 0s for ever. The newest always stays",
			Russian: "как долго их хранить; 0s — всегда. Самая новая остаётся в " +
				"любом случае"},
	}
}

func adminKeys(s *Settings) []Key {
	return []Key{
		{Name: "listen", value: &s.Admin.Listen, Check: optionalHostPort,
			English: "`HOST:PORT` of the page; port 0 takes a free one, empty is none",
			Russian: "АДРЕС:ПОРТ страницы; порт 0 — любой свободный, пусто — не " +
				"открывать"},
		{Name: "hosts", value: &s.Admin.Hosts, Check: hostName,
			English: "`names` by which browsers may call the page, besides its address and localhost",
			Russian: "имена, по которым страницу можно открыть в браузере, " +
				"кроме её адреса и localhost"},
		{Name: "cert", value: &s.Admin.Cert, Path: true, Check: oneLine,
			English: "`file` with the certificate of TLS; without TLS if empty",
			Russian: "файл сертификата TLS; если пусто — без TLS"},
		{Name: "key", value: &s.Admin.Key, Path: true, Check: oneLine,
			English: "`file` with the key of the certificate", Russian: "файл ключа к сертификату"},
		{Name: "networks", value: &s.Admin.Networks, Check: network,
			English: "`networks` that may read /metrics, /healthz and /readyz, besides this machine, like 10.0.0.0/8",
			Russian: "сети, которым доступны /metrics, /healthz и /readyz, кроме этой " +
				"машины, например 10.0.0.0/8"},
	}
}

func timeoutsKeys(s *Settings) []Key {
	t := &s.Game.Timeouts
	return []Key{
		{Name: "handshake", value: &t.Handshake, Min: "10ms", Max: "24h",
			English: "from connecting to the client's answer",
			Russian: "от подключения до ответа клиента"},
		{Name: "login", value: &t.Login, Min: "10ms", Max: "24h",
			English: "from there to the login", Russian: "оттуда до входа в учётную запись"},
		{Name: "screen", value: &t.Screen, Min: "10ms", Max: "168h",
			English: "on the character screen", Russian: "на экране выбора персонажа"},
		{Name: "entering", value: &t.Entering, Min: "10ms", Max: "24h",
			English: "from choosing a character to being in the world",
			Russian: "от выбора персонажа до появления в мире"},
		{Name: "silence", value: &t.Silence, Min: "10ms", Max: "24h",
			English: "in the world without a word from the client",
			Russian: "в мире, пока от клиента ничего не слышно"},
	}
}

func limitsKeys(s *Settings) []Key {
	l := &s.Game.Limits
	return []Key{
		{Name: "max-connections", value: &l.Connections, Min: "1", Max: "45201", Reload: true,
			English: "connections in all", Russian: "соединений всего"},
		{Name: "max-per-address", value: &l.PerAddress, Min: "1", Max: "45201", Reload: true,
			English: "connections of one IPv4 address or IPv6 /64",
			Russian: "соединений с одного адреса IPv4 или сети IPv6 /64"},
		{Name: "new-per-address", value: &l.NewPerAddress, Min: "0.001", Max: "1000000", Reload: true,
			English: "new connections of an address per second",
			Russian: "новых соединений с одного адреса в секунду"},
		{Name: "new-per-address-burst", value: &l.NewPerAddressBurst, Min: "1", Max: "1000000", Reload: true,
			English: "new connections of an address at once",
			Russian: "новых соединений с одного адреса сразу"},
		{Name: "new-connections", value: &l.New, Min: "0.001", Max: "1000000", Reload: true,
			English: "new connections per second in all",
			Russian: "новых соединений в секунду всего"},
		{Name: "frames-per-second", value: &l.FramesPerSecond, Min: "1", Max: "1000000",
			English: "frames of one client per second",
			Russian: "кадров от одного клиента в секунду"},
		{Name: "frames-burst", value: &l.FramesBurst, Min: "1", Max: "1000000",
			English: "frames of one client at once", Russian: "кадров от одного клиента сразу"},
		{Name: "max-pending", value: &l.Pending, Min: "4096", Max: "1073741824",
			English: "bytes that a client may owe to read",
			Russian: "сколько байт клиент может ещё не прочитать"},
		{Name: "max-speed", value: &s.Game.World.MaxSpeed, Min: "-1000000", Max: "1000000",
			English: "fastest plausible movement in metres per second, negative for any",
			Russian: "наибольшая правдоподобная скорость, метров в секунду; " +
				"отрицательная — любая"},
		{Name: "hash-workers", value: &l.HashWorkers, Min: "1", Max: "1024",
			English: "passwords that are checked at once",
			Russian: "сколько паролей проверяется одновременно"},
		{Name: "login-queue", value: &l.LoginQueue, Min: "1", Max: "1000000",
			English: "logins that may wait",
			Russian: "сколько входов может ждать своей очереди"},
		{Name: "exempt-loopback", value: &l.ExemptLoopback,
			English: "no limits per address for this machine's own clients, as load tests need",
			Russian: "не ограничивать клиентов с этой же машины: нужно для " +
				"испытаний под нагрузкой"},
	}
}
