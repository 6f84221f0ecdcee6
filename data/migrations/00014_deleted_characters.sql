-- +goose Up

-- Characters that were deleted, with what they carried, until their time is over. They have tables of their own, with the
-- columns of characters and items, so that nothing that reads those ever shows one.
CREATE TABLE deleted_characters (
    id            INTEGER PRIMARY KEY, -- as in characters, which gives no number twice
    account       INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    slot          INTEGER NOT NULL,
    name          TEXT    NOT NULL,
    name_key      TEXT    NOT NULL, -- kept free of other accounts
    female        INTEGER NOT NULL,
    face          INTEGER NOT NULL,
    hair          INTEGER NOT NULL,
    hair_colour   INTEGER NOT NULL,
    tattoo        INTEGER NOT NULL,
    created       INTEGER NOT NULL,
    title_level   INTEGER NOT NULL,
    degree_level  INTEGER NOT NULL,
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
    guild         INTEGER NOT NULL,
    guild_level   INTEGER NOT NULL,
    money         INTEGER NOT NULL,
    x             REAL    NOT NULL,
    y             REAL    NOT NULL,
    z             REAL    NOT NULL,
    yaw           REAL    NOT NULL,
    last_seen     INTEGER NOT NULL,
    played        INTEGER NOT NULL,
    tutorial      INTEGER NOT NULL,
    karma_count   INTEGER NOT NULL,
    resets        INTEGER NOT NULL,
    effects       TEXT    NOT NULL,
    licences      INTEGER NOT NULL,
    first_help    INTEGER NOT NULL,
    revision      INTEGER NOT NULL,

    deleted       INTEGER NOT NULL, -- when
    kept_until    INTEGER NOT NULL
) STRICT;

CREATE INDEX deleted_characters_account ON deleted_characters (account);
CREATE INDEX deleted_characters_name ON deleted_characters (name_key);

CREATE TABLE deleted_items (
    id             INTEGER PRIMARY KEY, -- as in items, which gives no number twice
    owner          INTEGER NOT NULL REFERENCES deleted_characters (id) ON DELETE CASCADE,
    container      INTEGER REFERENCES deleted_items (id) ON DELETE CASCADE, -- NULL: carried directly
    slot           INTEGER NOT NULL,
    class          INTEGER NOT NULL,
    game_id        INTEGER NOT NULL,
    suffix         INTEGER NOT NULL,
    count          INTEGER NOT NULL,
    durability     INTEGER NOT NULL,
    max_durability INTEGER NOT NULL,
    premium        INTEGER NOT NULL,
    bound          INTEGER NOT NULL,
    weight         INTEGER NOT NULL,
    extra          BLOB
) STRICT;

CREATE INDEX deleted_items_owner ON deleted_items (owner);
CREATE INDEX deleted_items_container ON deleted_items (container) WHERE container IS NOT NULL;
