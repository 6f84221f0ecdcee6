-- +goose Up

-- Characters that others do not want to hear, in the order of the rows. A character that is deleted falls out.
CREATE TABLE ignored (
    character INTEGER NOT NULL REFERENCES characters (id) ON DELETE CASCADE,
    other     INTEGER NOT NULL REFERENCES characters (id) ON DELETE CASCADE,
    PRIMARY KEY (character, other)
) STRICT;

CREATE INDEX ignored_other ON ignored (other);
