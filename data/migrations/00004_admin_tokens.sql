-- +goose Up

-- Keys with which programs use the administrators' interface. The key itself is not stored.
CREATE TABLE admin_tokens (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    account   INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, -- whose it is
    name      TEXT NOT NULL,
    role      INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3),
    hash      BLOB NOT NULL CHECK (length(hash) = 32), -- SHA-256
    created   INTEGER NOT NULL,
    expires   INTEGER NOT NULL DEFAULT 0, -- 0: never
    last_used INTEGER NOT NULL DEFAULT 0  -- 0: never
) STRICT;

CREATE INDEX admin_tokens_account ON admin_tokens (account);
