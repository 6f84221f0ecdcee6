package clientfiles

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"golang.org/x/text/encoding/charmap"

	"sphereserver/data/content"
)

// A placement file is a count, two bytes, and records (13.4):
//
//	bytes 0-1  u16 number of records
//	bytes 2-3  u16 0
//	then       records of 44 bytes: 20 of the name in Windows-1251 with a NUL behind it,
//	           six f32 x, y, z, yaw, pitch, roll
const (
	placementHeader = 4
	placementName   = 20
	placementRecord = placementName + 6*4
)

// ParsePlacements reads a placement file. Records without numbers for coordinates are left out; bad has their
// indexes. When the file is shorter or longer than its count says, the records that are there are returned together
// with an error.
func ParsePlacements(file []byte) (places []content.Placement, bad []int, err error) {
	if len(file) < placementHeader {
		return nil, nil, fmt.Errorf("byte 0: expected a header of %d bytes, found %d bytes", placementHeader, len(file))
	}
	if zero := binary.LittleEndian.Uint16(file[2:]); zero != 0 {
		return nil, nil, fmt.Errorf("byte 2: expected 0, found %d: not a placement file", zero)
	}
	count, body := int(binary.LittleEndian.Uint16(file)), file[placementHeader:]
	if len(body) != count*placementRecord {
		err = fmt.Errorf("byte %d: expected %d records of %d bytes, found %d bytes", placementHeader, count, placementRecord,
			len(body))
	}
	for i := range min(count, len(body)/placementRecord) {
		r := body[i*placementRecord:][:placementRecord]
		p := content.Placement{Name: placeName(r[:placementName])}
		if !readPlace(&p, r[placementName:]) {
			bad = append(bad, i)
			continue
		}
		places = append(places, p)
	}
	return places, bad, err
}

func placeName(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte{0})
	text, _ := charmap.Windows1251.NewDecoder().String(string(b))
	return text
}

func placeNumbers(p *content.Placement) [6]*float32 {
	return [6]*float32{&p.X, &p.Y, &p.Z, &p.Yaw, &p.Pitch, &p.Roll}
}

func readPlace(p *content.Placement, b []byte) bool {
	for i, v := range placeNumbers(p) {
		*v = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		if f := float64(*v); math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
}
