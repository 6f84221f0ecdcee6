-- +goose Up

-- How many changes of progress or place a character has had: what is volatile of an older one is not stored any more.
ALTER TABLE characters ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
