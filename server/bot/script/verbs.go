package script

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"sphereserver/packets"
	"sphereserver/server/bot"
)

// section begins a table of the documents.
func section(title string) verb { return verb{help: title} }

func row(signature, help string, do action) verb {
	return verb{signature: signature, help: help, do: do}
}

// value is a verb that only gives a value, which is no step of the scenario.
func value(signature, help string, do action) verb {
	return verb{signature: signature, help: help, do: do, quiet: true}
}

var table = sync.OnceValue(func() []verb {
	all := []verb{
		section("The scene"),
		row("player(name, login, at=None)",
			"log in and enter as the character NAME, which is made if there is none; gives the player", comeIn),
		row("set_scene(at)", "the place that offsets count from, if another than the first that is named", setScene),
		value("scene(dx=0, dy=0, dz=0)", "the place so many metres from there", fromScene),
		value("place(at, dx=0, dy=0, dz=0)", "the place so many metres from another; places are (X, Y, Z)", fromPlace),
		row("wait(time)", "wait", wait),
		row("patience(time)", "how long what follows waits for what it expects", bePatient),

		section("What players do"),
		row(".walk_to(at)", "walk there in a straight line and wait for the arrival", walkTo),
		row(".set_out(at)", "begin to walk there and go on with what follows",
			does(func(c *bot.Client, a *args) error { return c.SetOut(*a.at) })),
		row(".stop()", "stop walking", plain((*bot.Client).Stop)),
		row(".turn(degrees)", "turn to a direction: 0 is where z grows, 90 where x does", turn),
		row(".set_speed(metres)", "walk so many metres per second from here on",
			does(func(c *bot.Client, a *args) error { return c.SetSpeed(*a.number) })),
		row(".leave()", "log out in order", func(p *player, _ *args) error { return p.leave(true) }),
		row(".cut_off()", "lose the connection", func(p *player, _ *args) error { return p.leave(false) }),
		row(".come_back()", "log in again, and stand where it stood", func(p *player, _ *args) error { return p.enter() }),
		row(".delete()", "log out and delete the character; `come_back()` makes it anew", deleteCharacter),
		row(".use_portal(portal)", "use a portal that is in sight", usePortal),

		section("What they are and see"),
		row(".is_at(at, within=1)", "stand there, give or take so many metres", isAt),
		row(".is_sent_away()", "the server ends the connection", isSentAway),
		row(".has(**values)", "values of the own character: `has(title=1, money=0)`",
			hasValues("", func(have, want int) bool { return have == want })),
		row(".has_at_least(**values)", "the same, or more",
			hasValues("at least ", func(have, want int) bool { return have >= want })),
		row(".sees(other, at=None, within=0.1, clan=None, **values)",
			"be shown the other player, with what it wears, standing there, of the clan, with values on the nameplate", sees),
		row(".loses(other)", "be shown the other player no more", loses),
		row(".does_not_see(other, during=1)", "not be shown it for so long", doesNotSee),
		row(".sees_portal(portal)", "be shown a portal at its place", seesLandmark),
		row(".sees_npc(npc)", "be shown somebody at his place", seesLandmark),
		row(".loses_portal(portal)", "be shown it no more", losesLandmark),
		row(".loses_npc(npc)", "be shown him no more", losesLandmark),
		value(".position()", "gives the place where it stands",
			gives(func(c *bot.Client, _ *args) starlark.Value { return placeValue(c.Position) })),
		value(".value(stat)", "gives a value of the own character",
			gives(func(c *bot.Client, a *args) starlark.Value { return starlark.MakeInt(a.stat.own(c)) })),

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
		row(".found_clan(clan)", "found a clan", does(func(c *bot.Client, a *args) error { return c.FoundClan(*a.clan) })),
		row(".ask_for_clan(other)", "ask a member in sight to be taken in", askForClan),
		row(".take_into_clan(other)", "take somebody in once it has asked", takeIntoClan),
		row(".leave_clan()", "leave it", plain(func(c *bot.Client) error { return c.LeaveClan(c.Snapshot.Name) })),
		row(".in_clan(clan)", "belong to it", inClan),
		row(".in_no_clan()", "belong to none", inNoClan),

		section("Items"),
		row(".carries(item, slot=None, count=None)",
			"have it, in a slot; so many of it in all, bags not counted: `count=0` is none", carries),
		row(".carries_nothing_in(slot)", "have that slot empty", carriesNothingIn),
		row(".wears(item)", "have it in a slot besides those of the inventory", wears),
		value(".slot(item)", "gives the slot of the inventory in which it lies, `None` without it", gives(slotOf)),
		value(".carried(item)", "gives how many it has, bags not counted",
			gives(func(c *bot.Client, a *args) starlark.Value { return starlark.MakeInt(a.item.carried(c)) })),
		row(".move(slot, to_slot)", "move what lies there; onto a stack of the same it is added to that",
			request(func(c *bot.Client, a *args) error { return c.Move(c.ID(), a.slots[0], a.slots[1]) })),
		row(".swap(slot, with_slot)", "let two items trade places",
			request(func(c *bot.Client, a *args) error { return c.Swap(a.slots[0], a.slots[1]) })),
		row(".use(slot)", "use what lies there: put it on or take it off, eat it, open it", withSlot((*bot.Client).Use)),
		row(".hold(slot)", "take what lies there in the hand", withSlot((*bot.Client).Take)),
		row(".empty_hand()", "hold nothing",
			request(func(c *bot.Client, _ *args) error { return c.Take(packets.EmptyHand) })),
		row(".put_into(slot, item)", "put what lies there into a bag that it carries", request(putInto)),
		row(".open(slot)", "open the bag that lies there", withSlot((*bot.Client).OpenBag)),
		row(".drop(slot)", "put what lies there on the ground", withSlot((*bot.Client).Drop)),
		row(".drag(item, at)", "move the nearest one that lies on the ground to another place", drag),
		row(".pick_up(item, slot=None)",
			"take it out of the open vault or its own bag, or the nearest one from the ground, into a slot", pickUp),
		row(".sees_on_ground(item, within=None)", "be shown it lying, so many metres away at most", seesOnGround),
		row(".sees_none_on_ground(item)", "be shown none lying", seesNoneOnGround),

		section("Fights"),
		row(".sees_monster(monster, within=None)", "be shown a monster, so many metres away at most", seesMonster),
		row(".sees_no_monster(monster)", "be shown none", seesNoMonster),
		row(".attack(monster)",
			"go for the nearest with the best weapon that it has, and strike until one of the two is dead", attack),
		row(".set_upon(monster)", "begin that and go on with what follows", setUpon),
		row(".strike(other)", "strike once at another player", strike),
		row(".hunt(during=60)", "hunt by itself for so long: fight, loot, rest, trade", hunt),
		row(".hunt_until(**values)", "hunt until it has values, or more: `hunt_until(title=2)`; a minute at least",
			huntUntil),
		row(".loot()", "take all out of the nearest bag that a monster has left, or chest of a dungeon", loot),
		value(".bags()", "gives how many bags of monsters are in sight", gives(bags)),
		row(".wait_dead()", "be dead", waitDead),
		row(".wait_alive()", "live, again perhaps", waitAlive),
		value(".kills()", "gives how many monsters it has killed since it came in",
			gives(func(c *bot.Client, _ *args) starlark.Value { return starlark.MakeInt(c.Kills()) })),
		value(".deaths()", "gives how often it has died since it came in",
			gives(func(c *bot.Client, _ *args) starlark.Value { return starlark.MakeInt(c.Deaths()) })),

		section("Missions"),
		row(`.take_mission(npc, goal="title")`, "ask somebody for a mission until he gives one", takeMission),
		row(".has_no_mission()", "have none any more", hasNoMission),
		row(".enter_dungeon()", "use the entrance in sight that the key of the mission opens", enterDungeon),
		row(".leave_dungeon()", "walk to the way out of the mission's dungeon, and use it", leaveDungeon),
		value(".mission()", "gives the template of the mission that it has, like `\"k001\"`; `None` without one",
			gives(mission)),

		section("Trade and points"),
		row(".open_trade(npc)", "be shown what a trader in sight sells; a banker opens the vault", openTrade),
		value(".price(item)", "gives what one costs, the cheapest that is so called", does(price)),
		row(".buy(item, count=1)", "buy so many, the cheapest that is so called", request(buy)),
		row(".sell(slot)", "sell what lies there for what the trader pays", sell),
		row(".put_into_vault(slot)", "put what lies there into the vault, once a banker has opened it", putIntoVault),
		row(".vault_holds(item, count=None)", "be shown it in the open vault; so many of it: `count=0` is none", vaultHolds),
		row(".close_trade()", "leave the trader", plain((*bot.Client).CloseTrade)),
		row(".spend(stat, points)", "raise a base value by so many points", request(spend)),
	}
	for i := range all {
		all[i].parse()
	}
	return all
})

