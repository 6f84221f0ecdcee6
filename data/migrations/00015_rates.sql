-- +goose Up

-- Rates that operators have set: what there is more of, how many times as much, and when. until 0: for ever.
CREATE TABLE rates (
    id     INTEGER PRIMARY KEY,
    kind   TEXT    NOT NULL CHECK (kind IN ('experience', 'drops', 'money', 'respawn')),
    factor REAL    NOT NULL CHECK (factor BETWEEN 0.1 AND 100),
    since  INTEGER NOT NULL,
    until  INTEGER NOT NULL CHECK (until = 0 OR until > since),
    set_by TEXT    NOT NULL
) STRICT;
