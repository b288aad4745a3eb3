package man

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse"
)

// Bounds of the macros that a page defines for itself.
const (
	mostMacros = 2000 // defined at once
	mostCalls  = 16   // macros within each other
)

// source is the lines of a page, with the macros that it defines in their places.
type source struct {
	lines    []string
	at       int                 // the line that is read, from 0
	macros   map[string][]string // by .de
	aliases  map[string]string   // by .als
	strings  map[string]string   // by .ds
	calls    []call              // the macros that are being expanded
	expanded int                 // bytes that strings and macros brought in
	budget   int                 // and how many they may
}

// sourceOf is the text of a page before its first line is read.
func sourceOf(text string) source {
	return source{lines: strings.Split(text, "\n"), at: -1, macros: map[string][]string{}, aliases: map[string]string{},
		strings: map[string]string{}, budget: min(mostExpanded, leastExpanded+expandedShare*len(text))}
}

// call is a macro of the page's own while its lines are read, or a file that the page takes in: a call
// without a name.
type call struct {
	name  string
	args  []string
	lines []string
	at    int // the next line
}

// nextLine reads the next line: of the innermost macro that is being expanded, otherwise
// of the page. It reports whether there is one.
func (p *source) nextLine() (line string, ok bool) {
	for len(p.calls) > 0 {
		c := &p.calls[len(p.calls)-1]
		if c.at == len(c.lines) {
			p.calls = p.calls[:len(p.calls)-1]
			continue
		}
		c.at++
		if line, ok = c.lines[c.at-1], true; c.name != "" {
			line, ok = c.withArguments(line, p.budget-p.expanded)
		}
		if p.expanded += len(line) + 1; !ok || p.expanded > p.budget {
			p.calls = nil // the page expands into too much
			continue
		}
		return line, true
	}
	if p.at+1 < len(p.lines) && goesOnBelow(p.lines[p.at+1]) {
		return p.joinedLine(), true
	}
	if p.at++; p.at >= len(p.lines) {
		p.at = len(p.lines)
		return "", false
	}
	return strings.TrimRight(p.lines[p.at], "\r"), true
}

// goesOnBelow reports whether a line ends with a backslash, which joins the next one to it.
// The braces of a condition end their line so too, and stay as they are.
func goesOnBelow(line string) bool {
	line = strings.TrimRight(line, "\r")
	rest := strings.TrimRight(line, `\`)
	return (len(line)-len(rest))%2 == 1 && !strings.HasSuffix(line, `\{\`) && !strings.Contains(line, `\"`)
}

// joinedLine reads a line with those that its backslash joins to it.
func (p *source) joinedLine() string {
	var b strings.Builder
	for p.at+1 < len(p.lines) {
		p.at++
		line := strings.TrimRight(p.lines[p.at], "\r")
		if !goesOnBelow(line) {
			b.WriteString(line)
			break
		}
		b.WriteString(line[:len(line)-1])
	}
	return b.String()
}

// define reads the definition of a macro: .de, or .am, which adds to one. Within it a
// backslash is written twice.
func (p *source) define(rest string, adds bool) {
	args := strings.Fields(rest)
	end := "."
	if len(args) > 1 {
		end = args[1]
	}
	lines := p.linesUntil(end)
	if len(args) == 0 || len(p.macros) >= mostMacros {
		return
	}
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, `\\`, `\`)
	}
	name := args[0]
	delete(p.aliases, name)
	if adds {
		lines = append(slices.Clip(p.macros[name]), lines...)
	}
	p.macros[name] = lines
}

// linesUntil are the lines up to the request that is named, "." for "..", which is read too.
func (p *source) linesUntil(end string) (lines []string) {
	for {
		line, ok := p.nextLine()
		if !ok {
			return lines
		}
		if len(line) > 0 && (line[0] == '.' || line[0] == '\'') {
			if name, _ := splitMacro(strings.TrimLeft(line[1:], " \t")); name == end {
				return lines
			}
		}
		lines = append(lines, line)
	}
}

// addAlias reads .als NEW OLD.
func (p *source) addAlias(rest string) {
	if args := strings.Fields(rest); len(args) > 1 && len(p.aliases) < mostMacros {
		delete(p.macros, args[0])
		p.aliases[args[0]] = p.aliasOf(args[1])
	}
}

// aliasOf is the macro that a name stands for.
func (p *source) aliasOf(name string) string {
	if other, ok := p.aliases[name]; ok {
		return other
	}
	return name
}

// expandMacro begins to read a macro that the page defines, and reports whether name is one.
func (p *source) expandMacro(name, rest string) bool {
	lines, ok := p.macros[name]
	if !ok {
		return false
	}
	if len(lines) > 0 && len(p.calls) < mostCalls {
		p.calls = append(p.calls, call{name: name, args: splitArguments(rest), lines: lines})
	}
	return true
}

// takeFile begins to read a file that lies with the page (.so), and reports whether it does: the
// macros of a project that all of its pages share. Another manual page is not taken in.
func (p *page) takeFile(name string) bool {
	if p.open == nil || len(p.calls) >= mostCalls {
		return false
	}
	folder := path.Dir(p.file)
	for _, at := range []string{path.Join(folder, name), path.Join(folder, "..", name)} {
		src, err := p.open(at)
		if err != nil || len(src) > leastExpanded {
			continue
		}
		if isPage(src[:min(len(src), parse.HeadBytes)]) {
			return false
		}
		text := strings.TrimSuffix(strings.ReplaceAll(p.w.ToUTF8(src), "\r\n", "\n"), "\n")
		p.calls = append(p.calls, call{lines: strings.Split(text, "\n")})
		return true
	}
	return false
}

// shift drops the first arguments of the macro that is expanded.
func (p *source) shift(rest string) {
	if n := len(p.calls); n > 0 {
		by, err := strconv.Atoi(strings.TrimSpace(rest))
		if err != nil {
			by = 1
		}
		c := &p.calls[n-1]
		c.args = c.args[min(len(c.args), max(0, by)):]
	}
}

// endMacro ends the macro that is expanded.
func (p *source) endMacro() {
	if n := len(p.calls); n > 0 {
		p.calls = p.calls[:n-1]
	}
}

// withArguments is a line of a macro with its arguments in it. It reports whether they
// have no more than so many bytes.
func (c *call) withArguments(line string, most int) (string, bool) {
	if !strings.Contains(line, `\`) {
		return line, true
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(line, '\\')
		if i < 0 || i+1 == len(line) {
			b.WriteString(line)
			return b.String(), b.Len() <= most
		}
		b.WriteString(line[:i])
		line = line[i:]
		switch {
		case line[1] == '$':
			name, n := argument(line[2:])
			b.WriteString(c.argumentNamed(name))
			line = line[2+n:]
		case strings.HasPrefix(line, `\n(.$`), strings.HasPrefix(line, `\n[.$]`):
			b.WriteString(strconv.Itoa(len(c.args)))
			line = strings.TrimPrefix(line[len(`\n(.$`):], "]")
		default:
			b.WriteString(line[:2])
			line = line[2:]
		}
		if b.Len() > most {
			return "", false
		}
	}
}

// argumentNamed is the text of \$1, \$0, \$* or \$@.
func (c *call) argumentNamed(name string) string {
	switch name {
	case "*":
		return strings.Join(c.args, " ")
	case "@":
		if len(c.args) > 0 {
			return `"` + strings.Join(c.args, `" "`) + `"`
		}
	case "0":
		return c.name
	default:
		if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(c.args) {
			return c.args[n-1]
		}
	}
	return ""
}
