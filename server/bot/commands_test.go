package bot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// Messages about groups, clans, lines, slots and trade have to fit earlier ones; each row is told in order.
func TestCommandsThatDoNotFitAreViolations(t *testing.T) {
	operation := func(n uint8) packets.Command { return &packets.GroupOperation{Operation: n} }
	member := func(name string, state uint32) packets.Command { return &packets.GroupMember{State: state, Name: name} }
	header := func(channel uint8, length uint32, parts uint16) packets.Command {
		return &packets.ChatHeader{Channel: channel, Length: length, Parts: parts}
	}
	part := func(channel uint8, text string) packets.Command {
		return &packets.ChatPart{Channel: channel, Text: text}
	}
	linked := `<l="player://Anna">Anna</l>: hello`
	for _, v := range []struct {
		name string
		tell []packets.Command
		want string // kind and text of the one violation; "" for none
	}{
		{"a group", []packets.Command{operation(groupIsNew), member("Anna", 0), operation(groupDestroyed)}, ""},
		{"a new group twice", []packets.Command{operation(groupIsNew), operation(groupIsNew)},
			"state differs: a new group with members"},
		{"no group to leave", []packets.Command{operation(groupYouAreOut)},
			"out of place: operation 11 on a group, but there is none"},
		{"a member twice", []packets.Command{operation(groupIsNew), member("Anna", 0), member("Anna", 0)},
			`state differs: "Anna" becomes a member`},
		{"no member leaves", []packets.Command{operation(groupIsNew),
			&packets.GroupName{Operation: groupGone, Name: "Anna"}}, `state differs: "Anna" leaves the group`},
		{"a candidate for no group", []packets.Command{&packets.GroupCandidate{Name: "Anna"}},
			`out of place: a candidate for a group that is another's: "Anna"`},
		{"a candidate", []packets.Command{operation(groupIsNew), &packets.GroupCandidate{Name: "Anna"},
			&packets.GroupCandidate{Name: "Anna"},
			&packets.GroupCandidate{Name: "Anna", State: candidateAccepted}}, ""},
		{"accepted into nothing", []packets.Command{&packets.GroupCandidate{Name: "Hero", State: candidateAccepted}},
			"state differs: accepted into a group"},

		{"a clan", []packets.Command{&packets.ClanMembership{Rank: packets.ClanJoined, Clan: "Night"},
			&packets.ClanMember{Player: otherID, Name: "Anna", Rank: 1},
			&packets.ClanMemberRank{Player: otherID,
				Rank: 2}, &packets.ClanMemberRemoved{Player: otherID}, &packets.ClanApplicant{Player: otherID},
			&packets.ClanApplicant{Player: otherID}}, ""},
		{"a clan's member twice", []packets.Command{&packets.ClanMember{Player: otherID, Name: "Anna"},
			&packets.ClanMember{Player: otherID, Name: "Anna"}},
			`state differs: "Anna" becomes a member of the clan's list`},
		{"no clan's member leaves", []packets.Command{&packets.ClanMemberRemoved{Player: otherID}},
			"unknown object: 0x3333 leaves the clan's list"},
		{"no clan's member rises", []packets.Command{&packets.ClanMemberRank{Player: otherID}},
			"unknown object: 0x3333 has a new rank"},

		{"a line", []packets.Command{header(5, 34, 1), part(5, linked+"\x00\x00")}, ""},
		{"a line in two parts", []packets.Command{header(5, 34, 2), part(5, linked[:9]), part(5, linked[9:])}, ""},
		{"a line within a line", []packets.Command{header(5, 34, 2), header(5, 34, 1)},
			"state differs: a line on channel 5 before the one on channel 5"},
		{"a line without parts", []packets.Command{header(4, 0, 0)}, "state differs: a line on channel 4 without parts"},
		{"a part without a line", []packets.Command{part(5, "hello")},
			"out of place: part 0 of a line on channel 5 without a header"},
		{"a part of another line", []packets.Command{header(5, 34, 1), part(4, linked)},
			"state differs: part 0 is for channel 4"},
		{"a line of another length", []packets.Command{header(5, 33, 1), part(5, linked)},
			"state differs: a line of chat was announced with 33 bytes, and has 34"},
		{"a line of nobody", []packets.Command{header(5, 5, 1), part(5, "hello")},
			"state differs: a line on channel 5 does not say whose it is"},
		{"a line that lies", []packets.Command{header(5, 34, 1), part(5, strings.Replace(linked, "Anna<", "Olga<", 1))},
			`state differs: a line of "" has a link to "Anna" that shows "Olga"`},

		{"a slot that is not", []packets.Command{&packets.ClearSlot{Slot: 200}}, "out of place: slot 200"},
		{"slots", []packets.Command{&packets.FillSlot{Slot: 30, Item: breadID, Weight: 8},
			&packets.SlotWeight{Slot: 30, Weight: 16}, &packets.ClearSlot{Slot: 30}}, ""},
		{"all slots", []packets.Command{&packets.ResetSlots{}}, ""},
		{"bought unasked", []packets.Command{&packets.Bought{Item: breadID, Total: 5}},
			"belongings changed unasked: bought 0x6666 for 5"},
		{"sold unasked", []packets.Command{&packets.Sold{Item: breadID, Price: 5}},
			"belongings changed unasked: sold 0x6666 for 5"},
		{"a price", []packets.Command{&packets.TradeWindow{Trader: traderID},
			&packets.PriceOffer{Trader: traderID, Price: 3}, &packets.Money{Amount: 7}}, ""},
		{"a place outside of the world", []packets.Command{&packets.SetPlace{X: 1e6}},
			"state differs: put outside of the world"},
		{"a place", []packets.Command{&packets.SetCoordinates{X: 1, Y: 2, Z: 3, Yaw: 1},
			&packets.SetPlace{X: 2, Y: 2, Z: 3}}, ""},
		{"a character screen", []packets.Command{&packets.CharacterScreen{}},
			"out of place: character screen without being asked for"},
		{"a character of no screen", []packets.Command{&packets.CharacterRecord{}},
			"out of place: a character's record outside"},
		{"words of the server", []packets.Command{&packets.SystemMessage{Text: "no"}, &packets.NameRejected{},
			&packets.ReleaseUse{}}, ""},
	} {
		c, _ := acting(t)
		for _, command := range v.tell {
			c.command(command, []byte{1, 2, 3})
		}
		var found []string
		for _, one := range c.violations {
			found = append(found, fmt.Sprintf("%s: %s", one.Kind, strings.Join(one.Examples, "; ")))
		}
		if text := strings.Join(found, " | "); (v.want == "") != (text == "") || !strings.HasPrefix(text, v.want) ||
			len(found) > 1 {
			t.Errorf("%s: found %q, expected %q", v.name, text, v.want)
		}
	}
}

