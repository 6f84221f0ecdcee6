package script

import (
	_ "embed" // the signatures and purposes
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

//go:embed verbs.tsv
var verbsTable string

// table is all that scenarios can call, with the headings of the documents.
var table = sync.OnceValue(func() []verb {
	actions := map[string]action{
		"player":        comeIn,
		"set_scene":     setScene,
		"wait":          wait,
		"patience":      bePatient,
		".walk_to":      walkTo,
		".set_out":      does(func(c *bot.Client, a *args) error { return c.SetOut(*a.at) }),
		".stop":         plain((*bot.Client).Stop),
		".turn":         turn,
		".set_speed":    does(func(c *bot.Client, a *args) error { return c.SetSpeed(*a.number) }),
		".leave":        func(p *player, _ *args) error { return p.leave(true) },
		".cut_off":      func(p *player, _ *args) error { return p.leave(false) },
		".come_back":    func(p *player, _ *args) error { return p.enter() },
		".delete":       deleteCharacter,
		".use_portal":   usePortal,
		".is_at":        isAt,
		".is_sent_away": isSentAway,
		".has":          hasValues(named, func(have, want int) bool { return have == want }),
		".has_at_least": hasValues(func(values string) Text { return say("at least %s", "не меньше: %s", values) },
			func(have, want int) bool { return have >= want }),
		".sees":                sees,
		".loses":               loses,
		".does_not_see":        doesNotSee,
		".sees_portal":         seesLandmark,
		".sees_npc":            seesLandmark,
		".loses_portal":        losesLandmark,
		".loses_npc":           losesLandmark,
		".say":                 speak,
		".type":                speak,
		".hears":               hears,
		".does_not_hear":       doesNotHear,
		".reads":               reads,
		".does_not_read":       doesNotRead,
		".create_group":        plain((*bot.Client).CreateGroup),
		".ask_to_join":         about((*bot.Client).ApplyToGroup),
		".is_asked_by":         isAskedBy,
		".accept":              about((*bot.Client).AcceptIntoGroup),
		".expel":               about((*bot.Client).ExpelFromGroup),
		".leave_group":         plain((*bot.Client).LeaveGroup),
		".in_group":            inGroup,
		".in_no_group":         inNoGroup,
		".leads_group":         leadsGroup,
		".found_clan":          does(func(c *bot.Client, a *args) error { return c.FoundClan(*a.clan) }),
		".ask_for_clan":        askForClan,
		".take_into_clan":      takeIntoClan,
		".leave_clan":          plain(func(c *bot.Client) error { return c.LeaveClan(c.Snapshot.Name) }),
		".in_clan":             inClan,
		".in_no_clan":          inNoClan,
		".carries":             carries,
		".carries_nothing_in":  carriesNothingIn,
		".wears":               wears,
		".move":                request(func(c *bot.Client, a *args) error { return c.Move(c.ID(), a.slots[0], a.slots[1]) }),
		".swap":                request(func(c *bot.Client, a *args) error { return c.Swap(a.slots[0], a.slots[1]) }),
		".use":                 withSlot((*bot.Client).Use),
		".hold":                withSlot((*bot.Client).Take),
		".empty_hand":          request(func(c *bot.Client, _ *args) error { return c.Take(packets.EmptyHand) }),
		".put_into":            request(putInto),
		".open":                withSlot((*bot.Client).OpenBag),
		".drop":                withSlot((*bot.Client).Drop),
		".drag":                drag,
		".pick_up":             pickUp,
		".sees_on_ground":      seesOnGround,
		".sees_none_on_ground": seesNoneOnGround,
		".sees_monster":        seesMonster,
		".sees_no_monster":     seesNoMonster,
		".attack":              attack,
		".set_upon":            setUpon,
		".strike":              strike,
		".hunt":                hunt,
		".hunt_until":          huntUntil,
		".loot":                loot,
		".wait_dead":           waitDead,
		".wait_alive":          waitAlive,
		".take_mission":        takeMission,
		".has_no_mission":      hasNoMission,
		".enter_dungeon":       enterDungeon,
		".leave_dungeon":       leaveDungeon,
		".open_trade":          openTrade,
		".buy":                 request(buy),
		".sell":                sell,
		".put_into_vault":      putIntoVault,
		".vault_holds":         vaultHolds,
		".close_trade":         plain((*bot.Client).CloseTrade),
		".spend":               request(spend),
	}
	// values only give a value, and are no steps of the scenario.
	values := map[string]action{
		"scene":     fromScene,
		"place":     fromPlace,
		".position": gives(func(c *bot.Client, _ *args) starlark.Value { return placeValue(c.Position) }),
		".value":    gives(func(c *bot.Client, a *args) starlark.Value { return starlark.MakeInt(a.stat.own(c)) }),
		".slot":     gives(slotOf),
		".carried":  gives(func(c *bot.Client, a *args) starlark.Value { return starlark.MakeInt(a.item.carried(c)) }),
		".bags":     gives(bags),
		".kills":    gives(func(c *bot.Client, _ *args) starlark.Value { return starlark.MakeInt(c.Kills()) }),
		".deaths":   gives(func(c *bot.Client, _ *args) starlark.Value { return starlark.MakeInt(c.Deaths()) }),
		".mission":  gives(mission),
		".price":    does(price),
	}
	var all []verb
	for _, cells := range content.TableLines(verbsTable, "#") {
		v := verb{signature: cells[0], help: Text{cells[1], cells[2]}}
		v.parse()
		name, _, _ := strings.Cut(v.signature, "(")
		v.do, v.quiet = actions[name], values[name] != nil
		if v.quiet {
			v.do = values[name]
		}
		all = append(all, v)
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
