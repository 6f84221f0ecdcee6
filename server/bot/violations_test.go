package bot_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

const stranger packets.ObjectID = 0x7B5A // another player

func strangerSpawn() *packets.PlayerSpawn {
	return &packets.PlayerSpawn{X: 2615, Y: 157.8, Z: 1293, Look: 0x30303030, Name: "Stranger", ClanRank: -1, HP: 5,
		MaxHP: 9, Karma: 3}
}

func gear() *packets.SetWornGear {
	return &packets.SetWornGear{Codes: [9]uint8{48, 48, 48, 48, 48, 0, 48, 48, 0}}
}

// movement is a body that moves objects to a place.
func movement(to coords.Position, objects map[packets.ObjectID]packets.Class) *packets.Body {
	origin, update := packets.MoveTo(to)
	b := &packets.Body{HasOrigin: true, Origin: origin}
	for id, class := range objects {
		b.Sections = append(b.Sections, packets.Section{Object: id, Class: class, Regions: []packets.Region{update}})
	}
	return b
}

// oddPong answers the n-th ping with the help of odd and all others rightly.
func oddPong(n int, odd func(packets.Ping, uint16) []byte) func(packets.Ping, uint16) []byte {
	return func(p packets.Ping, clock uint16) []byte {
		if n--; n == 0 {
			return odd(p, clock)
		}
		return packets.AppendPong(nil, p, clock)
	}
}

func contMan(c packets.Command) packets.Region { return &packets.ContMan{Command: c} }