// Lines of which nothing more comes are missed after a while.
func TestLinesThatNeverBecomeWholeAreMissed(t *testing.T) {
	c, _ := acting(t)
	c.command(&packets.ChatHeader{Channel: 5, Length: 10, Parts: 2}, nil)
	c.chat(&packets.Section{Object: 0x9000, Class: packets.ClassChat,
		Regions: []packets.Region{&packets.ChatLine{Sender: "Anna", Chunks: 3}}})
	now := time.Now()
	if c.checkTalk(now); len(c.violations) > 0 {
		t.Errorf("at once: %v", c.violations)
	}
	c.checkTalk(now.Add(spawnPatience + time.Second))
	if len(c.violations) != 1 || c.violations[0].Kind != Missing || c.violations[0].Count != 2 {
		t.Errorf("later: %v", c.violations)
	}
	c.checkTalk(now.Add(2 * spawnPatience))
	c.chat(&packets.Section{Object: 0x9000, Class: packets.ClassChat,
		Regions: []packets.Region{&packets.ChatChunk{Text: "late"}}})
	if len(c.violations) != 2 || c.violations[0].Count != 2 || c.violations[1].Kind != UnknownObject {
		t.Errorf("after that: %v", c.violations)
	}
}

// A client with unanswered questions of its own may not have read the messages that it misses.
func TestWhoIsBehindMissesNothing(t *testing.T) {
	c, _ := acting(t)
	now := time.Now()
	c.watch.reset(now)
	c.chat(&packets.Section{Object: 0x9000, Class: packets.ClassChat,
		Regions: []packets.Region{&packets.ChatLine{Sender: "Anna", Chunks: 3}}})
	late := now.Add(spawnPatience + time.Second)
	c.pings.add(coords.Origin{}, now)
	if c.check(late); len(c.violations) > 0 {
		t.Errorf("behind: %v", c.violations)
	}
	c.pings.drop(1)
	if c.check(late); len(c.violations) != 1 || c.violations[0].Kind != Missing {
		t.Errorf("no more behind: %v", c.violations)
	}
}

// A request that words seem to have ended may still be granted, for as long as an answer may take.
func TestWhatADoubtfulRequestChangesWasAskedFor(t *testing.T) {
	c, _ := acting(t)
	if err := c.Use(breadID); err != nil {
		t.Fatal(err)
	}
	c.heardWords()
	c.beginUpdate()
	for later, want := range map[time.Duration]bool{0: true, grace + time.Second: true, answerPatience + time.Second: false} {
		if got := c.asked(time.Now().Add(later)); got != want {
			t.Errorf("%v later: asked %t", later, got)
		}
	}
}

// A request ends with its answer; words end the oldest, which may be granted after all.
func TestRequestsEndWithTheirAnswers(t *testing.T) {
	for _, v := range []struct {
		name string
		ask  func(*Client) error
		ends answer
	}{
		{"move", func(c *Client) error { return c.Move(c.ID(), 26, 30) }, slotTold},
		{"use", func(c *Client) error { return c.Use(breadID) }, usedTold},
		{"open", func(c *Client) error { return c.Use(bagID) }, openedTold},
		{"a portal", func(c *Client) error { return c.Use(traderID) }, placeTold},
		{"trade", func(c *Client) error { return c.OpenTrade(traderID) }, windowTold},
		{"the vault", func(c *Client) error { return c.OpenTrade(traderID) }, vaultTold},
		{"offer", func(c *Client) error { return c.OfferForSale(0, swordID) }, offerTold},
		{"spend", func(c *Client) error { return c.SpendPoints([8]int32{1}) }, valueTold},
		{"take", func(c *Client) error { return c.Take(swordID) }, releaseTold},
	} {
		c, _ := acting(t)
		if err := v.ask(c); err != nil || !c.Waits() {
			t.Fatalf("%s: %v, waits %t", v.name, err, c.Waits())
		}
		other := slotTold
		if v.ends == slotTold {
			other = offerTold
		}
		if v.name != "use" && v.name != "open" && v.name != "a portal" && c.heard(other) != nil {
			t.Errorf("%s is ended by something else", v.name)
		}
		if c.heard(v.ends) == nil || c.Waits() {
			t.Errorf("%s is not ended by its answer", v.name)
		}
		if err := v.ask(c); err != nil {
			t.Fatal(err)
		}
		if c.heardWords(); c.Waits() {
			t.Errorf("%s is not ended by words", v.name)
		}
		if c.heard(v.ends) == nil || c.heard(v.ends) != nil {
			t.Errorf("%s is not granted once after words", v.name)
		}
	}
}
