package ops

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/world/rules"
)

// Note is a remark of an operator about an account.
type Note = data.Note

// NewNote asks for a note on an account.
type NewNote struct {
	AccountName
	Text string `json:"text"` // 1 to 500 characters
}

// NoteSearch asks for the newest notes: on one account, or on all if it names none.
type NoteSearch struct {
	AccountName
	Limit int `json:"limit,omitempty"` // up to 1000; 0: 100
}

// NoteName asks for one note, by its number.
type NoteName struct {
	ID data.NoteID `json:"id"`
}

// A Doubt counts the moves of an account that were not believed since the server has started.
type Doubt struct {
	Account   data.AccountID  `json:"id"`
	Login     string          `json:"login"`
	Character string          `json:"character"` // the last one
	Count     int             `json:"count"`     // moves
	First     time.Time       `json:"first"`
	Last      time.Time       `json:"last"`
	At        coords.Position `json:"at"` // where it was put back the last time
	To        coords.Position `json:"to"` // where its client said that it was
	Why       string          `json:"why"`
}

// A Shared is what several accounts have in common: the address or IPv6 /64 from which they have logged in last, or
// names of characters that differ in digits and dashes only.
type Shared struct {
	Kind     string          `json:"kind"` // "address" or "name"
	Of       string          `json:"of"`
	Count    int             `json:"count"`    // accounts
	Accounts []SharedAccount `json:"accounts"` // the first of them
}

// SharedAccount is one of them.
type SharedAccount struct {
	ID         data.AccountID `json:"id"`
	Login      string         `json:"login"`
	Role       data.Role      `json:"role"`
	LastLogin  time.Time      `json:"lastLogin,omitzero"`
	Characters []string       `json:"characters"`
	Banned     bool           `json:"banned"`
	Muted      bool           `json:"muted"`
	Online     bool           `json:"online"`
}

// Bounds of lists.
const (
	maxNotesShown    = 1000
	maxShared        = 200 // groups, those of most accounts first
	maxSharedMembers = 50
	leastStem        = 3 // characters that names have to have in common
)

var (
	noNoteText    = Text{"Заметки с номером %d нет.", "There is no note %d."}
	manyNotesText = Text{"На учётной записи %s уже %d заметок: удалите старые.",
		"The account %s has %d notes already: delete old ones."}
)

func (n NewNote) check(f *Faults) {
	text := strings.TrimSpace(n.Text)
	switch length := utf8.RuneCountInString(text); {
	case text == "":
		f.Add("text", emptyText)
	case length > maxText:
		f.Add("text", longText, maxText, length)
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }):
		f.Add("text", Text{controlText.Russian, fmt.Sprintf(controlText.English, text)})
	}
}

// addNote writes down something on an account.
func (c *call) addNote(n NewNote) (Note, error) {
	a, err := c.account(n.AccountName)
	if err != nil {
		return Note{}, err
	}
	text := strings.TrimSpace(n.Text)
	note, err := c.Store.AddNote(c.audited(a.Login, text), a.ID, c.by.Name, text)
	if errors.Is(err, data.ErrTooManyNotes) {
		err = refuse(ErrInvalid, manyNotesText, a.Login, data.MaxNotes)
	}
	return note, err
}

func (s NoteSearch) check(f *Faults) { f.listed(s.Limit, maxNotesShown) }

func (c *call) listNotes(s NoteSearch) ([]Note, error) {
	var of data.AccountID
	if s.AccountName != (AccountName{}) {
		a, err := c.account(s.AccountName)
		if err != nil {
			return nil, err
		}
		of = a.ID
	}
	found, err := c.Store.Notes(c, of, cmp.Or(s.Limit, usuallyListed))
	return append([]Note{}, found...), err
}

func (c *call) deleteNote(n NoteName) (Note, error) {
	note, err := c.Store.NoteByID(c, n.ID)
	if err == nil && c.by.Role < data.Administrator {
		err = c.mayForget(note)
	}
	if err == nil {
		err = c.Store.DeleteNote(c.audited(note.Login, note.Text), n.ID)
	}
	return note, orElse(err, noNoteText, n.ID)
}

