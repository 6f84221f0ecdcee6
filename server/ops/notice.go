package ops

import (
	"fmt"
	"time"

	"sphereserver/data"
)

// tell tells the player of an account about an act on it, unless it was its own.
func (c *call) tell(account data.AccountID, t Text, args ...any) {
	if c.Runtime != nil && account != c.by.Account {
		c.Runtime.Tell(account, notice(t, args...))
	}
}

// Until says when something ends, in the server's time zone: "до 21.11.2026 15:04 MSK", or "навсегда".
func Until(t time.Time) Text {
	if t.IsZero() {
		return Text{"навсегда", "for ever"}
	}
	return Text{"до " + t.Local().Format("02.01.2006 15:04 MST"), "until " + t.Local().Format("2006-01-02 15:04 MST")}
}

// Since says when something begins, like [Until]: "с 21.11.2026 15:04 MSK".
func Since(t time.Time) Text {
	return Text{"с " + t.Local().Format("02.01.2006 15:04 MST"), "from " + t.Local().Format("2006-01-02 15:04 MST")}
}

// Notices to players about acts on their accounts and characters.
var (
	kickedText      = Text{"Ваш сеанс прерван. %s", "Your session was ended. %s"}
	bannedText      = Text{"Вход для вашей учётной записи закрыт %s. %s", "Your account is kept out %s. %s"}
	newPasswordText = Text{"Ваш пароль изменён: войдите с новым.", "Your password was changed: log in with the new one."}
	newRoleText     = Text{"Ваша роль теперь: %s.", "Your role is now: %s."}
	goneAccountText = Text{"Ваша учётная запись удалена.", "Your account was deleted."}
	deletedText     = Text{"Ваш персонаж %s удалён.", "Your character %s was deleted."}
	renamedText     = Text{"Ваш персонаж %s теперь зовётся %s.", "Your character %s is now called %s."}
)

// alone changes an account while nobody plays on it: sessions are ended before, so that their saves are not lost, and
// once more after, in case a player has come back in between and goes on with an older state.
func (c *call) alone(id data.AccountID, why Notice, change func() error) error {
	if err := c.disconnect(id, why); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	return c.disconnect(id, why)
}

// online reports whether an account has a session, and which character of it is in the world.
func (c *call) online(id data.AccountID) (bool, data.CharacterID) {
	if c.Runtime == nil {
		return false, 0
	}
	return c.Runtime.Online(id)
}

func (c *call) disconnect(id data.AccountID, why Notice) error {
	if online, _ := c.online(id); !online {
		return nil
	}
	if err := c.Runtime.Disconnect(c, id, why); err != nil {
		return fmt.Errorf("disconnect account %d: %w", id, err)
	}
	return nil
}
