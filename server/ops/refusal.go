package ops

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// The kinds of refusals, beside [data.ErrNotFound]. errors.Is finds them on every road.
var (
	ErrInvalid     = errors.New("invalid")              // an argument breaks a rule
	ErrForbidden   = errors.New("forbidden")            // the role does not suffice
	ErrSelf        = errors.New("yourself")             // not to be done to oneself
	ErrNotRunning  = errors.New("no server is running") // only a running server can do it
	ErrNotInWorld  = errors.New("not in the world")     // the player would have to be in the world
	ErrUnconfirmed = errors.New("not confirmed")        // it has to be asked for once more
	ErrRejected    = errors.New("rejected")             // the rules of the game do not allow it
	ErrKey         = errors.New("wrong key")            // it is not, or no longer, the first administrator's
	ErrChanged     = errors.New("changed meanwhile")    // it is no longer as the operator has seen it
)

var (
	// ErrNoRecording says that there is no recording.
	ErrNoRecording = errors.New("no sessions are being recorded")
	// ErrRecording says that there is a recording already.
	ErrRecording = errors.New("sessions are being recorded already")
)

// Text is a sentence for people in both languages, with the verbs of package fmt for its arguments.
type Text struct {
	Russian string `json:"ru"`
	English string `json:"en"`
}

// In writes the text in a language. Texts among the arguments are written in the same.
func (t Text) In(russian bool, args ...any) string {
	format := t.English
	if russian {
		format = t.Russian
	}
	if len(args) == 0 {
		return format
	}
	args = slices.Clone(args)
	for i := range args {
		if arg, ok := args[i].(Text); ok {
			args[i] = arg.In(russian)
		}
	}
	return fmt.Sprintf(format, args...)
}

// A Notice tells a player of an operator's act, in its own language.
type Notice struct {
	Text Text
	Args []any
}

func notice(t Text, args ...any) Notice { return Notice{t, args} }

// In writes the notice in a language.
func (n Notice) In(russian bool) string { return strings.TrimSpace(n.Text.In(russian, n.Args...)) }

// A Refusal is why a verb is not done. All roads show the same words; Error has the English ones.
type Refusal struct {
	Kind  error  // one of the sentinels
	Field string // of the request that is wrong; "" for none
	Text  Text
	Args  []any
	Why   rules.RejectReason // of the kind ErrRejected
}

func refuse(kind error, t Text, args ...any) *Refusal {
	return &Refusal{Kind: kind, Text: t, Args: args}
}

// In writes the refusal in a language.
func (r *Refusal) In(russian bool) string { return r.Text.In(russian, r.Args...) }

func (r *Refusal) Error() string { return r.In(false) }

// Is reports whether the refusal is of a kind.
func (r *Refusal) Is(kind error) bool { return kind == r.Kind }

// Faults are all that is wrong with the arguments of a request.
type Faults []*Refusal

// Add notes a fault of a field.
func (f *Faults) Add(field string, t Text, args ...any) {
	*f = append(*f, &Refusal{Kind: ErrInvalid, Field: field, Text: t, Args: args})
}

// Err is nil when there is no fault.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

func (f Faults) Error() string { return f.In(false) }

// In lists the faults in a language: whole sentences one after the other, others with semicolons between.
func (f Faults) In(russian bool) string {
	out := ""
	for i := range f {
		next := f[i].In(russian)
		switch {
		case f[i].Field == "", f[i].Field == "level": // a level of a monster says so itself
		case f[i].Text == emptyText:
			next = emptyFieldText.In(russian, fieldText(f[i].Field))
		case slices.Contains(anonymous, f[i].Text.Russian), russian && strings.HasPrefix(next, ruleBegins):
			next = ofField(f[i].Field, next, russian)
		}
		first, _ := utf8.DecodeRuneInString(next)
		switch {
		case out == "":
		case unicode.IsUpper(first) && strings.ContainsAny(out[len(out)-1:], ".?!"):
			out += " "
		default:
			out = strings.TrimSuffix(out, ".") + "; "
		}
		out += next
	}
	return out
}

// anonymous are the texts, by their Russian, that do not say of which field they are.
var anonymous = []string{longText.Russian, controlText.Russian, lacksText.Russian, levelText.Russian,
	pointsRangeText.Russian, futureText.Russian}