// Each of these servers misbehaves in one way, and the client finds just that.
func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*fake)
		want    []bot.ViolationKind
		err     error
		example string // the text of an example
	}{
		{name: "answers no positions", change: func(f *fake) { f.pong = func(packets.Ping, uint16) []byte { return nil } },
			want: []bot.ViolationKind{bot.Unanswered}, err: bot.ErrNoLink, example: "10s ago"},
		{name: "leaves one position unanswered", change: func(f *fake) {
			f.pong = oddPong(3, func(packets.Ping, uint16) []byte { return nil })
		}, want: []bot.ViolationKind{bot.Unanswered}, example: "a later position"},
		{name: "answers with another id", change: func(f *fake) {
			f.pong = oddPong(2, func(p packets.Ping, clock uint16) []byte {
				right := packets.AppendPong(nil, p, clock)
				p.Player = stranger
				return append(packets.AppendPong(nil, p, clock), right...)
			})
		}, want: []bot.ViolationKind{bot.WrongID}, example: "0x7B5A"},
		{name: "answers with another origin", change: func(f *fake) {
			f.pong = oddPong(2, func(p packets.Ping, clock uint16) []byte {
				p.Origin.X++
				return packets.AppendPong(nil, p, clock)
			})
		}, want: []bot.ViolationKind{bot.WrongOrigin}},
		{name: "answers twice", change: func(f *fake) {
			f.pong = oddPong(2, func(p packets.Ping, clock uint16) []byte {
				return append(packets.AppendPong(nil, p, clock), packets.AppendPong(nil, p, clock)...)
			})
		}, want: []bot.ViolationKind{bot.OutOfPlace}, example: "was not sent"},
		{name: "clock goes back", change: func(f *fake) {
			f.clock = func(d time.Duration) uint16 {
				if d > 20*time.Second {
					d -= 5 * time.Second
				}
				return uint16(d * 3 / time.Second)
			}
		}, want: []bot.ViolationKind{bot.ClockBackwards}, example: "from 5"},
		{name: "clock jumps ahead", change: func(f *fake) {
			f.clock = func(d time.Duration) uint16 {
				if d > 20*time.Second {
					d += 5 * time.Second
				}
				return uint16(d * 3 / time.Second)
			}
		}, want: []bot.ViolationKind{bot.ClockRate}},
		{name: "clock four times as fast", change: func(f *fake) {
			f.clock = func(d time.Duration) uint16 { return uint16(d * 12 / time.Second) }
		}, want: []bot.ViolationKind{bot.ClockRate}, example: "expected 3 per second"},
		{name: "clock a tenth too slow", change: func(f *fake) {
			f.clock = func(d time.Duration) uint16 { return uint16(d * 27 / 10 / time.Second) }
		}, want: []bot.ViolationKind{bot.ClockRate}},
		{name: "clock stands still", change: func(f *fake) { f.clock = func(time.Duration) uint16 { return 512 } },
			want: []bot.ViolationKind{bot.ClockRate}},
		{name: "frame with a clock of long ago", change: func(f *fake) {
			f.entered = func() {
				time.AfterFunc(20*time.Second, func() { f.raw(f.encode(packets.Clock(5, 1234))) })
			}
		}, want: []bot.ViolationKind{bot.ClockBackwards}, example: "to 5 in a frame"},
		{name: "movement with a clock ahead", change: func(f *fake) {
			f.entered = func() {
				time.AfterFunc(20*time.Second, func() {
					b := movement(fakePlace, map[packets.ObjectID]packets.Class{fakeSword: packets.ClassStartSword})
					b.Clock = 5000
					f.raw(f.encode(b))
				})
			}
		}, want: []bot.ViolationKind{bot.ClockRate}, example: "5000 in a frame"},
		{name: "frame cut short", change: func(f *fake) {
			f.entered = func() {
				p := f.encode(packets.Message(0, f.index.ID(), packets.ClassPlayer,
					contMan(&packets.FillSlot{Slot: 1, Item: 2, Weight: 3})))
				p = p[:len(p)-4]
				p[0] = byte(len(p))
				f.raw(p)
			}
		}, want: []bot.ViolationKind{bot.Undecodable}, example: "2C 01"},
		{name: "region that nobody knows", change: func(f *fake) {
			f.entered = func() { f.own(&packets.UnknownRegion{Number: 40, Data: packets.Bits{Len: 16, Data: []byte{1, 2}}}) }
		}, want: []bot.ViolationKind{bot.UnknownBits}},
		{name: "channel that nobody knows", change: func(f *fake) {
			f.entered = func() { f.control(&packets.UnknownControl{On: 900, Data: []byte{1}}) }
		}, want: []bot.ViolationKind{bot.StrangeFrame}, example: "channel 900"},
		{name: "header byte that is not 0", change: func(f *fake) {
			f.entered = func() {
				p := f.encode(packets.Message(0, f.index.ID(), packets.ClassPlayer,
					&packets.SetStat{Stat: packets.StatMaxMP, Value: 3}))
				p[4] = 1
				f.raw(p)
			}
		}, want: []bot.ViolationKind{bot.StrangeFrame}},
		{name: "length that no frame has", change: func(f *fake) { f.entered = func() { f.raw([]byte{3, 0, 0xF4, 1}) } },
			want: []bot.ViolationKind{bot.BrokenStream}, err: bot.ErrStream},
		{name: "change of what was never made", change: func(f *fake) {
			f.entered = func() { f.about(0x1234, packets.ClassBread, contMan(&packets.StackCount{Count: 4})) }
		}, want: []bot.ViolationKind{bot.UnknownObject}, example: "StackCount"},
		{name: "movement of what was never made", change: func(f *fake) {
			f.entered = func() { f.send(movement(fakePlace, map[packets.ObjectID]packets.Class{0x1234: packets.ClassMonster})) }
		}, want: []bot.ViolationKind{bot.UnknownObject}},
		{name: "removal of what was never made", change: func(f *fake) {
			f.entered = func() { f.send(&packets.Body{Sections: []packets.Section{packets.Removal(0x1234)}}) }
		}, want: []bot.ViolationKind{bot.UnknownObject}, example: "removal"},
		{name: "thing in a bag that was never made", change: func(f *fake) {
			f.entered = func() {
				f.about(fakeSword, packets.ClassStartSword, contMan(&packets.PutInto{Parent: 0x4444}))
			}
		}, want: []bot.ViolationKind{bot.UnknownObject}, example: "0x4444"},
		{name: "text without a line", change: func(f *fake) {
			f.entered = func() { f.about(0xC100, packets.ClassChat, &packets.ChatChunk{Text: "hi"}) }
		}, want: []bot.ViolationKind{bot.UnknownObject}},
		{name: "second spawn", change: func(f *fake) { f.entered = func() { f.spawn(swordRecord) } },
			want: []bot.ViolationKind{bot.SecondSpawn}},
		{name: "spawn of the own character", change: func(f *fake) { f.entered = func() { f.own(strangerSpawn()) } },
			want: []bot.ViolationKind{bot.SecondSpawn}},
		{name: "change under another class", change: func(f *fake) {
			f.entered = func() { f.about(fakeSword, packets.ClassBread, contMan(&packets.StackCount{Count: 4})) }
		}, want: []bot.ViolationKind{bot.WrongClass}, example: "spawned as"},
		{name: "movement without origin", change: func(f *fake) {
			f.entered = func() { f.about(fakeSword, packets.ClassStartSword, &packets.TransformUpdate{}) }
		}, want: []bot.ViolationKind{bot.NoOrigin}},
		{name: "item that never comes", change: func(f *fake) {
			f.entry = func() {
				f.sendBindings()
				f.spawn(swordRecord)
				f.sendStats()
				f.sendTime()
				f.about(packets.StatObject, packets.ClassStat, &packets.PlayerCountSpawn{Players: 5})
				f.control(&packets.Keepalive{})
			}
		}, want: []bot.ViolationKind{bot.MissingSpawn}, example: "slot 27"},
		{name: "player without gear", change: func(f *fake) {
			f.entered = func() { f.about(stranger, packets.ClassPlayer, strangerSpawn()) }
		}, want: []bot.ViolationKind{bot.MissingGear}, example: "Stranger"},
		{name: "movement of a player before its gear", change: func(f *fake) {
			f.entered = func() {
				f.about(stranger, packets.ClassPlayer, strangerSpawn())
				f.send(movement(fakePlace, map[packets.ObjectID]packets.Class{stranger: packets.ClassPlayer}))
				f.about(stranger, packets.ClassPlayer, gear())
			}
		}, want: []bot.ViolationKind{bot.MissingGear}, example: "TransformUpdate"},
		{name: "removal of a player before its gear", change: func(f *fake) {
			f.entered = func() {
				f.about(stranger, packets.ClassPlayer, strangerSpawn())
				f.send(&packets.Body{Sections: []packets.Section{packets.Removal(stranger)}})
			}
		}, want: []bot.ViolationKind{bot.MissingGear}, example: "removal"},
		{name: "nameplate of a thing", change: func(f *fake) {
			f.entered = func() { f.about(fakeSword, packets.ClassStartSword, nameplate(packets.StatHP, 4)) }
		}, want: []bot.ViolationKind{bot.WrongClass}, example: "no player"},
		{name: "value that no nameplate has", change: func(f *fake) {
			f.entered = func() { f.meet(nameplate(packets.StatFire, 4)) }
		}, want: []bot.ViolationKind{bot.StateDiffers}, example: "fire"},
		{name: "clan of a thing", change: func(f *fake) {
			f.entered = func() {
				f.about(fakeSword, packets.ClassStartSword, &packets.TradeMan{Command: &packets.ClanTag{Rank: 1, Clan: "Night"}})
			}
		}, want: []bot.ViolationKind{bot.WrongClass}, example: "a clan for"},
		{name: "line of chat that never ends", change: func(f *fake) {
			f.entered = func() {
				f.about(0xC100, packets.ClassChat, &packets.ChatLine{Kind: 2, Length: 5, Chunks: 2, Sender: "Вася", Channel: 2})
				f.about(0xC100, packets.ClassChat, &packets.ChatChunk{Text: "при"})
			}
		}, want: []bot.ViolationKind{bot.Missing}, example: "1 parts of a line"},
		{name: "line of chat of another length", change: func(f *fake) {
			f.entered = func() {
				f.about(0xC100, packets.ClassChat, &packets.ChatLine{Kind: 2, Length: 5, Chunks: 1, Sender: "Вася", Channel: 2})
				f.about(0xC100, packets.ClassChat, &packets.ChatChunk{Text: "привет"})
			}
		}, want: []bot.ViolationKind{bot.StateDiffers}, example: "5 bytes, and has 6"},
		{name: "line of chat with a link to somebody else", change: func(f *fake) {
			f.entered = func() {
				const text = `<l="player://Петя">Петя</l>: я Петя`
				f.about(0xC100, packets.ClassChat, &packets.ChatLine{Kind: 2, Length: uint32(packets.Len1251(text)), Chunks: 1,
					Sender: "Вася", Channel: 2})
				f.about(0xC100, packets.ClassChat, &packets.ChatChunk{Text: text})
			}
		}, want: []bot.ViolationKind{bot.StateDiffers}, example: `"Петя"`},
		{name: "part of a line without a header", change: func(f *fake) {
			f.entered = func() { f.own(manager(&packets.ChatPart{Channel: 5, Text: "привет\x00"})) }
		}, want: []bot.ViolationKind{bot.OutOfPlace}, example: "without a header"},
		{name: "line in parts that is nobody's", change: func(f *fake) {
			f.entered = func() {
				f.own(manager(&packets.ChatHeader{Channel: 5, Length: 6, Parts: 1}))
				f.own(manager(&packets.ChatPart{Channel: 5, Text: "привет\x00"}))
			}
		}, want: []bot.ViolationKind{bot.StateDiffers}, example: "whose it is"},
		{name: "line in parts before another is whole", change: func(f *fake) {
			f.entered = func() {
				f.own(manager(&packets.ChatHeader{Channel: 5, Length: 900, Parts: 4}))
				f.sayToGroup("Петя", "привет")
			}
		}, want: []bot.ViolationKind{bot.StateDiffers}, example: "before the one"},
		{name: "member of a group twice", change: func(f *fake) {
			f.entered = func() {
				f.own(groupOperation(5), groupMember("Петя", 2), groupMember("Hero", 1), groupMember("Петя", 1))
			}
		}, want: []bot.ViolationKind{bot.StateDiffers}, example: "second time"},
		{name: "removal of who is no member of the group", change: func(f *fake) {
			f.entered = func() {
				f.own(groupOperation(5), groupOperation(9), manager(&packets.GroupName{Operation: 10, Name: "Петя"}))
			}
		}, want: []bot.ViolationKind{bot.StateDiffers}, example: "no member"},
		{name: "end of a group that there is not", change: func(f *fake) { f.entered = func() { f.own(groupOperation(13)) } },
			want: []bot.ViolationKind{bot.OutOfPlace}, example: "there is none"},
		{name: "candidate for the group of another", change: func(f *fake) {
			f.entered = func() {
				f.own(groupOperation(5), groupMember("Петя", 2), groupMember("Hero", 1),
					manager(&packets.GroupCandidate{Name: "Вася"}))
			}
		}, want: []bot.ViolationKind{bot.OutOfPlace}, example: "Вася"},
		{name: "rank of who is not in the clan's list", change: func(f *fake) {
			f.entered = func() { f.own(manager(&packets.ClanMemberRank{Rank: 1, Player: stranger})) }
		}, want: []bot.ViolationKind{bot.UnknownObject}, example: "0x7B5A"},
		{name: "values of another player", change: func(f *fake) {
			f.entered = func() {
				f.about(stranger, packets.ClassPlayer, &packets.SetStat{Stat: packets.StatMaxMP, Value: 3})
			}
		}, want: []bot.ViolationKind{bot.WrongID}},
		{name: "thing under the own id", change: func(f *fake) {
			f.entered = func() { f.about(f.index.ID(), packets.ClassBread, &packets.SpawnSnapshot{}) }
		}, want: []bot.ViolationKind{bot.WrongID}},
		{name: "no statistics", change: func(f *fake) {
			f.entry = func() {
				f.sendBindings()
				f.spawn(swordRecord)
				f.spawn(breadRecord)
				f.sendTime()
				f.about(packets.StatObject, packets.ClassStat, &packets.PlayerCountSpawn{Players: 5})
				f.control(&packets.Keepalive{})
			}
		}, want: []bot.ViolationKind{bot.Missing}, example: "no statistics"},
		{name: "no number of players", change: func(f *fake) {
			f.entry = func() {
				f.sendBindings()
				f.spawn(swordRecord)
				f.spawn(breadRecord)
				f.sendStats()
				f.sendTime()
				f.control(&packets.Keepalive{})
			}
		}, want: []bot.ViolationKind{bot.Missing}, example: "number of players"},
		{name: "no MP every 6 s", change: func(f *fake) { f.sixSilent = true }, want: []bot.ViolationKind{bot.Missing},
			example: "no MP"},
		{name: "no time every 15 s", change: func(f *fake) { f.timeless = true }, want: []bot.ViolationKind{bot.Missing},
			example: "no time"},
		{name: "no keepalives by itself", change: func(f *fake) { f.mute = true }, want: []bot.ViolationKind{bot.Missing},
			example: "keepalives in"},
		{name: "no answers to keepalives", change: func(f *fake) { f.deaf = true }, want: []bot.ViolationKind{bot.Missing},
			example: "keepalives in"},
		{name: "another name", change: func(f *fake) { f.snapshot = func(m *packets.WorldSnapshot) { m.Name = "Villain" } },
			want: []bot.ViolationKind{bot.StateDiffers}, example: "Villain"},
		{name: "another amount of money", change: func(f *fake) { f.snapshot = func(m *packets.WorldSnapshot) { m.Money++ } },
			want: []bot.ViolationKind{bot.StateDiffers}, example: "money: 78"},
		{name: "other HP", change: func(f *fake) { f.snapshot = func(m *packets.WorldSnapshot) { m.HP++ } },
			want: []bot.ViolationKind{bot.StateDiffers}, example: "HP: 91"},
		{name: "a slot that is occupied by nothing",
			change: func(f *fake) { f.snapshot = func(m *packets.WorldSnapshot) { m.Occupied[3] = 1 } },
			want:   []bot.ViolationKind{bot.StateDiffers}, example: "slot 3"},
		{name: "another number of slots", change: func(f *fake) {
			f.snapshot = func(m *packets.WorldSnapshot) { m.Occupied = append(m.Occupied, 1) }
		}, want: []bot.ViolationKind{bot.StateDiffers}, example: "61 slots and 60 weights"},
		{name: "another weight", change: func(f *fake) { f.snapshot = func(m *packets.WorldSnapshot) { m.Weights[27]++ } },
			want: []bot.ViolationKind{bot.StateDiffers}, example: "weight 81"},
		{name: "a line shorter than announced", change: func(f *fake) {
			f.entered = func() {
				f.about(0xC100, packets.ClassChat, &packets.ChatLine{Kind: 2, Length: 5, Chunks: 1, Sender: "x"})
				f.about(0xC100, packets.ClassChat, &packets.ChatChunk{Text: "hi"})
			}
		}, want: []bot.ViolationKind{bot.StateDiffers}, example: "announced with 5"},
		{name: "second greeting", change: func(f *fake) {
			f.entered = func() { f.control(&packets.Greeting{Key: 1}) }
		}, want: []bot.ViolationKind{bot.OutOfPlace}, example: "greeting"},
		{name: "enters the world twice", change: func(f *fake) {
			f.entered = func() { f.own(&packets.WorldSnapshot{Name: "Hero"}) }
		}, want: []bot.ViolationKind{bot.OutOfPlace}, example: "enter world"},
		{name: "removes the own character", change: func(f *fake) {
			f.entered = func() { f.send(&packets.Body{Sections: []packets.Section{packets.Removal(f.index.ID())}}) }
		}, want: []bot.ViolationKind{bot.OutOfPlace}, example: "removal"},
		{name: "slot that is none", change: func(f *fake) {
			f.entered = func() { f.own(contMan(&packets.FillSlot{Slot: 60, Item: fakeSword})) }
		}, want: []bot.ViolationKind{bot.OutOfPlace}, example: "slot 60"},
		{name: "values before the world is loaded",
			change: func(f *fake) { f.snapshot = func(*packets.WorldSnapshot) { f.sendStats() } },
			want:   []bot.ViolationKind{bot.OutOfPlace}, example: "before the client is ready"},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, c.change, bot.Options{}, func(t *testing.T, s story) {
				if !errors.Is(s.err, c.err) {
					t.Errorf("ended with %v, expected %v", s.err, c.err)
				}
				if got := kindsOf(s.client); !slices.Equal(got, c.want) {
					t.Errorf("found %v, expected %v", got, c.want)
				}
				found := ""
				for _, f := range s.client.Violations() {
					found += f.String()
				}
				if !strings.Contains(found, c.example) {
					t.Errorf("no example says %q:\n%s", c.example, found)
				}
			})
		})
	}
}

