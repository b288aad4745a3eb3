package questionset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/phase/search"
	"docent/store/doc"
)

// Arm is a way to ask for an answer.
type Arm struct {
	Name      string
	Extent    string
	MaxTokens int
}

// arms lists the ways that are measured.
func arms() []Arm {
	return []Arm{{"sections", contract.ExtentSections, 0}, {"documents", contract.ExtentDocuments, 0},
		{"2000 tokens", contract.ExtentDocuments, 2000}, {"800 tokens", contract.ExtentDocuments, 800}}
}

// Block is what an arm gave for a question.
type Block struct {
	Last  int `json:"last_line"` // content line by which all nuggets stood; 0: they do not
	Lines int `json:"lines"`
	Pages int `json:"pages"` // that it cites
}

// Answered reports whether all nuggets stand in the block.
func (b Block) Answered() bool { return b.Last > 0 }

// Outcome is what a program made of a question.
type Outcome struct {
	Question
	Set string `json:"set"`
	// Blocks are those of the arms, and of the neutral arms: "first N whole", "greedy".
	Blocks map[string]Block `json:"blocks"`
	Leads  bool             `json:"first_hit_leads"` // the block begins with the page of the first hit, and has its section
	// PageRank and SectionRank are the places of the first page and section that answer,
	// from 1; 0: they were not found.
	PageRank    int  `json:"page_rank"`
	SectionRank int  `json:"section_rank"`
	Said        bool `json:"said_missing"` // that the documentation has probably no answer
	Weak        bool `json:"weak_doubt"`   // that nothing reached the threshold
}

// Asker asks questions of a library.
type Asker struct {
	l        *Library
	set      Set
	together bool // all doc sets of the library are searched
	// found are the sections of the library, by page and anchor.
	found map[string]section
}

// Asker prepares to ask questions of a doc set: of it alone, or of all sets together.
func (l *Library) Asker(ctx context.Context, s Set, together bool) (*Asker, error) {
	a := &Asker{l: l, set: s, together: together, found: map[string]section{}}
	sets := []Set{s}
	if together {
		sets = l.sets
	}
	for _, one := range sets {
		all, err := l.sections(ctx, one)
		if err != nil {
			return nil, err
		}
		for _, sec := range all {
			a.found[sectionKey(one.Name+"@"+version, sec.Doc, sec.Anchor)] = sec
		}
	}
	return a, nil
}

// sectionKey names a section. Questions give anchors without the sign of those that docent made.
func sectionKey(set, page, anchor string) string {
	return set + "\x00" + page + "\x00" + strings.TrimPrefix(anchor, doc.MadeAnchor)
}

// For is the same asker for the questions of another doc set of the library.
func (a *Asker) For(s Set) *Asker {
	return &Asker{l: a.l, set: s, together: a.together, found: a.found}
}

// Ask asks a question under all arms.
func (a *Asker) Ask(ctx context.Context, q Question) (Outcome, error) {
	out := Outcome{Question: q, Set: a.set.Name, Blocks: map[string]Block{}}
	req := pipeline.Request{Question: q.Query}
	if !a.together {
		req.DocSets = []string{a.set.Name + "@" + version}
	}
	session := a.l.Measure.Pipelines.Ask.NewSession(req)
	for i, arm := range arms() {
		session.Change(func(r *pipeline.Request) {
			r.Preferences = contract.Preferences{Extent: arm.Extent, MaxTokens: arm.MaxTokens}
		})
		res, err := session.Run(ctx, nil)
		if e, refused := errors.AsType[*contract.Error](err); refused && e.Code == contract.CodeInvalidRequest {
			out.Blocks[arm.Name] = Block{} // such as a budget that is too small
			continue
		}
		if err != nil {
			return out, fmt.Errorf("%s: %w", q.ID, err)
		}
		lines := contentLines(res.Final)
		out.Blocks[arm.Name] = Block{Last: a.judge(lines, q), Lines: len(lines), Pages: citedPages(res.Citations)}
		if i == 0 {
			a.readPhases(&out, res)
		}
	}
	if !q.Answerable() {
		return out, nil
	}
	return out, a.rank(ctx, &out, req)
}

