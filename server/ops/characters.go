package ops

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// logins are those of all accounts.
func (c *call) logins() (map[data.AccountID]string, error) {
	accounts, err := c.Store.Accounts(c, "")
	if err != nil {
		return nil, err
	}
	all := make(map[data.AccountID]string, len(accounts))
	for _, a := range accounts {
		all[a.ID] = a.Login
	}
	return all, nil
}

func (c *call) listCharacters(s Search) ([]Character, error) {
	done, err := c.inTurn()
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := c.Store.FindCharacters(c, s.Like)
	if err != nil {
		return nil, err
	}
	logins, err := c.logins()
	if err != nil {
		return nil, err
	}
	inside := map[int64]*world.PlayerView{}
	if c.Runtime != nil {
		players := c.Runtime.World().Players
		for i := range players {
			inside[players[i].Character] = &players[i]
		}
	}
	out := make([]Character, 0, len(found))
	for _, ch := range found {
		asInWorld(&ch, inside[int64(ch.ID)])
		out = append(out, c.describeCharacter(ch, logins[ch.Account]))
	}
	return out, nil
}

// asInWorld gives a stored character its values in the world, if it is there.
func asInWorld(ch *data.Character, v *world.PlayerView) {
	if v == nil {
		return
	}
	now := time.Now()
	ch.Position, ch.HP, ch.MP, ch.Satiety = v.Position, v.Pools.HP, v.Pools.MP, v.Pools.Satiety
	ch.Effects, ch.Tally = v.Effects, v.Live().Tally
	if ch.LastSeen = now; !v.Entered.IsZero() {
		ch.Played += max(0, now.Sub(v.Entered))
	}
}

// How long the world is waited for to show itself as it is now, and when it is asked again: the tick that hears of it
// may have begun before.
const (
	freshPatience = time.Second
	freshAgain    = 2 * world.TickPeriod
)

// fresh is a character as it is in the world now, and not up to a second ago; nil if it is not there.
func (c *call) fresh(ch *data.Character) *world.PlayerView {
	if _, inside := c.online(ch.Account); inside != ch.ID {
		return nil
	}
	s := c.world()
	for i := range s.Players {
		if s.Players[i].Character == int64(ch.ID) {
			return &s.Players[i]
		}
	}
	return nil
}

// world is the world as it is now, and not up to a second ago.
func (c *call) world() *world.Snapshot {
	began, asked := time.Now(), time.Time{}
	s := c.Runtime.World()
	for s.At.Before(began) && time.Since(began) < freshPatience && c.Err() == nil {
		if time.Since(asked) >= freshAgain {
			c.Runtime.Command(world.Publish{})
			asked = time.Now()
		}
		time.Sleep(5 * time.Millisecond)
		s = c.Runtime.World()
	}
	return s
}

func (c *call) showCharacter(n CharacterName) (CharacterDetail, error) {
	ch, a, err := c.character(n)
	if err != nil {
		return CharacterDetail{}, err
	}
	inside := c.fresh(&ch)
	asInWorld(&ch, inside)
	items, err := c.Store.Items(c, ch.ID)
	if err != nil {
		return CharacterDetail{}, err
	}
	kept, err := c.Store.Vault(c, ch.Account)
	derived := c.derive(&ch, items)
	pools := derived.Limit(rules.Pools{HP: ch.HP, MP: ch.MP, Satiety: ch.Satiety, MaxSatiety: ch.MaxSatiety}, c.fed())
	var mission *rules.Mission
	for i := range items {
		if m, ok := rules.MissionOf(&items[i]); ok {
			mission = &m
		}
	}
	fight := c.fightOf(&ch, derived)
	if inside != nil {
		fight.Duel = inside.Duel
	}
	return CharacterDetail{
		Mission:   mission,
		Fight:     fight,
		Character: c.describeCharacter(ch, a.Login),
		Female:    ch.Female, Tutorial: ch.Tutorial,
		TitleXP: ch.TitleXP, DegreeXP: ch.DegreeXP, TitlePoints: ch.TitlePoints, DegreePoints: ch.DegreePoints,
		Strength: ch.Base[0], Agility: ch.Base[1], Accuracy: ch.Base[2], Endurance: ch.Base[3],
		Earth: ch.Base[4], Air: ch.Base[5], Water: ch.Base[6], Fire: ch.Base[7],
		HP: ch.HP, MaxHP: pools.MaxHP, MP: ch.MP, MaxMP: pools.MaxMP,
		Satiety: ch.Satiety, MaxSatiety: ch.MaxSatiety, Karma: ch.Karma, KarmaType: rules.KarmaType(ch.Karma),
		Clan: ch.ClanName, ClanRank: int(ch.ClanRank), Guild: ch.Guild, GuildLevel: Ordinal(ch.GuildRank),
		PlayedSeconds: int64(ch.Played.Seconds()), Items: append([]rules.Item{}, items...),
		Vault: append([]rules.Item{}, kept...),
	}, err
}

