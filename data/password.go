package data

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// HashParams are the cost of one password hash.
type HashParams struct {
	MemoryKiB uint32 // memory in KiB
	Time      uint32 // passes over the memory
	Threads   uint8
}

// DefaultHashParams cost about 18 ms and 19 MiB. Hashes with other parameters are found stale at the next login.
var DefaultHashParams = HashParams{MemoryKiB: 19 * 1024, Time: 2, Threads: 1}

// Bounds of the parameters of a stored hash: a damaged or hostile row must eat neither memory nor time.
const (
	maxHashMemoryKiB = 64 * 1024
	maxHashTime      = 8
	maxHashThreads   = 4
	saltLen          = 16
	keyLen           = 32
	maxHashLen       = 256 // of the whole string
)

func (hp HashParams) check() error {
	if hp.MemoryKiB < 8*uint32(hp.Threads) || hp.MemoryKiB > maxHashMemoryKiB {
		return fmt.Errorf("memory: expected %d to %d KiB, found %d", 8*uint32(hp.Threads), maxHashMemoryKiB, hp.MemoryKiB)
	}
	if hp.Time < 1 || hp.Time > maxHashTime {
		return fmt.Errorf("time: expected 1 to %d, found %d", maxHashTime, hp.Time)
	}
	if hp.Threads < 1 || hp.Threads > maxHashThreads {
		return fmt.Errorf("threads: expected 1 to %d, found %d", maxHashThreads, hp.Threads)
	}
	return nil
}

// HashPassword makes the string that an account stores: argon2id with a random salt, parameters included.
func HashPassword(p string, hp HashParams) (string, error) {
	if err := hp.check(); err != nil {
		return "", fmt.Errorf("data: hash password: %w", err)
	}
	salt := make([]byte, saltLen)
	rand.Read(salt)
	key := argon2.IDKey([]byte(p), salt, hp.Time, hp.MemoryKiB, hp.Threads, keyLen)
	return hp.text(salt, key), nil
}

// VerifyPassword reports whether p is the password of a hash, and whether the hash is stale: made with other
// parameters than the default ones, so worth rehashing. An error means that the hash is not one of ours.
func VerifyPassword(hash, p string) (ok, stale bool, err error) {
	hp, salt, key, err := parseHash(hash)
	if err != nil {
		return false, false, fmt.Errorf("data: password hash: %w", err)
	}
	got := argon2.IDKey([]byte(p), salt, hp.Time, hp.MemoryKiB, hp.Threads, uint32(len(key)))
	ok = subtle.ConstantTimeCompare(got, key) == 1
	stale = hp != DefaultHashParams || len(salt) != saltLen || len(key) != keyLen
	return ok, stale, nil
}

// DecoyHash is the hash of no password, which takes as long to verify as a real one.
func DecoyHash() string {
	random := make([]byte, saltLen+keyLen)
	rand.Read(random)
	return DefaultHashParams.text(random[:saltLen], random[saltLen:])
}

// text is the form that parseHash reads.
func (hp HashParams) text(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hp.MemoryKiB, hp.Time, hp.Threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// parseHash reads a PHC string; errors name the part, never the hash.
func parseHash(hash string) (hp HashParams, salt, key []byte, err error) {
	if len(hash) > maxHashLen {
		return hp, nil, nil, fmt.Errorf("expected at most %d bytes, found %d", maxHashLen, len(hash))
	}
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return hp, nil, nil, errors.New("expected $argon2id$v=…$m=…,t=…,p=…$salt$key")
	}
	if want := fmt.Sprintf("v=%d", argon2.Version); parts[2] != want {
		return hp, nil, nil, fmt.Errorf("version: expected %s, found %q", want, parts[2])
	}
	const form = "m=%d,t=%d,p=%d"
	_, err = fmt.Sscanf(parts[3], form, &hp.MemoryKiB, &hp.Time, &hp.Threads)
	if err != nil || fmt.Sprintf(form, hp.MemoryKiB, hp.Time, hp.Threads) != parts[3] {
		return hp, nil, nil, fmt.Errorf("parameters: expected m=…,t=…,p=…, found %q", parts[3])
	}
	if err := hp.check(); err != nil {
		return hp, nil, nil, err
	}
	if salt, err = base64.RawStdEncoding.Strict().DecodeString(parts[4]); err != nil || len(salt) < 8 || len(salt) > 64 {
		return hp, nil, nil, errors.New("salt: expected 8 to 64 bytes in base64")
	}
	if key, err = base64.RawStdEncoding.Strict().DecodeString(parts[5]); err != nil || len(key) < 16 || len(key) > 64 {
		return hp, nil, nil, errors.New("key: expected 16 to 64 bytes in base64")
	}
	return hp, salt, key, nil
}
