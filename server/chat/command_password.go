package chat

import "sphereserver/data"

var (
	passwordDoneText = text("Пароль изменён. В следующий раз входите с новым.",
		"The password is changed: log in with the new one next time.")
	passwordTwiceText = text("Новый пароль повторён не так же.", "The new password is not the same both times.")
	passwordRuleText  = text("Таким пароль быть не может: нужно от 1 до %d знаков, которые есть у клиента.",
		"That cannot be a password: 1 to %d characters that the client has are needed.")
)

// password changes the password of the player's account.
func (c *commandContext) password() (string, error) {
	password := c.word(1)
	switch {
	case len(c.words) != 3 || password != c.word(2):
		return "", UserError(passwordTwiceText)
	case data.CheckPassword(password) != nil:
		return "", UserError(passwordRuleText, data.MaxPasswordLen)
	}
	if err := c.from.Speaker.ChangePassword(c, c.word(0), password); err != nil {
		return "", err
	}
	return passwordDoneText.In(c.russian), nil
}
