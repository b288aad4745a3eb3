package home

import (
	"context"

	"docent/pipeline/cite"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
)

// Verify checks an AOP-FINAL block line by line against the sources.
func (h *Home) Verify(ctx context.Context, block cite.Block) (cite.Report, error) {
	return cite.Verify(ctx, block, h.Proofs())
}

// VerifyText checks the blocks of a text, which may have several, one after the other.
// A text without a block is INVALID_REQUEST.
func (h *Home) VerifyText(ctx context.Context, text string) ([]cite.Report, error) {
	block, err := ParseBlock(text)
	if err != nil {
		return nil, err
	}
	whole, err := h.Verify(ctx, block)
	pieces := cite.Split(text)
	if err != nil || whole.State == cite.StateVerified || len(pieces) == 1 {
		return []cite.Report{whole}, err
	}
	out := make([]cite.Report, len(pieces))
	for i, piece := range pieces {
		if block, err = ParseBlock(piece); err != nil {
			return nil, err
		}
		if out[i], err = h.Verify(ctx, block); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Proofs hands pages to cite.Verify.
func (h *Home) Proofs() cite.Source { return corpus.Proofs{Corpus: h.Corpus} }

// ParseBlock reads an AOP-FINAL block; a malformed one is INVALID_REQUEST.
func ParseBlock(block string) (cite.Block, error) {
	b, err := cite.ParseBlock(block)
	if err != nil {
		return b, contract.Invalid("block", "%v", err)
	}
	return b, nil
}
