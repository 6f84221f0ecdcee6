package game

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/ops"
	"sphereserver/server/session"
)

// storedClan puts a character that is about to enter into a clan: a new one, or that of a member.
func (c *conn) storedClan(name string, member *conn) {
	c.g.t.Helper()
	me := c.s().Character()
	change, err := data.ClanChange{}, error(nil)
	if member == nil {
		change, err = c.g.store.CreateClan(c.g.t.Context(), me.ID, name)
	} else {
		change, err = c.g.store.JoinClan(c.g.t.Context(), member.s().Character().ID, me.ID)
	}
	if err != nil {
		c.g.t.Fatal(err)
	}
	me.ClanName, me.ClanRank = change.Clan.Name, change.Who.Rank
}

// clanWords are the messages of clans that a client got, and system messages: "ClanMember 3 Name".
func clanWords(t testing.TB, all []*conn, c *conn) (words []string) {
	t.Helper()
	name := func(id packets.ObjectID) string {
		for _, other := range all {
			if other.Session() != nil && other.s().ID() == id {
				return other.s().Character().Name
			}
		}
		return id.String()
	}
	for _, f := range c.frames() {
		if f.Body == nil {
			continue
		}
		for _, section := range f.Body.Sections {
			for _, r := range section.Regions {
				command, _ := packets.CommandOf(r)
				word := ""
				switch m := command.(type) {
				case *packets.ClanCreated:
					word = "created"
				case *packets.ClanMember:
					word = fmt.Sprintf("member %s %d", m.Name, m.Rank)
					if name(m.Player) != m.Name {
						t.Errorf("member %s has the id of %s", m.Name, name(m.Player))
					}
				case *packets.ClanMemberRemoved:
					word = "removed " + name(m.Player)
				case *packets.ClanMemberRank:
					word = fmt.Sprintf("rank %s %d", name(m.Player), m.Rank)
				case *packets.ClanMembership:
					word = fmt.Sprintf("own %d %s", m.Rank, m.Clan)
				case *packets.ClanApplicant:
					word = "applicant " + name(m.Player)
				case *packets.AllianceList:
					word = "alliance"
				case *packets.ClanTag:
					words = append(words, fmt.Sprintf("tag %s %s", name(section.Object), m.Clan))
					continue
				case *packets.SystemMessage:
					word = m.Text
				case *packets.SystemText:
					word = fmt.Sprintf("#%d", m.Text)
				case *packets.SystemTextNumber:
					word = fmt.Sprintf("#%d %d", m.Text, m.Argument)
				default:
					continue
				}
				if section.Object != c.s().ID() {
					t.Errorf("%s is about %s", word, name(section.Object))
				}
				words = append(words, word)
			}
		}
	}
	return words
}

// clanScene are some players beside each other.
type clanScene struct {
	*stage
	all []*conn
}

func newClanScene(t *testing.T, n int) *clanScene {
	g := chatStage(t)
	return &clanScene{g, g.players(n)}
}

// settle waits until no work is left, and returns the words to each member.
func (g *clanScene) settle() [][]string {
	g.t.Helper()
	g.until("nobody waits", func() bool {
		return !slices.ContainsFunc(g.all, func(c *conn) bool { return !c.closed && c.p().Busy })
	})
	g.server.Wait()
	g.pass(300 * time.Millisecond)
	out := make([][]string, len(g.all))
	for i, c := range g.all {
		out[i] = clanWords(g.t, g.all, c)
	}
	return out
}

func (g *clanScene) want(what string, want ...[]string) {
	g.t.Helper()
	have := g.settle()
	for i, w := range want {
		if !slices.Equal(have[i], w) {
			g.t.Errorf("%s: player %d (%s) was told\n%q, want\n%q", what, i, g.all[i].s().Character().Name, have[i], w)
		}
	}
}

func (c *conn) manages(command packets.Command) { c.say(c.own(&packets.Manager{Command: command})) }

// sendsTo sends a message about another player's object, as clients apply and accept.
func (c *conn) sendsTo(other *conn, command packets.Command) {
	c.say(packets.Message(0, other.s().ID(), packets.ClassPlayer, &packets.Manager{Command: command}))
}