// mayForget says why an operator may not delete a note: it is about itself, or about somebody above it.
func (c *call) mayForget(note data.Note) error {
	a, err := c.Store.AccountByID(c, note.Account)
	switch {
	case err != nil:
		return err
	case a.ID == c.by.Account:
		return refuse(ErrSelf, selfText)
	case a.Role > c.by.Role:
		c.Denied(c, c.by, c.verb, a.Login)
		return refuse(ErrForbidden, aboveText, a.Login, RoleNames[a.Role])
	}
	return nil
}

// listDoubts lists the accounts with moves that were not believed, the last ones first.
func (c *call) listDoubts(Empty) ([]Doubt, error) {
	if c.Doubts == nil {
		return nil, ErrNotRunning
	}
	all := c.Doubts()
	slices.SortFunc(all, func(a, b Doubt) int { return b.Last.Compare(a.Last) })
	return append([]Doubt{}, all...), nil
}

// listShared lists accounts that have something in common.
func (c *call) listShared(Empty) ([]Shared, error) {
	done, err := c.inTurn()
	if err != nil {
		return nil, err
	}
	defer done()
	accounts, err := c.Store.Accounts(c, "")
	if err != nil {
		return nil, err
	}
	characters, err := c.byAccount()
	if err != nil {
		return nil, err
	}
	groups := map[[2]string][]int{} // by kind and what is shared: indexes of accounts
	add := func(kind, of string, i int) {
		g := groups[[2]string{kind, of}]
		if of != "" && (len(g) == 0 || g[len(g)-1] != i) {
			groups[[2]string{kind, of}] = append(g, i)
		}
	}
	for i := range accounts {
		add("address", sharedAddress(accounts[i].LastAddress), i)
		for _, ch := range characters[accounts[i].ID] {
			add("name", nameStem(ch.Name), i)
		}
	}
	var out []Shared
	for key, members := range groups {
		if len(members) > 1 {
			out = append(out, Shared{Kind: key[0], Of: key[1], Count: len(members)})
		}
	}
	slices.SortFunc(out, func(a, b Shared) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Kind, b.Kind), strings.Compare(a.Of, b.Of))
	})
	out = out[:min(len(out), maxShared)]
	for g := range out {
		s := &out[g]
		for _, i := range groups[[2]string{s.Kind, s.Of}][:min(s.Count, maxSharedMembers)] {
			a := &accounts[i]
			online, _ := c.online(a.ID)
			names := []string{}
			for _, ch := range characters[a.ID] {
				names = append(names, ch.Name)
			}
			s.Accounts = append(s.Accounts, SharedAccount{ID: a.ID, Login: a.Login, Role: a.Role, LastLogin: a.LastLogin,
				Characters: names, Banned: a.Ban != nil, Muted: a.Mute != nil, Online: online})
		}
	}
	for g := range out {
		if out[g].Kind == "address" && c.by.Role < data.GameMaster { // who may not read the addresses of players
			out[g].Of = fmt.Sprintf("%s %d", hidden, g+1)
		}
	}
	return append([]Shared{}, out...), nil
}

// sharedAddress is the network that a ban of an address would keep out; "" for none, and for this machine.
func sharedAddress(last string) string {
	a, err := netip.ParseAddr(last)
	if at, withPort := netip.ParseAddrPort(last); withPort == nil {
		a, err = at.Addr(), nil
	}
	if err != nil || a.IsLoopback() {
		return ""
	}
	a = a.Unmap().WithZone("")
	p := data.BannedPrefix(netip.PrefixFrom(a, a.BitLen()))
	if p.IsSingleIP() {
		return a.String()
	}
	return p.String()
}

// nameStem is a name without case, digits and dashes; "" if little is left.
func nameStem(name string) string {
	stem := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, rules.FoldName(name))
	if utf8.RuneCountInString(stem) < leastStem {
		return ""
	}
	return stem
}
