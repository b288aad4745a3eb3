package weaviate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"docent/store/address"

	"github.com/klauspost/compress/zstd"

	"docent/store/parallel"
	"docent/store/remote"
	"docent/store/weaviate/recent"
	"docent/store/weaviate/transport"
	"docent/store/weaviate/wire"
)

// formatVersion is the version of all objects. An index of an older version counts as damaged and is
// built again; one of a newer version is refused, else programs of two versions build it in turn.
const formatVersion = 1

// state names the current generation of a doc set's words or vectors, and lists its parts.
type state struct {
	Format int    `json:"format"`
	Change int64  `json:"change"` // the number of the change that made it
	Tenant string `json:"tenant"`
	Parts  []blob `json:"parts"`
	// Left are documents, tenants and blobs of earlier generations.
	Left    []left `json:"left,omitempty"`
	Written int64  `json:"written"` // milliseconds since 1970
	Bytes   int64  `json:"bytes"`   // of the objects, as they were sent, about
	// Sample has the IDs of some passages that the change brought. A node that has these has it all, in all
	// likelihood.
	Sample []string `json:"sample,omitempty"`

	// Of vectors.
	Model    string `json:"model,omitempty"`
	Dims     int    `json:"dims,omitempty"`
	Vectors  int    `json:"vectors,omitempty"`
	Sets     int    `json:"documents,omitempty"`
	Note     string `json:"note,omitempty"`
	Attached *blob  `json:"attached,omitempty"`
}

func (s *state) generation() string { return generationName(s.Change) }

func generationName(change int64) string { return "g" + strconv.FormatInt(change, 10) }

// blob is content that is kept in records. Its name is its hash.
type blob struct {
	Name   string `json:"name"`
	Pieces int    `json:"pieces"`
	Bytes  int    `json:"bytes"` // as stored
}

// left is what went, and when.
type left struct {
	At     int64  `json:"at"` // milliseconds since 1970
	Doc    int64  `json:"doc,omitempty"`
	Born   int64  `json:"born,omitempty"`
	N      int    `json:"n,omitempty"` // objects of the document
	Tenant string `json:"tenant,omitempty"`
	Blob   *blob  `json:"blob,omitempty"`
}

const (
	pieceBytes   = 384 << 10 // of a record's content, before base64
	stateSort    = "state"
	ownerSort    = "owner"
	blobSort     = "blob"
	mostUnpacked = 1 << 30
)

func (c *client) stateID(set int64, k kind) string {
	return objectID(c.At.Name, strconv.FormatInt(set, 10), string(k), stateSort)
}

// readRecord gives a record's content; "" where it is not there.
func (c *client) readRecord(ctx context.Context, id string) (string, error) {
	return c.readRecordAs(ctx, id, quorum)
}

// readRecordAs is readRecord of the nodes that a query names.
func (c *client) readRecordAs(ctx context.Context, id string, q url.Values) (string, error) {
	var o struct{ Properties found }
	err := c.Do(ctx, http.MethodGet, "/v1/objects/"+c.recordsName()+"/"+id, q, nil, &o)
	if isMissing(err) {
		return "", nil
	}
	return o.Properties.Detail, err
}

func (c *client) writeRecord(ctx context.Context, set int64, id, sort, content string) error {
	return c.put(ctx, []entry{{Class: c.recordsName(), ID: id, Properties: map[string]any{setProperty: set, sortProperty: sort,
		detailProperty: content}}})
}

func (c *client) removeRecord(ctx context.Context, id string) error {
	err := c.Do(ctx, http.MethodDelete, "/v1/objects/"+c.recordsName()+"/"+id, quorum, nil, nil)
	if isMissing(err) {
		return nil
	}
	return err
}

// stateKey names the state of a doc set's words or vectors.
type stateKey struct {
	set  int64
	kind kind
}

