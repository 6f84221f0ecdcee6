package data

import "context"

// SpawnersOff lists the keys of the spawners that are turned off, in order.
func (s *Store) SpawnersOff(ctx context.Context) ([]string, error) {
	keys, err := readAll(ctx, s.reads, single[string], "SELECT key FROM spawners_off ORDER BY key")
	return keys, wrap(err, "spawners")
}

// TurnSpawners stores that spawners are turned off or on, all of them or none.
func (s *Store) TurnSpawners(ctx context.Context, keys []string, off bool) error {
	statement := "DELETE FROM spawners_off WHERE key = ?"
	if off {
		statement = "INSERT INTO spawners_off (key) VALUES (?) ON CONFLICT (key) DO NOTHING"
	}
	return wrap(s.do(ctx, func(t *tx) error {
		for _, key := range keys {
			if err := t.command(statement, key); err != nil {
				return err
			}
		}
		return nil
	}), "spawners")
}
