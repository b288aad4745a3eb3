package office

import (
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// Run is a piece of text that looks alike.
type Run struct {
	Text               string // plain
	Bold, Italic, Mono bool
	Link               string // the target, or ""
}

// RunsInline is a paragraph of runs as an inline.
func RunsInline(runs []Run) string {
	var b strings.Builder
	for i := 0; i < len(runs); {
		n := i + 1
		for n < len(runs) && runs[n].Link == runs[i].Link {
			n++
		}
		var in strings.Builder
		for k := i; k < n; {
			p := runs[k]
			var text strings.Builder
			for ; k < n && runs[k].looksAlike(p); k++ {
				text.WriteString(runs[k].Text)
			}
			p.Text = text.String()
			in.WriteString(p.inline())
		}
		if link := runs[i].Link; link != "" {
			b.WriteString(build.LinkInline(in.String(), link))
		} else {
			b.WriteString(in.String())
		}
		i = n
	}
	return b.String()
}

// RunsText is the text of runs without marks.
func RunsText(runs []Run) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.Text)
	}
	return b.String()
}

// RunsAreCode reports whether all text of runs is in fonts of equal widths, and more than one
// word.
func RunsAreCode(runs []Run) bool {
	words := 0
	for _, r := range runs {
		if strings.TrimSpace(r.Text) != "" && !r.Mono {
			return false
		}
		words += len(strings.Fields(r.Text))
	}
	return words > 1
}

func (r Run) looksAlike(o Run) bool {
	return r.Bold == o.Bold && r.Italic == o.Italic && r.Mono == o.Mono
}

func (r Run) inline() string {
	if strings.TrimSpace(r.Text) == "" {
		return " "
	}
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(r.Text, "\t", " "), "\n") {
		bare := strings.TrimSpace(line)
		if bare == "" {
			lines = append(lines, line)
			continue
		}
		before, after, _ := strings.Cut(line, bare)
		in := build.TextInline(bare)
		switch {
		case r.Mono:
			in = build.CodeInline(bare)
		case r.Bold:
			in = build.Strong(in)
		case r.Italic:
			in = build.Emphasis(in)
		}
		lines = append(lines, before+in+after)
	}
	return strings.Join(lines, "\n")
}

// IsCodeStyle reports whether the name of a style, in lower case, says that its text is code.
func IsCodeStyle(name string) bool {
	for _, part := range []string{"code", "source", "verbatim", "preformatted", "listing", "plain text", "macro", "terminal", "console"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// IsMonoFont reports whether a font, by its name in lower case, has letters of equal widths.
func IsMonoFont(name string) bool {
	for _, part := range []string{"courier", "consolas", "mono", "menlo", "monaco", "source code", "fira code", "lucida console", "andale",
		"inconsolata", "cascadia"} {
		if strings.Contains(name, part) && !strings.Contains(name, "monotype") {
			return true
		}
	}
	return false
}
