package enrich

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
)

// A doc set's enrichments are a file of lines. Each line is a JSON object that begins with
// the checksum of what follows it and with the id of the section; of several lines of one
// section the last counts. The file is only added to, until more of it is out of date than
// not: then it is written anew. A line that is torn or damaged is left out, and its section
// is enriched again.

// Record is the stored enrichment of a section.
type Record struct {
	// SpanID names the section. It stands first, for the index of the file.
	SpanID      string `json:"span_id"`
	FilePath    string `json:"file_path"`
	SectionPath string `json:"section_path"`
	Hash        string `json:"sha256"` // of the text, see Span.Hash
	// Engine made it: "builtin", or "ollama:NAME" with the version of the prompt.
	Engine string `json:"engine"`
	Prompt string `json:"prompt,omitempty"`
	// Chain says which models were to be asked, and how. With another chain the section is
	// enriched again.
	Chain string `json:"chain,omitempty"`
	// Page says of the record of a whole page which state of it was gone through to its
	// end: then none of its sections needs a look.
	Page string `json:"page,omitempty"`
	// Refused are the answers that did not count.
	Refused    []Refusal  `json:"refused,omitempty"`
	Enrichment Enrichment `json:"enrichment"`
	// Edges are relations that a model found where patterns find none.
	Edges []ModelEdge `json:"edges,omitempty"`
	// EdgesOf is the state of the page that the edges are of, as Page.
	EdgesOf string `json:"edges_of,omitempty"`
	// Asked says by which model and prompt edges were looked for; "": not.
	Asked string `json:"asked_edges,omitempty"`
}

// Refusal is an answer that did not count.
type Refusal struct {
	Engine string `json:"engine"`
	Field  string `json:"field,omitempty"`
	Reason Reason `json:"reason"`
	Detail string `json:"detail"`
}

// ModelEdge is a relation that a model found.
type ModelEdge struct {
	Type    string  `json:"edge_type"`
	Score   float64 `json:"score"`
	Path    string  `json:"target_path"` // of the page
	Section string  `json:"target_section_path,omitempty"`
	Match   string  `json:"match_text"`
	Trace   string  `json:"llm_trace_id"`
	Model   string  `json:"model_name"`
}

