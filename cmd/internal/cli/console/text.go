package console

import (
	"fmt"
	"io"
	"strings"

	"docent/cmd/internal/shellwords"
	"docent/pipeline/text/sanitize"
	"docent/tui/widget"
)

// Clean makes text safe to print on a terminal: text from documents must not
// steer it. Newlines and tabs stay.
func Clean(s string) string { return sanitize.Visible(s) }

// OneLine is as clean for a part of a line: the name of a folder may have a newline,
// which would begin a row of its own.
func OneLine(s string) string { return Clean(breaks.Replace(s)) }

var breaks = strings.NewReplacer("\n", " ", "\t", " ")

// CleanArgs makes the values of a line safe. Remedies become commands and flags.
func CleanArgs(args []any) []any {
	out := shellwords.CommandLine().Args(args)
	for i, a := range out {
		if text, ok := a.(string); ok {
			if _, failed := args[i].(error); failed {
				text = strings.ReplaceAll(text, "\n", "; ")
			}
			out[i] = OneLine(text)
		}
	}
	return out
}

// EscapeControls writes whole JSON values to a terminal, with what would steer it as
// JSON's escapes.
func EscapeControls(to io.Writer) io.Writer { return escaping{to} }

// escaping writes whole JSON values.
type escaping struct{ to io.Writer }

// Write writes whole JSON values.
func (e escaping) Write(raw []byte) (int, error) {
	var b strings.Builder
	for _, r := range string(raw) {
		if sanitize.Unsafe(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	if _, err := io.WriteString(e.to, b.String()); err != nil {
		return 0, err
	}
	return len(raw), nil
}

// Bytes is a size in one number: "20 MB".
func Bytes(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

// WrapWords wraps a text at its blanks alone, so that a path stays one word.
func WrapWords(text string, width int) []string {
	var out []string
	line := ""
	for w := range strings.SplitSeq(text, " ") {
		switch {
		case line == "":
			line = w
		case widget.Width(line)+1+widget.Width(w) > width:
			out, line = append(out, strings.TrimRight(line, " ")), w
		default:
			line += " " + w
		}
	}
	return append(out, line)
}

// CutPath shortens a path to at most width columns in its middle: its beginning says on which
// disk it is, and its end what it is.
func CutPath(path string, width int) string {
	if widget.Width(path) <= width {
		return path
	}
	head := widget.CutTail(path, width/3, "")
	return head + widget.CutStart(path, width-widget.Width(head))
}

// Widest is the width of the longest line.
func Widest(text string) int {
	n := 0
	for l := range strings.Lines(text) {
		n = max(n, widget.Width(strings.TrimSuffix(l, "\n")))
	}
	return n
}