func (c *conn) applies(to *conn)  { c.sendsTo(to, &packets.RecruitToClan{Player: c.s().ID()}) }
func (c *conn) accepts(who *conn) { c.sendsTo(who, &packets.AcceptApplicant{Player: c.s().ID()}) }

// recruits sends the message of applicants about itself, with the other's id.
func (c *conn) recruits(other *conn) { c.manages(&packets.RecruitToClan{Player: other.s().ID()}) }

func (g *clanScene) join(who, member *conn) {
	g.t.Helper()
	who.applies(member)
	g.settle()
	member.accepts(who)
	g.settle()
	if who.s().Character().ClanName == "" {
		g.t.Fatalf("%s was not taken in", who.name())
	}
	g.pass(applicationPause)
}

// Turns come in the order in which they were given, whichever goroutine begins first.
func TestClanTurnsKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clans
		var order []int
		turns := []func() func(){c.queue(), c.queue(), c.queue()}
		for i := range turns {
			turn := len(turns) - 1 - i // the last goes first
			go func() {
				defer turns[turn]()()
				time.Sleep(time.Second) // as a store does that takes its time
				order = append(order, turn)
			}()
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if !slices.Equal(order, []int{0, 1, 2}) {
			t.Error(order)
		}
	})
}

// The answers are as recorded: docs/protocol/clans.md.
func TestClanIsFoundedJoinedRankedAndLeft(t *testing.T) {
	t.Parallel()
	g := newClanScene(t, 4)
	anna, berta, clara := g.all[0], g.all[1], g.all[2]
	a, b, c := anna.name(), berta.name(), clara.name()

	anna.manages(&packets.CreateClan{Clan: "Red Star"})
	tag := "tag " + a + " Red Star"
	g.want("founding", []string{"created", "member " + a + " 0", "alliance", "Клан «Red Star» создан."},
		[]string{tag}, []string{tag}, []string{tag})

	berta.applies(anna)
	g.want("application", []string{"applicant " + b, b + " хочет вступить в ваш клан."},
		[]string{"Просьба о вступлении передана."}, nil, nil)
	anna.accepts(berta)
	tag = "tag " + b + " Red Star"
	g.want("joining", []string{"member " + b + " 3", b + " теперь в клане.", tag},
		[]string{"member " + a + " 0", "member " + b + " 3", "alliance", "own 6 Red Star"}, []string{tag}, []string{tag})
	g.join(clara, anna)

	anna.manages(&packets.ChangeClanRank{Rank: clanRaise, Name: b})
	g.want("raising", []string{"rank " + b + " 2", b + ": вассал.", tag},
		[]string{"rank " + b + " 2", "own 2 Red Star"}, []string{"rank " + b + " 2", tag}, []string{tag})
	anna.manages(&packets.ChangeClanRank{Rank: clanLower, Name: b})
	g.want("lowering", []string{"rank " + b + " 3", b + ": неофит.", tag},
		[]string{"rank " + b + " 3", "own 3 Red Star"}, []string{"rank " + b + " 3", tag})
	anna.manages(&packets.ChangeClanRank{Rank: 0, Name: c})
	g.want("handing over",
		[]string{"rank " + c + " 0", "rank " + a + " 1", "own 1 Red Star", c + ": сеньор.", "tag " + c + " Red Star"},
		[]string{"rank " + c + " 0", "rank " + a + " 1", "tag " + c + " Red Star", "tag " + a + " Red Star"},
		[]string{"rank " + c + " 0", "own 0 Red Star", "rank " + a + " 1", "tag " + a + " Red Star"})
	if anna.s().Character().ClanRank != data.Seneschal || clara.s().Character().ClanRank != data.Senior {
		t.Errorf("ranks are %v and %v", anna.s().Character().ClanRank, clara.s().Character().ClanRank)
	}

	clara.manages(&packets.ChangeClanRank{Rank: clanExpel, Name: b})
	have := g.settle()
	if !slices.Contains(have[1], "own 5 Red Star") || !slices.Contains(have[0], "removed "+b) ||
		!slices.Contains(have[2], "removed "+b) {
		t.Errorf("expelling: %q", have)
	}
	if berta.s().Character().ClanName != "" {
		t.Error("who was expelled is still in the clan")
	}

	clara.manages(&packets.LeaveClan{Name: "red star"})
	have = g.settle()
	if !slices.Contains(have[2], "own 5 Red Star") || !slices.Contains(have[0], "removed "+c) ||
		!slices.Contains(have[0], "own 0 Red Star") {
		t.Errorf("leaving: %q", have)
	}
	anna.manages(&packets.LeaveClan{Name: "Red Star"})
	g.settle()
	berta.manages(&packets.CreateClan{Clan: "Red Star"}) // the name is free
	if have := g.settle(); !slices.Contains(have[1], "created") {
		t.Errorf("founding again: %q", have[1])
	}
}

