package main

import (
	"cmp"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"sphereserver/packets/w3gs"
	"sphereserver/server/w3host"
)

// w3gameSettings are the flags of one game: some set its options, the others have to be understood first.
type w3gameSettings struct {
	w3host.GameOptions
	mapFile, mapPath  string
	mapSize           uint32
	mapCRC, mapXoro   string
	mapSHA1, mapDims  string
	slots             int
	slot              []string
	layout, observers string
	settings          string
}

func defaultW3Game() w3gameSettings {
	return w3gameSettings{GameOptions: w3host.GameOptions{Name: "Sphere", Host: "Sphere", Flags: w3gs.CustomGame},
		slots: 4, layout: "melee", observers: "none", settings: "0x802"}
}

func (g *w3gameSettings) addFlags(f *pflag.FlagSet) {
	f.StringVar(&g.Name, "name", g.Name, "name of the game, at most 31 bytes")
	f.StringVar(&g.Host, "host-name", g.Host, "name of the host's own player, at most 15 bytes")
	f.StringVar(&g.mapFile, "map", g.mapFile, "map `FILE`: gives size and CRC, and is what players can download")
	f.StringVar(&g.mapPath, "map-path", g.mapPath,
		"path of the map as clients know it; of a file it is Maps\\Download\\ and its name")
	f.Uint32Var(&g.mapSize, "map-size", g.mapSize, "size of the map file in bytes, where the host has no file")
	f.StringVar(&g.mapCRC, "map-crc", g.mapCRC, "CRC-32 of the map file, where the host has no file: 0xCAFEBABE")
	f.StringVar(&g.mapXoro, "map-xoro", g.mapXoro, "check value of the map's contents: 0xDEADBEEF")
	f.StringVar(&g.mapSHA1, "map-sha1", g.mapSHA1, "SHA-1 of the map's contents: 40 hex digits")
	f.StringVar(&g.mapDims, "map-dims", g.mapDims, "playable width and height of the map: 64x64")
	f.BoolVar(&g.Download, "download", g.Download, "let those who lack the map fetch it")
	f.IntVar(&g.slots, "slots", g.slots, "slots, 12 at most, 24 from version 29 on")
	f.IntVar(&g.Starts, "starts", g.Starts, "start positions of the map; 0 for as many as slots")
	f.StringArrayVar(&g.slot, "slot", g.slot, "change a slot: \"3 computer=insane team=2 colour=5 race=orc "+
		"handicap=80\", \"4 closed\"; can be repeated")
	f.StringVar(&g.layout, "layout", g.layout, "what players may change: melee (all), forces (not teams), fixed "+
		"(nothing but their slot)")
	f.StringVar(&g.observers, "observers", g.observers, "who may watch: none, defeat, full or referees")
	f.StringVar(&g.settings, "settings", g.settings,
		"settings of the game as the protocol has them: fast and the map's own terrain")
	f.IntVar(&g.StartWhen, "start-when", g.StartWhen,
		"begin the countdown when so many players are ready; 0 for when the game is full, -1 for never")
}

// with is the settings with some of them changed: "name=First; slots=4".
func (g w3gameSettings) with(text string) (w3gameSettings, error) {
	g.slot = slices.Clone(g.slot)
	f := pflag.NewFlagSet("game", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	g.addFlags(f)
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		if flag := f.Lookup(key); flag != nil && !ok && flag.NoOptDefVal != "" {
			value, ok = flag.NoOptDefVal, true
		}
		switch {
		case f.Lookup(key) == nil:
			return g, failf("expected a flag of a game like slots, found %q", key)
		case !ok:
			return g, failf("expected %s=VALUE, found %q", key, part)
		}
		if err := f.Set(key, strings.TrimSpace(value)); err != nil {
			return g, err
		}
	}
	return g, nil
}

// A mapFileError is a fault of a map file, which is no mistake in the command line.
type mapFileError struct{ err error }

func (e *mapFileError) Error() string { return e.err.Error() }

// options are the game as the host needs it. Each map file is read once.
func (g *w3gameSettings) options(version w3gs.Version, maps map[string]w3host.Map) (w3host.GameOptions, error) {
	out := g.GameOptions
	out.Starts = cmp.Or(out.Starts, g.slots)
	var err error
	if out.Map, err = g.warcraftMap(maps); err != nil {
		return out, err
	}
	settings, err := hexNumber("--settings", g.settings)
	if err != nil {
		return out, err
	}
	observers, err := oneOf("--observers", "none, defeat, full or referees", g.observers, w3observers)
	if err != nil {
		return out, err
	}
	out.Settings = w3gs.Settings(settings) | observers
	if out.Layout, err = oneOf("--layout", "melee, forces or fixed", g.layout, w3layouts); err != nil {
		return out, err
	}
	if g.slots < 1 || g.slots > version.MaxSlots() {
		return out, failf("--slots: expected 1 to %d with version %s, found %d", version.MaxSlots(), version, g.slots)
	}
	out.Slots = w3host.OpenSlots(g.slots, out.Starts, version)
	if out.Settings&w3gs.RandomRaces != 0 {
		for i := range out.Slots {
			out.Slots[i].Race = w3gs.Random
		}
	}
	for _, text := range g.slot {
		if err := changeSlot(out.Slots, text, version); err != nil {
			return out, failf("--slot %q: %v", text, err)
		}
	}
	return out, nil
}