// resetNames are the names of resets for programs, by [rules.Reset].
var resetNames = [...]string{rules.Rebirth: "rebirth", rules.TitleDown: "title", rules.DegreeDown: "degree",
	rules.Unlearn: "points"}

// fightOf returns the values of a character that count in a fight.
func (s *Service) fightOf(ch *data.Character, d rules.Derived) FightDetail {
	f := FightDetail{Dead: ch.HP <= 0, Attack: -d.Attack, MagicalAttack: -d.Magic, Defence: d.PhysicalDefence,
		MagicalDefence: d.MagicalDefence, Effects: []EffectDetail{}, Resets: []string{}, Kills: ch.Kills, Deaths: ch.Deaths}
	for i := range ch.Effects {
		e := &ch.Effects[i]
		f.Effects = append(f.Effects, EffectDetail{s.nameOfEffect(e), e.Harmful(), int(e.Left.Seconds())})
	}
	for reset, name := range resetNames {
		if ch.Resets.Used(rules.Reset(reset)) {
			f.Resets = append(f.Resets, name)
		}
	}
	return f
}

// nameOfEffect names an effect after its source: a thing, or a monster.
func (s *Service) nameOfEffect(e *rules.Effect) Text {
	kinds := s.kinds()
	all := kinds.Kinds()
	for i := range all {
		if k := &all[i]; k.Effect == e.ID && k.EffectKey == e.Key && k.Tier == e.Tier {
			return Text{k.Name("ru"), k.Name("en")}
		}
	}
	live := kinds.Monsters()
	for i := range live {
		if m := &live[i]; m.Effect == e.ID && m.EffectKey == e.Key {
			return nameOfMonster(m)
		}
	}
	if name := e.Type().Name; name != "" {
		return Text{name, name}
	}
	return Text{fmt.Sprint("№ ", e.ID), fmt.Sprint("no. ", e.ID)}
}

var (
	oneGoalText   = Text{"Укажите одно из трёх: место, игрока или точку.", "expected one of a place, a player and a point"}
	outsideText   = Text{"Такой точки в мире нет.", "There is no such point in the world."}
	noPlaceText   = Text{"Такого места нет.", "There is no such place."}
	nearPlaceText = Text{"Такого места нет. Ближайшее название: %s.", "There is no such place. The nearest name is %s."}
)

func (m Move) check(f *Faults) {
	named := m.Place != "" || m.Beside != ""
	if m.Place != "" && m.Beside != "" || named != (m.Position == coords.Position{}) {
		f.Add("place", oneGoalText)
		return
	}
	if _, _, known := placeNamed(m.Place); known || m.Place == "" {
		return
	}
	if _, near, ok := content.NearestPlace(m.Place); ok {
		f.Add("place", nearPlaceText, near)
	} else {
		f.Add("place", noPlaceText)
	}
}

// placeNamed finds a place of the table or a landmark, and whether one there looks on as before.
func placeNamed(name string) (at coords.Position, keepYaw, known bool) {
	if p, ok := content.FindPlace(name); ok {
		return p.Position, !p.YawKnown, true
	}
	m, ok := content.FindLandmark(name)
	return m.Position, true, ok
}

// moveCharacter puts a character somewhere else: in the world by a teleport, otherwise where it is stored.
func (c *call) moveCharacter(m Move) (Character, error) {
	return c.changeCharacter(m.CharacterName, func(ch *data.Character) error {
		if m.Beside != "" {
			return c.moveBeside(ch, m.Beside)
		}
		if at, keepYaw, known := placeNamed(m.Place); known {
			m.Position, m.KeepYaw = at, keepYaw
		}
		return c.move(ch, m.Position, m.KeepYaw)
	})
}

func (c *call) move(ch *data.Character, to coords.Position, keepYaw bool) error {
	v := c.inWorld(ch)
	from := ch.Position
	if v != nil {
		from = v.Position
	}
	if keepYaw {
		to.Yaw = from.Yaw
	}
	if err := to.Check(); err != nil {
		var f Faults
		f.Add("x", Text{outsideText.Russian, fmt.Sprintf("character %q: %v", ch.Name, err)})
		return f
	}
	ch.Position = to
	detail := fmt.Sprintf("from %v to %v", from, to)
	if v != nil {
		return c.transport(ch, detail, world.Teleport{ID: v.ID, To: to})
	}
	if err := c.Store.MoveCharacter(c.audited(ch.Name, detail), ch.ID, to); err != nil {
		return err
	}
	if v := c.inWorld(ch); v != nil { // it has entered just before, at the old place
		c.Runtime.Command(world.Teleport{ID: v.ID, To: to})
	}
	return nil
}