func (v *verb) parse() {
	name, rest, _ := strings.Cut(v.signature, "(")
	v.name = strings.TrimPrefix(name, ".")
	for text := range strings.SplitSeq(strings.TrimSuffix(rest, ")"), ", ") {
		name, _, optional := strings.Cut(text, "=")
		switch bare := strings.TrimLeft(name, "*"); {
		case text == "":
		case name != bare:
			v.params = append(v.params, param{bare, optional, strings.TrimSuffix(name, bare)})
		default:
			v.params = append(v.params, param{bare, optional, ""})
			v.keywords = append(v.keywords, bare)
		}
	}
	if v.takesValues() {
		v.keywords = append(v.keywords, statNames()...)
	}
}

func (v *verb) takesValues() bool { return strings.HasSuffix(v.signature, "**values)") }

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
	methods = sync.OnceValue(func() map[string]*verb { return byName(true) })
	globals = sync.OnceValue(func() map[string]*verb { return byName(false) })
)

// Verbs are all that scenarios can call, each with its description; the signature of a heading is empty.
func Verbs() (all [][2]string) {
	for _, v := range table() {
		all = append(all, [2]string{v.signature, v.help})
	}
	return all
}

func (r *Runner) bind(v *verb, positional starlark.Tuple, named []starlark.Tuple) (*args, error) {
	a := &args{runner: r}
	var pairs []any
	for _, p := range v.params {
		switch {
		case p.many == "*":
			for _, value := range positional {
				if err := (unpacker{a, p.name}).Unpack(value); err != nil {
					return nil, fmt.Errorf("%s: %w", v.name, err)
				}
			}
			positional = nil
		case p.optional:
			pairs = append(pairs, p.name+"??", unpacker{a, p.name})
		case p.many == "":
			pairs = append(pairs, p.name, unpacker{a, p.name})
		}
	}
	var params, values []starlark.Tuple
	for _, pair := range named {
		switch word := string(pair[0].(starlark.String)); {
		case !slices.Contains(v.keywords, word):
			return nil, fmt.Errorf("%s: expected %s, found %s%s", v.name, strings.TrimPrefix(v.signature, "."), cut(word),
				didYouMean(word, v.keywords))
		case readers[word] == nil:
			values = append(values, pair)
		default:
			params = append(params, pair)
		}
	}
	if err := starlark.UnpackArgs(v.name, positional, params, pairs...); err != nil {
		return nil, err
	}
	for _, pair := range values {
		if err := a.readValue(string(pair[0].(starlark.String)), pair[1]); err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
	}
	if len(pairs) == 0 && v.takesValues() && len(values) == 0 {
		return nil, fmt.Errorf("%s: expected values, like title=1", v.name)
	}
	return a, nil
}
