package answers

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/phase/cite"
)

// Verify checks an AOP-FINAL block line by line against the sources.
func (svc *Service) Verify(ctx context.Context, block cite.Block) (cite.Report, error) {
	return cite.Verify(ctx, block, svc.Proofs())
}

// VerifyText checks the blocks of a text, which may have several, one after the other.
// A text without a block is INVALID_REQUEST.
func (svc *Service) VerifyText(ctx context.Context, text string) (Verified, error) {
	block, err := ParseBlock(text)
	if err != nil {
		return nil, err
	}
	whole, err := svc.Verify(ctx, block)
	if err != nil {
		return nil, err
	}
	if whole.State == cite.StateVerified {
		return svc.withCutOff(ctx, whole, block.TextBehind(text))
	}
	pieces := cite.SplitBlocks(text)
	if len(pieces) == 1 {
		return Verified{whole}, nil
	}
	out := make(Verified, len(pieces))
	for i, piece := range pieces {
		if block, err = ParseBlock(piece); err != nil {
			return nil, err
		}
		if out[i], err = svc.Verify(ctx, block); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// withCutOff adds the report of a block without an END line that the rest of the text begins. Reading
// one block ends at the last END line, so a block that was cut off behind it would count as proven.
func (svc *Service) withCutOff(ctx context.Context, whole cite.Report, rest string) (Verified, error) {
	cutOff, err := ParseBlock(rest)
	if err != nil { // it has no header line
		return Verified{whole}, nil
	}
	report, err := svc.Verify(ctx, cutOff)
	return Verified{whole, report}, err
}

// Verified is the result for each block of a text.
type Verified []cite.Report

// Proven reports whether every block stands in its sources.
func (v Verified) Proven() bool {
	return !slices.ContainsFunc(v, func(r cite.Report) bool { return r.State != cite.StateVerified })
}

// MarshalJSON writes one report, or {"blocks": […]} for several.
func (v Verified) MarshalJSON() ([]byte, error) {
	if len(v) == 1 {
		return marshal(v[0])
	}
	return marshal(map[string]any{"blocks": []cite.Report(v)})
}

// marshal writes JSON without escaping what only HTML needs escaped.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Proofs hands pages to cite.Verify.
func (svc *Service) Proofs() cite.Source { return corpus.Proofs{Corpus: svc.home.Corpus} }

// ParseBlock reads an AOP-FINAL block; a malformed one is INVALID_REQUEST.
func ParseBlock(block string) (cite.Block, error) {
	b, err := cite.ParseBlock(block)
	if err != nil {
		return b, contract.Invalid("block", "%v", err)
	}
	return b, nil
}
