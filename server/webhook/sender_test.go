package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/server/config"
	"sphereserver/server/ops"
)

const secret = "https://hooks.example/bot12345:TOKEN/send"

// An address answers as a test wants.
type address struct {
	mu    sync.Mutex
	began time.Time
	got   []string // "seconds: text"
	do    func(n int, r *http.Request) (*http.Response, error)
}

func (a *address) RoundTrip(r *http.Request) (*http.Response, error) {
	var body struct{ Text string }
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	a.got = append(a.got, fmt.Sprintf("%v: %s", time.Since(a.began).Round(time.Second), body.Text))
	n := len(a.got)
	a.mu.Unlock()
	if a.do == nil {
		return answer(200, nil), nil
	}
	return a.do(n, r)
}

func (a *address) told() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string{}, a.got...)
}

func answer(status int, header http.Header) *http.Response {
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("{}"))}
}

func hook(events ...string) config.Webhook {
	return config.Webhook{Name: "one", URL: secret, Events: events, Body: `{"text": "{{text}}"}`, Language: "en"}
}

// sending runs a test with a sender in a bubble of simulated time, and closes it; what is logged is returned at once.
func sending(t *testing.T, a *address, do func(t *testing.T, s *Sender)) (logged string) {
	t.Helper()
	var log strings.Builder
	synctest.Test(t, func(t *testing.T) {
		a.began = time.Now()
		s := New(slog.New(slog.NewTextHandler(&log, nil)), func() string { return "Sphere" }, a)
		s.Change([]config.Webhook{hook("chat", "full")})
		do(t, s)
		s.Close()
	})
	if strings.Contains(log.String(), "TOKEN") || strings.Contains(log.String(), "hooks.example") {
		t.Errorf("the log has the address: %s", log.String())
	}
	return log.String()
}

func tell(s *Sender, event, text string) {
	s.Tell(Message{event, ops.Text{Russian: "по-русски", English: text}, time.Now()})
}

func wantTold(t *testing.T, a *address, want ...string) {
	t.Helper()
	if got := a.told(); strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("told %q, expected %q", got, want)
	}
}

func TestMessagesArriveInOrderAndLinesOfTheChatTogether(t *testing.T) {
	a := &address{}
	sending(t, a, func(t *testing.T, s *Sender) {
		tell(s, "full", "first")
		tell(s, "ban", "nobody wants to know")
		synctest.Wait()
		for i := range 3 {
			tell(s, "chat", fmt.Sprint("line ", i))
		}
		tell(s, "full", "last")
		time.Sleep(time.Minute)
		wantTold(t, a, "0s: first", "1s: line 0\nline 1\nline 2", "2s: last")
		if n := s.Counts.Sent.Load(); n != 3 {
			t.Errorf("counted %d", n)
		}
	})
}

func TestWhatFailsIsTriedAgainWithGrowingWaitsAndGivenUp(t *testing.T) {
	var failing atomic.Bool
	failing.Store(true)
	a := &address{do: func(int, *http.Request) (*http.Response, error) {
		if failing.Load() {
			return nil, errors.New("cannot reach " + secret)
		}
		return answer(204, nil), nil
	}}
	log := sending(t, a, func(t *testing.T, s *Sender) {
		tell(s, "full", "a")
		time.Sleep(10 * time.Minute)
		wantTold(t, a, "0s: a", "2s: a", "10s: a", "42s: a", "2m50s: a")
		tell(s, "full", "b")
		time.Sleep(10 * time.Minute)
		failing.Store(false)
		tell(s, "full", "c")
		time.Sleep(time.Minute)
		if sent, failed := s.Counts.Sent.Load(), s.Counts.Failed.Load(); sent != 1 || failed != 2 {
			t.Errorf("sent %d, failed %d", sent, failed)
		}
	})
	if strings.Count(log, "does not deliver") != 1 || strings.Count(log, "delivers again") != 1 {
		t.Errorf("expected one word of the failure and one of its end, found\n%s", log)
	}
}

func TestTooManyRequestsAndRefusals(t *testing.T) {
	a := &address{do: func(n int, _ *http.Request) (*http.Response, error) {
		switch n {
		case 1:
			return answer(429, http.Header{"Retry-After": {"30"}}), nil
		case 2:
			return answer(429, http.Header{"Retry-After": {"86400"}}), nil // longer than anybody waits
		case 4:
			return answer(403, nil), nil // nothing helps
		case 5:
			return answer(302, http.Header{"Location": {"https://elsewhere.example/"}}), nil // nobody is told elsewhere
		}
		return answer(200, nil), nil
	}}
	sending(t, a, func(t *testing.T, s *Sender) {
		tell(s, "full", "a")
		time.Sleep(time.Hour)
		tell(s, "full", "b")
		time.Sleep(time.Hour)
		tell(s, "full", "c")
		time.Sleep(time.Hour)
		wantTold(t, a, "0s: a", "30s: a", "5m30s: a", "1h0m0s: b", "2h0m0s: c")
		if sent, failed := s.Counts.Sent.Load(), s.Counts.Failed.Load(); sent != 1 || failed != 2 {
			t.Errorf("sent %d, failed %d", sent, failed)
		}
	})
}

