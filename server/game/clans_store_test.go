package game

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/session"
)

// A store that fails leaves everything as it was, and says so.
func TestClanChangeThatCannotBeStoredIsNotTold(t *testing.T) {
	t.Parallel()
	g := newClanScene(t, 2)
	g.server.store = brokenStore{g.server.store}
	g.all[0].manages(&packets.CreateClan{Clan: "Ours"})
	have := g.settle()
	const notStored = "Не получилось: сервер сейчас не может это сохранить. Попробуйте позже."
	if !slices.Equal(have[0], []string{notStored}) || len(have[1]) > 0 || g.all[0].s().Character().ClanName != "" {
		t.Errorf("told %q", have)
	}
}

// brokenStore cannot write changes of clans.
type brokenStore struct{ Store }

func (brokenStore) CreateClan(context.Context, data.CharacterID, string) (data.ClanChange, error) {
	return data.ClanChange{}, data.ErrUnavailable
}

// A silenced player founds no clan either, and nobody one with a name like the server's own.
func TestClansAreNamedByWhoMaySpeak(t *testing.T) {
	t.Parallel()
	g := newClanScene(t, 2)
	mute := data.Mute{At: time.Now(), Until: time.Now().Add(time.Hour), Reason: "шум"}
	g.server.SetMute(g.all[0].s().Account(), mute)
	g.settle()
	g.all[0].manages(&packets.CreateClan{Clan: "Any Words"})
	if have := g.settle()[0]; len(have) != 1 || !strings.HasPrefix(have[0], "Вам запрещено говорить ещё ") {
		t.Errorf("who is mute was told %q", have)
	}
	g.all[1].manages(&packets.CreateClan{Clan: "Admins"})
	g.want("a name of authority", nil, []string{clanKeptText.Russian})
	g.server.SetMute(g.all[0].s().Account(), data.Mute{})
	g.settle()
	g.all[0].manages(&packets.CreateClan{Clan: "Any Words"})
	if have := g.settle()[0]; !slices.Contains(have, "Клан «Any Words» создан.") {
		t.Errorf("who may speak again was told %q", have)
	}
}

// failingClans fails to read clans as often as it says.
type failingClans struct {
	Store
	failures int
}

func (s *failingClans) ClanOf(ctx context.Context, id data.CharacterID) (data.Clan, error) {
	if s.failures--; s.failures >= 0 {
		return data.Clan{}, errors.New("disk full")
	}
	return s.Store.ClanOf(ctx, id)
}

// A member that enters while the store fails is listed, and told of the others, once the store works again.
func TestMembersAreListedOnceTheStoreWorks(t *testing.T) {
	g := newClanScene(t, 1)
	g.all[0].manages(&packets.CreateClan{Clan: "Ours"})
	g.settle()
	g.server.store = &failingClans{g.server.store, 2}
	late := g.connect().in(session.Entering)
	late.storedClan("", g.all[0])
	late.say(late.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the world", func() bool { return late.s().State() == session.InWorld })
	g.all = append(g.all, late)
	told := func() (members [2]int) {
		for i, words := range g.settle() {
			for _, w := range words {
				if strings.HasPrefix(w, "member ") {
					members[i]++
				}
			}
		}
		return members
	}
	for _, want := range [][2]int{{}, {}, {1, 2}, {}} {
		if got := told(); got != want {
			t.Errorf("told of %d members, want %d", got, want)
		}
		g.pass(clanRetry)
	}
}
