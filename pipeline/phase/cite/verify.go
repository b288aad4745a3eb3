package cite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/text/plural"
	"docent/store/doc"
)

// Source gives the texts of pages as they are now. path is the path of the block's
// Path line inside the doc set, with slashes; it never has "..". sha256AtIndexing is
// the hash, in hex, of the text that was indexed, "" if it is unknown. The error
// wraps fs.ErrNotExist for a doc set or page that does not exist; any other error
// ends the verification.
type Source interface {
	Page(ctx context.Context, ref doc.Ref, path string) (text []byte, sha256AtIndexing string, err error)
}

// URLs is an optional interface of a Source: the URL of a page, "" if it is unknown.
// Without it a block's Source line is right if its URL occurs in the page or is the
// page's path.
type URLs interface {
	URL(ctx context.Context, ref doc.Ref, path string) (string, error)
}

// Conversions is an optional interface of a Source, for pages whose text a parser
// makes: why the text may differ from the indexed one although its source does not,
// for example because another version of the parser made it; "" if it cannot differ.
type Conversions interface {
	Conversion(ctx context.Context, ref doc.Ref, path string) (string, error)
}

// Outlines is an optional interface of a Source: the title of a page and its sections, as
// its parser reads them in the page as it is. Without it a heading of a Section line is
// right if its letters stand in a line of the page. A title may stand nowhere in the text
// (of a page of HTML it may come from <title>), and the letters of a heading with a link
// or a tag in it are not those of its line.
type Outlines interface {
	Outline(ctx context.Context, ref doc.Ref, path string) (title string, sections []doc.Section, err error)
}

// Verify compares a block with the pages that it cites. A block is verified if each
// part has every line of its page, in order, either unchanged or covered by an
// omission line with exactly its range, and if header, citation lines and END line
// are as Cite writes them.
//
// Lines are compared byte by byte, except for a carriage return at their end and a
// byte order mark at the page's beginning. If the page changed since it was indexed,
// lines that differ are reported as unverified, not as altered.
//
// A page may contain citation lines of its own, so a block may be read in several
// ways. A reading that verifies is preferred, then the one with the fewest
// unexplained lines. Time and memory are linear in the sizes of block and pages,
// apart from bounded windows.
//
// A model's summary (contract.SummaryLines) is always unverified, and the block is
// then unverified too. All other lines must be the page's.
func Verify(ctx context.Context, b Block, src Source) (Report, error) {
	rep, err := verifyBlock(ctx, b, src)
	if err != nil || rep.State == StateVerified {
		return rep, err // even if a page itself has lines of summaries
	}
	with, err := verifySummaries(ctx, b, src)
	if err != nil {
		return Report{}, err
	}
	// The lines may be the page's own: then reading them as summaries alters more.
	if with == nil || rep.Altered > 0 && rep.Altered < with.Altered {
		return rep, nil
	}
	return *with, nil
}

func verifyBlock(ctx context.Context, b Block, src Source) (Report, error) {
	v := &verifier{ctx: ctx, b: b, src: src, ids: map[string]int32{}, pages: map[string]*page{},
		steps: 64*len(b.body) + 1<<20, cells: maxCells}
	v.body = v.internLines(b.body)
	v.marks = make([][2]int32, len(b.body))
	for i, line := range b.body {
		if first, last, ok := contract.ParseOmission(line); ok {
			v.marks[i] = [2]int32{int32(first), int32(last)}
		}
	}
	parts, err := v.splitParts()
	if err != nil {
		return Report{}, err
	}
	rep := Report{State: StateVerified, Documents: []DocumentReport{}, Findings: slices.Clone(b.findings)}
	if rep.Findings == nil {
		rep.Findings = []Finding{}
	}
	for i, p := range parts {
		d, findings, err := v.verifyDocument(i+1, p)
		if err != nil {
			return Report{}, err
		}
		rep.Documents = append(rep.Documents, d)
		rep.Findings = append(rep.Findings, findings...)
	}
	for i, p := range parts {
		rep.Documents[i].cited = p.cite.at >= 0
		rep.Documents[i].set, rep.Documents[i].inBlock = p.cite.set, p.cite.path
	}
	rep.finishReport(b)
	return rep, nil
}

