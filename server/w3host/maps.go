package w3host

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"

	"sphereserver/packets/w3gs"
)

// MaxMapFile is the largest map file that a host takes.
const MaxMapFile = 128 << 20

// LoadMap reads a map file; Path becomes the place where clients keep downloaded maps.
func LoadMap(file string) (Map, error) {
	info, err := os.Stat(file)
	if err != nil {
		return Map{}, err
	}
	if info.IsDir() {
		return Map{}, fmt.Errorf("%s is a folder, expected a map file", file)
	}
	if n := info.Size(); !info.Mode().IsRegular() || n < 1 || n > MaxMapFile {
		return Map{}, fmt.Errorf("%s: expected a map file of 1 to %d bytes, found %d", file, MaxMapFile, n)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return Map{}, err
	}
	if !isMap(data) {
		return Map{}, fmt.Errorf("%s: expected a map of Warcraft III, .w3m or .w3x, found a file of another kind", file)
	}
	return Map{Path: `Maps\Download\` + filepath.Base(file), Size: uint32(len(data)), CRC: crc32.ChecksumIEEE(data),
		Data: data}, nil
}

// isMap reports whether a file is a map: an archive of the game, with a head of its own before it or without.
func isMap(file []byte) bool {
	return bytes.HasPrefix(file, []byte("HM3W")) || bytes.HasPrefix(file, []byte("MPQ\x1a"))
}

const (
	// downloadWindow is how much may be under way to one player. Source: protocol w3gs 4.17.
	downloadWindow = 100 * w3gs.MaxMapData
	// downloadTurn is how many packets a player is sent before others have their turn.
	downloadTurn = 8
	// downloadPause is how long downloads rest when the rate is used up.
	downloadPause = 20 * time.Millisecond
	maxRefused    = 3
)

// percent is the progress that the slot of a player shows. Source: protocol w3gs 4.2, 4.17.
func (p *player) percent(m *Map) uint8 {
	switch {
	case p.hasMap:
		return 100
	case p.download.known && m.Size > 0:
		return uint8(min(uint64(p.download.taken)*100/uint64(m.Size), 100))
	}
	return w3gs.UnknownDownload
}

// mapState takes a player's report of its copy of the map. Source: protocol w3gs 4.17.
func (g *game) mapState(p *player, message w3gs.Message) {
	m := message.(*w3gs.MapState)
	size := g.options.Map.Size
	switch {
	case m.Kind == w3gs.MapHave && m.Size == size:
		g.mapComplete(p)
	case m.Kind == w3gs.MapDownloading:
		g.mapProgress(p, m.Size)
	case m.Kind != w3gs.MapHave || p.download.on || p.hasMap:
	case !g.options.Download:
		g.kick(p, w3gs.LeftLobby, LacksMap, fmt.Sprintf("%d of %d bytes", m.Size, size))
	default:
		p.download = download{known: true, on: true}
		p.moved = g.now
		g.send(&w3gs.MapStart{Player: g.mapSender()}, p)
		g.showDownload(p, changed)
		g.log.Info("map download", "player", p.name)
		g.pump()
	}
}

// mapTaken takes a player's acknowledgement of map data.
func (g *game) mapTaken(p *player, message w3gs.Message) {
	g.mapProgress(p, message.(*w3gs.MapTaken).Size)
}

// mapRefused sends a part again that did not fit.
func (g *game) mapRefused(p *player, _ w3gs.Message) {
	d := &p.download
	if !d.on {
		return
	}
	if d.refused++; d.refused > maxRefused {
		g.kick(p, w3gs.LeftLobby, LacksMap, "map data refused")
		return
	}
	d.sent = d.taken
	g.pump()
}

// mapProgress notes how much of the map a player has got.
func (g *game) mapProgress(p *player, size uint32) {
	d := &p.download
	if !d.on || size <= d.taken || size > d.sent {
		return
	}
	d.taken, p.moved = size, g.now
	if size == g.options.Map.Size {
		g.mapComplete(p)
		return
	}
	g.showDownload(p, progress)
	g.pump()
}

func (g *game) mapComplete(p *player) {
	if p.hasMap {
		return
	}
	p.hasMap, p.download.on, p.moved = true, false, g.now
	g.showDownload(p, changed)
}

// showDownload brings a player's progress into its slot.
func (g *game) showDownload(p *player, n news) {
	s := &g.slots[p.slot]
	if percent := p.percent(&g.options.Map); percent != s.Download {
		s.Download = percent
		g.slotsHave(n)
	}
}

// pump sends map data as far as windows and the rate of all downloads allow. Source: protocol w3gs 4.17.
func (g *game) pump() {
	g.pumpAt = 0
	for more := true; more; {
		more = false
		for range g.players {
			g.pumpNext = (g.pumpNext + 1) % len(g.players)
			p := g.players[g.pumpNext]
			for range downloadTurn {
				n := p.due(&g.options.Map)
				if n == 0 {
					break
				}
				if !g.outside.mayDownload(n) {
					g.pumpAt = g.now + downloadPause
					return
				}
				d := &p.download
				g.send(&w3gs.MapData{Receiver: p.id, Sender: g.mapSender(), Offset: d.sent,
					Data: g.options.Map.Data[d.sent:][:n]}, p)
				d.sent += uint32(n)
				more = true
			}
		}
	}
}

// mapSender is the sender of the map: the host's own player, or its former number while it has given way.
func (g *game) mapSender() w3gs.PlayerID { return max(g.hostID, 1) }

// due is how many bytes of the map a player can be sent now.
func (p *player) due(m *Map) int {
	d := &p.download
	if !d.on || p.ended || d.sent-d.taken+w3gs.MaxMapData > downloadWindow {
		return 0
	}
	return int(min(m.Size-d.sent, w3gs.MaxMapData))
}
