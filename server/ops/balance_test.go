package ops

import (
	"errors"
	"strings"
	"testing"
)

func TestABalanceFileIsReplacedByTheOperatorWhoHasSeenIt(t *testing.T) {
	s := offline(t)
	if _, err := by(t.Context(), s, SetBalance, BalanceOrder{}); err != ErrNotRunning {
		t.Error(err)
	}
	var asked []BalanceOrder
	var fails error
	s.ReadBalance = func() (BalanceFile, error) { return BalanceFile{Text: "old", Sum: "1"}, nil }
	s.WriteBalance = func(o BalanceOrder) ([]SettingChange, error) {
		asked = append(asked, o)
		return []SettingChange{{Key: "experience.factor", Old: "1", New: "2"}}, fails
	}
	skip := len(entries(t, s, 0))
	answer := do(t, s, SetBalance, BalanceOrder{Text: "a", Sum: "1", Check: true})
	if len(answer.Changes) != 1 || len(asked) != 1 || !asked[0].Check || len(entries(t, s, skip)) != 0 {
		t.Errorf("%v, asked for %v; expected that what is only foreseen is not written down", answer, asked)
	}
	asked = nil
	do(t, s, SetBalance, BalanceOrder{Text: "a", Sum: "1"})
	if len(asked) != 2 || asked[1] != (BalanceOrder{Text: "a", Sum: "1"}) {
		t.Errorf("asked for %v", asked)
	}
	if trail := entries(t, s, skip); len(trail) != 1 || !strings.HasSuffix(trail[0], "experience.factor: 1 -> 2") {
		t.Errorf("the trail has %q", trail)
	}
	fails = ErrChanged
	_, err := by(t.Context(), s, SetBalance, BalanceOrder{Text: "a", Sum: "1"})
	if !errors.Is(err, ErrChanged) || CodeOf(err) != "changed" || !strings.Contains(err.(*Refusal).In(true), "Откройте его снова") {
		t.Error(err)
	}
	fails = Faults{{Kind: ErrInvalid, Text: Text{"по-русски", "in English"}}}
	_, err = by(t.Context(), s, SetBalance, BalanceOrder{Text: "a", Sum: "1"})
	if !errors.Is(err, ErrInvalid) || err.Error() != "The balance file was not changed: in English" ||
		err.(*Refusal).In(true) != "Файл баланса не изменён: по-русски" {
		t.Error(err)
	}
	if trail := entries(t, s, skip); len(trail) != 1 {
		t.Errorf("the trail has %q, expected nothing of what was refused", trail)
	}
}

// A text that changes nothing is neither written nor written down, so that an empty order makes no file where there is
// none.
func TestABalanceFileThatStaysAsItIsIsNotWritten(t *testing.T) {
	s := offline(t)
	for _, file := range []BalanceFile{{}, {Text: "# a", Sum: "1"}} {
		var asked []BalanceOrder
		s.ReadBalance = func() (BalanceFile, error) { return file, nil }
		s.WriteBalance = func(o BalanceOrder) ([]SettingChange, error) {
			asked = append(asked, o)
			return nil, nil
		}
		skip := len(entries(t, s, 0))
		answer := do(t, s, SetBalance, BalanceOrder{Text: file.Text, Sum: file.Sum})
		if len(answer.Changes) != 0 || len(asked) != 1 || !asked[0].Check || len(entries(t, s, skip)) != 0 {
			t.Errorf("%+v: %v, asked for %v, written down %q", file, answer, asked, entries(t, s, skip))
		}
		do(t, s, SetBalance, BalanceOrder{Text: file.Text + "# remark", Sum: file.Sum})
		if len(asked) != 3 || asked[2].Check || len(entries(t, s, skip)) != 1 {
			t.Errorf("%+v: of a remark asked for %v", file, asked)
		}
	}
	s.ReadBalance = func() (BalanceFile, error) { return BalanceFile{}, Faults{{Kind: ErrInvalid, Text: Text{"а", "b"}}} }
	if _, err := by(t.Context(), s, SetBalance, BalanceOrder{}); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
}