// newStates gives the states of a client, for questions. What this process published is in them.
func newStates(c *client) *recent.Values[stateKey, state] {
	return recent.New(func(ctx context.Context, k stateKey) (state, error) { return c.readState(ctx, k.set, k.kind) },
		func(err error) bool { return errors.Is(err, fs.ErrNotExist) })
}

// readState gives the state of a doc set's words or vectors. The error wraps store.ErrDamaged or
// store.ErrVectorsDamaged where it is not as written, and fs.ErrNotExist too where it is missing.
func (c *client) readState(ctx context.Context, set int64, k kind) (state, error) {
	content, err := c.readRecord(ctx, c.stateID(set, k))
	if err != nil {
		return state{}, err
	}
	return decodeState(c.At, content, set, k)
}

// decodeState reads the content of a state's record, "" for one that is missing.
func decodeState(at address.Weaviate, content string, set int64, k kind) (s state, err error) {
	if content == "" {
		return s, damagedError(k, "%s: the %s of doc set %d: %w", at, k, set, fs.ErrNotExist)
	}
	raw, err := unseal(content)
	if err == nil {
		raw, err = unpack(raw)
	}
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err != nil {
		return s, damagedError(k, "%s: the record of the %s of doc set %d: %w", at, k, set, err)
	}
	if s.Format > formatVersion {
		err := fmt.Errorf("the %s of doc set %d have format %d, newer than this program's %d", k, set, s.Format, formatVersion)
		return s, &remote.UnreachableError{Store: "the Weaviate " + at.String(), Setting: transport.Setting,
			Reason: err.Error() + "; use a newer docent, or another name behind the host", Err: err}
	}
	if s.Format != formatVersion {
		return s, damagedError(k, "%s: the %s of doc set %d have format %d, this program writes %d", at, k, set, s.Format, formatVersion)
	}
	return s, nil
}

func (c *client) writeState(ctx context.Context, set int64, k kind, s *state) error {
	s.Format, s.Written = formatVersion, time.Now().UnixMilli()
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	packed, err := pack(raw)
	if err != nil {
		return err
	}
	id := c.stateID(set, k)
	err = c.writeRecord(ctx, set, id, stateSort+"/"+string(k), seal(packed))
	c.states.Forget(stateKey{set, k})
	return err
}

func pack(content []byte) ([]byte, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return e.EncodeAll(content, nil), nil
}

func unpack(packed []byte) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostUnpacked))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(packed, nil)
}

// putBlob stores content, compressed.
func (c *client) putBlob(ctx context.Context, set int64, content []byte) (blob, error) {
	packed, err := pack(content)
	if err != nil {
		return blob{}, err
	}
	sum := sha256.Sum256(packed)
	b := blob{Name: hex.EncodeToString(sum[:16]), Bytes: len(packed)}
	for piece := range slices.Chunk(packed, pieceBytes) {
		if err := c.writeRecord(ctx, set, pieceID(c.At.Name, set, b.Name, b.Pieces), blobSort, seal(slices.Clone(piece))); err != nil {
			return b, err
		}
		b.Pieces++
	}
	return b, nil
}

// pieceID is the id of a piece of content in a space.
func pieceID(space string, set int64, name string, piece int) string {
	return objectID(space, strconv.FormatInt(set, 10), blobSort, name, strconv.Itoa(piece))
}

// readBlob gives content as it was put.
func (c *client) readBlob(ctx context.Context, set int64, k kind, b blob) ([]byte, error) {
	pieces, failed := make([][]byte, b.Pieces), make([]error, b.Pieces)
	parallel.Ask(b.Pieces, func(i int) {
		var content string
		if content, failed[i] = c.readRecord(ctx, pieceID(c.At.Name, set, b.Name, i)); failed[i] != nil {
			return
		}
		var err error
		if pieces[i], err = unseal(content); err != nil {
			failed[i] = damagedError(k, "%s: record %s/%d of doc set %d: %w", c.At, b.Name, i, set, err)
		}
	})
	if err := cmp.Or(failed...); err != nil {
		return nil, err
	}
	packed := slices.Concat(pieces...)
	if sum := sha256.Sum256(packed); hex.EncodeToString(sum[:16]) != b.Name {
		return nil, damagedError(k, "%s: record %s of doc set %d is not as it was written", c.At, b.Name, set)
	}
	out, err := unpack(packed)
	if err != nil {
		return nil, damagedError(k, "%s: record %s of doc set %d: %w", c.At, b.Name, set, err)
	}
	return out, nil
}

