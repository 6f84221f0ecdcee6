package chat

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/packets/packetstest"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A line reaches all players in the range of its channel, its writer among them, with the link that the client has
// composed.
func TestLinesReachThoseInRange(t *testing.T) {
	g := newRoom(t, 5)
	all := g.all
	speaker := all[0]
	start := g.Start()
	distances := []float32{0, 4, 6, 90, 4000} // of each, from the speaker
	for i, c := range all {
		to := start
		to.X -= distances[i]
		c.at(to)
	}
	g.forget()
	for _, test := range []struct {
		on      world.Channel
		hearers int
	}{{world.Near, 2}, {world.Whisper, 2}, {world.Normal, 4}, {world.Trade, 5}} {
		message := fmt.Sprintf("на канале %d", test.on)
		speaker.speaks(test.on, message)
		g.pass(200 * time.Millisecond)
		for i, c := range all {
			lines, system := c.hears()
			want := []heardLine{{speaker.name(), uint8(test.on), written(speaker.name(), message)}}
			if i >= test.hearers {
				want = nil
			}
			if fmt.Sprint(lines) != fmt.Sprint(want) || len(system) > 0 {
				t.Errorf("channel %d, %v m away: hears %v and %q, want %v", test.on, distances[i], lines, system, want)
			}
		}
	}
	if n := g.chat.count.lines.Load(); n != 4 {
		t.Errorf("%d lines counted", n)
	}
}

// Lines of a clan and of a group reach its members alone, wherever they are, as frames about themselves.
func TestLinesReachClanAndGroup(t *testing.T) {
	g := newRoom(t, 3)
	all := g.all
	for _, c := range all[:2] {
		g.world.Do(world.ChangeClan{ID: c.id(), Clan: "Клан", Rank: 3})
	}
	all[1].at(content.Cities()[6].Position)
	g.forget()
	test := func(on world.Channel, members ...int) {
		t.Helper()
		all[0].speaks(on, "свои")
		g.pass(200 * time.Millisecond)
		for i, c := range all {
			var want []heardLine
			for _, m := range members {
				if m == i {
					want = []heardLine{{"", uint8(on), written(all[0].name(), "свои")}}
				}
			}
			frames := packetstest.Frames(t, c.frames, packets.Dialect2026)
			c.frames = nil
			for _, f := range frames {
				if lines := f.Body != nil && f.Body.Sections[0].Class == packets.ClassPlayer; lines &&
					f.Body.Sections[0].Object != c.index.ID() {
					t.Errorf("channel %d: player %v is told as %v", on, c.index.ID(), f.Body.Sections[0].Object)
				}
			}
			if lines := chatOf(t, frames); fmt.Sprint(lines) != fmt.Sprint(want) {
				t.Errorf("channel %d: player %d hears %v, want %v", on, i, lines, want)
			}
		}
	}
	test(world.Clan, 0, 1)
	test(world.ClanSay, 0, 1)
	g.world.Do(world.PartyCreate{ID: all[0].id()})
	g.world.Do(world.PartyApply{ID: all[2].id(), Leader: all[0].name()})
	g.pass(200 * time.Millisecond)
	g.world.Do(world.PartyAccept{ID: all[0].id(), Name: all[2].name()})
	g.pass(200 * time.Millisecond)
	g.forget()
	test(world.Party, 0, 2)
	test(world.PartySay, 0, 2)
}

// Nobody can speak as another, and nothing that a player writes is markup for others.
func TestForgedLinesShowTheirWriter(t *testing.T) {
	g := newRoom(t, 2)
	all := g.all
	name := all[0].name()
	plain := `<l="player://` + name + `">` + name + `</l>: `
	for forged, want := range map[string]string{
		written("Admin", "дай пароль"):                         plain + "дай пароль",
		"просто текст":                                         plain + "просто текст",
		written(name, `a[br]<l="player://Admin">Admin</l>: b`): written(name, "a(br)Admin: b"),
		written(name, "a\nAdmin: b"):                           written(name, "a Admin: b"),
	} {
		all[0].write(world.Normal, forged)
		g.pass(200 * time.Millisecond)
		if lines, _ := all[1].hears(); len(lines) != 1 || lines[0].text != want || lines[0].sender != name {
			t.Errorf("%q is heard as %q", forged, lines)
		}
	}
	all[0].write(world.Normal, written(name, "<b></b> \x01 "))
	g.pass(200 * time.Millisecond)
	if lines, _ := all[1].hears(); len(lines) > 0 {
		t.Errorf("an empty line is heard: %q", lines)
	}
}

