package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"sphereserver/data"
)

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func fileBytes(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

const mebibyte = 1 << 20

// examineDatabase reads the whole database, without writing.
func examineDatabase(ctx context.Context, p *subject) []finding {
	if !isFolder(p.dataDir) {
		return []finding{{"database", fine, p.say("there is no data folder %s yet: \"sphere serve\" makes it",
			"папки данных %s ещё нет: её создаст «sphere serve»", p.dataDir), ""}}
	}
	found, err := data.Examine(ctx, p.dataDir)
	switch {
	case errors.Is(err, data.ErrNotFound):
		return []finding{{"database", fine, p.say("there is no database in %s yet: \"sphere serve\" makes it",
			"в %s ещё нет базы данных: её создаст «sphere serve»", p.dataDir), ""}}
	case err != nil:
		return []finding{{"database", isWrong, plain(err).Error(),
			p.say("with the server stopped, \"sphere db restore FILE\" puts a backup in its place",
				"остановите сервер и верните копию: «sphere db restore ФАЙЛ»")}}
	case len(found.Problems) > 0:
		return []finding{{"database", isWrong, p.say("the database has %d problems, the first: %s",
			"в базе данных ошибок: %d, первая: %s", len(found.Problems), found.Problems[0]),
			p.say("\"sphere db check\" lists them; a backup from before can be restored",
				"«sphere db check» покажет все; можно вернуть прежнюю копию")}}
	case found.Schema < found.Newest:
		return []finding{{"database", noted, p.say("the database is that of an older program (schema %d, this program has %d)", "база данных от прежней версии программы (схема %d, у этой программы — %d)", found.Schema, found.Newest),
			p.say("the next start brings it up to date, after a backup",
				"следующий запуск обновит её, сделав перед этим копию")}}
	}
	counts := found.Counts
	size := float64(fileBytes(filepath.Join(p.dataDir, data.DatabaseFile))+fileBytes(filepath.Join(p.dataDir,
		data.DatabaseFile+"-wal"))) / mebibyte
	return []finding{{"database", fine, p.say("the database is sound: schema %d, %d accounts, %d characters, %d items, "+
		"%.1f MiB",
		"база данных исправна: схема %d, учётных записей %d, персонажей %d, "+
			"предметов %d, %.1f МиБ", found.Schema, counts.Accounts, counts.Characters, counts.Items, size), ""}}
}

// backupAge is how old the newest backup may be, if the server makes none by itself, before the doctor says so.
const backupAge = 7 * 24 * time.Hour

// examineBackups looks for the newest backup.
func examineBackups(_ context.Context, p *subject) []finding {
	if fileBytes(filepath.Join(p.dataDir, data.DatabaseFile)) == 0 {
		return nil
	}
	plan := p.config.Settings.Backups
	limit := backupAge
	if plan.Every > 0 {
		limit = 2*plan.Every + time.Hour
	}
	do := p.say("\"sphere db backup\" makes one; the key backups.every makes them regularly, while the server runs",
		"«sphere db backup» сделает копию; ключ backups.every делает их регулярно, "+
			"пока сервер работает")
	newest, err := data.NewestBackup(p.dataDir)
	if err != nil {
		return []finding{{"backups", warned, p.say("there is no backup", "резервных копий нет"), do}}
	}
	info, err := os.Stat(newest)
	if err != nil {
		return []finding{{"backups", warned, err.Error(), do}}
	}
	age := p.now.Sub(info.ModTime())
	f := finding{"backups", fine, p.say("the newest backup is %s, of %s", "последняя копия — %s, от %s",
		newest, when(info.ModTime())), ""}
	if age > limit {
		f.State, f.Do = warned, do
	}
	return []finding{f}
}

// earliest is before any time that this program can run at.
var earliest = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// examineClock compares the clock with what is known.
func examineClock(_ context.Context, p *subject) []finding {
	shown := p.now.Format("2006-01-02 15:04:05 -07:00")
	set := p.say("set the clock, and have it synchronised",
		"выставьте часы и включите их синхронизацию")
	if p.now.Before(earliest) {
		return []finding{{"clock", isWrong, p.say("the clock says %s, which is past",
			"часы показывают %s — это прошлое", shown), set}}
	}
	if newest := fileTime(filepath.Join(p.dataDir, data.DatabaseFile)); newest.Sub(p.now) > time.Hour {
		return []finding{{"clock", isWrong, p.say("the clock says %s, but the database was last written at %s",
			"часы показывают %s, а база данных последний раз записана %s", shown,
			when(newest)),
			set}}
	}
	off, err := p.machine.clockFault()
	switch {
	case err != nil:
		return []finding{{"clock", noted, p.say("the clock says %s; whether it is synchronised is not known",
			"часы показывают %s; синхронизированы ли они, неизвестно", shown), ""}}
	case off > 10*time.Second:
		return []finding{{"clock", warned, p.say("the clock says %s, and may be wrong by %s",
			"часы показывают %s и могут ошибаться на %s", shown, off.Round(time.Second)), set}}
	}
	return []finding{{"clock", fine, p.say("the clock says %s, and is synchronised",
		"часы показывают %s и синхронизированы", shown), ""}}
}

func fileTime(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// spareDescriptors are what the server needs besides connections.
const spareDescriptors = 512

// examineDescriptors compares the limit of open files with that of connections.
func examineDescriptors(_ context.Context, p *subject) []finding {
	have, want := p.machine.descriptors(), p.config.Settings.Game.Limits.Connections+spareDescriptors
	if have == 0 || have >= want {
		return []finding{{"open files", fine, p.say("enough open files for %d connections",
			"открытых файлов хватит на %d соединений", want-spareDescriptors), ""}}
	}
	return []finding{{"open files", warned, p.say("the system allows %d open files, %d connections need %d: fewer will "+
		"be let in", "система разрешает %d открытых файлов, а для %d "+
		"соединений нужно %d: войти сможет меньше",
		have, want-spareDescriptors, want), p.say("raise LimitNOFILE= of systemd or \"ulimit -Hn\", or lower "+
		"--max-connections", "поднимите LimitNOFILE= в systemd или «ulimit -Hn» либо "+
		"уменьшите --max-connections")}}
}

// Free space below these is a fault, or worth a word.
const (
	leastSpace = 100 * mebibyte
	goodSpace  = 1024 * mebibyte
)

// examineDisk looks for room for the database and one more backup of it.
func examineDisk(_ context.Context, p *subject) []finding {
	free, err := p.machine.freeBytes(p.dataDir)
	if err != nil {
		return []finding{{"disk", noted, p.say("how much space is free is not known: %v",
			"сколько места свободно, неизвестно: %v", err), ""}}
	}
	f := finding{"disk", fine, p.say("%d MiB are free for the data folder",
		"для папки данных свободно %d МиБ", free/mebibyte), ""}
	need := 2 * uint64(fileBytes(filepath.Join(p.dataDir, data.DatabaseFile)))
	do := p.say("make room: without space nobody can log in, and nothing can be saved",
		"освободите место: без него никто не войдёт и ничего не "+
			"сохранится")
	switch {
	case free < leastSpace+need:
		f.State, f.Do = isWrong, do
	case free < goodSpace+need:
		f.State, f.Do = warned, do
	}
	return []finding{f}
}
