package world

// ChangeClan changes the clan over a player's head; an empty name is none. *[AppearanceChanged] follows, unless it
// looks the same.
type ChangeClan struct {
	ID   PlayerID
	Clan string
	Rank int // 0 senior to 4 candidate
}

func (c ChangeClan) who() PlayerID { return c.ID }

func (c ChangeClan) act(w *World, p *player) {
	look := p.Appearance
	look.Clan, look.ClanRank = c.Clan, c.Rank
	if c.Clan == "" {
		look.ClanRank = -1
	}
	w.changeAppearance(p, look)
}
