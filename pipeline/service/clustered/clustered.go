// Package clustered opens homes whose indexes lie on a server or a cluster of them, and whose
// catalog may lie in a database too, with the documents of the home itself: each machine has a folder of
// its own then. Folders of a person stay on the machine that has them.
//
// It refuses to know how any of them keeps anything: that is docent/store/networked's
// and docent/store/embedded's.
package clustered

import (
	"cmp"
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
	"docent/store/embedded"
	"docent/store/networked"
	"docent/store/remote"
)

// Places are where the stores of a home lie.
type Places struct {
	Index    address.Weaviate
	Catalog  string // address of a PostgreSQL schema; "": the home's folder
	Password string // for an address of the catalog without one
}

// Open opens a home whose stores lie at these places. closeStores closes their connections, after
// the home was closed.
func Open(ctx context.Context, opt home.Options, at Places) (h *home.Home, closeStores func() error, err error) {
	server := networked.OpenIndexes(at.Index)
	closeStores = server.Close
	embeddedStores := embedded.Stores{Dir: opt.Dir}
	opt.Stores, opt.Blobs = ondisk.Stores{Stores: embeddedStores}, embeddedStores.Blobs()
	indexes := Indexes{Indexes: server, keeper: embeddedStores.Indexes()}
	var claimed func() error
	var id string
	if at.Catalog == "" {
		id, err = identify(opt.Dir, nil)
	} else {
		db, err := networked.OpenDatabase(at.Catalog, at.Password)
		if err != nil {
			return nil, nil, errors.Join(contract.Invalid("config", "%v", err), closeStores())
		}
		closeStores = func() error { return errors.Join(server.Close(), db.Close()) }
		records := networked.Keeper{Database: db, Temp: filepath.Join(opt.Dir, "tmp")}
		indexes.keeper = records
		if id, err = joinCatalog(ctx, records, opt.Dir); err != nil {
			return nil, nil, errors.Join(err, closeStores())
		}
		claimed = func() error { return claimCatalog(records, id) }
		files, err := openDocuments(db, opt.Dir)
		if err != nil {
			return nil, nil, errors.Join(unidentified(opt.Dir, err), closeStores())
		}
		opt.Stores, opt.Blobs, opt.Files = newStores(db, embeddedStores, files.roots), networked.OpenBlobs(db), files
	}
	if err != nil {
		return nil, nil, errors.Join(unidentified(opt.Dir, err), closeStores())
	}
	if err := claim(ctx, server, at.Index, id); err != nil {
		return nil, nil, errors.Join(err, closeStores())
	}
	opt.Indexes = indexes
	opt.Parsers.Keep(opt.Blobs)
	h, err = home.Open(ctx, opt)
	if err == nil && claimed != nil {
		// A catalog that was made anew does not have the mark of its home.
		if err = claimed(); err != nil {
			err = errors.Join(err, h.Close())
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, closeStores())
	}
	return h, closeStores, nil
}

// unidentified is the error of a home that cannot keep who it is.
func unidentified(dir string, err error) error {
	return &home.UnavailableError{What: "the home " + dir + " cannot name its index", Err: err, Remedy: home.OtherHome(err)}
}

// identityName is the file of a home by which it finds its collections again.
const identityName = "index.id"

// identify gives the identity of a home, and makes it where it is missing. An empty folder joins the
// home whose catalog is named: owner gives that one's identity, "" without one.
func identify(dir string, owner func() (string, error)) (string, error) {
	return identityIn(dir, identityName, func() (string, error) {
		if _, err := os.Stat(filepath.Join(dir, home.ListName)); err == nil || owner == nil {
			return rand.Text(), nil
		}
		id, err := owner()
		if err != nil {
			return "", err
		}
		return cmp.Or(id, rand.Text()), nil
	})
}

const (
	identifyTries = 50
	identifyPause = 20 * time.Millisecond
)

// The record that says which home's folder a catalog belongs to: of no doc set, whose numbers
// begin with 1.
const (
	noSet                       = 0
	ownerRecord store.SetRecord = "owner"
)

var errOtherFolder = errors.New(
	"it belongs to another home: give this one a schema of its own, or an empty folder, which joins the other")

