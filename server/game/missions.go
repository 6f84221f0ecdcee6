package game

import (
	"fmt"
	"strings"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// missionRequest asks for a mission. How the window says its choice is not known: the two low bits of the first byte
// are taken for the goal, and a goal that is not offered for one that is. All of it is kept, so that the first client
// that asks can settle it.
//
// Source: protocol life 4.3; the reading is ours.
func (s *player) missionRequest(about *packets.Section, c *packets.MissionRequest) {
	k, ok := s.client.IDs.Lookup(about.Object)
	if !ok || len(c.Data) == 0 || k.Object == 0 {
		s.unknown(rules.NoGiver)
		return
	}
	s.Unknown(about.Class, "ContMan 15", c.Data)
	s.want(world.Mission{ID: s.id(), Word: world.TakeMission, Giver: k.Object, Goal: rules.MissionGoal(c.Data[0] & 3)})
}

// farTexts name the person or place that is too far away, for requests by chat.
var farTexts = map[world.MissionWord]ops.Text{
	world.ShowMission: farGiverText, world.TakeMission: farGiverText,
	world.EnterDungeon: text("Слишком далеко: подойдите ко входу или к тому, кто дал задание.",
		"Too far away: come near the entrance or the giver of the mission."),
	world.HandOver: text("Слишком далеко: подойдите к тому, кто ждёт этого. Где он: /задание.",
		"Too far away: come near the person that waits for it. Where: /mission."),
}

var farGiverText = text("Слишком далеко: подойдите к тому, кто даёт задания. Где он: /куда.",
	"Too far away: come near the giver of missions. Where: /guide.")

// missionRefused tells a player why it gets no mission or rank, in texts of its client.
func (s *Server) missionRefused(e world.Refused) bool {
	switch c := e.Command.(type) {
	case world.Mission:
		if t, ok := farTexts[c.Word]; ok && c.Aloud && e.Why == rules.TooFar {
			s.post(e.ID, func(p *player) { p.Tell(t) })
			return true
		}
		return c.Word == world.TakeMission && s.view.MissionRefused(e.ID, e.Why, e.Limit)
	case world.Guild, world.OpenTrade:
		return s.view.GuildRefused(e.ID, e.Why, e.Limit)
	}
	return false
}

var (
	offersText = text("Здесь дают задания: %s. Возьмите: /задание взять ЦЕЛЬ.",
		"Missions are given here for: %s. Take one: /mission take GOAL.")
	insideText = text("Идите ко входу (%.0f %.0f) и используйте его или скажите там /задание войти.",
		"Go to the entrance (%.0f %.0f) and use it, or say /mission enter there.")
	sendsText = text("Вернитесь к тому, кто дал задание, и скажите /задание войти.",
		"Go back to who gave it and say /mission enter.")
	backText    = text("Отнесите тому, кто дал задание (%.0f %.0f).", "Bring it to who gave the mission (%.0f %.0f).")
	personText  = text("Отдайте посылку: (%.0f %.0f).", "Hand the parcel over (%.0f %.0f).")
	outsideText = text("Ищите у точки (%.0f %.0f).", "Look around (%.0f %.0f).")
	outText     = text("Идёт за вами: ведите к выходу.", "Follows you: lead him to the way out.")
	guideText   = text("Идёт за вами: ведите к телепорту.", "Follows you: lead him to a teleport.")
	leftText    = text("Уровень %d, награда: %s, осталось минут: %d.", "Level %d, reward: %s, minutes left: %d.")
)

// missionShown tells a player its mission, or the offers of a giver.
func (s *player) missionShown(e world.MissionShown) {
	language := s.language()
	if g := e.Giver; g != nil {
		var goals []string
		for i, offered := range g.Goals {
			if offered {
				goals = append(goals, rules.MissionGoal(i).Name(language))
			}
		}
		s.Tell(offersText, strings.Join(goals, ", "))
		return
	}
	m := &e.Mission
	monster := ""
	if row := s.server.options.World.Tables.Monster(m.Type); row != nil {
		monster = row.Name(language)
	}
	for i := range s.server.options.World.Missions {
		if t := &s.server.options.World.Missions[i]; t.Key == m.Template {
			s.Say(strings.NewReplacer("MONSTER", monster, "PERSON", personOf(m, s.Russian), "THINGS", s.thingsOf(m, language)).
				Replace(t.Text.In(language)))
		}
	}
	switch {
	case m.Kind() == rules.Collect, m.Returns() && e.Parcel:
		s.Tell(backText, m.Back.X, m.Back.Z)
	case m.Kind() == rules.BringParcel:
		s.Tell(personText, m.At.X, m.At.Z)
	case !m.Inside():
		s.Tell(outsideText, m.At.X, m.At.Z)
	case m.Sends:
		s.Tell(sendsText)
	default:
		s.Tell(insideText, m.At.X, m.At.Z)
	}
	s.Tell(leftText, m.Level, m.Goal.Name(language), int(max(e.Left, 0)/time.Minute))
	if m.Guild != 0 {
		s.Tell(taskText, rules.GuildName(m.Guild, language), m.Rank+1)
	}
}

// missionEnded shows a player that its mission has ended without a reward. The client has a text for one whose time is
// over, but none for one that was given up.
func (s *Server) missionEnded(e world.MissionEnded) {
	s.view.MissionEnded(e)
	if e.News == world.MissionGivenUp {
		s.post(e.ID, func(s *player) { s.Tell(text("Вы бросили задание.", "You have given the mission up.")) })
	}
}

var (
	taskText = text("Это задание гильдии: %s, ранг %d из 6.", "This is the task of a guild: %s, rank %d of 6.")
	rankText = text("Вы в гильдии: %s, ранг %d из 6. Знак и умения надеты.",
		"You are in a guild: %s, rank %d of 6. Its emblem and abilities are in place.")
	ownGuildText = text("Ваша гильдия: %s, ранг %d из 6. Ранги даёт её глава.",
		"Your guild: %s, rank %d of 6. Its master gives ranks.")
	masterText = text("Глава гильдии: %s. Для ранга %d из 6 нужно: титул %d, степень %d.",
		"The master of a guild: %s. Rank %d of 6 needs: title %d, degree %d.")
	riseText = text("Попросите ранг: /гильдия ранг.", "Ask for the rank: /guild rise.")
)

// guildChanged shows a player its rank in a guild.
func (s *Server) guildChanged(e world.GuildChanged) {
	s.view.GuildChanged(e)
	if e.Guild != 0 {
		s.post(e.ID, func(s *player) { s.Tell(rankText, rules.GuildName(e.Guild, s.language()), e.Rank+1) })
	}
}

// guildShown tells a player of its guild, and the price of the next rank from a master.
func (s *player) guildShown(e world.GuildShown) {
	p := &e.Progress
	if p.Guild != 0 {
		s.Tell(ownGuildText, rules.GuildName(p.Guild, s.language()), p.GuildRank+1)
	}
	if e.Guild == 0 {
		return
	}
	switch rank, why := rules.NextRank(e.Guild, e.Title, e.Degree, p); why {
	case rules.OtherGuild, rules.GuildTop:
		s.Tell(thingRefusals[why])
	default:
		title, degree := rules.GuildNeeds(e.Guild, rank)
		if s.Tell(masterText, rules.GuildName(e.Guild, s.language()), rank+1, max(title, 1), max(degree, 1)); why == 0 {
			s.Tell(riseText)
		}
	}
}

// language is the language in which the server speaks to a player.
func (s *player) language() string {
	if s.Russian {
		return "ru"
	}
	return "en"
}

// passNews are the texts about missions that are passed on; %s is the other player.
var passNews = map[world.PassNews]ops.Text{
	world.PassOffered: text("Вы предлагаете задание: %s. Ждём ответа.",
		"You offer the mission to %s, which has to answer."),
	world.PassAsked: text("%s предлагает вам своё задание. Ответьте /задание принять или /задание отказаться.",
		"%s offers you a mission. Answer /mission accept or /mission decline."),
	world.PassDone:     text("Вы передали задание: %s.", "You have passed the mission on: %s."),
	world.PassGot:      text("Вам передаёт задание %s.", "%s passes a mission on to you."),
	world.PassDeclined: text("%s не берёт ваше задание.", "%s does not take your mission."),
	world.PassExpired:  text("%s не отвечает, возьмёт ли задание.", "%s does not answer whether it takes the mission."),
}

// missionPassed tells a player how the passing on of a mission goes.
func (s *player) missionPassed(e world.MissionPassed) {
	s.Tell(passNews[e.News], e.Name)
	if e.News == world.PassAsked {
		s.Tell(leftText, e.Mission.Level, e.Mission.Goal.Name(s.language()), int(max(e.Left, 0)/time.Minute))
	}
}

// follows tells a player where to lead its follower.
func (s *player) follows(e world.Follows) {
	if e.Inside {
		s.Tell(outText)
		return
	}
	s.Tell(guideText)
}

// personOf names the person that is to get the parcel of a mission.
func personOf(m *rules.Mission, russian bool) string {
	for _, t := range content.NPCs() {
		if t.Name == m.Target && t.Position.Distance(m.At) < 1 {
			return t.Role(russian)
		}
	}
	return ""
}

// thingsOf names the things that a mission wants.
func (s *player) thingsOf(m *rules.Mission, language string) string {
	if k := s.server.options.World.Tables.Kind(m.Wants); k != nil {
		return fmt.Sprintf("%s, %d", k.Name(language), m.Count)
	}
	return ""
}

// entranceOf is the place of a character that was in a dungeon when a server ended: the entrance, if the character
// carries the key of a mission there.
func entranceOf(items []rules.Item, otherwise coords.Position) coords.Position {
	for i := range items {
		if m, ok := rules.MissionOf(&items[i]); ok && m.Inside() {
			return m.At
		}
	}
	return otherwise
}
