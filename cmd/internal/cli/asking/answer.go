package asking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/versioning"
)

// answer prints the answer.
func answer(ctx context.Context, c *invocation.Call, a *app.App, req pipeline.Request, res pipeline.Result, f askFlags) error {
	var newer []versioning.NewerSection
	switch {
	case (c.JSON || f.events) && req.Explain:
		traced := a.Answers.Traced(ctx, req, res)
		if err := c.PrintJSON(traced); err != nil {
			return err
		}
		newer = traced.Newer
	case c.JSON || f.events:
		brief := a.Answers.Brief(ctx, res)
		if err := c.PrintJSON(brief); err != nil {
			return err
		}
		newer = brief.Newer
	case res.Final != "":
		if err := printBlock(c, res.Final, f.noPager); err != nil {
			return err
		}
	}
	remarks(c, res)
	noteOnlyManual(ctx, c, a, res)
	if !c.JSON && !f.events && !c.Quiet {
		newer = a.Versioning.NewerThan(context.WithoutCancel(ctx), res) // ctrl+c was the pager's
	}
	for _, line := range versioning.NewerLines(newer, invocation.RemedyWords) {
		c.Note("%s", line)
	}
	if ck := res.Phases.Check; ck != nil && ck.FullRequested && req.Preferences.Extent == contract.ExtentSections && res.FoundPage() {
		c.Note("the question asks for the full text: these are whole documents, not sections")
	}
	if c.IO.ErrTTY && !c.Quiet && !c.JSON && !f.events {
		printSizes(context.WithoutCancel(ctx), c, a, req, res) // ctrl+c was the pager's
	}
	return outcome(res.FoundPage(), res.Phases.Rerank, f)
}

// printBlock prints a block: rendered on a terminal, word for word in a pipe.
func printBlock(c *invocation.Call, block string, noPager bool) error {
	if !c.IO.OutTTY {
		_, err := io.WriteString(c.IO.Out, ensureNewline(block))
		return err
	}
	text, err := console.RenderBlock(block, c.NoColor)
	if err != nil {
		return err
	}
	return c.WritePaged(text, noPager)
}

// noteOnlyManual says to somebody whose question docent's own manual hardly answers that there is nothing
// else yet.
func noteOnlyManual(ctx context.Context, c *invocation.Call, a *app.App, res pipeline.Result) {
	r := res.Phases.Rerank
	if c.JSON || len(c.Sets) > 0 || res.FoundPage() && (r == nil || !r.Unanswered && !r.BelowThreshold) {
		return
	}
	if !a.HasOnlyManual(ctx) {
		return
	}
	c.Note("there is no documentation yet but docent's own manual; docent add PATH adds some, docent sources lists names that it knows")
}

// outcome is the exit code of an answer.
func outcome(any bool, r *contract.RerankOutput, f askFlags) error {
	if !any || f.strict && r != nil && r.Unanswered {
		return failure.ExitCode(failure.CodeNothing)
	}
	return nil
}

// printSizes says how much was printed, and how much the other extent would print.
func printSizes(ctx context.Context, c *invocation.Call, a *app.App, req pipeline.Request, res pipeline.Result) {
	this := res.Size()
	if this.Lines == 0 {
		return
	}
	text, other := this.String(), req.OtherExtent()
	that, err := a.Answers.Pipelines.Ask.Resume(req, res).Instead(ctx, pipeline.WithExtent(other))
	if size := that.Size(); err == nil && size.Lines > 0 && size != this {
		text += fmt.Sprintf("; --%s: %s", other, size)
	}
	c.Note("%s", text)
}

// remarks says on standard error what a person should know of an answer.
func remarks(c *invocation.Call, res pipeline.Result) {
	degraded(c, res.Unnoted())
	for _, n := range res.Notes() {
		c.Note("%s", n)
	}
	if !res.FoundPage() {
		if !c.JSON {
			nothing(c, res.Phases.Search)
		}
		return
	}
	switch r := res.Phases.Rerank; {
	case r == nil:
	case r.Unanswered:
		c.Note("this is probably not in your documentation; nearest to it is %s", nearest(r.Results))
	case r.BelowThreshold:
		c.Note("not sure: no heading reached the threshold %.2f; this is the best there is%s", r.RerankStats.Threshold,
			console.Clean(res.Phases.Search.LackedWords(res.Phases.Rerank)))
	}
	if p := res.Phases.Process; p != nil {
		for _, o := range p.Omitted {
			if o.Bytes > 0 {
				c.Note("lines %d–%d of %s are left out: they have %s, and a line of more than 64 KB is not quoted in a shortened answer "+
					"(--full quotes it)", o.Lines[0], o.Lines[1], console.Clean(o.Title), console.Bytes(int64(o.Bytes)))
			}
		}
	}
	for _, d := range res.Phases.Extract.Documents {
		if d.Changed {
			c.Note("%s of %s changed since it was indexed; this is the file as it is now (docent update %s)", d.Title, d.DocSet, d.DocSet)
		}
	}
}

// nearest names the best section of results: page, heading, place.
func nearest(results []contract.Result) string {
	for _, r := range results {
		if len(r.Headings) > 0 {
			return fmt.Sprintf("%s (%s/%s, line %d)", sectionName(r, r.Headings[0]), r.DocSet, r.FilePath, r.Headings[0].Lines[0])
		}
	}
	return "nothing"
}

// sectionName is a page and a heading of it, once where they are the same.
func sectionName(r contract.Result, h contract.Heading) string {
	if text := strings.TrimLeft(h.Text, "# "); text != r.PageTitle && text != "" {
		return r.PageTitle + " › " + text
	}
	return r.PageTitle
}

// degraded prints the second choices, each reason once.
func degraded(c *invocation.Call, all []contract.Degraded) {
	for i, d := range all {
		same := func(o contract.Degraded) bool {
			return o.Reason == d.Reason && o.Used == d.Used && o.Wanted == d.Wanted
		}
		if slices.ContainsFunc(all[:i], same) {
			continue
		}
		phases, verb := []string{d.Phase}, "phase %s was"
		for _, o := range all[i+1:] {
			if same(o) && !slices.Contains(phases, o.Phase) {
				phases, verb = append(phases, o.Phase), "phases %s were"
			}
		}
		c.Note(verb+" answered by %s instead of %s: %s", strings.Join(phases, ", "), d.Used, d.Wanted,
			contract.Remedied(errors.New(d.Reason), d.Remedy))
	}
}

// nothing says that nothing was found, and prints the nearest pages by spelling.
func nothing(c *invocation.Call, s *contract.SearchOutput) {
	if s == nil || !s.SearchStats.Nearest || len(s.Results) == 0 {
		c.Note("nothing was found; docent sets lists what is searched")
		return
	}
	const most = 3
	var names []string
	for _, r := range s.Results[:min(most, len(s.Results))] {
		names = append(names, sectionName(r, r.Headings[0]))
	}
	c.Note("this is probably not in your documentation: no word of the question stands there; the nearest headings by spelling: %s",
		strings.Join(names, "; "))
}

func ensureNewline(s string) string {
	if strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
