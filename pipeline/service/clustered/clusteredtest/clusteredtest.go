// Package clusteredtest opens the homes of tests with the stores that a run of the tests names:
// the same tests hold for all of them.
//
// It refuses to start servers: package weaviatetest does that.
package clusteredtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"

	"docent/pipeline/service/clustered"
	"docent/pipeline/service/home"
	"docent/pipeline/service/ondisk"
	"docent/store/address"
	"docent/store/weaviate"
)

// IndexVariable is the variable of the environment with the address of a Weaviate. Where it is
// set, each home has its indexes there, in collections that are dropped when its test ends.
const IndexVariable = "DOCENT_TEST_INDEX"

// NeedsFiles skips a test that changes the files of indexes where they lie elsewhere.
func NeedsFiles(tb testing.TB) {
	tb.Helper()
	if os.Getenv(IndexVariable) != "" {
		tb.Skip("the indexes of this run are no files")
	}
}

// Open opens a home.
func Open(tb testing.TB, opt home.Options) (*home.Home, error) {
	tb.Helper()
	text := os.Getenv(IndexVariable)
	if text == "" {
		return ondisk.Open(tb.Context(), opt)
	}
	at, err := address.ParseWeaviate(text)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(opt.Dir))
	at.Name = "t" + hex.EncodeToString(sum[:12])
	tb.Cleanup(func() {
		if err := weaviate.Open(at).Drop(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	return clustered.Open(tb.Context(), opt, at)
}
