//go:build system && unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/bot"
	"sphereserver/server/config"
	"sphereserver/world/rules"
)

// missionPay is what a mission pays in these tests: far more than all coins of monsters and all that things to collect cost,
// so that the money of a character says how many it was paid for.
const missionPay = 1_000_000

// missionFolder is a data folder with easy missions that follow one another, and besideAGiver where to begin: one who gives
// titles stands in Bangville, and the entrance of a dungeon beside him.
func missionFolder(t *testing.T, more string) string {
	t.Helper()
	const balance = "[damage]\nroll-low = 4\nroll-high = 5\nnamed = 1\n[spawns]\nrespawn = \"1s\"\ninstance-linger = \"1s\"\n" +
		"[death]\nrevive = \"1s\"\n[chests]\ntrap-min = 1\ntrap-max = 10\n" +
		"[missions]\nwait = \"0s\"\nspread = 0\nspot-far = 150\nlead-speed = 6\n"
	dir := t.TempDir()
	table := "template\tgoals\tmin\tmax\ttypes\treward\tenglish\trussian\n"
	for _, m := range content.Missions() {
		least, types := 1, "-"
		switch m.Kind() {
		case rules.Collect:
			types = fmt.Sprint(content.Default().OfClass(classBread)[0].ID)
		case rules.GuidePerson:
			least = size(rules.CycleLevels, 1) // the way is longer than anybody stays in the short size
		}
		table += strings.Join([]string{m.Key, "title money", fmt.Sprint(least), fmt.Sprint(rules.CycleLevels), types, "1",
			"MONSTER THINGS", "MONSTER THINGS"}, "\t") + "\n"
	}
	for name, text := range map[string]string{config.BalanceFile: balance + more, content.MissionsFile: table} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const besideAGiver = "1885 155.6 -395.7"

// classBread is what is to be collected in these tests: taverns sell it.
const classBread = 653

// A quester does missions for money on a server that is killed now and then, and keeps account of what it was told.
type quester struct {
	login string
	rand  *rand.Rand

	key       bool // it carries one, as it was told last
	dungeons  int  // of missions that it has entered since it connected
	fulfilled int  // told since the last audit
	gaveUp    bool // since then
	paid      int  // stored at the last audit

	blows  uint64
	found  []bot.Violation
	events chan<- questStep
}

// A questStep is a moment in a mission.
type questStep uint8

const (
	asking questStep = iota // before it is given
	striking
	passing    // just let into a dungeon
	fulfilling // just told
	questSteps
)

// note keeps what a client knows of its mission, and tells of steps.
func (q *quester) note(c *bot.Client, before int) {
	step, happens := asking, false
	m, key := c.Missions(), c.MissionKey() != nil
	switch blows := c.Tally().Blows.Load(); {
	case m.Fulfilled+before > q.fulfilled:
		step, happens = fulfilling, true
	case m.Dungeons > q.dungeons:
		step, happens = passing, true
	case blows > q.blows:
		step, happens = striking, true
	case c.Trader != 0 && !key:
		happens = true
	}
	q.blows = c.Tally().Blows.Load()
	q.dungeons = m.Dungeons
	q.key, q.fulfilled, q.gaveUp = key, before+m.Fulfilled, q.gaveUp || m.GivenUp > 0
	if happens {
		select {
		case q.events <- step:
		default:
		}
	}
}

func (q *quester) live(ctx context.Context, addr string) error {
	c, err := comeIn(ctx, addr, bot.Options{Seed: q.rand.Uint64(), PingEvery: 100 * time.Millisecond, Speed: 60,
		Missions: true, MissionGoals: []rules.MissionGoal{rules.MoneyGoal}}, q.login, 0, q.login)
	if err != nil {
		return err
	}
	defer c.Abort()
	before := q.fulfilled
	q.blows, q.dungeons = 0, 0
	err = c.Hunt(ctx, func() bool {
		q.note(c, before)
		return false
	})
	q.found = append(q.found, c.Violations()...)
	return err
}

// TestFaultKilledServerPaysNoMissionTwice kills a server with kill -9 at each step of missions: while they are asked for,
// when dungeons are entered, while targets are struck, and when missions are fulfilled. Each then is there as a whole, or is
// paid as a whole, once; and no parcel is there without its mission.
func TestFaultKilledServerPaysNoMissionTwice(t *testing.T) {
	inTurn(t)
	besideOthers(t)
	events := make(chan questStep, 64)
	var all []*quester
	for i := range size(4, 30) {
		all = append(all, &quester{login: bot.SwarmName("Quester", i), rand: rand.New(rand.NewPCG(uint64(i), 43)),
			events: events})
	}
	r := rand.New(rand.NewPCG(43, uint64(time.Now().UnixNano())))
	p := serveIn(t, missionFolder(t, fmt.Sprintf("money = %d\nmoney-level = 0\n", missionPay)), "--hash-workers", "2",
		"--monsters=false", "--max-speed", "-1", "--start", besideAGiver)
	kills, untold := size(int(questSteps), 100), 0
	for n := 0; n < kills && !t.Failed(); n++ {
		killUnder(p, all, func() {
			awaitStep(t, events, questStep(n)%questSteps, 1+r.IntN(size(2, 20)))
			time.Sleep(time.Duration(r.IntN(40)) * time.Millisecond)
		})
		untold += auditQuesters(t, p.dir, all)
		p, _ = p.again()
	}
	p.stop()
	p.check()
	paid := 0
	for _, q := range all {
		paid += q.paid
		for _, v := range q.found {
			t.Errorf("%s: %v", q.login, v)
		}
	}
	if paid == 0 {
		t.Error("no mission was paid")
	}
	figure(t, "37", "%d kills at each step of missions under %d players: %d missions paid, each once; %d times one step more "+
		"was stored than told, as a whole; no finding", kills, len(all), paid, untold)
}

// awaitStep waits until a step has happened so often.
func awaitStep(t *testing.T, events <-chan questStep, step questStep, times int) {
	t.Helper()
	late := time.After(5 * patience)
	for times > 0 {
		select {
		case is := <-events:
			if is == step {
				times--
			}
		case <-late:
			t.Fatalf("step %d of a mission does not come", step)
		}
	}
}

// auditQuesters compares keys and pay that are stored with what was told, and says of how many one step more is stored.
func auditQuesters(t *testing.T, dir string, all []*quester) (untold int) {
	t.Helper()
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, q := range all {
		c, err := store.CharacterByName(t.Context(), q.login)
		if errors.Is(err, data.ErrNotFound) {
			continue // it was never in
		}
		if err != nil {
			t.Fatal(err)
		}
		items, err := store.Items(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		keys, parcels := 0, 0
		for i := range items {
			switch items[i].Class {
			case rules.ClassMission:
				keys++
			case rules.ClassParcel:
				parcels++
			}
		}
		total := int((c.Money + missionPay/2) / missionPay)
		switch paid := total - q.paid; {
		case keys > 1 || parcels > keys:
			t.Errorf("%s has %d keys and %d parcels", q.login, keys, parcels)
		case paid == q.fulfilled && (keys == 1) == q.key:
		case paid == q.fulfilled && keys == 1: // it was given one more
			untold++
		case paid == q.fulfilled+1 && q.key && keys == 0: // it has fulfilled one more
			untold++
		case paid == q.fulfilled && q.gaveUp:
		default:
			t.Errorf("%s was told of %d missions fulfilled and of a key: %t; %d are paid, and %d keys are stored", q.login,
				q.fulfilled, q.key, paid, keys)
		}
		q.paid, q.key, q.fulfilled, q.gaveUp = total, keys == 1, 0, false
	}
	return untold
}

// TestFaultMissionsLeaveNoInstance has players begin in dungeons of their own, come out, take missions, go into their
// dungeons and out of them, log out and come back. Nothing of that would make the original client stumble, and in the
// end no instance is left.
func TestFaultMissionsLeaveNoInstance(t *testing.T) {
	besideOthers(t)
	n, span, stay := size(24, 1000), time.Duration(size(0, 20*60))*time.Second, time.Duration(size(15, 180))*time.Second
	p := serveIn(t, missionFolder(t, ""), "--hash-workers", "2", "--monsters=false", "--max-speed", "-1",
		"--newcomers-dungeon")
	h := p.botCrowd(n, func(o *bot.SwarmOptions) {
		o.Stay = stay
		o.Client = bot.Options{Missions: true, Speed: 30, PingEvery: time.Duration(size(200, 2000)) * time.Millisecond,
			Patience: timesPatient()}
	})
	begin, most := time.Now(), 0
	within(t, span+5*patience, "missions are done", func() bool {
		most = max(most, p.status().Instances)
		f := h.swarm.Figures()
		return time.Since(begin) > span && f.MissionsPaid >= uint64(n/2) && f.Dungeons >= uint64(n/4) && f.Entries > n
	})
	f := h.leaves()
	eventually(t, "no instance is left", func() bool { return p.status().Instances == 0 })
	if f.MissionsPaid != f.MissionsFulfilled || most == 0 {
		t.Errorf("%d missions fulfilled, %d paid; %d instances at once", f.MissionsFulfilled, f.MissionsPaid, most)
	}
	if c := p.status().Counters; c["panics"]+c["belongings_conflicts"]+c["belongings_failed"]+c["entities_failed"] > 0 {
		t.Errorf("counted %v", c)
	}
	p.stop()
	p.check()
	figure(t, "38", "%d players for %v, %d sessions: %d missions taken, %d fulfilled and paid, %d given up; by the letter of "+
		"the kind, taken/paid/given up: %v, given up for %v; %d dungeons of missions entered, %d chests looked into, %d traps sprung; "+
		"at most %d instances at once and none at the end; answers p50 %v, p99 %v; no finding", n,
		time.Since(begin).Round(time.Second), f.Entries, f.Missions, f.MissionsPaid, f.MissionsGivenUp, f.Kinds, f.GivenUpFor,
		f.Dungeons, f.Chests, f.Traps, most,
		f.Answers.Quantile(0.5).Round(10*time.Microsecond), f.Answers.Quantile(0.99).Round(10*time.Microsecond))
}
