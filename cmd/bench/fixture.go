package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// password is the password of every account.
const password = "bench"

// cheapHash is the least that a password can cost: where logins are only the way to something else.
var cheapHash = data.HashParams{MemoryKiB: 8, Time: 1, Threads: 1}

func accountName(i int) string { return fmt.Sprintf("bench%05d", i) }

// place is somewhere in the world.
func place() coords.Position { return content.Cities()[0].Position }

// prepared returns a data folder with accounts of one character each, on a ground. The folder is made when it is
// first asked for.
func (b *bench) prepared(ctx context.Context, g ground, accounts int, hash data.HashParams) (dir string, err error) {
	name := fmt.Sprintf("store-%s-%d-%d", g.name, accounts, hash.MemoryKiB)
	if dir, ok := b.stores[name]; ok {
		return dir, nil
	}
	dir = filepath.Join(b.dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	b.progressf("preparing %d characters", accounts)
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		return "", err
	}
	defer store.Close()
	text, err := data.HashPassword(password, hash)
	if err != nil {
		return "", err
	}
	const goroutines = 128 // the store commits writes together that come together
	err = inParallel(ctx, accounts, goroutines, func(ctx context.Context, i int) error {
		a, err := store.CreateAccount(ctx, accountName(i), text, data.Player)
		if err == nil {
			_, _, err = store.CreateCharacter(ctx, newCharacter(a.ID, i, g.at(i)))
		}
		return err
	})
	if err != nil {
		return "", err
	}
	if err := store.Close(); err != nil {
		return "", err
	}
	b.stores[name] = dir
	return dir, nil
}

// newCharacter is a character like one that a player makes.
func newCharacter(account data.AccountID, i int, at coords.Position) data.NewCharacter {
	return data.NewCharacter{
		Character: data.Character{Account: account, Name: fmt.Sprintf("Bench%05d", i), Face: '0', Hair: '0', HairColour: '0',
			Tattoo: '0', HP: rules.MaxHP(0, 0), MP: rules.MaxMP(0, 0), Satiety: 50, MaxSatiety: 100, Position: at},
		Items: []rules.Item{
			{Slot: 26, Class: int(packets.ClassStartSword), GameID: 1, Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100,
				Weight: 5000},
			{Slot: 27, Class: int(packets.ClassBread), Suffix: -1, Count: 10, Durability: 100, MaxDurability: 100, Weight: 8},
			{Slot: 20, Class: int(packets.ClassInkpot), Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100, Weight: 100},
		},
	}
}

// copied returns a new folder with a copy of a prepared database that nobody has open.
func (b *bench) copied(dir string) (string, error) {
	to, err := os.MkdirTemp(b.dir, "copy-")
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, data.DatabaseFile))
	if err != nil {
		return "", err
	}
	return to, os.WriteFile(filepath.Join(to, data.DatabaseFile), text, 0o600)
}

// A ground is where the characters stand.
type ground struct {
	name string
	at   func(i int) coords.Position
}

// groupSize is how many stand together on the second ground: each has 50 others in sight.
const groupSize = 51

// The grounds: everybody alone, out of sight of everybody else, or in groups that see each other and nobody else.
// Both are far from the towns, since their people would be seen, too.
var (
	apart    = ground{"apart", func(i int) coords.Position { return onGrid(i, 100, 150) }}
	together = ground{"together", func(i int) coords.Position {
		group, member := onGrid(i/groupSize, 20, 300), onGrid(i%groupSize, 8, 2)
		group.X += member.X - onGrid(0, 1, 0).X
		group.Z += member.Z - onGrid(0, 1, 0).Z
		return group
	}}
)

// onGrid is a spot of a grid with so many columns, each so many metres from the next.
func onGrid(i, columns int, metres float32) coords.Position {
	return coords.Position{X: 10000 + float32(i%columns)*metres, Y: 150, Z: 10000 + float32(i/columns)*metres}
}
