package data

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"sphereserver/world/rules"
)

// Check reads the whole database and returns what is wrong with it, a sentence for each problem: with the file, with
// references between its rows, and with the rules of the game that a schema cannot hold. An empty result
// means that all is well.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	problems, err := s.checkFile(ctx)
	if err != nil {
		return nil, fmt.Errorf("data: check: %w", err)
	}
	damaged := len(problems) > 0
	checks := []func(context.Context) ([]string, error){s.checkAccounts, s.checkCharacters}
	for _, rule := range checkRules {
		checks = append(checks, func(ctx context.Context) ([]string, error) { return s.breaches(ctx, rule) })
	}
	for _, check := range checks {
		found, err := check(ctx)
		problems = append(problems, found...)
		switch {
		case err != nil && damaged && sqliteCode(err) != 0:
			// Some of the file cannot be read, which has been said.
		case err != nil:
			return problems, fmt.Errorf("data: check: %w", err)
		}
	}
	return problems, nil
}

// checkFile is about the file and its indexes, whatever they hold.
func (s *Store) checkFile(ctx context.Context) ([]string, error) {
	found, err := stringRows(ctx, s.reads, "PRAGMA integrity_check(20)")
	switch {
	case sqliteCode(err) != 0:
		return []string{fmt.Sprintf("the database file is damaged: %v", err)}, nil
	case err != nil:
		return nil, err
	case len(found) == 1 && found[0] == "ok":
		return nil, nil
	}
	for i, p := range found {
		found[i] = "the database file is damaged: " + p
	}
	return found, nil
}

// A checkRule is a query that finds nothing when all is well; its columns fill the sentence.
type checkRule struct {
	query    string
	sentence string
}

var checkRules = []checkRule{
	{`SELECT "table", coalesce(rowid, 0), parent FROM pragma_foreign_key_check`,
		"row %[2]v of %[1]v belongs to a row of %[3]v that is not there"},
	{`SELECT account, count(*) FROM characters GROUP BY account HAVING count(*) > 3`,
		"account %v has %v characters, expected at most 3"},
	{`SELECT account, slot, count(*) FROM characters GROUP BY account, slot HAVING count(*) > 1`,
		"account %v has %[3]v characters in slot %[2]v, expected one"},
	{`SELECT id, name, slot FROM characters WHERE slot NOT BETWEEN 0 AND 2`,
		"character %v (%v) is in slot %v, expected 0 to 2"},
	{`SELECT coalesce(owner, 0), coalesce(vault, 0), coalesce(container, 0), slot, count(*) FROM items WHERE x IS NULL OR container IS NOT NULL
		GROUP BY 1, 2, 3, 4 HAVING count(*) > 1`, "character %v or the vault of account %v has %[5]v items in slot %[4]v of container %[3]v, expected one"},
	{`SELECT i.id, i.container FROM items i JOIN items b ON b.id = i.container
		WHERE b.owner IS NOT i.owner OR b.vault IS NOT i.vault OR (b.x IS NULL) <> (i.x IS NULL)`, "item %v is not where its container %v is"},
	{`WITH RECURSIVE held(id) AS (SELECT id FROM items WHERE container IS NULL UNION SELECT i.id FROM items i JOIN held h ON i.container = h.id)
		SELECT id FROM items WHERE id NOT IN held`, "item %v lies in a container that lies in itself"},
	{`SELECT id, count FROM items WHERE count < 1`, "item %v is a stack of %v, expected at least 1"},
	{`SELECT id, class FROM items WHERE class NOT BETWEEN 0 AND 4095`, "item %v has class %v, expected 0 to 4095"},
}

func (s *Store) breaches(ctx context.Context, rule checkRule) ([]string, error) {
	rows, err := s.reads.QueryContext(ctx, rule.query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out []string
	for rows.Next() {
		values, pointers := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			pointers[i] = &values[i]
		}
		if err := rows.Scan(pointers...); err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprintf(rule.sentence, values...))
	}
	return out, rows.Err()
}

func (s *Store) checkAccounts(ctx context.Context) ([]string, error) {
	var problems []string
	err := s.each(ctx, "SELECT id, login, login_key, password_hash FROM accounts", func(rows *sql.Rows) error {
		var id AccountID
		var login, key, hash string
		if err := rows.Scan(&id, &login, &key, &hash); err != nil {
			return err
		}
		if err := CheckLogin(login); err != nil {
			problems = append(problems, fmt.Sprintf("account %d: %v", id, err))
		}
		if key != rules.FoldName(login) {
			problems = append(problems, fmt.Sprintf("account %d: login %q is filed under %q, expected %q", id, login, key,
				rules.FoldName(login)))
		}
		if _, _, _, err := parseHash(hash); err != nil {
			problems = append(problems, fmt.Sprintf("account %d (%s): password hash: %v; set a new password", id, login, err))
		}
		return nil
	})
	return problems, err
}

func (s *Store) checkCharacters(ctx context.Context) ([]string, error) {
	var problems []string
	query := strings.Replace(selectCharacter, "SELECT id, ", "SELECT name_key, id, ", 1)
	err := s.each(ctx, query, func(rows *sql.Rows) error {
		var c Character
		var key string
		if err := rows.Scan(append([]any{&key}, c.selectFields()...)...); err != nil {
			problems = append(problems, fmt.Sprintf("character %d cannot be read: %v", c.ID, err))
			return nil
		}
		if err := rules.CheckName(c.Name); err != nil {
			problems = append(problems, fmt.Sprintf("character %d: %v", c.ID, err))
		}
		if key != rules.NameKey(c.Name) {
			problems = append(problems, fmt.Sprintf("character %d: name %q is filed under %q, expected %q", c.ID, c.Name, key,
				rules.NameKey(c.Name)))
		}
		if err := c.check(); err != nil {
			problems = append(problems, fmt.Sprintf("character %d: %v", c.ID, strings.TrimPrefix(err.Error(), "data: ")))
		}
		return nil
	})
	return problems, err
}

// each calls f for every row of a query.
func (s *Store) each(ctx context.Context, query string, f func(*sql.Rows) error) error {
	rows, err := s.reads.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
