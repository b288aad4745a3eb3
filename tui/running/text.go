package running

import (
	"fmt"
	"slices"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/pane/stepper"
	"docent/tui/widget"
)

// Final is the final block, and what to call it, with its size.
func (c *Controller) Final() (what, text string) {
	if c.Steps.Step(contract.PhaseCite).State != stepper.Done {
		return "earlier answer, " + c.res.Size().String() + "; R makes it new", c.res.Final
	}
	return "answer, " + c.res.Size().String(), c.res.Final
}

// Citations are the citation of the hit under the cursor, or all of them where
// no hit is on the screen, and what to call them. reason says why not.
func (c *Controller) Citations() (what, text, reason string) {
	row, onHit := c.Hits.Selected()
	onHit = onHit && c.OnHits()
	var lines []string
	for _, x := range c.res.Citations {
		if onHit && (x.DocSet != row.Page.DocSet || x.FilePath != row.Page.FilePath) {
			continue
		}
		if onHit && slices.Equal(x.HeadingPath, row.Heading.Path) {
			return "source", sanitize.Line(x.OneLine()), "" // of this very section
		}
		lines = append(lines, sanitize.Line(x.OneLine()))
	}
	switch {
	case onHit && len(lines) == 0:
		return "", "", "this page is not in the answer, so it is no source of it"
	case len(lines) == 0:
		return "", "", "the answer has no source"
	case len(lines) == 1:
		return "source", lines[0], ""
	}
	return widget.Count(len(lines), "source"), strings.Join(lines, "\n"), ""
}

// CommandText is the docent command that gives the result on the screen, and what to
// call it: with the settings that no flag can express.
func (c *Controller) CommandText() (what, text string) {
	what = "command"
	if without := inexpressible(c.req); len(without) > 0 {
		what = "command (without " + widget.List(without) + ")"
	}
	return what, commandArgs(c.req)
}

// commandArgs is a request as arguments of docent ask.
func commandArgs(req pipeline.Request) string {
	args := []string{"docent", "ask"}
	for _, s := range req.DocSets {
		args = append(args, "--set", s)
	}
	if req.Scene != "" {
		args = append(args, "--scene", req.Scene)
	}
	if req.Threshold != nil {
		args = append(args, "--threshold", fmt.Sprintf("%g", *req.Threshold))
	}
	if req.Reranker != nil && !*req.Reranker {
		args = append(args, "--no-rerank")
	}
	if req.Top > 0 {
		args = append(args, "--top", fmt.Sprint(req.Top))
	}
	if req.MaxDocs > 0 {
		args = append(args, "--max-docs", fmt.Sprint(req.MaxDocs))
	}
	switch w := req.Preferences; {
	case w.Full:
		args = append(args, "--full")
	case w.Extent != "":
		args = append(args, "--"+w.Extent)
	}
	if w := req.Preferences; w.Extent == contract.ExtentSections && !w.Full && w.Lines > 0 && w.Lines != contract.DefaultLines {
		args = append(args, "--lines", fmt.Sprint(w.Lines))
	}
	switch {
	case req.Preferences.Summarize:
		args = append(args, "--summarize")
	case req.Preferences.Compress:
		args = append(args, "--compress")
	}
	for i := range args[2:] {
		args[2+i] = quoteArg(args[2+i])
	}
	return strings.Join(append(args, "--", quoteArg(req.Question)), " ")
}

// inexpressible are the settings of a request for which docent ask has no flag.
func inexpressible(req pipeline.Request) []string {
	var out []string
	if len(req.Queries) > 0 {
		out = append(out, "your queries")
	}
	if len(req.Exclude) > 0 {
		out = append(out, "what you left out")
	}
	if req.Intent != "" {
		out = append(out, "the intent")
	}
	if req.Confidence != nil {
		out = append(out, "the confidence")
	}
	return out
}

// quoteArg quotes a word for a POSIX shell.
func quoteArg(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./@:,=+", r))
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