// verifier is the state of one verification. Lines are compared by their ids: equal
// lines have equal ids.
type verifier struct {
	ctx   context.Context
	b     Block
	src   Source
	ids   map[string]int32
	body  []int32    // ids of the block's body
	marks [][2]int32 // omission ranges of the body's lines, [0, 0]: none
	pages map[string]*page
	// The rest of the budget for aligning all parts: lines to look at, cells of tables
	// to fill.
	steps, cells int
	scratch      scratch
}

// page is one page, or the reason why it is missing.
type page struct {
	ref     doc.Ref
	path    string // inside the doc set
	why     string // the reason why it is missing, "" if it is not
	src     []byte
	text    []string
	ids     []int32
	first   int32 // id of the first line without its byte order mark
	changed bool
	// converted is not "" where the source is the indexed one and the text was
	// made anew; then changed reports whether it came out differently.
	converted string
	// outline is what Outlines say of the page, made when first needed.
	outline *outline
	stands  []int // per line: the number of the last part that quotes it
	// where is the first line of each id, made when first needed.
	where map[int32]int32
}

// part is one document of the block: body[start:cite.content] is its content. A part
// without citation lines (cite.at < 0) is text outside of any document.
type part struct {
	start int
	cite  citation
}

func (v *verifier) internLines(lines []string) []int32 {
	ids := make([]int32, len(lines))
	for i, l := range lines {
		id, ok := v.ids[l]
		if !ok {
			id = int32(len(v.ids))
			v.ids[l] = id
		}
		ids[i] = id
	}
	return ids
}

// isSameLine reports whether a line of the body is a line of a page.
func (v *verifier) isSameLine(i int, pg *page, s int) bool {
	return v.body[i] == pg.ids[s] || s == 0 && v.body[i] == pg.first
}

// pageOfPath fetches the page that a Path line names, once.
func (v *verifier) pageOfPath(pathLine string) (*page, error) {
	if p, ok := v.pages[pathLine]; ok {
		return p, nil
	}
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	p, err := v.fetchPage(pathLine)
	if err != nil {
		return nil, err
	}
	v.pages[pathLine] = p
	return p, nil
}

func (v *verifier) fetchPage(pathLine string) (*page, error) {
	p := &page{path: pathLine}
	rest, ok := strings.CutPrefix(pathLine, root+"/")
	if !ok {
		p.why = fmt.Sprintf("the path does not begin with %s/", root)
		return p, nil
	}
	set, file, _ := strings.Cut(rest, "/")
	ref, err := doc.ParseRef(set)
	if err != nil {
		p.why = err.Error()
		return p, nil
	}
	if ref.Version == "" {
		ref.Version = doc.DefaultVersion
	}
	p.ref, p.path = ref, file
	if file == "" || slices.Contains(strings.Split(file, "/"), "..") {
		p.why = "the path names no page of a doc set"
		return p, nil
	}
	src, sum, err := v.src.Page(v.ctx, ref, file)
	if errors.Is(err, fs.ErrNotExist) {
		p.why = "there is no such page"
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s of %s to verify it: %w", file, ref, err)
	}
	p.src = src
	if sum != "" {
		now := sha256.Sum256(src)
		p.changed = !strings.EqualFold(sum, hex.EncodeToString(now[:]))
	}
	if c, can := v.src.(Conversions); can {
		if p.converted, err = c.Conversion(v.ctx, ref, file); err != nil {
			return nil, fmt.Errorf("looking up how the text of %s of %s was made: %w", file, ref, err)
		}
	}
	p.text = sourceLines(src)
	p.ids = v.internLines(p.text)
	p.stands = make([]int, len(p.ids))
	v.steps += 64 * len(p.ids)
	if len(p.text) > 0 {
		p.first = v.internLines([]string{strings.TrimPrefix(p.text[0], bom)})[0]
	}
	return p, nil
}

