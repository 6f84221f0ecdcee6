package config

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/lazyregexp"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// A Kind is the form of a value in the file.
type Kind string

// The kinds, by the pointer that the table gives.
const (
	Text     Kind = "text"     // *string or a textValue
	Bool     Kind = "switch"   // *bool
	Int      Kind = "whole"    // *int
	Number   Kind = "number"   // *float64
	Duration Kind = "duration" // *time.Duration, a text "1h30m" in the file
	List     Kind = "list"     // *[]string or a wordList, with commas between in a flag
	Wholes   Kind = "wholes"   // *[]int, the same
)

// kinds have the word for a value in the help of a flag, and how one is asked for where another was found.
var kinds = map[Kind]struct{ flag, words, russian string }{
	Text:   {"string", "a text in quotes", "нужен текст в кавычках"},
	Bool:   {"bool", "true or false", "нужно true или false"},
	Int:    {"int", "a whole number", "нужно целое число"},
	Number: {"float", "a number", "нужно число"},
	Duration: {"duration", `a time in quotes with its unit, like "10s" or "1h30m"`,
		`нужно время в кавычках с единицей, например "10s" или "1h30m"`},
	List:   {"list", "a list of texts", "нужен список текстов"},
	Wholes: {"list", "a list of whole numbers", "нужен список целых чисел"},
}

// A textValue is a [word] of any type.
type textValue interface {
	text() string
	setText(text string) error
}

// A valueError is the fault of a text, in both languages.
type valueError struct{ english, russian string }

// mostFound is how many characters of a value in a file a message repeats.
const mostFound = 200

func wrong(english, russian string, args ...any) valueError {
	args = slices.Clone(args)
	for i := range args {
		if text, is := args[i].(string); is && utf8.RuneCountInString(text) > mostFound {
			args[i] = string([]rune(text)[:mostFound]) + "…"
		}
	}
	return valueError{fmt.Sprintf(english, args...), fmt.Sprintf(russian, args...)}
}

func (e valueError) Error() string { return e.english }

// In writes the error in a language.
func (e valueError) In(russian bool) string { return inLanguage(russian, e.english, e.russian) }

// Kind is the form of the key's value in the file.
func (k *Key) Kind() Kind { return k.kind }

func kindOf(value any) Kind {
	switch value.(type) {
	case interface{ list() }:
		return List
	case *string, textValue:
		return Text
	case *bool:
		return Bool
	case *int:
		return Int
	case *float64:
		return Number
	case *time.Duration:
		return Duration
	case *[]string:
		return List
	case *[]int:
		return Wholes
	default:
		panic(fmt.Sprintf("config: a key of a %T", value))
	}
}

// Get is the value as a flag writes it.
func (k *Key) Get(s *Settings) string { return textOf(k.at(s)) }

// textOf is the value that a pointer leads to as a flag writes it.
func textOf(value any) string {
	switch p := value.(type) {
	case *string:
		return *p
	case *bool:
		return strconv.FormatBool(*p)
	case *int:
		return strconv.Itoa(*p)
	case *float64:
		return strconv.FormatFloat(*p, 'g', -1, 64)
	case *time.Duration:
		return durationText(*p)
	case *[]string:
		return strings.Join(*p, ",")
	case *[]int:
		words := make([]string, len(*p))
		for i, v := range *p {
			words[i] = strconv.Itoa(v)
		}
		return strings.Join(words, ",")
	case textValue:
		return p.text()
	}
	return ""
}

// durationText is d as people write it: "30m", not "30m0s".
func durationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// Set takes a value from a flag's text. An error says what is wrong with it, and leaves s as it was.
func (k *Key) Set(s *Settings, text string) error { return k.setAt(k.at(s), text) }

// setAt is [Key.Set] for a pointer from at.
func (k *Key) setAt(value any, text string) error {
	err := k.set(value, text)
	var e valueError
	if err == nil || !errors.As(err, &e) || slices.Contains([]Kind{Text, List, Wholes}, k.Kind()) {
		return err
	}
	if meant, ok := k.meant(text); ok {
		return e.maybe(meant)
	}
	return e
}

