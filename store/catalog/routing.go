package catalog

import (
	"fmt"
	"strconv"
	"strings"

	"docent/store"
)

// domainMigration adds whether a person gave a doc set's domain, and of a document its
// domain, "" for those that were read before, and its routing.
const domainMigration = `ALTER TABLE sets ADD COLUMN domain_given INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE documents ADD COLUMN domain TEXT NOT NULL DEFAULT '';
	ALTER TABLE documents ADD COLUMN routing TEXT NOT NULL DEFAULT '';`

// encodeRouting writes a routing, a field a line, or "". An update reads that of every
// page, so it is no JSON.
func encodeRouting(r store.Routing) string {
	if r == (store.Routing{}) {
		return ""
	}
	fields := []string{r.Reason, r.SliceType, r.Route, r.Index, r.Profile, r.Extractor, strconv.Itoa(r.Tokens)}
	for i, f := range fields {
		fields[i] = strings.ReplaceAll(f, "\n", " ")
	}
	return strings.Join(fields, "\n")
}

// decodeRouting reads a routing. It stands outside of the row's checksum, since nothing
// that is answered depends on it; one that cannot be read is damage all the same.
func decodeRouting(text string) (r store.Routing, err error) {
	if text == "" {
		return r, nil
	}
	f := strings.Split(text, "\n")
	if len(f) != 7 {
		return r, fmt.Errorf("the routing: %w", errRow)
	}
	tokens, err := strconv.Atoi(f[6])
	if err != nil {
		return r, fmt.Errorf("the routing: %w", errRow)
	}
	return store.Routing{Reason: f[0], SliceType: f[1], Route: f[2], Index: f[3], Profile: f[4], Extractor: f[5], Tokens: tokens}, nil
}
