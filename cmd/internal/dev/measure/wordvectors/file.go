package wordvectors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
)

// Source is a repository that was learned from.
type Source struct {
	Repository string `json:"repository"`
	Commit     string `json:"commit"`
	Licence    string `json:"licence"`
	Sections   int    `json:"sections"`
}

// head is the first line of a file, as JSON.
type head struct {
	Format  string   `json:"format"`
	Dims    int      `json:"dims"`
	Terms   int      `json:"terms"`
	Sum     uint32   `json:"crc32c"` // of all that follows the line
	Sources []Source `json:"sources"`
}

const format = "docent word vectors 1"

// ErrForeign means that bytes are no word vectors of this version, or damaged ones.
var ErrForeign = errors.New("they are no word vectors that this version reads; learn them again")

// Encode writes vectors with their provenance: a line of JSON, the terms a line each, and
// of each term the scale of its row (float32, little-endian) and the row, a signed byte a
// dimension.
func Encode(v Vectors, sources []Source) ([]byte, error) {
	var body bytes.Buffer
	for _, t := range v.Terms {
		body.WriteString(t + "\n")
	}
	for _, row := range v.Rows {
		most := float32(0)
		for _, x := range row {
			most = max(most, x, -x)
		}
		scale := most / 127
		body.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(scale)))
		for _, x := range row {
			n := 0.0
			if scale > 0 {
				n = math.Round(float64(x / scale))
			}
			body.WriteByte(byte(int8(n)))
		}
	}
	line, err := json.Marshal(head{format, v.Dims, len(v.Terms), checksum(body.Bytes()), sources})
	if err != nil {
		return nil, err
	}
	return append(append(line, '\n'), body.Bytes()...), nil
}

// decode reads what Encode wrote. The error wraps ErrForeign.
func decode(raw []byte) (v Vectors, sources []Source, err error) {
	line, body, _ := bytes.Cut(raw, []byte("\n"))
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return v, nil, fmt.Errorf("the first line: %w: %w", err, ErrForeign)
	}
	if h.Format != format || h.Dims < 1 || h.Terms < 0 || checksum(body) != h.Sum {
		return v, nil, ErrForeign
	}
	v.Dims = h.Dims
	for range h.Terms {
		term, rest, found := bytes.Cut(body, []byte("\n"))
		if !found {
			return v, nil, ErrForeign
		}
		v.Terms, body = append(v.Terms, string(term)), rest
	}
	if len(body) != h.Terms*(4+h.Dims) {
		return v, nil, ErrForeign
	}
	for at := 0; at < len(body); at += 4 + h.Dims {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(body[at:]))
		row := make([]float32, h.Dims)
		for k := range row {
			row[k] = scale * float32(int8(body[at+4+k]))
		}
		v.Rows = append(v.Rows, row)
	}
	return v, h.Sources, nil
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// ParseSources reads a list of sources: a line of names of columns, and a line of
// repository, commit and licence each, separated by tabs.
func ParseSources(text string) ([]Source, error) {
	var out []Source
	for n, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d has %d fields, it must have repository, commit and licence", n+1, len(fields))
		}
		if n > 0 {
			out = append(out, Source{Repository: fields[0], Commit: fields[1], Licence: fields[2]})
		}
	}
	return out, nil
}
