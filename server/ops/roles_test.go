package ops

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/world/rules"
)

// populate adds an account with a character for each role, and returns its actors.
func populate(t *testing.T, s *Service) map[data.Role]Actor {
	t.Helper()
	out := map[data.Role]Actor{}
	store := s.Store.(*data.Store)
	for role, name := range map[data.Role]string{
		data.Player: "Игрок", data.Helper: "Хелпер", data.GameMaster: "Мастер",
		data.Administrator: "Админ",
	} {
		a, err := by(t.Context(), s, AddAccount, NewAccount{Login: role.String(), Password: "пароль", Role: role})
		if err != nil {
			t.Fatal(err)
		}
		c := data.Character{Account: a.ID, Name: name, HP: 100, MP: 100, Position: coords.Position{X: 1, Y: 150, Z: 1}}
		if _, _, err := store.CreateCharacter(t.Context(), data.NewCharacter{Character: c}); err != nil {
			t.Fatal(err)
		}
		out[role] = Actor{Account: a.ID, Name: a.Login, Role: role}
	}
	return out
}

// about asks for a verb about the character of an account.
func about(v Any, login, character string) any {
	request := reflect.ValueOf(v.NewRequest())
	fill := func(field, value string) {
		if f := request.Elem().FieldByName(field); f.IsValid() && f.Kind() == reflect.String {
			f.SetString(value)
		}
	}
	fill("Login", login)
	fill("Name", character)
	fill("NewName", "Новый")
	fill("Text", "текст")
	fill("Item", "1")
	fill("Password", "password")
	fill("NPC", "banker")
	fill("Do", "cancel")
	fill("Place", "umrad")
	if f := request.Elem().FieldByName("Role"); f.IsValid() && f.Kind() == reflect.Pointer {
		f.Set(reflect.ValueOf(new(data.Player)))
	}
	for _, field := range []string{"Title", "Seconds"} {
		if f := request.Elem().FieldByName(field); f.IsValid() && f.Kind() == reflect.Pointer {
			f.Set(reflect.New(f.Type().Elem()))
		}
	}
	return request.Interface()
}