func TestConnectionThatEndsInsideAFrame(t *testing.T) {
	play(t, func(f *fake) {
		f.entered = func() {
			f.raw([]byte{18, 0, 0x2C})
			time.AfterFunc(time.Second, func() { f.conn.Close() })
		}
	}, bot.Options{}, func(t *testing.T, s story) {
		if got := kindsOf(s.client); !errors.Is(s.err, bot.ErrClosed) ||
			!slices.Equal(got, []bot.ViolationKind{bot.BrokenStream}) {
			t.Errorf("%v, %v", s.err, got)
		}
	})
}

// The client leaves ten seconds after the position that was not answered, as the original does.
func TestNoLinkTakesTenSeconds(t *testing.T) {
	play(t, func(f *fake) { f.pong = func(packets.Ping, uint16) []byte { return nil } }, bot.Options{},
		func(t *testing.T, s story) {
			begun := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // of every bubble
			if d := time.Since(begun); d < 10*time.Second || d > 13*time.Second {
				t.Errorf("gave up after %v", d)
			}
		})
}

// The objects that a client holds follow the messages, on the fast way and on the slow one.
func TestObjectsAreFollowed(t *testing.T) {
	for _, watched := range []bool{false, true} {
		o := bot.Options{AllowExternalChanges: true}
		frames := 0
		if watched {
			o.OnFrame = func(*packets.Frame) { frames++ }
		}
		to := coords.Position{X: 2620.25, Y: 158.5, Z: 1290.75, Yaw: 2}
		play(t, func(f *fake) {
			f.entered = func() {
				f.about(stranger, packets.ClassPlayer, strangerSpawn())
				f.about(stranger, packets.ClassPlayer, gear())
				f.about(0x3000, packets.ClassMonster, &packets.SpawnSnapshot{X: to.X, Y: to.Y, Z: to.Z - 2,
					Placement: packets.Lying, A: 5, B: 5})
				f.about(0x3001, packets.ClassLootBag, &packets.SpawnSnapshot{X: 1, Y: 2, Z: 3, Placement: packets.Lying, A: 100,
					B: 100})
				f.send(movement(to, map[packets.ObjectID]packets.Class{stranger: packets.ClassPlayer,
					0x3000: packets.ClassMonster}))
				f.about(0x3001, packets.ClassLootBag, contMan(&packets.ResetSlots{}),
					contMan(&packets.FillSlot{Slot: 0, Item: 0x3002, Weight: 7}))
				f.about(0x3002, packets.ClassBread, &packets.SpawnSnapshot{X: packets.ContainedX, Placement: packets.Contained},
					contMan(&packets.PutInto{Parent: 0x3001}))
				f.about(0xC100, packets.ClassChat, &packets.ChatLine{Kind: 2, Length: 6, Chunks: 2, Sender: "Вася", Channel: 3})
				f.about(0xC100, packets.ClassChat, &packets.ChatChunk{Text: "при"})
				f.about(0xC100, packets.ClassChat, &packets.ChatChunk{Text: "вет"})
				f.own(contMan(&packets.ClearSlot{Slot: 27}))
				f.send(&packets.Body{Sections: []packets.Section{packets.Removal(fakeBread)}})
				f.own(&packets.Manager{Command: &packets.SystemMessage{Mode: 7, Text: "soon"}},
					&packets.Manager{Command: &packets.SetCoordinates{X: 100, Y: 150, Z: -100, Yaw: 1}})
			}
		}, o, func(t *testing.T, s story) {
			c := s.client
			for _, f := range c.Violations() {
				t.Error(f)
			}
			for _, id := range []packets.ObjectID{stranger, 0x3000} {
				if o := c.Objects[id]; o == nil || o.Position.Distance(to) > 0.03 {
					t.Errorf("%s: %+v", id, o)
				}
			}
			if o := c.Objects[stranger]; o == nil || o.Player == nil || o.Player.Name != "Stranger" || o.Gear == nil {
				t.Errorf("stranger: %+v", o)
			}
			if o := c.Objects[0x3001]; o == nil || o.Slots[0] != (bot.Slot{Item: 0x3002, Weight: 7}) {
				t.Errorf("bag: %+v", o)
			}
			if c.Objects[fakeBread] != nil || len(c.Items()) != 1 {
				t.Error("the bread is still held")
			}
			if len(c.Lines) != 2 || c.Lines[0].Sender != "Вася" || c.Lines[0].Text != "привет" ||
				c.Lines[0].Channel != 3 || c.Lines[1].Text != "soon" {
				t.Errorf("lines %+v", c.Lines)
			}
			if d := c.Position.Distance(coords.Position{X: 100, Y: 150, Z: -100}); d > 25 {
				t.Errorf("stands %.0f m from where it was put", d)
			}
			if watched && frames == 0 {
				t.Error("OnFrame was not called")
			}
		})
	}
}

