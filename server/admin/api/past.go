package api

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// pastFile in the data folder has the figures of the last day, so that they outlive the server: a record for each
// minute of the day, at a place of its own, each with its checksum. It does not grow.
const pastFile = "health.ring"

// pastMinutes is how far back figures are kept: a day.
const pastMinutes = 24 * 60

// A pastRecord is a minute as the file has it. Times are ms, sizes bytes; NaN stands for no player that could be asked.
type pastRecord struct {
	At       int64 // seconds since 1970
	Online   uint32
	PingP50  float32
	PingP99  float32
	TickP99  float32
	StoreP99 float32
	BytesIn  uint64
	BytesOut uint64
	Memory   uint64
	Fights   [4]float32 // kills, deaths, experience, money
	Sum      uint32     // CRC-32 of the bytes before
}

var (
	pastRecordSize = binary.Size(pastRecord{})
	pastSumAt      = pastRecordSize - 4
)

// A past is the figures of the last day by the minute: the worst of its times, the means of its traffic.
type past struct {
	log    *slog.Logger
	file   *os.File // nil where there is none: the figures then end with the server
	points []point  // oldest first
	minute []point  // of the minute that is not over
	failed bool     // which has been said
}

// openPast reads the records of the last day in the file of a data folder. A fault costs a warning.
func openPast(dir string, now time.Time, log *slog.Logger) *past {
	p := &past{log: log}
	path := filepath.Join(dir, pastFile)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		p.fail(err)
		return p
	}
	p.file = file
	content := make([]byte, pastMinutes*pastRecordSize)
	n, _ := file.ReadAt(content, 0) // a shorter file has fewer minutes
	damaged := 0
	for record := range slices.Chunk(content[:n], pastRecordSize) {
		point, err := readPast(record)
		switch {
		case err != nil:
			damaged++
		case point.At.After(now.Add(-pastMinutes*time.Minute)) && point.At.Before(now):
			p.points = append(p.points, point)
		}
	}
	if damaged > 0 {
		log.Warn("figures of the past are damaged and left out", "file", path, "minutes", damaged)
	}
	slices.SortFunc(p.points, func(a, b point) int { return a.At.Compare(b.At) })
	return p
}

// fail says once that figures cannot be kept.
func (p *past) fail(err error) {
	if !p.failed {
		p.log.Warn("figures are not kept for the next start", "error", err)
	}
	p.failed = true
}

// errDamaged is the fault of a record with a wrong checksum.
var errDamaged = errors.New("damaged")

// readPast reads a record; one that was never written is as old as can be.
func readPast(record []byte) (p point, err error) {
	if len(bytes.Trim(record, "\x00")) == 0 {
		return p, nil
	}
	var r pastRecord
	if _, err := binary.Decode(record, binary.LittleEndian, &r); err != nil {
		return p, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if r.Sum != crc32.ChecksumIEEE(record[:pastSumAt]) {
		return p, errDamaged
	}
	ping := func(ms float32) *float64 {
		if math.IsNaN(float64(ms)) {
			return nil
		}
		return new(float64(ms))
	}
	return point{At: time.Unix(r.At, 0).UTC(), Online: int(r.Online), PingP50: ping(r.PingP50), PingP99: ping(r.PingP99),
		TickP99: float64(r.TickP99), StoreP99: float64(r.StoreP99), BytesIn: r.BytesIn, BytesOut: r.BytesOut,
		Memory: r.Memory, Kills: float64(r.Fights[0]), Deaths: float64(r.Fights[1]), Experience: float64(r.Fights[2]),
		Money: float64(r.Fights[3])}, nil
}

func writePast(p *point) []byte {
	ping := func(ms *float64) float32 {
		if ms == nil {
			return float32(math.NaN())
		}
		return float32(*ms)
	}
	record := make([]byte, pastRecordSize)
	_, err := binary.Encode(record, binary.LittleEndian, &pastRecord{At: p.At.Unix(), Online: uint32(p.Online),
		PingP50: ping(p.PingP50), PingP99: ping(p.PingP99), TickP99: float32(p.TickP99), StoreP99: float32(p.StoreP99),
		BytesIn: p.BytesIn, BytesOut: p.BytesOut, Memory: p.Memory,
		Fights: [4]float32{float32(p.Kills), float32(p.Deaths), float32(p.Experience), float32(p.Money)}})
	if err != nil {
		panic("api: " + err.Error()) // a record of fixed size has room in its own
	}
	binary.LittleEndian.PutUint32(record[pastSumAt:], crc32.ChecksumIEEE(record[:pastSumAt]))
	return record
}

// add notes a point; the first of a new minute ends the one before.
func (p *past) add(one point) {
	if len(p.minute) > 0 && !p.minute[0].At.Truncate(time.Minute).Equal(one.At.Truncate(time.Minute)) {
		p.end()
	}
	p.minute = append(p.minute, one)
}

// end keeps the minute that was collected.
func (p *past) end() {
	if len(p.minute) == 0 {
		return
	}
	whole := summary(p.minute)
	p.minute = p.minute[:0]
	p.points = keepLast(pastMinutes, p.points, whole)
	if p.file == nil {
		return
	}
	at := whole.At.Unix() / 60 % pastMinutes * int64(pastRecordSize)
	if _, err := p.file.WriteAt(writePast(&whole), at); err != nil {
		p.fail(err)
	}
}

// close keeps the collected points and closes the file.
func (p *past) close() {
	p.end()
	if p.file == nil {
		return
	}
	if err := p.file.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
		p.fail(err)
	}
}

// summary is one point for several that follow each other.
func summary(all []point) point {
	whole := all[len(all)-1]
	whole.At, whole.BytesIn, whole.BytesOut = all[0].At, 0, 0
	whole.Kills, whole.Deaths, whole.Experience, whole.Money = 0, 0, 0, 0
	n := float64(len(all))
	for i := range all {
		one := &all[i]
		whole.Online = max(whole.Online, one.Online)
		whole.TickP99, whole.StoreP99 = max(whole.TickP99, one.TickP99), max(whole.StoreP99, one.StoreP99)
		whole.BytesIn, whole.BytesOut = whole.BytesIn+one.BytesIn, whole.BytesOut+one.BytesOut
		whole.Kills, whole.Deaths = whole.Kills+one.Kills/n, whole.Deaths+one.Deaths/n
		whole.Experience, whole.Money = whole.Experience+one.Experience/n, whole.Money+one.Money/n
		if one.PingP99 != nil && (whole.PingP99 == nil || *one.PingP99 > *whole.PingP99) {
			whole.PingP50, whole.PingP99 = one.PingP50, one.PingP99
		}
	}
	whole.BytesIn, whole.BytesOut = whole.BytesIn/uint64(len(all)), whole.BytesOut/uint64(len(all))
	return whole
}
