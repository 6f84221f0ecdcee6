-- +goose Up

-- 'Sphr': lets every program tell this file from any other SQLite database.
PRAGMA application_id = 1399875698;

-- Times are milliseconds since 1970, UTC; 0 stands for never.
CREATE TABLE accounts (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    login         TEXT    NOT NULL,
    login_key     TEXT    NOT NULL UNIQUE, -- the login in lower case
    password_hash TEXT    NOT NULL,
    role          INTEGER NOT NULL DEFAULT 0 CHECK (role BETWEEN 0 AND 3),
    created       INTEGER NOT NULL,
    last_login    INTEGER NOT NULL DEFAULT 0,
    last_address  TEXT    NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE account_bans (
    account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    until   INTEGER NOT NULL, -- 0: for ever
    reason  TEXT    NOT NULL,
    banned_by TEXT  NOT NULL,
    at      INTEGER NOT NULL
) STRICT;

CREATE TABLE address_bans (
    prefix  TEXT    PRIMARY KEY, -- 203.0.113.0/24, canonical
    until   INTEGER NOT NULL,
    reason  TEXT    NOT NULL,
    banned_by TEXT  NOT NULL,
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE characters (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    account       INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    slot          INTEGER NOT NULL CHECK (slot BETWEEN 0 AND 2),
    name          TEXT    NOT NULL,
    name_key      TEXT    NOT NULL UNIQUE, -- lower case, look-alike letters made one
    female        INTEGER NOT NULL CHECK (female IN (0, 1)),
    face          INTEGER NOT NULL,
    hair          INTEGER NOT NULL,
    hair_colour   INTEGER NOT NULL,
    tattoo        INTEGER NOT NULL,
    created       INTEGER NOT NULL,

    title_level   INTEGER NOT NULL CHECK (title_level BETWEEN 0 AND 239),
    degree_level  INTEGER NOT NULL CHECK (degree_level BETWEEN 0 AND 239),
    title_xp      INTEGER NOT NULL,
    degree_xp     INTEGER NOT NULL,
    title_points  INTEGER NOT NULL,
    degree_points INTEGER NOT NULL,
    stat_points   INTEGER NOT NULL,
    strength      INTEGER NOT NULL,
    agility       INTEGER NOT NULL,
    accuracy      INTEGER NOT NULL,
    endurance     INTEGER NOT NULL,
    earth         INTEGER NOT NULL,
    air           INTEGER NOT NULL,
    water         INTEGER NOT NULL,
    fire          INTEGER NOT NULL,
    hp            INTEGER NOT NULL,
    mp            INTEGER NOT NULL,
    satiety       INTEGER NOT NULL,
    max_satiety   INTEGER NOT NULL,
    karma_count   INTEGER NOT NULL CHECK (karma_count BETWEEN -5000 AND 5000),
    clan_name     TEXT    NOT NULL,
    clan_rank     INTEGER NOT NULL,
    guild         INTEGER NOT NULL,
    guild_level   INTEGER NOT NULL,
    money         INTEGER NOT NULL CHECK (money BETWEEN 0 AND 2147483647),
    x             REAL    NOT NULL,
    y             REAL    NOT NULL,
    z             REAL    NOT NULL,
    yaw           REAL    NOT NULL,
    last_seen     INTEGER NOT NULL,
    played        INTEGER NOT NULL, -- milliseconds
    tutorial      INTEGER NOT NULL CHECK (tutorial IN (0, 1)),

    UNIQUE (account, slot)
) STRICT;

CREATE TABLE items (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    owner          INTEGER NOT NULL REFERENCES characters (id) ON DELETE CASCADE,
    container      INTEGER REFERENCES items (id) ON DELETE CASCADE, -- NULL: carried directly
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
    extra          BLOB
) STRICT;

-- One place holds one thing.
CREATE UNIQUE INDEX items_place ON items (owner, coalesce(container, 0), slot);
CREATE INDEX items_container ON items (container) WHERE container IS NOT NULL;

CREATE TABLE audit (
    id     INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,
    who    TEXT    NOT NULL,
    action TEXT    NOT NULL,
    target TEXT    NOT NULL,
    detail TEXT    NOT NULL
) STRICT;

CREATE INDEX audit_target ON audit (target);
