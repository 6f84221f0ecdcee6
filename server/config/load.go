package config

import (
	"errors"
	"fmt"
	"io/fs"
)

// Sources are where values come from.
type Sources struct {
	Defaults Settings
	File     string                           // empty for none
	Optional bool                             // the file need not be there
	Balance  string                           // the balance file, which need not be there; empty for none
	balance  []byte                           // its text, in the place of that on the disk; nil: that on the disk
	Env      func(name string) (string, bool) // as [os.LookupEnv]; nil for none
	Flags    map[string]string                // by the flag's name, as far as the command line has them
}

// An Origin says where a value comes from.
type Origin struct {
	From string `json:"from"` // "default", "file", "environment" or "flag"
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Name string `json:"name,omitempty"` // of the variable or of the flag
}

func (o Origin) String() string {
	switch o.From {
	case "file":
		return fmt.Sprintf("file %s:%d", o.File, o.Line)
	case "environment":
		return "environment " + o.Name
	case "flag":
		return "flag --" + o.Name
	}
	return o.From
}

// A SourceError is a wrong value of a flag or of the environment.
type SourceError struct {
	Origin Origin
	Err    error
}

func (e *SourceError) Error() string {
	if e.Origin.From == "environment" {
		return fmt.Sprintf("environment variable %s: %v", e.Origin.Name, e.Err)
	}
	return fmt.Sprintf("--%s: %v", e.Origin.Name, e.Err)
}

func (e *SourceError) Unwrap() error { return e.Err }

// A Config has the settings of the sources.
type Config struct {
	Settings Settings
	File     string            // that was read; empty for none
	Balance  string            // the same of the balance file
	sources  map[string]Origin // by key's name; none for defaults
}

// Origin says where the value of a key comes from.
func (c *Config) Origin(k *Key) Origin {
	if o, ok := c.sources[k.Name]; ok {
		return o
	}
	return Origin{From: "default"}
}

// Load reads all sources. Faults of the file are [Problems], a fault of another source is a [SourceError].
func Load(from Sources) (*Config, error) {
	c := &Config{Settings: from.Defaults, sources: map[string]Origin{}}
	read, err := c.read(server, from.File, nil, from.Optional)
	if read {
		c.File = from.File
	}
	read, err2 := c.read(balance, from.Balance, from.balance, true)
	if read {
		c.Balance = from.Balance
	}
	var problems, more Problems
	switch {
	case errors.As(err, &problems) && errors.As(err2, &more):
		return nil, fmt.Errorf("configuration: %w", append(problems, more...))
	case err != nil:
		return nil, err
	case err2 != nil:
		return nil, err2
	}
	given := func(flag string) (string, bool) { text, ok := from.Flags[flag]; return text, ok }
	for _, k := range server.keys {
		if from.Env != nil {
			if err := c.set(k, from.Env, k.Env(), "environment"); err != nil {
				return nil, err
			}
		}
		if err := c.set(k, given, k.Flag, "flag"); err != nil {
			return nil, err
		}
	}
	c.imply()
	if err := c.contradicted(); err != nil {
		return nil, err
	}
	return c, nil
}

// contradicted is the fault of a flag or a variable that cannot be meant together with the other settings. Those of a
// file alone have been compared when it was read.
func (c *Config) contradicted() error {
	var given []setting
	for _, k := range server.keys {
		if from := c.Origin(k).From; from == "environment" || from == "flag" {
			given = append(given, setting{key: k})
		}
	}
	for _, p := range server.contradictions(&c.Settings, given) {
		if o, ok := c.sources[p.Key]; ok {
			return &SourceError{o, valueError{p.Text, p.russian}}
		}
	}
	return nil
}

// imply has newcomers begin where they are told to, if they are told: not in a dungeon, unless that is asked for, too.
func (c *Config) imply() {
	const dungeon = "world.newcomers-dungeon"
	at, given := c.sources["server.start"]
	if _, asked := c.sources[dungeon]; given && !asked {
		c.Settings.Game.NewcomersDungeon, c.sources[dungeon] = false, at
	}
}

// read takes the settings of a file, or of a text in its place, and reports whether there is one.
func (c *Config) read(d *document, path string, text []byte, optional bool) (bool, error) {
	if path == "" {
		return false, nil
	}
	var settings []setting
	var err error
	if text != nil {
		settings, err = parseFile(path, text, d.parse)
	} else {
		settings, err = readFile(path, d.parse)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && optional:
		return false, nil
	case err != nil:
		return false, fmt.Errorf("configuration: %w", err)
	}
	for _, s := range settings {
		if err := s.key.Set(&c.Settings, s.text); err != nil {
			return false, fmt.Errorf("configuration: %s:%d: %s: %w", path, s.line, s.key.Name, err)
		}
		c.sources[s.key.Name] = Origin{From: "file", File: path, Line: s.line}
	}
	if problems := d.contradictions(&c.Settings, settings); len(problems) > 0 {
		for i := range problems {
			problems[i].File = path
		}
		return false, fmt.Errorf("configuration: %w", problems)
	}
	return true, nil
}

// set takes the value of a key from where it is known by a name, if that has one.
func (c *Config) set(k *Key, source func(string) (string, bool), name, from string) error {
	text, ok := source(name)
	if !ok {
		return nil
	}
	origin := Origin{From: from, Name: name}
	if err := k.Set(&c.Settings, text); err != nil {
		return &SourceError{origin, err}
	}
	c.sources[k.Name] = origin
	return nil
}

// A Flag is the flag of a key for package pflag: it checks a value and remembers it.
type Flag struct {
	Key     *Key
	shown   any // a pointer to the value
	changed map[string]string
}

// Flags makes the flags of all keys of sphere.toml; given has the values of the command line when that has been read.
func Flags(defaults Settings) (flags []*Flag, given map[string]string) {
	given = map[string]string{}
	all := make([]Flag, len(server.keys))
	for i, value := range server.values(&defaults) {
		all[i] = Flag{Key: server.keys[i], shown: value, changed: given}
		flags = append(flags, &all[i])
	}
	return flags, given
}

// String implements pflag.Value.
func (f *Flag) String() string {
	if f.Key == nil { // pflag makes one for the zero value
		return ""
	}
	return textOf(f.shown)
}

// Set implements pflag.Value.
func (f *Flag) Set(text string) error {
	err := f.Key.setAt(f.shown, text)
	if err == nil {
		f.changed[f.Key.Flag] = text
	}
	return err
}

// Type implements pflag.Value: the word for the value in the help.
func (f *Flag) Type() string { return kinds[f.Key.Kind()].flag }
