-- +goose Up

-- What lies on a character, as a list in JSON; '' is nothing. Times in it are milliseconds of being in the game.
ALTER TABLE characters ADD COLUMN effects TEXT NOT NULL DEFAULT '' CHECK (effects = '' OR json_valid(effects));
