package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"sphereserver/data/landscape"
)

// examineLand reads the imported ground, as a server does at its start.
func examineLand(_ context.Context, p *subject) {
	f, err := landscape.Open(p.dataDir)
	var old *landscape.OldError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.find("ground", fine, p.say("no ground was imported: its heights are those that players teach",
			"рельеф из клиента не взят: высоты сервер узнаёт от игроков"), "")
	case errors.As(err, &old):
		p.find("ground", warned, p.say("the ground was imported by version %d of the importer, this program has version %d",
			"рельеф взят версией импорта %d, а у этой программы — %d", old.Version, landscape.Version),
			p.say("the next start imports it again from %s, if that is there; else repeat \"sphere import CLIENT_FOLDER\"",
				"следующий запуск возьмёт его снова из %s, если папка на месте; иначе повторите «sphere import ПАПКА_КЛИЕНТА»",
				old.Folder))
	case err != nil:
		p.find("ground", isWrong, p.say("the imported ground cannot be used: %v", "взятый из клиента рельеф непригоден: %v",
			err),
			p.say("until then heights are those that players teach: repeat \"sphere import CLIENT_FOLDER\", or delete %s",
				"до тех пор высоты сервер узнаёт от игроков: повторите «sphere import ПАПКА_КЛИЕНТА» или удалите %s",
				filepath.Join(p.dataDir, landscape.FileName)))
	default:
		defer f.Close()
		p.find("ground", fine, p.say("the ground imported from a client, version %d: %s", "рельеф из клиента, версия %d: %s",
			landscape.Version, landNames(f)), "")
	}
}
