// Package career plays the way of characters from level 1 to 60: by the clients of package bot, in the server that
// players get, on simulated time. So an operator sees the effect of a change of the balance.
//
// Simulated time is that of testing/synctest, although this is no test: server and client ask package time in a hundred
// places, and a clock handed to all of them would be there for this command alone. So the program has package testing
// in it; nothing else of it is used, no flag of it is registered, and no other command comes here.
package career

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/netip"
	"os"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/ops"
	"sphereserver/server/passwords"
	"sphereserver/server/sim/memnet"
	"sphereserver/server/sim/simstore"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// Options of careers.
type Options struct {
	Game game.Options // the settings of the server; its network and its seed are set here
	Seed uint64
	// Each is how long a level is played at most: the rest follows in proportion.
	Each time.Duration
	To   int // the level with which careers end, 2 to [rules.CycleLevels]

	vain time.Duration // how long a level is played at least in which nothing is learned; 0: hours
}

// A Level is the cost of one level.
type Level struct {
	Level    int     `json:"level"` // the one that ends, from 1
	Prey     float64 `json:"prey"`  // level of the killed monsters on the average
	Hours    float64 `json:"hours"`
	Played   float64 `json:"hoursPlayed"` // of these; the others are in proportion
	Kills    int     `json:"kills"`
	Deaths   int     `json:"deaths"`
	MoneyIn  int64   `json:"moneyIn"`
	MoneyOut int64   `json:"moneyOut"`
}

// A Career is the way of one character.
type Career struct {
	School string  `json:"school"`
	Levels []Level `json:"levels"`
	// Stuck says that the character learned nothing more at its last level.
	Stuck bool `json:"stuck"`
}

// patient is how many times as long a level is played in which nothing was learned, before the character is stuck, and
// hours how long at least: a way to a village and on to other grounds takes its time, however short the looks are.
const (
	patient = 9
	hours   = 3 * time.Hour
)

// Play plays the career of a school.
func Play(school bot.School, o Options) (c Career, err error) {
	dir, err := os.MkdirTemp("", "sphere-balance-")
	if err != nil {
		return c, fmt.Errorf("career: %w", err)
	}
	defer os.RemoveAll(dir)
	err = simulated(func() error {
		c, err = serve(dir, school, o)
		return err
	})
	return c, err
}

// day is when careers begin: bubbles of simulated time begin in a past that some checks refuse.
var day = time.Date(2040, time.January, 1, 12, 0, 0, 0, time.UTC)

// address is that of the server, in memory.
const address = "10.0.0.1:25860"

// host is the address of the player.
var host = netip.AddrFrom4([4]byte{10, 1, 0, 1})

