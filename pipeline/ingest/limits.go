package ingest

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"strings"

	"docent/store"
)

// isText says whether a file is text in any encoding: of any other one in 13 bytes is a
// control character that no text has.
func isText(src []byte) bool {
	if bytes.HasPrefix(src, []byte{0xff, 0xfe}) || bytes.HasPrefix(src, []byte{0xfe, 0xff}) { // UTF-16
		return true
	}
	controls := 0
	for _, c := range src {
		if c < 0x20 && c != '\x1b' && (c < '\b' || c > '\r') {
			controls++
		}
	}
	return controls < 64 || controls < len(src)/50
}

// mostWords is the most different words of a page that are indexed. The largest pages
// of known documentation have 60 000. Each takes some 15 µs and 300 bytes.
const mostWords = 1_000_000

// withinWords drops the passages after mostWords different words of a page, and says
// so. Pages that are too short to have as many are not counted.
func withinWords(passages []store.Passage, bytes, most int) (kept []store.Passage, warning string) {
	if bytes < 2*most {
		return passages, ""
	}
	seen := make(map[uint64]struct{}, most)
	for i, p := range passages {
		for _, f := range [...]store.Field{store.Body, store.Code, store.Heading} {
			for w := range strings.FieldsSeq(p.Fields[f]) {
				h := fnv.New64a()
				h.Write([]byte(w))
				seen[h.Sum64()] = struct{}{}
			}
		}
		if len(seen) > most {
			return passages[:i+1], fmt.Sprintf("it has more than %d different words: search finds what stands in its first %d%%", most, 100*(i+1)/len(passages))
		}
	}
	return passages, ""
}
