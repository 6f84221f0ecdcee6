package main

import (
	"context"
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/config"
	"sphereserver/server/ops"
	"sphereserver/server/webserver"
)

const mebibyte = 1 << 20

// examineConfiguration looks at the file and all other sources.
func examineConfiguration(_ context.Context, p *subject) {
	switch {
	case p.fault != nil:
		p.find("configuration", isWrong, p.saying(p.fault), p.mend(p.fault,
			"mend that line; \"sphere config check\" lists all mistakes. What follows is about the defaults",
			"исправьте эту строку; «sphere config check» перечислит все ошибки. Дальше речь о значениях по умолчанию"))
		return
	case p.config.File == "":
		p.find("configuration", fine, p.say("there is no file %s: everything is as it ships",
			"файла %s нет: действуют значения по умолчанию", p.file), "")
		return
	}
	changed := 0
	for _, k := range config.Keys() {
		if p.config.Origin(k).From != "default" {
			changed++
		}
	}
	path, err := filepath.Abs(p.config.File)
	if err != nil {
		path = p.config.File
	}
	p.find("configuration", fine, p.say("%s has no mistakes; values other than the defaults: %d",
		"в %s нет ошибок; значений не по умолчанию: %d", path, changed), "")
}

// examineWebhooks looks at the file of webhooks, and sends nothing.
func examineWebhooks(_ context.Context, p *subject) {
	path := filepath.Join(p.dataDir, config.WebhooksFile)
	switch hooks, err := config.ReadWebhooks(path); {
	case err != nil:
		p.find("webhooks", isWrong, p.saying(err), p.mend(err,
			"mend it: until then nobody is told of anything; \"sphere config check\" lists all mistakes",
			"исправьте: пока ошибка есть, вебхуки ни о чём не сообщают; «sphere config check» перечислит все ошибки"))
	case len(hooks) > 0:
		p.find("webhooks", fine, p.say("%s has no mistakes; webhooks: %d. \"sphere webhook test\" shows whether they deliver",
			"в %s нет ошибок, вебхуков: %d; доставляют ли они, покажет «sphere webhook test»", path, len(hooks)), "")
	}
}

// mend says what to do about an error: another thing where the system only does not let this user have the file.
func (p *subject) mend(err error, english, russian string) string {
	if errors.Is(err, fs.ErrPermission) {
		return p.giveAll("USER", "ПОЛЬЗОВАТЕЛЬ")
	}
	return p.say(english, russian)
}

// giveAll is how a user gets the data folder.
func (p *subject) giveAll(english, russian string) string {
	return p.say("give the data folder to the user that runs the server, as root: chown -R %s %s",
		"отдайте папку данных пользователю, от имени которого работает сервер, от root: chown -R %s %s",
		p.say(english, russian), p.dataDir)
}

// examineNames looks for files that nothing reads, for a slip in their name.
func examineNames(_ context.Context, p *subject) {
	for _, f := range config.Misnamed(p.dataDir, content.MissionsFile) {
		p.find("names", warned, f.In(p.russian), p.say("rename it, or delete it", "переименуйте его или удалите"))
	}
}

// examineOwners looks for files that the user that runs the server may not read.
func examineOwners(_ context.Context, p *subject) {
	owner, others := p.machine.ownersIn(p.dataDir)
	if len(others) > 0 {
		p.find("owners", warned, p.say("the data folder belongs to %s, but %d files in it to others, first of all %s",
			"владелец папки данных — %s, но файлов других владельцев в ней %d, и первый — %s",
			owner, len(others), slices.Min(others)),
			p.giveAll(owner, owner))
	}
}

// goodCertificate is how long a certificate is still to be good for: those that renew themselves do so a month before.
const goodCertificate = 14 * 24 * time.Hour

