package model

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"docent/llm"
)

// remembered is how many answers a Memory keeps.
const remembered = 256

// Memory caches the answers of models in memory. Requests use a fixed seed and
// temperature 0, so the same request would get the same answer. Running a phase
// again or undoing a change costs no second call. It is safe for concurrent use.
type Memory struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]llm.Answer
	order [][sha256.Size]byte // oldest first
}

// Remember wraps a Chatter with the cache; server distinguishes Chatters.
func (m *Memory) Remember(c Chatter, server string) Chatter { return remembering{m, c, server} }

// Recalled is a Chatter that gives only the remembered answers of a server, and
// ErrNone for a request that was not asked before.
func (m *Memory) Recalled(server string) Chatter { return remembering{m, nil, server} }

type remembering struct {
	memory *Memory
	next   Chatter // nil: only remembered answers
	server string
}

// Chat answers from the cache, or else asks the next Chatter, if there is one.
func (r remembering) Chat(ctx context.Context, req llm.ChatRequest) (llm.Answer, error) {
	watch := req.OnPiece
	req.OnPiece = nil
	raw, err := json.Marshal(req)
	if err != nil {
		return llm.Answer{}, err
	}
	key := sha256.Sum256(append([]byte(r.server+"\x00"), raw...))
	if a, ok := r.memory.getAnswer(key); ok {
		if watch != nil && a.Text != "" {
			err = watch(a.Text)
		}
		return a, err
	}
	if r.next == nil {
		return llm.Answer{}, fmt.Errorf("it was not asked before: %w", ErrNone)
	}
	req.OnPiece = watch
	a, err := r.next.Chat(ctx, req)
	if err == nil {
		r.memory.putAnswer(key, a)
	}
	return a, err
}

func (m *Memory) getAnswer(key [sha256.Size]byte) (llm.Answer, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.known[key]
	return a, ok
}

func (m *Memory) putAnswer(key [sha256.Size]byte, a llm.Answer) {
	a.FirstTokens = slices.Clone(a.FirstTokens)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[[sha256.Size]byte]llm.Answer{}
	}
	if _, ok := m.known[key]; !ok {
		m.order = append(m.order, key)
	}
	m.known[key] = a
	if len(m.order) > remembered {
		delete(m.known, m.order[0])
		m.order = slices.Delete(m.order, 0, 1)
	}
}