// ofField puts the name of a field before a fault of it.
func ofField(field, fault string, russian bool) string {
	name := fieldText(field).In(russian)
	if first, size := utf8.DecodeRuneInString(name); russian {
		name = string(unicode.ToUpper(first)) + name[size:]
	}
	first, size := utf8.DecodeRuneInString(fault)
	return name + ": " + string(unicode.ToLower(first)) + fault[size:]
}

// fieldTexts are the names of fields where a text does not stand beside its field, as on the command line.
var fieldTexts = map[string]Text{
	"admit": {"кого впускать", "admitted"}, "degree": {"степень", "degree"}, "reason": {"причина", "reason"},
	"title": {"титул", "title"}, "until": {"срок", "end"},
	"do": {"действие", "act"}, "item": {"предмет", "item"}, "key": {"настройка", "key"}, "login": {"логин", "login"},
	"monster": {"монстр", "monster"}, "name": {"имя", "name"}, "npc": {"NPC", "NPC"}, "on": {"цель", "target"},
	"password": {"пароль", "password"}, "role": {"роль", "role"}, "text": {"текст", "text"},
	"value": {"значение", "value"},
}

func fieldText(field string) Text {
	if t, known := fieldTexts[field]; known {
		return t
	}
	return Text{field, field}
}

// Is says that faults are invalid arguments.
func (f Faults) Is(kind error) bool { return kind == ErrInvalid }

// Localized is an error of this package in both languages: a [Refusal] or [Faults].
type Localized interface {
	error
	In(russian bool) string
}

// An invalidError makes a rule of package data that was broken one of the kind ErrInvalid.
type invalidError struct{ error }

func (e invalidError) Unwrap() error      { return e.error }
func (invalidError) Is(target error) bool { return target == ErrInvalid }

func invalid(err error) error { return invalidError{err} }

// errorKinds are the kinds of errors that callers tell apart, by the words that programs read.
var errorKinds = []struct {
	code string
	kind error
}{
	{"not-found", data.ErrNotFound},
	{"login-taken", data.ErrLoginTaken},
	{"name-taken", data.ErrNameTaken},
	{"slot-taken", data.ErrSlotTaken},
	{"account-full", data.ErrAccountFull},
	{"too-late", data.ErrTooLate},
	{"invalid", ErrInvalid},
	{"role", ErrForbidden},
	{"self", ErrSelf},
	{"confirm", ErrUnconfirmed},
	{"key", ErrKey},
	{"refused", ErrRejected},
	{"changed", ErrChanged},
	{"unavailable", data.ErrUnavailable},
	{"not-running", ErrNotRunning},
	{"not-in-world", ErrNotInWorld},
	{"recording", ErrRecording},
	{"closed", data.ErrClosed},
}

// CodeOf is the word for the kind of an error, "failed" for one of no known kind.
func CodeOf(err error) string {
	for _, k := range errorKinds {
		if errors.Is(err, k.kind) {
			return k.code
		}
	}
	return "failed"
}

// KindOf is the kind that a word stands for; nil for an unknown one.
func KindOf(code string) error {
	for _, k := range errorKinds {
		if k.code == code {
			return k.kind
		}
	}
	return nil
}

// maxText in characters bounds reasons and announcements.
const maxText = 500

var (
	longText    = Text{"Не длиннее %d знаков, а не %d.", "expected at most %d characters, found %d"}
	controlText = Text{"Без управляющих символов и переводов строк.",
		"expected no control characters and no line breaks, found %q"}
	lacksText = Text{"Знака «%[1]c» (%[2]d-й в тексте) у игроков нет: уберите его.",
		"Players do not have the character %[1]q (number %[2]d of the text): leave it out."}
	emptyText      = Text{"Это поле обязательно.", "This field is required."}
	emptyFieldText = Text{"Поле «%s» обязательно.", "The field %s is required."}
	sameText       = Text{"%s", "%s"}
)

// fitted is a text that was checked, as players get it.
func fitted(text string) string {
	text, _, _ = packets.Fit1251(text)
	return packets.PlainText(text)
}

// message checks the field text of a message to players, of which something must be left as they get it.
func (f *Faults) message(text string) {
	if fitted(text) == "" {
		f.Add("text", emptyText)
		return
	}
	f.line("text", strings.TrimSpace(text))
}

// line checks a text that players may be shown.
func (f *Faults) line(field, value string) {
	if n := utf8.RuneCountInString(value); n > maxText {
		f.Add(field, longText, maxText, n)
		return
	}
	if strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }) {
		f.Add(field, Text{controlText.Russian, fmt.Sprintf(controlText.English, value)})
		return
	}
	if _, lacks, at := packets.Fit1251(value); at > 0 {
		f.Add(field, lacksText, lacks, at)
	}
}

