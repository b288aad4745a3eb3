package contract

import (
	"bytes"
	"encoding/json"

	"docent/store/doc"
)

// ExtractInput is what phase 2 reads: phase 1.5's output, or titles.
type ExtractInput struct {
	PageTitles []string `json:"page_titles,omitempty"`
	DocSets    string   `json:"doc_sets,omitempty"` // comma-separated
	Threshold  *int     `json:"threshold,omitempty"`
	Results    []Result `json:"results,omitempty"`
	MaxDocs    int      `json:"max_docs,omitempty"` // additive
	// Sections says that a block of sections is wanted: then the headings of Near are
	// taken too, after those of Results. Additive.
	Sections bool     `json:"sections,omitempty"`
	Near     []Result `json:"near,omitempty"`
	Context  *Context `json:"context,omitempty"`
}

// Extraction is what phase 2 writes (spec 3's ExtractionResult).
type Extraction struct {
	Contents           map[string]string `json:"contents"`
	TotalLineCount     int               `json:"total_line_count"`
	IndividualCounts   map[string]int    `json:"individual_counts"`
	RequiresProcessing bool              `json:"requires_processing"`
	Documents          []Extracted       `json:"documents"`
	NotFound           []string          `json:"not_found"`
	Summary            string            `json:"summary"`
	Context            *Context          `json:"context,omitempty"`

	// order is the keys of Contents as the JSON that it was read from has them.
	order []string
}

// UnmarshalJSON reads an extraction and keeps the order of its contents.
func (e *Extraction) UnmarshalJSON(raw []byte) error {
	type plain Extraction
	var fields struct {
		*plain
		Contents objectKeys `json:"contents"`
	}
	if err := json.Unmarshal(raw, (*plain)(e)); err != nil {
		return err
	}
	fields.plain = &plain{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	e.order = fields.Contents
	return nil
}

// Keys are the keys of Contents: as they stood in the JSON, then others by name.
func (e Extraction) Keys() []string {
	return orderedKeys(e.order, e.Contents)
}

// objectKeys are the keys of a JSON object in order.
type objectKeys []string

// UnmarshalJSON reads the keys and skips the values.
func (k *objectKeys) UnmarshalJSON(raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return err
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		*k = append(*k, key)
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			return err
		}
	}
	return nil
}

// Extracted is one document of an extraction; its content stands under Key.
type Extracted struct {
	Key      string `json:"key,omitempty"` // additive: key in contents where it is not Title
	Title    string `json:"title"`
	DocSet   string `json:"doc_set"` // Name@version
	Version  string `json:"version"`
	FilePath string `json:"file_path"`
	URL      string `json:"url"`
	Lines    int    `json:"lines"`
	SHA256   string `json:"sha256"`
	Changed  bool   `json:"changed"`
	Layout   string `json:"layout,omitempty"` // additive: titled or tree
	// Format is the format of the source; "": Markdown. Phase 3 reads the content
	// by the rules of this format. Additive.
	Format doc.Format `json:"format,omitempty"`
	// Headings are the sections of the document that phase 1.5 kept, best first,
	// without what explains their scores. Phase 3 keeps them first. Additive.
	Headings []Heading `json:"headings,omitempty"`
	// LeftOut are the sections that a person leaves out of a block of sections, by
	// PathName. Additive.
	LeftOut []string `json:"left_out,omitempty"`
	// Quoted are the sections of which lines stand in a block of sections, in the
	// page's order; nil in a block of whole documents. Additive.
	Quoted []Quote `json:"quoted,omitempty"`
	// Runs say where the lines of the page's text stand in its source; nil where the
	// text is the source. Additive.
	Runs []SourceRun `json:"source_runs,omitempty"`
	// Anchors are the names of the page's sections in its source, by the line of the
	// text on which each begins; nil where they are made of the headings. Additive.
	Anchors []LineAnchor `json:"anchors,omitempty"`
	// Generator is the program that makes the page's web site, by which its sections have
	// their anchors there; "" where it is not known. Additive.
	Generator doc.Generator `json:"generator,omitempty"`
}

// Quote is a section of which lines stand in the final block.
type Quote struct {
	Path   []string `json:"heading_path"` // headings from the outermost to this one; empty before the first heading
	Anchor string   `json:"anchor,omitempty"`
	Lines  [2]int   `json:"lines"`           // first and last quoted line of the page, from 1
	Whole  bool     `json:"whole,omitempty"` // nothing of the section is left out
}

