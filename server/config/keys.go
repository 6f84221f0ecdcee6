package config

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"sphereserver/data/content"
	"sphereserver/server/session"
)

// A Key is one setting. To add one: a field in [Settings] or in a part of it, its default in [Defaults] or there, a
// row here, and `go test ./server/config -run Documentation -update-docs`.
type Key struct {
	Name             string   // in the file: table and key, "limits.max-per-address"
	Flag             string   // of "sphere serve", without the dashes
	English, Russian string   // its purpose; a word in backquotes stands for the value in the help of the flag
	Min, Max         string   // bounds of numbers and durations, as a flag would write them; empty for none
	OneOf            []string // the only words that a text may be; empty for any
	Path             bool     // a text is the path of a file
	Reload           bool     // a change counts while the server runs

	Check func(text string) error // returns the fault of a text; nil for none

	value any // a pointer, into the settings that the row was made for; see value.go for the types
	table *Table
	row   int // in the table
}

// Env is the name of the environment's variable.
func (k *Key) Env() string {
	return "SPHERE_" + strings.ToUpper(strings.ReplaceAll(k.Flag, "-", "_"))
}

// Doc is the purpose of the key, in Russian or in English, without the backquotes.
func (k *Key) Doc(russian bool) string {
	return strings.ReplaceAll(inLanguage(russian, k.English, k.Russian), "`", "")
}

// Heading is the subject of the key's table.
func (k *Key) Heading(russian bool) string {
	return inLanguage(russian, k.table.English, k.table.Russian)
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

	flag string // name of the flags of its keys, "log-%s"; empty if they have none
	keys func(*Settings) []Key
}

// A document is a file of keys.
type document struct {
	tables []Table
	keys   []*Key // in the order of the file
}

// server is sphere.toml.
var server = newDocument([]Table{
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
	{"public", "The page for players and whoever wants to become one; nobody logs in there",
		"Страница для игроков и всех, кто хочет ими стать; входить на неё не нужно",
		"public-%s", publicKeys},
	{"timeouts", "How long a session may stay in a state",
		"Сколько сеанс может оставаться в каждом состоянии", "%s-timeout",
		timeoutsKeys},
	{"limits", "What keeps one client, or one address, from costing the others",
		"Чтобы один клиент или один адрес не мешал остальным", "%s", limitsKeys},
})

func newDocument(tables []Table) *document {
	d := &document{tables: tables}
	var s Settings
	for i := range d.tables {
		t := &d.tables[i]
		for row, k := range t.keys(&s) {
			if t.flag != "" {
				k.Flag = fmt.Sprintf(t.flag, k.Name)
			}
			k.Name, k.table, k.row = t.Name+"."+k.Name, t, row
			d.keys = append(d.keys, &k)
		}
	}
	return d
}

// Keys lists all keys of sphere.toml in its order.
func Keys() []*Key { return server.keys }

// KeyNamed finds a key of sphere.toml by its name there.
func KeyNamed(name string) (*Key, bool) { return server.key(name) }

func (d *document) key(name string) (*Key, bool) {
	i := slices.IndexFunc(d.keys, func(k *Key) bool { return k.Name == name })
	if i < 0 {
		return nil, false
	}
	return d.keys[i], true
}

// at is a pointer to the value of the key; see value.go for the types.
func (k *Key) at(s *Settings) any { return k.table.keys(s)[k.row].value }

// values are pointers to the values of all keys. Each table is made once for them, not once for each of its keys.
func (d *document) values(s *Settings) (all []any) {
	for i := range d.tables {
		for _, k := range d.tables[i].keys(s) {
			all = append(all, k.value)
		}
	}
	return all
}

var cityNames = func() string {
	var names []string
	for _, c := range content.Cities() {
		names = append(names, c.English)
	}
	return strings.Join(names, ", ")
}()

func named(name string, value any, english, russian string) Key {
	return Key{Name: name, value: value, English: english, Russian: russian}
}

