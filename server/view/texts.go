package view

import (
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A TextNumber is the number of a text that the client has in its own language. It is always better than words of
// ours, which know two languages.
//
// Source: protocol life 1.6.
type TextNumber uint16

// These are all the texts that the server sends by their numbers.
const (
	TextNoMission      TextNumber = 66 // the reason follows
	TextTitleTooLow    TextNumber = 67 // with the level, as those that follow
	TextTitleTooHigh   TextNumber = 68
	TextDegreeTooLow   TextNumber = 69
	TextDegreeTooHigh  TextNumber = 70
	TextKarmaTooLow    TextNumber = 71
	TextKarmaTooGood   TextNumber = 72
	TextFulfilled      TextNumber = 73
	TextMission        TextNumber = 75 // you have got one
	TextWrongKey       TextNumber = 76
	TextMissionOver    TextNumber = 77
	TextBusyTrader     TextNumber = 172 // that player is busy and cannot trade with you
	TextMissionOften   TextNumber = 173
	TextNotFulfilled   TextNumber = 80  // the mission, yet
	TextNoRoomForThing TextNumber = 81  // of the mission
	TextNotHere        TextNumber = 101 // this cannot be put there
	TextInBag          TextNumber = 102 // to use it put it into the inventory
	TextNoMoney        TextNumber = 105
	TextNotForYou      TextNumber = 106 // you cannot take this
	TextUseTitle       TextNumber = 110 // cannot be used, title too low
	TextUseDegree      TextNumber = 111 // cannot be used, degree too low
	TextKarmaTooBad    TextNumber = 112
	TextCannotTakeKey  TextNumber = 113 // he cannot take this mission key
	TextUseGuild       TextNumber = 119 // wrong guild, or rank too low
	TextCannotUse      TextNumber = 185
	TextTooSoon        TextNumber = 298
	TextDeadlyWrath    TextNumber = 754
	TextWrath          TextNumber = 755
	TextStatsReset     TextNumber = 850
	TextAlreadyReset   TextNumber = 851
	TextNoCharacter    TextNumber = 857
	TextNoCommand      TextNumber = 859 // not available
	TextGuildClosed    TextNumber = 940 // the guild is closed to you
	TextGuildTop       TextNumber = 941 // already of the last rank
	TextGuildJoin      TextNumber = 942
	TextGuildRank      TextNumber = 943 // get the next rank
	TextTooManyLines   TextNumber = 971
	TextNoRight        TextNumber = 973
	TextNoClan         TextNumber = 990
	TextNoParty        TextNumber = 991
	TextNeedsKey       TextNumber = 10032 // to enter the room use the right key on its door
	TextContainerFull  TextNumber = 10035 // containers that are not empty cannot be sold
	TextGuildFirst     TextNumber = 10045
	TextNotSixty       TextNumber = 10049
	TextGreatest       TextNumber = 10050
	TextPersonal       TextNumber = 10058 // personal things cannot be sold
	TextNotYours       TextNumber = 10059
	TextPassedTooLate  TextNumber = 10077 // time for passing the mission key on is over
	TextReturned       TextNumber = 10143 // you used the stone of return
	TextTooLow         TextNumber = 10300 // with the level
	TextTheyTooLow     TextNumber = 10301 // with the level
	TextPeaceful       TextNumber = 10302
	TextTheyPeaceful   TextNumber = 10303
	TextStaysHere      TextNumber = 10304 // evacuation cancelled
	TextEvacuateLater  TextNumber = 10305
	TextEvacuates      TextNumber = 10306 // with the seconds
	TextEmptyHand      TextNumber = 10307 // no moving and an empty hand during evacuation
	TextPartyFull      TextNumber = 10335
	TextOwnerPasses    TextNumber = 10395 // only its owner may pass the mission on
	TextLevelsDiffer   TextNumber = 10397 // mission cannot be passed on: levels too different
	TextFightBegun     TextNumber = 10402
	TextFightSoon      TextNumber = 10403 // with the seconds
	TextNoTeleport     TextNumber = 10475 // cannot teleport now
	TextNotNow         TextNumber = 10561
	TextTooDeep        TextNumber = 10562 // a bag that holds bags cannot be put here
	TextTooFar         TextNumber = 10563
)

// hasNumber reports whether there is a number in the text.
func (t TextNumber) hasNumber() bool {
	return t == TextTooLow || t == TextTheyTooLow || t == TextEvacuates || t == TextFightSoon ||
		t >= TextTitleTooLow && t <= TextDegreeTooHigh
}

// refusalTexts are the client's own texts for refusals of any kind.
//
// Source: protocol fight 7.6, 12.1, life 1.6.
var refusalTexts = map[rules.RejectReason]TextNumber{
	rules.NoSlot: TextNotHere, rules.Promised: TextNotForYou, rules.NoArrows: TextCannotUse,
	rules.TooSoon: TextTooSoon, rules.AlreadyReset: TextAlreadyReset, rules.NotAllowed: TextNoRight,
	rules.NoClan: TextNoClan, rules.NoParty: TextNoParty, rules.HasGuild: TextGuildFirst,
	rules.NotSixty: TextNotSixty, rules.Greatest: TextGreatest, rules.NotYours: TextNotYours,
	rules.TooLow: TextTooLow, rules.TheyTooLow: TextTheyTooLow, rules.PeacefulPlace: TextPeaceful,
	rules.TheirPeacefulPlace: TextTheyPeaceful, rules.PartyFull: TextPartyFull, rules.Busy: TextNotNow,
	rules.TooDeep: TextTooDeep, rules.TooFar: TextTooFar, rules.WrongKey: TextWrongKey, rules.InBag: TextInBag,
	rules.KarmaTooBad: TextKarmaTooBad, rules.NeedsKey: TextNeedsKey, rules.UnderWay: TextNoTeleport,
	rules.NotCalm: TextNoTeleport, rules.MissionTooSoon: TextMissionOften, rules.TitleTooLow: TextTitleTooLow,
	rules.TitleTooHigh: TextTitleTooHigh, rules.DegreeTooLow: TextDegreeTooLow, rules.DegreeTooHigh: TextDegreeTooHigh,
	rules.KarmaTooLow: TextKarmaTooLow, rules.NotFulfilled: TextNotFulfilled, rules.LacksTitle: TextUseTitle,
	rules.LacksDegree: TextUseDegree, rules.LacksGuild: TextUseGuild,
	rules.TheyAreBusy: TextBusyTrader, rules.TheyCannotTake: TextCannotTakeKey, rules.PassedTooLate: TextPassedTooLate,
	rules.NotItsOwner: TextOwnerPasses, rules.LevelsDiffer: TextLevelsDiffer,
	rules.OtherGuild: TextGuildClosed, rules.GuildTop: TextGuildTop,
}

// RefusalText is the client's own text for something that was asked for and is not done; 0 if it has none. The request
// may be nil.
func RefusalText(why rules.RejectReason, request world.Command) TextNumber {
	switch request.(type) {
	case world.OfferForSale, world.OfferSlot:
		switch why {
		case rules.NotEmpty:
			return TextContainerFull
		case rules.IsBound:
			return TextPersonal
		}
	case world.Buy, world.BuyLot, world.Bid, world.Repair:
		if why == rules.TooPoor {
			return TextNoMoney
		}
	case world.Strike, world.UseItem, nil: // fights: other requests are told of the store in words
		if why == rules.StoreFailed {
			return TextNotNow
		}
	}
	return refusalTexts[why]
}

// textColour is the colour of a text of the client, missionColour of the one about a given mission.
const (
	textColour    = 0xFF32C896
	missionColour = 0xFF5FA564
)

// OwnText shows a player a text that its client has; the number goes into texts that have a place for one.
func OwnText(text TextNumber, number int16) packets.Region {
	if text.hasNumber() {
		return managerRegion(&packets.SystemTextNumber{Text: uint16(text), Colour: textColour, Argument: number})
	}
	colour := uint32(textColour)
	if text == TextMission {
		colour = missionColour
	}
	return managerRegion(&packets.SystemText{Text: uint16(text), Colour: colour})
}