// Broken lines are counted, answered by nothing, and harm neither the session nor its next line.
func TestBrokenLinesOverTheWire(t *testing.T) {
	g := newRoom(t, 2)
	all := g.all
	h, parts := sentLine(2, written(all[0].name(), "x"))
	own := &packets.Section{Class: packets.ClassPlayer, Object: all[0].index.ID()}
	all[0].Part(own, parts[0])
	all[0].Header(own, h)
	all[0].Part(own, parts[1])
	all[0].Header(own, &packets.ChatHeader{Channel: 2, Length: 1 << 31, Parts: 3})
	// About something that is no player.
	all[0].Header(&packets.Section{Class: packets.ClassBread, Object: 1}, h)
	g.pass(200 * time.Millisecond)
	if lines, system := all[0].hears(); len(lines)+len(system) > 0 || g.chat.count.abandoned.Load() != 3 {
		t.Errorf("hears %q and %q, %d abandoned", lines, system, g.chat.count.abandoned.Load())
	}
	all[0].Header(own, h)
	for _, part := range parts {
		all[0].Part(own, part)
	}
	g.pass(200 * time.Millisecond)
	if lines, _ := all[1].hears(); len(lines) != 1 {
		t.Errorf("the next line is heard as %q", lines)
	}
	g.forget()
	// Channels that do not exist, and lines for the whole world from a player that is no game master.
	for _, on := range []world.Channel{6, 7, 10, 200, world.Special} {
		all[0].speaks(on, "x")
		g.pass(time.Second)
		lines, system := all[0].hears()
		if others, _ := all[1].hears(); len(lines)+len(others) > 0 || len(system) != 1 {
			t.Errorf("channel %d: %q and %q, others %q", on, lines, system, others)
		}
	}
}

// A flood is held back, and its writer is told so, not as often as it writes.
func TestFloodsAreHeldBack(t *testing.T) {
	g := newRoom(t, 2)
	all := g.all
	for i := range 30 {
		all[0].speaks(world.Normal, fmt.Sprint("строка ", i))
	}
	g.pass(200 * time.Millisecond)
	lines, _ := all[1].hears()
	_, system := all[0].hears()
	if len(lines) != linesBurst || len(system) != 1 || system[0] != "#971" {
		t.Errorf("%d lines are heard, the writer is told %q", len(lines), system)
	}
	g.pass(time.Second)
	for i := range 30 {
		all[0].speaks(world.Normal, fmt.Sprint("ещё ", i))
	}
	g.pass(200 * time.Millisecond)
	if lines, _ := all[1].hears(); len(lines) < linesPerSecond-1 || len(lines) > linesPerSecond+1 {
		t.Errorf("a second later %d more lines are heard", len(lines))
	}
	if n := g.chat.count.heldBack.Load(); n < 40 {
		t.Errorf("%d held back", n)
	}
}

// The same line again within 2 s is shown to its writer alone.
func TestRepeatedLinesAreEchoed(t *testing.T) {
	g := newRoom(t, 2)
	all := g.all
	g.world.Do(world.PartyCreate{ID: all[0].id()})
	g.pass(200 * time.Millisecond)
	for _, on := range []world.Channel{world.Normal, world.Party} {
		all[0].frames = nil
		all[0].speaks(on, "раз")
		all[0].speaks(on, "раз")
		g.pass(200 * time.Millisecond)
		own, _ := all[0].hears()
		if len(own) != 2 || own[0] != own[1] {
			t.Errorf("channel %d: the writer sees %q", on, own)
		}
		g.pass(2 * sameLine)
	}
	all[0].speaks(world.Normal, "раз")
	g.pass(200 * time.Millisecond)
	if lines, _ := all[1].hears(); len(lines) != 2 { // the first and this one
		t.Errorf("the other hears %q", lines)
	}
}