// sourceLines are a page's lines without "\n" and "\r\n".
func sourceLines(src []byte) []string {
	if len(src) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return lines
}

const bom = "\ufeff"

// verifyDocument verifies one part; parts are numbered from 1.
func (v *verifier) verifyDocument(number int, p part) (DocumentReport, []Finding, error) {
	lines := v.unreadLines(p.start, p.cite.content)
	if p.cite.at < 0 {
		return DocumentReport{State: StateAltered, Lines: lines}, []Finding{{Kind: FindingNoCitation, Line: v.textLine(p.start),
				LastLine: v.textLine(max(p.start, p.cite.content-1)),
				Message:  "no Source, Path and Document Set lines belong to this text"}},
			nil
	}
	pg, err := v.pageOfPath(p.cite.path)
	if err != nil {
		return DocumentReport{}, nil, err
	}
	d := DocumentReport{Path: pg.path, URL: p.cite.url, State: StateVerified, SourceLines: len(pg.text), Lines: lines}
	if pg.ref != (doc.Ref{}) {
		d.DocSet = pg.ref.String()
	}
	at := v.textLine(p.cite.at)
	findings, err := v.verifyCitation(p.cite, pg)
	if err != nil {
		return d, nil, err
	}
	if len(findings) > 0 {
		d.State = StateAltered
	}
	if pg.why != "" {
		if d.State == StateVerified {
			d.State = StateSourceMissing
		}
		return d, append(findings, Finding{Kind: FindingMissing, Line: at,
			Message: fmt.Sprintf("%s: %s; the content cannot be verified", printable(p.cite.path), printable(pg.why))}), nil
	}
	a := v.alignPage(number, p.start, p.cite.content, pg)
	d.Lines = a.lineVerdicts()
	hunks := a.findingsOfGap()
	wrong, err := v.sectionLines(p.cite, pg, d.Lines)
	if err != nil {
		return d, nil, err
	}
	if len(wrong) > 0 && !pg.changed {
		d.State = StateAltered
		findings = append(findings, wrong...)
	}
	if pg.changed {
		differ := 0
		for i := range d.Lines {
			if d.Lines[i].Verdict == Altered {
				d.Lines[i].Verdict = Unverified
				differ++
			}
		}
		if pg.converted != "" {
			return d, append(findings, d.converted(pg, at, differ)), nil
		}
		if d.State == StateVerified {
			d.State = StateSourceChanged
		}
		message := "the page changed since it was indexed; what is quoted stands in it as it is now"
		if len(hunks) > 0 {
			message = fmt.Sprintf("the page changed since it was indexed; %s differ from it as it is now: update the doc set and ask again",
				plural.Count(differ, "quoted line", "quoted lines"))
		}
		return d, append(findings, Finding{Kind: FindingChanged, Line: at, Message: message}), nil
	}
	if pg.converted != "" {
		findings = append(findings, Finding{Kind: FindingConverted, Line: at, Message: pg.converted + "; it is the same text"})
	}
	if len(hunks) > 0 {
		d.State = StateAltered
	}
	return d, append(findings, hunks...), nil
}

// converted reports a page with the indexed source and another text. Lines that differ
// may be altered or be the former text: it is impossible to know.
func (d *DocumentReport) converted(pg *page, at, differ int) Finding {
	message := pg.converted + "; what is quoted stands in the new text too"
	if differ > 0 {
		message = fmt.Sprintf("%s; %s differ from the new text: update the doc set and ask again", pg.converted,
			plural.Count(differ, "quoted line", "quoted lines"))
		if d.State == StateVerified {
			d.State = StateUnverified
		}
	}
	return Finding{Kind: FindingConverted, Line: at, Message: message}
}

// unreadLines reports the lines of a part as unverified.
func (v *verifier) unreadLines(start, end int) []Line {
	lines := make([]Line, 0, max(0, end-start))
	for i := start; i < end; i++ {
		lines = append(lines, Line{Line: v.textLine(i), Verdict: Unverified})
	}
	return lines
}

