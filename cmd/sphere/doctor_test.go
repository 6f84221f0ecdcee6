package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/config"
)

// healthy is a subject with nothing wrong, on a machine that is made up.
func healthy(t *testing.T) *subject {
	t.Helper()
	dir := populated(t).dir
	s, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), data.DefaultBackupPath(dir, time.Now())); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	set, err := config.Load(config.Sources{Defaults: config.Defaults()})
	if err != nil {
		t.Fatal(err)
	}
	return &subject{dataDir: dir, file: filepath.Join(dir, config.FileName), config: set, now: time.Now(),
		machine: machine{
			listen: func(string, string) error { return nil },
			addresses: func() ([]netip.Addr, error) {
				return addresses("127.0.0.1", "::1", "fe80::1", "203.0.113.5", "192.168.0.7"), nil
			},
			freeBytes:   func(string) (uint64, error) { return 100 << 30, nil },
			descriptors: func() int { return 1 << 20 },
			holder:      func(uint16) string { return "skype (77)" },
			clockFault:  func() (time.Duration, error) { return time.Second, nil },
			disk:        func(string) disk { return disk{} },
			unknownZone: func() string { return "" },
			ownersIn:    func(string) (string, []string) { return "sphere", nil },
		}}
}

func addresses(texts ...string) (out []netip.Addr) {
	for _, t := range texts {
		out = append(out, netip.MustParseAddr(t))
	}
	return out
}

// diagnosed runs the doctor and returns the bad findings, and all that it prints.
func diagnosed(t *testing.T, p *subject) (bad []finding, text string, err error) {
	t.Helper()
	var out bytes.Buffer
	env := &environment{out: &out, json: true}
	err = diagnose(t.Context(), env, p)
	var all []finding
	if e := json.Unmarshal(out.Bytes(), &all); e != nil {
		t.Fatal(e)
	}
	for _, f := range all {
		if f.State != fine && f.State != noted {
			bad = append(bad, f)
		}
	}
	out.Reset()
	env.json, p.findings = false, nil
	if e := diagnose(t.Context(), env, p); (e == nil) != (err == nil) {
		t.Errorf("as JSON %v, as text %v", err, e)
	}
	return bad, out.String(), err
}

func TestDoctorFindsNothingWhereNothingIsWrong(t *testing.T) {
	inTurn(t)
	for _, russian := range []bool{false, true} {
		p := healthy(t)
		p.russian = russian
		bad, text, err := diagnosed(t, p)
		if len(bad) > 0 || err != nil {
			t.Errorf("%v, %v\n%s", bad, err, text)
		}
		for _, want := range []string{"203.0.113.5", "192.168.0.7", `SRV00 "203.0.113.5"`, "TCP :25860", "UDP :25983"} {
			if !strings.Contains(text, want) {
				t.Errorf("expected %q in\n%s", want, text)
			}
		}
	}
}

func TestDoctorFindsFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a data folder for each of many faults")
	}
	for _, v := range []struct {
		name          string
		fault         func(t *testing.T, p *subject)
		matter, state string
		says          string
	}{
		{"a taken port", func(t *testing.T, p *subject) {
			p.machine.listen = func(network, at string) error {
				if network == "tcp" && at == ":25860" {
					return fmt.Errorf("listen: %w", errInUse)
				}
				return nil
			}
		}, "port", isWrong, "skype (77)"},
		{"a webhook with a mistake", func(t *testing.T, p *subject) {
			text := "[[webhook]]\nname = \"a\"\nurl = \"https://192.0.2.1/secret\"\nevents = [\"startd\"]\n"
			if err := os.WriteFile(filepath.Join(p.dataDir, config.WebhooksFile), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "webhooks", isWrong, "webhooks.toml:1:1: events"},
		{"data in memory", func(_ *testing.T, p *subject) { p.machine.disk = func(string) disk { return disk{memory: true} } },
			"disk", warned, "in memory"},
		{"data of another machine", func(_ *testing.T, p *subject) {
			p.machine.disk = func(string) disk { return disk{network: "NFS"} }
		}, "disk", warned, "NFS"},
		{"data that cannot be written", func(_ *testing.T, p *subject) {
			p.machine.disk = func(string) disk { return disk{readOnly: true} }
		}, "disk", isWrong, "nothing can be written"},
		{"a file that nothing reads", func(t *testing.T, p *subject) {
			if err := os.WriteFile(filepath.Join(p.dataDir, "Sphere.toml.txt"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "names", warned, "Sphere.toml.txt: nothing reads a file of this name, did you mean sphere.toml?"},
		{"missions in another encoding", func(t *testing.T, p *subject) {
			if err := os.WriteFile(filepath.Join(p.dataDir, "missions.tsv"), []byte("\xFF\xFEt\x00"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "missions", isWrong, "missions.tsv: the file is not in UTF-8; save it as UTF-8"},
		{"files of others", func(_ *testing.T, p *subject) {
			p.machine.ownersIn = func(dir string) (string, []string) { return "sphere", []string{"z", dir + "/a"} }
		}, "owners", warned, "belongs to sphere, but 2 files in it to others, first of all"},
		{"a configuration that may not be read", func(_ *testing.T, p *subject) { p.fault = forbidden(p) },
			"configuration", isWrong, "permission denied"},
		{"a time zone that there is none of", func(t *testing.T, p *subject) {
			t.Setenv("TZ", "Europe/Moskow")
			p.machine.unknownZone = unknownZone
		}, "clock", warned, "Europe/Moskow"},
		{"a port of the system", func(t *testing.T, p *subject) {
			p.machine.listen = func(string, string) error { return fmt.Errorf("listen: %w", errForbidden) }
		}, "port", isWrong, "may not listen"},
		{"an address of another machine", func(t *testing.T, p *subject) {
			p.machine.listen = func(string, string) error { return fmt.Errorf("listen: %w", errNotHere) }
		}, "port", isWrong, "no address of this machine"},
		{"a taken port of browsers", func(t *testing.T, p *subject) {
			p.machine.listen = func(network, at string) error {
				if at == ":25983" {
					return fmt.Errorf("listen: %w", errInUse)
				}
				return nil
			}
		}, "all-seeing eye", warned, ":25983"},
		{"a taken port of browsers that was chosen", func(t *testing.T, p *subject) {
			p.config.Settings.Queries.ASE.Port, p.config.Settings.Queries.Minecraft.Port = 7777, 7778
			p.machine.listen = func(network, at string) error {
				if network == "udp" && at != ":7777" {
					return fmt.Errorf("listen: %w", errInUse)
				}
				return nil
			}
		}, "minecraft query", warned, ":7778"},
		{"a taken port of the admin page", func(t *testing.T, p *subject) {
			p.machine.listen = func(network, at string) error {
				if strings.HasSuffix(at, ":8860") {
					return fmt.Errorf("listen: %w", errInUse)
				}
				return nil
			}
		}, "admin page", isWrong, ":8860"},
		{"a taken port of the players' page", func(t *testing.T, p *subject) {
			p.config.Settings.Public.Listen = ":8870"
			p.machine.listen = func(network, at string) error {
				if network == "tcp" && at == ":8870" {
					return fmt.Errorf("listen: %w", errInUse)
				}
				return nil
			}
		}, "public page", isWrong, ":8870"},
		{"this machine only", func(t *testing.T, p *subject) { p.config.Settings.Game.Listen = "127.0.0.1:25860" }, "address",
			warned, "only this machine"},
		{"a server that listens for this machine only, by a flag", func(t *testing.T, p *subject) {
			p.serverRuns = true
			if err := os.WriteFile(filepath.Join(p.dataDir, data.LockFile+".info"),
				[]byte(`{"pid":1,"address":"127.0.0.1:25860"}`), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "address", warned, "only this machine"},
		{"no address", func(t *testing.T, p *subject) {
			p.machine.addresses = func() ([]netip.Addr, error) { return addresses("2001:db8::1"), nil }
		}, "address", warned, "no IPv4 address"},
		{"addresses that cannot be had", func(t *testing.T, p *subject) {
			p.machine.addresses = func() ([]netip.Addr, error) { return nil, errors.New("no netlink") }
		}, "address", warned, "no netlink"},
		{"a wrong configuration", func(t *testing.T, p *subject) {
			p.fault = config.Problems{{File: "sphere.toml", Line: 7, Column: 1, Key: "limits.max-sped", Text: "unknown key"}}
		}, "configuration", isWrong, "sphere.toml:7:1"},
		{"a damaged database", func(t *testing.T, p *subject) {
			if err := os.Truncate(filepath.Join(p.dataDir, data.DatabaseFile), 5000); err != nil {
				t.Fatal(err)
			}
		}, "database", isWrong, "damaged"},
		{"a damaged catalogue", func(t *testing.T, p *subject) {
			if err := os.WriteFile(filepath.Join(p.dataDir, content.ContentFile), []byte("{}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "catalogue", isWrong, content.ContentFile},
		{"a folder for a database", func(t *testing.T, p *subject) {
			path := filepath.Join(p.dataDir, data.DatabaseFile)
			if err := errors.Join(os.Rename(path, path+".away"), os.Mkdir(path, 0o700)); err != nil {
				t.Fatal(err)
			}
		}, "database", isWrong, "it is a folder"},
		{"another program's database", func(t *testing.T, p *subject) {
			if err := os.WriteFile(filepath.Join(p.dataDir, data.DatabaseFile), []byte(strings.Repeat("text ", 2000)),
				0o600); err != nil {
				t.Fatal(err)
			}
		}, "database", isWrong, "cannot be used"},
		{"no backup", func(t *testing.T, p *subject) {
			if err := os.RemoveAll(filepath.Join(p.dataDir, data.BackupFolder)); err != nil {
				t.Fatal(err)
			}
		}, "backups", warned, "no backup"},
		{"an old backup", func(t *testing.T, p *subject) {
			renameBackup(t, p, "sphere-"+p.now.Add(-50*time.Hour).UTC().Format("20060102T150405Z")+".db")
		}, "backups", warned, "newest backup"},
		{"an old backup with a name of its own", func(t *testing.T, p *subject) {
			renamed := renameBackup(t, p, "mine.db")
			if err := os.Chtimes(renamed, time.Time{}, p.now.Add(-50*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}, "backups", warned, "mine.db"},
		{"a backup of the future", func(t *testing.T, p *subject) { renameBackup(t, p, "sphere-20990101T000000Z.db") },
			"backups", warned, "2099"},
		{"a clock of the past", func(t *testing.T, p *subject) { p.now = time.Date(1970, 1, 1, 0, 0, 5, 0, time.UTC) },
			"clock", isWrong, "1970"},
		{"a clock behind the database", func(t *testing.T, p *subject) {
			if err := os.Chtimes(filepath.Join(p.dataDir, data.DatabaseFile), time.Time{}, p.now.Add(2*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}, "clock", isWrong, "last written"},
		{"a clock that drifts", func(t *testing.T, p *subject) {
			p.machine.clockFault = func() (time.Duration, error) { return time.Minute, nil }
		}, "clock", warned, "1m0s"},
		{"few open files", func(t *testing.T, p *subject) { p.machine.descriptors = func() int { return 1024 } },
			"open files", warned, "1024"},
		{"a full disk", func(t *testing.T, p *subject) {
			p.machine.freeBytes = func(string) (uint64, error) { return 5 << 20, nil }
		}, "disk", isWrong, "5 MiB"},
		{"a nearly full disk", func(t *testing.T, p *subject) {
			p.machine.freeBytes = func(string) (uint64, error) { return 500 << 20, nil }
		}, "disk", warned, "500 MiB"},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := healthy(t)
			v.fault(t, p)
			bad, text, err := diagnosed(t, p)
			if len(bad) == 0 || bad[0].Matter != v.matter || bad[0].State != v.state || !strings.Contains(bad[0].Text, v.says) {
				t.Errorf("expected %s to be %s with %q, found %+v", v.matter, v.state, v.says, bad)
			}
			if (err != nil) != (v.state == isWrong) {
				t.Errorf("the doctor ends with %v", err)
			}
			if !strings.Contains(text, v.says) {
				t.Errorf("printed\n%s", text)
			}
			p.russian = true
			if _, russian, _ := diagnosed(t, p); russian == text {
				t.Error("Russian is English")
			}
		})
	}
}

// renameBackup gives the newest backup another name.
func renameBackup(t *testing.T, p *subject, name string) (path string) {
	t.Helper()
	newest, err := data.NewestBackup(p.dataDir)
	path = filepath.Join(filepath.Dir(newest), name)
	if err == nil {
		err = os.Rename(newest, path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// forbidden is the fault of a configuration that belongs to another user.
func forbidden(p *subject) error {
	return fmt.Errorf("configuration: %w", &fs.PathError{Op: "open", Path: p.file, Err: fs.ErrPermission})
}

// A file of another user needs no mending: its folder has to change hands.
func TestDoctorSaysHowTheDataFolderChangesHands(t *testing.T) {
	inTurn(t)
	p := healthy(t)
	p.fault = forbidden(p)
	bad, text, _ := diagnosed(t, p)
	if want := "chown -R USER " + p.dataDir; len(bad) == 0 || !strings.HasSuffix(bad[0].Do, want) || !strings.Contains(text, want) {
		t.Errorf("expected the advice %q, found %+v, printed\n%s", want, bad, text)
	}
}

// The certificates of the pages are read as the server reads them, and looked at for their time.
func TestDoctorReadsCertificates(t *testing.T) {
	inTurn(t)
	p := healthy(t)
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: p.now.Add(-time.Hour), NotAfter: p.now.AddDate(0, 0, 30)}
	cert, err := x509.CreateCertificate(rand.Reader, about, about, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	set := &p.config.Settings.Admin
	set.Cert, set.Key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for path, block := range map[string]*pem.Block{set.Cert: {Type: "CERTIFICATE", Bytes: cert},
		set.Key: {Type: "PRIVATE KEY", Bytes: key}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	begin := p.now
	for _, c := range []struct {
		days  int
		state string
	}{{0, fine}, {20, warned}, {31, isWrong}, {-1, isWrong}} {
		p.now, p.findings = begin.AddDate(0, 0, c.days), nil
		examineCertificates(t.Context(), p)
		if len(p.findings) != 1 || p.findings[0].State != c.state || !strings.Contains(p.findings[0].Text, "is good from") {
			t.Errorf("after %d days %v, expected %s", c.days, p.findings, c.state)
		}
	}
	set.Cert, set.Key, p.findings, p.russian = set.Key, set.Cert, nil, true
	examineCertificates(t.Context(), p)
	if len(p.findings) != 1 || p.findings[0].State != isWrong || !strings.Contains(p.findings[0].Text, "файлы перепутаны") {
		t.Errorf("exchanged: %v", p.findings)
	}
	set.Listen, p.findings = "", nil
	if examineCertificates(t.Context(), p); len(p.findings) != 0 {
		t.Errorf("of a page that is off: %v", p.findings)
	}
	set.Cert, set.Key = "", ""
	for listen, findings := range map[string]int{":8860": 1, "0.0.0.0:8860": 1, "192.0.2.1:8860": 1, "127.0.0.1:8860": 0,
		"[::1]:8860": 0, "localhost:8860": 0} {
		set.Listen, p.findings = listen, nil
		if examineCertificates(t.Context(), p); len(p.findings) != findings || findings > 0 && p.findings[0].State != warned {
			t.Errorf("without TLS on %s: %v", listen, p.findings)
		}
	}
}

// A copy of a damaged database is no backup.
func TestDoctorDoesNotBackUpADamagedDatabase(t *testing.T) {
	inTurn(t)
	p := healthy(t)
	if err := os.Truncate(filepath.Join(p.dataDir, data.DatabaseFile), 5000); err != nil {
		t.Fatal(err)
	}
	_, text, _ := diagnosed(t, p)
	if strings.Contains(text, "sphere db backup") || !strings.Contains(text, "sphere db restore "+p.dataDir) {
		t.Errorf("says\n%s", text)
	}
}

func TestDoctorChangesNothingAndMakesNothing(t *testing.T) {
	inTurn(t)
	l := populated(t)
	list := func() (names string) {
		_ = filepath.WalkDir(l.dir, func(path string, e fs.DirEntry, err error) error {
			if info, e := e.Info(); e == nil && !info.IsDir() {
				names += fmt.Sprintln(path, info.Size(), info.ModTime())
			}
			return err
		})
		return names
	}
	before := list()
	if code, out, err := l.do("", "doctor", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--lang",
		"en"); code != 0 {
		t.Errorf("exit code %d\n%s%s", code, out, err)
	}
	if after := list(); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	l.dir = filepath.Join(l.dir, "absent")
	if code, _, _ := l.do("", "doctor", "--listen", "127.0.0.1:0", "--admin-listen", ""); code != 0 || isFolder(l.dir) {
		t.Errorf("exit code %d for a folder that is not there, made: %v", code, isFolder(l.dir))
	}
}

func TestDoctorSeesARunningServer(t *testing.T) {
	dir := runningServer(t)
	l := commandLine{t, dir}
	_, out, _ := l.do("", "doctor", "--lang", "en")
	if !strings.Contains(out, "the server runs since") {
		t.Errorf("found\n%s", out)
	}
}

// runningServer serves in this process until the test ends.
func runningServer(t *testing.T, args ...string) (dir string) {
	t.Helper()
	return runningServerTo(t, io.Discard, args...)
}

// runningServerTo is runningServer that prints to a writer.
func runningServerTo(t *testing.T, out io.Writer, args ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	env := &environment{in: strings.NewReader(""), out: out, err: io.Discard}
	root := rootCommand(env)
	root.SetArgs(append([]string{"--data", dir, "serve", "--listen", "127.0.0.1:0", "--no-ase", "--no-minecraft",
		"--admin-listen", "127.0.0.1:0"}, args...))
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "control.json")); err == nil && data.HolderOf(dir).Address != "" {
			return dir
		}
		if time.Now().After(deadline) {
			t.Fatal("the server is not ready")
		}
	}
}
