package data

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"sphereserver/world/rules"
)

// Check reads the whole database and returns its faults, a sentence for each: with the file, with references between
// its rows, and with the rules of the game that a schema cannot hold. An empty result means that all is well.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	problems, err := s.checkFile(ctx)
	if err != nil {
		return nil, wrap(err, "check")
	}
	damaged := len(problems) > 0
	problem := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	checks := []rowCheck{checkAccount, checkCharacter}
	for _, rule := range checkRules {
		checks = append(checks, rule.check())
	}
	for _, check := range checks {
		err := each(ctx, s.reads, func(row *sql.Rows) error { return check.row(row, problem) }, check.query)
		// Of a damaged file some cannot be read, which has been said.
		if err != nil && (!damaged || sqliteCode(err) == 0) {
			return problems, wrap(err, "check")
		}
	}
	return problems, nil
}

// A rowCheck is a query, and a function that makes problems of its rows.
type rowCheck struct {
	query string
	row   func(row *sql.Rows, problem func(format string, args ...any)) error
}

// sound is SQLite's answer about a file without problems.
var sound = []string{"ok"}

// checkFile checks the file and its indexes, not their contents.
func (s *Store) checkFile(ctx context.Context) ([]string, error) {
	found, err := readAll(ctx, s.reads, single[string], "PRAGMA integrity_check(20)")
	switch {
	case sqliteCode(err) != 0:
		return []string{fmt.Sprintf("the database file is damaged: %v", err)}, nil
	case err != nil:
		return nil, err
	case slices.Equal(found, sound):
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
	{`SELECT d.id, d.name FROM deleted_characters d JOIN characters c ON c.id = d.id`,
		"character %v (%v) is deleted and there at the same time"},
	{`SELECT d.id FROM deleted_items d JOIN items i ON i.id = d.id`,
		"item %v is that of a deleted character and there at the same time"},
	{`SELECT coalesce(owner, 0), coalesce(vault, 0), coalesce(container, 0), slot, count(*) FROM items
		WHERE x IS NULL OR container IS NOT NULL GROUP BY 1, 2, 3, 4 HAVING count(*) > 1`,
		"character %v or the vault of account %v has %[5]v items in slot %[4]v of container %[3]v, expected one"},
	{"SELECT i.id, i.container FROM items i JOIN items b ON b.id = i.container WHERE " + inTwoPlaces,
		"item %v is not where its container %v is"},
	{`WITH RECURSIVE held(id) AS (SELECT id FROM items WHERE container IS NULL
		UNION SELECT i.id FROM items i JOIN held h ON i.container = h.id)
		SELECT id FROM items WHERE id NOT IN held`, "item %v lies in a container that lies in itself"},
	{`SELECT id, count FROM items WHERE count < 1`, "item %v is a stack of %v, expected at least 1"},
	{`SELECT id, class FROM items WHERE class NOT BETWEEN 0 AND 4095`, "item %v has class %v, expected 0 to 4095"},
}

func (r checkRule) check() rowCheck {
	return rowCheck{r.query, func(row *sql.Rows, problem func(string, ...any)) error {
		values, err := scanAny(row)
		if err == nil {
			problem(r.sentence, values...)
		}
		return err
	}}
}

var checkAccount = rowCheck{"SELECT id, login, login_key, password_hash FROM accounts",
	func(row *sql.Rows, problem func(string, ...any)) error {
		var id AccountID
		var login, key, hash string
		if err := row.Scan(&id, &login, &key, &hash); err != nil {
			return err
		}
		if err := CheckLogin(login); err != nil {
			problem("account %d: %v", id, err)
		}
		if key != rules.FoldName(login) {
			problem("account %d: login %q is filed under %q, expected %q", id, login, key, rules.FoldName(login))
		}
		if _, _, _, err := parseHash(hash); err != nil {
			problem("account %d (%s): password hash: %v; set a new password", id, login, err)
		}
		return nil
	}}

var checkCharacter = rowCheck{strings.Replace(selectCharacter, "SELECT id, ", "SELECT name_key, id, ", 1),
	func(row *sql.Rows, problem func(string, ...any)) error {
		var c Character
		var key string
		if err := row.Scan(append([]any{&key}, c.selectFields()...)...); err != nil {
			problem("character %d cannot be read: %v", c.ID, err)
			return nil
		}
		if err := rules.CheckName(c.Name); err != nil {
			problem("character %d: %v", c.ID, err)
		}
		if key != rules.NameKey(c.Name) {
			problem("character %d: name %q is filed under %q, expected %q", c.ID, c.Name, key, rules.NameKey(c.Name))
		}
		if err := c.check(); err != nil {
			problem("character %d: %s", c.ID, strings.TrimPrefix(err.Error(), "data: "))
		}
		return nil
	}}