// Each verb is for its role and those above, and for the targets of its rule.
func TestVerbsAreForTheirRole(t *testing.T) {
	s, _ := made(t)
	actors := populate(t, s)
	names := map[data.Role]string{data.Player: "Игрок", data.Helper: "Хелпер",
		data.GameMaster: "Мастер", data.Administrator: "Админ"}
	for _, v := range Verbs() {
		for role, actor := range actors {
			if role < v.Least() {
				_, err := v.DoAny(t.Context(), s, actor, about(v, "вася", "Сова"))
				if !errors.Is(err, ErrForbidden) || CodeOf(err) != "role" {
					t.Errorf("%s as %v: %v, expected that the role does not suffice", v.Name(), role, err)
				}
				continue
			}
			for target := range actors {
				var want error
				switch {
				case v.Rule() == Below && target == role:
					want = ErrSelf
				case role == data.Administrator:
				case v.Rule() == Below && target >= role, v.Rule() == NotAbove && target > role:
					want = ErrForbidden
				}
				if want == nil {
					continue // allowed verbs are tested elsewhere
				}
				_, err := v.DoAny(t.Context(), s, actor, about(v, target.String(), names[target]))
				if !errors.Is(err, want) {
					t.Errorf("%s as %v to a %v: %v, expected %v", v.Name(), role, target, err, want)
				}
			}
		}
	}
	trail, err := by(t.Context(), s, Audit, AuditSearch{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, e := range trail {
		if e.Action == "refused" {
			refused++
		} else if e.Who != "test" {
			t.Errorf("%+v, expected that nothing was done", e)
		}
		if e.Who == "player" {
			t.Errorf("%+v: players fill the trail", e)
		}
	}
	if refused == 0 {
		t.Error("no attempt was written down")
	}
}

// Nothing is done that cannot be written down.
func TestNothingIsDoneWithoutATrail(t *testing.T) {
	s, live := made(t)
	s.Store = silentStore{s.Store}
	for _, v := range []Any{KickAccount, MoveCharacter, GiveItem, SetMoney, SetLevels, SetPoints, ClearItems, Say, SpawnNPC} {
		if _, err := v.DoAny(t.Context(), s, tester, about(v, "вася", "Сова")); !errors.Is(err, data.ErrUnavailable) {
			t.Errorf("%s: %v, expected ErrUnavailable", v.Name(), err)
		}
	}
	if log := live.log(); log != "" {
		t.Errorf("done without a trail: %s", log)
	}
}

// silentStore writes nothing into the trail.
type silentStore struct{ Store }

func (silentStore) AppendAudit(context.Context, data.AuditEntry) error { return data.ErrUnavailable }

// The same with and without a running server: gifts, money, levels, and clearing.
func TestBelongingsAreChanged(t *testing.T) {
	for _, running := range []bool{true, false} {
		t.Run(fmt.Sprint("running ", running), func(t *testing.T) {
			s, live := made(t)
			if !running {
				s.Runtime = nil
			}
			ctx, who := t.Context(), CharacterName{Name: "сова"}
			for range rules.EndOfInventory - rules.SlotInventory {
				if gave, err := by(ctx, s, GiveItem, Gift{CharacterName: who, Item: "1"}); err != nil || gave.Count != 1 ||
					gave.Name.Russian == "" {
					t.Fatalf("%+v, %v", gave, err)
				}
			}
			if _, err := by(ctx, s, GiveItem, Gift{CharacterName: who, Item: "1"}); RejectedBy(err) != rules.NoRoom {
				t.Errorf("%v, expected that there is no room", err)
			}
			for item, field := range map[string]string{"": "item", strings.Repeat("x", 101): "item",
				"нетакого": "item"} {
				var f Faults
				if _, err := by(ctx, s, GiveItem, Gift{CharacterName: who, Item: item}); !errors.As(err, &f) ||
					f[0].Field != field {
					t.Errorf("%.20q: %v, expected a fault of %s", item, err, field)
				}
			}
			for _, m := range []struct {
				amount, want int64
				relative     bool
			}{{500, 500, false}, {100, 600, true}, {-600, 0, true}, {rules.MaxMoney, rules.MaxMoney, false}} {
				c, err := by(ctx, s, SetMoney, Money{CharacterName: who, Amount: m.amount, Relative: m.relative})
				if err != nil || c.Money != m.want {
					t.Errorf("%+v: %d, %v", m, c.Money, err)
				}
			}
			if _, err := by(ctx, s, SetMoney, Money{CharacterName: who, Amount: 1,
				Relative: true}); RejectedBy(err) != rules.TooRich {
				t.Errorf("%v, expected that it is too much", err)
			}
			if _, err := by(ctx, s, SetMoney, Money{CharacterName: who, Amount: 1 << 40}); !errors.Is(err, ErrInvalid) {
				t.Errorf("%v, expected ErrInvalid", err)
			}
			c, err := by(ctx, s, SetLevels, Levels{CharacterName: who, Title: new(Ordinal(60))})
			if err != nil || c.TitleLevel != 60 || c.DegreeLevel != 0 {
				t.Errorf("%+v, %v", c, err)
			}
			if _, err := by(ctx, s, SetLevels, Levels{CharacterName: who, Degree: new(Ordinal(240))}); !errors.Is(err,
				ErrInvalid) {
				t.Errorf("%v, expected ErrInvalid", err)
			}
			if _, err := by(ctx, s, ClearItems, Clearing{CharacterName: who}); err != nil {
				t.Error(err)
			}
			d, err := by(ctx, s, ShowCharacter, who)
			if err != nil || len(d.Items) != 1 {
				t.Errorf("%d items are left, %v; expected what is worn", len(d.Items), err)
			}
			if _, err := by(ctx, s, GiveItem, Gift{CharacterName: who, Item: "1"}); err != nil {
				t.Error(err)
			}
			for item, want := range map[rules.ItemID]error{d.Items[0].ID: nil, 99999: data.ErrNotFound} {
				if _, err := by(ctx, s, ClearItems, Clearing{CharacterName: who, Item: item}); !errors.Is(err, want) {
					t.Errorf("thing %d: %v, expected %v", item, err, want)
				}
			}
			if d, err := by(ctx, s, ShowCharacter, who); err != nil || len(d.Items) != 1 || rules.IsWorn(d.Items[0].Slot) {
				t.Errorf("%+v, %v; expected that only what is worn was taken", d.Items, err)
			}
			if _, err := by(ctx, s, ClearItems, Clearing{CharacterName: who, All: true}); err != nil {
				t.Error(err)
			}
			if d, err := by(ctx, s, ShowCharacter, who); err != nil || len(d.Items) != 0 || d.TitleLevel != 60 {
				t.Errorf("%+v, %v", d, err)
			}
			live.log()
		})
	}
}

func TestTeleportsAndNPCs(t *testing.T) {
	s, live := made(t)
	ctx, who := t.Context(), CharacterName{Name: "Сова"}
	if _, err := by(ctx, s, MoveCharacter, Move{CharacterName: who, Place: "umrad"}); err != nil {
		t.Error(err)
	}
	for _, m := range []Move{
		{CharacterName: who, Place: "nowhereatall"},
		{CharacterName: who, Place: "umrad", Beside: "Сова"},
		{CharacterName: who, Position: coords.Position{X: 1e9}},
	} {
		if _, err := by(ctx, s, MoveCharacter, m); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v, expected ErrInvalid", m, err)
		}
	}
	if _, err := by(ctx, s, MoveCharacter, Move{CharacterName: who, Beside: "Сова"}); !errors.Is(err, ErrSelf) {
		t.Errorf("%v, expected ErrSelf", err)
	}
	if _, err := by(ctx, s, UnstuckCharacter, who); err != nil {
		t.Error(err)
	}
	if log := live.log(); strings.Count(log, "teleport 1 to ") != 2 {
		t.Errorf("found %s", log)
	}
	here := NPCSpawn{NPC: "Banker", At: coords.Position{X: 10, Y: 150, Z: 10}}
	if npc, err := by(ctx, s, SpawnNPC, here); err != nil || npc.Role.English == "" {
		t.Errorf("%+v, %v", npc, err)
	}
	far := NPCSpawn{At: coords.Position{X: 10 + spawnReach + 1, Y: 150, Z: 10}}
	if _, err := by(ctx, s, RemoveNPC, far); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("%v, expected that nobody is near", err)
	}
	if npc, err := by(ctx, s, RemoveNPC, here); err != nil || npc.Key == "" {
		t.Errorf("%+v, %v", npc, err)
	}
	if _, err := by(ctx, s, SpawnNPC, NPCSpawn{NPC: "bankir"}); !errors.Is(err, data.ErrNotFound) ||
		!strings.Contains(err.Error(), "banker") {
		t.Errorf("%v, expected a suggestion", err)
	}
	s.Runtime = nil
	for _, v := range []Any{SpawnNPC, RemoveNPC} {
		if _, err := v.DoAny(ctx, s, tester, about(v, "", "")); !errors.Is(err, ErrNotRunning) {
			t.Errorf("%s: %v, expected ErrNotRunning", v.Name(), err)
		}
	}
}

func TestOnlyTheOwnerChoosesFiles(t *testing.T) {
	s, _ := made(t)
	chief := populate(t, s)[data.Administrator]
	if _, err := Backup.Do(t.Context(), s, chief, File{Path: t.TempDir() + "/x.db"}); !errors.Is(err, ErrForbidden) {
		t.Errorf("%v, expected ErrForbidden", err)
	}
	if f, err := Backup.Do(t.Context(), s, chief, File{}); err != nil || f.Path == "" {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestEveryVerbHasItsOwnName(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range Verbs() {
		if seen[v.Name()] || v.Name() == "" {
			t.Errorf("%q is there twice or empty", v.Name())
		}
		seen[v.Name()] = true
	}
	for _, k := range errorKinds {
		if CodeOf(fmt.Errorf("x: %w", k.kind)) != k.code || KindOf(k.code) != k.kind {
			t.Errorf("%s does not find its way back", k.code)
		}
	}
}
