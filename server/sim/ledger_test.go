package sim

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/world/rules"
)

// findings are what a ledger reports, in place of failures.
type findings struct {
	testing.TB
	said []string
}

func (f *findings) Errorf(format string, args ...any) {
	f.said = append(f.said, fmt.Sprintf(format, args...))
}

// What a crash has left of two characters, after various words to them, and the one finding that each case is: "" for
// none.
func TestTheLedgerFindsWhatWasToldAndIsGone(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	datatest.Fill(t, dir)
	s, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	account, err := s.CreateAccount(ctx, "home", "", data.Player)
	if err != nil {
		t.Fatal(err)
	}
	bread := rules.Item{Slot: 26, Class: 653, Suffix: -1, Count: 10, Durability: 100, MaxDurability: 100, Weight: 8}
	if _, _, err := s.CreateCharacter(ctx, data.NewCharacter{Items: []rules.Item{bread}, Character: data.Character{
		Account: account.ID, Name: "Ann", Face: '0', Hair: '0', HairColour: '0', Tattoo: '0', HP: 80, MP: 10,
		Satiety: 10, MaxSatiety: 100, Money: 100}}); err != nil {
		t.Fatal(err)
	}
	was := holding{known: true, progress: progress{Money: 100}, items: map[int]rules.Item{26: {Class: 653, Count: 10}}}
	var screen bot.Screen
	for i := range screen.Characters {
		screen.Characters[i].Empty = true
	}
	shown := screen
	shown.Characters[0] = bot.Character{CharacterRecord: packets.CharacterRecord{Name: "Ann"}}
	admitted := func(l *Ledger, screen *bot.Screen) {
		if err := l.Admitted("home", screen); err != nil {
			l.t.Errorf("%v", err)
		}
	}
	for _, v := range []struct {
		name string
		told func(l *Ledger, p *holder)
		want string
	}{
		{"all of it", func(*Ledger, *holder) {}, ""},
		{"one loaf more", func(_ *Ledger, p *holder) {
			p.told.items = map[int]rules.Item{26: {Class: 653, Count: 11}}
		}, "was told"},
		{"a thing more", func(_ *Ledger, p *holder) {
			p.told.items = map[int]rules.Item{26: p.told.items[26], 27: {Class: 506, Count: 1}}
		}, "was told"},
		{"a thing more, which is being put down", func(l *Ledger, p *holder) {
			p.told.items = map[int]rules.Item{26: p.told.items[26], 27: {Class: 506, Count: 1}}
			l.Asks(0, AboutThings)
		}, ""},
		{"a coin more, while a thing is put down", func(l *Ledger, p *holder) {
			p.told.progress.Money = 101
			l.Asks(0, AboutThings)
		}, "was told"},
		{"a coin more, in trade", func(l *Ledger, p *holder) {
			p.told.progress.Money = 101
			l.Asks(0, AboutTrade)
		}, ""},
		{"other money, which an operator has set", func(l *Ledger, p *holder) {
			p.told.progress.Money = 7
			l.Pays("Ann", 100)
			l.Paid("Ann", true)
		}, ""},
		{"other money, which an operator asks for", func(l *Ledger, p *holder) { l.Pays("Ann", 5) }, ""},
		{"money that an operator has set, and it is not", func(l *Ledger, p *holder) {
			l.Pays("Ann", 5)
			l.Paid("Ann", true)
		}, "was given 5 coins"},
		{"money that an operator was refused", func(l *Ledger, p *holder) {
			l.Pays("Ann", 5)
			l.Paid("Ann", false)
		}, ""},
		{"a clan", func(_ *Ledger, p *holder) { p.clan, p.clanTold = "Owls", true }, "of the clan"},
		{"a clan that it asks to leave", func(l *Ledger, p *holder) {
			p.clan, p.clanTold = "Owls", true
			l.Asks(0, AboutClan)
		}, ""},
		{"an account", func(l *Ledger, _ *holder) { admitted(l, &screen) }, ""},
		{"an account that is gone", func(l *Ledger, _ *holder) {
			if err := l.Admitted("nobody", &screen); err != nil {
				t.Fatal(err)
			}
		}, "account nobody"},
		{"a character", func(l *Ledger, _ *holder) {
			admitted(l, &screen)
			l.Created("home", 0, "Ann")
			admitted(l, &shown)
		}, ""},
		{"a character that the screen lacks", func(l *Ledger, _ *holder) {
			admitted(l, &screen)
			l.Created("home", 0, "Ann")
			admitted(l, &screen)
		}, "told, and lost"},
		{"a character that nobody has made", func(l *Ledger, _ *holder) { admitted(l, &shown) }, "told, and lost"},
		{"a character in another slot", func(l *Ledger, _ *holder) {
			admitted(l, &screen)
			l.Created("home", 1, "Ann")
		}, "in slot 0"},
		{"a character that is gone", func(l *Ledger, _ *holder) {
			admitted(l, &screen)
			l.Created("home", 1, "Bea")
		}, "Bea was created"},
		{"a character that it asks for", func(l *Ledger, _ *holder) {
			admitted(l, &screen)
			l.Changes("home", 1, "Bea")
		}, ""},
		{"a character that was deleted, and is there", func(l *Ledger, _ *holder) {
			admitted(l, &screen)
			l.Deleted("home", 0, "Ann")
		}, "Ann was deleted"},
		{"a deletion that only the kill has ended", func(l *Ledger, _ *holder) {
			admitted(l, &screen)
			l.Killed = time.Now()
			l.Deleted("home", 0, "Ann")
		}, ""},
	} {
		f := &findings{TB: t}
		l := NewLedgerOf(f, "Ann")
		l.OwnClans = true
		l.people[0].told = was
		v.told(l, &l.people[0])
		l.Audit(s, true)
		said := strings.Join(f.said, "\n")
		if v.want == "" && said != "" || !strings.Contains(said, v.want) || len(f.said) > 1 {
			t.Errorf("%s: %q", v.name, said)
		}
	}
}

