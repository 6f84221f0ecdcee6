package ops

import (
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A new character has as many HP as it can have, as the game says, and not more.
func TestTheGreatestHPIsThatOfTheGame(t *testing.T) {
	o, live := made(t)
	for online, c := range live.online {
		delete(live.online, online)
		states := []rules.LiveState{{Character: int64(c), Pools: rules.Pools{HP: 110, MP: 100, Satiety: 50, MaxSatiety: 100}}}
		if err := o.Store.(*data.Store).SaveLive(t.Context(), states); err != nil {
			t.Fatal(err)
		}
	}
	d, err := by(t.Context(), o, ShowCharacter, CharacterName{Name: "Сова"})
	if err != nil || d.HP != 110 || d.MaxHP != 110 {
		t.Errorf("%d of %d, %v; expected 110 of 110", d.HP, d.MaxHP, err)
	}
}

// moving is a server with time going by in its world: a snapshot shows the moment when it was made.
type moving struct {
	*fakeRuntime
	shown world.Snapshot
	told  int // how often the world was asked to show itself
}

func (m *moving) World() *world.Snapshot { return &m.shown }

func (m *moving) Command(c world.Command) {
	if _, ok := c.(world.Publish); ok {
		m.told++
		m.shown.At = time.Now()
		m.shown.Players[0].Position = m.at
	}
}

// The sheet of a character in the world shows its present values, and not those stored or published some time ago.
func TestTheSheetOfWhoIsInTheWorldIsOfNow(t *testing.T) {
	o, live := made(t)
	began := time.Now()
	v := (*live.World()).Players[0]
	v.Entered, v.Pools = began.Add(-8*time.Minute), rules.Pools{HP: 42, MP: 7, Satiety: 9}
	v.Position = coords.Position{X: 7}
	now := &moving{fakeRuntime: live, shown: world.Snapshot{At: began.Add(-time.Second), Players: []world.PlayerView{v}}}
	o.Runtime = now
	d, err := by(t.Context(), o, ShowCharacter, CharacterName{Name: "Сова"})
	if err != nil || now.told == 0 {
		t.Fatalf("%v; the world was asked %d times", err, now.told)
	}
	if d.HP != 42 || d.MP != 7 || d.Satiety != 9 || d.Position != live.at {
		t.Errorf("%d HP, %d MP, satiety %d at %v; expected what is so in the world", d.HP, d.MP, d.Satiety, d.Position)
	}
	if d.PlayedSeconds < 8*60 || d.LastSeen.Before(began) || !d.Online {
		t.Errorf("played %d s, last seen %v; expected these 8 minutes, and now", d.PlayedSeconds, d.LastSeen)
	}
	all, err := by(t.Context(), o, ListCharacters, Search{})
	if err != nil || len(all) != 1 || all[0].LastSeen.Before(began) || all[0].Position != live.at {
		t.Errorf("%+v, %v; expected the same in the list", all, err)
	}
}

// The account's vault is on the sheet of its characters.
func TestTheSheetShowsTheVault(t *testing.T) {
	o, _ := made(t)
	store := o.Store.(*data.Store)
	c, err := store.CharacterByName(t.Context(), "Сова")
	if err != nil {
		t.Fatal(err)
	}
	items, err := store.Items(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	was, is := rules.StoredItem{Item: items[0], Owner: int64(c.ID)},
		rules.StoredItem{Item: items[0], Vault: int64(c.Account)}
	is.Slot = 4
	if _, err := store.Apply(t.Context(), rules.Change{Items: []rules.ItemChange{{Was: &was, Is: &is}}}); err != nil {
		t.Fatal(err)
	}
	d, err := by(t.Context(), o, ShowCharacter, CharacterName{Name: "Сова"})
	if err != nil || len(d.Items) != 0 || len(d.Vault) != 1 || d.Vault[0].Slot != 4 || d.Vault[0].Class != 704 {
		t.Errorf("%+v in the vault, carries %+v, %v", d.Vault, d.Items, err)
	}
}
