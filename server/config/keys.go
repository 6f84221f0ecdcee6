package config

import (
	_ "embed" // the lists of keys
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/server/session"
	"sphereserver/world/rules"
)

// A Key is one setting. To add one: a field in [Settings] or in a part of it, its default in [Defaults] or there, a
// row of server.keys.tsv, and `go test ./server/config -run Documentation -update-docs`.
type Key struct {
	Name             string   // in the file: table and key, "limits.max-per-address"
	Flag             string   // of "sphere serve", without the dashes
	English, Russian string   // its purpose; a word in backquotes stands for the value in the help of the flag
	Min, Max         string   // bounds of numbers and durations, as a flag would write them; empty for none
	OneOf            []string // the only words that a text may be; empty for any
	Path             bool     // a text is the path of a file
	Reload           bool     // a change counts while the server runs

	field []string // of [Settings]: Game, World, Sight
	check func(text string) error
	once  func(part string) string // the name of a part of a list, which no other part has; nil: parts may be alike
	kind  Kind
	table *Table
}

// checks return the fault of a text.
var checks = map[string]func(text string) error{"address": address, "browserRule": browserRule, "clockTime": clockTime,
	"connectAddress": connectAddress, "hostName": hostName, "hostPort": hostPort, "network": network, "oneLine": oneLine,
	"optionalHostPort": optionalHostPort, "seenName": seenName, "told": told, "webAddress": webAddress}

// Env is the name of the environment's variable.
func (k *Key) Env() string {
	return "SPHERE_" + strings.ToUpper(strings.ReplaceAll(k.Flag, "-", "_"))
}

// Doc is the purpose of the key, in Russian or in English, without the backquotes.
func (k *Key) Doc(russian bool) string {
	return strings.ReplaceAll(inLanguage(russian, k.English, k.Russian), "`", "")
}

// Heading is the subject of the key's table.
func (k *Key) Heading(russian bool) string {
	return inLanguage(russian, k.table.English, k.table.Russian)
}

func inLanguage(is bool, english, russian string) string {
	if is {
		return russian
	}
	return english
}

// Table is the table of the file that the key stands in.
func (k *Key) Table() string { return strings.SplitN(k.Name, ".", 2)[0] }

// A Table is a part of the file.
type Table struct {
	Name             string
	English, Russian string
}

// A document is a file of keys.
type document struct {
	tables []*Table
	keys   []*Key // in the order of the file
}

//go:embed server.keys.tsv
var serverKeys string

//go:embed balance.keys.tsv
var balanceKeys string

var (
	// server is sphere.toml.
	server = newDocument(serverKeys)
	// balance is the balance file: every number of fights and journeys that is chosen and not known. Its keys have neither
	// flags nor variables of the environment.
	balance = newDocument(balanceKeys)
)

func newDocument(list string) *document {
	d := &document{}
	flag := ""
	var t *Table
	var defaults Settings
	for _, cells := range content.TableLines(list, "#") {
		if cells[0][0] == '[' {
			t, flag = &Table{strings.Trim(cells[0], "[]"), cells[2], cells[3]}, cells[1]
			d.tables = append(d.tables, t)
			continue
		}
		k := &Key{Name: t.Name + "." + cells[0], Reload: cells[4] == "live", table: t, field: strings.Split(cells[1], "."),
			English: strings.ReplaceAll(cells[5], "{cities}", cityNames),
			Russian: strings.ReplaceAll(cells[6], "{cities}", cityNames)}
		if flag != "-" {
			k.Flag = strings.ReplaceAll(flag, "%s", cells[0])
		}
		k.Min, k.Max, _ = strings.Cut(cells[2], "..")
		k.limit(cells[3])
		k.kind = kindOf(k.at(&defaults))
		d.keys = append(d.keys, k)
	}
	return d
}

// limit says what a text may be: what the list of keys has about it.
func (k *Key) limit(text string) {
	switch {
	case text == "":
	case strings.Contains(text, "|"):
		k.OneOf = strings.Split(text, "|")
	case text == "path":
		k.Path, k.check = true, oneLine
	default:
		if k.check = checks[text]; k.check == nil {
			panic(fmt.Sprintf("config: %s: there is no check %q", k.Name, text))
		}
		if text == "browserRule" {
			k.once = ruleKey
		}
	}
}

// Keys lists all keys of sphere.toml in its order.
func Keys() []*Key { return server.keys }

// KeyNamed finds a key of sphere.toml by its name there.
func KeyNamed(name string) (*Key, bool) { return server.key(name) }

func (d *document) key(name string) (*Key, bool) {
	i := slices.IndexFunc(d.keys, func(k *Key) bool { return k.Name == name })
	if i < 0 {
		return nil, false
	}
	return d.keys[i], true
}

// at is a pointer to the value of the key, or one of the types of value.go that write it as a text.
func (k *Key) at(s *Settings) any {
	v := reflect.ValueOf(s).Elem()
	for _, name := range k.field {
		if v.Kind() == reflect.Array {
			i, _ := strconv.Atoi(name)
			v = v.Index(i)
		} else {
			v = v.FieldByName(name)
		}
	}
	switch p := v.Addr().Interface().(type) {
	case *coords.Position:
		return starts{p, &s.Game.MoreStarts}
	case *session.Generation:
		return word[session.Generation]{p, session.Generation.String, session.ParseGeneration}
	case *slog.Level:
		return word[slog.Level]{p, levelText, parseLevel}
	case *rules.RatePlan:
		return wordList[rules.RatePlan]{word[rules.RatePlan]{p, ratesText, parseRates}}
	case *[]rules.TypeFactor:
		return wordList[[]rules.TypeFactor]{word[[]rules.TypeFactor]{p, typesText, parseTypes}}
	case *bool:
		if len(k.OneOf) > 0 {
			return word[bool]{p, formatText, parseFormat}
		}
		return p
	default:
		return p
	}
}

// values are pointers to the values of all keys.
func (d *document) values(s *Settings) (all []any) {
	for _, k := range d.keys {
		all = append(all, k.at(s))
	}
	return all
}

var cityNames = func() string {
	var names []string
	for _, c := range content.Cities() {
		names = append(names, c.English)
	}
	return strings.Join(names, ", ")
}()
