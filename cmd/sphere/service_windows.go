package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/svc"
	"golang.org/x/sys/windows/svc/eventlog"
	"golang.org/x/sys/windows/svc/mgr"
)

const (
	serviceName = "sphere" // how Windows knows it
	// localService is an account of the system with few rights.
	localService = `NT AUTHORITY\LocalService`
	// serviceStop is how long the service may take to stop, as the system is told.
	serviceStop = stopPatience + 10*time.Second
)

// manage opens the service, if there is one, and does something with it.
func manage(do func(*mgr.Mgr, *mgr.Service) error) error {
	m, err := mgr.Connect()
	if err != nil {
		return failf("reach the services of this machine: %v; run this as an administrator", err)
	}
	defer m.Disconnect()
	s, err := m.OpenService(serviceName)
	switch {
	case errors.Is(err, windows.ERROR_SERVICE_DOES_NOT_EXIST):
		s = nil
	case err != nil:
		return failf("service %s: %v", serviceName, err)
	default:
		defer s.Close()
	}
	return do(m, s)
}

func installService(out printer, dir string, args []string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	if profile, err := os.UserHomeDir(); err == nil && inProfile(exe, profile) {
		return failf(`%s lies in the folder of a user, where a service cannot read it: `+
			`move it, to "C:\Program Files\Sphere" for example`, exe)
	}
	return manage(func(m *mgr.Mgr, s *mgr.Service) error {
		if s != nil {
			return failf(`service %q is there already; "sphere service remove" removes it`, serviceName)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		inside, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		// The service may change everything in the folder, also files that are there already. Other users of the machine
		// may not read it: it has hashes of passwords, and a token for commands.
		for _, rights := range folderRights(dir, len(inside) == 0) {
			if text, err := exec.Command("icacls", rights...).CombinedOutput(); err != nil {
				return failf("give the service the right to %s: %v: %s", dir, err, text)
			}
		}
		s, err = m.CreateService(serviceName, exe, mgr.Config{StartType: mgr.StartAutomatic, ServiceStartName: localService,
			DisplayName: "Sphere server", Description: "A server for the game «Сфера»."}, args...)
		if err != nil {
			return failf("install service %s: %v", serviceName, err)
		}
		defer s.Close()
		again := mgr.RecoveryAction{Type: mgr.ServiceRestart, Delay: 10 * time.Second}
		if err := s.SetRecoveryActions([]mgr.RecoveryAction{again, again, again},
			uint32((24 * time.Hour).Seconds())); err != nil {
			return errors.Join(failf("service %s: %v", serviceName, err), s.Delete())
		}
		// A server that says that it has failed, or that it is to be started again, has not crashed.
		if err := s.SetRecoveryActionsOnNonCrashFailures(true); err != nil {
			return errors.Join(failf("service %s: %v", serviceName, err), s.Delete())
		}
		out.line("installed the service %s, with the data folder %s; \"sphere service start\" starts it", serviceName, dir)
		return nil
	})
}

// onService does something with the service, which has to be there.
func onService(do func(*mgr.Service) error) error {
	return manage(func(_ *mgr.Mgr, s *mgr.Service) error {
		if s == nil {
			return failf(`there is no service %q; "sphere service install" installs it`, serviceName)
		}
		return do(s)
	})
}

func removeService(ctx context.Context) error {
	return onService(func(s *mgr.Service) error {
		if err := stopAndWait(ctx, s); err != nil {
			return err
		}
		return s.Delete()
	})
}

func startService(ctx context.Context, out printer) error {
	return onService(func(s *mgr.Service) error {
		if err := s.Start(); err != nil && !errors.Is(err, windows.ERROR_SERVICE_ALREADY_RUNNING) {
			return failf("start service %s: %v", serviceName, err)
		}
		is, err := awaitStart(ctx, func() (serviceState, error) {
			switch status, err := s.Query(); {
			case err != nil:
				return serviceStarts, failf("service %s: %v", serviceName, err)
			case status.State == svc.Running:
				return serviceRuns, nil
			case status.State == svc.Stopped:
				return serviceStopped, nil
			}
			return serviceStarts, nil
		})
		if err != nil {
			return err
		}
		return tellStart(out, serviceName, is)
	})
}

func stopService(ctx context.Context) error {
	return onService(func(s *mgr.Service) error { return stopAndWait(ctx, s) })
}

// stopAndWait returns when the service has stopped.
func stopAndWait(ctx context.Context, s *mgr.Service) error {
	if _, err := s.Control(svc.Stop); err != nil && !errors.Is(err, windows.ERROR_SERVICE_NOT_ACTIVE) {
		return failf("stop service %s: %v", serviceName, err)
	}
	for deadline := time.Now().Add(2 * serviceStop); ; {
		status, err := s.Query()
		if err != nil {
			return failf("service %s: %v", serviceName, err)
		}
		if status.State == svc.Stopped {
			return nil
		}
		if time.Now().After(deadline) {
			return failf("service %s has not stopped after %s", serviceName, 2*serviceStop)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// runService serves until the system stops the service.
func runService(ctx context.Context, serve func(context.Context, func()) error) error {
	stopWithin = stopPatience
	h := &serviceHandler{ctx: ctx, serve: serve}
	if err := svc.Run(serviceName, h); err != nil {
		return failf("be a service: %v; only the system can start this", err)
	}
	return h.err
}

// reportEvent writes into the event log of Windows why the service has ended, as far as that is possible.
func reportEvent(err error) {
	if errors.Is(err, errRestart) {
		return
	}
	log, open := eventlog.Open(serviceName)
	if open != nil {
		return
	}
	defer log.Close()
	_ = log.Error(1, plain(err).Error())
}

// A serviceHandler leads the server as the system wishes.
type serviceHandler struct {
	ctx   context.Context
	serve func(context.Context, func()) error
	err   error
}

var errStoppedBySystem = errors.New("the system stops the service")

// Execute implements [svc.Handler].
func (h *serviceHandler) Execute(_ []string, wishes <-chan svc.ChangeRequest, status chan<- svc.Status) (bool, uint32) {
	status <- svc.Status{State: svc.StartPending, WaitHint: 60_000}
	s := startServed(h.ctx, h.serve)
	defer s.cancel(nil)
	const accepted = svc.AcceptStop | svc.AcceptShutdown
	ready := s.ready
	now := svc.Status{State: svc.StartPending, WaitHint: 60_000}
	going := time.NewTicker(20 * time.Second) // a large database takes its time: the system is told that it goes on
	defer going.Stop()
	for {
		select {
		case <-going.C:
			if now.State != svc.Running {
				now.CheckPoint++
				status <- now
			}
		case <-ready:
			ready = nil
			now = svc.Status{State: svc.Running, Accepts: accepted}
			status <- now
		case <-s.done:
			if h.err = s.err; h.err != nil {
				reportEvent(h.err)
				return true, 1
			}
			return false, 0
		case wish := <-wishes:
			switch wish.Cmd {
			case svc.Interrogate:
				status <- now
			case svc.Stop, svc.Shutdown:
				now = svc.Status{State: svc.StopPending, WaitHint: uint32(serviceStop.Milliseconds())}
				status <- now
				s.cancel(errStoppedBySystem)
			}
		}
	}
}
