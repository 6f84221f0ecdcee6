package world

import (
	"time"
)

// A Appearance is what others see of a player besides where it is and how it is. Looks are compared with ==.
//
// Source: protocol ingame 9.3.
type Appearance struct {
	Face, Hair, HairColour, Tattoo byte
	Female                         bool

	Clan     string // empty for none
	ClanRank int    // 0 senior to 4 candidate, -1 none

	Title, Degree    int // as they are shown: absolute levels less one
	Karma            int // type, 1 to 5
	Guild, GuildRank int
	Worn             Worn
	Mark             bool // overhead
}

// Worn is what a player visibly wears, in the codes of the wire. The zero value is nothing.
//
// Source: protocol ingame 9.3, region 6.
type Worn struct {
	Sword, Axe, Crossbow                               string // names of models
	Boots, Pants, Armour, Robe, Gloves, Shield, Helmet byte
}

// A Role is what a player may do beyond playing, each with the rights of those before it.
type Role uint8

// The roles.
const (
	Anyone Role = iota
	Helper
	GameMaster
	Administrator
)

type (
	// ChangeAppearance changes how a player looks, and its own levels. *[AppearanceChanged] follows, unless it looks the same. With [Options].Rules what
	// it wears is not changed by that, and [StatsChanged] follows if a value is different.
	ChangeAppearance struct {
		ID            PlayerID
		Appearance    Appearance
		Title, Degree int // levels less one
	}
)

func (c ChangeAppearance) who() PlayerID { return c.ID }

func (c ChangeAppearance) do(w *World, _ time.Time) {
	p := w.player(c.ID)
	if p == nil {
		return
	}
	p.Title, p.Degree = c.Title, c.Degree
	if !w.ruled {
		w.changeLook(p, c.Appearance)
		return
	}
	c.Appearance.Worn = p.Appearance.Worn
	w.changeLook(p, c.Appearance)
	w.refit(p, p.Pools)
}

// changeLook shows that a player looks different, if it does.
func (w *World) changeLook(p *player, look Appearance) {
	if p.Appearance == look {
		return
	}
	before := p.Appearance
	p.Appearance = look
	if to := w.viewersBefore(&p.entity); len(to) > 0 {
		w.tell(w.lookChanged.put(AppearanceChanged{&p.Player, before, to}))
	}
}
