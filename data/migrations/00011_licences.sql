-- +goose Up

-- Licences for great teleports, as bits: 2 to Haron, 4 to Phoebe.
ALTER TABLE characters ADD COLUMN licences INTEGER NOT NULL DEFAULT 0 CHECK (licences BETWEEN 0 AND 255);
