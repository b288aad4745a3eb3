// Package lexical is the embedded index of words of one doc set, over bleve's
// scorch segments. It implements store.Index.
//
// An index is derived: it can be built again from the catalog and the source files at any
// time, and opening a damaged one gives store.ErrDamaged. It is written as generations:
// an Update writes a new folder next to the old one and then replaces a small manifest.
// Readers, in this process or another, are never blocked, and a crash at any moment
// leaves the last whole generation. The caller ensures that there is one writer.
//
// Scores are computed by package bm25f from the frequencies and field lengths in
// scorch's postings. The search for candidates adds up the same values in the
// same order over all postings of the terms, so its bounds are the scores
// themselves.
//
// It refuses to keep texts, paths or titles: a passage is a document number of
// the catalog and a chunk number.
package lexical

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"docent/store"
)

func externalID(doc int64, chunk, part int) string {
	return strconv.FormatInt(doc, 10) + "." + strconv.Itoa(chunk) + "." + strconv.Itoa(part)
}

func parseExternalID(id string) (store.Key, error) {
	fields := strings.Split(id, ".")
	if len(fields) == 3 {
		var k store.Key
		var errs [3]error
		k.Doc, errs[0] = strconv.ParseInt(fields[0], 10, 64)
		k.Chunk, errs[1] = strconv.Atoi(fields[1])
		k.Part, errs[2] = strconv.Atoi(fields[2])
		if errors.Join(errs[:]...) == nil {
			return k, nil
		}
	}
	return store.Key{}, fmt.Errorf("passage id %q: %w", id, store.ErrDamaged)
}