// warcraftMap returns the map as a file or flags describe it.
func (g *w3gameSettings) warcraftMap(maps map[string]w3host.Map) (m w3host.Map, err error) {
	crc, err := hexNumber("--map-crc", cmp.Or(g.mapCRC, "0"))
	switch {
	case err != nil:
	case g.mapFile != "":
		m, err = g.readMap(maps, crc)
	case g.mapPath == "":
		err = failf("expected --map or --map-path, found neither")
	case g.mapSize == 0 || g.mapCRC == "":
		err = failf("expected --map-size and --map-crc with --map-path, or a file with --map")
	default:
		m = w3host.Map{Path: g.mapPath, Size: g.mapSize, CRC: crc}
	}
	if err != nil {
		return m, err
	}
	if g.mapXoro != "" {
		if m.Check, err = hexNumber("--map-xoro", g.mapXoro); err != nil {
			return m, err
		}
	}
	if g.mapSHA1 != "" {
		b, err := hex.DecodeString(g.mapSHA1)
		if err != nil || len(b) != len(m.SHA1) {
			return m, failf("--map-sha1: expected 40 hex digits, found %q", g.mapSHA1)
		}
		m.SHA1 = [20]byte(b)
	}
	if g.mapDims != "" {
		w, h, _ := strings.Cut(g.mapDims, "x")
		width, e1 := strconv.ParseUint(w, 10, 16)
		height, e2 := strconv.ParseUint(h, 10, 16)
		if e1 != nil || e2 != nil {
			return m, failf("--map-dims: expected two numbers like 64x64, found %q", g.mapDims)
		}
		m.Width, m.Height = uint16(width), uint16(height)
	}
	return m, nil
}

// readMap is the map of the file, which the flags do not contradict.
func (g *w3gameSettings) readMap(maps map[string]w3host.Map, crc uint32) (m w3host.Map, err error) {
	m, read := maps[g.mapFile]
	if !read {
		if m, err = w3host.LoadMap(g.mapFile); err != nil {
			return m, &mapFileError{err}
		}
		maps[g.mapFile] = m
	}
	switch {
	case g.mapCRC != "" && crc != m.CRC:
		return m, failf("--map-crc: expected 0x%08X, which the map file has, found %s", m.CRC, g.mapCRC)
	case g.mapSize != 0 && g.mapSize != m.Size:
		return m, failf("--map-size: expected %d, which the map file has, found %d", m.Size, g.mapSize)
	}
	m.Path = cmp.Or(g.mapPath, m.Path)
	return m, nil
}

// hexNumber is a number of 32 bits: 0xDEADBEEF, or decimal.
func hexNumber(flag, text string) (uint32, error) {
	n, err := strconv.ParseUint(text, 0, 32)
	if err != nil {
		return 0, failf("%s: expected a number like 0xDEADBEEF, found %q", flag, text)
	}
	return uint32(n), nil
}

// oneOf is the value that the word of a flag stands for.
func oneOf[T any](flag, expected, text string, words map[string]T) (T, error) {
	v, ok := words[text]
	if !ok {
		return v, failf("%s: expected %s, found %q", flag, expected, text)
	}
	return v, nil
}

// Words of people for numbers of the protocol.
var (
	w3products  = map[string]w3gs.Product{"tft": w3gs.FrozenThrone, "roc": w3gs.ReignOfChaos}
	w3observers = map[string]w3gs.Settings{"none": 0, "defeat": w3gs.ObserversOnDefeat, "full": w3gs.ObserversFull,
		"referees": w3gs.ObserversReferees}
	w3layouts = map[string]w3gs.Layout{"melee": 0, "forces": w3gs.CustomForces, "fixed": w3gs.EverythingFixed}
	w3races   = map[string]w3gs.Race{"human": w3gs.Human, "orc": w3gs.Orc, "nightelf": w3gs.NightElf,
		"undead": w3gs.Undead, "random": w3gs.Random, "any": w3gs.Random | w3gs.RaceSelectable}
	w3levels = map[string]w3gs.ComputerLevel{"easy": w3gs.EasyComputer, "normal": w3gs.NormalComputer,
		"insane": w3gs.InsaneComputer}
	w3states = map[string]w3gs.SlotState{"open": w3gs.SlotOpen, "closed": w3gs.SlotClosed}
)

// changeSlot changes a slot as the text of a --slot says. Slots, teams and colours are counted from 1, as players see
// them.
func changeSlot(slots []w3gs.Slot, text string, version w3gs.Version) error {
	words := strings.Fields(text)
	if len(words) == 0 {
		return failf("expected the number of a slot, found nothing")
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 1 || n > len(slots) {
		return failf("expected the number of a slot, 1 to %d, found %q", len(slots), words[0])
	}
	s := &slots[n-1]
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		number, numberErr := strconv.Atoi(value)
		var ok bool
		switch key {
		case "open", "closed":
			s.State, s.Computer, ok = w3states[key], 0, value == ""
		case "computer":
			s.State, s.Computer, s.Download = w3gs.SlotTaken, 1, 100
			s.Level, ok = w3levels[value]
		case "team", "colour":
			seat := uint8(number - 1)
			switch {
			case value == "observer":
				s.Team, s.Colour, ok = version.ObserverTeam(), version.ObserverTeam(), true
			case numberErr != nil || number < 1 || number > version.MaxSlots():
			case key == "team":
				s.Team, ok = seat, true
			default:
				s.Colour, ok = seat, true
			}
		case "race":
			s.Race, ok = w3races[value]
		case "handicap":
			s.Handicap, ok = uint8(number), numberErr == nil && number >= 50 && number <= 100 && number%10 == 0
		}
		if !ok {
			return failf("expected open, closed, computer=easy|normal|insane, team=, colour=, "+
				"race=any|human|orc|nightelf|undead|random or handicap=50…100, found %q", word)
		}
	}
	return nil
}
