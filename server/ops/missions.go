package ops

import (
	"context"

	"sphereserver/data"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Acts on a character's mission. The other two need the world: they are refused while it is not there.
const cancelMission = "cancel"

var missionOrders = map[string]world.MissionOrder{"give": world.OrderToGive, "finish": world.FinishMission,
	cancelMission: world.CancelMission}

// goal is the goal of a mission to give: title without a word.
func (m *MissionDeed) goal() (rules.MissionGoal, bool) {
	if m.Goal == "" {
		return rules.TitleGoal, true
	}
	return rules.MissionGoalOf(m.Goal)
}

var (
	missionOrderText = Text{"Нужно give, finish или cancel, а не %s.", "Expected give, finish or cancel, not %s."}
	missionGoalText  = Text{"Нужна цель title, degree, money или karma, а не %s.",
		"Expected the goal title, degree, money or karma, not %s."}
	missionTexts = map[string]Text{
		"give":        {"Мастер игры дал вам задание.", "A game master has given you a mission."},
		"finish":      {"Мастер игры засчитал ваше задание.", "A game master has finished your mission."},
		cancelMission: {"Мастер игры отменил ваше задание.", "A game master has cancelled your mission."},
	}
)

func (m MissionDeed) check(f *Faults) {
	if _, ok := missionOrders[m.Do]; !ok {
		f.Add("do", missionOrderText, m.Do)
	}
	if _, ok := m.goal(); !ok {
		f.Add("goal", missionGoalText, m.Goal)
	}
}

// orderMission gives a character a mission, finishes the one that it has, or cancels it.
func (c *call) orderMission(m MissionDeed) (Character, error) {
	goal, _ := m.goal()
	return c.changeCharacter(m.CharacterName, func(ch *data.Character) error {
		err := c.change(ch, m.Do, Deed{
			InWorld: func(id world.PlayerID, tag uint64) world.Command {
				return world.OrderMission{ID: id, What: missionOrders[m.Do], Goal: goal, Tag: tag}
			},
			Stored: func(ctx context.Context, ch *data.Character) (rules.Change, error) {
				if m.Do != cancelMission {
					return absent(ctx, ch)
				}
				return c.changeItems(ctx, ch.ID, func(x *rules.InventoryTx, s *rules.Side) rules.RejectReason {
					key := s.At(0, rules.SlotMission)
					if key == nil || key.Class != rules.ClassMission {
						return rules.NoMission
					}
					x.EndMission(s, key.ID)
					return 0
				})
			}})
		if err == nil {
			c.tell(ch.Account, missionTexts[m.Do])
		}
		return err
	})
}
