package ops

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"sphereserver/data"
)

// Accounts have in common what they have logged in from last, IPv6 by its /64, and names that differ in digits and
// dashes only; never this machine, and never what one account has twice.
func TestSharedAddressesAndNames(t *testing.T) {
	s, live := made(t)
	store := s.Store.(*data.Store)
	person := func(login, address string, characters ...string) {
		t.Helper()
		a := do(t, s, AddAccount, NewAccount{Login: login, Password: "x"})
		if err := store.TouchLogin(t.Context(), a.ID, time.Now(), address); err != nil {
			t.Fatal(err)
		}
		for i, name := range characters {
			c := data.Character{Account: a.ID, Slot: i, Name: name}
			if _, _, err := store.CreateCharacter(t.Context(), data.NewCharacter{Character: c}); err != nil {
				t.Fatal(err)
			}
		}
	}
	person("a", "203.0.113.7:1000", "Hunter1", "Hunter-2")
	person("b", "203.0.113.7:1001", "Bob")
	person("c", "[2001:db8::1]:1", "Сова2")
	person("d", "2001:db8::2", "Ab1")
	person("e", "[::ffff:203.0.113.7]:5", "Ab2")
	person("f", "127.0.0.1:1")
	person("g", "127.0.0.1:2")
	live.online[2] = 0
	do(t, s, BanAccount, AccountBan{AccountName: named("b")})
	var got []string
	for _, g := range do(t, s, ListShared, Empty{}) {
		text := fmt.Sprintf("%s %s %d:", g.Kind, g.Of, g.Count)
		for _, a := range g.Accounts {
			text += fmt.Sprintf(" %s%v", a.Login, a.Characters)
			if a.Banned {
				text += " banned"
			}
			if a.Online {
				text += " online"
			}
		}
		got = append(got, text)
	}
	want := []string{"address 203.0.113.7 3: a[Hunter-2 Hunter1] online b[Bob] banned e[Ab2]",
		"address 2001:db8::/64 2: c[Сова2] d[Ab1]", "name сова 2: c[Сова2] вася[Сова] online"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("found\n%q, expected\n%q", got, want)
	}
	shared, err := ListShared.Do(t.Context(), s, Actor{Account: 999, Name: "helper", Role: data.Helper}, Empty{})
	if err != nil || len(shared) != 3 || shared[0].Of != hidden+" 1" || shared[2].Of != "сова" {
		t.Errorf("helpers read %+v, %v", shared, err)
	}
}

// Game masters delete notes, but none on themselves or on those above them.
func TestNotesOnThoseAboveStay(t *testing.T) {
	s, _ := made(t)
	master := do(t, s, AddAccount, NewAccount{Login: "master", Password: "x", Role: data.GameMaster})
	do(t, s, AddAccount, NewAccount{Login: "chief", Password: "x", Role: data.Administrator})
	for login, want := range map[string]error{"master": ErrSelf, "chief": ErrForbidden, "вася": nil} {
		note := do(t, s, AddNote, NewNote{named(login), "x"})
		_, err := DeleteNote.Do(t.Context(), s, Actor{Account: master.ID, Name: "master", Role: data.GameMaster},
			NoteName{ID: note.ID})
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, expected %v", login, err, want)
		}
	}
}

func TestNotesAreBoundedAndListedByAccount(t *testing.T) {
	s, _ := made(t)
	do(t, s, AddAccount, NewAccount{Login: "petya", Password: "x"})
	for range data.MaxNotes {
		do(t, s, AddNote, NewNote{vasya, "x"})
	}
	_, err := by(t.Context(), s, AddNote, NewNote{vasya, "x"})
	if err == nil || err.Error() != "The account вася has 200 notes already: delete old ones." {
		t.Errorf("found %v", err)
	}
	do(t, s, AddNote, NewNote{named("petya"), "y"})
	if n := len(do(t, s, ListNotes, NoteSearch{})); n != 100 {
		t.Errorf("%d notes are listed", n)
	}
	if all := do(t, s, ListNotes, NoteSearch{Limit: 1}); len(all) != 1 || all[0].Login != "petya" {
		t.Errorf("found %v", all)
	}
	if n := len(do(t, s, ListNotes, NoteSearch{AccountName: vasya, Limit: maxNotesShown})); n != data.MaxNotes {
		t.Errorf("%d notes of one account are listed", n)
	}
}
