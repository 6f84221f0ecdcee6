package rules

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// moscow has no summer time, newYork has: its clocks went forward at 2026-03-08 02:00 and back at 2026-11-01 02:00.
var moscow = time.FixedZone("MSK", 3*60*60)

// inNewYork has the time zone, or skips the test where the system does not know it.
func inNewYork(t *testing.T) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Skip(err)
	}
	return loc
}

func moment(t *testing.T, text string, loc *time.Location) time.Time {
	t.Helper()
	if text == "never" {
		return time.Time{}
	}
	at, ok := ParseMoment(text, loc)
	if !ok {
		t.Fatalf("%q is no moment", text)
	}
	return at
}

func plan(t *testing.T, text string, loc *time.Location) (p RatePlan) {
	t.Helper()
	for part := range strings.SplitSeq(text, ",") {
		r, ok := ParseRate(part, loc)
		if !ok {
			t.Fatalf("%q is no rate", part)
		}
		p = append(p, r)
	}
	return p
}

// Which factor counts at a moment, and when another one does. 2026-11-27 is a Friday.
func TestRatesByTheClock(t *testing.T) {
	for _, v := range []struct {
		plan, at string
		factor   float64
		change   string
	}{
		{"2", "2026-11-27 12:00", 2, "never"},
		{"2 every weekend", "2026-11-27 23:59:59", 1, "2026-11-28 00:00"},
		{"2 every weekend", "2026-11-28", 2, "2026-11-30 00:00"},
		{"2 every weekend", "2026-11-29 00:00", 2, "2026-11-30 00:00"},
		{"2 every weekend", "2026-11-29 23:59:59", 2, "2026-11-30 00:00"},
		{"2 every weekend", "2026-11-30", 1, "2026-12-05 00:00"},
		{"1.5,2 every weekend", "2026-11-27", 1.5, "2026-11-28 00:00"},
		{"2 every weekend,1.5", "2026-11-28", 2, "2026-11-30 00:00"},
		{"2 every day", "2026-11-28", 2, "never"},
		{"2,2 every weekend", "2026-11-27", 2, "never"},
		{"2 every workday", "2026-11-27 12:00", 2, "2026-11-28 00:00"},
		{"2 every friday 18:00-02:00", "2026-11-27 17:59:59", 1, "2026-11-27 18:00"},
		{"2 every friday 18:00-02:00", "2026-11-27 18:00", 2, "2026-11-28 02:00"},
		{"2 every friday 18:00-02:00", "2026-11-28 01:59:59", 2, "2026-11-28 02:00"},
		{"2 every friday 18:00-02:00", "2026-11-28 02:00", 1, "2026-12-04 18:00"},
		{"2 every friday 10:00-12:00", "2026-11-27 13:00", 1, "2026-12-04 10:00"}, // in a week
		{"2 every sunday 18:00-24:00,3 every monday 00:00-01:00", "2026-11-29 20:00", 2, "2026-11-30 00:00"},
		{"2 every sunday 18:00-24:00,3 every monday 00:00-01:00", "2026-11-30 00:30", 3, "2026-11-30 01:00"},
		{"3 from 2026-12-31 18:00 to 2027-01-02", "2026-11-27", 1, "2026-12-31 18:00"},
		{"3 from 2026-12-31 18:00 to 2027-01-02", "2027-01-01", 3, "2027-01-02 00:00"},
		{"3 from 2026-12-31 18:00 to 2027-01-02", "2027-01-02", 1, "never"},
		{"3 from 2026-11-01", "2026-11-27", 3, "never"},
		{"3 to 2026-12-01", "2026-11-27", 3, "2026-12-01 00:00"},
		{"2,3 to 2026-12-01,4 every weekend", "2026-11-27", 3, "2026-12-01 00:00"}, // which overlaps: the first counts
		{"2 from 2026-11-27 to 2026-11-28,2 every weekend", "2026-11-27", 2, "2026-11-30 00:00"},
		{"2 from 2026-11-01 to 2027-11-01,2 every weekend", "2026-11-27", 2, "2027-11-01 00:00"}, // a Monday
	} {
		p, at := plan(t, v.plan, moscow), moment(t, v.at, moscow)
		if got := p.Factor(at); got != v.factor {
			t.Errorf("%s at %s: factor %v, expected %v", v.plan, v.at, got, v.factor)
		}
		if got := p.Change(at); !got.Equal(moment(t, v.change, moscow)) {
			t.Errorf("%s at %s changes at %v, expected %s", v.plan, v.at, got, v.change)
		}
	}
}