// silent never answers.
func silent(_ int, r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestASilentAddressCostsNobodyTime(t *testing.T) {
	a := &address{do: silent}
	log := sending(t, a, func(t *testing.T, s *Sender) {
		began := time.Now()
		for i := range 10 * queueLimit {
			tell(s, "full", fmt.Sprint(i))
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("to tell took %v", took)
		}
		synctest.Wait()
		if n := s.Counts.Dropped.Load(); n != 9*queueLimit && n != 9*queueLimit-1 {
			t.Errorf("dropped %d", n)
		}
		time.Sleep(time.Hour)
		if got := a.told(); !strings.HasSuffix(got[len(got)-1], fmt.Sprint(": ", 9*queueLimit+len(got)/attempts)) &&
			len(got) < 5 {
			t.Errorf("the newest do not come: %q", got)
		}
	})
	if !strings.Contains(log, "no answer within 10s") {
		t.Errorf("logged %s", log)
	}
}

func TestAStopEndsQuicklyAndTellsWhatItCan(t *testing.T) {
	for what, c := range map[string]struct {
		do   func(int, *http.Request) (*http.Response, error)
		most time.Duration
	}{
		"well":    {nil, 0},
		"silent":  {silent, lastWords},
		"failing": {func(int, *http.Request) (*http.Response, error) { return nil, errors.New("no") }, 0},
	} {
		t.Run(what, func(t *testing.T) {
			a := &address{do: c.do}
			sending(t, a, func(t *testing.T, s *Sender) {
				tell(s, "full", "a")
				synctest.Wait()
				tell(s, "full", "b")
				tell(s, "full", "c")
				began := time.Now()
				s.Close()
				if took := time.Since(began); took != c.most {
					t.Errorf("to stop took %v, expected %v", took, c.most)
				}
				if got := a.told(); what == "well" && len(got) != 3 {
					t.Errorf("told %q", got)
				}
				tell(s, "full", "after all")
				s.Change(nil)
			})
		})
	}
}

func TestAChangeKeepsWhatStays(t *testing.T) {
	a := &address{do: silent}
	sending(t, a, func(t *testing.T, s *Sender) {
		other := hook("ban")
		other.Name = "two"
		s.Change([]config.Webhook{hook("chat", "full"), other})
		tell(s, "full", "a")
		tell(s, "full", "b")
		synctest.Wait()
		s.Change([]config.Webhook{hook("chat", "full")})
		if !s.Wants("full") || s.Wants("ban") {
			t.Error("the events are not those of the new webhooks")
		}
		a.mu.Lock()
		a.do = nil
		a.mu.Unlock()
		time.Sleep(time.Minute)
		if got := a.told(); got[len(got)-1] != "13s: b" {
			t.Errorf("told %q", got)
		}
	})
}

func TestMessagesHaveNoAddressesAndNoFormOfTheirOwn(t *testing.T) {
	for text, want := range map[string]string{
		"203.0.113.7 at 12:30:45":              "… at 12:30:45",
		"from 203.0.113.7:25860.":              "from ….",
		"2001:db8::1, [::1]:80, 2001:db8::/32": "…, […]:80, …/32",
		"\x1b[31m\xffred\x00":                  "[31mred",
		"a\nb":                                 "a\nb",
		"version 1.2.3":                        "version 1.2.3",
		strings.Repeat("ы", 2000):              strings.Repeat("ы", textLimit-1) + "…",
	} {
		if got := redact(text); got != want {
			t.Errorf("%q: %q, expected %q", text, got, want)
		}
	}
	m := Message{Event: "chat", At: time.Now()}
	h := config.Webhook{Type: "form", Body: "chat_id=1&text={{text}}&random_id={{id}}"}
	filled, err := url.ParseQuery(fill(&h, "S", m, `a&chat_id=2"\`+"\n"))
	if err != nil || len(filled) != 3 || filled.Get("chat_id") != "1" || filled.Get("text") != `a&chat_id=2"\`+"\n" {
		t.Errorf("%v, %v", filled, err)
	}
	h = config.Webhook{Body: `{"content": "{{server}}: {{text}}"}`}
	var body map[string]string
	if err := json.Unmarshal([]byte(fill(&h, "S", m, "\", \"x\": \"</b>\n")), &body); err != nil ||
		len(body) != 1 || body["content"] != "S: \", \"x\": \"</b>\n" {
		t.Errorf("%v, %v", body, err)
	}
}

func TestATrialOverTheNetwork(t *testing.T) {
	got := make(chan *http.Request, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		got <- r
		if r.URL.Path != "/good" {
			w.WriteHeader(http.StatusForbidden)
		}
		fmt.Fprint(w, "answer "+strings.Repeat("x", 10<<20))
	}))
	defer s.Close()
	h := config.Webhook{URL: s.URL + "/good", Type: "form", Body: "text={{text}}"}
	text, err := Try(context.Background(), &h, "Моя Сфера", nil)
	if err != nil || !strings.HasPrefix(text, "answer x") || len(text) > answerRead {
		t.Errorf("%.100q, %v", text, err)
	}
	if r := <-got; r.PostForm.Get("text") != "Это проба: сервер «Моя Сфера» может сюда писать." || r.Method != "POST" {
		t.Errorf("%v", r.PostForm)
	}
	h.URL = s.URL + "/TOKEN"
	_, err = Try(context.Background(), &h, "S", nil)
	if err == nil || err.Error() != "the address answers 403 Forbidden" {
		t.Errorf("%v", err)
	}
	s.Close()
	if _, err := Try(context.Background(), &h, "S", nil); err == nil || strings.Contains(err.Error(), "TOKEN") {
		t.Errorf("%v", err)
	}
}
