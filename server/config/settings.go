// Package config is the configuration of a server: one table of keys, from which the file sphere.toml, the flags of
// "sphere serve", the environment, the documentation and the output of "sphere config show" all come.
//
// A value comes from the flag, else from the environment, else from the file, else from the defaults. To add a key is
// to add a row to server.keys.tsv.
package config

import (
	"log/slog"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/server/game"
	"sphereserver/server/query"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Settings are all that can be configured.
type Settings struct {
	Name    string // of the server, for browsers
	Game    game.Options
	Queries query.Options
	// Announcements are texts that the server says in turn, with "|" between.
	Announcements string
	// BrowserRules are "key=value", told beside the usual rules, BrowserNetworks those that may ask, none for all.
	BrowserRules, BrowserNetworks []string
	Log                           Log
	Backups                       Backups
	KeepDeleted                   time.Duration // how long deleted characters can come back; 0: not at all
	Restart                       string        // "05:00", when the server stops each day to be started again; "": never
	Admin                         Admin
	Public                        Public
	ChatLog                       bool // lines of chat go to a file of the data folder
	Unknown                       bool // so do requests of unknown forms
	Balance                       rules.Balance
}

// Log is how the operator's log is written.
type Log struct {
	Level slog.Level
	JSON  bool
	File  string // appended to; empty for the standard error
}

// Admin is the page for administrators with its interface for programs.
type Admin struct {
	Listen   string   // HOST:PORT, port 0 for a free one; empty for none
	Hosts    []string // names by which browsers may call it, besides its address and those of this machine
	Cert     string   // file with the certificate of TLS and its chain; empty for none
	Key      string   // file with its key
	Networks []string // that may read metrics, besides this machine
	Proxies  []string // networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, besides this machine
}

// Public is the page for players, which nobody logs in to.
type Public struct {
	Listen       string // HOST:PORT, port 0 for a free one; empty for none
	Cert, Key    string // files of TLS; empty for none
	Connect      string // address that players write into their client; empty for the page's own
	Names        bool   // of the players in the world
	PlayersOnMap bool
	Top          bool // lists of the best characters
	Version      bool
	Proxies      []string // as those of [Admin]
}

// Backups are the backups that the server makes by itself.
type Backups struct {
	Every   time.Duration // from one to the next; 0 for none
	Keep    int           // how many of them stay; 0 for all
	KeepFor time.Duration // how old they get; 0 for any age. The newest stays at any age
}

// Patience is how old the newest backup may be before an operator ought to look after it. Where the server makes none
// by itself that is a week.
func (b Backups) Patience() time.Duration {
	if b.Every <= 0 {
		return 7 * 24 * time.Hour
	}
	return 2*b.Every + time.Hour
}

// Words are the texts that the server says by itself.
func (s *Settings) Words() game.Words {
	w := s.Game.Words
	w.Announcements = nil
	for _, text := range strings.Split(s.Announcements, "|") {
		if text = strings.TrimSpace(text); text != "" {
			w.Announcements = append(w.Announcements, text)
		}
	}
	return w
}

// RestartAt is the time of the daily restart, since midnight; negative for never.
func (s *Settings) RestartAt() time.Duration {
	at, err := time.Parse("15:04", s.Restart)
	if err != nil {
		return -1
	}
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
}

// Defaults returns the settings that ship.
func Defaults() Settings {
	s := Settings{Name: "Sphere", Game: game.DefaultOptions(), Queries: query.DefaultOptions(),
		Log: Log{Level: slog.LevelInfo}, Backups: Backups{Every: 24 * time.Hour, Keep: 14},
		KeepDeleted: data.DefaultKeepDeleted, Admin: Admin{Listen: "127.0.0.1:8860"}, Public: Public{Top: true},
		ChatLog: true, Unknown: true, Balance: *rules.DefaultBalance()}
	s.Game.World, s.Game.Monsters, s.Game.NewcomersDungeon = world.DefaultOptions(), true, true
	return s
}
