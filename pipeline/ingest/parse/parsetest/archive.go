package parsetest

import (
	"archive/zip"
	"bytes"
	"maps"
	"slices"
	"testing"
)

// Archive packs parts by their names, as Word and EPUB do.
func Archive(tb testing.TB, parts map[string]string) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(parts[name]))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}