func bounded(name string, value any, least, most, english, russian string) Key {
	return Key{Name: name, value: value, Min: least, Max: most, English: english, Russian: russian}
}

// live is a key that counts while the server runs.
func live(k Key) Key {
	k.Reload = true
	return k
}

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
		{Name: "dialect", value: word[session.Generation]{&s.Game.Generation, session.Generation.String,
			session.ParseGeneration},
			OneOf:   []string{"auto", "2022", "2026", "classic"},
			English: "generation of the clients: auto finds it out; 2022, 2026 or classic is for all",
			Russian: "поколение клиентов: auto — сервер определяет сам; 2022, 2026 " +
				"или classic — одно для всех"},
		{Name: "start", value: starts{&s.Game.Start, &s.Game.MoreStarts},
			English: "where new characters stand: " + cityNames + ", any other named place, or \"X Y Z [YAW]\"; of several, " +
				"with commas between them, each account has one in turn",
			Russian: "где появляются новые персонажи: " + cityNames +
				", другое место с названием или «X Y Z [ПОВОРОТ]»; несколько мест через запятую достаются " +
				"учётным записям по очереди"},
		live(named("maintenance", &s.Game.Maintenance,
			"let operators in only, and those that admit names; players who are in stay",
			"впускать только операторов и тех, кто назван в admit; кто уже в игре, остаётся")),
		{Name: "admit", value: &s.Game.Admit, Reload: true, Check: oneLine,
			English: "logins that get in under maintenance, too", Russian: "логины, которым можно войти и во время работ"},
		live(named("create-accounts", &s.Game.CreateAccounts, "make an account of an unknown login",
			"заводить учётную запись, если такого логина ещё нет")),
		live(named("take-over", &s.Game.TakeOver, "a newer login closes the older one of the account, instead of being "+
			"refused",
			"новый вход завершает прежний сеанс той же учётной записи, а "+
				"не отклоняется")),
		live(bounded("keep-deleted", &s.KeepDeleted, "0s", "87600h",
			"how long a character that is deleted from now on can come back, with its things; nobody else gets its name "+
				"meanwhile. 0s: not at all",
			"сколько можно вернуть персонажа, удалённого с этих пор, со всеми вещами; другим его имя всё это время не "+
				"достаётся. 0s — нисколько")),
		{Name: "restart", value: &s.Restart, Reload: true, Check: clockTime,
			English: "`TIME` of day at which the server stops to be started again, as 05:00; players are told from 10 minutes " +
				"before. The exit code is 75, by which systemd, containers and the service of Windows know. Empty: never",
			Russian: "ВРЕМЯ суток, в которое сервер останавливается, чтобы его запустили снова, например 05:00; игрокам сообщают " +
				"за 10 минут. Код завершения — 75: по нему это понимают systemd, контейнеры и служба Windows. Пусто — никогда"},
		bounded("save-every", &s.Game.World.SaveEvery, "50ms", "1h",
			"how often places, HP, MP and experience of characters are saved",
			"как часто сохраняются место, HP, MP и опыт персонажей"),
		bounded("unstuck-delay", &s.Game.Delays.Unstuck, "0s", "10m",
			"how long a player stands still after /unstuck before it is taken to the nearest city",
			"сколько игрок стоит на месте после /застрял, прежде чем "+
				"окажется в ближайшем городе"),
	}
}

