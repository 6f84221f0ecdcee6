-- +goose Up

-- In how many kills of monsters a character has had a share, and how often it has died.
ALTER TABLE characters ADD COLUMN kills INTEGER NOT NULL DEFAULT 0 CHECK (kills >= 0);
ALTER TABLE characters ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0 CHECK (deaths >= 0);
ALTER TABLE deleted_characters ADD COLUMN kills INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deleted_characters ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
