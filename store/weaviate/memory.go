package weaviate

import (
	"sync"

	"docent/store"
	"docent/store/weaviate/recent"
	"docent/store/weaviate/wire"
)

// A passage never changes: another text of a document is another document to the engine, born by another change. So
// a process keeps what it read of the passages of a doc set over generations.

// bornKey names a passage in all generations.
type bornKey struct {
	store.Key
	born int64
}

// memory is what a process keeps of the words or the vectors of a doc set.
type memory struct {
	passages *recent.Used[bornKey, encoded] // of words
	codes    *recent.Used[bornKey, []byte]  // of vectors

	mu     sync.Mutex
	cold   int // how many answers have to bring nothing new until only their ids are asked for
	change int64
	tenant string
	ids    map[wire.UUID]bornKey
	born   map[int64]int64 // the documents whose ids are in ids
}

const (
	mostPassages = 1 << 14 // in memory, some 800 bytes each
	mostCodes    = 1 << 14 // some 100 bytes each
	mostIDs      = 200_000 // of a doc set, some 60 bytes each
	// coldFor is how many answers in a row bring nothing new before the next one brings ids only.
	coldFor = 8
)

func newMemory() *memory {
	return &memory{passages: recent.NewUsed[bornKey, encoded](mostPassages), codes: recent.NewUsed[bornKey, []byte](mostCodes),
		cold: coldFor, ids: map[wire.UUID]bornKey{}, born: map[int64]int64{}}
}

// memories are those of a process.
type memories struct {
	mu sync.Mutex
	of map[stateKey]*memory
}

func (m *memories) get(k stateKey) *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of[k] == nil {
		m.of[k] = newMemory()
	}
	return m.of[k]
}

func (m *memories) forget(k stateKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.of, k)
}

// sawNew notes whether an answer brought passages that were not in memory, or lacked them.
func (m *memory) sawNew(isNew bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if isNew {
		m.cold = coldFor
	} else {
		m.cold = max(0, m.cold-1)
	}
}

// isWarm reports whether the answers of late brought nothing new.
func (m *memory) isWarm() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cold == 0
}

// named gives those objects of a generation their names that an answer knows by their UUIDs, and leaves out others.
func (m *memory) named(o *opened, list []found) []found {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.learnIDs(o)
	out := list[:0]
	for _, f := range list {
		k, ok := m.ids[f.id]
		if !ok {
			continue
		}
		f.Doc, f.Chunk, f.Part, f.Born = k.Doc, k.Chunk, k.Part, k.born
		out = append(out, f)
	}
	return out
}

// learnIDs adds the UUIDs of what a generation has. Those of earlier ones stay until they are as many again.
func (m *memory) learnIDs(o *opened) {
	if m.tenant == o.state.Tenant && m.change == o.state.Change {
		return
	}
	if m.tenant != o.state.Tenant || len(m.ids) > 2*o.has.statistics.Passages {
		clear(m.ids)
		clear(m.born)
	}
	m.tenant, m.change = o.state.Tenant, o.state.Change
	for doc, of := range o.has.documents {
		if m.born[doc] == of.born {
			continue
		}
		m.born[doc] = of.born
		for chunk, parts := range of.parts {
			for part := range parts {
				k := store.Key{Doc: doc, Chunk: chunk, Part: part}
				m.ids[passageUUID(m.tenant, k, of.born)] = bornKey{k, of.born}
			}
		}
	}
}