// textLine maps a line of the body to the text.
func (v *verifier) textLine(i int) int { return v.b.placeOfLine(i) }

// verifyCitation checks the three citation lines of a part.
func (v *verifier) verifyCitation(c citation, pg *page) ([]Finding, error) {
	findings := slices.Clone(c.faults)
	at := v.textLine(c.at)
	if pg.ref != (doc.Ref{}) && c.set != "" && c.set != pg.ref.ColonForm() {
		findings = append(findings, Finding{Kind: FindingCitation, Line: at + 2,
			Message: fmt.Sprintf("the Document Set line says %s, the Path line %s", printable(c.set), pg.ref.ColonForm())})
	}
	if pg.why != "" || slices.ContainsFunc(c.faults, func(f Finding) bool { return f.Kind == FindingCitation }) {
		return findings, nil
	}
	ok, want, err := v.urlStands(c, pg)
	if err != nil {
		return nil, err
	}
	if !ok {
		findings = append(findings, Finding{Kind: FindingCitation, Line: at,
			Message: fmt.Sprintf("the Source line says %s, the page is from %s", printable(c.url), printable(want))})
	}
	return findings, nil
}

func (v *verifier) urlStands(c citation, pg *page) (ok bool, want string, err error) {
	if c.url == escapeName(pg.path, false) || c.url == escapeName(c.path, false) {
		return true, "", nil
	}
	if urls, can := v.src.(URLs); can {
		want, err = urls.URL(v.ctx, pg.ref, pg.path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, "", fmt.Errorf("looking up where %s of %s is from: %w", pg.path, pg.ref, err)
		}
		if want != "" {
			return c.url == contract.EscapeURL(want), want, nil
		}
	}
	return standsWhole(pg.src, c.url), "elsewhere (this address does not stand in it)", nil
}

// standsWhole reports whether a URL occurs in a page, and not only as the beginning of a
// longer one.
func standsWhole(src []byte, url string) bool {
	if url == "" {
		return false
	}
	for {
		i := bytes.Index(src, []byte(url))
		if i < 0 {
			return false
		}
		src = src[i+len(url):]
		if len(src) == 0 || bytes.IndexByte([]byte(" \t\r\n\"'<>)]*`|,;"), src[0]) >= 0 {
			return true
		}
	}
}

// finishReport adds the counts, the findings and the state of the whole block.
func (r *Report) finishReport(b Block) {
	var sets, paths []string
	for _, d := range r.Documents {
		r.Lines += len(d.Lines)
		for _, l := range d.Lines {
			switch l.Verdict {
			case Verbatim:
				r.Verbatim++
			case Omitted:
				r.Omissions++
			case Unverified:
				r.Unverified++
			case Altered:
				r.Altered++
			}
		}
		if d.cited {
			sets, paths = append(sets, d.set), append(paths, d.inBlock)
		}
	}
	if b.Lines != r.Lines {
		r.Findings = append(r.Findings, Finding{Kind: FindingLineCount, Line: b.StartLine,
			Message: fmt.Sprintf("the header says %d content lines, there are %d", b.Lines, r.Lines)})
	}
	if want := headerLine(max(0, b.Lines), sets, paths); b.header != want {
		r.Findings = append(r.Findings, Finding{Kind: FindingHeader, Line: b.StartLine,
			Message: "the first line should be: " + printable(headerLine(r.Lines, sets, paths))})
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return a.Line - b.Line })
	worst := 0
	states := []string{StateVerified, StateUnverified, StateSourceChanged, StateSourceMissing, StateAltered}
	for _, d := range r.Documents {
		worst = max(worst, slices.Index(states, d.State))
	}
	for _, f := range r.Findings {
		if f.Kind != FindingChanged && f.Kind != FindingMissing && f.Kind != FindingSummary && f.Kind != FindingConverted {
			worst = len(states) - 1
		}
	}
	r.State = states[worst]
}
