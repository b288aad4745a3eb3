package man

import "strings"

// cutClosing cuts the punctuation at the end of a line off where the line has macros that put
// something around the rest of it: that punctuation stands outside of all of them.
func (p mdocReader) cutClosing(args []string) (words, behind []string) {
	n := len(args)
	for n > 0 && closes(args[n-1]) {
		n--
	}
	for _, a := range args[:n] {
		if e := enclosures[a]; e[0] != "" && e[1] != "" {
			return args[:n], args[n:]
		}
	}
	return args, nil
}

// opensAtEnd reports whether the last word of a line opens what a later line closes.
func opensAtEnd(args []string) bool {
	e := enclosures[args[len(args)-1]]
	return e[0] != "" && e[1] == ""
}

// setSpacing reads Sm: whether blanks stand between words from here on.
func (p mdocReader) setSpacing(rest string) {
	switch on, _ := splitMacro(rest); on {
	case "off":
		p.mdoc.tight = true
	case "on":
		p.mdoc.tight, p.goesOn = false, false
	default:
		p.mdoc.tight = !p.mdoc.tight
	}
}

// itemHead is the head of an item. One that ends with Xo goes on over the lines up to Xc.
func (p mdocReader) itemHead(rest string) []run {
	args := splitArguments(rest)
	out := p.readWords(args)
	if len(args) == 0 || args[len(args)-1] != "Xo" {
		return out
	}
	joins := false // the next line stands behind the words before it without a blank
	for !p.endsHead() {
		line, ok := p.nextLine()
		if !ok {
			break
		}
		words, behind := []string{line}, false
		if macro, isMacro := strings.CutPrefix(line, "."); isMacro {
			name, more := splitMacro(macro)
			switch name {
			case "Sm":
				p.setSpacing(more)
				continue
			case "Xc":
				return append(out, p.readWords(splitArguments(more))...)
			}
			words, behind = append([]string{name}, splitArguments(more)...), enclosures[name][1] != "" && enclosures[name][0] == ""
		}
		if len(out) > 0 && !joins && !behind {
			out = append(out, run{'R', " "})
		}
		out = append(out, p.readWords(words)...)
		joins = p.mdoc.tight || opensAtEnd(words)
	}
	return out
}

// endsHead reports whether the next line begins something that no head of an item has.
func (p mdocReader) endsHead() bool {
	if p.at+1 >= len(p.lines) {
		return true
	}
	switch name, _ := splitMacro(p.lines[p.at+1]); name {
	case ".It", ".El", ".Bl", ".Sh", ".Ss", ".Pp":
		return true
	}
	return false
}

// partsOfReference are the macros of a reference in the order in which its parts are shown.
var partsOfReference = [...]string{"%A", "%T", "%B", "%I", "%J", "%R", "%N", "%V", "%U", "%P", "%Q", "%C", "%D", "%O"}

// endReference writes the reference that Re ends: its authors, its title, and where it appeared.
func (p mdocReader) endReference() {
	var parts []string
	for _, name := range partsOfReference {
		parts = append(parts, p.mdoc.cited[name]...)
	}
	if p.mdoc.cited = nil; len(parts) > 0 {
		p.addText(strings.Join(parts, ", ") + ".")
	}
}