// serve runs a server for one career.
func serve(dir string, school bot.School, o Options) (c Career, err error) {
	time.Sleep(time.Until(day))
	ctx := context.Background()
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	network := memnet.New(memnet.Options{Seed: o.Seed})
	listener, err := network.Listen(address)
	if err != nil {
		return c, err
	}
	g := o.Game
	g.Listener, g.Network, g.Loops, g.Passwords = listener, "net", 1, passwords.Here{}
	g.Log, g.World.Seed = slog.New(slog.DiscardHandler), int(1+o.Seed%world.MaxSeed)
	server, err := game.New(g, &simstore.Store{Store: store})
	if err != nil {
		return c, err
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	defer func() {
		stopping, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		err = errors.Join(err, server.Stop(stopping), <-served)
	}()
	p := player{school: school, options: o, operators: server.Operators()}
	p.client, err = bot.Dial(ctx, server.Addr().String(), bot.Options{Hunt: true, School: school, Seed: o.Seed,
		Catalogue: g.Catalogue, Balance: g.World.Balance, AllowExternalChanges: true, Dial: network.From(host)})
	if err != nil {
		return c, err
	}
	defer p.client.Close()
	if err := p.client.Appear(ctx, bot.Identity{Login: name, Password: name, Name: name}); err != nil {
		return c, err
	}
	return p.live(ctx)
}

// name is that of the character, and its login and password.
const name = "Career"

// A player plays one character.
type player struct {
	school    bot.School
	options   Options
	client    *bot.Client
	operators *ops.Service
}

// live plays level after level.
func (p *player) live(ctx context.Context) (Career, error) {
	c := Career{School: p.school.String()}
	for p.level() < p.options.To && !c.Stuck {
		l, learned, err := p.play(ctx)
		if err != nil {
			return c, err
		}
		if c.Levels, c.Stuck = append(c.Levels, l), !learned; c.Stuck {
			break
		}
	}
	return c, nil
}

// ladder are the values of the career that the school follows.
func (p *player) ladder() (level, xp packets.Stat) {
	if p.school.Magical() {
		return packets.StatDegree, packets.StatDegreeXP
	}
	return packets.StatTitle, packets.StatTitleXP
}

// level is that of the career of the school, from 1.
func (p *player) level() int {
	level, _ := p.ladder()
	return 1 + int(p.client.Stats[level])
}

// missing is the experience that the next level lacks.
func (p *player) missing() int {
	_, xp := p.ladder()
	stats := p.client.Stats
	return int(rules.NeededXP(int(stats[packets.StatTitle]), int(stats[packets.StatDegree]))) - int(stats[xp])
}

// play plays a level until it is over or its time is, and then brings it to its end in proportion; false if nothing was
// learned.
func (p *player) play(ctx context.Context) (l Level, learned bool, err error) {
	began, was, lacked := time.Now(), p.count(), p.missing()
	l.Level = p.level()
	gained := 0
	for end := began.Add(p.options.Each); ; {
		if err := p.turn(ctx); err != nil {
			return l, false, err
		}
		if p.level() > l.Level {
			break
		}
		if gained = lacked - p.missing(); time.Now().After(end) && gained > 0 ||
			time.Since(began) > max(patient*p.options.Each, cmp.Or(p.options.vain, hours)) {
			break
		}
	}
	is := p.count()
	l.Hours = time.Since(began).Hours()
	l.Played = l.Hours
	l.Kills, l.Deaths = is.kills-was.kills, is.deaths-was.deaths
	l.MoneyIn, l.MoneyOut = is.earned-was.earned, is.spent-was.spent
	l.Prey = float64(is.prey-was.prey) / float64(max(l.Kills, 1))
	switch {
	case p.level() > l.Level:
		return l, true, nil
	case gained <= 0:
		return l, false, nil
	}
	return l, true, p.hasten(ctx, &l, float64(lacked)/float64(gained))
}

// sight is how long the client plays between two looks at it.
const sight = 5 * time.Second

// turn lets the client play for a moment.
func (p *player) turn(ctx context.Context) error {
	turn, cancel := context.WithTimeout(ctx, sight)
	defer cancel()
	return p.client.Run(turn)
}

// counted is the sum of a client's deeds.
type counted struct {
	kills, deaths, prey int
	earned, spent       int64
}

func (p *player) count() counted {
	t := p.client.Tally()
	return counted{p.client.Kills(), p.client.Deaths(), int(t.Prey.Load()), int64(t.Earned.Load()), int64(t.Spent.Load())}
}

// hasten multiplies a level by a factor of 1 or more, and has an operator give the character the rest of it.
func (p *player) hasten(ctx context.Context, l *Level, times float64) error {
	more := times - 1
	in := int64(more * float64(l.MoneyIn))
	out := min(int64(more*float64(l.MoneyOut)), in) // gear is not bought twice
	l.Hours *= times
	l.Kills, l.Deaths = int(times*float64(l.Kills)), int(times*float64(l.Deaths))
	l.MoneyIn, l.MoneyOut = l.MoneyIn+in, l.MoneyOut+out
	money := min(in-out, math.MaxInt32-int64(p.client.Money))
	whom := ops.CharacterName{Name: name}
	by := ops.Owner("")
	next := ops.Ordinal(l.Level)
	levels := ops.Levels{CharacterName: whom, Title: &next}
	if p.school.Magical() {
		levels = ops.Levels{CharacterName: whom, Degree: &next}
	}
	if _, err := ops.SetLevels.Do(ctx, p.operators, by, levels); err != nil {
		return err
	}
	if _, err := ops.SetMoney.Do(ctx, p.operators, by,
		ops.Money{CharacterName: whom, Amount: money, Relative: true}); err != nil {
		return err
	}
	for range patient {
		if err := p.turn(ctx); err != nil || p.level() > l.Level {
			return err
		}
	}
	return fmt.Errorf("career: the client is not told of level %d", l.Level+1)
}
