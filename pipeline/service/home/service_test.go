package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"docent/llm"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/ingest"
	"docent/store"
	"docent/store/lock"
)

// Every door maps the same error to the same class, however deep it lies.
func TestClassify(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err   error
		class Class
		code  string
	}{
		{contract.Invalid("name", "no"), Usage, contract.CodeInvalidRequest},
		{contract.EmptyQuery(), Usage, contract.CodeQueryEmpty},
		{contract.Unavailable(nil, "gone"), Unavailable, contract.CodeCollectionUnavailable},
		{&contract.Error{Code: CodeModelsUnavailable, Message: "no model"}, Unavailable, CodeModelsUnavailable},
		{&UnavailableError{What: "the home", Err: fs.ErrPermission}, Unavailable, contract.CodeCollectionUnavailable},
		{&lock.LockedError{Path: "/x/lock"}, Unavailable, contract.CodeCollectionUnavailable},
		{ingest.ErrRootMissing, Unavailable, contract.CodeCollectionUnavailable},
		{store.ErrNotFound, Usage, contract.CodeInvalidRequest},
		{corpus.ErrPageGone, Usage, contract.CodeInvalidRequest},
		{&llm.Error{Kind: llm.Incapable}, Usage, contract.CodeInvalidRequest},
		{&llm.Error{Kind: llm.Unreachable}, Unavailable, CodeModelsUnavailable},
		{&TakenError{Root: "/docs"}, Usage, contract.CodeInvalidRequest},
		{&SetAloneError{}, Usage, contract.CodeInvalidRequest},
		{&PassedError{Err: contract.EmptyQuery()}, Usage, contract.CodeQueryEmpty},
		{context.DeadlineExceeded, Internal, contract.CodeInternal},
		{&fs.PathError{Op: "open", Path: "/x", Err: syscall.EMFILE}, Unavailable, contract.CodeCollectionUnavailable},
		{&fs.PathError{Op: "sync", Path: "/x", Err: syscall.EIO}, Unavailable, contract.CodeCollectionUnavailable},
		{&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission}, Unavailable, contract.CodeCollectionUnavailable},
		{errors.New("database disk image is malformed (11)"), Unavailable, contract.CodeCollectionUnavailable},
		{errors.New("error committing bolt tx in root.bolt: file sync error: sync /x: input/output error"), Unavailable, contract.CodeCollectionUnavailable},
		{&contract.Error{Code: contract.CodeInternal, Message: "phase 1", Err: syscall.ENOSPC}, Unavailable, contract.CodeCollectionUnavailable},
	} {
		for _, err := range []error{tt.err, fmt.Errorf("on the way: %w", tt.err), errors.Join(tt.err, errors.New("and more"))} {
			if class, e := Classify(err); class != tt.class || e.Code != tt.code || e.Message == "" {
				t.Errorf("%v: class %d, code %s, %q; want class %d, code %s", err, class, e.Code, e.Message, tt.class, tt.code)
			}
		}
	}
}

// No error of the service is worded for the command line: each door words the
// remedy.
func TestErrorsOfReading(t *testing.T) {
	t.Parallel()
	c := corpustest.New(t)
	c.Add("Lantern@1", map[string]string{
		"wick.md":       "# Wick\n\n## Care\n\nTrim it.\n\n## Care\n\nDry it.\n",
		"oil/change.md": "# Change the oil\n\nPour.\n",
	})
	c.Add("Beacon@1", map[string]string{"wick.md": "# Wick\n\nAnother.\n"})
	h := &Home{Corpus: c.Corpus}
	for _, tt := range []struct {
		req    ReadRequest
		says   string
		remedy contract.Remedy
	}{
		{ReadRequest{Page: "Lantern/wick", Section: "Cares"}, `has no section "Cares"; did you mean Care`, contract.Remedy{Kind: contract.RemedyChange, Key: "section"}},
		{ReadRequest{Page: "Lantern/wick", Section: "xyzzy"}, `has no section "xyzzy"`, contract.Remedy{Kind: contract.RemedyRun, Command: []string{"read", "Lantern@1/wick.md", "--toc"}}},
		{ReadRequest{Page: "Lantern/wick", Section: "Care"}, "has 2 sections", contract.Remedy{Kind: contract.RemedyChange, Key: "section", Choices: []string{"care", "care-1"}}},
		{ReadRequest{Page: "wick"}, "is the name of 2 pages", contract.Remedy{Kind: contract.RemedyChange, Key: "page", Choices: []string{"Beacon@1/wick.md", "Lantern@1/wick.md"}}},
		{ReadRequest{Page: "Lantern/chang the oil"}, "did you mean Lantern/Change the oil?", contract.Remedy{Kind: contract.RemedyChange, Key: "page"}},
		{ReadRequest{Page: "Lantern/xyzzyplugh"}, `there is no page "Lantern/xyzzyplugh"`, contract.Remedy{Kind: contract.RemedyRun, Command: []string{"search", "xyzzyplugh"}}},
		{ReadRequest{Page: "Lantern"}, "is a doc set and no page; give Lantern@1/PAGE", contract.Remedy{Kind: contract.RemedyRun, Command: []string{"read", "Lantern@1", "--toc"}}},
	} {
		_, err := h.Read(t.Context(), tt.req)
		r := contract.RemedyOf(err)
		if err == nil || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "docent ") || strings.Contains(err.Error(), "--") {
			t.Errorf("%+v: %v, want %q", tt.req, err, tt.says)
		}
		if r == nil || r.Kind != tt.remedy.Kind || r.Key != tt.remedy.Key || !slices.Equal(r.Command, tt.remedy.Command) || tt.remedy.Choices != nil && !slices.Equal(r.Choices, tt.remedy.Choices) {
			t.Errorf("%+v: the remedy is %+v, want %+v", tt.req, r, tt.remedy)
		}
	}
	p, err := h.Read(t.Context(), ReadRequest{Page: "Lantern/oil/change", Section: "#change-the-oil"})
	if err != nil || p.Content != "# Change the oil\n\nPour.\n" || p.Lines != [2]int{1, 3} || p.FilePath != "oil/change.md" {
		t.Errorf("%+v, %v", p, err)
	}
}

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
