//go:build !windows

package main

import (
	"context"
	"errors"
	"io"
)

var errNoServices = errors.New("services of this kind are a thing of Windows; for systemd there is " +
	"contrib/sphere.service")

func installService(io.Writer, string, []string) error { return errNoServices }

func removeService(context.Context) error { return errNoServices }

func startService(context.Context) error { return errNoServices }

func stopService(context.Context) error { return errNoServices }

func runService(context.Context, func(context.Context, func()) error) error { return errNoServices }
