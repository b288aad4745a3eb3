package page

import "strings"

// quietLinks takes the targets of links that stay within the documentation out
// of a Markdown text: the renderer prints each target behind its link's text,
// and a relative one, which it makes absolute ("/configuration.md"), leads
// nowhere in a terminal. Code is left as it is, and so is a link whose target
// stands on another line.
func quietLinks(s string) string {
	if !strings.Contains(s, "](") && !strings.Contains(s, "]:") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	fence := ""
	for line := range strings.Lines(s) {
		body := strings.TrimLeft(line, " >\t")
		switch mark := fenceMark(body); {
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.TrimSpace(strings.TrimLeft(body, fence[:1])) == "" {
				fence = ""
			}
			b.WriteString(line)
		case mark != "":
			fence = mark
			b.WriteString(line)
		case len(line)-len(strings.TrimLeft(line, " ")) >= 4 && !listItem(body):
			b.WriteString(line) // it may be code
		default:
			quietLine(&b, line)
		}
	}
	return b.String()
}

// fenceMark is the run of ``` or ~~~ that a line begins with, "" for none.
func fenceMark(s string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 {
			return s[:n]
		}
	}
	return ""
}

func listItem(s string) bool {
	t := strings.TrimLeft(s, "0123456789")
	if len(t) < len(s) {
		return strings.HasPrefix(t, ". ") || strings.HasPrefix(t, ") ")
	}
	return strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "* ") || strings.HasPrefix(s, "+ ")
}

// quietLine writes one line with its relative targets replaced by "#", of which
// the renderer shows nothing.
func quietLine(b *strings.Builder, line string) {
	if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "["); ok {
		// [label]: target
		if label, def, ok := strings.Cut(rest, "]:"); ok && !strings.ContainsAny(label, "[]") && !strings.HasPrefix(label, "^") {
			lead := def[:len(def)-len(strings.TrimLeft(def, " \t"))]
			if target, n := target(def[len(lead):], " \t\r\n"); n > 0 && relative(target) {
				b.WriteString("[" + label + "]:" + lead + "#" + def[len(lead)+n:])
				return
			}
		}
	}
	var open []bool // brackets that are open; true: of an image
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line):
			b.WriteString(line[i : i+2])
			i += 2
			continue
		case c == '`':
			n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
			if end := strings.Index(line[i+n:], line[i:i+n]); end >= 0 {
				n += end + n
			}
			b.WriteString(line[i : i+n])
			i += n
			continue
		case c == '[':
			open = append(open, i > 0 && line[i-1] == '!')
		case c == ']':
			image := len(open) > 0 && open[len(open)-1]
			open = open[:max(0, len(open)-1)]
			if !image && strings.HasPrefix(line[i:], "](") {
				if target, n := target(line[i+2:], " \t\r\n)"); n > 0 && relative(target) && strings.Contains(line[i+2+n:], ")") {
					b.WriteString("](#")
					i += 2 + n
					continue
				}
			}
		}
		b.WriteByte(line[i])
		i++
	}
}

// target reads a link's target: its text and the bytes that it takes; 0 when
// there is none that ends on this line.
func target(s, stops string) (string, int) {
	if strings.HasPrefix(s, "<") {
		end := strings.IndexByte(s, '>')
		if end < 0 {
			return "", 0
		}
		return s[1:end], end + 1
	}
	depth := 0
	for i := range len(s) {
		switch {
		case s[i] == '(':
			depth++
		case s[i] == ')' && depth > 0:
			depth--
		case strings.IndexByte(stops, s[i]) >= 0:
			return s[:i], i
		}
	}
	if strings.Contains(stops, ")") {
		return "", 0 // the bracket is not closed here
	}
	return s, len(s)
}

// relative says whether a target names no scheme and no host.
func relative(target string) bool {
	if target == "" || strings.HasPrefix(target, "//") {
		return false
	}
	i := strings.IndexAny(target, ":/?#")
	return i < 0 || target[i] != ':'
}
