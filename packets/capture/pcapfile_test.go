package capture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A blockWriter writes a pcapng block by block, in the byte order of its section.
type blockWriter struct {
	bytes.Buffer
	order binary.ByteOrder
}

func (w *blockWriter) block(kind uint32, body ...any) {
	var b bytes.Buffer
	for _, v := range body {
		_ = binary.Write(&b, w.order, v) // a buffer takes all
	}
	for b.Len()%4 != 0 {
		b.WriteByte(0)
	}
	length := uint32(b.Len() + 12)
	for _, v := range []any{kind, length, b.Bytes(), length} {
		_ = binary.Write(w, w.order, v)
	}
}

func (w *blockWriter) section() {
	w.block(pcapngMagic, uint32(0x1A2B3C4D), uint16(1), uint16(0), int64(-1))
}

// packetsOf are the packets of a file, a line each, and its error.
func packetsOf(file []byte) string {
	f, err := openPcap(bufio.NewReader(bytes.NewReader(file)))
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	for {
		p, err := f.next()
		if err != nil {
			return out.String() + err.Error()
		}
		fmt.Fprintf(&out, "%d %s %q\n", p.link, p.at.UTC().Format(time.RFC3339Nano), p.data)
	}
}

func TestBlocksOfPcapng(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		w := &blockWriter{order: order}
		w.section()
		w.block(blockInterface, uint16(linkEthernet), uint16(0), uint32(4))
		w.block(blockInterface, uint16(linkLinux), uint16(0), uint32(0),
			uint16(optionResolution), uint16(1), []byte{9, 0, 0, 0}, uint16(optionOffset), uint16(8), int64(100), uint32(0))
		w.block(blockInterface, uint16(linkRaw), uint16(0), uint32(0), uint16(optionResolution), uint16(1),
			[]byte{128 + 63, 0, 0, 0})
		w.block(5, []byte("statistics, which nobody asks"))
		w.block(blockEnhanced, uint32(0), uint32(0), uint32(1_500_000), uint32(3), uint32(3), []byte("one"))
		w.block(blockEnhanced, uint32(1), uint32(1), uint32(0), uint32(3), uint32(9), []byte("two"))
		w.block(blockPacket, uint16(2), uint16(7), uint32(0x8000_0000|0x4000_0000), uint32(0), uint32(5), uint32(5), []byte("three"))
		w.block(blockSimple, uint32(9), []byte("four and more")[:4])
		w.section()
		w.block(blockEnhanced, uint32(0), uint32(0), uint32(0), uint32(0), uint32(0))
		want := "1 1970-01-01T00:00:01.5Z \"one\"\n113 1970-01-01T00:01:44.294967296Z \"two\"\n" +
			"101 1970-01-01T00:00:01.5Z \"three\"\n1 0001-01-01T00:00:00Z \"four\"\na packet of interface 0, of 0"
		if got := packetsOf(w.Bytes()); got != want {
			t.Errorf("%v:\n%s\nexpected\n%s", order, got, want)
		}
	}
}

func TestPcapngsThatMakeNoSense(t *testing.T) {
	raw := []any{uint16(linkRaw), uint16(0), uint32(0)}
	for want, write := range map[string]func(*blockWriter){
		"EOF":                               func(*blockWriter) {},
		"a section without a byte order":    func(w *blockWriter) { w.block(pcapngMagic, uint32(7)) },
		"an interface of 4 bytes, expected": func(w *blockWriter) { w.block(blockInterface, uint32(1)) },
		"an option of an interface of 9 bytes, 4 are": func(w *blockWriter) {
			w.block(blockInterface, append(raw, uint16(optionOffset), uint16(9), uint32(0))...)
		},
		"times in units of the number 20, expected": func(w *blockWriter) {
			w.block(blockInterface, append(raw, uint16(optionResolution), uint16(1), []byte{20, 0, 0, 0})...)
		},
		"times in units of the number 192, expected": func(w *blockWriter) {
			w.block(blockInterface, append(raw, uint16(optionResolution), uint16(1), []byte{192, 0, 0, 0})...)
		},
		"a block with a packet of 16 bytes, expected 20": func(w *blockWriter) {
			w.block(blockEnhanced, uint32(0), uint32(0), uint32(0), uint32(0))
		},
		"a packet of 9 bytes in a block with 4": func(w *blockWriter) {
			w.block(blockInterface, raw...)
			w.block(blockEnhanced, uint32(0), uint32(0), uint32(0), uint32(9), uint32(9), uint32(0))
		},
	} {
		w := &blockWriter{order: binary.LittleEndian}
		w.section()
		write(w)
		if got := packetsOf(w.Bytes()); !strings.HasPrefix(got, want) {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

func TestPcapsOfBothOrdersAndUnits(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for magic, unit := range pcapMagics {
			var b bytes.Buffer
			for _, v := range []any{magic, uint16(2), uint16(4), uint64(0), uint32(1), uint32(0xF000_0000) | uint32(linkRaw),
				uint32(9), uint32(5), uint32(3), uint32(60), []byte("one")} {
				_ = binary.Write(&b, order, v)
			}
			want := fmt.Sprintf("101 %s \"one\"\nEOF", time.Unix(9, 5*int64(unit)).UTC().Format(time.RFC3339Nano))
			if got := packetsOf(b.Bytes()); !isPcap(b.Bytes()[:4]) || got != want {
				t.Errorf("%v, %v: %s, expected %s", order, unit, got, want)
			}
			file := b.Bytes()
			order.PutUint16(file[4:], 1)
			if got := packetsOf(file); got != "version 1, expected 2" {
				t.Error(got)
			}
		}
	}
}

func TestLinksThatAreNotRead(t *testing.T) {
	w := &blockWriter{order: binary.LittleEndian}
	w.section()
	w.block(blockInterface, uint16(105), uint16(0), uint32(0))
	for range 3 {
		w.block(blockSimple, uint32(4), []byte("beac"))
	}
	want := "error a.pcap: packet 1: link type 105, expected Ethernet (1), raw IP (101), loopback (0, 108) or all interfaces " +
		"of Linux (113, 276)\nerror a.pcap: no TCP packet of port 25860 (choose another with --port)\n"
	if got := said(t, w.Bytes(), Options{}); got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}
