-- +goose Up

-- Until when a character cannot cast spells again, by kinds of items, as JSON; '' is none. Times are milliseconds of Unix time.
ALTER TABLE characters ADD COLUMN cooldowns TEXT NOT NULL DEFAULT '' CHECK (cooldowns = '' OR json_valid(cooldowns));
ALTER TABLE deleted_characters ADD COLUMN cooldowns TEXT NOT NULL DEFAULT '';
