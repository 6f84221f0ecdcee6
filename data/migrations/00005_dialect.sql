-- +goose Up

-- The generation of the client that the account was used with last, "2022" or "2026"; '' until it is known.
ALTER TABLE accounts ADD COLUMN dialect TEXT NOT NULL DEFAULT '';
