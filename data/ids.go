package data

// AccountID numbers an account. Numbers are never used again.
type AccountID int64

// CharacterID numbers a character. Numbers are never used again; the world gives out the short ids of the wire itself.
type CharacterID int64
