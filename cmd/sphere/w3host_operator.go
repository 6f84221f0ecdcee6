package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sphereserver/packets/w3gs"
	"sphereserver/server/w3host"
)

// A w3operator does the commands of the standard input.
type w3operator struct {
	env  *environment
	host *w3host.Host
	quit chan struct{} // closed by the command quit
}

// run reads commands until the input ends. In the background of a terminal there is no input.
func (o *w3operator) run(ctx context.Context) {
	ignoreTerminalStops()
	lines := bufio.NewScanner(o.env.in)
	for lines.Scan() && ctx.Err() == nil {
		if err := o.do(ctx, strings.TrimSpace(lines.Text())); err != nil {
			o.env.answers().line("%v", err)
		}
	}
}

// w3words are the operator's commands, and whether something follows them.
var w3words = map[string]bool{"games": false, "start": false, "say": true, "kick": true, "end": false, "status": false,
	"quit": false}

// do does one command: "start", "start #2", "say #2 hello".
func (o *w3operator) do(ctx context.Context, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	if word == "" {
		return nil
	}
	more, known := w3words[word]
	if !known {
		return unknownWord([]string{"games", "start", "say", "kick", "end", "status", "quit"}, word)
	}
	game, rest, err := o.game(strings.TrimSpace(rest))
	switch {
	case word == "games" || word == "status" || word == "quit":
		err = nil
	case err != nil:
		return err
	case more != (rest != ""):
		if more {
			return failf("expected something behind %s, found nothing", word)
		}
		return failf("expected nothing more behind %s, found %q", word, rest)
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	switch word {
	case "games":
		o.show()
		return nil
	case "status":
		return json.NewEncoder(o.env.out).Encode(o.host.Status())
	case "quit":
		close(o.quit)
		o.quit = make(chan struct{}) // a second quit does no harm
		return nil
	case "start":
		err = o.host.Start(ctx, game)
	case "say":
		err = o.host.Say(ctx, game, rest)
	case "kick":
		err = o.host.Kick(ctx, game, rest)
	case "end":
		err = o.host.End(ctx, game)
	}
	if err == nil {
		o.env.answers().line("done")
	}
	return err
}

// game is the game that a command means: #2, or the only one there is.
func (o *w3operator) game(text string) (game uint32, rest string, err error) {
	if strings.HasPrefix(text, "#") {
		number, rest, _ := strings.Cut(text[1:], " ")
		n, err := strconv.ParseUint(number, 10, 32)
		if err != nil {
			return 0, "", failf("expected the number of a game behind #, found %q", number)
		}
		return uint32(n), strings.TrimSpace(rest), nil
	}
	games := o.host.Status().Games
	if len(games) != 1 {
		return 0, "", failf("expected the number of a game like #2, found none")
	}
	return games[0].Game, text, nil
}

// show prints the games and their players.
func (o *w3operator) show() {
	var rows [][]string
	w := o.env.answers()
	for _, g := range o.host.Status().Games {
		taken, seats := 0, 0
		for _, s := range g.Slots {
			if s.State != w3gs.SlotClosed && s.Computer == 0 {
				seats++
				if s.State == w3gs.SlotTaken {
					taken++
				}
			}
		}
		rows = append(rows, []string{fmt.Sprintf("#%d", g.Game), g.Name, g.State, w.say("%d of %d", taken, seats),
			fmt.Sprint(g.Ticks), ""})
		for _, p := range g.Players {
			state := "not ready"
			switch {
			case p.Lagging:
				state = "waited for"
			case p.Loaded:
				state = "loaded"
			case p.Ready:
				state = "ready"
			}
			rows = append(rows, []string{"", "  " + p.Name, w.say(state), w.say("slot %d", p.Slot+1), fmt.Sprint(p.Ticks),
				fmt.Sprintf("%.0f ms", p.Latency)})
		}
	}
	table(w, w.words("GAME", "NAME", "STATE", "SLOTS", "TICKS", "LATENCY"), rows)
}