// examineCertificates reads the certificates of the pages as the server does at its start.
func examineCertificates(_ context.Context, p *subject) {
	s := &p.config.Settings
	for _, page := range []struct{ whose, listen, cert, key string }{
		{"admin", s.Admin.Listen, s.Admin.Cert, s.Admin.Key},
		{"public", s.Public.Listen, s.Public.Cert, s.Public.Key},
	} {
		if page.listen == "" {
			continue
		}
		if page.cert == "" {
			if page.whose == "admin" && !onlyHere(page.listen) {
				p.find("certificate", warned, p.say(
					"the administrators' page listens on %s without TLS: passwords can be read on their way",
					"страница администратора слушает %s без TLS: по дороге пароль можно прочитать", page.listen), p.say(
					"set admin.cert and admin.key, or listen on 127.0.0.1 behind a proxy or a tunnel; "+
						"of a container publish the port on 127.0.0.1 only",
					"задайте admin.cert и admin.key, или слушайте на 127.0.0.1 за прокси или туннелем; "+
						"порт контейнера открывайте только на 127.0.0.1"))
			}
			continue
		}
		c, err := webserver.Certificate(page.whose, page.cert, page.key)
		if err != nil {
			do := p.say("both files have to be PEM, a certificate and its own key; without them the server does not start",
				"нужны два файла в виде PEM, сертификат и ключ именно к нему; без них сервер не запустится")
			if errors.Is(err, fs.ErrPermission) {
				do = p.say("the user that runs the server has to be able to read both files; without them it does not start",
					"пользователь, от имени которого работает сервер, должен мочь прочитать оба файла; без них сервер не запустится")
			}
			p.find("certificate", isWrong, p.saying(err), do)
			continue
		}
		state, do := fine, p.say("renew it: browsers refuse what has expired",
			"обновите его: просроченный браузеры не примут")
		switch {
		case p.now.After(c.NotAfter) || p.now.Before(c.NotBefore):
			state = isWrong
		case c.NotAfter.Sub(p.now) < goodCertificate:
			state = warned
		default:
			do = ""
		}
		p.find("certificate", state, p.say("the certificate %s is good from %s to %s", "сертификат %s действует с %s по %s",
			page.cert, when(c.NotBefore), when(c.NotAfter)), do)
	}
}

