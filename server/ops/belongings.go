package ops

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/world"
	"sphereserver/world/rules"
)

func (c *call) change(ch *data.Character, detail string, d Deed) error {
	return c.record(ch.Name, detail, func() error {
		_, err := c.do(ch.ID, d)
		return err
	})
}

func (c *call) do(id data.CharacterID, d Deed) (money int64, err error) {
	if c.Runtime != nil {
		return c.Runtime.Change(c, id, d)
	}
	return d.Apply(c, c.Store, id)
}

// Apply does a deed to a stored character that nobody else changes meanwhile.
func (d Deed) Apply(ctx context.Context, s Store, id data.CharacterID) (money int64, err error) {
	c, err := s.CharacterByID(ctx, id)
	if err != nil {
		return 0, err
	}
	change, err := d.Stored(ctx, &c)
	if err == nil {
		_, err = s.Apply(ctx, change)
	}
	money = c.Money
	for _, m := range change.Money {
		money = m.Is
	}
	return money, err
}

var (
	noItemText   = Text{"«%s» не найдено.", "%q was not found."}
	nearItemText = Text{"«%s» не найдено. Может быть, «%s»?", "%q was not found. Did you mean %q?"}
	noSuffixText = Text{"У этого предмета нет такого суффикса.", "This thing has no such suffix."}
	countText    = Text{"Нужно количество от 1 до %d.", "Expected a count from 1 to %d."}
	oneCountText = Text{"Такие предметы выдаются по одному.", "Such things are given one at a time."}
)

func (g *Gift) find(kinds *content.Catalogue) (kind *rules.Kind, suffix int, err error) {
	var f Faults
	found := kinds.Find(g.Item, 1)
	switch {
	case len(found) == 0:
		f.Add("item", noItemText, shortName(g.Item))
		return nil, 0, f
	case found[0].Distance > 0:
		near := found[0].Kind
		f.Add("item", nearItemText, shortName(g.Item), Text{near.Name("ru"), near.Name("en")})
		return nil, 0, f
	}
	kind, suffix = found[0].Kind, found[0].Suffix
	if g.Suffix != nil {
		suffix = *g.Suffix
	}
	if suffix != rules.NoSuffix && kinds.Suffix(kind, suffix) == nil {
		f.Add("suffix", noSuffixText)
	}
	switch most := max(1, kind.Stack); {
	case g.count() >= 1 && g.count() <= most:
	case most == 1:
		f.Add("count", oneCountText)
	default:
		f.Add("count", countText, most)
	}
	return kind, suffix, f.Err()
}

func (g *Gift) count() int {
	if g.Count == nil {
		return 1
	}
	return *g.Count
}

// maxItemName, in characters, bounds a search in the catalogue.
const maxItemName = 100

func (g Gift) check(f *Faults) {
	switch n := utf8.RuneCountInString(g.Item); {
	case strings.TrimSpace(g.Item) == "":
		f.Add("item", emptyText)
	case n > maxItemName:
		f.Add("item", longText, maxItemName, n)
	}
}

// numbered takes the number of a token or key from the end of the item's name, as in "Token №1801"; 0 for none.
func (g Gift) numbered() (Gift, uint16) {
	for _, sign := range []string{"№", "#"} {
		name, digits, ok := strings.Cut(g.Item, sign)
		if n, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 16); ok && err == nil {
			g.Item = strings.TrimSpace(name)
			return g, uint16(n)
		}
	}
	return g, 0
}

func (c *call) giveItem(g Gift) (Gave, error) {
	count := g.count()
	ch, _, err := c.character(g.CharacterName)
	if err != nil {
		return Gave{}, err
	}
	kinds := c.kinds()
	g, number := g.numbered()
	kind, suffix, err := g.find(kinds)
	if err != nil {
		return Gave{}, err
	}
	var extra []byte
	called := ""
	if number != 0 {
		if extra = kind.Numbered(number); extra == nil {
			return Gave{}, Reject(rules.NoKind)
		}
		called = fmt.Sprintf(" №%d", number)
	}
	with := kinds.Suffix(kind, suffix)
	detail := thingText(count, kind.FullName(with, "en")+called, kind.ID, suffix)
	err = c.change(&ch, detail, Deed{
		InWorld: func(id world.PlayerID, tag uint64) world.Command {
			return world.Give{To: id, Kind: kind.ID, Suffix: suffix, Count: count, Extra: extra, Tag: tag}
		},
		Stored: func(ctx context.Context, to *data.Character) (rules.Change, error) {
			return c.changeItems(ctx, to.ID, func(x *rules.InventoryTx, s *rules.Side) rules.RejectReason {
				_, why := kinds.Give(x, s, kind.ID, suffix, count, extra)
				return why
			})
		}})
	name := Text{kind.FullName(with, "ru") + called, kind.FullName(with, "en") + called}
	if err == nil {
		c.tell(ch.Account, givenText, name, count)
	}
	return Gave{ch.Name, name, count}, err
}

