package chat

import (
	"slices"
	"strings"

	"sphereserver/server/ops"
)

// motd shows, sets or ends the message of the day.
func (c *commandContext) motd() (string, error) {
	var m ops.Motd
	var err error
	switch {
	case len(c.words) == 0:
		m, err = perform(c, ops.ShowMotd, ops.Empty{})
	case len(c.words) == 1 && slices.Contains(endWords, commandKey(c.word(0))):
		m, err = perform(c, ops.EndMotd, ops.Empty{})
	default:
		m, err = perform(c, ops.SetMotd, ops.MotdText{Text: c.rest(0)})
	}
	if m.Text == "" {
		return c.say("Сообщения дня нет.", "There is no message of the day."), err
	}
	return c.say("Сообщение дня: %s", "The message of the day: %s", m.Text), err
}

// maintenance shows, begins or ends maintenance.
func (c *commandContext) maintenance() (string, error) {
	var m ops.Maintenance
	var err error
	switch word := commandKey(c.word(0)); {
	case word == "":
		m, err = perform(c, ops.ShowMaintenance, ops.Empty{})
	case word == "вкл" || word == "on":
		m, err = perform(c, ops.BeginMaintenance, ops.MaintenanceOrder{Admit: c.words[1:]})
	case slices.Contains(endWords, word) && len(c.words) == 1:
		m, err = perform(c, ops.EndMaintenance, ops.Empty{})
	default:
		return "", UserError(onOffText, shortName(c.rest(0)))
	}
	switch {
	case !m.On:
		return c.say("Работ нет: войти могут все.", "No maintenance: everybody gets in."), err
	case len(m.Admit) == 0:
		return c.say("Идут работы: войти могут только операторы.", "Maintenance: only operators get in."), err
	}
	return c.say("Идут работы: войти могут операторы и %s.", "Maintenance: operators and %s get in.",
		strings.Join(m.Admit, ", ")), err
}

var onOffText = text("Нужно вкл или выкл, а не «%s».", "expected on or off, found %q")