// ContentKey is the document's key in contents and individual_counts.
func (e Extracted) ContentKey() string {
	if e.Key != "" {
		return e.Key
	}
	return e.Title
}

// SetRef parses DocSet; the zero Ref if it is invalid.
func (e Extracted) SetRef() doc.Ref {
	r, err := doc.ParseRef(e.DocSet)
	if err != nil {
		return doc.Ref{}
	}
	return r
}

// Actions of phase 2.5.
const (
	ActionSkip    = "skip"
	ActionProcess = "process"
)

// Check is what phase 2.5 writes. FullRequested, CompressionRequested and MaxTokens
// join a person's flags (additive) and the question's own preferences.
type Check struct {
	Action               string     `json:"action"`
	Reason               string     `json:"reason"`
	TotalLineCount       int        `json:"total_line_count"`
	CompressionRequested bool       `json:"compression_requested"`
	FullRequested        bool       `json:"full_requested"`
	MaxTokens            int        `json:"max_tokens,omitempty"`
	Summarize            bool       `json:"summarize,omitempty"` // a model may write; additive
	Extent               string     `json:"extent,omitempty"`    // documents ("" too) or sections; additive
	Lines                int        `json:"lines,omitempty"`     // of a block of sections, at most; 0: DefaultLines; additive
	Extraction           Extraction `json:"extraction"`
	Context              *Context   `json:"context,omitempty"`
}

// Actions of phase 3.
const (
	ActionFull       = "full"
	ActionUnchanged  = "unchanged"
	ActionCompressed = "compressed"
)

// Processed is what phase 3 writes.
type Processed struct {
	Action    string            `json:"action"`
	Contents  map[string]string `json:"contents"`
	LineCount int               `json:"line_count"`
	Omitted   []Omission        `json:"omitted"`
	// Documents in order, as phase 2 found them. Additive.
	Documents []Extracted `json:"documents"`
	Context   *Context    `json:"context,omitempty"`
}

// LeftOut is how many lines of the documents were left out.
func (p Processed) LeftOut() int {
	n := 0
	for _, o := range p.Omitted {
		n += o.Lines[1] - o.Lines[0] + 1
	}
	return n
}

// Kept is how many of the documents' lines stand in the block. LineCount is more: it counts the lines that
// stand for omissions too.
func (p Processed) Kept(total int) int { return max(0, total-p.LeftOut()) }

// Omission says that lines [A, B] of a document, both included, were left out.
type Omission struct {
	Title string `json:"title"` // the document's content key
	Lines [2]int `json:"lines"`
	// Bytes is the size of the lines if one of them was left out because it is longer
	// than anybody reads (64 KB), else 0. Additive.
	Bytes int `json:"bytes,omitempty"`
}

// Citation names the source of a part of the final block: a document, or a section
// in a block of sections. Lines are the first and the last line of the page's text
// that the block quotes of it.
type Citation struct {
	DocSet    string `json:"doc_set"`
	PageTitle string `json:"page_title"`
	FilePath  string `json:"file_path"`
	URL       string `json:"url"` // with the section's anchor
	Lines     [2]int `json:"lines"`
	SHA256    string `json:"sha256"`
	// HeadingPath is the section's headings from the outermost; nil for a document.
	// Additive.
	HeadingPath []string `json:"heading_path,omitempty"`
	// Source is the place of the lines in the source, where that is not the text.
	// Additive.
	Source SourcePlace `json:"source,omitzero"`
}

// Trace says which engine answered a phase, and why another one did not.
type Trace struct {
	Engine   string     `json:"engine"` // "builtin", "ollama:NAME" ...; "" means builtin
	Degraded []Degraded `json:"degraded,omitempty"`
}

// EngineBuiltin is the engine without a model.
const EngineBuiltin = "builtin"

// Degraded says that another engine than the wanted one answered a phase, and why.
type Degraded struct {
	Phase  string `json:"phase"`
	Wanted string `json:"wanted"`
	Used   string `json:"used"`
	Reason string `json:"reason"`
	// Remedy is the next step, for people; nil where none is known.
	Remedy *Remedy `json:"-"`
}
