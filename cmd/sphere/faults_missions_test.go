//go:build system && unix

package main

import (
	"testing"
	"time"

	"sphereserver/server/bot"
)

// besideAGiver is where an NPC that gives titles stands in Bangville, with the entrance of a dungeon beside it.
const besideAGiver = "1885 155.6 -395.7"

// TestFaultMissionsLeaveNoInstance has players begin in dungeons of their own, come out, take missions, go into their
// dungeons and out of them, log out and come back. Nothing of that would make the original client stumble, and in the
// end no instance is left.
func TestFaultMissionsLeaveNoInstance(t *testing.T) {
	besideOthers(t)
	n, span, stay := size(24, 1000), time.Duration(size(0, 20*60))*time.Second, time.Duration(size(15, 180))*time.Second
	p := serveIn(t, t.TempDir(), "--hash-workers", "2", "--monsters=false", "--max-speed", "-1",
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
		return time.Since(begin) > span && f.MissionsPaid >= uint64(n/size(4, 2)) && f.Dungeons >= uint64(n/4) &&
			f.Entries > n
	})
	f := h.leaves()
	// Each is kept for a minute.
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
