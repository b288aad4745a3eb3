package transclude

import (
	"cmp"
	"path"
	"strings"

	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/pipeline/text/pattern"
)

// The includes of MyST, whose options stand on the lines below them.
var (
	mystInclude = pattern.Lazy("^(\\s*)(`{3,}|:{3,}|~{3,})\\{(include|literalinclude)\\}\\s+([^\\s`]+)\\s*$")
	mystOption  = pattern.Lazy(`^\s*:?([a-z-]+):\s*(.*?)\s*$`)
	mystLines   = pattern.Lazy(`^(\d*)(?:-(\d*))?$`)
)

// mostOptions is the most lines of options that are looked at.
const mostOptions = 20

// sphinx reads the first line of a directive of MyST that includes a file, with the options
// below it. Parts that texts begin or end, and reStructuredText, are not taken in.
func (s *state) sphinx(line string) *directive {
	if s.fence != "" || !strings.Contains(line, "include}") {
		return nil
	}
	m := mystInclude().FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	d := &directive{file: m[4], indent: m[1], closes: m[2]}
	ending := strings.TrimPrefix(path.Ext(d.file), ".")
	if m[3] == "literalinclude" {
		d.fence = ending
		if d.fence == "" {
			d.fence = "text"
		}
	} else if ending == "rst" {
		return nil
	}
	n := 0
	for option := range strings.Lines(s.below) {
		o := mystOption().FindStringSubmatch(strings.TrimRight(option, "\r\n"))
		if n++; n > mostOptions || o == nil {
			if strings.TrimSpace(option) == "---" && n <= mostOptions {
				continue
			}
			break
		}
		switch o[1] {
		case "literal", "code":
			d.fence = cmp.Or(o[2], cmp.Or(d.fence, "text"))
		case "language":
			d.fence = cmp.Or(o[2], d.fence)
		case "lines":
			l := mystLines().FindStringSubmatch(o[2])
			if l == nil {
				return nil
			}
			if d.part = (part{first: number(l[1]), last: number(l[2])}); !strings.Contains(o[2], "-") {
				d.part.last = d.part.first
			}
		case "parser", "start-line", "end-line", "start-after", "end-before", "start-at", "end-at", "pyobject", "diff", "heading-offset":
			if o[1] != "heading-offset" && !(o[1] == "parser" && strings.Contains(o[2], "myst")) {
				return nil
			}
		}
	}
	return d
}

// frame reports whether a line begins or ends a directive of MyST whose content is text, and
// keeps which are open.
func (s *state) frame(line string, run int) bool {
	if dialect.IsFrame([]byte(line)) {
		s.frames = append(s.frames, line[:run])
		return true
	}
	n := len(s.frames) - 1
	if n < 0 || run < len(s.frames[n]) || line[0] != s.frames[n][0] || strings.TrimSpace(line[run:]) != "" {
		return false
	}
	s.frames = s.frames[:n]
	return true
}

// ends reports whether a line ends the directive of MyST that was followed.
func (s *state) ends(line string) bool {
	rest := strings.TrimSpace(line)
	if s.closes == pluginEnd {
		return strings.HasSuffix(rest, pluginEnd)
	}
	return len(rest) >= len(s.closes) && strings.Trim(rest, s.closes[:1]) == ""
}