func TestClanRequestsAreRefusedInWords(t *testing.T) {
	t.Parallel()
	g := newClanScene(t, 4)
	senior, member, other, stranger := g.all[0], g.all[1], g.all[2], g.all[3]
	senior.manages(&packets.CreateClan{Clan: "Ours"})
	g.settle()
	other.manages(&packets.CreateClan{Clan: "Theirs"})
	g.settle()
	g.join(member, senior)
	for name, c := range map[string]struct {
		who  *conn
		do   func()
		want ops.Text
		args []any
	}{
		"a taken name": {stranger, func() { stranger.manages(&packets.CreateClan{Clan: "OURS"}) },
			clanRefusals[0].text, nil},
		"a name that is none": {stranger, func() { stranger.manages(&packets.CreateClan{Clan: "[br]"}) }, clanNameText,
			[]any{data.MaxClanNameLen}},
		"a name that is too long": {stranger, func() { stranger.manages(&packets.CreateClan{Clan: "Abcdefghijklmnop"}) },
			clanNameText, []any{data.MaxClanNameLen}},
		"founding within one": {member, func() { member.manages(&packets.CreateClan{Clan: "Second"}) }, clanOwnText,
			nil},
		"leaving without one": {stranger, func() { stranger.manages(&packets.LeaveClan{Name: stranger.name()}) },
			clanRefusals[2].text, nil},
		"expelling a superior": {member, func() {
			member.manages(&packets.ChangeClanRank{Rank: clanExpel,
				Name: senior.name()})
		}, clanRefusals[4].text, nil},
		"expelling a stranger": {senior, func() { senior.manages(&packets.LeaveClan{Name: stranger.name()}) },
			clanRefusals[5].text, nil},
		"expelling nobody": {senior, func() { senior.manages(&packets.LeaveClan{Name: "Nobody"}) },
			clanRefusals[5].text, nil},
		"ranking a stranger": {senior, func() {
			senior.manages(&packets.ChangeClanRank{Rank: clanRaise,
				Name: stranger.name()})
		}, clanRefusals[5].text, nil},
		"ranking another's member": {senior, func() {
			senior.manages(&packets.ChangeClanRank{Rank: clanLower,
				Name: other.name()})
		}, clanRefusals[5].text, nil},
		"ranking oneself": {member, func() {
			member.manages(&packets.ChangeClanRank{Rank: clanRaise,
				Name: member.name()})
		}, clanRefusals[4].text, nil},
		"applying from a clan":            {other, func() { other.applies(senior) }, clanTheirsText, []any{senior.name()}},
		"recruiting a member":             {senior, func() { senior.recruits(other) }, clanTheirsText, []any{other.name()}},
		"recruiting as a neophyte":        {member, func() { member.recruits(stranger) }, clanAskAboveText, nil},
		"accepting who has not recruited": {stranger, func() { stranger.accepts(member) }, clanAskAboveText, nil},
		"applying to a neophyte":          {stranger, func() { stranger.applies(member) }, clanAskAboveText, nil},
		"accepting who has not":           {senior, func() { senior.accepts(stranger) }, clanNoApplicantText, nil},
		"accepting as a neophyte":         {member, func() { member.accepts(stranger) }, clanNoApplicantText, nil},
		"applying to nobody": {stranger, func() {
			stranger.say(packets.Message(0, 0x0001, packets.ClassPlayer,
				&packets.Manager{Command: &packets.RecruitToClan{Player: stranger.s().ID()}}))
		}, clanNobodyText, nil},
	} {
		for _, russian := range []bool{true, false} {
			c.who.p().Russian = russian
			g.pass(applicationPause)
			g.settle()
			c.do()
			have := g.settle()
			if index := slices.Index(g.all, c.who); !slices.Contains(have[index], c.want.In(russian, c.args...)) {
				t.Errorf("%s: told %q, want %q", name, have[index], c.want.In(russian, c.args...))
			}
		}
		c.who.p().Russian = true
	}
	// A message in another player's name is ignored.
	stranger.say(packets.Message(0, senior.s().ID(), packets.ClassPlayer,
		&packets.Manager{Command: &packets.RecruitToClan{Player: other.s().ID()}}))
	stranger.say(packets.Message(0, senior.s().ID(), packets.ClassPlayer,
		&packets.Manager{Command: &packets.LeaveClan{Name: "Ours"}}))
	stranger.say(packets.Message(0, senior.s().ID(), packets.ClassPlayer,
		&packets.Manager{Command: &packets.CreateClan{Clan: "Forged"}}))
	for i, words := range g.settle() {
		if len(words) > 0 {
			t.Errorf("player %d was told %q", i, words)
		}
	}
}

