package packets

// Readings returns the dialects in which a plain frame of a client makes sense. Most frames are alike in all; a
// client's messages about an object that is no player are not, and there all but one of them lead to nonsense.
// [Classic] reads as [Dialect2022] does, and is never among them.
//
// Source: protocol ingame 2.6.
func Readings(frame []byte) (all []Dialect) {
	for _, d := range []Dialect{Dialect2026, Dialect2022} {
		if f, err := DecodeFrame(frame, FromClient, d); err == nil && f.Body != nil && f.Body.makesSense() {
			all = append(all, d)
		}
	}
	return all
}

// makesSense reports whether everything in a body that dialects read differently is known.
func (b *Body) makesSense() bool {
	for _, s := range b.Sections {
		for _, r := range s.Regions {
			if c, ok := r.(*ContMan); ok && s.Class != ClassPlayer {
				if _, unknown := c.Command.(*UnknownCommand); unknown {
					return false
				}
			}
		}
	}
	return b.UnknownBits() == 0
}

// AboutObjects reports whether a body has something about an object that is no player.
func (b *Body) AboutObjects() bool {
	for _, s := range b.Sections {
		if s.Class > ClassPlayer {
			return true
		}
	}
	return false
}