// A client that is left to the verbs sends their requests, and no more.
func TestManualClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, conn := newFake(t)
		f.start()
		defer f.stop()
		c := bot.New(conn, bot.Options{Manual: true})
		defer c.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := c.Handshake(ctx); err != nil {
			t.Fatal(err)
		}
		if err := c.Appear(ctx, bot.Identity{Login: "l", Password: "p", Name: "Hero", Slot: 2}); err != nil {
			t.Fatal(err)
		}
		sent := func() uint64 { return c.Tally().FramesOut.Load() }
		before := sent()
		if err := c.Idle(ctx, 12*time.Second); err != nil || sent() != before {
			t.Errorf("%v, sent %d frames by itself", err, sent()-before)
		}
		to := c.Position
		to.X += 20
		begun := time.Now()
		if err := c.Walk(ctx, to); err != nil || c.Position.Distance(to) != 0 {
			t.Errorf("walked to %v, stands at %v: %v", to, c.Position, err)
		}
		if d, n := time.Since(begun), c.Tally().Pings.Load(); d < 5*time.Second || d > 5100*time.Millisecond || n < 3 ||
			n > 5 {
			t.Errorf("20 m at 4 m/s took %v and %d positions", d, n)
		}
		if err := c.Keepalive(ctx); err != nil {
			t.Error(err)
		}
		text := strings.Repeat("б", 700)
		before = sent()
		if err := c.Say(2, text); err != nil || sent() != before+4 {
			t.Errorf("%v, %d frames for a line of 700", err, sent()-before)
		}
		if err := c.Until(ctx, func() bool { return f.said() == text }); err != nil {
			t.Errorf("%v: the server has heard %d characters", err, packets.Len1251(f.said()))
		}
		for _, one := range c.Violations() {
			t.Error(one)
		}
	})
}
