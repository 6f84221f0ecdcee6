-- +goose Up

-- What operators have ordered the server to be: its message of the day, and maintenance. It counts before the configuration.
CREATE TABLE orders (
    key    TEXT    NOT NULL PRIMARY KEY,
    value  TEXT    NOT NULL,
    set_by TEXT    NOT NULL,
    at     INTEGER NOT NULL
) STRICT;