const (
	crcPrefix  = `{"crc":"`
	spanPrefix = `","span_id":"`
	crcDigits  = 8
	spanDigits = 16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode brings records into the form of the file.
func Encode(records ...Record) ([]byte, error) {
	var out []byte
	for _, r := range records {
		raw, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		rest := raw[1:] // behind the brace
		out = fmt.Appendf(out, `%s%0*x",`, crcPrefix, crcDigits, crc32.Checksum(rest, castagnoli))
		out = append(append(out, rest...), '\n')
	}
	return out, nil
}

// errLine means that a line is torn or damaged.
var errLine = errors.New("a line is torn or damaged")

// decodeRecord reads a line.
func decodeRecord(line []byte) (Record, error) {
	var r Record
	const from = len(crcPrefix) + crcDigits + len(`",`)
	if !hasChecksum(line) {
		return r, errLine
	}
	if err := json.Unmarshal(append([]byte{'{'}, line[from:]...), &r); err != nil || r.Enrichment.Check() != nil ||
		r.SpanID != r.Enrichment.SpanID {
		return r, errLine
	}
	return r, nil
}

// File is an opened file of records. Lines are decoded when they are asked for.
type File struct {
	raw   []byte
	last  map[string][2]int // by span: its line
	lines int
	torn  int // lines that do not even look like one
}

// OpenFile indexes a file.
func OpenFile(raw []byte) *File {
	f := &File{raw: raw, last: map[string][2]int{}}
	for at := 0; at < len(raw); {
		end := bytes.IndexByte(raw[at:], '\n')
		ended := end >= 0
		if !ended {
			end = len(raw) - at
		}
		const id = len(crcPrefix) + crcDigits + len(spanPrefix)
		line := raw[at : at+end]
		switch {
		case len(line) == 0:
		case ended && len(line) > id+spanDigits && bytes.HasPrefix(line, []byte(crcPrefix)) &&
			string(line[id-len(spanPrefix):id]) == spanPrefix && isSpanID(string(line[id:id+spanDigits])):
			f.last[string(line[id:id+spanDigits])] = [2]int{at, at + end}
			f.lines++
		default:
			f.torn++
		}
		at += end + 1
	}
	return f
}

// Get is the record of a section; false without an undamaged one.
func (f *File) Get(span string) (Record, bool) {
	at, ok := f.last[span]
	if !ok {
		return Record{}, false
	}
	r, err := decodeRecord(f.raw[at[0]:at[1]])
	return r, err == nil && r.SpanID == span
}

// EngineOf says which model made the record of a section, "" where none did, without decoding
// all of it; false where there is no record that is whole.
func (f *File) EngineOf(span string) (engine string, ok bool) {
	at, ok := f.last[span]
	if !ok || !hasChecksum(f.raw[at[0]:at[1]]) {
		return "", false
	}
	head := headWithoutTexts(f.raw[at[0]:at[1]])
	if !bytes.Contains(head, promptKey()) {
		return "", true
	}
	// In a text the quotes would have backslashes.
	_, rest, _ := bytes.Cut(head, []byte(`,"engine":`))
	err := json.NewDecoder(bytes.NewReader(rest)).Decode(&engine)
	return engine, err == nil
}

// headWithoutTexts is the part of a line before the texts of models.
func headWithoutTexts(line []byte) []byte {
	head, _, _ := bytes.Cut(line, []byte(`,"enrichment":{`))
	return head
}

func promptKey() []byte { return []byte(`,"prompt":"`) }

// Len is how many sections the file has records of.
func (f *File) Len() int { return len(f.last) }

// hasChecksum reports whether a line has its checksum.
func hasChecksum(line []byte) bool {
	const from = len(crcPrefix) + crcDigits + len(`",`)
	return len(line) >= from && bytes.HasPrefix(line, []byte(crcPrefix)) &&
		string(line[len(crcPrefix):len(crcPrefix)+crcDigits]) == fmt.Sprintf("%0*x", crcDigits, crc32.Checksum(line[from:], castagnoli))
}

// Damaged counts the lines that are torn or damaged, of those that count.
func (f *File) Damaged() int {
	n := f.torn
	for _, at := range f.last {
		if !hasChecksum(f.raw[at[0]:at[1]]) {
			n++
		}
	}
	return n
}

// Totals are counts over the sections of a file.
type Totals struct {
	ByModel   int // a model enriched them
	Truncated int // a field was cut
	Refused   int // an answer did not count
}

// Totals counts without decoding: in a text of a record the quotes would have backslashes.
func (f *File) Totals() Totals {
	var t Totals
	for _, at := range f.last {
		line := f.raw[at[0]:at[1]]
		head := headWithoutTexts(line)
		if bytes.Contains(head, promptKey()) {
			t.ByModel++
		}
		if bytes.Contains(head, []byte(`,"refused":[{`)) {
			t.Refused++
		}
		if bytes.Contains(line[len(head):], []byte(`,"truncated":true`)) {
			t.Truncated++
		}
	}
	return t
}

// WithEdges are the whole records with relations that a model found.
func (f *File) WithEdges() []Record {
	var out []Record
	for span, at := range f.last {
		// In a text the quotes would have backslashes.
		if bytes.Contains(f.raw[at[0]:at[1]], []byte(`,"edges":[{`)) {
			if r, ok := f.Get(span); ok {
				out = append(out, r)
			}
		}
	}
	slices.SortFunc(out, func(a, b Record) int {
		return cmp.Or(strings.Compare(a.FilePath, b.FilePath), strings.Compare(a.SpanID, b.SpanID))
	})
	return out
}

// AllRecords are the whole records, in the order of pages and sections, and how many lines are
// torn or damaged.
func (f *File) AllRecords() (records []Record, damaged int) {
	damaged = f.torn
	for span := range f.last {
		if r, ok := f.Get(span); ok {
			records = append(records, r)
		} else {
			damaged++
		}
	}
	slices.SortFunc(records, func(a, b Record) int {
		if c := strings.Compare(a.FilePath, b.FilePath); c != 0 {
			return c
		}
		return strings.Compare(a.SpanID, b.SpanID)
	})
	return records, damaged
}

// Compact is the file without the lines of sections that are not kept, and without those
// that do not count. false: there is too little to gain.
func (f *File) Compact(keep map[string]bool) ([]byte, bool) {
	var live []Record
	all, damaged := f.AllRecords()
	for _, r := range all {
		if keep == nil || keep[r.SpanID] {
			live = append(live, r)
		}
	}
	if dead := f.lines + f.torn - len(live); damaged == 0 && (dead <= len(live) || dead < 16) {
		return nil, false
	}
	raw, err := Encode(live...)
	return raw, err == nil
}
