// Package clustered opens homes whose indexes lie on a server or a cluster of them. The
// catalog, the documents and what else a home has stay in its folder.
//
// It refuses to know how either keeps anything: that is docent/store/weaviate's and
// docent/store/embedded's.
package clustered

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/ondisk"
	"docent/store"
	"docent/store/address"
	"docent/store/durable"
	"docent/store/embedded"
	"docent/store/weaviate"
)

// Open opens a home whose indexes and vectors are at an address.
func Open(ctx context.Context, opt home.Options, at address.Weaviate) (*home.Home, error) {
	s := embedded.Stores{Dir: opt.Dir}
	remote := weaviate.Open(at)
	if err := claim(ctx, remote, at, opt.Dir); err != nil {
		return nil, errors.Join(err, remote.Close())
	}
	opt.Indexes = Indexes{Indexes: remote, keeper: s.Indexes()}
	opt.Stores, opt.Blobs = ondisk.Stores{Stores: s}, s.Blobs()
	opt.Parsers.Keep(opt.Blobs)
	return home.Open(ctx, opt)
}

// identityName is the file of a home by which it finds its collections again.
const identityName = "index.id"

// claim marks the collections with the identity of this home.
func claim(ctx context.Context, remote weaviate.Indexes, at address.Weaviate, dir string) error {
	path := filepath.Join(dir, identityName)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		raw = []byte(rand.Text())
		if err = os.MkdirAll(filepath.Dir(path), home.FolderMode); err == nil {
			err = durable.WriteFile(path, raw)
		}
	}
	if err != nil {
		return &home.UnavailableError{What: "the home " + dir + " cannot name its index", Err: err, Remedy: home.OtherHome(err)}
	}
	err = remote.Claim(ctx, strings.TrimSpace(string(raw)))
	if err == nil || ctx.Err() != nil {
		return err
	}
	advice := "start it, or change the address"
	remedy := &contract.Remedy{Kind: contract.RemedyStart, Name: "Weaviate", Value: strings.Join(at.Hosts, ",")}
	switch {
	case errors.Is(err, weaviate.ErrRefused):
		advice, remedy = "put its key into the environment variable WEAVIATE_API_KEY", nil
	case errors.Is(err, weaviate.ErrOtherHome):
		advice, remedy = "give the address another name behind the host", contract.Configure("store.index", "")
	}
	what := fmt.Sprintf("the indexes at %s, which store.index in docent.toml names, cannot be used (%s)", at, advice)
	return &home.UnavailableError{What: what, Err: err, Remedy: remedy}
}

// keeper keeps records, locks and graphs of doc sets next to their indexes. It has more than five methods
// because it is all of home.Indexes that is no index.
type keeper interface {
	LockSet(ctx context.Context, setID int64, work store.SetWork, purpose string, wait time.Duration,
		waiting func(holder string)) (store.Held, error)
	Locked(ctx context.Context, setID int64, work store.SetWork) (bool, error)
	ForgetLock(setID int64, work store.SetWork) error
	ReadRecord(setID int64, record store.SetRecord) ([]byte, error)
	WriteRecord(setID int64, record store.SetRecord, content []byte) error
	RemoveRecord(setID int64, record store.SetRecord) error
	OpenReferences(ctx context.Context, setID int64) (*io.SectionReader, io.Closer, error)
	WriteReferences(ctx context.Context, setID int64, write func(io.Writer) error) error
	SpoolReferences(ctx context.Context, setID int64) (store.Spool, error)
	Remove(setID int64) error
	Sets() ([]int64, error)
	Purge(setID int64) error
	SweepTemporary(age time.Duration) (removed int, err error)
}

// Indexes are the indexes and vectors on a server, with what the folder keeps next to them.
// They are home.Indexes.
type Indexes struct {
	weaviate.Indexes
	keeper
}

// Sets lists the doc sets of which anything is kept, in no order.
func (x Indexes) Sets() ([]int64, error) {
	out, err := x.Indexes.Sets()
	more, kerr := x.keeper.Sets()
	seen := map[int64]bool{}
	for _, id := range out {
		seen[id] = true
	}
	for _, id := range more {
		if !seen[id] {
			out = append(out, id)
		}
	}
	return out, errors.Join(err, kerr)
}

// Remove deletes all that is derived of a doc set. Locks and records stay.
func (x Indexes) Remove(setID int64) error {
	return errors.Join(x.Indexes.Remove(setID), x.keeper.Remove(setID))
}

// Purge deletes everything of a doc set.
func (x Indexes) Purge(setID int64) error {
	return errors.Join(x.Indexes.Remove(setID), x.keeper.Purge(setID))
}

// RemoveAll deletes everything of all doc sets.
func (x Indexes) RemoveAll() error {
	sets, err := x.Sets()
	for _, id := range sets {
		err = errors.Join(err, x.Purge(id))
	}
	return err
}

// Packages with an index have the files of an embedded one: such a doc set is indexed from the
// pages of its package.
var errNotCarried = fmt.Errorf("the files of an embedded index cannot be taken over into this one: %w", store.ErrDamaged)

// CarriedForm is store.Carrier's. No package has it.
func (x Indexes) CarriedForm() string { return "none" }

// Export is store.Carrier's.
func (x Indexes) Export(context.Context, int64, string) error { return errNotCarried }

// Import is store.Carrier's.
func (x Indexes) Import(context.Context, int64, string, int64) (store.Import, error) {
	return nil, errNotCarried
}