// A muted player is heard by nobody, and told for how long.
func TestMutedPlayersAreNotHeard(t *testing.T) {
	g := newRoom(t, 2)
	all := g.all
	all[0].mutedUntil, all[0].mutedFor = begin.Add(g.now+90*time.Minute), "шум"
	all[0].speaks(world.Trade, "слышно?")
	all[0].whisper(all[1].name(), "слышно?")
	g.pass(200 * time.Millisecond)
	lines, system := all[1].hears()
	_, told := all[0].hears()
	if len(lines)+len(system) > 0 || len(told) != 1 ||
		told[0] != "Вам запрещено говорить ещё 1 ч 30 мин. шум" {
		t.Errorf("the other hears %q and %q, the writer is told %q", lines, system, told)
	}
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		d    time.Duration
		want string
	}{{time.Second, "ещё 1 мин"}, {time.Hour, "ещё 1 ч 0 мин"},
		{48 * time.Hour, "до " + start.Add(48*time.Hour).Local().Format("02.01.2006 15:04 MST")},
		{longestSpan, "навсегда"}} {
		if got := mutedFor(start, start.Add(c.d), true); got != c.want {
			t.Errorf("%v: %q", c.d, got)
		}
	}
	all[0].mutedUntil = begin.Add(g.now)
	all[0].speaks(world.Trade, "а теперь?")
	g.pass(200 * time.Millisecond)
	if lines, _ := all[1].hears(); len(lines) != 1 {
		t.Errorf("afterwards the other hears %q", lines)
	}
}

// A private line is told to both in their own languages, and to nobody else; names need no capitals.
func TestPrivateLines(t *testing.T) {
	g := newRoom(t, 3)
	all := g.all
	all[1].Russian = false
	all[0].whisper(strings.ToUpper(all[1].name()), "<b>тайна</b>")
	g.pass(200 * time.Millisecond)
	for i, want := range []string{"Лично для " + all[1].name() + ": тайна",
		"Private from " + all[0].name() + ": тайна", ""} {
		if _, got := all[i].hears(); strings.Join(got, "|") != want {
			t.Errorf("player %d is told %q, want %q", i, got, want)
		}
	}
	for what, test := range map[string]struct {
		do   func()
		want string
	}{
		"nobody": {func() { all[0].whisper("Nobody[br]", "x") },
			"Игрока Nobody(br) сейчас нет в мире."},
		"himself":  {func() { all[0].whisper(all[0].name(), "x") }, refusalTexts[rules.Yourself].Russian},
		"wire":     {func() { all[0].speaks(world.Private, "x") }, privateHint.Russian},
		"no clan":  {func() { all[0].speaks(world.Clan, "x") }, "#990"},
		"no group": {func() { all[0].speaks(world.Party, "x") }, "#991"},
	} {
		test.do()
		g.pass(time.Second)
		if lines, system := all[0].hears(); len(lines) > 0 || len(system) != 1 || system[0] != test.want {
			t.Errorf("%s: hears %q, is told %q, want %q", what, lines, system, test.want)
		}
	}
	// A player that has chosen a language is told in it.
	all[0].chosen = true
	all[0].speaks(world.Party, "y")
	g.pass(time.Second)
	if _, system := all[0].hears(); len(system) != 1 || system[0] != refusalTexts[rules.NoParty].Russian {
		t.Errorf("in a language of his own: is told %q", system)
	}
	// A long one comes in several lines.
	all[0].whisper(all[2].name(), strings.Repeat("слово ", 300))
	g.pass(200 * time.Millisecond)
	_, system := all[2].hears()
	words := 0
	for _, line := range system {
		piece, ok := strings.CutPrefix(line, "Лично от "+all[0].name()+": ")
		if words += len(strings.Fields(piece)); !ok {
			t.Errorf("a piece is told as %q", line)
		}
	}
	if words != 300 {
		t.Errorf("a line of 300 words is told as %q", system)
	}
}