func citedPages(citations []contract.Citation) int {
	pages := map[string]bool{}
	for _, c := range citations {
		pages[c.DocSet+"/"+c.FilePath] = true
	}
	return len(pages)
}

func (a *Asker) judge(lines []string, q Question) int {
	if !q.Answerable() {
		return 0
	}
	return lastLine(lines, q.Nuggets)
}

// readPhases notes the doubt of a run, and whether its first hit leads the block.
func (a *Asker) readPhases(out *Outcome, res pipeline.Result) {
	r := res.Phases.Rerank
	if r == nil || len(r.Results) == 0 || res.Final == "" {
		out.Said = true
		return
	}
	out.Said, out.Weak = r.Unanswered, r.BelowThreshold
	first := search.FlatPlaces(r.Results)[0]
	if len(res.Citations) == 0 || res.Citations[0].FilePath != first.FilePath || res.Citations[0].DocSet != first.DocSet {
		return
	}
	hit, known := a.found[sectionKey(first.DocSet, first.FilePath, first.Anchor)]
	out.Leads = !known || slices.ContainsFunc(res.Citations, func(c contract.Citation) bool {
		return c.DocSet == first.DocSet && c.FilePath == first.FilePath && c.Lines[0] <= hit.lines[1] && c.Lines[1] >= hit.lines[0]
	})
}

// rank notes the places of the page and the section that answer in the ranking of
// everything that was found, and what the neutral arms give.
func (a *Asker) rank(ctx context.Context, out *Outcome, req pipeline.Request) error {
	zero := 0.0
	req.Threshold = &zero
	res, err := a.l.Measure.Pipelines.Ask.NewSession(req).RunTo(ctx, contract.PhaseRerank, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", out.ID, err)
	}
	var ranked []section
	var pages []string
	if res.Phases.Rerank != nil {
		for _, p := range search.FlatPlaces(res.Phases.Rerank.Results) {
			right := p.DocSet == a.set.Name+"@"+version
			key := p.DocSet + "/" + a.set.pageKey(p.FilePath)
			if !slices.Contains(pages, key) {
				pages = append(pages, key)
			}
			if right && out.PageRank == 0 && slices.ContainsFunc(out.places(), func(g Place) bool {
				return a.set.pageKey(g.Doc) == a.set.pageKey(p.FilePath)
			}) {
				out.PageRank = len(pages)
			}
			one, known := a.found[sectionKey(p.DocSet, p.FilePath, p.Anchor)]
			if !known {
				continue
			}
			ranked = append(ranked, one)
			if right && out.SectionRank == 0 && slices.ContainsFunc(out.places(), func(g Place) bool { return a.same(one, g) }) {
				out.SectionRank = len(ranked)
				if out.PageRank == 0 { // a copy of the section, on another page
					out.PageRank = slices.Index(pages, key) + 1
				}
			}
		}
	}
	for _, k := range []int{1, 3, 5, 8} {
		lines := firstSections(ranked, k)
		out.Blocks[fmt.Sprintf("first %d whole", k)] = Block{Last: lastLine(lines, out.Nuggets), Lines: len(lines)}
	}
	lines := greedy(ranked)
	out.Blocks["greedy"] = Block{Last: lastLine(lines, out.Nuggets), Lines: len(lines)}
	return nil
}

// same reports whether a section is a place, the same one of another version, or a copy.
func (a *Asker) same(s section, p Place) bool {
	if gold, known := a.found[sectionKey(a.set.Name+"@"+version, p.Doc, p.Anchor)]; known && gold.text == s.text {
		return true
	}
	s.Doc, p.Doc = a.set.pageKey(s.Doc), a.set.pageKey(p.Doc)
	return s.is(p)
}
