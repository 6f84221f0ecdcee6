package session

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A slowStore waits before it makes a character, and may fail to read vaults.
type slowStore struct {
	Store
	begun, goOn chan struct{} // nil: it does not wait
	vault       error
}

func (s *slowStore) CreateCharacter(ctx context.Context, n data.NewCharacter) (data.Character, []rules.Item, error) {
	if s.begun != nil {
		s.begun <- struct{}{}
		<-s.goOn
	}
	return s.Store.CreateCharacter(ctx, n)
}

func (s *slowStore) Vault(ctx context.Context, account data.AccountID) ([]rules.Item, error) {
	if s.vault != nil {
		return nil, s.vault
	}
	return s.Store.Vault(ctx, account)
}

// A character whose player has gone while it was made is there at the next login, and counts for the limit.
func TestACharacterThatIsMadeForAPlayerThatHasGone(t *testing.T) {
	store := &slowStore{begun: make(chan struct{}), goOn: make(chan struct{})}
	g := newStage(t, func(o *Options) {
		o.Limits.NewCharacters = 1
		store.Store, o.Store = o.Store, store
	})
	c := g.connect().in(CharacterScreen)
	account, login := c.s().Account(), c.s().Login()
	c.choose(0, &packets.CreateCharacter{Name: "Hero", Look: maleLook})
	<-store.begun
	c.hangUp()
	if p := g.manager.Presence(account); p == nil || p.Session != c.s() {
		t.Error("another session could have the account before the character is made")
	}
	close(store.goOn)
	g.until("the account is free", func() bool { return g.manager.Presence(account) == nil })

	l := g.connect().in(Handshaken)
	l.login(login, "secret")
	g.until("the screen is there", func() bool { return l.s().State() == CharacterScreen })
	if made := l.s().characters[0]; made == nil || made.Name != "Hero" {
		t.Errorf("the screen shows %v", made)
	}
	g.pass(time.Second)
	l.got = nil
	l.choose(1, &packets.CreateCharacter{Name: "Another", Look: maleLook})
	if len(commandsOf[*packets.NameRejected](l.frames())) != 1 || g.manager.count.charactersNew.Load() != 1 {
		t.Errorf("a second character is not refused; %d are counted", g.manager.count.charactersNew.Load())
	}
}

// A character that could not enter is not made either, and the player may try again.
func TestNoCharacterIsMadeWhileTheVaultCannotBeRead(t *testing.T) {
	store := &slowStore{vault: data.ErrUnavailable}
	g := newStage(t, func(o *Options) { store.Store, o.Store = o.Store, store })
	c := g.connect().in(CharacterScreen)
	g.pass(time.Second)
	c.got = nil
	c.choose(0, &packets.CreateCharacter{Name: "Hero", Look: maleLook})
	g.until("there is an answer", func() bool { return len(c.got) > 0 || c.closed })
	if len(commandsOf[*packets.NameRejected](c.frames())) != 1 || c.s().State() != CharacterScreen {
		t.Errorf("state %v, %v", c.s().State(), c.s().Reason())
	}
	if made, err := g.store.Characters(t.Context(), c.s().Account()); len(made) > 0 || err != nil {
		t.Errorf("%d characters are made, %v", len(made), err)
	}
	store.vault = nil
	c.choose(0, &packets.CreateCharacter{Name: "Hero", Look: maleLook})
	g.until("it enters", func() bool { return c.s().State() == Entering })
}

// A client that chooses before it has seen the character screen is not shown it any more: it would come between the
// frames of the entry.
func TestAScreenThatComesTooLateIsNotShown(t *testing.T) {
	g := newStage(t, func(o *Options) { o.Delays.Screen = 5 * time.Second })
	c := g.connect().in(Entering)
	g.pass(6 * time.Second)
	if all := c.frames(); len(commandsOf[*packets.CharacterScreen](all))+len(commandsOf[*packets.CharacterRecord](all)) > 0 {
		t.Error("the screen is shown to a player that enters")
	}
}

func TestRecordsOfTheCharacterScreen(t *testing.T) {
	const none = packets.NothingWorn
	is := Shown{Sheet: world.Sheet{Pools: rules.Pools{HP: 104, MaxHP: 110, MP: 90, MaxMP: 100},
		Derived: rules.Derived{Stats: rules.Stats{5, -3, 0, 0, 0, 0, 0, 70_000}, PhysicalDefence: 12, MagicalDefence: -1}}}
	r := record(&data.Character{Name: "Hero", HP: 104, MP: 90, Female: true}, is)
	if r.HP != 104 || r.MaxHP != 110 || r.MP != 90 || r.MaxMP != 100 || r.Strength != 5 || r.Agility != -3 ||
		r.Fire != 32_767 || r.PhysicalDefence != 12 || r.MagicalDefence != 0 || r.Gender != 1 || r.Name != "Hero" {
		t.Errorf("a record is %+v", r)
	}
	for _, c := range []struct {
		worn                                              rules.Worn
		boots, pants, chest, robe, gloves, shield, helmet uint8
	}{
		{rules.Worn{}, none, none, none, none, none, 0, 0},
		{rules.Worn{Boots: 'b', Pants: 'p', Armour: 'a', Gloves: 'g', Shield: 's', Helmet: 'h'}, 'b', 'p', 'a', 0, 'g', 's', 'h'},
		{rules.Worn{Robe: 'r'}, none, none, 0, 'r', none, 0, 0},
	} {
		r := record(&data.Character{}, Shown{Worn: c.worn})
		got := [...]uint8{r.Boots, r.Pants, r.Chest, r.Robe, r.Gloves, r.Shield, r.Helmet}
		if want := [...]uint8{c.boots, c.pants, c.chest, c.robe, c.gloves, c.shield, c.helmet}; got != want {
			t.Errorf("%+v is shown as %d, want %d", c.worn, got, want)
		}
	}
}

// A defect in what the screen shows ends the session, and the account can log in again.
func TestADefectOfTheScreenKeepsNoAccount(t *testing.T) {
	var broken atomic.Bool
	g := newStage(t, func(o *Options) {
		o.Screen = func(*data.Character, []rules.Item) Shown {
			if broken.Load() {
				panic("a defect")
			}
			return Shown{}
		}
	})
	c := g.connect().in(InWorld)
	login, account := c.s().Login(), c.s().Account()
	c.hangUp()
	g.until("it has left", func() bool { return g.manager.Presence(account) == nil })
	broken.Store(true)
	failed := g.connect().in(Handshaken)
	failed.login(login, "secret")
	g.until("it ends", func() bool { return failed.closed })
	if failed.s().Reason() != SessionPanicked {
		t.Errorf("it ends for %v", failed.s().Reason())
	}
	broken.Store(false)
	again := g.connect().in(Handshaken)
	again.login(login, "secret")
	g.until("the screen", func() bool { return again.s().State() == CharacterScreen || again.closed })
	if again.closed {
		t.Errorf("the account is kept: %v %s", again.s().Reason(), again.s().detail)
	}
}
