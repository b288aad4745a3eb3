package running

import (
	"fmt"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/pane/stepper"
	"docent/tui/widget"
)

// Final is the final block, and what to call it.
func (c *Controller) Final() (what, text string) {
	if c.Steps.Step(contract.PhaseCite).State != stepper.Done {
		return "old block (R runs what is stale)", c.res.Final
	}
	return "block", c.res.Final
}

// Citations are the citation of the hit under the cursor, or all of them where
// no hit is on the screen, and what to call them. reason says why there is none.
func (c *Controller) Citations() (what, text, reason string) {
	if row, ok := c.Hits.Selected(); ok && c.OnHits() {
		for _, x := range c.res.Citations {
			if x.DocSet == row.Page.DocSet && x.FilePath == row.Page.FilePath {
				return "citation", citation(x), ""
			}
		}
		return "", "", "this page is not in the final block, so there is no citation of it"
	}
	var lines []string
	for _, x := range c.res.Citations {
		lines = append(lines, citation(x))
	}
	switch len(lines) {
	case 0:
		return "", "", "the final block has no citation"
	case 1:
		return "citation", lines[0], ""
	}
	return "citations", strings.Join(lines, "\n"), ""
}

// citation is one citation on one line.
func citation(x contract.Citation) string {
	out := fmt.Sprintf("%s, %s/%s, lines %d–%d", x.PageTitle, x.DocSet, x.FilePath, x.Lines[0], x.Lines[1])
	if x.URL != "" {
		out += ", " + x.URL
	}
	return sanitize.Line(out)
}

// Command is the docent command that gives the result on the screen, and what to
// call it: with the settings that no flag can express.
func (c *Controller) Command() (what, text string) {
	what = "command"
	if without := inexpressible(c.req); len(without) > 0 {
		what = "command (without " + widget.List(without) + ")"
	}
	return what, command(c.req)
}

// command is a request as arguments of docent ask.
func command(req pipeline.Request) string {
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
	if req.Preferences.Full {
		args = append(args, "--full")
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
