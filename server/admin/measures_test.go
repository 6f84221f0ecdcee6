package admin

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
)

func TestMeasuresReachTheLivingAndAreWrittenDown(t *testing.T) {
	both(t, func(t *testing.T, o Operator, ops *Ops, live *fakeLive) {
		ctx := t.Context()
		a, err := o.MuteAccount(ctx, AccountMute{Login: "ВАСЯ", Until: time.Now().Add(time.Hour), Reason: "spam"})
		if err != nil || a.Mute == nil || a.Mute.Reason != "spam" {
			t.Fatalf("%+v, %v; expected the mute", a, err)
		}
		if a, err = o.UnmuteAccount(ctx, AccountName{"вася"}); err != nil || a.Mute != nil {
			t.Fatalf("%+v, %v; expected no mute", a, err)
		}
		if _, err := o.UnmuteAccount(ctx, AccountName{"вася"}); !errors.Is(err, data.ErrNotFound) {
			t.Errorf("%v, expected ErrNotFound", err)
		}
		if _, err := o.Say(ctx, Saying{Text: " to all "}); err != nil {
			t.Error(err)
		}
		if _, err := o.Say(ctx, Saying{Login: "вася", Text: "to you"}); err != nil {
			t.Error(err)
		}
		if _, err := o.KickAccount(ctx, Kick{Login: "вася", Reason: "rest"}); err != nil {
			t.Error(err)
		}
		if _, err := o.KickAccount(ctx, Kick{Login: "вася"}); !errors.Is(err, ErrNotInWorld) {
			t.Errorf("somebody who is away: %v, expected ErrNotInWorld", err)
		}
		if _, err := o.Say(ctx, Saying{Login: "вася", Text: "to nobody"}); !errors.Is(err, ErrNotInWorld) {
			t.Errorf("somebody who is away: %v, expected ErrNotInWorld", err)
		}
		if got, want := live.log(), "mute 1: spam; mute 1: ; announce to all; message to 1: to you; disconnect 1: kick: rest"; got != want {
			t.Errorf("%s\nexpected\n%s", got, want)
		}
		for _, bad := range []string{"", "  ", "two\nlines", strings.Repeat("x", maxReasonLen+1)} {
			if _, err := o.Say(ctx, Saying{Text: bad}); !errors.Is(err, ErrInvalid) {
				t.Errorf("saying %.20q: %v, expected ErrInvalid", bad, err)
			}
		}
		var actions []string
		trail, err := o.Audit(ctx, AuditSearch{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range trail {
			actions = append(actions, e.Action)
		}
		if got, want := strings.Join(actions, ", "), "account kick, say, say, account unmute, account mute, account add"; got != want {
			t.Errorf("the audit trail has %s, expected %s", got, want)
		}
	})
}

func TestOnlyARunningServerKicksAndSpeaks(t *testing.T) {
	ops, _ := made(t)
	ops.Live = nil
	if _, err := ops.KickAccount(t.Context(), Kick{Login: "вася"}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("%v, expected ErrNotRunning", err)
	}
	if _, err := ops.Say(t.Context(), Saying{Text: "x"}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("%v, expected ErrNotRunning", err)
	}
	if a, err := ops.MuteAccount(t.Context(), AccountMute{Login: "вася"}); err != nil || a.Mute == nil {
		t.Errorf("%+v, %v; expected that a mute needs no server", a, err)
	}
}
