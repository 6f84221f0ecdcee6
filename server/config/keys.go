package config

import (
	"strings"

	"sphereserver/data/content"
)

// A Key is one setting. To add one: a field in [Settings] or in what that holds, its default in [Defaults] or there, a
// row here, and `go test ./server/config -run Documentation -update-docs`.
type Key struct {
	// Name is that of the file: table and key, "limits.max-per-address".
	Name string
	// Flag is that of "sphere serve" without the dashes. The environment's variable follows from it.
	Flag string
	// English and Russian say what the key sets. A word in backquotes stands for the value in the help of the flag.
	English, Russian string
	// Min and Max bound numbers and durations, as a flag would write them; empty for no bound.
	Min, Max string
	// OneOf are the only words that a text may be; empty for any.
	OneOf []string
	// Check says what is wrong with a text; nil for nothing.
	Check func(text string) error
	// Path says that a text is the path of a file.
	Path bool
	// Reload says that a change counts while the server runs.
	Reload bool

	at func(*Settings) any // a pointer to the value; see value.go for the types
}

// Env is the name of the environment's variable.
func (k *Key) Env() string {
	return "SPHERE_" + strings.ToUpper(strings.ReplaceAll(k.Flag, "-", "_"))
}

// Doc is what the key sets, in Russian or in English, without the backquotes.
func (k *Key) Doc(russian bool) string {
	if russian {
		return strings.ReplaceAll(k.Russian, "`", "")
	}
	return strings.ReplaceAll(k.English, "`", "")
}

// Table is the table of the file that the key stands in.
func (k *Key) Table() string { return strings.SplitN(k.Name, ".", 2)[0] }

// A Table is a part of the file.
type Table struct {
	Name             string
	English, Russian string
}

// Keys lists all keys in the order of the file.
func Keys() []*Key { return keys }

// KeyNamed finds a key by its name in the file.
func KeyNamed(name string) (*Key, bool) {
	for _, k := range keys {
		if k.Name == name {
			return k, true
		}
	}
	return nil, false
}

var tables = []Table{
	{"server", "The server itself", "Сам сервер"},
	{"world", "What players see, hear and do in the world",
		"Что игроки видят, слышат и делают в мире"},
	{"chat", "What players say", "Чат"},
	{"browsers", "What server browsers are told",
		"Что отвечать программам поиска серверов"},
	{"log", "The operator's log", "Журнал"},
	{"backups", "Backups that the server makes by itself",
		"Резервные копии, которые сервер делает сам"},
	{"admin", "The page for administrators, the interface for programs, and metrics",
		"Страница администратора, интерфейс для программ и метрики"},
	{"timeouts", "How long a session may stay in a state",
		"Сколько сеанс может оставаться в каждом состоянии"},
	{"limits", "What keeps one client, or one address, from costing the others",
		"Чтобы один клиент или один адрес не мешал остальным"},
}