// joinCatalog gives the identity of a home, and marks the catalog with it. One of several new machines
// is the first.
func joinCatalog(ctx context.Context, k networked.Keeper, dir string) (id string, err error) {
	if raw, err := os.ReadFile(filepath.Join(dir, identityName)); err == nil && len(raw) > 0 {
		id := strings.TrimSpace(string(raw))
		return id, claimCatalog(k, id)
	}
	held, err := k.LockSet(ctx, noSet, "owner", "open", joinWait, nil)
	if e, ok := errors.AsType[*remote.UnreachableError](err); ok {
		return "", &home.UnavailableError{What: unopened, Err: e, Remedy: contract.Configure("store.catalog", "")}
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	id, err = identify(dir, func() (string, error) {
		owner, err := k.ReadRecord(noSet, ownerRecord)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return string(owner), err
	})
	if err != nil {
		return "", unidentified(dir, err)
	}
	return id, claimCatalog(k, id)
}

// joinWait is how long a machine waits for another one that opens the home for the first time.
const joinWait = time.Minute

// claimCatalog marks the catalog with the identity of this home.
func claimCatalog(k networked.Keeper, id string) error {
	owner, err := k.ReadRecord(noSet, ownerRecord)
	if errors.Is(err, fs.ErrNotExist) {
		owner, err = []byte(id), k.WriteRecord(noSet, ownerRecord, []byte(id))
	}
	if e, ok := errors.AsType[*remote.UnreachableError](err); ok {
		return &home.UnavailableError{What: unopened, Err: e, Remedy: contract.Configure("store.catalog", "")}
	}
	if err == nil && string(owner) != id {
		return otherFolderError(k)
	}
	return err
}

func otherFolderError(k networked.Keeper) error {
	what := "the catalog " + k.Database.Name() + ", which store.catalog in docent.toml names, cannot be used"
	return &home.UnavailableError{What: what, Err: errOtherFolder, Remedy: contract.Configure("store.catalog", "")}
}

// CheckOwner refuses the catalog of another home than that of a folder. It opens no home and changes
// nothing: a folder that was never opened, and a catalog that is not there yet, pass.
func CheckOwner(dir string, at Places) (err error) {
	raw, err := os.ReadFile(filepath.Join(dir, identityName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unidentified(dir, err)
	}
	db, err := networked.OpenDatabase(at.Catalog, at.Password)
	if err != nil {
		return contract.Invalid("config", "%v", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	k := networked.Keeper{Database: db}
	owner, err := k.ReadRecord(noSet, ownerRecord)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return &home.UnavailableError{What: unopened, Err: err, Remedy: contract.Configure("store.catalog", "")}
	case string(owner) != strings.TrimSpace(string(raw)):
		return otherFolderError(k)
	}
	return nil
}

const unopened = "the home cannot be opened"

// claim marks the collections with the identity of this home.
func claim(ctx context.Context, server networked.Indexes, at address.Weaviate, id string) error {
	err := server.Claim(ctx, id)
	if err == nil || ctx.Err() != nil {
		return err
	}
	advice := "start it, or change the address"
	remedy := &contract.Remedy{Kind: contract.RemedyStart, Name: "Weaviate", Value: strings.Join(at.Hosts, ",")}
	if e, ok := errors.AsType[*remote.UnreachableError](err); ok {
		return &home.UnavailableError{What: unopened, Err: e, Remedy: remedy}
	}
	switch {
	case errors.Is(err, networked.ErrRefused):
		advice, remedy = "put its key into the environment variable WEAVIATE_API_KEY, or a file's name into WEAVIATE_API_KEY_FILE", nil
	case errors.Is(err, networked.ErrOtherHome):
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
	networked.Indexes
	keeper
}

// LockSet takes the right to do one kind of work on a doc set. Where a server gives it, changes of the
// index are numbered by it.
func (x Indexes) LockSet(ctx context.Context, setID int64, work store.SetWork, purpose string, wait time.Duration,
	waiting func(holder string)) (store.Held, error) {
	held, err := x.keeper.LockSet(ctx, setID, work, purpose, wait, waiting)
	if err != nil {
		return nil, err
	}
	return x.Indexes.NumberBy(setID, work, held), nil
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
		if !seen[id] && id != noSet {
			out = append(out, id)
		}
	}
	return out, errors.Join(err, kerr)
}

// Remove deletes all that is derived of a doc set. Locks and records stay.
//
// Where the folder has the catalog, an index of the doc set that it has from before store.index was set
// goes too. Nothing is lost by that: it is of the doc set that is removed here, and an update makes an
// index of the pages where store.index is taken away again. It has to go, because a catalog that is made
// again gives the numbers of doc sets once more, and the folder's index would be taken for that of another
// doc set. Where the catalog is in a database, the folder's indexes are left alone.
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
