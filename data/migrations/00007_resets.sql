-- +goose Up

-- What a character can do once and has done, as bits: 2 a title given up for degrees, 4 the other way round, 8 statistics
-- unlearned.
ALTER TABLE characters ADD COLUMN resets INTEGER NOT NULL DEFAULT 0 CHECK (resets BETWEEN 0 AND 255);
