package ops

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
)

func TestMeasuresReachTheLivingAndAreWrittenDown(t *testing.T) {
	o, live := made(t)
	ctx := t.Context()
	a, err := by(ctx, o, MuteAccount, AccountMute{AccountName: named("ВАСЯ"),
		Penalty: Penalty{Until: time.Now().Add(time.Hour), Reason: "spam"}})
	if err != nil || a.Mute == nil || a.Mute.Reason != "spam" {
		t.Fatalf("%+v, %v; expected the mute", a, err)
	}
	if a, err = by(ctx, o, UnmuteAccount, named("вася")); err != nil || a.Mute != nil {
		t.Fatalf("%+v, %v; expected no mute", a, err)
	}
	if _, err := by(ctx, o, UnmuteAccount, named("вася")); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("%v, expected ErrNotFound", err)
	}
	if _, err := by(ctx, o, Say, Broadcast{Text: " to all "}); err != nil {
		t.Error(err)
	}
	if _, err := by(ctx, o, Say, Broadcast{AccountName: named("вася"), Text: "to you"}); err != nil {
		t.Error(err)
	}
	if _, err := by(ctx, o, KickAccount, Kick{AccountName: named("вася"), Reason: "rest"}); err != nil {
		t.Error(err)
	}
	if _, err := by(ctx, o, KickAccount, Kick{AccountName: named("вася")}); !errors.Is(err, ErrNotInWorld) {
		t.Errorf("somebody who is away: %v, expected ErrNotInWorld", err)
	}
	if _, err := by(ctx, o, Say, Broadcast{AccountName: named("вася"), Text: "to nobody"}); !errors.Is(err,
		ErrNotInWorld) {
		t.Errorf("somebody who is away: %v, expected ErrNotInWorld", err)
	}
	if got, want := live.log(), "mute 1: spam; mute 1: ; announce to all; tell 1: to you; "+
		"disconnect 1: Your session was ended. rest"; got != want {
		t.Errorf("%s\nexpected\n%s", got, want)
	}
	for _, bad := range []string{"", "  ", "two\nlines", strings.Repeat("x", maxText+1)} {
		if _, err := by(ctx, o, Say, Broadcast{Text: bad}); !errors.Is(err, ErrInvalid) {
			t.Errorf("saying %.20q: %v, expected ErrInvalid", bad, err)
		}
	}
	var actions []string
	trail, err := by(ctx, o, Audit, AuditSearch{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range trail {
		actions = append(actions, e.Action)
	}
	if got, want := strings.Join(actions, ", "),
		"account kick, say, say, account unmute, account mute, account add"; got != want {
		t.Errorf("the audit trail has %s, expected %s", got, want)
	}
}

func TestOnlyARunningServerKicksAndSpeaks(t *testing.T) {
	o, _ := made(t)
	o.Runtime = nil
	if _, err := by(t.Context(), o, KickAccount, Kick{AccountName: named("вася")}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("%v, expected ErrNotRunning", err)
	}
	if _, err := by(t.Context(), o, Say, Broadcast{Text: "x"}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("%v, expected ErrNotRunning", err)
	}
	if a, err := by(t.Context(), o, MuteAccount, AccountMute{AccountName: named("вася")}); err != nil ||
		a.Mute == nil {
		t.Errorf("%+v, %v; expected that a mute needs no server", a, err)
	}
}
