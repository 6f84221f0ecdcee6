package script

import (
	"context"
	"strings"
	"sync"

	"sphereserver/server/bot"
)

// section begins a table of the documents.
func section(title string) verb { return verb{help: title} }

func row(signature, help string, do func(context.Context, *player, *args) error) verb {
	return verb{signature: signature, help: help, do: do}
}

var table = sync.OnceValue(func() []verb {
	all := []verb{
		section("The scene"),
		row("player(name, login, at=None)",
			"log in and enter as the character NAME, which is made if there is none; gives the player", comeIn),
		row("set_scene(at)", "the place that offsets count from, if another than the first that is named", setScene),
		row("scene(dx=0, dy=0, dz=0)", "the place so many metres from there", fromScene),
		row("place(at, dx=0, dy=0, dz=0)", "the place so many metres from another; places are (X, Y, Z)", fromPlace),
		row("wait(time)", "wait", wait),
		row("patience(time)", "how long what follows waits for what it expects", bePatient),

		section("What players do"),
		row(".walk_to(at)", "walk there in a straight line and wait for the arrival", walkTo),
		row(".set_out(at)", "begin to walk there and go on with what follows", setOut),
		row(".stop()", "stop walking", plain((*bot.Client).Stop)),
		row(".turn(degrees)", "turn to a direction: 0 is where z grows, 90 where x does", turn),
		row(".set_speed(metres)", "walk so many metres per second from here on", setSpeed),
		row(".leave()", "log out in order", leave),
		row(".cut_off()", "lose the connection", cutOff),
		row(".come_back()", "log in again, and stand where it stood", comeBack),
		row(".delete()", "log out and delete the character; `come_back()` makes it anew", deleteCharacter),
		row(".use_portal(portal)", "use a portal that is in sight", usePortal),

		section("What they are and see"),
		row(".is_at(at, within=1)", "stand there, give or take so many metres", isAt),
		row(".is_sent_away()", "the server ends the connection", isSentAway),
		row(".has(**values)", "values of the own character: `has(title=1, money=0)`", has),
		row(".has_at_least(**values)", "the same, or more", hasAtLeast),
		row(".sees(other, at=None, within=0.1, clan=None, **values)",
			"be shown the other player, with what it wears, standing there, of the clan, with values on the nameplate", sees),
		row(".loses(other)", "be shown the other player no more", loses),
		row(".does_not_see(other, during=1)", "not be shown it for so long", doesNotSee),
		row(".sees_portal(portal)", "be shown a portal at its place", seesLandmark),
		row(".sees_npc(npc)", "be shown somebody at his place", seesLandmark),
		row(".loses_portal(portal)", "be shown it no more", losesLandmark),
		row(".loses_npc(npc)", "be shown him no more", losesLandmark),
		row(".position()", "gives the place where it stands", position),
		row(".value(stat)", "gives a value of the own character", value),

		section("Talk"),
		row(`.say(text, on="normal")`, "say something on a channel", say),
		row(".type(text)", "type something into the chat: a command", say),
		row(".hears(other, text, on=None)", "hear what another player says; `*` stands for anything", hears),
		row(".does_not_hear(other, during=1)", "hear nothing new of another player", doesNotHear),
		row(".reads(text)", "be told something by the server; `*` stands for anything", reads),
		row(".does_not_read(text, during=1)", "not be told it", doesNotRead),

		section("Groups"),
		row(".create_group()", "found a group and lead it", plain((*bot.Client).CreateGroup)),
		row(".ask_to_join(other)", "apply to a group", about((*bot.Client).ApplyToGroup)),
		row(".is_asked_by(other)", "as the leader, be told that somebody has applied", isAskedBy),
		row(".accept(other)", "as the leader, let somebody in", about((*bot.Client).AcceptIntoGroup)),
		row(".expel(other)", "as the leader, throw somebody out", about((*bot.Client).ExpelFromGroup)),
		row(".leave_group()", "leave it; if the leader does, it ends", plain((*bot.Client).LeaveGroup)),
		row(".in_group(*others)", "with these and nobody else; without any, alone in a group", inGroup),
		row(".in_no_group()", "belong to none", inNoGroup),
		row(".leads_group()", "be its leader", leadsGroup),

		section("Clans"),
		row(".found_clan(clan)", "found a clan", foundClan),
		row(".ask_for_clan(other)", "ask a member in sight to be taken in", askForClan),
		row(".take_into_clan(other)", "take somebody in once it has asked", takeIntoClan),
		row(".leave_clan()", "leave it", leaveClan),
		row(".in_clan(clan)", "belong to it", inClan),
		row(".in_no_clan()", "belong to none", inNoClan),

		section("Items"),
		row(".carries(item, slot=None, count=None)",
			"have it, in a slot; so many of it in all, bags not counted: `count=0` is none", carries),
		row(".carries_nothing_in(slot)", "have that slot empty", carriesNothingIn),
		row(".wears(item)", "have it in a slot besides those of the inventory", wears),
		row(".carried(item)", "gives how many it has, bags not counted", carried),
		row(".move(slot, to_slot)", "move what lies there; onto a stack of the same it is added to that", request(move)),
		row(".swap(slot, with_slot)", "let two items trade places", request(swap)),
		row(".use(slot)", "use what lies there: put it on or take it off, eat it, open it", withSlot((*bot.Client).Use)),
		row(".hold(slot)", "take what lies there in the hand", withSlot((*bot.Client).Take)),
		row(".empty_hand()", "hold nothing", request(emptyHand)),
		row(".put_into(slot, item)", "put what lies there into a bag that it carries", request(putInto)),
		row(".open(slot)", "open the bag that lies there", withSlot((*bot.Client).OpenBag)),
		row(".drop(slot)", "put what lies there on the ground", withSlot((*bot.Client).Drop)),
		row(".drag(item, at)", "move the nearest one that lies on the ground to another place", drag),
		row(".pick_up(item, slot=None)", "take it out of its own bag, or the nearest one from the ground, into a slot",
			pickUp),
		row(".sees_on_ground(item, within=None)", "be shown it lying, so many metres away at most", seesOnGround),
		row(".sees_none_on_ground(item)", "be shown none lying", seesNoneOnGround),

		section("Trade and points"),
		row(".open_trade(npc)", "be shown what a trader in sight sells; a banker opens the vault", openTrade),
		row(".buy(item, count=1)", "buy so many", request(buy)),
		row(".sell(slot)", "sell what lies there for what the trader pays", sell),
		row(".close_trade()", "leave the trader", plain((*bot.Client).CloseTrade)),
		row(".spend(stat, points)", "raise a base value by so many points", request(spend)),
	}
	for i := range all {
		all[i].parse()
	}
	return all
})

func byName(methods bool) map[string]*verb {
	all := map[string]*verb{}
	for i := range table() {
		if v := &table()[i]; v.do != nil && strings.HasPrefix(v.signature, ".") == methods {
			all[v.name] = v
		}
	}
	return all
}

var (
	methods     = sync.OnceValue(func() map[string]*verb { return byName(true) })
	globals     = sync.OnceValue(func() map[string]*verb { return byName(false) })
	methodNames = sync.OnceValue(func() []string { return sortedNames(methods()) })
)

// Verbs are all that scenarios can call, each with what it does; the signature of a heading is empty.
func Verbs() (all [][2]string) {
	for _, v := range table() {
		all = append(all, [2]string{v.signature, v.help})
	}
	return all
}
