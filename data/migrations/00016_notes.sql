-- +goose Up

-- What operators have noted of players, for each other.
CREATE TABLE notes (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    by      TEXT    NOT NULL,
    text    TEXT    NOT NULL CHECK (length(text) BETWEEN 1 AND 500)
) STRICT;

CREATE INDEX notes_account ON notes (account, id);
