package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"sphereserver/server/ops"
)

func TestAFreshServerSaysHowToBecomeAdministrator(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	var out sink
	dir := runningServerTo(t, &out)
	l := commandLine{t, dir}
	link := ""
	for deadline := time.Now().Add(time.Minute); link == ""; time.Sleep(5 * time.Millisecond) {
		link = regexp.MustCompile(`http://127\.0\.0\.1:\d+/#/first/[A-Z0-9]{26}`).FindString(out.String())
		if time.Now().After(deadline) {
			t.Fatalf("the server has printed\n%s", out.String())
		}
	}
	if want := "sphere account add LOGIN --role administrator --data " + dir + "\n"; !strings.Contains(out.String(), want) {
		t.Errorf("the command %q is not in\n%s", want, out.String())
	}
	_, said, _ := l.do("", "doctor", "--lang", "ru")
	if !strings.Contains(said, "администратора ещё нет") || !strings.Contains(said, link) {
		t.Errorf("the doctor says\n%s", said)
	}
	page, key, _ := strings.Cut(link, ops.FirstPage)
	body, err := json.Marshal(ops.First{Key: key, Login: "chief", Password: "a long password"})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(page+"/api/first", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("the key is answered by %s", answer.Status)
	}
	if list := l.must("account", "list"); !strings.Contains(list, "chief  administrator") {
		t.Errorf("the accounts are\n%s", list)
	}
	if _, said, _ := l.do("", "doctor", "--lang", "en"); strings.Contains(said, "administrator yet") {
		t.Errorf("with an administrator, the doctor says\n%s", said)
	}
}

func TestTheDoctorMissesAnAdministrator(t *testing.T) {
	inTurn(t)
	p := healthy(t) // with two accounts, neither of which is one
	_, text, err := diagnosed(t, p)
	if err != nil || !strings.Contains(text, "no administrator yet") ||
		!strings.Contains(text, "account add LOGIN --role") {
		t.Errorf("found\n%s%v", text, err)
	}
	commandLine{t, p.dataDir}.must("account", "role", "вася", "administrator")
	p = &subject{dataDir: p.dataDir, file: p.file, config: p.config, now: p.now, machine: p.machine}
	if _, text, _ := diagnosed(t, p); strings.Contains(text, "no administrator") {
		t.Errorf("found\n%s", text)
	}
}
