package references

import (
	"sync"

	"docent/pipeline/knowledge/references/wire"

	"github.com/klauspost/compress/zstd"
)

// What a page says by itself is kept compressed: it makes most of a graph, and takes a third of
// its bytes then.

const (
	packWindow = 1 << 20
	// mostUnpacked bounds the bytes of a page's record that are unpacked: what a whole page of
	// the greatest size says takes less.
	mostUnpacked = 256 << 20
)

// packer and unpacker serve several goroutines.
var (
	packer = sync.OnceValue(func() *zstd.Encoder {
		// The options hold: they are constants.
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(packWindow),
			zstd.WithLowerEncoderMem(true))
		return e
	})
	unpacker = sync.OnceValue(func() *zstd.Decoder {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(mostUnpacked), zstd.WithDecoderLowmem(true))
		return d
	})
)

// packRecord compresses what a page says by itself.
func packRecord(page, found, details []byte) []byte {
	w := &wire.Writer{B: make([]byte, 0, len(page)+len(found)+len(details)+16)}
	w.WriteBytes(page)
	w.WriteBytes(found)
	w.WriteBytes(details)
	return packer().EncodeAll(w.B, nil)
}

// unpackRecord gives the three parts again; ok is false where they cannot have been packed.
func unpackRecord(packed []byte) (page, found, details []byte, ok bool) {
	raw, err := unpacker().DecodeAll(packed, nil)
	if err != nil {
		return nil, nil, nil, false
	}
	r := &wire.Reader{B: raw}
	page, found, details = r.ReadBytes(), r.ReadBytes(), r.ReadBytes()
	return page, found, details, !r.Bad
}
