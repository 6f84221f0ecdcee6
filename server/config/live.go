package config

import (
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"
)

// A Change is a key with another value after a reload.
type Change struct {
	Key string `json:"key"`
	Old string `json:"old"`
	New string `json:"new"`
	// Restart says that the new value counts only after a restart.
	Restart bool   `json:"restart"`
	From    Origin `json:"from"`
}

// Live is the configuration of a running server.
type Live struct {
	log     *slog.Logger
	writing sync.Mutex // held while the file is changed

	mu          sync.Mutex
	sources     Sources
	config      *Config
	waiting     []Change // for a restart
	looked      [2]fileState
	fault       error // of the files as they were then
	subscribers []func(Settings)
}

// Running makes a configuration that can be loaded again from where it came.
func Running(c *Config, from Sources, log *slog.Logger) *Live {
	return &Live{log: log, sources: from, config: c}
}

// Settings are the settings that count now.
func (l *Live) Settings() Settings {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.config.Settings
}

// Config has the settings that count now, with where each value comes from. It is not changed any more.
func (l *Live) Config() *Config {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.config
}

// Waiting are the changes of the file that count after a restart.
func (l *Live) Waiting() []Change {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting
}

// A fileState shows whether a file has changed.
type fileState struct {
	size     int64
	modified time.Time
}

// Fault is the fault of the files as they are now, nil for none. They are read only when they have changed, and what
// counts stays as it is.
func (l *Live) Fault() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var now [2]fileState
	for i, path := range []string{l.sources.File, l.sources.Balance} {
		if info, err := os.Stat(path); path != "" && err == nil {
			now[i] = fileState{info.Size(), info.ModTime()}
		}
	}
	if now != l.looked {
		l.looked = now
		_, l.fault = Load(l.sources)
	}
	return l.fault
}

// OnChange has do called with the settings at each reload that changes any, in the order in which it was told. do may
// not call l.
func (l *Live) OnChange(do func(Settings)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.subscribers = append(l.subscribers, do)
}

// Preview returns the changes that Reload would make, and makes none.
func (l *Live) Preview() ([]Change, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, changes, err := l.read(l.sources)
	return changes, err
}

// Reload reads the file again. Keys that may change while the server runs count at once; a change of the rest is
// reported with Restart, and has no effect until then. When anything is wrong nothing changes. Either is logged.
func (l *Live) Reload() ([]Change, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next, changes, err := l.read(l.sources)
	if err != nil {
		l.log.Error("configuration not reloaded, nothing was changed", "error", err)
		return nil, err
	}
	atOnce := func(c Change) bool { return !c.Restart }
	l.config, l.waiting = next, slices.DeleteFunc(slices.Clone(changes), atOnce)
	if slices.ContainsFunc(changes, atOnce) {
		for _, do := range l.subscribers {
			do(next.Settings)
		}
	}
	l.report(changes)
	return changes, nil
}

// read reads the sources again, and returns the new settings and the changes. It is called with the lock held.
func (l *Live) read(from Sources) (next *Config, changes []Change, err error) {
	loaded, err := Load(from)
	if err != nil {
		return nil, nil, err
	}
	next = &Config{Settings: l.config.Settings, File: loaded.File, Balance: loaded.Balance, sources: map[string]Origin{}}
	for _, k := range slices.Concat(server.keys, balance.keys) {
		old, text := k.Get(&l.config.Settings), k.Get(&loaded.Settings)
		source := l.config
		if old == text || k.Reload {
			source = loaded
		}
		if o, ok := source.sources[k.Name]; ok {
			next.sources[k.Name] = o
		}
		if old == text {
			continue
		}
		c := Change{Key: k.Name, Old: old, New: text, Restart: !k.Reload, From: loaded.Origin(k)}
		if k.Reload {
			if err := k.Set(&next.Settings, text); err != nil { // it was taken a moment ago
				return nil, nil, fmt.Errorf("%s: %w", k.Name, err)
			}
		}
		changes = append(changes, c)
	}
	return next, changes, nil
}

func (l *Live) report(changes []Change) {
	for _, c := range changes {
		if c.Restart {
			l.log.Warn("configuration: counts after a restart", "key", c.Key, "now", c.Old, "then", c.New, "from",
				c.From.String())
			continue
		}
		l.log.Info("configuration changed", "key", c.Key, "old", c.Old, "new", c.New, "from", c.From.String())
	}
	l.log.Info("configuration reloaded", "changes", len(changes))
}