func (c *call) moveBeside(ch *data.Character, beside string) error {
	if c.Runtime == nil {
		return ErrNotRunning
	}
	v, err := c.player(ch.Name)
	if err != nil {
		return err
	}
	to, err := c.player(beside)
	if err != nil {
		return err
	}
	if v.ID == to.ID {
		return refuse(ErrSelf, selfText)
	}
	ch.Position = to.Position
	return c.transport(ch, fmt.Sprintf("from %v to %s", v.Position, to.Name),
		world.TeleportBeside{ID: v.ID, Beside: to.ID})
}

var transportText = Text{"Вас переносит мастер игры.", "A game master is taking you away."}

// transport moves a character in the world.
func (c *call) transport(ch *data.Character, detail string, teleport world.Command) error {
	err := c.command(ch.Name, detail+", in the world", teleport)
	if err == nil {
		c.tell(ch.Account, transportText)
	}
	return err
}

// unstuckCharacter brings a character to the nearest city, or to where new characters begin.
func (c *call) unstuckCharacter(n CharacterName) (Character, error) {
	return c.changeCharacter(n, func(ch *data.Character) error {
		from := ch.Position
		if v := c.inWorld(ch); v != nil {
			from = v.Position
		}
		var start coords.Position
		if c.Runtime != nil {
			start = c.Runtime.Start()
		} else if _, _, ok := content.NearestCity(from); !ok {
			return ErrNotRunning // the start is a setting of the server
		}
		return c.move(ch, UnstuckPlace(from, start), true)
	})
}

// UnstuckPlace returns the place to which a stuck character is moved: the nearest city of its continent, or else where
// new characters begin.
func UnstuckPlace(from, start coords.Position) coords.Position {
	if city, _, ok := content.NearestCity(from); ok {
		return city.Position
	}
	return start
}

// renameCharacter gives a character another name, while nobody plays on its account.
func (c *call) renameCharacter(r Rename) (Character, error) {
	return c.changeCharacter(r.CharacterName, func(ch *data.Character) error {
		err := c.alone(ch.Account, notice(renamedText, ch.Name, r.NewName), func() error {
			return c.Store.RenameCharacter(c.audited(ch.Name, "to "+r.NewName), ch.ID, r.NewName)
		})
		switch {
		case err == nil:
			*ch, err = c.Store.CharacterByID(c, ch.ID)
		case errors.Is(err, data.ErrNameTaken):
			err = taken(data.ErrNameTaken, "newName", nameTakenText, r.NewName)
		}
		return err
	})
}

func (r Rename) check(f *Faults) {
	f.breaks("newName", rules.CheckName(r.NewName), nameRule, rules.MaxNameLen)
}

// deleteCharacter removes a character with its items, while nobody plays on its account, and returns it. The store
// keeps it for a while: see undeleteCharacter.
func (c *call) deleteCharacter(n CharacterName) (Character, error) {
	ch, a, err := c.character(n)
	if err != nil {
		return Character{}, err
	}
	detail := fmt.Sprintf("character %d of account %q, slot %d", ch.ID, a.Login, ch.Slot+1)
	err = c.alone(ch.Account, notice(deletedText, ch.Name), func() error {
		ch, err = c.Store.DeleteCharacter(c.audited(ch.Name, detail), ch.ID)
		return err
	})
	return c.describeCharacter(ch, a.Login), err
}

// changeCharacter finds a character, changes it and describes it as it is then.
func (c *call) changeCharacter(n CharacterName, change func(*data.Character) error) (Character, error) {
	ch, a, err := c.character(n)
	if err == nil {
		err = change(&ch)
	}
	return c.describeCharacter(ch, a.Login), err
}

func (c *call) character(n CharacterName) (data.Character, data.Account, error) {
	ch, err := c.findCharacter(n)
	if err != nil {
		return ch, data.Account{}, err
	}
	a, err := c.Store.AccountByID(c, ch.Account)
	if err == nil {
		err = c.mayActOn(&a, ch.Name)
	}
	return ch, a, err
}

// enteringPatience is how long to wait for a character that has logged in and is not in the world yet.
const enteringPatience = 1500 * time.Millisecond