// required refuses a name that is empty.
func required(field, name string) error {
	var f Faults
	if strings.TrimSpace(name) == "" {
		f.Add(field, emptyText)
	}
	return f.Err()
}

// nameShown in characters is how much a refusal repeats of a name that was not found.
const nameShown = 40

var (
	notFoundText = Text{"«%[2]s» не найдено.", "%[1]s %[2]q not found"}
	nearestText  = Text{"«%[2]s» не найдено. Может быть, «%[3]s»?", "%[1]s %[2]q not found; did you mean %[3]q?"}
)

func shortName(name string) string {
	shown := []rune(name)
	return string(shown[:min(len(shown), nameShown)])
}

func notFound(what, name string, known []string) *Refusal {
	name = shortName(name)
	if near, ok := rules.Nearest(name, known); ok {
		return refuse(data.ErrNotFound, nearestText, what, name, near)
	}
	return refuse(data.ErrNotFound, notFoundText, what, name)
}

// rejectTexts are the answers to operators when the rules of the game do not allow something.
var rejectTexts = map[rules.RejectReason]Text{
	rules.StoreFailed: {
		"Сервер сейчас не может это сохранить, поэтому ничего не изменилось. Попробуйте позже.",
		"The server cannot store this now, so nothing has changed. Try again later.",
	},
	rules.Busy:       {"Слишком много действий сразу. Подождите немного.", "Too much at once. Wait a moment."},
	rules.NoRoom:     {"Нет свободного места.", "There is no free place."},
	rules.WrongCount: {"Столько сразу нельзя.", "Not in that number at once."},
	rules.TooPoor:    {"Не хватает денег.", "Not enough money."},
	rules.Dead:       {"Персонаж мёртв: лечат живых.", "The character is dead, and only the living are healed."},
	rules.Alive:      {"Персонаж жив.", "The character is alive."},
	rules.TooRich:    {"Столько денег у одного быть не может.", "Nobody can have that much money."},
	rules.NoMission: {"Задания нет, или такого сейчас не дают.",
		"There is no mission, or none of that kind to be had now."},
	rules.HasMission: {"У персонажа уже есть задание.", "The character has a mission already."},
	rules.NoGiver:    {"Некому дать такое задание.", "Nobody gives missions of that kind."},
	rules.NoInstance: {"Такого подземелья уже нет.", "That instance is no more."},
	rules.NoCell:     {"Все подземелья заняты.", "There is no room for another instance."},
}

// Reject is the refusal of an act that the rules of the game do not allow.
func Reject(why rules.RejectReason) *Refusal {
	t, known := rejectTexts[why]
	if !known {
		t = Text{why.String(), why.String()}
	}
	return &Refusal{Kind: ErrRejected, Text: t, Why: why}
}

// RejectedBy returns why the rules of the game did not allow something; 0 if it is another error.
func RejectedBy(err error) rules.RejectReason {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Why
	}
	return 0
}

// ruleBegins is the beginning of the rules below, which name no field.
const ruleBegins = "Нужно от 1 до "

// Rules of names and passwords, in Russian, with a place for the most characters.
var (
	loginRule    = "Нужно от 1 до %d знаков Windows-1251 (русские и латинские буквы, цифры, знаки), без пробелов по краям."
	passwordRule = "Нужно от 1 до %d знаков Windows-1251 (русские и латинские буквы, цифры, знаки)."
	nameRule     = "Нужно от 1 до %d букв одного алфавита, цифр, «-» и «_», в начале буква."

	loginTakenText = Text{"Логин «%s» уже занят.", "login %q: the login is taken"}
	nameTakenText  = Text{"Имя «%s» или очень похожее уже занято.", "name %q: the name is taken"}
)

// taken is the refusal of a name that is not free.
func taken(kind error, field string, t Text, name string) *Refusal {
	return &Refusal{Kind: kind, Field: field, Text: t, Args: []any{name}}
}

// breaks notes that a text breaks a rule, which the error tells in English; the Russian one has a place for the most
// characters.
func (f *Faults) breaks(field string, err error, russian string, most int) {
	if err != nil {
		f.Add(field, Text{fmt.Sprintf(russian, most), strings.TrimPrefix(err.Error(), "data: ")})
	}
}