// Notices to players about changes of their belongings and levels.
var (
	givenText      = Text{"Вам дали: %s x %d.", "You were given: %s x %d."}
	takenText      = Text{"Ваши вещи уничтожены.", "Your things were destroyed."}
	takenThingText = Text{"У вас забрали: %s.", "This was taken from you: %s."}
	moneyText      = Text{"Ваши деньги изменены: теперь у вас %d.", "Your money was changed: you have %d coins now."}
	pointsText     = Text{"Ваши свободные очки изменены: титул %d, степень %d.",
		"Your points to spend were changed: title %d, degree %d."}
	levelsText = Text{"Ваши уровни изменены: титул %d, степень %d.", "Your levels were changed: title %d, degree %d."}
)

// changeItems changes the items of a stored character, by the rules of the world.
func (c *call) changeItems(
	ctx context.Context, of data.CharacterID, do func(x *rules.InventoryTx, s *rules.Side) rules.RejectReason,
) (rules.Change, error) {
	items, err := c.Store.Items(ctx, of)
	if err != nil {
		return rules.Change{}, err
	}
	carried := rules.NewInventory(rules.Inventory{Owner: int64(of)}, items)
	var x rules.InventoryTx
	if why := do(&x, x.Side(&carried)); why != 0 {
		return rules.Change{}, Reject(why)
	}
	return rules.Change{Items: x.Changes()}, nil
}

var noThingText = Text{"У %s нет такого предмета.", "%s has no such thing."}

// clearItems destroys items of a character: its inventory, or all, or one thing.
func (c *call) clearItems(r Clearing) (Character, error) {
	deed := Deed{
		InWorld: func(id world.PlayerID, tag uint64) world.Command {
			return world.Clear{ID: id, All: r.All, Item: r.Item, Tag: tag}
		},
		Stored: func(ctx context.Context, of *data.Character) (rules.Change, error) {
			return c.changeItems(ctx, of.ID, func(x *rules.InventoryTx, s *rules.Side) rules.RejectReason {
				_, why := x.Clear(s, r.All, r.Item)
				return why
			})
		}}
	return c.changeCharacter(r.CharacterName, func(ch *data.Character) error {
		detail, told, what := "inventory", takenText, []any(nil)
		switch {
		case r.Item != 0:
			items, err := c.Store.Items(c, ch.ID)
			if err != nil {
				return err
			}
			i := slices.IndexFunc(items, func(i rules.Item) bool { return i.ID == r.Item })
			if i < 0 {
				return refuse(data.ErrNotFound, noThingText, ch.Name)
			}
			name, id := c.nameOf(&items[i])
			detail = thingText(items[i].Count, name.English, id, items[i].Suffix)
			told, what = takenThingText, []any{name}
		case r.All:
			detail = "all"
		}
		err := c.change(ch, detail, deed)
		if err == nil {
			c.tell(ch.Account, told, what...)
		}
		return err
	})
}

// nameOf is the name of a thing and the number of its kind.
func (c *call) nameOf(i *rules.Item) (name Text, kind int) {
	k := c.kinds().KindOf(i)
	if k == nil {
		return Text{"неизвестный предмет", "unknown thing"}, 0
	}
	with := c.kinds().Suffix(k, i.Suffix)
	return Text{k.FullName(with, "ru"), k.FullName(with, "en")}, k.ID
}

// thingText is the text of the audit trail about things that come or go.
func thingText(count int, name string, kind, suffix int) string {
	return fmt.Sprintf("%d × %s (%d, suffix %d)", count, name, kind, suffix)
}

var (
	amountText = Text{"Нужна сумма от -2147483647 до 2147483647, а не %d.",
		"expected an amount from -2147483647 to 2147483647, found %d"}
	moneyRangeText = Text{"Денег может быть от 0 до 2147483647; сейчас %d.",
		"Money is from 0 to 2147483647; now it is %d."}
)