// inWorld is a character as it is in the world, nil if it is not there. It waits for a character that has just
// entered: otherwise that would be taken for absent, and be changed in the store alone.
func (c *call) inWorld(ch *data.Character) *world.PlayerView {
	if c.Runtime == nil {
		return nil
	}
	until := time.Now().Add(enteringPatience)
	for {
		if v, ok := c.Runtime.Present(ch.Account, ch.ID); ok {
			return &v
		}
		online, other := c.Runtime.Online(ch.Account)
		if !online || other != 0 && other != ch.ID || time.Now().After(until) {
			return nil
		}
		select {
		case <-c.Done():
			return nil
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (c *call) player(name string) (*world.PlayerView, error) {
	ch, err := c.findCharacter(CharacterName{Name: name})
	if err != nil {
		return nil, err
	}
	v := c.inWorld(&ch)
	if v == nil {
		return nil, refuse(ErrNotInWorld, awayText, ch.Name)
	}
	return v, nil
}

func (c *call) describeCharacter(ch data.Character, login string) Character {
	_, inWorld := c.online(ch.Account)
	return Character{
		ID: ch.ID, Name: ch.Name, Account: login, Slot: Ordinal(ch.Slot),
		TitleLevel: Ordinal(ch.TitleLevel), DegreeLevel: Ordinal(ch.DegreeLevel),
		Money: ch.Money, Position: ch.Position, Created: ch.Created, LastSeen: ch.LastSeen, Online: inWorld == ch.ID,
	}
}

// spawnedKey marks NPCs that were put somewhere by an operator.
const spawnedKey = "put: "

// spawnReach is how far an NPC that is to be removed may stand, in metres.
const spawnReach = 30

func (r NPCSpawn) check(f *Faults) { checkPlace(f, r.At) }

func (c *call) spawnNPC(r NPCSpawn) (SpawnedNPC, error) {
	t, err := findNPC(r.NPC)
	if err != nil {
		return SpawnedNPC{}, err
	}
	if c.Runtime == nil {
		return SpawnedNPC{}, ErrNotRunning
	}
	npc := world.NPC{Class: t.Class, Name: t.Name, Model: t.Model, Title: t.Title, Type: t.Type, Label: t.Role(true),
		Key: spawnedKey + t.Key}
	return SpawnedNPC{t.Key, Text{t.Role(true), t.Role(false)}}, c.command(t.Key, fmt.Sprint("at ", r.At),
		world.Put{Object: world.Object{ID: c.Runtime.NextEntityID(), Position: r.At, Kind: npc}})
}

func findNPC(name string) (content.NPC, error) {
	if err := required("npc", name); err != nil {
		return content.NPC{}, err
	}
	var known []string
	for _, t := range content.NPCs() {
		for _, of := range []string{t.Key, string(t.Kind), t.Role(true), t.Role(false)} {
			if rules.FoldWord(of) == rules.FoldWord(name) {
				return t, nil
			}
			known = append(known, of)
		}
	}
	return content.NPC{}, notFound("NPC", name, known)
}

var nobodySpawnedText = Text{"В %d м нет никого, кто был поставлен командой.",
	"Within %d m there is nobody who was put by a command."}

func (c *call) removeNPC(r NPCSpawn) (SpawnedNPC, error) {
	if c.Runtime == nil {
		return SpawnedNPC{}, ErrNotRunning
	}
	var id world.EntityID
	var found world.NPC
	least := math.Nextafter(spawnReach, math.Inf(1))
	for o := range c.Runtime.World().Objects() {
		npc, ok := o.Kind.(world.NPC)
		if d := r.At.Distance(o.Position); ok && strings.HasPrefix(npc.Key, spawnedKey) && d < least {
			id, found, least = o.ID, npc, d
		}
	}
	if id == 0 {
		return SpawnedNPC{}, refuse(data.ErrNotFound, nobodySpawnedText, spawnReach)
	}
	key := strings.TrimPrefix(found.Key, spawnedKey)
	return SpawnedNPC{key, Text{found.Label, found.Label}}, c.command(key, fmt.Sprint("at ", r.At), world.Remove{ID: id})
}

// fed is the effect of satiety: by the balance of the server that runs, or else that which ships.
func (c *call) fed() *rules.EffectBalance {
	if c.Runtime != nil {
		if s := c.Runtime.World(); s != nil && s.Balance != nil {
			return &s.Balance.Effect
		}
	}
	return &rules.DefaultBalance().Effect
}

// derive computes the values that follow from a character's levels, stats and equipment.
func (c *call) derive(ch *data.Character, items []rules.Item) rules.Derived {
	who := rules.Character{Wearer: rules.Wearer{Title: ch.TitleLevel, Degree: ch.DegreeLevel,
		Karma: rules.KarmaType(ch.Karma), Guild: ch.Guild, GuildRank: ch.GuildRank, Stats: ch.Base}}
	carried := rules.NewInventory(rules.Inventory{Owner: int64(ch.ID)}, items)
	return c.kinds().Derive(&who, &carried, 0)
}
