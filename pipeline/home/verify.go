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