func (m Money) check(f *Faults) {
	if m.Amount < -math.MaxInt32 || m.Amount > math.MaxInt32 {
		f.Add("amount", amountText, m.Amount)
	}
}

// setMoney gives a character an amount of money, or as much more or less; the answer has its money then.
func (c *call) setMoney(m Money) (Character, error) {
	detail := fmt.Sprintf("set to %d", m.Amount)
	if m.Relative {
		detail = fmt.Sprintf("%+d", m.Amount)
	}
	return c.changeCharacter(m.CharacterName, func(ch *data.Character) error {
		err := c.record(ch.Name, detail, func() (err error) {
			ch.Money, err = c.changeMoney(ch.ID, m)
			return err
		})
		if err == nil {
			c.tell(ch.Account, moneyText, ch.Money)
		}
		return err
	})
}

// by is how much a character gets that has so much.
func (m Money) by(has int64) int64 {
	if m.Relative {
		return m.Amount
	}
	return m.Amount - has
}

// changeMoney tries again while a character in the world gets or spends money.
func (c *call) changeMoney(id data.CharacterID, m Money) (int64, error) {
	for {
		ch, err := c.Store.CharacterByID(c, id) // in the world it has as much, except for changes under way
		if err != nil {
			return 0, err
		}
		was := ch.Money
		has, err := c.do(id, Deed{
			InWorld: func(id world.PlayerID, tag uint64) world.Command {
				return world.GiveMoney{To: id, Amount: m.by(ch.Money), Tag: tag}
			},
			Stored: func(_ context.Context, ch *data.Character) (rules.Change, error) {
				was = ch.Money
				by := m.by(was)
				if why := rules.MayGain(was, by); why != 0 {
					return rules.Change{}, Reject(why)
				}
				return rules.Change{Money: []rules.MoneyChange{{Character: int64(ch.ID), Was: was, Is: was + by}}}, nil
			}})
		why := RejectedBy(err)
		outOfRange := why == rules.TooPoor || why == rules.TooRich
		switch {
		case err == nil && (m.Relative || has == m.Amount):
			return has, nil
		case err == nil, outOfRange && !m.Relative && m.Amount >= 0 && m.Amount <= rules.MaxMoney:
			if err := c.Err(); err != nil {
				return was, err
			}
			continue // it has got or spent something meanwhile
		case outOfRange:
			return was, &Refusal{Kind: ErrRejected, Text: moneyRangeText, Args: []any{was}, Why: why}
		}
		return was, err
	}
}

var levelText = Text{"Нужен уровень от 1 до %d, а не %d.", "Expected a level from 1 to %d, not %d."}

func (l Levels) check(f *Faults) {
	if l.Title == nil && l.Degree == nil {
		f.Add("title", noLevelText)
	}
	for _, of := range []struct {
		field string
		level *Ordinal
	}{{"title", l.Title}, {"degree", l.Degree}} {
		if v := of.level; v != nil && (*v < 0 || int(*v) > rules.MaxLevel) {
			f.Add(of.field, levelText, rules.MaxLevel+1, *v+1)
		}
	}
}

// setLevels gives a character levels, without experience towards the next. Spent points stay spent; they are not
// taken back.
func (c *call) setLevels(l Levels) (Character, error) {
	return c.changeCharacter(l.CharacterName, func(ch *data.Character) error {
		if l.Title != nil {
			ch.TitleLevel = int(*l.Title)
		}
		if l.Degree != nil {
			ch.DegreeLevel = int(*l.Degree)
		}
		title, degree := ch.TitleLevel, ch.DegreeLevel
		err := c.change(ch, fmt.Sprintf("title %d, degree %d", title+1, degree+1), Deed{
			InWorld: func(id world.PlayerID, tag uint64) world.Command {
				return world.SetLevels{ID: id, Title: title, Degree: degree, Tag: tag}
			},
			Stored: func(ctx context.Context, ch *data.Character) (rules.Change, error) {
				return c.relevel(ctx, ch, title, degree)
			}})
		if err == nil {
			c.tell(ch.Account, levelsText, title+1, degree+1)
		}
		return err
	})
}

var (
	pointsRangeText = Text{"Нужно число очков от 0 до %d, а не %d.", "Expected a number of points from 0 to %d, not %d."}
	noPointsText    = Text{"Нужны очки титула, степени или обоих.", "Expected points of title, degree or both."}
	noLevelText     = Text{"Нужен уровень титула, степени или обоих.", "Expected a level of title, degree or both."}
)

