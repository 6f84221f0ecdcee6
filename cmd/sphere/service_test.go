package main

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/pflag"

	"sphereserver/data"
	"sphereserver/server/config"
)

func TestServiceIsStartedWithWholePathsAndTheFlagsGiven(t *testing.T) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, name := range []string{"data", "config", "log-file", "admin-key", "name", "listen"} {
		f.String(name, "", "")
	}
	f.Bool("take-over", false, "")
	if err := f.Parse([]string{"--data", "x", "--config", "Папка/sphere.toml", "--take-over", "--admin-key",
		"/key.pem", "--name", "Сфера \"один\""}); err != nil {
		t.Fatal(err)
	}
	args, err := serviceArguments(f, "/Данные")
	path := absolute(t, "Папка/sphere.toml")
	want := []string{"service", "run", "--data=/Данные", "--admin-key=" + absolute(t, "/key.pem"),
		"--config=" + path, "--name=Сфера \"один\"", "--take-over=true"}
	if err != nil || !slices.Equal(args, want) {
		t.Errorf("expected %q, found %q, %v", want, args, err)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestServedServerStopsWhenTheSystemWishes(t *testing.T) {
	why := errors.New("a wish")
	s := startServed(t.Context(), func(ctx context.Context, ready func()) error {
		ready()
		ready()
		<-ctx.Done()
		return context.Cause(ctx)
	})
	<-s.ready
	s.cancel(why)
	<-s.done
	if !errors.Is(s.err, why) {
		t.Errorf("ended with %v", s.err)
	}
	failed := errors.New("no port")
	s = startServed(t.Context(), func(context.Context, func()) error { return failed })
	<-s.done
	if s.err != failed {
		t.Errorf("ended with %v", s.err)
	}
}

// A service has no standard error that anybody sees: its log says why it does not start, before and after that is open.
func TestTheLogOfAServiceSaysWhyItDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	read := func() string {
		text, err := os.ReadFile(filepath.Join(dir, serviceLogFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	noteServiceFailure(dir, nil)
	noteServiceFailure(dir, errRestart)
	if _, err := os.Stat(filepath.Join(dir, serviceLogFile)); err == nil {
		t.Errorf("without a failure: %s", read())
	}
	noteServiceFailure(dir, errors.New("sphere.toml:1:1: limits.colour: unknown key"))
	noteServiceFailure(dir, errors.New("another one"))
	if text := read(); strings.Count(text, "the service has failed") != 2 || !strings.Contains(text, "limits.colour") ||
		!strings.Contains(text, strconv.Itoa(time.Now().Year())) {
		t.Errorf("logged %s", text)
	}
	noteServiceFailure(filepath.Join(dir, "absent"), errors.New("no folder")) // and nothing happens

	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	var standard sink
	for _, file := range []string{"", filepath.Join(dir, serviceLogFile)} {
		p, err := openHere(t, dir, &standard, func(s *config.Settings) {
			s.Log.File, s.Game.Listen = file, taken.Addr().String()
		})
		if err == nil {
			p.stop()
			t.Fatal("the server has started")
		}
	}
	if text := read(); !strings.Contains(text, "the server cannot start") ||
		!strings.Contains(text, taken.Addr().String()) || strings.Contains(standard.String(), "cannot start") {
		t.Errorf("logged %s\non the standard error %s", text, standard.String())
	}
}

func TestAStartedServiceIsWaitedFor(t *testing.T) {
	for _, v := range []struct {
		comes serviceState
		after time.Duration
		is    serviceState
		says  string
	}{
		{serviceRuns, 30 * time.Second, serviceRuns, "the service sphere runs"},
		{serviceStopped, time.Second, serviceStopped, "has stopped again: sphere.log"},
		{serviceRuns, time.Hour, serviceStarts, "is still starting"},
	} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			is, err := awaitStart(t.Context(), func() (serviceState, error) {
				if time.Since(begin) < v.after {
					return serviceStarts, nil
				}
				return v.comes, nil
			})
			if err != nil || is != v.is || time.Since(begin) > serviceStart+time.Second {
				t.Errorf("%+v: %v, %v after %v", v, is, err, time.Since(begin))
			}
			var out strings.Builder
			err = tellStart(printer{Writer: &out}, "sphere", is)
			if err != nil {
				out.WriteString(err.Error())
			}
			if !strings.Contains(out.String(), v.says) || (err != nil) != (is == serviceStopped) {
				t.Errorf("%+v: says %q, %v", v, out.String(), err)
			}
		})
	}
	_, err := awaitStart(t.Context(), func() (serviceState, error) { return serviceStarts, errStopped })
	if !errors.Is(err, errStopped) {
		t.Errorf("found %v", err)
	}
}

var errStopped = errors.New("no answer")

// Other users of the machine read nothing in the folder of a service.
func TestTheFolderOfAServiceIsItsOwn(t *testing.T) {
	got := folderRights("D", false)
	want := [][]string{{"D", "/inheritance:r", "/grant:r", "*S-1-5-18:(OI)(CI)F", "*S-1-5-32-544:(OI)(CI)F",
		"*S-1-5-19:(OI)(CI)M", "/Q"}, {filepath.Join("D", "*"), "/reset", "/T", "/C", "/L", "/Q"}}
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) || len(folderRights("D", true)) != 1 {
		t.Errorf("expected %q, found %q", want, got)
	}
	for _, c := range []struct {
		has  []string // files in the folder
		want bool
	}{{nil, true}, {[]string{data.DatabaseFile, "x"}, true}, {[]string{"sphere.toml"}, true}, {[]string{"x"}, false},
		{[]string{data.DatabaseFile, "Sphere.EXE"}, false}} {
		dir := t.TempDir()
		for _, name := range c.has {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := forServiceAlone(dir); got != c.want {
			t.Errorf("a folder with %q: expected %v, found %v", c.has, c.want, got)
		}
	}
	l := commandLine{t, string(filepath.Separator)}
	l.fails(1, "expected a folder for the service alone", "service", "install")
}

func TestProgramInAProfileIsKnown(t *testing.T) {
	home := filepath.FromSlash("/Users/Вася")
	for path, want := range map[string]bool{"/Users/Вася/Downloads/sphere.exe": true,
		"/users/вася/sphere.exe": true, "/Users/Василий/sphere.exe": false,
		"/Program Files/Sphere/sphere.exe": false} {
		if got := inProfile(filepath.FromSlash(path), home); got != want {
			t.Errorf("%s: expected %v, found %v", path, want, got)
		}
	}
	if inProfile("/x", "") {
		t.Error("without a profile nothing is in it")
	}
}