// Lines of the server and of game masters to all have forms of their own.
func TestLinesToAll(t *testing.T) {
	g := newRoom(t, 2)
	all := g.all
	g.world.Do(world.Broadcast{Text: "Через час перезапуск."})
	g.pass(200 * time.Millisecond)
	for i, c := range all {
		if lines, system := c.hears(); len(lines) > 0 || len(system) != 1 ||
			system[0] != "Через час перезапуск." {
			t.Errorf("player %d hears %q, is told %q", i, lines, system)
		}
	}
	frames, addressed := g.chat.encoder.Encode(1, "Мастер", world.Special, "внимание")
	if lines := readChat(t, frames, 0); addressed || len(lines) != 1 ||
		lines[0] != (heardLine{"Мастер", 5, "внимание"}) {
		t.Errorf("a game master's line is %q", lines)
	}
}

// Commands go to the server and are said to nobody.
func TestCommandsAreNotSaid(t *testing.T) {
	g := newRoom(t, 2)
	all := g.all
	for _, message := range []string{"/непонятно", "!nonsense 1"} {
		all[0].speaks(world.Trade, message)
	}
	g.pass(200 * time.Millisecond)
	if lines, _ := all[1].hears(); len(lines) > 0 || g.chat.count.lines.Load() > 0 {
		t.Errorf("commands are heard: %q", lines)
	}
}

// Every length of text becomes frames that a client reads back as that text, in as many chunks as are announced.
func TestLinesOfEveryLength(t *testing.T) {
	for _, d := range []packets.Dialect{packets.Dialect2022, packets.Dialect2026} {
		encoder := view.ChatEncoder{Dialect: d, Log: slog.New(slog.DiscardHandler)}
		for n := 1; n <= view.MaxChatLine; n += 1 + n/50 {
			text := strings.Repeat("ы", n)
			object, addressed := encoder.Encode(1, "Hero", world.Normal, text)
			parts, addressedParts := encoder.Encode(1, "Hero", world.Clan, text)
			heard := readChat(t, append(object, parts...), d)
			if addressed || !addressedParts || len(heard) != 2 || heard[0] != (heardLine{"Hero", uint8(world.Normal), text}) ||
				heard[1] != (heardLine{"", uint8(world.Clan), text}) {
				t.Fatalf("%d bytes: read as %d lines", n, len(heard))
			}
		}
	}
}

// A heardLine is a line as a client prints it.
type heardLine struct {
	sender  string // of a chat object
	channel uint8
	text    string
}

// readChat reads lines of chat as a client does, with their faults.
func readChat(t testing.TB, stream []byte, d packets.Dialect) (lines []heardLine) {
	t.Helper()
	return chatOf(t, packetstest.Frames(t, stream, d))
}

// readSystem are the system messages in a stream.
func readSystem(t testing.TB, stream []byte) (lines []string) {
	t.Helper()
	for _, m := range packetstest.Commands[*packets.SystemMessage](packetstest.Frames(t, stream, packets.Dialect2026)) {
		lines = append(lines, m.Text)
	}
	return lines
}

// chatOf are the lines of chat in frames.
func chatOf(t testing.TB, frames []*packets.Frame) (lines []heardLine) {
	t.Helper()
	type object struct {
		line *packets.ChatLine
		text string
		have uint8
	}
	objects := map[packets.ObjectID]*object{}
	var own view.ChatCollector
	pending := false
	for _, f := range frames {
		if f.Body == nil {
			continue
		}
		for _, s := range f.Body.Sections {
			for _, r := range s.Regions {
				switch m := r.(type) {
				case *packets.ChatLine:
					objects[s.Object] = &object{line: m}
				case *packets.ChatChunk:
					o := objects[s.Object]
					if o == nil {
						t.Fatalf("a chunk for %v, which is no line", s.Object)
					}
					o.text, o.have = o.text+m.Text, o.have+1
					if o.have == o.line.Chunks {
						if o.line.Kind != 2 || packets.Len1251(o.text) != int(o.line.Length) {
							t.Errorf("line %+v has %d bytes", o.line, packets.Len1251(o.text))
						}
						lines = append(lines, heardLine{o.line.Sender, o.line.Channel, o.text})
						delete(objects, s.Object)
					}
				case *packets.Manager:
					var err error
					switch c := m.Command.(type) {
					case *packets.ChatHeader:
						err = own.Begin(c, 0)
						pending = true
					case *packets.ChatPart:
						var text string
						var whole bool
						if text, whole, err = own.Add(c, 0); whole {
							pending = false
							lines = append(lines, heardLine{"", c.Channel, text})
						}
					}
					if err != nil {
						t.Error(err)
					}
				}
			}
		}
	}
	if len(objects) > 0 || pending {
		t.Errorf("%d lines are not whole", len(objects))
	}
	return lines
}