// Where clocks are turned a day of the week is that of the place: shorter or longer, as is a night.
func TestRatesWhereClocksAreTurned(t *testing.T) {
	loc := inNewYork(t)
	for _, v := range []struct {
		plan, from, to string
		lasts          time.Duration
	}{
		{"2 every sunday", "2026-03-08", "2026-03-09", 23 * time.Hour},
		{"2 every sunday", "2026-11-01", "2026-11-02", 25 * time.Hour},
		{"2 every saturday 22:00-04:00", "2026-03-07 22:00", "2026-03-08 04:00", 5 * time.Hour},
		{"2 every saturday 22:00-04:00", "2026-10-31 22:00", "2026-11-01 04:00", 7 * time.Hour},
	} {
		p, from, to := plan(t, v.plan, loc), moment(t, v.from, loc), moment(t, v.to, loc)
		if got := p.Change(from.Add(-time.Second)); !got.Equal(from) {
			t.Errorf("%s begins at %v, expected %v", v.plan, got, from)
		}
		if got := p.Change(from); !got.Equal(to) || got.Sub(from) != v.lasts {
			t.Errorf("%s from %v ends at %v, expected %v", v.plan, from, got, to)
		}
	}
}

func TestRatesThatOverlap(t *testing.T) {
	for _, v := range []struct {
		one, other string
		overlap    bool
	}{
		{"2", "3", true},
		{"2", "3 every weekend", false},
		{"2", "3 from 2026-12-31", false},
		{"2 every weekend", "3 every sunday", true},
		{"2 every weekend", "3 every workday", false},
		{"2 every friday 18:00-02:00", "3 every saturday", true},
		{"2 every friday 18:00-02:00", "3 every saturday 02:00-04:00", false},
		{"2 every sunday 18:00-02:00", "3 every monday 01:00-02:00", true},
		{"2 every saturday 18:00-18:00", "3 every sunday 17:00-17:30", true},
		{"2 every monday 10:00-12:00", "3 every monday 12:00-14:00", false},
		{"2 from 2026-12-01 to 2026-12-03", "3 from 2026-12-03 to 2026-12-05", false},
		{"2 from 2026-12-01 to 2026-12-03", "3 from 2026-12-02", true},
		{"2 to 2026-12-03", "3 to 2020-01-01", true},
		{"2 from 2026-11-30 to 2026-12-05", "3 every weekend", false},
		{"2 from 2026-11-30 to 2026-12-05 00:00:01", "3 every weekend", true},
		{"2 from 2026-11-29 23:59:59 to 2026-12-01", "3 every weekend", true},
		{"2 from 2026-12-01", "3 every weekend", true},
	} {
		for _, text := range []string{v.one + "," + v.other, v.other + "," + v.one} {
			if one, other := plan(t, text, moscow).Clash(); (one != nil) != v.overlap || (other != nil) != v.overlap {
				t.Errorf("%s: found %v and %v", text, one, other)
			}
		}
	}
}

