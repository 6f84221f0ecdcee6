-- +goose Up

-- Karma counts beyond 5000, as recorded.
ALTER TABLE characters ADD COLUMN karma_now INTEGER NOT NULL DEFAULT 0 CHECK (karma_now BETWEEN -1000000 AND 1000000);
UPDATE characters SET karma_now = karma_count;
ALTER TABLE characters DROP COLUMN karma_count;
ALTER TABLE characters RENAME COLUMN karma_now TO karma_count;
