package data

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// cheap makes tests quick.
var cheap = HashParams{MemoryKiB: 8, Time: 1, Threads: 1}

func TestPasswordIsVerified(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p, other := rapid.String().Draw(r, "password"), rapid.String().Draw(r, "other")
		hash, err := HashPassword(p, cheap)
		if err != nil {
			r.Fatal(err)
		}
		for _, try := range []string{p, other} {
			ok, stale, err := VerifyPassword(hash, try)
			if err != nil || ok != (try == p) || !stale {
				r.Fatalf("%q: %v, %v, %v", try, ok, stale, err)
			}
		}
	})
}

func TestDefaultHashIsNotStale(t *testing.T) {
	hash := must(HashPassword("пароль", DefaultHashParams))(t)
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("found %s", hash)
	}
	ok, stale, err := VerifyPassword(hash, "пароль")
	if !ok || stale || err != nil {
		t.Errorf("found %v, %v, %v", ok, stale, err)
	}
	if again := must(HashPassword("пароль", DefaultHashParams))(t); again == hash {
		t.Error("expected another salt")
	}
}

func TestDecoyIsTheHashOfNoPassword(t *testing.T) {
	ok, stale, err := VerifyPassword(DecoyHash(), "decoy")
	if ok || stale || err != nil {
		t.Errorf("found %v, %v, %v", ok, stale, err)
	}
	if one, other := DecoyHash(), DecoyHash(); one == other {
		t.Error("expected another decoy")
	}
}

// The vector is from the tests of Argon2's reference implementation.
func TestHashOfAnotherProgramIsUnderstood(t *testing.T) {
	ok, stale, err := VerifyPassword("$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "password")
	if !ok || !stale || err != nil {
		t.Errorf("found %v, %v, %v", ok, stale, err)
	}
}

func TestHostileHashIsRefusedAtOnce(t *testing.T) {
	good := must(HashPassword("p", cheap))(t)
	parts := strings.Split(good, "$")
	swap := func(i int, with string) string {
		p := append([]string(nil), parts...)
		p[i] = with
		return strings.Join(p, "$")
	}
	for _, hash := range []string{
		"", "$", "secret", strings.Repeat("$", 5), good + "$", swap(1, "argon2i"), swap(2, "v=16"), swap(3,
			"m=4294967295,t=1,p=1"), swap(3, "m=4194304,t=1,p=1"),
		swap(3, "m=8,t=4294967295,p=1"), swap(3, "m=8,t=0,p=1"), swap(3, "m=8,t=1,p=0"), swap(3, "m=2040,t=1,p=255"), swap(3,
			"m=08,t=1,p=1"),
		swap(3, "m=-8,t=1,p=1"), swap(3, "m=8,t=1,p=1,x=2"), swap(3, "m=1,t=1,p=1"), swap(4, ""), swap(4, "AA"), swap(5,
			""), swap(5, "!!"), swap(5, strings.Repeat("A", 1<<20)),
	} {
		ok, _, err := VerifyPassword(hash, "p")
		if ok || err == nil {
			t.Errorf("%.60q: expected an error, found ok = %v", hash, ok)
		}
	}
	if _, err := HashPassword("p", HashParams{MemoryKiB: 1 << 30, Time: 1, Threads: 1}); err == nil {
		t.Error("expected parameters to be refused that could not be verified")
	}
}
