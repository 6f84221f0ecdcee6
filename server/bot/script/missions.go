package script

import (
	"time"

	"go.starlark.net/starlark"

	"sphereserver/server/bot"
	"sphereserver/world/rules"
)

var missionGoals = [...]rules.MissionGoal{rules.TitleGoal, rules.DegreeGoal, rules.MoneyGoal, rules.KarmaGoal}

// isTarget reports whether a monster is the target of the character's mission.
func isTarget(c *bot.Client, o *bot.Object) bool {
	key := c.MissionKey()
	return key != nil && o.Name == key.Target.Name
}

// asksEvery is how long a player that was given no mission waits before it asks again.
const asksEvery = 5 * time.Second

// takeMission asks for a mission until one is given.
func takeMission(p *player, a *args) error {
	for giveUp := time.Now().Add(p.runner.patience); ; {
		if err := openTrade(p, a); err != nil {
			return err
		}
		err := p.answered(p.reachLandmark(a,
			func(c *bot.Client, o *bot.Object) error { return c.AskForMission(o.ID, a.goal) }))
		if err == nil {
			err = p.do((*bot.Client).CloseTrade)
		}
		if err != nil {
			return err
		}
		has, err := p.within(asksEvery, func(c *bot.Client) bool { return c.MissionKey() != nil })
		switch {
		case has || err != nil && p.client == nil:
			return err
		case err != nil || time.Now().After(giveUp):
			return p.failure(say("to be given a mission", "получить задание"), quest, err)
		}
	}
}

// quest describes the character's mission in words.
func quest(c *bot.Client) Text {
	if key := c.MissionKey(); key != nil {
		return say("has the mission %s, and %s", "имеет задание %s и %s", key.Target.Template[:], monsters(c))
	}
	return say("has no mission", "не имеет задания")
}

// mission gives the template of the mission that the character has.
func mission(c *bot.Client, _ *args) starlark.Value {
	if key := c.MissionKey(); key != nil {
		return starlark.String(key.Target.Template[:])
	}
	return starlark.None
}

func hasNoMission(p *player, _ *args) error {
	return p.until(say("to have no mission", "не иметь задания"),
		func(c *bot.Client) bool { return c.MissionKey() == nil }, quest)
}

// enterDungeon uses the entrance in sight that the key of the mission opens.
func enterDungeon(p *player, _ *args) error {
	entrance := func(c *bot.Client) *bot.Object {
		key := c.MissionKey()
		return c.First(func(o *bot.Object) bool {
			return key != nil && o.Class == rules.ClassMissionEntrance && o.Number == key.Number
		})
	}
	err := p.reach(say("the entrance of the mission's dungeon", "вход в подземелье задания"), entrance, surroundings,
		func(c *bot.Client, o *bot.Object) error { return c.Use(o.ID) })
	if err != nil {
		return err
	}
	return p.until(say("to be in a dungeon", "быть в подземелье"), inDungeon, surroundings)
}

func inDungeon(c *bot.Client) bool { return rules.AmongInstances(c.Position) }

// leaveDungeon goes to the way out, and uses it.
func leaveDungeon(p *player, _ *args) error {
	door := func(c *bot.Client) *bot.Object {
		return c.First(func(o *bot.Object) bool { return o.Class == rules.ClassDoorOut && inDungeon(c) })
	}
	at := &args{}
	what := say("a way out of a dungeon", "выход из подземелья")
	err := p.reach(what, door, surroundings, func(c *bot.Client, o *bot.Object) error {
		to := o.Position
		to.Y = c.Position.Y
		at.at = &to
		return nil
	})
	if err == nil {
		err = walkTo(p, at)
	}
	if err == nil {
		err = p.reach(say("a way out of a dungeon", "выход из подземелья"), door, surroundings,
			func(c *bot.Client, o *bot.Object) error { return c.Use(o.ID) })
	}
	if err != nil {
		return err
	}
	return p.until(say("to be out of the dungeon", "выйти из подземелья"),
		func(c *bot.Client) bool { return !inDungeon(c) }, surroundings)
}
