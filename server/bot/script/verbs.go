package script

import (
	"context"
	"slices"
	"strings"
	"sync"

	"sphereserver/packets"
	"sphereserver/server/bot"
)

// A verb is something that scenarios can call.
type verb struct {
	signature string // as in Python; methods of players begin with a dot. The names of parameters tell what they take: see readers
	help      string
	do        func(ctx context.Context, p *player, a *args) error

	name   string
	params []param
}

// A param is a parameter of a verb: "other", "within=0.1" which can be left out, "*others" or "**values" for all that are left.
type param struct {
	name     string
	optional bool
	many     string // "*" or "**"
}

// section begins a table of the documents.
func section(title string) verb { return verb{help: title} }

var table = sync.OnceValue(func() []verb {
	all := []verb{
		section("The scene"),
		{signature: "player(name, login, at=None)", help: "log in and enter as the character NAME, which is made if there is none; gives the player", do: comeIn},
		{signature: "set_scene(at)", help: "the place that offsets count from, if another than the first that is named", do: setScene},
		{signature: "scene(dx=0, dy=0, dz=0)", help: "the place so many metres from there", do: fromScene},
		{signature: "place(at, dx=0, dy=0, dz=0)", help: "the place so many metres from another; has x, y and z", do: fromPlace},
		{signature: "wait(time)", help: "wait", do: wait},
		{signature: "patience(time)", help: "how long what follows waits for what it expects", do: bePatient},

		section("What players do"),
		{signature: ".walk_to(at)", help: "walk there in a straight line and wait for the arrival", do: walkTo},
		{signature: ".set_out(at)", help: "begin to walk there and go on with what follows", do: setOut},
		{signature: ".stop()", help: "stop walking", do: act(func(c *bot.Client, _ *args) error { return c.Stop() })},
		{signature: ".turn(degrees)", help: "turn to a direction: 0 is where z grows, 90 where x does", do: turn},
		{signature: ".set_speed(metres)", help: "walk so many metres per second from here on", do: act(func(c *bot.Client, a *args) error { return c.SetSpeed(*a.number) })},
		{signature: ".leave()", help: "log out in order", do: func(_ context.Context, p *player, _ *args) error { return p.leave(true) }},
		{signature: ".cut_off()", help: "lose the connection", do: func(_ context.Context, p *player, _ *args) error { return p.leave(false) }},
		{signature: ".come_back()", help: "log in again, and stand where it stood", do: func(ctx context.Context, p *player, _ *args) error { return p.enter(ctx) }},
		{signature: ".use_portal(portal)", help: "use a portal that is in sight", do: usePortal},

		section("What they are and see"),
		{signature: ".is_at(at, within=1)", help: "stand there, give or take so many metres", do: isAt},
		{signature: ".is_sent_away()", help: "the server ends the connection", do: isSentAway},
		{signature: ".has(**values)", help: "values of the own character: `has(title=1, money=0)`", do: has},
		{signature: ".has_at_least(**values)", help: "the same, or more", do: hasAtLeast},
		{signature: ".sees(other, at=None, within=0.1, clan=None, **values)", help: "be shown the other player, with what it wears, standing there, of the clan, with values on the nameplate", do: sees},
		{signature: ".loses(other)", help: "be shown the other player no more", do: loses},
		{signature: ".does_not_see(other, during=1)", help: "not be shown it for so long", do: doesNotSee},
		{signature: ".sees_portal(portal)", help: "be shown a portal at its place", do: seesLandmark},
		{signature: ".sees_npc(npc)", help: "be shown somebody at his place", do: seesLandmark},
		{signature: ".loses_portal(portal)", help: "be shown it no more", do: losesLandmark},
		{signature: ".loses_npc(npc)", help: "be shown him no more", do: losesLandmark},
		{signature: ".position()", help: "gives the place where it stands", do: position},
		{signature: ".value(stat)", help: "gives a value of the own character", do: value},

		section("Talk"),
		{signature: `.say(text, on="normal")`, help: "say something on a channel", do: say},
		{signature: ".type(text)", help: "type something into the chat: a command", do: say},
		{signature: ".hears(other, text, on=None)", help: "hear what another player says; `*` stands for anything", do: hears},
		{signature: ".does_not_hear(other, during=1)", help: "hear nothing new of another player", do: doesNotHear},
		{signature: ".reads(text)", help: "be told something by the server; `*` stands for anything", do: reads},
		{signature: ".does_not_read(text, during=1)", help: "not be told it", do: doesNotRead},

		section("Groups"),
		{signature: ".create_group()", help: "found a group and lead it", do: act(func(c *bot.Client, _ *args) error { return c.CreateGroup() })},
		{signature: ".ask_to_join(other)", help: "apply to a group", do: act(func(c *bot.Client, a *args) error { return c.ApplyToGroup(a.other()) })},
		{signature: ".is_asked_by(other)", help: "as the leader, be told that somebody has applied", do: isAskedBy},
		{signature: ".accept(other)", help: "as the leader, let somebody in", do: act(func(c *bot.Client, a *args) error { return c.AcceptIntoGroup(a.other()) })},
		{signature: ".expel(other)", help: "as the leader, throw somebody out", do: act(func(c *bot.Client, a *args) error { return c.ExpelFromGroup(a.other()) })},
		{signature: ".leave_group()", help: "leave it; if the leader does, it ends", do: act(func(c *bot.Client, _ *args) error { return c.LeaveGroup() })},
		{signature: ".in_group(*others)", help: "with these and nobody else; without any, alone in a group", do: inGroup},
		{signature: ".in_no_group()", help: "belong to none", do: inNoGroup},
		{signature: ".leads_group()", help: "be its leader", do: leadsGroup},

		section("Clans"),
		{signature: ".found_clan(clan)", help: "found a clan", do: act(func(c *bot.Client, a *args) error { return c.FoundClan(*a.clan) })},
		{signature: ".ask_for_clan(other)", help: "ask a member in sight to be taken in", do: askForClan},
		{signature: ".take_into_clan(other)", help: "take somebody in once it has asked", do: takeIntoClan},
		{signature: ".leave_clan()", help: "leave it", do: func(_ context.Context, p *player, _ *args) error {
			return p.do(func(c *bot.Client) error { return c.LeaveClan(p.name) })
		}},
		{signature: ".in_clan(clan)", help: "belong to it", do: inClan},
		{signature: ".in_no_clan()", help: "belong to none", do: inNoClan},

		section("Items"),
		{signature: ".carries(item, slot=None, count=None)", help: "have it, in a slot; so many of it in all, bags not counted: `count=0` is none", do: carries},
		{signature: ".carries_nothing_in(slot)", help: "have that slot empty", do: carriesNothingIn},
		{signature: ".wears(item)", help: "have it in a slot besides those of the inventory", do: wears},
		{signature: ".carried(item)", help: "gives how many it has, bags not counted", do: carried},
		{signature: ".move(slot, to_slot)", help: "move what lies there; onto a stack of the same it is added to that", do: request(func(c *bot.Client, a *args) error { return c.Move(c.ID(), a.slots[0], a.slots[1]) })},
		{signature: ".swap(slot, with_slot)", help: "let two items trade places", do: request(func(c *bot.Client, a *args) error { return c.Swap(a.slots[0], a.slots[1]) })},
		{signature: ".use(slot)", help: "use what lies there: put it on or take it off, eat it, open it", do: withSlot(func(c *bot.Client, o *bot.Object, _ *args) error { return c.Use(o.ID) })},
		{signature: ".hold(slot)", help: "take what lies there in the hand", do: withSlot(func(c *bot.Client, o *bot.Object, _ *args) error { return c.Take(o.ID) })},
		{signature: ".empty_hand()", help: "hold nothing", do: request(func(c *bot.Client, _ *args) error { return c.Take(packets.EmptyHand) })},
		{signature: ".put_into(slot, item)", help: "put what lies there into a bag that it carries", do: withSlot(putInto)},
		{signature: ".open(slot)", help: "open the bag that lies there", do: withSlot(func(c *bot.Client, o *bot.Object, _ *args) error { return c.OpenBag(o.ID) })},
		{signature: ".drop(slot)", help: "put what lies there on the ground", do: withSlot(func(c *bot.Client, o *bot.Object, _ *args) error { return c.Drop(o.ID) })},
		{signature: ".drag(item, at)", help: "move the nearest one that lies on the ground to another place", do: drag},
		{signature: ".pick_up(item, slot=None)", help: "take it out of its own bag, or the nearest one from the ground, into a slot", do: pickUp},
		{signature: ".sees_on_ground(item, within=None)", help: "be shown it lying, so many metres away at most", do: seesOnGround},
		{signature: ".sees_none_on_ground(item)", help: "be shown none lying", do: seesNoneOnGround},

		section("Trade and points"),
		{signature: ".open_trade(npc)", help: "be shown what a trader in sight sells; a banker opens the vault", do: openTrade},
		{signature: ".buy(item, count=1)", help: "buy so many", do: request(buy)},
		{signature: ".sell(slot)", help: "sell what lies there for what the trader pays", do: sell},
		{signature: ".close_trade()", help: "leave the trader", do: act(func(c *bot.Client, _ *args) error { return c.CloseTrade() })},
		{signature: ".spend(stat, points)", help: "raise a base value by so many points", do: request(spend)},
	}
	for i := range all {
		all[i].parse()
	}
	return all
})

// parse takes the signature apart.
func (v *verb) parse() {
	name, rest, _ := strings.Cut(v.signature, "(")
	v.name = strings.TrimPrefix(name, ".")
	for _, text := range strings.Split(strings.TrimSuffix(rest, ")"), ", ") {
		if text == "" {
			continue
		}
		name, _, optional := strings.Cut(text, "=")
		bare := strings.TrimLeft(name, "*")
		v.params = append(v.params, param{bare, optional, name[:len(name)-len(bare)]})
	}
}

// quiet says whether a verb only gives a value, which is no step of the scenario.
func (v *verb) quiet() bool {
	return slices.Contains([]string{"scene", "place", "position", "value", "carried"}, v.name)
}

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

func sortedNames(all map[string]*verb) (names []string) {
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Verbs are all that scenarios can call, each with what it does; the signature of a heading is empty.
func Verbs() (all [][2]string) {
	for _, v := range table() {
		all = append(all, [2]string{v.signature, v.help})
	}
	return all
}
