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
func section(english, russian string) verb { return verb{help: Text{english, russian}} }

func row(signature, english, russian string, do action) verb {
	return verb{signature: signature, help: Text{english, russian}, do: do}
}

// value is a verb that only gives a value, which is no step of the scenario.
func value(signature, english, russian string, do action) verb {
	return verb{signature: signature, help: Text{english, russian}, do: do, quiet: true}
}

var table = sync.OnceValue(func() []verb {
	all := []verb{
		section("The scene", "Сцена"),
		row("player(name, login, at=None)",
			"log in and enter as the character NAME, which is made if there is none; gives the player",
			"войти в мир персонажем `name`; если такого нет, он создаётся; возвращает игрока", comeIn),
		row("set_scene(at)",
			"the place that offsets count from, if another than the first that is named",
			"место, от которого отсчитываются смещения, если это не первое названное", setScene),
		value("scene(dx=0, dy=0, dz=0)",
			"the place so many metres from there",
			"место на столько метров дальше него", fromScene),
		value("place(at, dx=0, dy=0, dz=0)",
			"the place so many metres from another; places are (X, Y, Z)",
			"место на столько метров дальше другого; места — это (X, Y, Z)", fromPlace),
		row("wait(time)",
			"wait",
			"подождать", wait),
		row("patience(time)",
			"how long what follows waits for what it expects",
			"сколько всё дальнейшее ждёт того, что должно произойти", bePatient),

		section("What players do", "Что делают игроки"),
		row(".walk_to(at)",
			"walk there in a straight line and wait for the arrival",
			"дойти туда по прямой и дождаться прибытия", walkTo),
		row(".set_out(at)",
			"begin to walk there and go on with what follows",
			"отправиться туда, не дожидаясь прибытия",
			does(func(c *bot.Client, a *args) error { return c.SetOut(*a.at) })),
		row(".stop()",
			"stop walking",
			"остановиться", plain((*bot.Client).Stop)),
		row(".turn(degrees)",
			"turn to a direction: 0 is where z grows, 90 where x does",
			"повернуться: 0 — туда, где растёт z, 90 — где растёт x", turn),
		row(".set_speed(metres)",
			"walk so many metres per second from here on",
			"дальше ходить со скоростью столько-то метров в секунду",
			does(func(c *bot.Client, a *args) error { return c.SetSpeed(*a.number) })),
		row(".leave()",
			"log out in order",
			"выйти из игры как положено", func(p *player, _ *args) error { return p.leave(true) }),
		row(".cut_off()",
			"lose the connection",
			"потерять связь", func(p *player, _ *args) error { return p.leave(false) }),
		row(".come_back()",
			"log in again, and stand where it stood",
			"войти снова и стоять там же, где стоял", func(p *player, _ *args) error { return p.enter() }),
		row(".delete()",
			"log out and delete the character; `come_back()` makes it anew",
			"выйти и удалить персонажа; `come_back()` создаст его заново", deleteCharacter),
		row(".use_portal(portal)",
			"use a portal that is in sight",
			"воспользоваться порталом, который виден", usePortal),

		section("What they are and see", "Каковы они и что видят"),
		row(".is_at(at, within=1)",
			"stand there, give or take so many metres",
			"стоять там, с точностью до стольких метров", isAt),
		row(".is_sent_away()",
			"the server ends the connection",
			"сервер разрывает соединение", isSentAway),
		row(".has(**values)",
			"values of the own character: `has(title=1, money=0)`",
			"значения своего персонажа: `has(title=1, money=0)`",
			hasValues(named, func(have, want int) bool { return have == want })),
		row(".has_at_least(**values)",
			"the same, or more",
			"то же или больше",
			hasValues(func(values string) Text { return say("at least %s", "не меньше: %s", values) },
				func(have, want int) bool { return have >= want })),
		row(".sees(other, at=None, within=0.1, clan=None, **values)",
			"be shown the other player, with what it wears, standing there, of the clan, with values on the nameplate",
			"видеть другого игрока одетым, стоящим там, из этого клана, с такими значениями на табличке", sees),
		row(".loses(other)",
			"be shown the other player no more",
			"больше не видеть другого игрока", loses),
		row(".does_not_see(other, during=1)",
			"not be shown it for so long",
			"не видеть его столько времени", doesNotSee),
		row(".sees_portal(portal)",
			"be shown a portal at its place",
			"видеть портал на его месте", seesLandmark),
		row(".sees_npc(npc)",
			"be shown somebody at his place",
			"видеть жителя на его месте", seesLandmark),
		row(".loses_portal(portal)",
			"be shown it no more",
			"больше его не видеть", losesLandmark),
		row(".loses_npc(npc)",
			"be shown him no more",
			"больше его не видеть", losesLandmark),
		value(".position()",
			"gives the place where it stands",
			"возвращает место, где он стоит",
			gives(func(c *bot.Client, _ *args) starlark.Value { return placeValue(c.Position) })),
		value(".value(stat)",
			"gives a value of the own character",
			"возвращает значение своего персонажа",
			gives(func(c *bot.Client, a *args) starlark.Value { return starlark.MakeInt(a.stat.own(c)) })),

		section("Talk", "Разговор"),
		row(`.say(text, on="normal")`,
			"say something on a channel",
			"сказать что-нибудь в канале", speak),
		row(".type(text)",
			"type something into the chat: a command",
			"набрать что-нибудь в чате: команду", speak),
		row(".hears(other, text, on=None)",
			"hear what another player says; `*` stands for anything",
			"услышать слова другого игрока; `*` — что угодно", hears),
		row(".does_not_hear(other, during=1)",
			"hear nothing new of another player",
			"не услышать от другого игрока ничего нового", doesNotHear),
		row(".reads(text)",
			"be told something by the server; `*` stands for anything, `#10563` is the text of that number that the client has",
			"получить сообщение сервера; `*` — что угодно, `#10563` — текст самого клиента с этим номером", reads),
		row(".does_not_read(text, during=1)",
			"not be told it",
			"не получить его", doesNotRead),

		section("Groups", "Группы"),
		row(".create_group()",
			"found a group and lead it",
			"создать группу и возглавить её", plain((*bot.Client).CreateGroup)),
		row(".ask_to_join(other)",
			"apply to a group",
			"попроситься в группу", about((*bot.Client).ApplyToGroup)),
		row(".is_asked_by(other)",
			"as the leader, be told that somebody has applied",
			"как лидер, узнать, что кто-то просится", isAskedBy),
		row(".accept(other)",
			"as the leader, let somebody in",
			"как лидер, принять", about((*bot.Client).AcceptIntoGroup)),
		row(".expel(other)",
			"as the leader, throw somebody out",
			"как лидер, выгнать", about((*bot.Client).ExpelFromGroup)),
		row(".leave_group()",
			"leave it; if the leader does, it ends",
			"уйти; если уходит лидер, группы больше нет", plain((*bot.Client).LeaveGroup)),
		row(".in_group(*others)",
			"with these and nobody else; without any, alone in a group",
			"состоять с этими и больше ни с кем; без имён — одному в группе", inGroup),
		row(".in_no_group()",
			"belong to none",
			"не состоять ни в какой", inNoGroup),
		row(".leads_group()",
			"be its leader",
			"быть её лидером", leadsGroup),

		section("Clans", "Кланы"),
		row(".found_clan(clan)",
			"found a clan",
			"основать клан", does(func(c *bot.Client, a *args) error { return c.FoundClan(*a.clan) })),
		row(".ask_for_clan(other)",
			"ask a member in sight to be taken in",
			"попроситься к члену клана, который виден", askForClan),
		row(".take_into_clan(other)",
			"take somebody in once it has asked",
			"принять того, кто попросился", takeIntoClan),
		row(".leave_clan()",
			"leave it",
			"уйти из клана", plain(func(c *bot.Client) error { return c.LeaveClan(c.Snapshot.Name) })),
		row(".in_clan(clan)",
			"belong to it",
			"состоять в нём", inClan),
		row(".in_no_clan()",
			"belong to none",
			"не состоять ни в каком", inNoClan),

		section("Items", "Предметы"),
		row(".carries(item, slot=None, count=None)",
			"have it, in a slot; so many of it in all, bags not counted: `count=0` is none",
			"иметь его, в такой ячейке; столько всего, не считая сумок: `count=0` — ни одного", carries),
		row(".carries_nothing_in(slot)",
			"have that slot empty",
			"ячейка пуста", carriesNothingIn),
		row(".wears(item)",
			"have it in a slot besides those of the inventory",
			"иметь его в ячейке вне инвентаря", wears),
		value(".slot(item)",
			"gives the slot of the inventory in which it lies, `None` without it",
			"возвращает ячейку инвентаря, где он лежит, или `None`", gives(slotOf)),
		value(".carried(item)",
			"gives how many it has, bags not counted",
			"возвращает, сколько его всего, не считая сумок",
			gives(func(c *bot.Client, a *args) starlark.Value { return starlark.MakeInt(a.item.carried(c)) })),
		row(".move(slot, to_slot)",
			"move what lies there; onto a stack of the same it is added to that",
			"переложить то, что там лежит; на такую же стопку — добавить к ней",
			request(func(c *bot.Client, a *args) error { return c.Move(c.ID(), a.slots[0], a.slots[1]) })),
		row(".swap(slot, with_slot)",
			"let two items trade places",
			"поменять местами два предмета",
			request(func(c *bot.Client, a *args) error { return c.Swap(a.slots[0], a.slots[1]) })),
		row(".use(slot)",
			"use what lies there: put it on or take it off, eat it, open it",
			"использовать то, что там лежит: надеть или снять, съесть, открыть", withSlot((*bot.Client).Use)),
		row(".hold(slot)",
			"take what lies there in the hand",
			"взять в руку то, что там лежит", withSlot((*bot.Client).Take)),
		row(".empty_hand()",
			"hold nothing",
			"ничего не держать",
			request(func(c *bot.Client, _ *args) error { return c.Take(packets.EmptyHand) })),
		row(".put_into(slot, item)",
			"put what lies there into a bag that it carries",
			"положить то, что там лежит, в сумку, которая у него есть", request(putInto)),
		row(".open(slot)",
			"open the bag that lies there",
			"открыть сумку, которая там лежит", withSlot((*bot.Client).OpenBag)),
		row(".drop(slot)",
			"put what lies there on the ground",
			"положить на землю то, что там лежит", withSlot((*bot.Client).Drop)),
		row(".drag(item, at)",
			"move the nearest one that lies on the ground to another place",
			"передвинуть ближайший из лежащих на земле", drag),
		row(".pick_up(item, slot=None)",
			"take it out of the open vault or its own bag, or the nearest one from the ground, into a slot",
			"достать из открытого хранилища, из своей сумки или поднять с земли ближайший, в такую ячейку", pickUp),
		row(".sees_on_ground(item, within=None)",
			"be shown it lying, so many metres away at most",
			"видеть его лежащим, не дальше стольких метров", seesOnGround),
		row(".sees_none_on_ground(item)",
			"be shown none lying",
			"не видеть ни одного лежащего", seesNoneOnGround),

		section("Fights", "Бой"),
		row(".sees_monster(monster, within=None)",
			"be shown a monster, so many metres away at most",
			"видеть монстра, не дальше стольких метров", seesMonster),
		row(".sees_no_monster(monster)",
			"be shown none",
			"не видеть ни одного", seesNoMonster),
		row(".attack(monster)",
			"go for the nearest with the best weapon that it has, and strike until one of the two is dead",
			"пойти к ближайшему с лучшим своим оружием и бить, пока один из двух не умрёт", attack),
		row(".set_upon(monster)",
			"begin that and go on with what follows",
			"начать это и продолжать то, что написано дальше", setUpon),
		row(".strike(other)",
			"strike once at another player",
			"один раз ударить другого игрока", strike),
		row(".hunt(during=60)",
			"hunt by itself for so long: fight, loot, rest, trade",
			"охотиться самому столько времени: биться, собирать добычу, отдыхать, торговать", hunt),
		row(".hunt_until(**values)",
			"hunt until it has values, or more: `hunt_until(title=2)`; a minute at least",
			"охотиться, пока значения не станут такими или больше: `hunt_until(title=2)`; не меньше минуты",
			huntUntil),
		row(".loot()",
			"take all out of the nearest bag that a monster has left, or chest of a dungeon",
			"взять всё из ближайшего мешка, который оставил монстр, или сундука подземелья", loot),
		value(".bags()",
			"gives how many bags of monsters are in sight",
			"возвращает, сколько мешков с добычей видно", gives(bags)),
		row(".wait_dead()",
			"be dead",
			"быть мёртвым", waitDead),
		row(".wait_alive()",
			"live, again perhaps",
			"быть живым, может быть, снова", waitAlive),
		value(".kills()",
			"gives how many monsters it has killed since it came in",
			"сколько монстров убито с тех пор, как вошёл",
			gives(func(c *bot.Client, _ *args) starlark.Value { return starlark.MakeInt(c.Kills()) })),
		value(".deaths()",
			"gives how often it has died since it came in",
			"сколько раз умер с тех пор, как вошёл",
			gives(func(c *bot.Client, _ *args) starlark.Value { return starlark.MakeInt(c.Deaths()) })),

		section("Missions", "Задания"),
		row(`.take_mission(npc, goal="title")`,
			"ask somebody for a mission until he gives one",
			"просить у него задание, пока не даст", takeMission),
		row(".has_no_mission()",
			"have none any more",
			"больше не иметь задания", hasNoMission),
		row(".enter_dungeon()",
			"use the entrance in sight that the key of the mission opens",
			"войти в подземелье задания через вход, который виден", enterDungeon),
		row(".leave_dungeon()",
			"walk to the way out of the mission's dungeon, and use it",
			"дойти до выхода из подземелья задания и выйти", leaveDungeon),
		value(".mission()",
			"gives the template of the mission that it has, like `\"k001\"`; `None` without one",
			"возвращает образец задания, например `\"k001\"`, или `None`",
			gives(mission)),

		section("Trade and points", "Торговля и очки"),
		row(".open_trade(npc)",
			"be shown what a trader in sight sells; a banker opens the vault",
			"видеть, что продаёт торговец поблизости; банкир открывает хранилище", openTrade),
		value(".price(item)",
			"gives what one costs, the cheapest that is so called",
			"даёт, сколько стоит один, самый дешёвый с таким названием", does(price)),
		row(".buy(item, count=1)",
			"buy so many, the cheapest that is so called",
			"купить столько, самое дешёвое с таким названием", request(buy)),
		row(".sell(slot)",
			"sell what lies there for what the trader pays",
			"продать то, что там лежит, за сколько даёт торговец", sell),
		row(".put_into_vault(slot)",
			"put what lies there into the vault, once a banker has opened it",
			"положить то, что там лежит, в хранилище, которое открыл банкир", putIntoVault),
		row(".vault_holds(item, count=None)",
			"be shown it in the open vault; so many of it: `count=0` is none",
			"видеть в открытом хранилище, столько: `count=0` — ни одного", vaultHolds),
		row(".close_trade()",
			"leave the trader",
			"уйти от торговца", plain((*bot.Client).CloseTrade)),
		row(".spend(stat, points)",
			"raise a base value by so many points",
			"повысить способность на столько очков", request(spend)),
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

// A Verb is something that scenarios can call; the signature of a heading is empty.
type Verb struct {
	Signature string
	Help      Text
}

// Verbs are all that scenarios can call.
func Verbs() (all []Verb) {
	for _, v := range table() {
		all = append(all, Verb{v.signature, v.help})
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