func (c *client) removeBlob(ctx context.Context, set int64, b blob) (err error) {
	for i := range b.Pieces {
		err = errors.Join(err, c.removeRecord(ctx, pieceID(c.At.Name, set, b.Name, i)))
	}
	return err
}

// readContents gives what a generation has.
func (c *client) readContents(ctx context.Context, set int64, k kind, s state) (*contents, error) {
	parts, failed := make([][]byte, len(s.Parts)), make([]error, len(s.Parts))
	parallel.Ask(len(s.Parts), func(i int) { parts[i], failed[i] = c.readBlob(ctx, set, k, s.Parts[i]) })
	if err := cmp.Or(failed...); err != nil {
		return nil, err
	}
	out := &contents{documents: map[int64]object{}}
	for i, b := range s.Parts {
		if err := out.addPart(parts[i]); err != nil {
			return nil, damagedError(k, "%s: record %s of doc set %d: %w", c.At, b.Name, set, err)
		}
	}
	out.sumStatistics()
	return out, nil
}

// sweep deletes what went before a time, and gives the rest.
func (c *client) sweep(ctx context.Context, set int64, k kind, s *state, before time.Time) (stay []left, err error) {
	dead := map[int64][]int64{} // documents by the change that brought them
	for _, l := range s.Left {
		switch {
		case l.At >= before.UnixMilli():
			stay = append(stay, l)
		case l.Tenant != "":
			err = errors.Join(err, c.removeTenant(ctx, k, l.Tenant))
		case l.Blob != nil:
			err = errors.Join(err, c.removeBlob(ctx, set, *l.Blob))
		default:
			dead[l.Born] = append(dead[l.Born], l.Doc)
		}
	}
	for _, born := range slices.Sorted(maps.Keys(dead)) {
		for batch := range slices.Chunk(dead[born], atOnce) {
			among := filter{"path": []string{docProperty}, "operator": "ContainsAny", "valueInt": batch}
			err = errors.Join(err, c.remove(ctx, k, s.Tenant, bothHold(among, restNumber(bornProperty, "Equal", born))))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("delete what an earlier generation of doc set %d had: %w", set, err)
	}
	return stay, nil
}

// setsAtOnce is how many records a request for doc sets looks at. The engine reads each as a whole.
const setsAtOnce = 16

// recordedSets lists the doc sets that have a record, a state or content. The records are not listed: they are as large
// as the vocabulary of all doc sets. Each request leaves out the doc sets that are known.
func (c *client) recordedSets(ctx context.Context) ([]int64, error) {
	class := c.recordsName()
	isNot := func(set int64) *wire.Filter {
		return &wire.Filter{Operator: wire.NotEqual, Property: setProperty, Number: set}
	}
	others := []*wire.Filter{isNot(0)} // which the record of the owner has
	var out []int64
	for {
		var answer struct {
			Get map[string][]struct{ Set int64 }
		}
		text := fmt.Sprintf("{Get{%s(limit:%d,where:%s){%s}}}", class, setsAtOnce, condition(allHold(others...)), setProperty)
		err := c.Query(ctx, text, &answer)
		if err != nil {
			return nil, err
		}
		if len(answer.Get[class]) == 0 {
			return out, nil
		}
		for _, o := range answer.Get[class] {
			if !slices.Contains(out, o.Set) {
				out, others = append(out, o.Set), append(others, isNot(o.Set))
			}
		}
	}
}