func (k *Key) set(value any, text string) error {
	switch p := value.(type) {
	case *string:
		err := k.checkText(text)
		if err == nil {
			*p = text
		}
		return err
	case textValue:
		if err := k.checkText(text); err != nil {
			return err
		}
		return p.setText(text)
	case *bool:
		v, err := strconv.ParseBool(text)
		if err != nil {
			return wrong("expected true or false, found %q", "нужно true или false, а не «%s»", text)
		}
		*p = v
	case *int:
		return setOrdered(k, p, text, strconv.Atoi, "a whole number", "целое число")
	case *float64:
		return setOrdered(k, p, text, parseNumber, "a number", "число")
	case *time.Duration:
		return setOrdered(k, p, text, time.ParseDuration, `a time with its unit, like "10s" or "1h30m",`,
			"время с единицей, например 10s или 1h30m,")
	case *[]string:
		return k.setList(p, text)
	case *[]int:
		return k.setWholes(p, text)
	}
	return nil
}

func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = errors.New("no number")
	}
	return v, err
}

// setOrdered sets a value that has a least and a greatest.
func setOrdered[T int | float64 | time.Duration](k *Key, p *T, text string, parse func(string) (T, error),
	english, russian string) error {
	v, err := parse(text)
	if err != nil {
		return k.expected(english, russian, strconv.Quote(text))
	}
	for i, bound := range []string{k.Min, k.Max} {
		if bound == "" {
			continue
		}
		b, err := parse(bound)
		if err != nil {
			panic(fmt.Sprintf("config: bound %q of %s: %v", bound, k.Name, err))
		}
		if i == 0 && v < b || i == 1 && v > b {
			return k.expected(english, russian, text)
		}
	}
	*p = v
	return nil
}

// expected is the error for another type of value, or one out of bounds.
func (k *Key) expected(english, russian, found string) valueError {
	return valueError{fmt.Sprintf("expected %s%s, found %s", english, k.bounds(false), found),
		fmt.Sprintf("нужно %s%s, а не %s", russian, k.bounds(true), found)}
}

// bounds is " from 1 to 5".
func (k *Key) bounds(russian bool) string {
	switch {
	case k.Min != "" && k.Max != "":
		return fmt.Sprintf(inLanguage(russian, " from %s to %s", " от %s до %s"), k.Min, k.Max)
	case k.Min != "":
		return inLanguage(russian, " of at least ", " не меньше ") + k.Min
	case k.Max != "":
		return inLanguage(russian, " of at most ", " не больше ") + k.Max
	}
	return ""
}

func (k *Key) checkText(text string) error {
	if len(k.OneOf) > 0 && !slices.Contains(k.OneOf, text) {
		known := slices.DeleteFunc(slices.Clone(k.OneOf), func(w string) bool { return w == "" })
		last := len(known) - 1
		but := strings.Join(known[:last], ", ")
		if near, ok := rules.Nearest(text, known); ok {
			return wrong("expected %s or %s, found %q, did you mean %q?",
				"нужно %s или %s, а не %q; может быть, %q?", but,
				known[last], text, near)
		}
		return wrong("expected %s or %s, found %q", "нужно %s или %s, а не %q", but, known[last], text)
	}
	if k.check != nil {
		return k.check(text)
	}
	return nil
}

// values are the parts of a list between its commas; an empty text has none.
func values(text string) ([]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	parts := strings.Split(text, ",")
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
	}
	full := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return part == "" })
	if len(full) == len(parts) {
		return parts, nil
	}
	err := wrong("expected a value on both sides of each comma, found %q",
		"по обе стороны каждой запятой нужно значение, а здесь %q", text)
	if len(full) > 0 {
		return nil, err.maybe(strings.Join(full, ","))
	}
	return nil, err
}