// Holdings that can follow from a told one, and others that would be a part of it, or twice.
func TestWhatACrashMayLeave(t *testing.T) {
	key, bread, loot := rules.Item{Class: rules.ClassMission, Count: 1}, rules.Item{Class: 653, Count: 10},
		rules.Item{Class: 700, Count: 1}
	was := holding{progress: progress{Title: 1, TitleXP: 5, Karma: 3, Money: 10}, items: map[int]rules.Item{26: bread, 40: key}}
	for _, v := range []struct {
		name   string
		change func(*holding)
		asked  bool
		unlike bool
	}{
		{"as it was", func(*holding) {}, false, false},
		{"a kill", func(h *holding) { h.progress.TitleXP, h.progress.Karma = 9, 4 }, false, false},
		{"a kill and its coins", func(h *holding) { h.progress.TitleXP, h.progress.Karma, h.progress.Money = 9, 4, 12 }, false, false},
		{"a kill and a thing from nowhere", func(h *holding) { h.progress.TitleXP, h.progress.Karma, h.items[27] = 9, 4, loot }, false, true},
		{"half a kill: no karma", func(h *holding) { h.progress.TitleXP = 9 }, false, true},
		{"a mission of its group, paid", func(h *holding) { h.group, h.progress.TitleXP, h.progress.Money = true, 9, 500 }, false, false},
		{"a thing of its group, gone", func(h *holding) { h.group = true; delete(h.items, 26) }, false, true},
		{"a kill and two levels", func(h *holding) { h.progress.Title, h.progress.Karma = 3, 4 }, false, true},
		{"two kills and two levels", func(h *holding) { h.progress.Title, h.progress.Karma = 3, 5 }, false, false},
		{"a kill and the coins of many", func(h *holding) { h.progress.Karma, h.progress.Money = 4, 500 }, false, true},
		{"a kill that teaches nothing", func(h *holding) { h.progress.Karma, h.progress.Money = 4, 25 }, false, false},
		{"money from nowhere", func(h *holding) { h.progress.Money = 20 }, false, true},
		{"money for what was sold", func(h *holding) { h.progress.Money = 20 }, true, false},
		{"money that has gone", func(h *holding) { h.progress.Money = 9 }, false, true},
		{"a thing that has gone", func(h *holding) { delete(h.items, 26) }, false, true},
		{"a thing twice", func(h *holding) { h.items[27] = bread }, false, true},
		{"more of a thing", func(h *holding) { h.items[26] = rules.Item{Class: 653, Count: 20} }, false, true},
		{"a thing that was taken", func(h *holding) { h.items[27] = loot }, true, false},
		{"a mission that is paid", func(h *holding) { delete(h.items, 40); h.progress.Money = 500 }, false, false},
		{"pay for a mission that goes on", func(h *holding) { h.progress.Money = 500 }, false, true},
	} {
		is := was
		is.items = map[int]rules.Item{26: bread, 40: key}
		v.change(&is)
		told := was
		told.group = is.group
		if got := is.unlike(&told, v.asked); got != v.unlike {
			t.Errorf("%s: %v", v.name, got)
		}
	}
}
