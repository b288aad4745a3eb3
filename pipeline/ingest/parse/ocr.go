package parse

import (
	"context"
	"strings"
)

// OCR is how scanned pages of one document are read that a person wants read otherwise
// than the configuration has it. The zero value: as the configuration has it.
type OCR struct {
	Mode      string   // in the words of specification 4; "": the configuration's
	Languages []string // nil: the configuration's
}

// IsZero reports whether nothing is wanted.
func (o OCR) IsZero() bool { return o.Mode == "" && len(o.Languages) == 0 }

// String is the mode and the languages: "force en,de"; "" for none.
func (o OCR) String() string {
	return strings.TrimRight(o.Mode+" "+strings.Join(o.Languages, ","), " ")
}

// ParseOCR reads what String wrote.
func ParseOCR(text string) OCR {
	mode, languages, ok := strings.Cut(strings.TrimRight(text, "\n"), " ")
	o := OCR{Mode: mode}
	if ok {
		o.Languages = strings.Split(languages, ",")
	}
	return o
}

type ocrKey struct{}

// withOCR has scanned pages read in this way by the parsers that get the context.
func withOCR(ctx context.Context, o OCR) context.Context {
	return context.WithValue(ctx, ocrKey{}, o)
}

// OCRFrom is what withOCR set.
func OCRFrom(ctx context.Context) OCR {
	o, _ := ctx.Value(ocrKey{}).(OCR)
	return o
}
