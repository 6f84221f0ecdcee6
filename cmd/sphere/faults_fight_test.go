//go:build system && unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/config"
	"sphereserver/world/rules"
)

// A fighter hunts on a server that is killed now and then, and keeps account of what it was told of itself.
type fighter struct {
	login, name string
	rand        *rand.Rand

	told          []chapter // oldest first
	left          time.Time // when it was told something last
	kills, deaths int
	found         []bot.Violation
}

// A chapter is what a fighter was told of itself up to the next one.
type chapter struct {
	at     time.Time
	hp     int
	deeds  deeds
	items  map[int]rules.Item
	asking bool // a request is under way
	dead   bool
}

// deeds are what a kill, a death, a level and a trade change together.
type deeds struct {
	title, degree     int
	titleXP, degreeXP uint32
	karma             int
	money             int64
}

// total orders deeds: more experience at the same level, or more levels.
func (d *deeds) total() []int64 {
	return []int64{int64(d.title), int64(d.degree), int64(d.titleXP), int64(d.degreeXP)}
}

func (f *fighter) chapter(c *bot.Client) chapter {
	s, items := c.Stats, holdings(c)
	for slot := rules.SlotEffects; slot < rules.EndOfEffects; slot++ {
		delete(items, slot)
	}
	return chapter{at: time.Now(), hp: int(s[packets.StatHP]), items: items, asking: c.Waits(), dead: c.Dead(),
		deeds: deeds{int(s[packets.StatTitle]), int(s[packets.StatDegree]), uint32(s[packets.StatTitleXP]),
			uint32(s[packets.StatDegreeXP]), int(s[packets.StatKarmaPoints]), int64(c.Money)}}
}

const chaptersKept = 512

// write keeps a chapter if something is new in it.
func (f *fighter) write(k chapter) {
	if n := len(f.told); n > 0 {
		last := f.told[n-1]
		if last.hp == k.hp && last.deeds == k.deeds && last.asking == k.asking && last.dead == k.dead &&
			sameItems(last.items, k.items) {
			return
		}
	}
	f.told = append(f.told[max(0, len(f.told)-chaptersKept):], k)
}

func sameItems(a, b map[int]rules.Item) bool {
	if len(a) != len(b) {
		return false
	}
	for slot, it := range a {
		if o := b[slot]; o.Class != it.Class || o.Count != it.Count {
			return false
		}
	}
	return true
}

// live hunts until the connection ends.
func (f *fighter) live(ctx context.Context, addr string) error {
	c, err := comeIn(ctx, addr, bot.Options{Seed: f.rand.Uint64(), PingEvery: 300 * time.Millisecond}, f.login, 0, f.name)
	if err != nil {
		return err
	}
	defer c.Abort()
	f.told = nil
	entered := f.chapter(c) // it may have come to life again since
	entered.hp = int(c.Snapshot.HP)
	f.write(entered)
	f.write(f.chapter(c))
	err = c.Hunt(ctx, func() bool {
		f.write(f.chapter(c))
		return false
	})
	f.left = time.Now()
	f.kills += c.Kills()
	f.deaths += c.Deaths()
	f.found = append(f.found, c.Violations()...)
	return err
}

