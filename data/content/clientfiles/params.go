package clientfiles

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
)

// The client keeps its parameter files, servers.cfg among them, in a container:
//
//	bytes 0-3  "SPHR"
//	bytes 4-7  size of the content in bytes, little-endian, each XOR byte 14
//	byte  8-   a zlib stream, bytes 9, 17 and 20 of the file XOR byte 8
//
// Source: protocol gamerules 13.1.
const (
	paramsMagic  = "SPHR"
	paramsHeader = 8
	paramsSizeBy = 14 // the byte that hides the size
	paramsBy     = 8  // the byte that hides three bytes of the stream
	paramsLeast  = 21 // so that every hidden byte exists

	// MaxParams is the largest content that is unpacked: a limit of ours, many times any known file.
	MaxParams = 64 << 20
)

var paramsHidden = [...]int{9, 17, 20}

// UnpackParams returns the content of a container.
func UnpackParams(file []byte) ([]byte, error) {
	if len(file) < paramsLeast || string(file[:4]) != paramsMagic {
		return nil, fmt.Errorf("data: expected a file that begins with %q and has at least %d bytes", paramsMagic,
			paramsLeast)
	}
	f := bytes.Clone(file)
	hide(f)
	want := binary.LittleEndian.Uint32(f[4:])
	if want > MaxParams {
		return nil, fmt.Errorf("data: the container says that its content has %d bytes, at most %d are read", want, MaxParams)
	}
	z, err := zlib.NewReader(bytes.NewReader(f[paramsHeader:]))
	if err != nil {
		return nil, fmt.Errorf("data: byte %d: the packed stream cannot be read: %w", paramsHeader, err)
	}
	content, err := io.ReadAll(io.LimitReader(z, int64(want)+1))
	if err != nil {
		return nil, fmt.Errorf("data: after %d bytes of content: the packed stream cannot be read: %w", len(content), err)
	}
	if len(content) != int(want) {
		return nil, fmt.Errorf("data: the container says that its content has %d bytes, the packed stream has %d or more",
			want, len(content))
	}
	return content, nil
}

// PackParams returns a container with the content: the exact inverse of [UnpackParams].
func PackParams(content []byte) ([]byte, error) {
	if len(content) > MaxParams {
		return nil, fmt.Errorf("data: content of %d bytes, at most %d", len(content), MaxParams)
	}
	file := bytes.NewBuffer(append([]byte(paramsMagic), 0, 0, 0, 0))
	z, err := zlib.NewWriterLevel(file, zlib.BestCompression)
	if err == nil {
		_, err = z.Write(content)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("data: cannot pack: %w", err)
	}
	f := file.Bytes()
	if len(f) < paramsLeast {
		// A stream so short cannot hide its bytes; bytes behind a zlib stream are not read.
		f = append(f, make([]byte, paramsLeast-len(f))...)
	}
	binary.LittleEndian.PutUint32(f[4:], uint32(len(content)))
	hide(f)
	return f, nil
}

// hide hides the size and three bytes of the stream, or shows them again.
func hide(file []byte) {
	for i := range 4 {
		file[4+i] ^= file[paramsSizeBy]
	}
	for _, i := range paramsHidden {
		file[i] ^= file[paramsBy]
	}
}