func (k *Key) setList(p *[]string, text string) error {
	list, err := values(text)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, part := range list {
		if err := k.checkText(part); err != nil {
			return err
		}
		if k.once == nil {
			continue
		}
		name := k.once(part)
		if seen[name] {
			return wrong("expected each of them once, found %q twice", "всё нужно по одному разу, а %q здесь дважды", name)
		}
		seen[name] = true
	}
	*p = list
	return nil
}

func (k *Key) setWholes(p *[]int, text string) error {
	parts, err := values(text)
	if err != nil {
		return err
	}
	var list []int
	for _, part := range parts {
		var v int
		if err := setOrdered(k, &v, part, strconv.Atoi, "whole numbers", "целые числа"); err != nil {
			return err
		}
		list = append(list, v)
	}
	if len(list) > maxList {
		return wrong("expected at most %d numbers, found %d", "нужно не больше %d чисел, а не %d", maxList, len(list))
	}
	*p = list
	return nil
}

// maxList is how many values a list of numbers has at most.
const maxList = 1000

// told refuses a text that players are told but their clients cannot show.
func told(text string) error {
	if err := oneLine(text); err != nil {
		return err
	}
	if _, lacks, at := packets.Fit1251(text); at > 0 {
		return wrong("expected characters that players have, found %q (number %d of the text)",
			"нужны знаки, которые есть у игроков, а не %q (%d-й в тексте)", string(lacks), at)
	}
	return nil
}

// oneLine refuses a text that cannot be shown in one line.
func oneLine(text string) error {
	if !utf8.ValidString(text) {
		return wrong("expected UTF-8, found %q", "нужен текст в UTF-8, а не %q", text)
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return wrong("expected no control characters, found %q", "нужен текст без управляющих символов, а не %q", text)
	}
	if n := utf8.RuneCountInString(text); n > 1000 {
		return wrong("expected at most 1000 characters, found %d", "нужно не больше 1000 знаков, а не %d", n)
	}
	return nil
}

// seenName wants a text that can be shown in one line, and seen there.
func seenName(text string) error {
	seen := func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }
	if err := oneLine(text); err != nil || strings.ContainsFunc(text, seen) {
		return err
	}
	return wrong("expected a name that can be seen, like Sphere, found %q",
		"нужно название, которое видно, например Sphere, а не %q", text)
}

// hostPort wants an address to listen on; the host may be left out.
func hostPort(text string) error {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		none := wrong("expected HOST:PORT, found %q", "нужно АДРЕС:ПОРТ, а не %q", text)
		last := strings.LastIndexByte(text, ':')
		if _, err := strconv.ParseUint(text[last+1:], 10, 16); err != nil {
			return none
		}
		if a, err := netip.ParseAddr(text[:max(last, 0)]); last > 0 && (err != nil || !a.Is6()) {
			return none
		}
		return none.maybe(strconv.Quote(net.JoinHostPort(text[:max(last, 0)], text[last+1:])))
	}
	switch a, err := netip.ParseAddr(host); {
	case err != nil && host != "" && hostName(host) != nil:
		return wrong("expected an address like 192.168.0.10, found %q", "нужен адрес вида 192.168.0.10, а не %q", host)
	case ofMany(a):
		return wrong("expected the address of one machine, found %q", "нужен адрес одной машины, а не %q", host)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return wrong("expected a port from 0 to 65535, found %q", "нужен порт от 0 до 65535, а не %q", port)
	}
	return nil
}

// optionalHostPort wants an address to listen on, or nothing.
func optionalHostPort(text string) error {
	if text == "" {
		return nil
	}
	return hostPort(text)
}

// numericHost is a host whose last part is a number, perhaps a hexadecimal one.
var numericHost = lazyregexp.Of(`^(?:[^.]*\.)*(?:[0-9]+|0[xX][0-9A-Fa-f]*)\.?$`)

// NumericHost reports whether systems take a host for an IPv4 address and not for a name.
func NumericHost(host string) bool { return numericHost().MatchString(host) }

