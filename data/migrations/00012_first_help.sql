-- +goose Up

-- Which pages of first help a character has been shown, as bits. Those who are here already need none.
ALTER TABLE characters ADD COLUMN first_help INTEGER NOT NULL DEFAULT 0 CHECK (first_help BETWEEN 0 AND 262143);
UPDATE characters SET first_help = 262143;
