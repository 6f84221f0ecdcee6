-- +goose Up

-- How high the ground is where players have walked: squares of 2 m, their least coordinates halved, each with up to four
-- storeys. The height is in centimetres.
CREATE TABLE ground (
	x      INTEGER NOT NULL,
	z      INTEGER NOT NULL,
	storey INTEGER NOT NULL CHECK (storey BETWEEN 0 AND 3),
	y      INTEGER NOT NULL,
	PRIMARY KEY (x, z, storey)
) WITHOUT ROWID;