// sentLine are the header and the parts of a line as a client sends them.
func sentLine(channel uint8, text string) (h *packets.ChatHeader, parts []*packets.ChatPart) {
	const part = 250
	runes := []rune(text)
	for {
		n := min(part, len(runes))
		parts = append(parts, &packets.ChatPart{Channel: channel, Index: uint16(len(parts)),
			Text: string(runes[:n]) + "\x00"})
		if runes = runes[n:]; len(runes) == 0 {
			break
		}
	}
	return &packets.ChatHeader{Channel: channel, Length: uint32(packets.Len1251(text)), Parts: uint16(len(parts))}, parts
}

// What a client writes as its own list of commands has it: a private line, lines to clan and group; by a line of chat,
// on the channel of private lines and by the console alike.
//
// Source: protocol life 13, checks 5.4 and 5.8.
func TestCommandsOfTheClientsOwnList(t *testing.T) {
	g := newRoom(t, 3)
	all := g.all
	a, b := all[0], all[1]
	for _, c := range all[:2] {
		g.world.Do(world.ChangeClan{ID: c.id(), Clan: "Клан", Rank: 3})
	}
	g.world.Do(world.PartyCreate{ID: a.id()})
	g.pass(time.Second)
	private := "Лично от " + a.name() + ": "
	for n, test := range []struct {
		do   func(message string)
		want string // told to B; the message itself for a line
		told string // told to A
	}{
		{func(m string) { a.speaks(world.Normal, "/msg "+b.name()+">"+m) }, private, "Лично для " + b.name() + ": "},
		{func(m string) { a.speaks(world.Private, b.name()+"> "+m) }, private, "Лично для " + b.name() + ": "},
		{func(m string) { a.Console("msg", packets.Append1251(nil, b.name()+">"+m+"\x00")) }, private,
			"Лично для " + b.name() + ": "},
		{func(m string) { a.speaks(world.Normal, "/tell "+strings.ToLower(b.name())+" "+m) }, private,
			"Лично для " + b.name() + ": "},
		{func(m string) { a.speaks(world.Normal, "/msg Two words>"+m) }, "", "#857"},
		{func(m string) { a.speaks(world.Normal, "/msg "+m) }, "", "#857"},
		{func(string) { a.speaks(world.Normal, "/msg "+b.name()+">") }, "", "/лично ИГРОК ТЕКСТ"},
		{func(m string) { a.speaks(world.Normal, "/sayclan "+m) }, "line", ""},
		{func(m string) { a.Console("/sayclan", packets.Append1251(nil, m)) }, "line", ""},
		{func(m string) { a.speaks(world.Normal, "/saygrp "+m) }, "", ""},
		{func(string) { a.Console("clanlist", nil) }, "", "#990"},
		{func(string) { a.Console("", []byte("all may hear this")) }, "", ""},
		{func(string) { a.Console(" ", []byte{0, 0xFF}) }, "", ""},
	} {
		message := fmt.Sprintf("тайна %d > 0", n)
		shown := packets.PlainText(message)
		g.pass(3 * time.Second)
		g.forget()
		test.do(message)
		g.pass(time.Second)
		lines, system := b.hears()
		want := ""
		if test.want == private {
			want = private + shown
		}
		if test.want == "line" != (len(lines) == 1 && strings.HasSuffix(lines[0].text, ": "+shown)) ||
			len(lines) > 1 || strings.Join(system, "|") != want {
			t.Errorf("%d: B hears %v and is told %q, want %q", n, lines, system, test.want)
		}
		if _, system = a.hears(); !strings.Contains(strings.Join(system, "|"), test.told) ||
			(test.told == "") != (len(system) == 0) {
			t.Errorf("%d: A is told %q, want %q", n, system, test.told)
		}
		if lines, system := all[2].hears(); len(lines)+len(system) > 0 {
			t.Errorf("%d: C hears %v, %q", n, lines, system)
		}
	}
}
