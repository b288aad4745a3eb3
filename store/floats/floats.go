// Package floats writes vectors of numbers as bytes with a checksum.
//
// It refuses to compress and to round: the numbers come back as they were.
package floats

import (
	"encoding/binary"
	"errors"
	"math"

	"docent/store/generation"
)

// Encode writes a vector: its components and their checksum, little-endian.
func Encode(v []float32) []byte {
	b := make([]byte, 0, 4*len(v)+4)
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(b, generation.Checksum(b))
}

// ErrDamaged means that bytes are no vector, or have another checksum.
var ErrDamaged = errors.New("the bytes are no vector")

// Intact reports whether bytes are a vector as Encode wrote it.
func Intact(b []byte) bool {
	n := len(b) - 4
	return n > 0 && n%4 == 0 && generation.Checksum(b[:n]) == binary.LittleEndian.Uint32(b[n:])
}

// Decode reads what Encode wrote.
func Decode(b []byte) ([]float32, error) {
	if !Intact(b) {
		return nil, ErrDamaged
	}
	v := make([]float32, len(b)/4-1)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
}
