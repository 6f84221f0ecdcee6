package game

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"sphereserver/packets"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world/rules"
)

// doing runs an operator's request beside the stage until it is done.
func (g *stage) doing(do func(context.Context) error) (err error) {
	g.t.Helper()
	done := make(chan error, 1)
	go func() { done <- do(g.t.Context()) }()
	g.until("the operator's request is done", func() bool {
		select {
		case err = <-done:
			return true
		default:
			return false
		}
	})
	return err
}

// firstInventory is the inventory's first slot, of ten. Source: protocol ingame 10.1.
const firstInventory = 26

// operate does a verb for the owner of the machine.
func operate[R, A any](ctx context.Context, g *stage, v ops.Verb[R, A], request R) error {
	_, err := v.Do(ctx, g.server.ops, ops.Owner("test"), request)
	return err
}

// The world does it to a character inside, the store to all others; the next one to enter has it.
func TestOperatorsReachCharactersEverywhere(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(100, sword(26))
	id, account := p.s().Character().ID, p.s().Account()
	kind := g.server.Kinds().OfClass(650)[0]
	who, four := ops.CharacterName{ID: id}, ops.Ordinal(4)
	measures := func(ctx context.Context) error {
		if err := operate(ctx, g, ops.SetMoney, ops.Money{CharacterName: who, Amount: 7, Relative: true}); err != nil {
			return err
		}
		if err := operate(ctx, g, ops.GiveItem, ops.Gift{CharacterName: who, Item: strconv.Itoa(kind.ID),
			Count: new(5)}); err != nil {
			return err
		}
		return operate(ctx, g, ops.SetLevels, ops.Levels{CharacterName: who, Title: &four})
	}
	want := func(where string, money int64, things int) {
		t.Helper()
		c, err := g.store.CharacterByID(t.Context(), id)
		items, err2 := g.store.Items(t.Context(), id)
		if err != nil || err2 != nil || c.Money != money || c.TitleLevel != 4 || len(items) != things {
			t.Errorf("%s: stored %d coins, title %d, %+v; %v, %v", where, c.Money, c.TitleLevel, items, err, err2)
		}
	}
	p.names[p.item(26)] = "sword"
	if err := g.doing(measures); err != nil {
		t.Fatal(err)
	}
	want("in the world", 107, 2)
	got := p.hears()
	if len(got) < 5 || !slices.Contains(got, "player: Money Amount=107") { // before the words about it, or after them
		t.Errorf("the player is told %q", got)
	}
	if err := operate(t.Context(), g, ops.SetMoney,
		ops.Money{CharacterName: ops.CharacterName{ID: 1 << 40}, Amount: 1}); err == nil {
		t.Error("somebody who is not there got money")
	}
	if err := g.doing(func(ctx context.Context) error {
		return operate(ctx, g, ops.SetMoney, ops.Money{CharacterName: who, Amount: -1000, Relative: true})
	}); ops.RejectedBy(err) != rules.TooPoor {
		t.Errorf("more taken than there is: %v", err)
	}

	p.hangUp()
	g.until("the account is free", func() bool { return g.server.Presence(account) == nil })
	want("after leaving", 107, 2)
	if err := g.doing(measures); err != nil {
		t.Fatal(err)
	}
	want("away", 114, 2)

	again := g.connect().in(session.Handshaken)
	again.login(p.s().Login(), "secret")
	g.until("the screen is there", func() bool { return again.s().State() == session.CharacterScreen })
	if err := g.doing(measures); err != nil {
		t.Fatal(err)
	}
	want("on the screen", 121, 2)
	again.got = nil
	again.choose(0, &packets.EnterWorld{})
	g.until("the character enters", func() bool { return again.s().State() == session.Entering })
	if got := regionsOf[*packets.WorldSnapshot](again.frames()); len(got) != 1 || got[0].Money != 121 ||
		got[0].Levels != 4 || got[0].Weights[27] != 15*8 {
		t.Errorf("enters with %+v", got)
	}
	again.say(again.own(manager(&packets.Ready{Value: 0x34})))
	if err := g.doing(measures); err != nil { // waits until it is inside
		t.Fatal(err)
	}
	want("entering", 128, 2)
	for _, all := range []bool{false, true} {
		if err := g.doing(func(ctx context.Context) error {
			return operate(ctx, g, ops.ClearItems, ops.Clearing{CharacterName: who, All: all})
		}); err != nil {
			t.Fatal(err)
		}
	}
	want("cleared", 128, 0)
	again.hangUp()
	g.until("the account is free", func() bool { return g.server.Presence(account) == nil })
	want("after all", 128, 0)
}

// A cleared item of an absent character goes with its contents.
func TestClearingWhoIsAway(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(0, sword(26), rules.Item{Slot: 28, Class: 401, Suffix: -1, Count: 1, Weight: 500},
		rules.Item{Slot: 20, Class: 704, Suffix: -1, Count: 1})
	p.say(packets.Message(0, p.item(28), 401, contMan(&packets.PutIntoSlot{Player: p.s().ID(), Item: p.item(26),
		Slot: 3})))
	p.hears()
	id, account := p.s().Character().ID, p.s().Account()
	p.hangUp()
	g.until("the account is free", func() bool { return g.server.Presence(account) == nil })
	if items, err := g.store.Items(t.Context(), id); err != nil || len(items) != 3 || items[2].In == 0 {
		t.Fatalf("stored %+v, %v", items, err)
	}
	if err := g.doing(func(ctx context.Context) error {
		return operate(ctx, g, ops.ClearItems, ops.Clearing{CharacterName: ops.CharacterName{ID: id}})
	}); err != nil {
		t.Fatal(err)
	}
	if items, err := g.store.Items(t.Context(), id); err != nil || len(items) != 1 || items[0].Class != 704 {
		t.Errorf("stored %+v, %v", items, err)
	}
}
