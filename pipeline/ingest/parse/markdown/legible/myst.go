package legible

import (
	"strings"

	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/pipeline/text/pattern"
)

var (
	// mystOption is an option of a directive of MyST.
	mystOption = pattern.Lazy(`^\s*:[A-Za-z][\w-]{0,40}:(\s|$)`)
	// mystLabel is a line that names what follows it.
	mystLabel = pattern.Lazy(`^\s*\([^()\s][^()\n]{0,200}\)=\s*$`)
)

// openDirective is a directive of MyST whose end was not read yet.
type openDirective struct {
	fence string
	tree  bool // its lines are pages
}

// writeDirective writes the first or the last line of a directive of MyST as what it says,
// and reports whether the line is one.
func (w *writer) writeDirective(line string) bool {
	body := strings.TrimSpace(line)
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if n := len(w.directives) - 1; n >= 0 && endsFence(body, w.directives[n].fence) {
		w.directives = w.directives[:n]
		w.writeBlank()
		w.at++
		return true
	}
	d, ok := dialect.ReadDirective([]byte(body))
	if !ok || d.Shown == dialect.AsNothing {
		return false
	}
	w.at++
	w.skipOptions()
	if d.Shown == dialect.AsCode {
		opening := d.Fence + d.Language + "\n"
		w.fence.Step([]byte(d.Fence + d.Language))
		w.write(indent + opening)
		return true
	}
	w.writeBlank()
	if title := d.Title; title != "" {
		said, _ := dialect.ExpandRoles([]byte(title))
		w.write(indent + "**" + string(said) + "**\n")
		w.write("\n")
	}
	w.directives = append(w.directives, openDirective{d.Fence, d.Shown == dialect.AsPages})
	return true
}

func endsFence(body, fence string) bool {
	return len(body) >= len(fence) && body[0] == fence[0] && strings.Trim(body, fence[:1]) == ""
}

func (w *writer) writeBlank() {
	if w.last != "" && w.last != "\n" {
		w.write("\n")
	}
}

// skipOptions skips the options of a directive.
func (w *writer) skipOptions() {
	if w.at < len(w.lines) && strings.TrimSpace(w.lines[w.at]) == "---" {
		for j := w.at + 1; j < min(len(w.lines), w.at+100); j++ {
			if strings.TrimSpace(w.lines[j]) == "---" {
				w.at = j + 1
				return
			}
		}
	}
	for w.at < len(w.lines) && mystOption().MatchString(w.lines[w.at]) {
		w.at++
	}
}

// mystWords is a line of MyST as it is read, and reports whether it is shown.
func (w *writer) mystWords(line string) (string, bool) {
	if mystLabel().MatchString(line) {
		return "", false
	}
	if n := len(w.directives); n > 0 && w.directives[n-1].tree && strings.TrimSpace(line) != "" {
		return "- " + strings.TrimSpace(line) + "\n", true
	}
	said, _ := dialect.ExpandRoles([]byte(line))
	return string(said), true
}
