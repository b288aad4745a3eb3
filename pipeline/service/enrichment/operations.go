package enrichment

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/operation"
	"docent/pipeline/text/plural"
)

// NamedRequest is what enrich is asked for: doc sets to enrich, or a page or section to show.
type NamedRequest struct {
	Names []string       `json:"names,omitempty" arg:"SET" doc:"doc sets, or a page"`
	Sets  []string       `json:"doc_sets,omitempty" flag:"set" doc:"narrows to these doc sets"`
	Most  *int           `json:"max,omitempty" flag:"max" doc:"sections at most"`
	Time  *time.Duration `json:"time,omitempty" flag:"time" doc:"how long models are asked"`
	Again *bool          `json:"again,omitempty" flag:"again" doc:"enrich sections that did not change too"`
}

// page is the page or section that is asked for, "": none is.
func (r NamedRequest) page() string {
	if name := strings.Join(r.Names, " "); strings.Contains(name, "/") {
		return name
	}
	return ""
}

// CheckRequest is operation.Checked's.
func (r NamedRequest) CheckRequest() error {
	for _, f := range []struct {
		name  string
		given bool
	}{{"max", r.Most != nil}, {"time", r.Time != nil}, {"again", r.Again != nil}} {
		if page := r.page(); f.given && page != "" {
			return contract.Invalid(f.name, "--%s is for enriching doc sets; %s is a page", f.name, page)
		}
	}
	switch {
	case r.Most != nil && *r.Most < 0:
		return contract.Invalid("max", "--max is %d; give a number of sections", *r.Most)
	case r.Time != nil && *r.Time < 0:
		return contract.Invalid("time", "--time is %v; give a time such as 10m", *r.Time)
	}
	return nil
}

// Reports are the answer where doc sets were enriched; an Enriched is the answer for a page or
// section.
type Reports struct {
	Sets []EnrichReport `json:"sets"`
}

// Operations are what the service offers at the doors.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.Watched(phaseEnrich, "summaries, concepts, warnings of sections: make them, or show those of one",
			func(ctx context.Context, svc *Service, req NamedRequest, sink contract.Sink) (any, error) {
				return svc.answerNamed(ctx, req, sink)
			}).
			OnCommandLine().
			WithWords(operation.Words{
				Use:    "[SET...] | SET/PAGE[#SECTION]",
				Seldom: true,
				Long: `Enriches the sections of doc sets that changed: by the models of [[enrichment.chain]],
or without one by what the text itself says. What is made stays when it is ended early.
With a page, or a section at an anchor, it prints what is known of that.`,
				Example: `  docent enrich "Docent_Manual/Getting started"`,
				Usage: map[string]string{
					"max":  "ask models about at most so many `SECTIONS`, and leave the rest to the next time",
					"time": "ask models no longer than this `TIME`, such as 10m",
				},
				Completes: operation.SetsOrPage,
				Doing:     "enriching",
				Text: func(answer any, to operation.Paper) {
					switch a := answer.(type) {
					case Reports:
						for _, r := range a.Sets {
							writeReport(r, to)
						}
					case Enriched:
						writeSection(a, to)
					}
				},
			}),
	}
}

func (svc *Service) answerNamed(ctx context.Context, req NamedRequest, sink contract.Sink) (any, error) {
	if name := req.page(); name != "" {
		read := locate.ReadRequest{Sets: req.Sets}
		read.Page, read.Section = svc.locate.PageAndSection(ctx, name, req.Sets)
		e, err := svc.Enrichment(ctx, read)
		if err != nil {
			return nil, err
		}
		return e, nil
	}
	asked := EnrichRequest{Sets: slices.Concat(req.Names, req.Sets), Again: req.Again != nil && *req.Again}
	if req.Most != nil {
		asked.Most = *req.Most
	}
	if req.Time != nil {
		asked.Time = *req.Time
	}
	reports, err := svc.Enrich(ctx, asked, home.Watch{Note: operation.Notes(sink), Events: sink})
	return Reports{reports}, err
}

// mostRefusals is how many answers that did not count are said, unless all are wanted.
const mostRefusals = 5

// writeReport writes how the enrichment of a doc set stands.
func writeReport(r EnrichReport, to operation.Paper) {
	for i, x := range r.Refused {
		if i == mostRefusals && !to.Verbose {
			to.Note("%s: … more answers did not count (-v shows them)", r.Set)
			break
		}
		to.Note("%s/%s: the answer of %s did not count: %s", r.Set, anchored(x.FilePath, x.SectionPath), x.Engine,
			refusalText(x.Field, x.Detail))
	}
	if to.Quiet {
		return
	}
	text := fmt.Sprintf("%s: %d of %s enriched, %d now, %d by models", r.Set, r.Enriched, plural.Count(r.Sections, "section", "sections"),
		r.Made, r.ByModel)
	if len(r.Models) > 0 {
		text += " (" + strings.Join(r.Models, ", ") + ")"
	}
	if r.Truncated > 0 {
		text += fmt.Sprintf(", %d cut", r.Truncated)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Rejected)) {
		text += fmt.Sprintf(", %d refused (%s)", r.Rejected[reason], strings.ReplaceAll(string(reason), "_", " "))
	}
	if r.Edges > 0 {
		text += ", " + plural.Count(r.Edges, "relation", "relations") + " found"
	}
	if r.Stopped != "" {
		text += "; " + r.Stopped
	}
	to.Line(text)
}

func refusalText(field, detail string) string {
	if field == "" {
		return detail
	}
	return field + ": " + detail
}

// anchored is the name of a page, or of its section.
func anchored(path, section string) string {
	if section == "" {
		return path
	}
	return path + "#" + section
}

// writeSection writes the record of a section.
func writeSection(e Enriched, to operation.Paper) {
	rows := func(name string, items ...string) {
		for _, s := range items {
			to.Row(name, s)
			name = ""
		}
	}
	x := e.Enrichment
	rows("section", anchored(e.DocSet+"/"+e.FilePath, e.SectionPath))
	rows("summary", x.Summary)
	if len(x.KeyConcepts) > 0 {
		rows("concepts", strings.Join(x.KeyConcepts, ", "))
	}
	for i, p := range x.Parameters {
		text := p.Name
		if p.Type != "" {
			text += " (" + p.Type + ")"
		}
		name := ""
		if i == 0 {
			name = "parameters"
		}
		rows(name, text+"  "+p.Description)
	}
	rows("prerequisites", x.Prerequisites...)
	rows("warnings", x.Warnings...)
	if len(x.RelatedTopics) > 0 {
		rows("related", strings.Join(x.RelatedTopics, ", "))
	}
	code := "no code"
	if x.CodeExamples {
		code = "with code"
	}
	rows("for", x.Audience+", "+code)
	by := e.Engine
	if e.Prompt != "" {
		by += " (" + e.Prompt + ")"
	}
	if x.Truncated {
		by += ", cut to its bounds"
	}
	rows("made by", by)
	for _, r := range e.Refused {
		to.Note("the answer of %s did not count: %s", r.Engine, refusalText(r.Field, r.Detail))
	}
}