func (p Points) check(f *Faults) {
	if p.Title == nil && p.Degree == nil {
		f.Add("title", noPointsText)
	}
	for i, points := range []*int{p.Title, p.Degree} {
		if points != nil && (*points < 0 || *points > rules.MaxPoints) {
			f.Add([]string{"title", "degree"}[i], pointsRangeText, rules.MaxPoints, *points)
		}
	}
}

// setPoints gives a character points to spend; the answer has its points then.
func (c *call) setPoints(p Points) (left PointsLeft, err error) {
	_, err = c.changeCharacter(p.CharacterName, func(ch *data.Character) error {
		title, degree := -1, -1
		if p.Title != nil {
			title = *p.Title
		}
		if p.Degree != nil {
			degree = *p.Degree
		}
		is, _ := ch.Progress.WithPoints(title, degree)
		err := c.change(ch, fmt.Sprintf("title %d, degree %d", is.TitlePoints, is.DegreePoints), Deed{
			InWorld: func(id world.PlayerID, tag uint64) world.Command {
				return world.SetPoints{ID: id, Title: title, Degree: degree, Tag: tag}
			},
			Stored: func(_ context.Context, ch *data.Character) (rules.Change, error) {
				is, why := ch.Progress.WithPoints(title, degree)
				if why != 0 {
					return rules.Change{}, Reject(why)
				}
				next := ch.NextProgress()
				next.Progress = is
				return rules.Change{Progress: []rules.ProgressChange{next}}, nil
			}})
		left = PointsLeft{ch.Name, is.TitlePoints, is.DegreePoints}
		if err == nil {
			c.tell(ch.Account, pointsText, is.TitlePoints, is.DegreePoints)
		}
		return err
	})
	return left, err
}

// healCharacter gives a living character all HP and MP that it can have.
func (c *call) healCharacter(n CharacterName) (Character, error) {
	return c.restore(n, healedText, false, func(id world.PlayerID, tag uint64) world.Command {
		return world.Heal{ID: id, Tag: tag}
	})
}

// reviveCharacter revives a dead character where it lies, with all its HP.
func (c *call) reviveCharacter(n CharacterName) (Character, error) {
	return c.restore(n, revivedText, true, func(id world.PlayerID, tag uint64) world.Command {
		return world.Revive{ID: id, Tag: tag}
	})
}

var (
	healedText  = Text{"Вас исцелил мастер игры.", "A game master has healed you."}
	revivedText = Text{"Вас воскресил мастер игры.", "A game master has revived you."}
)

// restore gives back the HP of a dead character, or HP and MP of a living one.
func (c *call) restore(
	n CharacterName, message Text, dead bool, inWorld func(world.PlayerID, uint64) world.Command,
) (Character, error) {
	return c.changeCharacter(n, func(ch *data.Character) error {
		err := c.change(ch, "", Deed{InWorld: inWorld,
			Stored: func(ctx context.Context, ch *data.Character) (rules.Change, error) {
				switch is := ch.HP <= 0; {
				case is && !dead:
					return rules.Change{}, Reject(rules.Dead)
				case !is && dead:
					return rules.Change{}, Reject(rules.Alive)
				}
				items, err := c.Store.Items(ctx, ch.ID)
				derived, next := c.derive(ch, items), ch.NextProgress()
				pools := derived.Limit(next.Pools, c.fed())
				if pools.HP = pools.MaxHP; !dead {
					pools.MP = pools.MaxMP
				}
				next.Pools = pools
				return rules.Change{Progress: []rules.ProgressChange{next}}, err
			}})
		if err == nil {
			c.tell(ch.Account, message)
		}
		return err
	})
}

// relevel gives a stored character levels, less one; HP and MP are cut to their maxima then.
func (c *call) relevel(ctx context.Context, ch *data.Character, title, degree int) (rules.Change, error) {
	items, err := c.Store.Items(ctx, ch.ID)
	if err != nil {
		return rules.Change{}, err
	}
	is := ch.NextProgress()
	is.Title, is.Degree = title, degree
	is.Progress = c.kinds().Relevel(ch.Progress, ch.TitleLevel, ch.DegreeLevel, title, degree)
	then := *ch
	then.SetProgress(&is)
	derived := c.derive(&then, items)
	is.Pools = derived.Limit(is.Pools, c.fed())
	return rules.Change{Progress: []rules.ProgressChange{is}}, nil
}