func worldKeys(s *Settings) []Key {
	w := &s.Game.World
	return []Key{
		bounded("sight", &w.Sight, "10", "106", "how far players see, in metres; what they see is lost at a tenth more",
			"как далеко видят игроки, в метрах; увиденное исчезает на "+
				"десятую часть дальше"),
		bounded("crowd", &w.ViewLimit, "1", "10000", "how many other players one player is shown at most",
			"сколько других игроков показывается одному игроку, самое "+
				"большее"),
		bounded("hearing", &w.Hearing, "1", "100000", "how far ordinary speech is heard, in metres",
			"как далеко слышна обычная речь, в метрах"),
		bounded("reach", &w.Reach, "1", "100", "from how far away one can take a thing, trade, or use a teleport, in metres",
			"с какого расстояния можно взять вещь, торговать или войти в "+
				"телепорт, в метрах"),
		bounded("group-size", &w.PartySize, "2", "100",
			"how many members a group has at most", "сколько игроков может быть в группе"),
		bounded("sell-fraction", &w.SellFraction, "0.01", "1", "which part of a thing's price a trader pays for it",
			"какую долю цены вещи платит за неё торговец"),
		bounded("litter", &w.DespawnAfter, "1s", "8760h",
			"how long a thing lies where it was dropped", "сколько лежит брошенная вещь"),
		named("newcomers-dungeon", &s.Game.NewcomersDungeon,
			"new characters begin in a dungeon of their own, from which a token leads to Torweal; where [server] says start, "+
				"they do only if this is said, too",
			"новые персонажи начинают каждый в своём подземелье, откуда жетон ведёт в Торвил; если в [server] задано "+
				"start, то лишь когда задано и это"),
		named("first-help", &s.Game.FirstHelp,
			"the client's first help opens when a character does something for the first time",
			"когда персонаж что-то делает впервые, открывается первая помощь клиента"),
		named("monsters", &s.Game.Monsters, "whether there are monsters", "есть ли в мире монстры"),
		bounded("seed", &w.Seed, "0", "2147483647",
			"what the world's chance begins with, to live through the same again; 0: drawn, and written to the log",
			"с чего начинается случай в мире, чтобы прожить то же ещё раз; 0: "+
				"выбирается и пишется в журнал"),
	}
}

func chatKeys(s *Settings) []Key {
	return []Key{
		named("log", &s.ChatLog, "write what is said to the file chat.log of the data folder",
			"записывать всё сказанное в файл chat.log папки данных"),
		{Name: "motto", value: &s.Game.Words.Motto, Reload: true, Check: oneLine,
			English: "message of the day: what everybody is told who enters the world; nothing if empty",
			Russian: "сообщение дня: что сказать каждому, кто входит в мир; если пусто — ничего"},
		{Name: "greeting", value: &s.Game.Words.Greeting, Reload: true, Check: oneLine,
			English: "what a character is told that is in the world for the first time; if empty, how to find everything",
			Russian: "что сказать персонажу, который в мире впервые; если пусто — как всё найти"},
		{Name: "announcements", value: &s.Announcements, Reload: true, Check: oneLine,
			English: "what is said to all in the world, one after the other, with | between; nothing if empty",
			Russian: "что говорить всем в мире, по очереди, через |; если пусто — ничего"},
		live(bounded("announce-every", &s.Game.Words.Every, "10s", "24h",
			"how often one of them is said",
			"как часто говорить одно из них")),
	}
}

