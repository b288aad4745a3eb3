package parameters

import (
	"strings"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

const (
	// fewestFlags is how many flags a block of code has that is the help of a program: a
	// command that somebody types may have one with a remark.
	fewestFlags = 2
	// mostHelp is how many lines the text of a flag has.
	mostHelp = 40
)

// flagLine is a line with a flag in the help that a program prints: two blanks stand before its text.
var flagLine = pattern.Lazy(`^ {0,16}((?:-\w(?:,|/| \|)? )?-{1,2}\[?[A-Za-z][\w.\[\]-]*` +
	`(?:[ =](?:'[^']{0,200}'|\S+)){0,3})(?: {2,}(\S.*))?$`)

// helpFlag is a flag in the help of a program.
type helpFlag struct {
	head        string
	text        []string
	first, last int // lines of the page
}

// readHelp takes the flags of the help that a program prints, in a block of code. false: the block is
// something else.
func (r *reader) readHelp(b doc.Block) bool {
	src := r.spanText(b.Span)
	src = src[:min(len(src), mostCode)]
	if !strings.Contains(src, " -") && !strings.Contains(src, "\n--") {
		return false
	}
	var found []helpFlag
	lines := strings.Split(src, "\n")
	for i := 0; i < len(lines); i++ {
		if f, ok := helpFlagAt(lines[i:]); ok {
			f.first, f.last = b.Span.StartLine+i, b.Span.StartLine+i+f.last
			found = append(found, f)
		}
	}
	if len(found) < fewestFlags {
		return false
	}
	for _, f := range found {
		if p, ok := f.parameter(); ok && !r.isFull() {
			p.Form, p.Section = Item, b.Section
			r.addParameter(p)
		}
	}
	return true
}

// helpFlagAt reads the flag that lines begin with: its text stands behind it, or below it and further
// in. last is the number of lines below the first.
func helpFlagAt(lines []string) (helpFlag, bool) {
	var f helpFlag
	first := strings.TrimRight(lines[0], " \r")
	if len(first) > mostKeyLine || strings.HasSuffix(first, `\`) {
		return f, false
	}
	m := flagLine().FindStringSubmatch(first)
	if m == nil {
		return f, false
	}
	f.head = m[1]
	if m[2] != "" {
		f.text = append(f.text, m[2])
	}
	margin := spacing.Indent(first)
	if margin == 0 && (m[2] != "" || !strings.Contains(f.head, "--")) {
		return f, false // a line of a difference between files, or of a command
	}
	for _, l := range lines[1:min(len(lines), mostHelp)] {
		if strings.TrimSpace(l) == "" || spacing.Indent(l) < margin+2 || flagLine().MatchString(strings.TrimRight(l, " \r")) {
			break
		}
		f.text = append(f.text, strings.TrimSpace(l))
		f.last++
	}
	return f, len(f.text) > 0
}

// parameter reads a flag. The text behind "=" is its default, unless it looks like a
// placeholder, and so is a value in quotes.
func (f helpFlag) parameter() (Parameter, bool) {
	head := strings.TrimRight(f.head, ". ")
	value := ""
	if flag, stated, ok := strings.Cut(head, "="); ok && !isPlaceholder(stated) {
		head, value = flag, strings.Trim(stated, `"'`)
	}
	if i := strings.IndexAny(head, `"'`); i > 0 && i < len(head)-1 && head[i-1] == ' ' && head[len(head)-1] == head[i] {
		head, value = head[:i-1], head[i+1:len(head)-1]
	}
	name, ok := readNames(head)
	if !ok || !isFlagName(name.name) {
		return Parameter{}, false
	}
	p := Parameter{Name: name.name, Aliases: name.aliases, Type: name.typ, Default: value, Required: name.required,
		Description: cleanLine(strings.Join(f.text, " "), false), First: f.first, Last: f.last}
	p.fillFromText(p.Description)
	return p, true
}

// isPlaceholder reports whether the text behind a flag stands for a value: LENGTH, <mm>.
func isPlaceholder(s string) bool {
	return strings.ContainsAny(s, "<[") || strings.ToUpper(s) == s && strings.ToLower(s) != s
}
