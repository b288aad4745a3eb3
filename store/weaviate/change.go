package weaviate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"docent/store"
	"docent/store/weaviate/transport"
)

// change is a generation that is being written: of words or of vectors.
type change struct {
	c    *client
	set  int64
	kind kind

	old    state // the zero state before the first generation
	ranked bool  // its number is above those of all earlier holders of the lock, and below those of later ones
	had    *contents
	fresh  bool
	touch  bool
	next   state
	part   *part
	docs   map[int64]object
	queue  []entry
	sample sample
	work   chan []entry // for the goroutines that send objects; closed when all are on their way
	closed bool         // work
	flight sync.WaitGroup
	mu     sync.Mutex
	failed error
}

// mostFlying is how many requests with new objects go at the same time.
const mostFlying = 3

// begin begins a change. usable reports whether the change can be made to an existing generation.
func (c *client) begin(ctx context.Context, set int64, k kind, fresh bool, usable func(state) bool) (*change, error) {
	if err := c.ensure(ctx); err != nil {
		return nil, err
	}
	b := &change{c: c, set: set, kind: k, fresh: fresh, part: newPart(), docs: map[int64]object{}, work: make(chan []entry)}
	old, err := c.readState(ctx, set, k)
	switch {
	case err == nil:
		b.old = old
		b.fresh = b.fresh || !usable(old)
	case isDamaged(err):
		b.fresh = true
		b.old.Change = firstChange(time.Now())
	default:
		return nil, err
	}
	if !b.fresh {
		b.had, err = c.readContents(ctx, set, k, old)
		if isDamaged(err) {
			b.fresh, err = true, nil
		}
		if err != nil {
			return nil, err
		}
	}
	b.next = state{Tenant: b.old.Tenant}
	if b.next.Change, b.ranked, err = c.rights.number(ctx, set, k, &b.old); err != nil {
		return nil, err
	}
	if err = b.clear(ctx); isMissing(err) && !b.fresh {
		b.fresh = true // all of its objects went
		b.docs = map[int64]object{}
		err = b.clear(ctx)
	}
	if err != nil {
		return nil, err
	}
	for range mostFlying {
		b.flight.Go(func() { b.deliver(ctx) })
	}
	return b, nil
}

// clear removes what a writer that was killed left, and makes the tenant of a fresh generation. What has
// a higher number is of a process that took the lock over from this one. A request may reach a node late, when
// another one has answered it: it deletes no objects of this change.
func (b *change) clear(ctx context.Context) error {
	if !b.fresh {
		maps.Copy(b.docs, b.had.documents)
		unpublished := restNumber(bornProperty, "GreaterThan", b.old.Change)
		if b.ranked {
			unpublished = bothHold(unpublished, restNumber(bornProperty, "LessThan", b.next.Change))
		}
		return b.c.remove(ctx, b.kind, b.old.Tenant, unpublished)
	}
	keep := []string{b.old.Tenant}
	for _, l := range b.old.Left {
		keep = append(keep, l.Tenant)
	}
	last := int64(math.MaxInt64)
	if b.ranked {
		last = b.next.Change
	}
	if err := b.c.removeTenants(ctx, b.set, b.kind, last, keep); err != nil {
		return err
	}
	b.next.Tenant = tenantPrefix(b.set, b.kind) + strconv.FormatInt(b.next.Change, 10)
	return b.c.addTenant(ctx, b.kind, b.next.Tenant)
}

// tenantPrefix begins the names of the tenants of a doc set's words or vectors.
func tenantPrefix(set int64, k kind) string { return fmt.Sprintf("s%d%s", set, k) }

// removeTenants deletes the tenants of a doc set's words or vectors up to that of a change, but for some:
// also those that no record names, which writers that were killed left.
func (c *client) removeTenants(ctx context.Context, set int64, k kind, last int64, keep []string) error {
	names, err := c.tenants(ctx, k)
	if isMissing(err) {
		return nil
	}
	for _, name := range names {
		text, ok := strings.CutPrefix(name, tenantPrefix(set, k))
		number, nerr := strconv.ParseUint(text, 10, 63)
		if ok && nerr == nil && int64(number) <= last && !slices.Contains(keep, name) {
			err = errors.Join(err, c.removeTenant(ctx, k, name))
		}
	}
	return err
}

// mostID is the highest number of a document that the engine's answers can have.
const mostID = math.MaxInt32

// Fresh is store.IndexUpdate's.
func (b *change) Fresh() bool { return b.fresh }

// Documents is store.IndexUpdate's.
func (b *change) Documents() []int64 { return slices.Sorted(maps.Keys(b.docs)) }

// Generations is store.IndexUpdate's.
func (b *change) Generations() (now, next string) {
	if b.old.Tenant != "" {
		now = b.old.generation()
	}
	return now, b.next.generation()
}

// Changed is store.IndexUpdate's.
func (b *change) Changed() bool { return b.touch || b.fresh }