var keys = []*Key{
	{Name: "server.name", Flag: "name", Reload: true, Check: oneLine,
		English: "`name` of the server, as server browsers show it",
		Russian: "название сервера, каким его видят программы поиска " +
			"серверов",
		at: func(s *Settings) any { return &s.Name }},
	{Name: "server.listen", Flag: "listen", Check: hostPort,
		English: "`HOST:PORT` of the game; port 0 takes a free one",
		Russian: "АДРЕС:ПОРТ игры; порт 0 — любой свободный",
		at:      func(s *Settings) any { return &s.Game.Listen }},
	{Name: "server.transport", Flag: "transport", OneOf: []string{"", "gnet", "net"},
		English: "how connections are served: gnet or net; the default is gnet on Unix and net on Windows",
		Russian: "как обслуживать соединения: gnet или net; если пусто, то gnet в " +
			"Unix и net в Windows",
		at: func(s *Settings) any { return &s.Game.Network }},
	{Name: "server.dialect", Flag: "dialect", OneOf: []string{"2022", "2026", "classic"},
		English: "generation of the clients: 2022, 2026 or classic",
		Russian: "поколение клиентов: 2022, 2026 или classic",
		at:      func(s *Settings) any { return dialect{&s.Game.Dialect} }},
	{Name: "server.start", Flag: "start",
		English: "where new characters stand: " + cityNames() + ", any other named place, or \"X Y Z [YAW]\"",
		Russian: "где появляются новые персонажи: " + cityNames() +
			", другое место с названием или «X Y Z [ПОВОРОТ]»",
		at: func(s *Settings) any { return start{&s.Game.Start} }},
	{Name: "server.create-accounts", Flag: "create-accounts", Reload: true,
		English: "make an account of an unknown login",
		Russian: "заводить учётную запись, если такого логина ещё нет",
		at:      func(s *Settings) any { return &s.Game.CreateAccounts }},
	{Name: "server.take-over", Flag: "take-over", Reload: true,
		English: "a newer login closes the older one of the account, instead of being refused",
		Russian: "новый вход завершает прежний сеанс той же учётной " +
			"записи, а не отклоняется",
		at: func(s *Settings) any { return &s.Game.TakeOver }},
	{Name: "server.save-every", Flag: "save-every", Min: "50ms", Max: "1h",
		English: "how often places, HP and MP of characters are saved",
		Russian: "как часто сохраняются место, HP и MP персонажей",
		at:      func(s *Settings) any { return &s.Game.World.SaveEvery }},

	{Name: "server.unstuck-delay", Flag: "unstuck-delay", Min: "0s", Max: "10m",
		English: "how long a player stands still after /unstuck before it is taken to the nearest city",
		Russian: "сколько игрок стоит на месте после /застрял, прежде чем " +
			"окажется в ближайшем городе",
		at: func(s *Settings) any { return &s.Game.Delays.Unstuck }},

	{Name: "world.sight", Flag: "sight", Min: "10", Max: "106",
		English: "how far players see, in metres; what they see is lost at a tenth more",
		Russian: "как далеко видят игроки, в метрах; увиденное исчезает на " +
			"десятую часть дальше",
		at: func(s *Settings) any { return &s.Game.World.Sight }},
	{Name: "world.crowd", Flag: "crowd", Min: "1", Max: "10000",
		English: "how many other players one player is shown at most",
		Russian: "сколько других игроков показывается одному игроку, " +
			"самое большее",
		at: func(s *Settings) any { return &s.Game.World.ViewLimit }},
	{Name: "world.hearing", Flag: "hearing", Min: "1", Max: "100000",
		English: "how far ordinary speech is heard, in metres",
		Russian: "как далеко слышна обычная речь, в метрах",
		at:      func(s *Settings) any { return &s.Game.World.Hearing }},
	{Name: "world.reach", Flag: "reach", Min: "1", Max: "100",
		English: "from how far away one can take a thing, trade, or use a teleport, in metres",
		Russian: "с какого расстояния можно взять вещь, торговать или " +
			"войти в телепорт, в метрах",
		at: func(s *Settings) any { return &s.Game.World.Reach }},
	{Name: "world.group-size", Flag: "group-size", Min: "2", Max: "100",
		English: "how many members a group has at most",
		Russian: "сколько игроков может быть в группе",
		at:      func(s *Settings) any { return &s.Game.World.PartySize }},
	{Name: "world.sell-fraction", Flag: "sell-fraction", Min: "0.01", Max: "1",
		English: "which part of a thing's price a trader pays for it",
		Russian: "какую долю цены вещи платит за неё торговец",
		at:      func(s *Settings) any { return &s.Game.World.SellFraction }},
	{Name: "world.litter", Flag: "litter", Min: "1s", Max: "8760h",
		English: "how long a thing lies where it was dropped",
		Russian: "сколько лежит брошенная вещь",
		at:      func(s *Settings) any { return &s.Game.World.DespawnAfter }},
	{Name: "world.seed", Flag: "seed", Min: "0", Max: "2147483647",
		English: "what the world's chance begins with, to live through the same again; 0: drawn, and written to the log",
		Russian: "с чего начинается случай в мире, чтобы прожить то же ещё " +
			"раз; 0: выбирается и пишется в журнал",
		at: func(s *Settings) any { return &s.Game.World.Seed }},

	{Name: "chat.log", Flag: "chat-log",
		English: "write what is said to the file chat.log of the data folder",
		Russian: "записывать всё сказанное в файл chat.log папки данных",
		at:      func(s *Settings) any { return &s.ChatLog }},

	{Name: "browsers.no-ase", Flag: "no-ase",
		English: "do not answer All-Seeing Eye, on the UDP port 123 above the game's",
		Russian: "не отвечать по протоколу All-Seeing Eye (порт UDP на 123 больше " +
			"порта игры)",
		at: func(s *Settings) any { return &s.Queries.ASE.Off }},
	{Name: "browsers.no-minecraft", Flag: "no-minecraft",
		English: "do not answer Minecraft Query, on the game's UDP port",
		Russian: "не отвечать по протоколу Minecraft Query (порт UDP с номером порта " +
			"игры)",
		at: func(s *Settings) any { return &s.Queries.Minecraft.Off }},
	{Name: "browsers.hide-names", Flag: "hide-names", Reload: true,
		English: "tell server browsers how many players there are, but not who",
		Russian: "сообщать, сколько игроков в мире, но не кто они",
		at:      func(s *Settings) any { return &s.Queries.HideNames }},

	{Name: "log.level", Flag: "log-level", OneOf: []string{"debug", "info", "warn", "error"}, Reload: true,
		English: "debug, info, warn or error",
		Russian: "подробность: debug, info, warn или error",
		at:      func(s *Settings) any { return level{&s.Log.Level} }},
	{Name: "log.format", Flag: "log-format", OneOf: []string{"text", "json"},
		English: "text for people or json for programs",
		Russian: "text — для людей, json — для программ",
		at:      func(s *Settings) any { return format{&s.Log.JSON} }},
	{Name: "log.file", Flag: "log-file", Path: true, Check: oneLine,
		English: "`file` that the log is appended to; the standard error if empty",
		Russian: "файл, в конец которого пишется журнал; если пусто — " +
			"стандартный поток ошибок",
		at: func(s *Settings) any { return &s.Log.File }},

	{Name: "backups.every", Flag: "backups-every", Min: "0s", Max: "8760h", Reload: true,
		English: "time from one backup to the next; 0s for none",
		Russian: "время от одной копии до следующей; 0s — не делать",
		at:      func(s *Settings) any { return &s.Backups.Every }},
	{Name: "backups.keep", Flag: "backups-keep", Min: "0", Max: "100000", Reload: true,
		English: "how many of them are kept; 0 for all",
		Russian: "сколько последних копий хранить; 0 — все",
		at:      func(s *Settings) any { return &s.Backups.Keep }},
	{Name: "backups.keep-for", Flag: "backups-keep-for", Min: "0s", Max: "876000h", Reload: true,
		English: "how long they are kept; 0s for ever. The newest always stays",
		Russian: "как долго их хранить; 0s — всегда. Самая новая остаётся в " +
			"любом случае",
		at: func(s *Settings) any { return &s.Backups.KeepFor }},

	{Name: "admin.listen", Flag: "admin-listen", Check: optionalHostPort,
		English: "`HOST:PORT` of the page; port 0 takes a free one, empty is none",
		Russian: "АДРЕС:ПОРТ страницы; порт 0 — любой свободный, пусто — не " +
			"открывать",
		at: func(s *Settings) any { return &s.Admin.Listen }},
	{Name: "admin.hosts", Flag: "admin-hosts", Check: hostName,
		English: "`names` by which browsers may call the page, besides its address and localhost",
		Russian: "имена, по которым страницу можно открыть в браузере, " +
			"кроме её адреса и localhost",
		at: func(s *Settings) any { return &s.Admin.Hosts }},
	{Name: "admin.cert", Flag: "admin-cert", Path: true, Check: oneLine,
		English: "`file` with the certificate of TLS; without TLS if empty",
		Russian: "файл сертификата TLS; если пусто — без TLS",
		at:      func(s *Settings) any { return &s.Admin.Cert }},
	{Name: "admin.key", Flag: "admin-key", Path: true, Check: oneLine,
		English: "`file` with the key of the certificate",
		Russian: "файл ключа к сертификату",
		at:      func(s *Settings) any { return &s.Admin.Key }},
	{Name: "admin.networks", Flag: "admin-networks", Check: network,
		English: "`networks` that may read /metrics, /healthz and /readyz, besides this machine, like 10.0.0.0/8",
		Russian: "сети, которым доступны /metrics, /healthz и /readyz, кроме этой " +
			"машины, например 10.0.0.0/8",
		at: func(s *Settings) any { return &s.Admin.Networks }},

	{Name: "timeouts.handshake", Flag: "handshake-timeout", Min: "10ms", Max: "24h",
		English: "from connecting to the client's answer",
		Russian: "от подключения до ответа клиента",
		at:      func(s *Settings) any { return &s.Game.Timeouts.Handshake }},
	{Name: "timeouts.login", Flag: "login-timeout", Min: "10ms", Max: "24h",
		English: "from there to the login",
		Russian: "оттуда до входа в учётную запись",
		at:      func(s *Settings) any { return &s.Game.Timeouts.Login }},
	{Name: "timeouts.screen", Flag: "screen-timeout", Min: "10ms", Max: "168h",
		English: "on the character screen",
		Russian: "на экране выбора персонажа",
		at:      func(s *Settings) any { return &s.Game.Timeouts.Screen }},
	{Name: "timeouts.entering", Flag: "entering-timeout", Min: "10ms", Max: "24h",
		English: "from choosing a character to being in the world",
		Russian: "от выбора персонажа до появления в мире",
		at:      func(s *Settings) any { return &s.Game.Timeouts.Entering }},
	{Name: "timeouts.silence", Flag: "silence-timeout", Min: "10ms", Max: "24h",
		English: "in the world without a word from the client",
		Russian: "в мире, пока от клиента ничего не слышно",
		at:      func(s *Settings) any { return &s.Game.Timeouts.Silence }},

	{Name: "limits.max-connections", Flag: "max-connections", Min: "1", Max: "45201", Reload: true,
		English: "connections in all",
		Russian: "соединений всего",
		at:      func(s *Settings) any { return &s.Game.Limits.Connections }},
	{Name: "limits.max-per-address", Flag: "max-per-address", Min: "1", Max: "45201", Reload: true,
		English: "connections of one IPv4 address or IPv6 /64",
		Russian: "соединений с одного адреса IPv4 или сети IPv6 /64",
		at:      func(s *Settings) any { return &s.Game.Limits.PerAddress }},
	{Name: "limits.new-per-address", Flag: "new-per-address", Min: "0.001", Max: "1000000", Reload: true,
		English: "new connections of an address per second",
		Russian: "новых соединений с одного адреса в секунду",
		at:      func(s *Settings) any { return &s.Game.Limits.NewPerAddress }},
	{Name: "limits.new-per-address-burst", Flag: "new-per-address-burst", Min: "1", Max: "1000000", Reload: true,
		English: "new connections of an address at once",
		Russian: "новых соединений с одного адреса сразу",
		at:      func(s *Settings) any { return &s.Game.Limits.NewPerAddressBurst }},
	{Name: "limits.new-connections", Flag: "new-connections", Min: "0.001", Max: "1000000", Reload: true,
		English: "new connections per second in all",
		Russian: "новых соединений в секунду всего",
		at:      func(s *Settings) any { return &s.Game.Limits.New }},
	{Name: "limits.frames-per-second", Flag: "frames-per-second", Min: "1", Max: "1000000",
		English: "frames of one client per second",
		Russian: "кадров от одного клиента в секунду",
		at:      func(s *Settings) any { return &s.Game.Limits.FramesPerSecond }},
	{Name: "limits.frames-burst", Flag: "frames-burst", Min: "1", Max: "1000000",
		English: "frames of one client at once",
		Russian: "кадров от одного клиента сразу",
		at:      func(s *Settings) any { return &s.Game.Limits.FramesBurst }},
	{Name: "limits.max-pending", Flag: "max-pending", Min: "4096", Max: "1073741824",
		English: "bytes that a client may owe to read",
		Russian: "сколько байт клиент может ещё не прочитать",
		at:      func(s *Settings) any { return &s.Game.Limits.Pending }},
	{Name: "limits.max-speed", Flag: "max-speed", Min: "-1000000", Max: "1000000",
		English: "fastest plausible movement in metres per second, negative for any",
		Russian: "наибольшая правдоподобная скорость, метров в секунду; " +
			"отрицательная — любая",
		at: func(s *Settings) any { return &s.Game.World.MaxSpeed }},
	{Name: "limits.hash-workers", Flag: "hash-workers", Min: "1", Max: "1024",
		English: "passwords that are checked at once",
		Russian: "сколько паролей проверяется одновременно",
		at:      func(s *Settings) any { return &s.Game.Limits.HashWorkers }},
	{Name: "limits.login-queue", Flag: "login-queue", Min: "1", Max: "1000000",
		English: "logins that may wait",
		Russian: "сколько входов может ждать своей очереди",
		at:      func(s *Settings) any { return &s.Game.Limits.LoginQueue }},
	{Name: "limits.exempt-loopback", Flag: "exempt-loopback",
		English: "no limits per address for this machine's own clients, as load tests need",
		Russian: "не ограничивать клиентов с этой же машины: нужно для " +
			"испытаний под нагрузкой",
		at: func(s *Settings) any { return &s.Game.Limits.ExemptLoopback }},
}

func cityNames() string {
	var names []string
	for _, c := range content.Cities() {
		names = append(names, c.English)
	}
	return strings.Join(names, ", ")
}
