package parse

import "context"

type ocrKey struct{}

// WithOCR has scanned pages read in another mode of OCR than the configuration's, in the
// words of specification 4: for one document that a person wants read so.
func WithOCR(ctx context.Context, mode string) context.Context {
	return context.WithValue(ctx, ocrKey{}, mode)
}

// OCR is the mode that WithOCR set, "" for none.
func OCR(ctx context.Context) string {
	mode, _ := ctx.Value(ocrKey{}).(string)
	return mode
}
