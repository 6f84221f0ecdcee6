-- +goose Up

-- Spawners that an operator has turned off: no monsters come from them.
CREATE TABLE spawners_off (
    key TEXT PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 100)
) STRICT, WITHOUT ROWID;
