package game

import (
	"slices"
	"strings"
	"testing"

	"sphereserver/packets"
	"sphereserver/server/session"
)

func TestApplicationsGrowOldAndHaveABound(t *testing.T) {
	t.Parallel()
	g := newClanScene(t, 2)
	senior, applicant := g.all[0], g.all[1]
	senior.manages(&packets.CreateClan{Clan: "Ours"})
	g.settle()
	applicant.applies(senior)
	applicant.applies(senior) // too soon
	have := g.settle()
	if strings.Count(strings.Join(have[0], " "), "applicant") != 1 || !slices.Contains(have[1], hasteText.Russian) {
		t.Errorf("the senior heard %q, the applicant %q", have[0], have[1])
	}
	g.pass(applicationPause)
	applicant.applies(senior) // while the first waits
	g.want("again", nil, []string{clanWaitsText.Russian})
	senior.p().clan.applicants[0].clan = "Former"
	senior.accepts(applicant)
	if have := g.settle(); !slices.Contains(have[0], clanNoApplicantText.Russian) {
		t.Errorf("an application to the clan before: %q", have[0])
	}
	g.pass(applicationPause)
	applicant.applies(senior)
	g.settle()
	senior.p().clan.applicants[0].clan = "Former"
	g.pass(applicationPause)
	applicant.applies(senior)
	if have := g.settle(); !strings.Contains(strings.Join(have[0], " "), "applicant") {
		t.Errorf("after one to the clan before the senior heard %q", have[0])
	}
	senior.p().clan.applicants[0].until = senior.s().Now() - 1
	senior.accepts(applicant)
	if have := g.settle(); !slices.Contains(have[0], clanNoApplicantText.Russian) {
		t.Errorf("an old application: %q", have[0])
	}
	for range applicationsKept + 5 {
		senior.p().hearApplicant(applicantOf(g.connect()))
	}
	if n := len(senior.p().clan.applicants); n != applicationsKept {
		t.Errorf("%d applications are kept", n)
	}
}

// A member of a clan that sends the message of applicants asks the other player to join. The other joins by the same
// message or by accepting, once, for two minutes, and only the clan that it was asked to join.
func TestMembersRecruit(t *testing.T) {
	t.Parallel()
	g := newClanScene(t, 4)
	anna, berta, clara, dora := g.all[0], g.all[1], g.all[2], g.all[3]
	a, b := anna.name(), berta.name()
	anna.manages(&packets.CreateClan{Clan: "Ours"})
	g.settle()
	tag := "tag " + b + " Ours"
	joined := [][]string{{"member " + b + " 3", b + " теперь в клане.", tag},
		{"member " + a + " 0", "member " + b + " 3", "alliance", "own 6 Ours"}, {tag}, {tag}}

	recruit := func(how func()) {
		t.Helper()
		g.pass(applicationPause)
		how()
		g.want("recruiting", []string{"Вы позвали игрока " + b + " в клан."},
			[]string{"applicant " + a, a + " зовёт вас в клан «Ours». Чтобы вступить, попроситесь в его клан."}, nil, nil)
		g.pass(applicationPause)
	}
	leave := func() {
		t.Helper()
		berta.manages(&packets.LeaveClan{Name: "Ours"})
		g.settle()
		g.pass(applicationPause)
	}
	recruit(func() { anna.recruits(berta) })
	berta.accepts(anna)
	g.pass(2 * session.WheelPeriod) // it goes on to the loop of the recruiter, which then asks the store
	g.want("accepting", joined...)
	leave()
	recruit(func() { anna.applies(berta) }) // about the other's object
	berta.recruits(anna)
	g.pass(2 * session.WheelPeriod)
	g.want("applying", joined...)
	leave()
	berta.applies(anna)
	if have := g.settle(); !slices.Contains(have[0], b+" хочет вступить в ваш клан.") {
		t.Errorf("a second time without being asked: %q", have[0])
	}

	// too late, another player, another clan
	asked := func(what string) {
		t.Helper()
		if have := g.settle(); !slices.Contains(have[1], "Просьба о вступлении передана.") || berta.s().Character().ClanName != "" {
			t.Errorf("%s: %q", what, have[1])
		}
	}
	recruit(func() { anna.recruits(berta) })
	g.pass(applicationLasts)
	berta.applies(anna)
	asked("too late")
	g.pass(applicationLasts)
	recruit(func() { anna.recruits(berta) })
	anna.recruits(clara)
	g.settle()
	g.pass(applicationPause)
	anna.recruits(berta)
	g.want("again, though another was asked since", []string{clanWaitsText.Russian}, nil, nil, nil)
	anna.recruits(dora)
	if have := g.settle(); !slices.Equal(have[0], []string{"Вы позвали игрока " + dora.name() + " в клан."}) {
		t.Errorf("the next: %q", have)
	}
	berta.applies(anna)
	g.pass(2 * session.WheelPeriod)
	if have := g.settle(); !slices.Contains(have[1], tag) && berta.s().Character().ClanName != "Ours" {
		t.Errorf("asked first of two: %q", have)
	}
	leave()
	recruit(func() { anna.recruits(berta) })
	anna.manages(&packets.LeaveClan{Name: "Ours"})
	g.settle()
	anna.manages(&packets.CreateClan{Clan: "Another"})
	g.settle()
	berta.applies(anna)
	asked("another clan")
	dora.say(packets.Message(0, berta.s().ID(), packets.ClassPlayer, // in another player's name
		&packets.Manager{Command: &packets.RecruitToClan{Player: clara.s().ID()}}))
	g.want("forged", nil, nil, nil, nil)
}

// A player that ignores another does not hear of its clan, nor of its application, except from a game master.
func TestTheIgnoredDoNotRecruit(t *testing.T) {
	t.Parallel()
	g := newClanScene(t, 2)
	anna, berta := g.all[0], g.all[1]
	anna.manages(&packets.CreateClan{Clan: "Ours"})
	g.settle()
	refuses := []string{"Этот игрок не хочет вас слышать."}
	anna.p().Command("/игнор " + berta.name())
	berta.p().Command("/игнор " + anna.name())
	g.settle()
	g.pass(applicationPause)
	anna.recruits(berta)
	g.want("recruiting", refuses, nil)
	g.pass(applicationPause)
	berta.applies(anna)
	g.want("applying", nil, refuses)
	anna.p().Command("/разигнор все")
	g.settle()
	g.pass(applicationLasts)
	berta.applies(anna)
	if have := g.settle(); !slices.Contains(have[0], berta.name()+" хочет вступить в ваш клан.") {
		t.Errorf("heard again: %q", have)
	}
}

func applicantOf(c *conn) applicant {
	return applicant{session: &player{Session: c.s()}, name: "X", who: 999}
}
