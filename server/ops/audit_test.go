package ops

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
)

// Below administrators nobody reads addresses in the audit trail, and nobody finds out by a search which there are.
func TestAddressesInTheTrailAreForAdministrators(t *testing.T) {
	s, _ := made(t)
	actors := populate(t, s)
	const address = "203.0.113.7/32"
	ban := AddressPenalty{AddressName: AddressName{address}, Penalty: Penalty{Reason: "of 203.0.113.8"}}
	if _, err := by(t.Context(), s, BanAddress, ban); err != nil {
		t.Fatal(err)
	}
	if _, err := by(t.Context(), s, UnbanAddress, ban.AddressName); err != nil {
		t.Fatal(err)
	}
	login := data.AuditEntry{Who: "chief", Action: PageLogin, Target: "chief", Detail: "203.0.113.9"}
	if err := s.Store.AppendAudit(t.Context(), login); err != nil {
		t.Fatal(err)
	}
	for role, actor := range actors {
		if role < data.Helper {
			continue
		}
		if _, err := Audit.Do(t.Context(), s, actor, AuditSearch{Limit: maxAuditShown + 1}); !errors.Is(err, ErrInvalid) ||
			err.Error() != "Expected 1 to 1000 lines, not 1001." {
			t.Errorf("%v gets more than is shown at once: %v", role, err)
		}
		for _, target := range []string{"", address, "chief"} {
			all, err := Audit.Do(t.Context(), s, actor, AuditSearch{Target: target})
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			for _, e := range all {
				text.WriteString(fmt.Sprintln(e.AuditEntry, e.Sentence))
			}
			knows := strings.Contains(text.String(), "203.0.113.")
			if knows != (role == data.Administrator) || target == "chief" && len(all) != 1 ||
				target == address && len(all) > 0 != knows {
				t.Errorf("%v, target %q:\n%s", role, target, text.String())
			}
		}
	}
}

// An operator that asks again and again for a forbidden verb does not fill the trail.
func TestTheSameDenialIsOneLineAMinute(t *testing.T) {
	s, _ := made(t)
	actors := populate(t, s)
	try := func(role data.Role, v Any, target string) {
		t.Helper()
		if _, err := v.DoAny(t.Context(), s, actors[role], about(v, target, "")); err == nil {
			t.Errorf("%s is done", v.Name())
		}
	}
	for range 30 {
		try(data.Helper, Backup, "")
		try(data.Helper, MuteAccount, "gamemaster")
		try(data.Helper, MuteAccount, "administrator")
		try(data.GameMaster, Backup, "")
	}
	denied := func() (n int) {
		all, err := s.Store.AuditTrail(t.Context(), data.AuditFilter{}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			if e.Action == "refused" {
				n++
			}
		}
		return n
	}
	if n := denied(); n != 3 {
		t.Errorf("%d lines, expected one of each of three attempts", n)
	}
	for d, at := range s.denials.at {
		s.denials.at[d] = at.Add(-time.Minute)
	}
	try(data.Helper, Backup, "")
	if n := denied(); n != 4 {
		t.Errorf("%d lines, expected another one a minute later", n)
	}
}
