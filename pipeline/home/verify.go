package home

import (
	"bytes"
	"context"
	"crypto/sha256"
	"docent/pipeline/cite"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/store"
	"docent/store/doc"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"
)

// Verify checks an AOP-FINAL block line by line against the sources.
func (h *Home) Verify(ctx context.Context, block cite.Block) (cite.Report, error) {
	return cite.Verify(ctx, block, verifySource{h.Library})
}

// ParseBlock reads an AOP-FINAL block; a malformed one is INVALID_REQUEST.
func ParseBlock(block string) (cite.Block, error) {
	b, err := cite.ParseBlock(block)
	if err != nil {
		return b, contract.Invalid("block", "%v", err)
	}
	return b, nil
}

// verifySource hands pages to cite.Verify.
type verifySource struct{ lib *corpus.Library }

func (v verifySource) find(ctx context.Context, ref doc.Ref, path string) (*corpus.Page, error) {
	sets, err := v.lib.Resolve(ctx, []string{ref.String()})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	p, err := v.lib.Source(ctx, sets[0], path)
	if errors.Is(err, corpus.ErrPageGone) || errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	return p, err
}

// Page is cite.Source's.
func (v verifySource) Page(ctx context.Context, ref doc.Ref, path string) ([]byte, string, error) {
	p, err := v.find(ctx, ref, path)
	if err != nil {
		return nil, "", err
	}
	if utf8.Valid(p.Source) {
		return p.Source, p.Indexed, nil
	}
	// Phase 2 hands such a page on with U+FFFD for what is no text, and so does
	// the block: it is compared with what phase 2 would hand on now.
	shown := bytes.ToValidUTF8(p.Source, []byte("\uFFFD"))
	if p.Changed {
		return shown, p.Indexed, nil
	}
	sum := sha256.Sum256(shown)
	return shown, hex.EncodeToString(sum[:]), nil
}

// URL is cite.URLs's.
func (v verifySource) URL(ctx context.Context, ref doc.Ref, path string) (string, error) {
	p, err := v.find(ctx, ref, path)
	if err != nil {
		return "", err
	}
	return p.Doc.URL, nil
}
