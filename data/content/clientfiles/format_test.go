package clientfiles

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"sphereserver/data/content"
)

// Helpers of tests alone: files of the client are read, never written.

// formatRow is the inverse of parseRow.
func formatRow(columns []content.Column) string {
	cells := make([]string, content.RowColumns)
	for _, c := range columns {
		if c.Text != nil {
			cells[c.At] = *c.Text
		} else {
			cells[c.At] = strconv.Itoa(*c.Number)
		}
	}
	return strings.Join(cells, "\t")
}

// appendPlacements is the inverse of [ParsePlacements]: it appends a file with these places to b.
func appendPlacements(b []byte, places []content.Placement) ([]byte, error) {
	if len(places) > math.MaxUint16 {
		return nil, fmt.Errorf("client files: expected at most %d places, found %d", math.MaxUint16, len(places))
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(places)))
	b = append(b, 0, 0)
	for i := range places {
		name, err := charmap.Windows1251.NewEncoder().String(places[i].Name)
		if err != nil || len(name) > placementName || bytes.IndexByte([]byte(name), 0) >= 0 {
			return nil, fmt.Errorf("client files: place %d: expected a name of at most %d bytes of Windows-1251, found %q",
				i, placementName, places[i].Name)
		}
		b = append(append(b, name...), make([]byte, placementName-len(name))...)
		for _, v := range placeNumbers(&places[i]) {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(*v))
		}
	}
	return b, nil
}