// TestCheck40FaultKilledServerInAFight kills the server in the middle of fights, over and over. What is stored then is
// what the players were told last, or what followed from it as a whole: never a part of a kill.
func TestCheck40FaultKilledServerInAFight(t *testing.T) {
	inTurn(t)
	besideOthers(t)
	var fighters []*fighter
	for i := range size(6, 40) {
		fighters = append(fighters, &fighter{login: fmt.Sprintf("Боец%d", i), name: fmt.Sprintf("Fighter-%d", i),
			rand: rand.New(rand.NewPCG(uint64(i), 40))})
	}
	r := rand.New(rand.NewPCG(40, uint64(time.Now().UnixNano())))
	dir, at := t.TempDir(), weakestMonsters(t, "shipstone")
	// Two blows kill, and who is killed is soon back, so that hardly a moment is without a kill under way.
	const balance = "[damage]\nroll-low = 4\nroll-high = 5\n[spawns]\nrespawn = \"1s\"\n[death]\nrevive = \"1s\"\n"
	if err := os.WriteFile(filepath.Join(dir, config.BalanceFile), []byte(balance), 0o600); err != nil {
		t.Fatal(err)
	}
	p := serveIn(t, dir, "--hash-workers", "2", "--start",
		fmt.Sprintf("%.2f %.2f %.2f", at.X, at.Y, at.Z))
	kills, looked := 0, 0
	for ; kills < size(3, 100) && !t.Failed(); kills++ {
		var killed time.Time
		killUnder(p, fighters, func() {
			time.Sleep(time.Duration(6000+r.IntN(4000)) * time.Millisecond)
			killed = time.Now()
		})
		looked += auditFighters(t, p.dir, fighters, killed)
		p, _ = p.again()
	}
	p.stop()
	p.check()
	slain, died := 0, 0
	for _, f := range fighters {
		slain, died = slain+f.kills, died+f.deaths
		for _, v := range f.found {
			t.Errorf("%s: %v", f.name, v)
		}
	}
	if looked == 0 {
		t.Error("nobody was compared with what is stored")
	}
	figure(t, "40", "%d kills of the server under %d players who fought (%d monsters slain, %d deaths): %d characters "+
		"compared with what they were told, none has lost or doubled anything", kills, len(fighters), slain, died, looked)
}

// auditFighters compares what is stored with what was told, and says of how many.
func auditFighters(t *testing.T, dir string, fighters []*fighter, killed time.Time) (looked int) {
	t.Helper()
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	found, err := store.FindCharacters(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found {
		items, err := store.Items(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fighters {
			if f.name == c.Name && len(f.told) > 0 {
				looked++
				f.audit(t, &c, items, killed)
			}
		}
	}
	return looked
}

// audit compares what is stored of a fighter with its last chapters.
func (f *fighter) audit(t *testing.T, c *data.Character, items []rules.Item, killed time.Time) {
	t.Helper()
	last := f.told[len(f.told)-1]
	is := deeds{c.TitleLevel, c.DegreeLevel, c.TitleXP, c.DegreeXP, c.Karma, c.Money}
	was := last.deeds
	gained := slices.Compare(is.total(), was.total())
	switch {
	case gained < 0:
		t.Errorf("%s was told %+v, and %+v is stored", f.name, was, is)
	case gained == 0 && is.karma != was.karma:
		t.Errorf("%s: karma without experience: told %+v, stored %+v", f.name, was, is)
	case gained > 0 && is.karma == was.karma:
		t.Errorf("%s: experience without karma: told %+v, stored %+v", f.name, was, is)
	case is.money != was.money && !last.asking:
		t.Errorf("%s was told money %d, and %d is stored", f.name, was.money, is.money)
	}
	if !last.asking {
		have := map[int]rules.Item{}
		for _, it := range items {
			have[it.Slot] = rules.Item{Class: it.Class, Count: max(it.Count, 1)}
		}
		if !sameItems(have, last.items) {
			t.Errorf("%s was told %v, and %v is stored", f.name, last.items, have)
		}
	}
	// HP are saved every 3 s: some of the values of the last seconds, give or take a hit that was not told any more.
	const oneHit = 40
	if f.left.Before(killed) { // it has not been in since an earlier kill
		killed = f.left
	}
	low, high := last.hp, last.hp
	for i := len(f.told) - 1; i >= 0; i-- {
		low, high = min(low, f.told[i].hp), max(high, f.told[i].hp)
		if killed.Sub(f.told[i].at) > unhurried(5*time.Second) {
			break
		}
	}
	if !last.dead && (c.HP < low-oneHit || c.HP > max(high, rules.MaxHP(c.TitleLevel, c.DegreeLevel))+oneHit) {
		t.Errorf("%s was told %d to %d HP, and %d is stored", f.name, low, high, c.HP)
	}
}