func browsersKeys(s *Settings) []Key {
	return []Key{
		named("no-ase", &s.Queries.ASE.Off, "do not answer All-Seeing Eye, on the UDP port 123 above the game's",
			"не отвечать по протоколу All-Seeing Eye (порт UDP на 123 больше порта "+
				"игры)"),
		named("no-minecraft", &s.Queries.Minecraft.Off, "do not answer Minecraft Query, on the game's UDP port",
			"не отвечать по протоколу Minecraft Query (порт UDP с номером порта "+
				"игры)"),
		live(named("hide-names", &s.Queries.HideNames, "tell server browsers how many players there are, but not who",
			"сообщать, сколько игроков в мире, но не кто они")),
		{Name: "browser-rules", value: &s.BrowserRules, Reload: true, Check: browserRule,
			English: "what browsers are told besides, as \"key=value\": a site, a language, tags; by All-Seeing Eye only",
			Russian: "что ещё сообщать, в виде \"ключ=значение\": сайт, язык, метки; только по All-Seeing Eye"},
		{Name: "browser-networks", value: &s.BrowserNetworks, Check: network,
			English: "`networks` whose browsers are answered, like 10.0.0.0/8; all if there are none",
			Russian: "сети, браузерам которых отвечать, например 10.0.0.0/8; если их нет — всем"},
		bounded("ase-port", &s.Queries.ASE.Port, "0", "65535",
			"UDP port of All-Seeing Eye; 0 is 123 above the game's, or one of the next few",
			"порт UDP для All-Seeing Eye; 0 — на 123 больше порта игры или один из следующих"),
		bounded("ase-answer", &s.Queries.ASE.MaxAnswer, "700", "8192",
			"how many bytes an answer of All-Seeing Eye has at most",
			"сколько байт самое большее в ответе All-Seeing Eye"),
		bounded("minecraft-port", &s.Queries.Minecraft.Port, "0", "65535",
			"UDP port of Minecraft Query; 0 is the game's",
			"порт UDP для Minecraft Query; 0 — порт игры"),
		{Name: "minecraft-host-ip", value: &s.Queries.Minecraft.HostIP, Check: address,
			English: "address that Minecraft Query tells as the game's; if empty, the one that the game listens on",
			Russian: "адрес, который Minecraft Query называет адресом игры; если пусто — тот, где она слушает"},
		named("minecraft-colours", &s.Queries.Minecraft.Formatting, "leave Minecraft's codes of colours in the server's name",
			"оставлять в имени сервера коды цветов Minecraft"),
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
		named("unknown-requests", &s.Unknown, "keep requests whose form the server does not know in the file "+
			"unknown-requests.log of the data folder",
			"сохранять запросы, вид которых серверу незнаком, в файле unknown-requests.log папки данных"),
	}
}