// A rate is written as it is read, in both languages.
func TestRatesAreReadAndWritten(t *testing.T) {
	for text, russian := range map[string]string{
		"2":                         "2",
		"0.1":                       "0.1",
		"2 every day":               "2 каждый день",
		"2 every weekend":           "2 каждые выходные",
		"2 every workday":           "2 каждые будни",
		"2 every friday":            "2 каждую пятницу",
		"2 every monday and sunday": "2 каждый понедельник и каждое воскресенье",
		"1.5 every friday and saturday 18:00-02:00":   "1.5 каждую пятницу и каждую субботу 18:00-02:00",
		"2 every day 00:00-12:30":                     "2 каждый день 00:00-12:30",
		"2 every tuesday 18:00-24:00":                 "2 каждый вторник 18:00-24:00",
		"3 from 2026-12-31 18:00 to 2027-01-02 00:00": "3 с 2026-12-31 18:00 до 2027-01-02 00:00",
		"3 from 2026-12-31 18:00:01":                  "3 с 2026-12-31 18:00:01",
		"100 to 2027-01-02 00:00":                     "100 до 2027-01-02 00:00",
	} {
		for language, want := range map[string]string{"en": text, "ru": russian} {
			r, ok := ParseRate(want, moscow)
			if !ok || r.Text(language) != want || r.Text("en") != text {
				t.Errorf("%q is read %v as %+v and written as %q", want, ok, r, r.Text(language))
			}
		}
	}
	for text, want := range map[string]string{
		" 2  every  WEEKEND ":                "2 every weekend",
		"2 every saturday sunday":            "2 every weekend",
		"2 every monday–friday":              "",
		"2 every sat":                        "",
		"2 every":                            "",
		"2 every weekend 18:00":              "",
		"2 every weekend 25:00-26:00":        "",
		"2 every weekend 24:00-02:00":        "",
		"2 every 18:00-20:00 weekend":        "",
		"2 weekend":                          "",
		"2 from":                             "",
		"2 from tomorrow":                    "",
		"2 from 2026-13-01":                  "",
		"2 from 0001-01-01":                  "",
		"2 from 2027-01-02 to 2027-01-02":    "",
		"2 from 2027-01-02 from 2027-01-03":  "",
		"2 с 31.12.2026 18:00 до 02.01.2027": "2 from 2026-12-31 18:00 to 2027-01-02 00:00",
		"":                                   "", "0": "", "0.09": "", "100.1": "", "1e9": "", "-2": "",
		"NaN": "", "+Inf": "", "x2": "", "2,5": "", "two": "",
	} {
		r, ok := ParseRate(text, moscow)
		if ok != (want != "") || ok && r.Text("en") != want {
			t.Errorf("%q is read %v as %q, expected %q", text, ok, r.Text("en"), want)
		}
	}
}

func FuzzRatesAreWrittenAsTheyAreRead(f *testing.F) {
	for _, text := range []string{"2 every weekend", "1.5 every friday and saturday 18:00-02:00",
		"3 from 2026-12-31 18:00 to 2027-01-02", "2 с 31.12.2026", "0.1 to 9999-12-31"} {
		f.Add(text)
	}
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, moscow)
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := ParseRate(text, moscow)
		if !ok {
			return
		}
		for _, language := range []string{"en", "ru"} {
			if again, ok := ParseRate(r.Text(language), moscow); !ok || !reflect.DeepEqual(again, r) {
				t.Fatalf("%q is written as %q, which is %+v", text, r.Text(language), again)
			}
		}
		p := RatePlan{r}
		now, change := p.Factor(at), p.Change(at)
		if !change.IsZero() && (p.Factor(change) == now || p.Factor(change.Add(-1)) != now) {
			t.Fatalf("%q does not change at %v", text, change)
		}
	})
}

func TestKindsOfRates(t *testing.T) {
	for word, want := range map[string]RateKind{"XP": ExperienceRate, "опыт": ExperienceRate, "experience": ExperienceRate,
		"drop": DropRate, "Добыча": DropRate, "деньги": MoneyRate, "respawn": RespawnRate, "монстры": RespawnRate} {
		if k, _, ok := RateKindOf(word); !ok || k != want {
			t.Errorf("%s is %v, expected %v", word, k, want)
		}
	}
	if _, near, ok := RateKindOf("experence"); ok || near != "experience" {
		t.Errorf("near is %q", near)
	}
	if _, near, ok := RateKindOf("zzz"); ok || near != "" {
		t.Errorf("near is %q", near)
	}
}

// Rates of orders count before those of the file, and both are as they were.
func TestRatesOverOthers(t *testing.T) {
	var file, ordered RatePlans
	file[MoneyRate] = plan(t, "2 every weekend", moscow)
	file[DropRate] = plan(t, "3", moscow)
	ordered[MoneyRate] = plan(t, "5 from 2026-11-27 to 2026-11-28 12:00", moscow)
	both := ordered.Over(file)
	at := moment(t, "2026-11-28 11:00", moscow)
	if got := both.At(at); got != (Rates{1, 3, 5, 1}) {
		t.Errorf("found %v", got)
	}
	if got := both.Change(at); !got.Equal(moment(t, "2026-11-28 12:00", moscow)) {
		t.Errorf("changes at %v", got)
	}
	if got := file.At(at); got != (Rates{1, 3, 2, 1}) || len(ordered[MoneyRate]) != 1 {
		t.Errorf("of the file alone: %v", got)
	}
}