// removeDocument takes a document out. It reports whether it was there.
func (b *change) removeDocument(id int64) (object, bool, error) {
	o, ok := b.docs[id]
	if !ok {
		return o, false, nil
	}
	if b.fresh || o.born == b.next.Change {
		return o, false, fmt.Errorf("document %d was added in this same update", id)
	}
	delete(b.docs, id)
	b.touch = true
	b.part.removed = append(b.part.removed, id)
	b.next.Left = append(b.next.Left, left{At: time.Now().UnixMilli(), Doc: id, Born: o.born, N: o.count()})
	return o, true, nil
}

// addDocument puts a document in.
func (b *change) addDocument(id int64, o object) error {
	if _, ok := b.docs[id]; ok {
		return fmt.Errorf("document %d is in the index already", id)
	}
	if id > mostID {
		return fmt.Errorf("document %d: a Weaviate's answers have numbers up to %d", id, mostID)
	}
	o.born = b.next.Change
	b.touch = true
	b.docs[id], b.part.added[id] = o, o
	return nil
}

// deliver sends objects until there are no more. The requests end with the context.
func (b *change) deliver(ctx context.Context) {
	for list := range b.work {
		if b.failure() != nil {
			continue
		}
		if err := b.c.put(ctx, list); err != nil {
			b.mu.Lock()
			b.failed = errors.Join(b.failed, err)
			b.mu.Unlock()
		}
	}
}

func (b *change) failure() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}

// send stores an object, together with others. The error may be of an earlier one.
func (b *change) send(e entry) error {
	if b.kind == words {
		b.sample.add(e.ID)
	}
	b.next.Bytes += int64(len(e.detail())+len(e.tokens())) + int64(vectorBytes*len(e.Vector))
	if b.queue = append(b.queue, e); len(b.queue) < atOnce {
		return nil
	}
	b.work <- b.queue
	b.queue = nil
	return b.failure()
}

// arrive waits for all objects.
func (b *change) arrive() error {
	if !b.closed {
		if len(b.queue) > 0 {
			b.work <- b.queue
			b.queue = nil
		}
		close(b.work)
		b.closed = true
	}
	b.flight.Wait()
	return b.failure()
}

// How much the later parts of a generation may be before all is written as one.
const (
	mostParts = 24
	mostShare = 4 // the first part has at least so many times their bytes
)

// writeParts stores what changed.
func (b *change) writeParts(ctx context.Context) error {
	now := time.Now().UnixMilli()
	keep := b.old.Parts
	later := 0
	if b.fresh {
		keep = nil
	} else {
		for _, p := range keep[1:] {
			later += p.Bytes
		}
	}
	content := b.part.encode()
	if len(keep) > 0 && (len(keep) > mostParts || later*mostShare > keep[0].Bytes) {
		if err := b.had.addPart(content); err != nil {
			return err
		}
		content, keep = b.had.whole().encode(), nil
	}
	p, err := b.c.putBlob(ctx, b.set, content)
	if err != nil {
		return err
	}
	b.next.Parts = append(slices.Clone(keep), p)
	for _, old := range b.old.Parts {
		if !slices.Contains(b.next.Parts, old) {
			b.next.Left = append(b.next.Left, left{At: now, Blob: &old})
		}
	}
	if b.fresh && b.old.Tenant != "" {
		b.next.Left = append(b.next.Left, left{At: now, Tenant: b.old.Tenant})
	}
	return nil
}

// prepare writes all but the state.
func (b *change) prepare(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.arrive(); err != nil {
		return err
	}
	stay, err := b.c.sweep(ctx, b.set, b.kind, &b.old, time.Now().Add(-b.c.grace))
	if err != nil {
		return err
	}
	for _, l := range stay {
		if l.Tenant != "" || l.Blob != nil || !b.fresh { // documents go with their tenant
			b.next.Left = append(b.next.Left, l)
		}
	}
	if !b.fresh {
		b.next.Bytes += b.old.Bytes * int64(b.stayed()) / int64(max(1, b.had.statistics.Passages))
	}
	return b.writeParts(ctx)
}

// vectorBytes are those of a component.
const vectorBytes = 4

// stayed is how many objects are those of the generation before.
func (b *change) stayed() (n int) {
	for _, o := range b.docs {
		if o.born != b.next.Change {
			n += o.count()
		}
	}
	return n
}

// Commit is store.IndexUpdate's.
func (b *change) Commit() error {
	ctx, cancel := context.WithTimeout(context.Background(), transport.RequestTimeout) // Prepare was the last chance to cancel
	defer cancel()
	if err := b.isLatest(ctx); err != nil {
		return err
	}
	// A blob that came again is not left any more.
	b.next.Left = slices.DeleteFunc(b.next.Left, func(l left) bool { return l.Blob != nil && slices.Contains(b.next.Parts, *l.Blob) })
	b.next.Sample = b.sample.ids
	if err := b.c.writeState(ctx, b.set, b.kind, &b.next); err != nil {
		return err
	}
	b.docs, b.had, b.part = nil, nil, nil // the steps behind the update do not need them
	return nil
}