func backupsKeys(s *Settings) []Key {
	return []Key{
		live(bounded("every", &s.Backups.Every, "0s", "8760h", "time from one backup to the next; 0s for none",
			"время от одной копии до следующей; 0s — не делать")),
		live(bounded("keep", &s.Backups.Keep, "0", "100000", "how many of them are kept; 0 for all",
			"сколько последних копий хранить; 0 — все")),
		live(bounded("keep-for", &s.Backups.KeepFor, "0s", "876000h",
			"how long they are kept; 0s for ever. The newest always stays",
			"как долго их хранить; 0s — всегда. Самая новая остаётся в любом "+
				"случае")),
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
		{Name: "url", value: &s.Game.Page, Check: webAddress,
			English: "`address` of the page as operators open it, like https://sphere.example.org; /where links to the map there",
			Russian: "адрес, по которому операторы открывают страницу, например https://sphere.example.org; " +
				"/где даёт на неё ссылку"},
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

func publicKeys(s *Settings) []Key {
	p := &s.Public
	return []Key{
		{Name: "listen", value: &p.Listen, Check: optionalHostPort,
			English: "`HOST:PORT` of the page; port 0 takes a free one, empty is none",
			Russian: "АДРЕС:ПОРТ страницы; порт 0 — любой свободный, пусто — не открывать"},
		{Name: "cert", value: &p.Cert, Path: true, Check: oneLine,
			English: "`file` with the certificate of TLS; without TLS if empty",
			Russian: "файл сертификата TLS; если пусто — без TLS"},
		{Name: "key", value: &p.Key, Path: true, Check: oneLine,
			English: "`file` with the key of the certificate", Russian: "файл ключа к сертификату"},
		live(Key{Name: "connect", value: &p.Connect, Check: connectAddress,
			English: "`address` that players are told to write into their client; if empty, the one by which they see " +
				"the page",
			Russian: "адрес, который игрокам советуют вписать в клиент; если пусто — тот, по которому " +
				"открыта страница"}),
		live(named("names", &p.Names, "show who is in the world: names, levels and clans; operators are never shown",
			"показывать, кто в мире: имена, уровни и кланы; операторов не видно никогда")),
		live(named("players-on-map", &p.PlayersOnMap, "show on the map where players are",
			"показывать на карте, где находятся игроки")),
		live(named("top", &p.Top, "show the lists of the best characters",
			"показывать списки лучших персонажей")),
		live(named("version", &p.Version, "tell which version of the program runs",
			"сообщать версию программы")),
	}
}

func timeoutsKeys(s *Settings) []Key {
	t := &s.Game.Timeouts
	return []Key{
		bounded("handshake", &t.Handshake, "10ms", "24h",
			"from connecting to the client's answer", "от подключения до ответа клиента"),
		bounded("login", &t.Login, "10ms", "24h",
			"from there until the client has sent its login",
			"оттуда до того, как клиент прислал логин"),
		bounded("screen", &t.Screen, "10ms", "168h",
			"on the character screen", "на экране выбора персонажа"),
		bounded("entering", &t.Entering, "10ms", "24h", "from choosing a character to being in the world",
			"от выбора персонажа до появления в мире"),
		bounded("silence", &t.Silence, "10ms", "24h", "in the world without a word from the client",
			"в мире, пока от клиента ничего не слышно"),
	}
}

func limitsKeys(s *Settings) []Key {
	l := &s.Game.Limits
	return []Key{
		live(bounded("max-connections", &l.Connections, "1", "45201",
			"connections in all; a fifth is kept for addresses from which somebody has logged in",
			"соединений всего; пятая часть — для адресов, "+
				"с которых уже входили")),
		live(bounded("max-per-address", &l.PerAddress, "1", "45201",
			"connections of one IPv4 address or IPv6 /64; an IPv6 /48 may have four times as many",
			"соединений с одного адреса IPv4 или сети IPv6 /64; "+
				"с сети IPv6 /48 — вчетверо больше")),
		live(bounded("new-per-address", &l.NewPerAddress, "0.001", "1000000", "new connections of an address per second",
			"новых соединений с одного адреса в секунду")),
		live(bounded("new-per-address-burst", &l.NewPerAddressBurst, "1", "1000000",
			"new connections of an address at once", "новых соединений с одного адреса сразу")),
		live(bounded("new-connections", &l.New, "0.001", "1000000",
			"new connections per second in all; a fifth is kept for addresses from which somebody has logged in",
			"новых соединений в секунду всего; пятая часть — "+
				"для адресов, с которых уже входили")),
		bounded("frames-per-second", &l.FramesPerSecond, "1", "1000000",
			"frames of one client per second", "кадров от одного клиента в секунду"),
		bounded("frames-burst", &l.FramesBurst, "1", "1000000",
			"frames of one client at once", "кадров от одного клиента сразу"),
		bounded("max-pending", &l.Pending, "4096", "1073741824", "bytes that a client may owe to read",
			"сколько байт клиент может ещё не прочитать"),
		bounded("max-speed", &s.Game.World.MaxSpeed, "-1000000", "1000000",
			"fastest plausible movement in metres per second; negative: players are believed wherever they say they are; 0 is 12",
			"наибольшая правдоподобная скорость, метров в секунду; "+
				"отрицательная — верить всему, что говорят клиенты; 0 — то же, что 12"),
		bounded("hash-workers", &l.HashWorkers, "1", "1024", "passwords that are checked at once, in a process "+
			"of lower priority", "сколько паролей проверяется одновременно, в процессе с пониженным приоритетом"),
		bounded("login-queue", &l.LoginQueue, "1", "1000000",
			"logins that may wait", "сколько входов может ждать своей очереди"),
		named("exempt-loopback", &l.ExemptLoopback,
			"this machine's own clients (127.0.0.1, ::1) are free of the limits of connections and new accounts "+
				"per address; false where a proxy or a tunnel on this machine lets others in",
			"клиенты с этой же машины (127.0.0.1, ::1) свободны от "+
				"ограничений соединений и новых записей на адрес; "+
				"false, если прокси или туннель на этой машине впускает других"),
	}
}
