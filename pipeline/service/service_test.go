package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"docent/llm"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/ingest"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/locate"
	"docent/store"
	"docent/store/lock"
)

// Every door maps the same error to the same class, however deep it lies.
func TestClassify(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err   error
		class home.Class
		code  string
	}{
		{contract.Invalid("name", "no"), home.Usage, contract.CodeInvalidRequest},
		{contract.EmptyQuery(), home.Usage, contract.CodeQueryEmpty},
		{contract.Unavailable(nil, "gone"), home.Unavailable, contract.CodeCollectionUnavailable},
		{&contract.Error{Code: home.CodeModelsUnavailable, Message: "no model"}, home.Unavailable, home.CodeModelsUnavailable},
		{&home.UnavailableError{What: "the home", Err: fs.ErrPermission}, home.Unavailable, contract.CodeCollectionUnavailable},
		{&lock.LockedError{Path: "/x/lock"}, home.Unavailable, contract.CodeCollectionUnavailable},
		{ingest.ErrRootMissing, home.Unavailable, contract.CodeCollectionUnavailable},
		{store.ErrNotFound, home.Usage, contract.CodeInvalidRequest},
		{corpus.ErrPageGone, home.Usage, contract.CodeInvalidRequest},
		{&llm.Error{Kind: llm.Incapable}, home.Usage, contract.CodeInvalidRequest},
		{&llm.Error{Kind: llm.Unreachable}, home.Unavailable, home.CodeModelsUnavailable},
		{&library.TakenError{Root: "/docs"}, home.Usage, contract.CodeInvalidRequest},
		{&locate.SetAloneError{}, home.Usage, contract.CodeInvalidRequest},
		{&answers.PassedError{Err: contract.EmptyQuery()}, home.Usage, contract.CodeQueryEmpty},
		{context.DeadlineExceeded, home.Internal, contract.CodeInternal},
		{&fs.PathError{Op: "open", Path: "/x", Err: syscall.EMFILE}, home.Unavailable, contract.CodeCollectionUnavailable},
		{&fs.PathError{Op: "sync", Path: "/x", Err: syscall.EIO}, home.Unavailable, contract.CodeCollectionUnavailable},
		{&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission}, home.Unavailable, contract.CodeCollectionUnavailable},
		{&store.FaultError{Kind: store.ErrMalformed, Err: errors.New("database disk image is malformed (11)")}, home.Unavailable, contract.CodeCollectionUnavailable},
		{&store.FaultError{Kind: store.ErrDiskFails, Err: errors.New("error committing bolt tx in root.bolt: file sync error: sync /x: input/output error")}, home.Unavailable, contract.CodeCollectionUnavailable},
		{&store.FaultError{Kind: store.ErrUnopened, Err: errors.New("unable to open database file (14)")}, home.Unavailable, contract.CodeCollectionUnavailable},
		{errors.New("a page on: database disk image is malformed (11), no space left on device"), home.Internal, contract.CodeInternal}, // words decide nothing
		{&contract.Error{Code: contract.CodeInternal, Message: "phase 1", Err: syscall.ENOSPC}, home.Unavailable, contract.CodeCollectionUnavailable},
	} {
		for _, err := range []error{tt.err, fmt.Errorf("on the way: %w", tt.err), errors.Join(tt.err, errors.New("and more"))} {
			if class, e := home.Classify(err); class != tt.class || e.Code != tt.code || e.Message == "" {
				t.Errorf("%v: class %d, code %s, %q; want class %d, code %s", err, class, e.Code, e.Message, tt.class, tt.code)
			}
		}
	}
}
