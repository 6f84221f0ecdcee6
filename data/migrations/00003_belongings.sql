-- +goose Up

-- A thing is carried by a character, kept in the vault of an account, or lies in the world. What is in a bag is where the bag is.
PRAGMA defer_foreign_keys = ON;

CREATE TABLE items_new (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    owner          INTEGER REFERENCES characters (id) ON DELETE CASCADE, -- carried
    vault          INTEGER REFERENCES accounts (id) ON DELETE CASCADE,   -- in the vault
    x              REAL,                                                 -- in the world
    y              REAL,
    z              REAL,
    yaw            REAL,
    expires        INTEGER NOT NULL DEFAULT 0, -- 0: never
    promised       INTEGER NOT NULL DEFAULT 0, -- to this character, 0: to nobody,
    promised_until INTEGER NOT NULL DEFAULT 0, -- until then
    container      INTEGER REFERENCES items_new (id) ON DELETE CASCADE,  -- NULL: in none
    slot           INTEGER NOT NULL,
    class          INTEGER NOT NULL,
    game_id        INTEGER NOT NULL,
    suffix         INTEGER NOT NULL, -- -1: none
    count          INTEGER NOT NULL,
    durability     INTEGER NOT NULL,
    max_durability INTEGER NOT NULL,
    premium        INTEGER NOT NULL,
    bound          INTEGER NOT NULL CHECK (bound IN (0, 1)),
    weight         INTEGER NOT NULL,
    extra          BLOB,
    CHECK ((owner IS NOT NULL) + (vault IS NOT NULL) + (x IS NOT NULL) = 1),
    CHECK ((x IS NULL) = (y IS NULL) AND (x IS NULL) = (z IS NULL) AND (x IS NULL) = (yaw IS NULL))
) STRICT;

INSERT INTO items_new (id, owner, container, slot, class, game_id, suffix, count, durability, max_durability, premium, bound, weight, extra)
SELECT id, owner, container, slot, class, game_id, suffix, count, durability, max_durability, premium, bound, weight, extra
FROM items ORDER BY id;

-- Numbers of things that are gone are not used again.
DELETE FROM sqlite_sequence WHERE name = 'items_new';
INSERT INTO sqlite_sequence (name, seq) SELECT 'items_new', seq FROM sqlite_sequence WHERE name = 'items';

DROP TABLE items;
ALTER TABLE items_new RENAME TO items;

-- One place holds one thing; in the world there is room for all.
CREATE UNIQUE INDEX items_place ON items (coalesce(owner, 0), coalesce(vault, 0), coalesce(container, 0), slot)
    WHERE x IS NULL OR container IS NOT NULL;
CREATE INDEX items_owner ON items (owner) WHERE owner IS NOT NULL;
CREATE INDEX items_vault ON items (vault) WHERE vault IS NOT NULL;
CREATE INDEX items_world ON items (x) WHERE x IS NOT NULL;
CREATE INDEX items_container ON items (container) WHERE container IS NOT NULL;
