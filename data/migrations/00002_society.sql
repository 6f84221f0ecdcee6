-- +goose Up

-- What players choose to read: 'ru', 'en', or '' for what the server speaks by default.
ALTER TABLE accounts ADD COLUMN language TEXT NOT NULL DEFAULT '';

CREATE TABLE account_mutes (
    account  INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    until    INTEGER NOT NULL, -- 0: for ever
    reason   TEXT    NOT NULL,
    muted_by TEXT    NOT NULL,
    at       INTEGER NOT NULL
) STRICT;

CREATE TABLE clans (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    name     TEXT    NOT NULL,
    name_key TEXT    NOT NULL UNIQUE, -- lower case, look-alike letters made one
    founder  INTEGER NOT NULL,        -- a character, who may be gone
    created  INTEGER NOT NULL
) STRICT;

CREATE TABLE clan_members (
    character INTEGER PRIMARY KEY REFERENCES characters (id) ON DELETE CASCADE,
    clan      INTEGER NOT NULL REFERENCES clans (id),
    rank      INTEGER NOT NULL CHECK (rank BETWEEN 0 AND 3), -- 0: senior
    joined    INTEGER NOT NULL
) STRICT;

CREATE INDEX clan_members_clan ON clan_members (clan, rank, joined);
-- A clan has one senior.
CREATE UNIQUE INDEX clan_members_senior ON clan_members (clan) WHERE rank = 0;

-- However somebody goes – leaves, is expelled, or is deleted with the character or the account – a clan is dissolved with
-- its last member, and the lead passes to the next in rank, of equals to who has been in the clan for longest.
-- +goose StatementBegin
CREATE TRIGGER clan_members_gone AFTER DELETE ON clan_members BEGIN
    DELETE FROM clans WHERE id = OLD.clan AND NOT EXISTS (SELECT 1 FROM clan_members WHERE clan = OLD.clan);
    UPDATE clan_members SET rank = 0 WHERE OLD.rank = 0 AND character =
        (SELECT character FROM clan_members WHERE clan = OLD.clan ORDER BY rank, joined, character LIMIT 1);
END;
-- +goose StatementEnd

-- The clan of a character is its row above. A copy in characters could be overwritten by an older state that is saved
-- after a change; no program has ever put anything into these columns.
ALTER TABLE characters DROP COLUMN clan_name;
ALTER TABLE characters DROP COLUMN clan_rank;
