package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/pflag"
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
