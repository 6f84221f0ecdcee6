package ops

import (
	"errors"
	"fmt"
	"strings"
)

var (
	balanceWrongText   = Text{"Файл баланса не изменён: %s", "The balance file was not changed: %s"}
	balanceChangedText = Text{
		"Файл баланса не изменён: после того как вы его открыли, его изменил кто-то другой. Откройте его снова.",
		"The balance file was not changed: somebody else has changed it since you opened it. Open it again."}
)

// showBalance reads the balance file of the running server.
func (c *call) showBalance(Empty) (BalanceFile, error) {
	if c.ReadBalance == nil {
		return BalanceFile{}, ErrNotRunning
	}
	f, err := c.ReadBalance()
	if err != nil {
		return f, balanceRefusal(err)
	}
	return f, nil
}

// setBalance replaces the balance file of the running server and makes it count, or reports the changes that this would
// make. When anything is wrong in the text, or the file has changed since the operator read it, nothing changes.
func (c *call) setBalance(o BalanceOrder) (Reloaded, error) {
	if c.WriteBalance == nil {
		return Reloaded{}, ErrNotRunning
	}
	now, err := c.ReadBalance()
	if err != nil {
		return Reloaded{}, balanceRefusal(err)
	}
	foreseen := o
	foreseen.Check = true
	changes, err := c.WriteBalance(foreseen)
	if err != nil {
		return Reloaded{}, balanceRefusal(err)
	}
	// A file that would stay as it is, also one that is not there, is not written.
	if same := now.Text == o.Text && len(changes) == 0; !o.Check && !same {
		err = c.record("", changesText(changes), func() error {
			if changes, err = c.WriteBalance(o); err != nil {
				return balanceRefusal(err)
			}
			return nil
		})
	}
	return Reloaded{append([]SettingChange{}, changes...)}, err
}

// balanceRefusal says why the balance file was not read or replaced.
func balanceRefusal(err error) *Refusal {
	var both Localized
	switch {
	case errors.Is(err, ErrChanged):
		return refuse(ErrChanged, balanceChangedText)
	case errors.As(err, &both):
		return refuse(ErrInvalid, balanceWrongText, Text{both.In(true), both.In(false)})
	}
	return refuse(ErrInvalid, balanceWrongText, err)
}

// changesShown is how many changes an entry of the audit trail lists.
const changesShown = 20

// changesText lists changes for the audit trail: "a.b: 1 -> 2, c.d: 3 -> 4".
func changesText(changes []SettingChange) string {
	var parts []string
	for i, ch := range changes {
		if i == changesShown {
			parts = append(parts, fmt.Sprintf("... %d", len(changes)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s: %s -> %s", ch.Key, shortName(ch.Old), shortName(ch.New)))
	}
	return strings.Join(parts, ", ")
}