// onlyHere reports whether an address is one that other machines do not reach.
func onlyHere(listen string) bool {
	host, _ := splitListen(listen)
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// examineDatabase reads the whole database, without writing.
func examineDatabase(ctx context.Context, p *subject) {
	if !isFolder(p.dataDir) {
		p.find("database", fine, p.say("there is no data folder %s yet: \"sphere serve\" makes it",
			"папки данных %s ещё нет: её создаст «sphere serve»", p.dataDir), "")
		return
	}
	switch found, err := data.Examine(ctx, p.dataDir); {
	case errors.Is(err, data.ErrNotFound):
		p.find("database", fine, p.say("there is no database in %s yet: \"sphere serve\" makes it",
			"в %s ещё нет базы данных: её создаст «sphere serve»", p.dataDir), "")
	case errors.Is(err, fs.ErrPermission):
		p.find("database", isWrong, p.saying(err), p.mend(err, "", ""))
	case err != nil:
		p.damaged = true
		p.find("database", isWrong, p.saying(err), p.say(
			"with the server stopped, \"sphere db restore FILE\" puts a backup in its place",
			"остановите сервер и верните копию: «sphere db restore ФАЙЛ»"))
	case len(found.Problems) > 0:
		p.damaged = true
		p.find("database", isWrong, p.say("the database has %d problems, the first: %s",
			"в базе данных ошибок: %d, первая: %s", len(found.Problems), found.Problems[0]),
			p.say("\"sphere db check\" lists them; with the server stopped, "+
				"\"sphere db restore FILE\" puts a backup in its place",
				"«sphere db check» покажет все; остановите сервер и верните копию: «sphere db restore ФАЙЛ»"))
	case found.Schema < found.Newest:
		p.find("database", noted, p.say("the database is that of an older program (schema %d, this program has %d)",
			"база данных от прежней версии программы (схема %d, у этой программы — %d)",
			found.Schema, found.Newest),
			p.say("the next start brings it up to date, after a backup", "следующий запуск обновит её, сделав перед этим копию"))
	default:
		size := float64(p.databaseBytes("")+p.databaseBytes("-wal")) / mebibyte
		p.find("database", fine, p.say(
			"the database is sound: schema %d, %d accounts, %d characters, %d items, %.1f MiB",
			"база данных исправна: схема %d, учётных записей %d, персонажей %d, предметов %d, %.1f МиБ",
			found.Schema, found.Counts.Accounts, found.Counts.Characters, found.Counts.Items, size), "")
		if !p.serverRuns {
			p.noAdministrator(ops.Report{Stored: found.Counts})
		}
	}
}

// databaseBytes is the size of the database's file, or of another one beside it.
func (p *subject) databaseBytes(suffix string) int64 {
	info, err := os.Stat(filepath.Join(p.dataDir, data.DatabaseFile+suffix))
	if err != nil {
		return 0
	}
	return info.Size()
}

// examineBackups looks for the newest backup.
func examineBackups(_ context.Context, p *subject) {
	if p.databaseBytes("") == 0 {
		return
	}
	do := p.say("\"sphere db backup\" makes one; the key backups.every makes them regularly, while the server runs",
		"«sphere db backup» сделает копию; ключ backups.every делает их регулярно, пока сервер работает")
	if p.damaged { // a copy of a damaged one is none
		do = p.say("stop the server and keep a copy of the whole data folder before anything else is tried",
			"остановите сервер и, прежде чем пробовать что-либо ещё, скопируйте всю папку данных")
	}
	all, err := data.Backups(p.dataDir)
	switch {
	case err != nil:
		p.find("backups", warned, p.saying(err), do)
		return
	case len(all) == 0:
		p.find("backups", warned, p.say("there is no backup", "резервных копий нет"), do)
		return
	}
	newest, at := filepath.Join(p.dataDir, data.BackupFolder, all[0].File), all[0].At
	state := warned
	switch {
	case p.damaged:
		do = p.say("\"sphere db restore %s\" puts it back", "вернуть её: «sphere db restore %s»", newest)
	case at.Sub(p.now) > time.Hour && p.now.After(earliest): // else it is the clock that is told of
		do = p.say("that has not come yet, so a newer one may be called older: look at their names and at the clock",
			"это время ещё не настало, и более новая копия может считаться старой: проверьте имена копий и часы")
	case p.now.Sub(at) <= p.config.Settings.Backups.Patience():
		state, do = fine, ""
	}
	p.find("backups", state, p.say("the newest backup is %s, of %s", "последняя копия — %s, от %s",
		newest, when(at)), do)
}

// examineCatalogue reads the content imported from a client, as a server does at its start.
func examineCatalogue(_ context.Context, p *subject) {
	if _, err := content.OpenMissions(p.dataDir); err != nil {
		p.find("missions", isWrong, p.saying(err), p.say("mend it: until then the built-in missions are used",
			"исправьте: до тех пор действуют встроенные миссии"))
	}
	path := filepath.Join(p.dataDir, content.ContentFile)
	switch c, err := content.Open(p.dataDir); {
	case err != nil:
		p.find("catalogue", isWrong, p.say("the imported catalogue of things cannot be used: %v",
			"каталог предметов, взятый из клиента, непригоден: %v", p.saying(err)),
			p.say("until then the built-in one is used, for whose things a client may have no pictures: repeat "+
				"\"sphere import CLIENT_FOLDER\", or delete %s",
				"до тех пор работает встроенный, для вещей которого у клиента может не быть картинок: повторите «sphere import "+
					"ПАПКА_КЛИЕНТА» или удалите %s", path))
	case !fileThere(path):
		p.find("catalogue", fine, p.say("the built-in catalogue of things: %d kinds",
			"встроенный каталог предметов, видов: %d", len(c.Kinds())), "")
	default:
		p.find("catalogue", fine, p.say("the catalogue of things imported from a client: %d kinds",
			"каталог предметов из клиента, видов: %d", len(c.Kinds())), "")
	}
}

// fileThere reports whether there is anything under a name.
func fileThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// earliest is before any time that this program can run at.
var earliest = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// examineClock compares the clock with known times.
func examineClock(_ context.Context, p *subject) {
	if zone := p.machine.unknownZone(); zone != "" {
		p.find("clock", warned, p.say("the time zone %q, which TZ names, is not known: all times are UTC",
			"часовой пояс %q, названный в TZ, неизвестен: всё время — UTC", zone),
			p.say("set TZ to one that there is, such as Europe/Moscow", "задайте в TZ существующий, например Europe/Moscow"))
	}
	shown := p.now.Format("2006-01-02 15:04:05 -07:00")
	set := p.say("set the clock, and have it synchronised", "выставьте часы и включите их синхронизацию")
	written := time.Time{}
	if info, err := os.Stat(filepath.Join(p.dataDir, data.DatabaseFile)); err == nil {
		written = info.ModTime()
	}
	off, err := p.machine.clockFault()
	switch {
	case p.now.Before(earliest):
		p.find("clock", isWrong, p.say("the clock says %s, which is past", "часы показывают %s — это прошлое", shown), set)
	case written.Sub(p.now) > time.Hour:
		p.find("clock", isWrong, p.say("the clock says %s, but the database was last written at %s",
			"часы показывают %s, а база данных последний раз записана %s", shown,
			when(written)), set)
	case err != nil:
		p.find("clock", noted, p.say("the clock says %s; whether it is synchronised is not known",
			"часы показывают %s; синхронизированы ли они, неизвестно", shown), "")
	case off > 10*time.Second:
		p.find("clock", warned, p.say("the clock says %s, and may be wrong by %s",
			"часы показывают %s и могут ошибаться на %s", shown, off.Round(time.Second)), set)
	default:
		p.find("clock", fine, p.say("the clock says %s, and is synchronised",
			"часы показывают %s и синхронизированы", shown), "")
	}
}

// spareDescriptors are the descriptors that the server needs besides connections.
const spareDescriptors = 512

// examineDescriptors compares the limit of open files with the limit of connections.
func examineDescriptors(_ context.Context, p *subject) {
	have, connections := p.machine.descriptors(), p.config.Settings.Game.Limits.Connections
	if have == 0 || have >= connections+spareDescriptors {
		p.find("open files", fine, p.say("enough open files for %d connections",
			"открытых файлов хватит на %d соединений", connections), "")
		return
	}
	p.find("open files", warned, p.say(
		"the system allows %d open files, %d connections need %d: fewer will be let in",
		"система разрешает %d открытых файлов, а для %d соединений нужно %d: войти сможет меньше",
		have, connections, connections+spareDescriptors),
		p.say("raise LimitNOFILE= of systemd or \"ulimit -Hn\", or lower --max-connections",
			"поднимите LimitNOFILE= в systemd или «ulimit -Hn» либо уменьшите --max-connections"))
}

// Free space below these is a fault, or worth a word.
const (
	leastSpace = 100 * mebibyte
	goodSpace  = 1024 * mebibyte
)

// examineDisk looks for room for the database and one more backup of it.
func examineDisk(_ context.Context, p *subject) {
	move := p.say("move the data folder to a disk of this machine", "перенесите папку данных на диск этой машины")
	switch d := p.machine.disk(p.dataDir); {
	case d.readOnly:
		p.find("disk", isWrong, p.say("the data folder is on a disk that nothing can be written to",
			"папка данных на диске, на который нельзя писать"), move)
	case d.network != "":
		p.find("disk", warned,
			p.say("the data folder is on another machine (%s), where locks and what is on the disk may be neither",
				"папка данных на другой машине (%s): блокировки и запись на диск там могут быть только на словах", d.network), move)
	case d.memory:
		p.find("disk", warned, p.say("the data folder is in memory: all is gone when the machine starts anew",
			"папка данных в памяти: после перезапуска машины всё пропадёт"), move)
	}
	free, err := p.machine.freeBytes(p.dataDir)
	if err != nil {
		p.find("disk", noted, p.say("how much space is free is not known: %v",
			"сколько места свободно, неизвестно: %v", p.saying(err)), "")
		return
	}
	state, do := fine, p.say("make room: without space nobody can log in, and nothing can be saved",
		"освободите место: без него никто не войдёт и ничего не сохранится")
	switch need := 2 * uint64(p.databaseBytes("")); {
	case free < leastSpace+need:
		state = isWrong
	case free < goodSpace+need:
		state = warned
	default:
		do = ""
	}
	p.find("disk", state, p.say("%d MiB are free for the data folder",
		"для папки данных свободно %d МиБ",
		free/mebibyte), do)
}
