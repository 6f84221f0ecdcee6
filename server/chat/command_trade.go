package chat

import (
	"math"
	"strconv"

	"sphereserver/server/ops"
	"sphereserver/world"
)

// Words that end a trade, that confirm, and that end an offer in a trade, by [commandKey].
var (
	closeWords   = map[string]bool{"close": true, "end": true, "закончить": true, "конец": true}
	yesWords     = map[string]bool{"yes": true, "да": true, "confirm": true, "подтвердить": true}
	nothingWords = map[string]bool{"nothing": true, "back": true, "убрать": true, "назад": true}
)

// trade begins or ends a trade with a player; the world answers.
func (c *commandContext) trade() (string, error) {
	if closeWords[commandKey(c.word(0))] {
		c.service.Host.Command(world.CloseTrade{ID: c.from.id(), Spoken: true})
		return "", nil
	}
	c.service.Host.Command(world.TradeWithPlayer{ID: c.from.id(), Name: c.rest(0)})
	return "", nil
}

// offer offers an item in a trade, or takes it back; the world answers.
func (c *commandContext) offer() (string, error) {
	o := world.OfferSlot{ID: c.from.id(), Back: nothingWords[commandKey(c.word(1))]}
	var err error
	if o.Slot, err = c.wholeNumber(0, slotNumberText); err != nil {
		return "", err
	}
	if !o.Back {
		price, err := c.wholeNumber(1, priceText)
		if err != nil {
			return "", err
		}
		o.Price = int64(price)
	}
	if o.Count, err = c.countOf(2); err != nil {
		return "", err
	}
	c.service.Host.Command(o)
	return "", nil
}

// buy buys in a trade with a player; the world answers.
func (c *commandContext) buy() (string, error) {
	number, err := c.wholeNumber(0, lotNumberText)
	if err != nil {
		return "", err
	}
	count, err := c.countOf(1)
	if err != nil {
		return "", err
	}
	c.service.Host.Command(world.BuyLot{ID: c.from.id(), TradeSlot: number - 1, Count: count})
	return "", nil
}

// repair asks a smith for the price of a repair, or pays it; the world answers.
func (c *commandContext) repair() (string, error) {
	r := world.Repair{ID: c.from.id(), Asks: c.word(0) == ""}
	word := 0
	if yesWords[commandKey(c.word(0))] {
		word++
	}
	if c.word(word) != "" {
		var err error
		if r.Slot, err = c.wholeNumber(word, slotNumberText); err != nil {
			return "", err
		}
		if r.Slot == 0 {
			return "", UserError(slotNumberText, c.word(word))
		}
	}
	if word++; c.word(word) != "" {
		return "", UserError(oneRepairText, shortName(c.rest(word)))
	}
	c.service.Host.Command(r)
	return "", nil
}

// wholeNumber is the number in a word, from 0 on; what names the expected one.
func (c *commandContext) wholeNumber(word int, what ops.Text) (int, error) {
	n, err := strconv.Atoi(c.word(word))
	if err != nil || n < 0 || n > math.MaxInt32 {
		return 0, UserError(what, shortName(c.word(word)))
	}
	return n, nil
}

// countOf is the count in a word, 0 where the word is missing.
func (c *commandContext) countOf(word int) (int, error) {
	if c.word(word) == "" {
		return 0, nil
	}
	return c.wholeNumber(word, countText)
}

var (
	slotNumberText = text("Нужен номер ячейки инвентаря, от 1, а не «%s».",
		"Expected the number of an inventory slot, from 1, not “%s”.")
	oneRepairText = text("Только /ремонт да или одна ячейка: /ремонт 3; лишнее: «%s».",
		"Only /repair yes, or one slot: /repair 3; too much: “%s”.")
	priceText = text("Нужна цена за штуку, целое число, а не «%s».",
		"Expected a price for each, a whole number, not “%s”.")
	lotNumberText = text("Нужен номер предложения, от 1, а не «%s».", "Expected the number of an offer, from 1, not “%s”.")
	countText     = text("Нужно количество, от 1, а не «%s».", "Expected a count, from 1, not “%s”.")
)
