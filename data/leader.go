package data

import (
	"context"
	"database/sql"
	"fmt"
)

// A Ranking names the value by which characters are compared.
type Ranking string

// The rankings. Of two equal characters the older one stands first.
const (
	ByTitle  Ranking = "title"  // level, then experience
	ByDegree Ranking = "degree" // the same
	ByKarma  Ranking = "karma"  // the best count
)

// rankings have which characters take part, and the order.
var rankings = map[Ranking]string{
	ByTitle:  "c.title_level > 0 ORDER BY c.title_level DESC, c.title_xp DESC",
	ByDegree: "c.degree_level > 0 ORDER BY c.degree_level DESC, c.degree_xp DESC",
	ByKarma:  "c.karma_count > 0 ORDER BY c.karma_count DESC",
}

// A Leader is a character as a ranking shows it to everybody.
type Leader struct {
	Name   string
	Clan   string
	Title  int // levels as they are stored, less one
	Degree int
	Karma  int
}

// Leaders lists the first of a ranking. Characters of operators and of banned accounts take no part, nor do those
// with nothing to show in it.
func (s *Store) Leaders(ctx context.Context, by Ranking, most int) ([]Leader, error) {
	order, known := rankings[by]
	if !known {
		return nil, fmt.Errorf("data: no ranking %q", by)
	}
	out, err := readAll(ctx, s.reads, func(row *sql.Rows) (l Leader, err error) {
		return l, row.Scan(&l.Name, &l.Clan, &l.Title, &l.Degree, &l.Karma)
	}, `SELECT c.name,
	coalesce((SELECT k.name FROM clan_members m JOIN clans k ON k.id = m.clan WHERE m.character = c.id), ''),
	c.title_level, c.degree_level, c.karma_count
	FROM characters c JOIN accounts a ON a.id = c.account
	WHERE a.role = ?1
	AND NOT EXISTS (SELECT 1 FROM account_bans b WHERE b.account = a.id AND (b.until = 0 OR b.until > ?2))
	AND `+order+", c.id LIMIT ?3", Player, toMillis(s.now()), most)
	return out, wrap(err, "read the leaders by %s", by)
}