// Each rate changes its own numbers, and no others; with all of them 1 nothing changes.
func TestRatesApplied(t *testing.T) {
	b := DefaultBalance()
	if got := (Rates{1, 1, 1, 1}).Apply(b); !reflect.DeepEqual(got, b) {
		t.Errorf("with usual rates: %+v", got)
	}
	title, coins := Mission{Level: 10, Goal: TitleGoal, Reward: 1}, Mission{Level: 10, Goal: MoneyGoal, Reward: 1}
	for _, v := range []struct {
		rates                       Rates
		xp, titled, money, tutorial float64
		drops                       float64
		respawn                     time.Duration
	}{
		{Rates{2, 1, 1, 1}, 2, 2, 1, 1, 1, time.Minute},
		{Rates{1, 2, 1, 1}, 1, 1, 1, 1, 2, time.Minute},
		{Rates{1, 1, 2, 1}, 1, 1, 2, 2, 1, time.Minute},
		{Rates{1, 1, 1, 2}, 1, 1, 1, 1, 1, 30 * time.Second},
		{Rates{1, 1, 1, 100}, 1, 1, 1, 1, 1, time.Second},
		{Rates{1, 1, 1, 0.1}, 1, 1, 1, 1, 1, 10 * time.Minute},
	} {
		got := v.rates.Apply(b)
		monster := &Monster{ID: 1000}
		pays := func(b *Balance, m *Mission) Reward { return b.Mission.Reward(&b.Experience, m, 1) }
		for what, pair := range map[string][2]float64{
			"experience of a kill":    {got.Experience.Mean(monster, 7, true) / b.Experience.Mean(monster, 7, true), v.xp},
			"experience of a mission": {float64(pays(got, &title).XP) / float64(pays(b, &title).XP), v.titled},
			"coins of a mission":      {float64(pays(got, &coins).Money) / float64(pays(b, &coins).Money), v.money},
			"coins of newcomers":      {float64(got.Spawn.TutorialCoinsMin) / float64(b.Spawn.TutorialCoinsMin), v.tutorial},
			"drops":                   {got.Loot.Factor / b.Loot.Factor, v.drops},
			"respawn":                 {got.Spawn.Respawn.Seconds(), v.respawn.Seconds()},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%v: %s: %v, expected %v", v.rates, what, pair[0], pair[1])
			}
		}
	}
	if !reflect.DeepEqual(b, DefaultBalance()) {
		t.Error("the balance itself has changed")
	}
	b.Spawn.Respawn = 100 * time.Millisecond
	if got := (Rates{1, 1, 1, 100}).Apply(b).Spawn.Respawn; got != 100*time.Millisecond {
		t.Errorf("a short respawn became %v", got)
	}
}

// With a factor there are so many times as many things in the mean, and never more than a bag holds.
func TestDropsByTheirFactor(t *testing.T) {
	tables, b := lootTables(t), DefaultBalance().Loot
	mean := func(factor float64) float64 {
		b.Factor = factor
		n, r := 0, dice(5)
		for range 4000 {
			loot := tables.Loot(r, &b, &Monster{Trophies: [2]Trophy{{501, 300}}}, 1)
			if n += len(loot); len(loot) > 20 {
				t.Fatalf("%d things in a bag", len(loot))
			}
		}
		return float64(n) / 4000
	}
	usual := mean(1)
	for _, factor := range []float64{0.1, 0.5, 2, 3.5} {
		if got := mean(factor) / usual; got < factor*0.9 || got > factor*1.1 {
			t.Errorf("factor %v: %v times as many", factor, got)
		}
	}
	if got := mean(MostRate); got != 20 {
		t.Errorf("with the greatest factor %v things", got)
	}
	if got := mean(0); got != 0 {
		t.Errorf("with none %v things", got)
	}
}

func TestFactorsAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]float64{"2": 2, "2.5": 2.5, "2,5": 2.5, "x2": 2, "2X": 2, "х3": 3, "0": 0} {
		if got, ok := ParseFactor(text); !ok || got != want {
			t.Errorf("%q is %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "x", "-1", "1e9", "nan", "200%", "2 x", "1.2.3", "xx2"} {
		if got, ok := ParseFactor(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}