// hostName wants a name or an address as the Host of a request has it, without the port.
func hostName(text string) error {
	if _, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		return nil
	}
	if u, err := url.Parse(text); err == nil && u.Host != "" && hostName(u.Hostname()) == nil {
		return wrong("expected the name of a host without a port, found %q, did you mean %q?",
			"нужно имя машины без порта, а не %q; может быть, %q?", text, u.Hostname())
	}
	if host, _, err := net.SplitHostPort(text); err == nil && hostName(host) == nil {
		return wrong("expected the name of a host without a port, found %q, did you mean %q?",
			"нужно имя машины без порта, а не %q; может быть, %q?", text, host)
	}
	if text == "" || len(text) > 253 || NumericHost(text) || strings.ContainsFunc(text, func(r rune) bool {
		return r != '-' && r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		return wrong("expected the name of a host without a port, found %q", "нужно имя машины без порта, а не %q", text)
	}
	return nil
}

// ofMany reports whether an address is that of many machines, so that none can have it.
func ofMany(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsMulticast() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// connectAddress wants an IPv4 address or a name as players write it into their client, or nothing.
func connectAddress(text string) error {
	switch a, err := netip.ParseAddr(strings.Trim(text, "[]")); {
	case text == "":
		return nil
	case err == nil && a.Is6():
		return wrong("the client knows no IPv6: expected an IPv4 address or a name, found %q",
			"клиент не знает IPv6: нужен адрес IPv4 или имя, а не %q", text)
	case err == nil && (a.IsUnspecified() || ofMany(a)):
		return wrong("expected the address of one machine, as players reach it, found %q",
			"нужен адрес одной машины, по которому до неё доходят игроки, а не %q", text)
	}
	return hostName(text)
}

// webAddress wants the address of a page, or nothing.
func webAddress(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err == nil && strings.ContainsFunc(u.Hostname(), func(r rune) bool { return r > unicode.MaxASCII }) {
		return wrong("expected the name of the host in Latin letters, which begins with xn--, found %q",
			"нужно имя машины латиницей, в виде xn--, а не %q", text)
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" || len(text) > 200 || strings.ContainsFunc(text, unicode.IsSpace) || !oneHost(u.Hostname()) {
		return wrong("expected an address like https://sphere.example.org, found %q",
			"нужен адрес вроде https://sphere.example.org, а не %q", text)
	}
	return nil
}

// oneHost reports whether a host is a name, or the address of one machine.
func oneHost(host string) bool {
	a, err := netip.ParseAddr(host)
	return err != nil && hostName(host) == nil || err == nil && !a.IsUnspecified() && !ofMany(a)
}

// network wants a network, or one address, from which somebody can come.
func network(text string) error {
	p, err := ParseNetwork(text)
	if err != nil || ofMany(p.Addr()) || p.IsSingleIP() && p.Addr().IsUnspecified() {
		return wrong("expected a network like 10.0.0.0/8, or an address, found %q",
			"нужна сеть вида 10.0.0.0/8 или адрес, а не %q", text)
	}
	return nil
}

// address returns the fault of a text that is to be the address of one machine, or empty.
func address(text string) error {
	a, err := netip.ParseAddr(text)
	if text != "" && (err != nil || a.IsUnspecified() || ofMany(a) || a.Zone() != "") {
		return wrong("expected an address like 203.0.113.7, found %q", "нужен адрес вида 203.0.113.7, а не %q", text)
	}
	return nil
}

// browserRule returns the fault of a rule for browsers.
func browserRule(text string) error {
	key := ruleKey(text)
	if !strings.Contains(text, "=") || key == "" {
		return wrong("expected a rule like site=https://sphere.example, found %q",
			"нужно правило вида site=https://sphere.example, а не %q", text)
	}
	if key == "uptime" {
		return wrong("expected another key than uptime, which the server tells by itself, found %q",
			"нужен другой ключ: uptime сервер сообщает сам, а здесь %q", text)
	}
	if key == "0" {
		return wrong("expected another key than 0, which readers in PHP take for the end of the rules, found %q",
			"нужен другой ключ: 0 программы на PHP принимают за конец правил, а здесь %q", text)
	}
	return oneLine(text)
}

// ruleKey is the name of a rule for browsers.
func ruleKey(text string) string {
	key, _, _ := strings.Cut(text, "=")
	return strings.TrimSpace(key)
}

// ParseNetworks reads networks that a file may have.
func ParseNetworks(texts []string) (all []netip.Prefix, err error) {
	for _, text := range texts {
		n, err := ParseNetwork(text)
		if err != nil {
			return nil, fmt.Errorf("expected a network, found %q", text)
		}
		all = append(all, n)
	}
	return all, nil
}

// ParseNetwork reads a network, or one address as the network of it alone.
func ParseNetwork(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	return p.Masked(), err
}

// A word is a value that is a text outside and something else inside.
type word[T any] struct {
	to    *T
	write func(T) string
	read  func(string) (T, error)
}

func (w word[T]) text() string { return w.write(*w.to) }

func (w word[T]) setText(text string) error {
	v, err := w.read(text)
	if err == nil {
		*w.to = v
	}
	return err
}

// A wordList is a word of which the file has the parts between commas as a list.
type wordList[T any] struct{ word[T] }

func (wordList[T]) list() {}

func levelText(l slog.Level) string { return strings.ToLower(l.String()) }

func parseLevel(text string) (l slog.Level, err error) {
	err = l.UnmarshalText([]byte(text))
	return l, err
}

func formatText(json bool) string {
	if json {
		return "json"
	}
	return "text"
}

func parseFormat(text string) (bool, error) { return text == "json", nil }

// starts is a first place and, behind commas, more.
type starts struct {
	first *coords.Position
	more  *[]coords.Position
}

func (v starts) text() string {
	names := []string{placeText(*v.first)}
	for _, at := range *v.more {
		names = append(names, placeText(at))
	}
	return strings.Join(names, ", ")
}

func (v starts) setText(text string) error {
	var all []coords.Position
	for part := range strings.SplitSeq(text, ",") {
		at, err := parsePlace(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		all = append(all, at)
	}
	*v.first, *v.more = all[0], all[1:]
	return nil
}

func parsePlace(text string) (coords.Position, error) {
	at, err := content.ParsePlace(text)
	if _, isPoint, _ := content.ParsePoint(strings.Fields(text)); isPoint && err != nil {
		err = wrong("expected a point of the world, found %q", "нужна точка в пределах мира, а не %q", text)
	} else if err != nil {
		err = valueError{err.Error(), fmt.Sprintf("нужно место с названием или «X Y Z [ПОВОРОТ]», а не %q", text)}
	}
	return at, err
}

// placeText is a place by its name, or by coordinates.
func placeText(at coords.Position) string {
	for _, c := range content.Places() {
		if c.Position == at {
			return c.English
		}
	}
	return fmt.Sprint(at.X, at.Y, at.Z, at.Yaw)
}

// clockTime wants a time of day, or nothing.
func clockTime(text string) error {
	for _, near := range []string{text + ":00", strings.Replace(text, ".", ":", 1), strings.Replace(text, "-", ":", 1)} {
		at, err := time.Parse("15:04", near)
		if _, wrote := time.Parse("15:04", text); err == nil && wrote != nil {
			return wrong("expected a time of day from 00:00 to 23:59, like 05:00, found %q, did you mean %q?",
				"нужно время суток от 00:00 до 23:59, например 05:00, а не %q; может быть, %q?", text, at.Format("15:04"))
		}
	}
	if _, err := time.Parse("15:04", text); text != "" && err != nil {
		return wrong("expected a time of day from 00:00 to 23:59, like 05:00, found %q",
			"нужно время суток от 00:00 до 23:59, например 05:00, а не %q", text)
	}
	return nil
}
