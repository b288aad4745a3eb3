package parse

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// compression makes kept documents small: the places of their blocks take some times the text, and
// much of them repeats. The zero value is ready for use. What it needs is made when it is first
// used, for most commands keep nothing.
type compression struct {
	writing, reading sync.Once
	encoder          *zstd.Encoder
	decoder          *zstd.Decoder
	werr, rerr       error
}

const (
	// compressionWindow is how far back a repetition is looked for, in bytes. Each thread that
	// compresses has a buffer of twice that size.
	compressionWindow = 1 << 20
	// mostKept bounds what a kept document may grow to in memory, in bytes.
	mostKept = 1 << 31
	// atOnce is how many documents are compressed, and how many are read, at the same time. Each takes
	// memory, and both are a small part of what a page costs.
	atOnce = 1
)

// compress gives a document its small form.
func (c *compression) compress(raw []byte) ([]byte, error) {
	c.writing.Do(func() {
		c.encoder, c.werr = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(atOnce),
			zstd.WithWindowSize(compressionWindow), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false))
	})
	if c.werr != nil {
		return nil, c.werr
	}
	return c.encoder.EncodeAll(raw, nil), nil
}

// expand undoes compress.
func (c *compression) expand(small []byte) ([]byte, error) {
	c.reading.Do(func() {
		c.decoder, c.rerr = zstd.NewReader(nil, zstd.WithDecoderConcurrency(atOnce), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(mostKept))
	})
	if c.rerr != nil {
		return nil, c.rerr
	}
	return c.decoder.DecodeAll(small, nil)
}