// isLatest returns an error where another process published since begin: it took the lock over when the
// connection that held this process's was lost. A process from which this one took the lock over may
// publish late. What it published is replaced: begin deleted its objects.
func (b *change) isLatest(ctx context.Context) error {
	now, err := b.c.readState(ctx, b.set, b.kind)
	if isDamaged(err) {
		return nil // it cannot be built upon
	}
	changed := now.Change != b.old.Change || now.Tenant != b.old.Tenant
	if err == nil && changed && !(b.ranked && now.Change < b.next.Change) {
		err = fmt.Errorf("%s: another process changed the %s of doc set %d meanwhile; update it again", b.c.At, b.kind, b.set)
	}
	return err
}

// Abort drops the new objects. After Commit it does nothing.
func (b *change) Abort() error {
	if b.part == nil {
		return nil
	}
	b.queue = nil
	_ = b.arrive() // what went wrong was said
	ctx, cancel := context.WithTimeout(context.Background(), transport.RequestTimeout)
	defer cancel()
	now, err := b.c.readState(ctx, b.set, b.kind)
	if err == nil && now.Change == b.next.Change {
		return nil // another process published under the same number
	}
	if b.fresh {
		return b.c.removeTenant(ctx, b.kind, b.next.Tenant)
	}
	return b.c.remove(ctx, b.kind, b.next.Tenant, restNumber(bornProperty, "Equal", b.next.Change))
}

// wordsChange is a new generation of an index of words. It is store.IndexUpdate.
type wordsChange struct {
	*change
	gone []store.Key // of passages whose terms are still to be taken from the counts
	born map[int64]int64
}

func (c *client) beginWords(ctx context.Context, set int64, fresh bool) (*wordsChange, error) {
	b, err := c.begin(ctx, set, words, fresh, func(state) bool { return true })
	if err != nil {
		return nil, err
	}
	return &wordsChange{change: b, born: map[int64]int64{}}, nil
}

// Delete is store.IndexUpdate's.
func (b *wordsChange) Delete(id int64) error {
	o, was, err := b.removeDocument(id)
	if err != nil || !was {
		return err
	}
	b.born[id] = o.born
	for chunk, parts := range o.parts {
		for p := range parts {
			b.gone = append(b.gone, store.Key{Doc: id, Chunk: chunk, Part: p})
		}
	}
	return nil
}

// Add is store.IndexUpdate's.
func (b *wordsChange) Add(ctx context.Context, d store.Analyzed) error {
	doc, ok := d.(*Analyzed)
	if !ok {
		return fmt.Errorf("add a document to the index of doc set %d: it was analysed for another one (%T)", b.set, d)
	}
	var o object
	class := b.c.wordsName()
	for p := range doc.each() {
		if err := ctx.Err(); err != nil {
			return err
		}
		for len(o.parts) <= p.chunk {
			o.parts = append(o.parts, 0)
		}
		o.parts[p.chunk] = max(o.parts[p.chunk], p.part+1)
		for f, n := range p.lengths {
			o.tokens[f] += int64(n)
		}
		b.part.count(p, 1)
		e := passageEntry(class, b.next.Tenant, store.Key{Doc: doc.id, Chunk: p.chunk, Part: p.part}, b.next.Change, p.encode())
		e.Properties[termsProperty] = p.tokens()
		for _, f := range apart {
			if text := p.fieldTokens(f); text != "" {
				e.Properties[f.String()] = text
			}
		}
		if err := b.send(e); err != nil {
			return err
		}
	}
	return b.addDocument(doc.id, o)
}

// Prepare is store.IndexUpdate's.
func (b *wordsChange) Prepare(ctx context.Context) error {
	if err := b.uncount(ctx); err != nil {
		return err
	}
	return b.prepare(ctx)
}

// uncount takes the terms of the passages that go from the counts.
func (b *wordsChange) uncount(ctx context.Context) error {
	for batch := range slices.Chunk(b.gone, atOnce) {
		ids := make([]string, len(batch))
		for i, k := range batch {
			ids[i] = passageID(b.old.Tenant, k, b.born[k.Doc])
		}
		list, err := b.c.byID(ctx, words, b.old.Tenant, ids)
		if err != nil {
			return err
		}
		if len(list) != len(batch) {
			return damagedError(words, "%s: %d of %d passages of doc set %d are not there", b.c.At, len(batch)-len(list), len(batch), b.set)
		}
		for _, f := range list {
			p, err := decodePassage(f.Detail)
			if err != nil {
				return damagedError(words, "%s: passage %d.%d.%d of doc set %d: %w", b.c.At, f.Doc, f.Chunk, f.Part, b.set, err)
			}
			b.part.count(&p, -1)
		}
	}
	b.gone = nil
	return nil
}
