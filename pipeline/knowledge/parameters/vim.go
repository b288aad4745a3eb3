package parameters

import (
	"strings"

	"docent/pipeline/text/pattern"
)

// Vim's help is plain text in a form of its own: an option begins a line, in quotes, with its short name,
// its type and its default behind tabs; what it does stands below it, behind a tab.
var (
	// helpFile is how such a file begins: with its own name as a tag.
	helpFile  = pattern.Lazy(`^\*[\w.+-]+\.txt\*[ \t]`)
	vimOption = pattern.Lazy(`^((?:'[\w-]{1,40}'[ \t]*)+)[ \t](boolean|number|string)\b[ \t]*(.*)$`)
	// vimScope are the lines above the text: "global or local to window", "{only available when …}".
	vimScope = pattern.Lazy(`^\t+(?:global|local|global or local to \w+|local to \w+)\b`)
)

// readVimHelp takes the options of a file of Vim's help.
func (r *reader) readVimHelp() {
	if !helpFile().Match(r.d.Text[:min(len(r.d.Text), 200)]) {
		return
	}
	lines := strings.Split(string(r.d.Text), "\n")
	for i := 0; i < len(lines) && !r.isFull(); i++ {
		if len(lines[i]) > mostKeyLine || !strings.HasPrefix(lines[i], "'") {
			continue
		}
		if m := vimOption().FindStringSubmatch(lines[i]); m != nil {
			r.readVimOption(lines, i, m)
		}
	}
}

// readVimOption takes the option that begins at a line.
func (r *reader) readVimOption(lines []string, at int, m []string) {
	names := strings.FieldsFunc(m[1], func(r rune) bool { return r == '\'' || r == ' ' || r == '\t' })
	p := Parameter{Name: names[0], Aliases: names[1:], Type: m[2], Form: Item, First: at + 1, Last: at + 1}
	stated := m[3] // "(default 128 for MS-Windows,": it may go on below
	var text []string
	begun := false
	for i := at + 1; i < min(len(lines), at+mostHelp); i++ {
		l := strings.TrimRight(lines[i], " \t\r")
		if l != "" && l[0] != '\t' && !strings.HasPrefix(l, "        ") {
			break
		}
		switch said := strings.TrimSpace(l); {
		case said == "":
			continue
		case strings.HasPrefix(said, "*") && strings.HasSuffix(said, "*"):
			i = len(lines) // the tags of what follows
			continue
		case !begun && strings.Count(stated, "(") > strings.Count(stated, ")"):
			stated += " " + said
		case !begun && strings.HasPrefix(l, "\t\t") && (vimScope().MatchString(l) || strings.HasPrefix(said, "{")):
		default:
			begun = true
			text = append(text, said)
		}
		p.Last = i + 1
	}
	if p.Description = cleanLine(strings.Join(text, " "), false); p.Description == "" {
		return
	}
	p.Default = defaultIn(stated)
	r.addParameter(p)
}