// Three members across disconnects: lists have the members in the world, and stored changes hold for absent ones.
func TestClanOutlivesDisconnects(t *testing.T) {
	t.Parallel()
	g := newClanScene(t, 3)
	a, b, c := g.all[0].name(), g.all[1].name(), g.all[2].name()
	g.all[0].manages(&packets.CreateClan{Clan: "Lasting"})
	g.settle()
	g.join(g.all[1], g.all[0])
	g.join(g.all[2], g.all[0])

	// back in, as the same account
	again := func(i int) {
		t.Helper()
		old := g.all[i]
		login := old.s().Login()
		old.hangUp()
		g.until("saved", func() bool { return g.server.Presence(old.s().Account()) == nil })
		g.all[i] = g.connect()
		line := g.all[i].in(session.Handshaken)
		line.login(login, "secret")
		g.until("the screen", func() bool { return line.s().State() == session.CharacterScreen })
		line.choose(0, &packets.EnterWorld{})
		g.until("loading", func() bool { return line.s().State() == session.Entering })
		line.say(line.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
		g.until("the world", func() bool { return line.s().State() == session.InWorld })
	}
	again(1)
	have := g.settle()
	for _, word := range []string{"member " + a + " 0", "member " + b + " 3", "member " + c + " 3"} {
		if !slices.Contains(have[1], word) {
			t.Errorf("who came back was told %q", have[1])
		}
	}
	for _, i := range []int{0, 2} {
		gone := slices.IndexFunc(have[i], func(word string) bool { return strings.HasPrefix(word, "removed") })
		if back := slices.Index(have[i], "member "+b+" 3"); gone < 0 || back < gone {
			t.Errorf("player %d was told %q", i, have[i])
		}
	}

	// An absent member is ranked and expelled like the others.
	away := g.all[2].s()
	g.all[2].hangUp()
	g.until("saved", func() bool { return g.server.Presence(away.Account()) == nil })
	g.all[0].manages(&packets.ChangeClanRank{Rank: clanRaise, Name: c})
	if have := g.settle(); !slices.Contains(have[0], c+": вассал.") {
		t.Errorf("ranking who is away: %q", have[0])
	}
	stored, err := g.store.CharacterByName(t.Context(), c)
	if err != nil || stored.ClanRank != data.Vassal {
		t.Errorf("stored as %v (%v)", stored.ClanRank, err)
	}
	g.all[0].manages(&packets.ChangeClanRank{Rank: clanExpel, Name: c})
	if have := g.settle(); !slices.Contains(have[0], c+" больше не в клане.") {
		t.Errorf("expelling who is away: %q", have[0])
	}

	// The senior goes away for good: the lead passes, and members in the world hear of it.
	g.all[0].manages(&packets.LeaveClan{Name: a})
	if have := g.settle(); !slices.Contains(have[1], "rank "+b+" 0") || g.all[1].s().Character().ClanRank != data.Senior {
		t.Errorf("the heir heard %q", have[1])
	}
}

// The lead passes at once whichever way the senior is deleted, and all members in the world hear of it once.
func TestLeadOfADeletedSeniorPassesAtOnce(t *testing.T) {
	t.Parallel()
	byOperator := func(g *clanScene, do func() error) {
		g.t.Helper()
		done := make(chan error, 1)
		go func() { done <- do() }()
		var err error
		g.until("the operator's answer", func() bool {
			select {
			case err = <-done:
				return true
			default:
				return false
			}
		})
		if err != nil {
			g.t.Error(err)
		}
	}
	for _, c := range []struct {
		name   string
		remove func(g *clanScene, senior *session.Session)
	}{
		{"on the character screen", func(g *clanScene, senior *session.Session) {
			g.all[0].hangUp()
			g.until("saved", func() bool { return g.server.Presence(senior.Account()) == nil })
			line := g.connect().in(session.Handshaken)
			line.login(senior.Login(), "secret")
			g.until("the screen", func() bool { return line.s().State() == session.CharacterScreen })
			line.say(line.own(&packets.Owner{Command: &packets.DeleteSlot{Number: 1}}))
			g.until("the deletion", func() bool { return line.s().Reason() == session.CharacterDeleted })
		}},
		{"by an operator", func(g *clanScene, senior *session.Session) {
			byOperator(g, func() error {
				_, err := ops.DeleteCharacter.Do(t.Context(), g.server.Operators(), ops.Owner(""),
					ops.CharacterName{ID: senior.Character().ID})
				return err
			})
		}},
		{"with the account", func(g *clanScene, senior *session.Session) {
			byOperator(g, func() error {
				_, err := ops.DeleteAccount.Do(t.Context(), g.server.Operators(), ops.Owner(""),
					ops.AccountName{ID: senior.Account()})
				return err
			})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newClanScene(t, 3)
			g.all[0].manages(&packets.CreateClan{Clan: "Heirs"})
			g.settle()
			g.join(g.all[1], g.all[0])
			g.join(g.all[2], g.all[0])
			c.remove(g, g.all[0].s())
			heir := g.all[1].name()
			have := g.settle()
			only := func(words []string) []string {
				return slices.DeleteFunc(words, func(w string) bool {
					return !strings.HasPrefix(w, "rank ") && !strings.HasPrefix(w, "own ")
				})
			}
			if words := only(have[1]); !slices.Equal(words, []string{"rank " + heir + " 0", "own 0 Heirs"}) {
				t.Errorf("the heir was told %q", words)
			}
			if words := only(have[2]); !slices.Equal(words, []string{"rank " + heir + " 0"}) {
				t.Errorf("the other member was told %q", words)
			}
			if rank := g.all[1].s().Character().ClanRank; rank != data.Senior {
				t.Errorf("the heir is %v", rank)
			}
		})
	}
}

// A character enters with its stored clan, even if that has changed since its account logged in.
func TestClanOfWhoWasExpelledAtTheScreen(t *testing.T) {
	t.Parallel()
	g := newClanScene(t, 1)
	g.all[0].manages(&packets.CreateClan{Clan: "Ours"})
	g.settle()
	late := g.connect().in(session.Entering)
	late.storedClan("", g.all[0])
	if _, err := g.store.LeaveClan(t.Context(), late.s().Character().ID); err != nil {
		t.Fatal(err)
	}
	late.say(late.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the world", func() bool { return late.s().State() == session.InWorld })
	g.all = append(g.all, late)
	have := g.settle()
	if !slices.Contains(have[1], "own 5 Ours") || late.s().Character().ClanName != "" {
		t.Errorf("told %q, clan %q", have[1], late.s().Character().ClanName)
	}
	if v, ok := g.server.viewOf(late.pid()); ok && v.Clan != "" {
		g.pass(time.Second)
		if v, _ := g.server.viewOf(late.pid()); v.Clan != "" {
			t.Errorf("looks like one of %q", v.Clan)
		}
	}
}
