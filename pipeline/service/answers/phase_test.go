package answers

import (
	"errors"
	"testing"
)

// A phase's input may be the error of the phase before it; it is handed on as it
// is.
func TestPassedOn(t *testing.T) {
	t.Parallel()
	for in, passed := range map[string]string{
		`{"errorCode": "SEARCH_QUERY_EMPTY",  "message": "m"}`:                          `{"errorCode":"SEARCH_QUERY_EMPTY","message":"m"}`,
		`[{"output": {}}, {"output": {"errorCode": "INTERNAL_ERROR", "message": "m"}}]`: `{"errorCode":"INTERNAL_ERROR","message":"m"}`,
		`{"query": "wick"}`: "",
		`wick`:              "",
		``:                  "",
	} {
		err := PassedOn([]byte(in))
		if passed == "" && err == nil {
			continue
		}
		if e, ok := errors.AsType[*PassedError](err); !ok || string(e.Raw) != passed {
			t.Errorf("%s: %v, want %q", in, err, passed)
		}
	}
}

// A cursor goes on where the page ended, and only for its own query.
func TestCursor(t *testing.T) {
	t.Parallel()
	at := writeCursor(20, "wick")
	if n, err := readCursor(at, "wick"); n != 20 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for _, bad := range []struct{ cursor, query string }{{at, "oil"}, {"x", "wick"}, {writeCursor(-1, "wick"), "wick"}} {
		if _, err := readCursor(bad.cursor, bad.query); err == nil {
			t.Errorf("%+v is a cursor", bad)
		}
	}
}
