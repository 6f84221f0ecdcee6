package api

import (
	"maps"
	"runtime"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
)

type statusAnswer struct {
	Name           string            `json:"name"`
	Version        string            `json:"version"`
	Started        time.Time         `json:"started"`
	UptimeSeconds  int64             `json:"uptimeSeconds"`
	Listeners      map[string]string `json:"listeners"`
	Online         int               `json:"online"`
	AccountsOnline int               `json:"accountsOnline"`
	Connections    int               `json:"connections"`
	Tick           tickStatus        `json:"tick"`
	Ping           pingStatus        `json:"ping"`
	Store          storeStatus       `json:"store"`
	BytesIn        uint64            `json:"bytesIn"` // since the start
	BytesOut       uint64            `json:"bytesOut"`
	Memory         uint64            `json:"memory"`
	Goroutines     int               `json:"goroutines"`
	SaveFailures   uint64            `json:"saveFailures"`
	Saving         bool              `json:"saving"` // acts of players get to the disk
	LastBackup     *lastBackup       `json:"lastBackup"`
	Stops          *ops.PlannedStop  `json:"stops,omitempty"`
	ConfigFault    *text             `json:"configFault"` // the fault of the configuration files, null for none
}

// Times are milliseconds, of about the last minute.
type (
	tickStatus struct {
		P50 float64 `json:"p50"`
		P99 float64 `json:"p99"`
		Max float64 `json:"max"`
	}
	pingStatus struct {
		P50 *float64 `json:"p50"` // null when nobody could be asked
		P99 *float64 `json:"p99"`
	}
	storeStatus struct {
		P50   float64 `json:"p50"`
		P99   float64 `json:"p99"`
		Queue int     `json:"queue"` // writes that wait
	}
	lastBackup struct {
		At      *time.Time `json:"at"` // null when none is known
		File    string     `json:"file"`
		Late    bool       `json:"late"`              // older than by the settings
		Failure string     `json:"failure,omitempty"` // of the schedule's last try
	}
)

func (s *Server) status() statusAnswer {
	g, now := s.o.Game, time.Now()
	ticks, writes, pings := s.meter.recent()
	counters := g.Counters()
	a := statusAnswer{Name: s.o.Config.Settings().Name, Version: s.o.Version, Started: g.Started().UTC(),
		UptimeSeconds: int64(now.Sub(g.Started()).Seconds()),
		Listeners:     map[string]string{"admin": s.addr.String()}, Online: len(g.World().Players),
		AccountsOnline: g.AccountsOnline(), Connections: g.Sessions(),
		Tick:    tickStatus{milliseconds(ticks.Quantile(0.5)), milliseconds(ticks.Quantile(0.99)), milliseconds(ticks.Max)},
		Ping:    pingStatus{quantile(pings, 0.5), quantile(pings, 0.99)},
		Store:   storeStatus{milliseconds(writes.Quantile(0.5)), milliseconds(writes.Quantile(0.99)), s.o.Store.Waiting()},
		BytesIn: counters["bytes_in"], BytesOut: counters["bytes_out"], Memory: memory(), Goroutines: runtime.NumGoroutine(),
		SaveFailures: counters["save_failures"], LastBackup: s.lastBackup(now), Stops: g.PlannedStop(),
		Saving: s.o.Store.Failure() == nil && s.meter.saving(now)}
	if err := s.o.Config.Fault(); err != nil {
		fault := textOf(err)
		a.ConfigFault = &fault
	}
	maps.Copy(a.Listeners, s.o.Listeners)
	return a
}

// lastBackup is the newest file in the folder for backups, by any maker; nil when there is none and none has failed.
func (s *Server) lastBackup(now time.Time) *lastBackup {
	found := lastBackup{Failure: s.o.Backups.State().Failure}
	if all, err := data.Backups(s.o.Store.Dir()); err == nil && len(all) > 0 {
		found.File, found.At = all[0].File, &all[0].At
		found.Late = now.Sub(all[0].At) > s.o.Config.Settings().Backups.Patience()
	}
	if found == (lastBackup{}) {
		return nil
	}
	return &found
}

func status(s *Server, _ *request) (any, error) { return s.status(), nil }

type historyAnswer struct {
	Step   int     `json:"step"` // seconds
	Points []point `json:"points"`
}

func history(s *Server, r *request) (any, error) {
	span := time.Duration(r.asked.number["minutes"]) * time.Minute
	points := s.meter.history(time.Now().Add(-span), span > meterStep*meterPoints)
	return historyAnswer{int(meterStep.Seconds()), points}, nil
}
