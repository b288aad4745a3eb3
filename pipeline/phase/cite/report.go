package cite

import (
	"fmt"
	"strings"

	"docent/pipeline/text/plural"
	"docent/pipeline/text/sanitize"
	"docent/pipeline/text/shorten"
)

// Verdicts on a content line.
const (
	Verbatim   = "verbatim"   // the page's line at this place
	Omitted    = "omission"   // an omission line with the right range
	Unverified = "unverified" // cannot be compared: the page is missing or changed, or a model wrote the line
	Altered    = "altered"    // not the page's line at this place
)

// States of a document and of a block.
const (
	StateVerified      = "verified"
	StateUnverified    = "unverified" // a model wrote some lines, or the parser makes another text of the source now
	StateAltered       = "altered"
	StateSourceChanged = "source_changed" // the page is no longer the one that was indexed
	StateSourceMissing = "source_missing" // there is no such page
)

// Kinds of findings.
const (
	FindingHeader      = "header"           // the first line
	FindingLineCount   = "line_count"       // the header's lines=
	FindingPassThrough = "pass_through"     // the second line
	FindingEnd         = "end_missing"      // no END line
	FindingForm        = "form"             // blank lines and rules between the parts
	FindingCitation    = "citation"         // a Source, Path or Document Set line
	FindingNoCitation  = "citation_missing" // no part can be identified
	FindingAltered     = "altered"          // lines that differ from the source's
	FindingInserted    = "inserted"         // lines that the source does not have
	FindingRemoved     = "removed"          // source lines gone without an omission line
	FindingMoved       = "moved"            // source lines out of order
	FindingDuplicated  = "duplicated"       // source lines that stand here again
	FindingOmission    = "omission"         // an omission line with a wrong range
	FindingSummary     = "summary"          // a model wrote these lines
	FindingChanged     = "source_changed"
	FindingMissing     = "source_missing"
	FindingConverted   = "converted" // the source is unchanged, and its text was converted again
)

// Report is the result of Verify. State is the worst state of the documents and of
// the block itself; from the worst: altered, source_missing, source_changed,
// unverified, verified.
type Report struct {
	State      string           `json:"state"`
	Lines      int              `json:"lines"` // content lines
	Verbatim   int              `json:"verbatim"`
	Omissions  int              `json:"omissions"`
	Unverified int              `json:"unverified"`
	Altered    int              `json:"altered"`
	Documents  []DocumentReport `json:"documents"`
	Findings   []Finding        `json:"findings"`
}

// DocumentReport is the report on one part.
type DocumentReport struct {
	DocSet      string `json:"doc_set"` // Name@version, "" where it cannot be read
	Path        string `json:"path"`    // inside the doc set
	URL         string `json:"url"`     // as the block says
	State       string `json:"state"`
	SourceLines int    `json:"source_lines"` // of the whole page
	Lines       []Line `json:"lines"`

	// Of its citation lines, as the block has them.
	cited        bool
	set, inBlock string
}

// Line is the verdict on one content line. Numbers count from 1; 0: none.
type Line struct {
	Line       int    `json:"line"` // in the text that was given
	Verdict    string `json:"verdict"`
	SourceLine int    `json:"source_line,omitempty"` // its place; for an altered line the nearest
	SourceLast int    `json:"source_last,omitempty"` // of an omission
	Text       string `json:"text,omitempty"`        // of an altered line
	Nearest    string `json:"nearest,omitempty"`     // the source's text for an altered line
}

// Finding is one difference between a block and what Cite would write.
type Finding struct {
	Kind        string `json:"kind"`
	Line        int    `json:"line"`                  // in the text that was given, from 1
	LastLine    int    `json:"last_line,omitempty"`   // where several lines are meant
	SourceLines [2]int `json:"source_lines,omitzero"` // [0, 0]: none
	Message     string `json:"message"`
}

// maxListed is the most findings and the most lines that String lists.
const maxListed = 50

// String is the report for a person: a line with the state, then the documents and
// the findings.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s in %s: %d verbatim, %d omission lines, %d unverified, %d altered\n",
		r.State, plural.Count(r.Lines, "line", "lines"), plural.Count(len(r.Documents), "document", "documents"), r.Verbatim, r.Omissions,
		r.Unverified, r.Altered)
	for _, d := range r.Documents {
		fmt.Fprintf(&b, "  %-14s  %s  %s  (%s)\n", d.State, printable(d.DocSet), printable(d.Path),
			plural.Count(len(d.Lines), "line", "lines"))
	}
	for i, f := range r.Findings {
		if i == maxListed {
			fmt.Fprintf(&b, "  … and %d more findings\n", len(r.Findings)-i)
			break
		}
		fmt.Fprintf(&b, "  line %s: %s\n", spanText(f.Line, max(f.Line, f.LastLine)), f.Message)
	}
	listed := 0
	for _, d := range r.Documents {
		for _, l := range d.Lines {
			if l.Verdict != Altered || listed == maxListed {
				continue
			}
			listed++
			fmt.Fprintf(&b, "  block  %6d | %s\n", l.Line, printable(l.Text))
			if l.SourceLine > 0 {
				fmt.Fprintf(&b, "  source %6d | %s\n", l.SourceLine, printable(l.Nearest))
			}
		}
	}
	return b.String()
}

// printable makes a line of a document short and safe for a terminal.
func printable(s string) string {
	return shorten.Runes(sanitize.Blank(s), 160)
}

func spanText(a, b int) string {
	if a == b {
		return fmt.Sprint(a)
	}
	return fmt.Sprintf("%d–%d", a, b)
}
