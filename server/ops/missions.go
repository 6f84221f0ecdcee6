package ops

import (
	"context"
	"slices"
	"strings"

	"sphereserver/data"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Acts on a character's mission. The other two need the world: they are refused while it is not there.
const (
	giveMission   = "give"
	cancelMission = "cancel"
)

var missionOrders = map[string]world.MissionOrder{giveMission: world.OrderToGive, "finish": world.FinishMission,
	cancelMission: world.CancelMission}

// Want adds a word about the mission to give: a goal, or a key of the table of missions, which has digits.
func (m *MissionDeed) Want(word string) {
	if strings.ContainsAny(word, "0123456789") {
		m.Template = word
	} else {
		m.Goal = word
	}
}

// goal is the goal of a mission to give: title without a word.
func (m *MissionDeed) goal() (rules.MissionGoal, bool) {
	if m.Goal == "" {
		return rules.TitleGoal, true
	}
	return rules.MissionGoalOf(m.Goal)
}

// template is the template of a mission to give, nil for any. Without a word about the goal it is for its first one.
func (c *call) template(m *MissionDeed) (*rules.MissionTemplate, error) {
	if m.Template == "" || c.Runtime == nil {
		return nil, nil
	}
	var known []string
	for _, t := range c.Runtime.Missions() {
		if strings.EqualFold(t.Key, m.Template) {
			return &t, nil
		}
		known = append(known, t.Key)
	}
	return nil, notFound("mission template", m.Template, known)
}

var (
	missionOrderText = Text{"Нужно give, finish или cancel, а не %s.", "Expected give, finish or cancel, not %s."}
	missionGoalText  = Text{"Нужна цель title, degree, money или karma или шаблон вроде k001, а не %s.",
		"Expected the goal title, degree, money or karma, or a template like k001, not %s."}
	missionTemplateText = Text{"Шаблон %s нужен только для give.", "A template, here %s, is for give only."}
	missionAimText      = Text{"Цель %s нужна только для give.", "A goal, here %s, is for give only."}
	missionTexts        = map[string]Text{
		giveMission:   {"Мастер игры дал вам задание.", "A game master has given you a mission."},
		"finish":      {"Мастер игры засчитал ваше задание.", "A game master has finished your mission."},
		cancelMission: {"Мастер игры отменил ваше задание.", "A game master has cancelled your mission."},
	}
)

func (m MissionDeed) check(f *Faults) {
	_, known := missionOrders[m.Do]
	_, ok := m.goal()
	switch {
	case m.Do == "":
		f.Add("do", emptyText)
	case !known:
		f.Add("do", missionOrderText, shortName(m.Do))
	case !ok:
		f.Add("goal", missionGoalText, shortName(m.Goal))
	case m.Do != giveMission && m.Template != "":
		f.Add("template", missionTemplateText, shortName(m.Template))
	case m.Do != giveMission && m.Goal != "":
		f.Add("goal", missionAimText, m.Goal)
	}
}

// orderMission gives a character a mission, finishes the one that it has, or cancels it.
func (c *call) orderMission(m MissionDeed) (Character, error) {
	goal, _ := m.goal()
	template, err := c.template(&m)
	if err != nil {
		return Character{}, err
	}
	key, detail := "", m.Do
	if template != nil {
		key, detail = template.Key, m.Do+" "+template.Key
		if first := slices.Index(template.Goals[:], true); m.Goal == "" && first > 0 {
			goal = rules.MissionGoal(first)
		}
	}
	return c.changeCharacter(m.CharacterName, func(ch *data.Character) error {
		err := c.change(ch, detail, Deed{
			InWorld: func(id world.PlayerID, tag uint64) world.Command {
				return world.OrderMission{ID: id, What: missionOrders[m.Do], Goal: goal, Template: key, Tag: tag}
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
