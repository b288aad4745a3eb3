package docbook

import (
	"strings"

	"docent/pipeline/text/spacing"
)

// synopsisLines is a synopsis of a command, a function or a class as lines of text.
func synopsisLines(n *node) string {
	var b strings.Builder
	addSynopsis(&b, n)
	var lines []string
	tight := strings.NewReplacer("( ", "(", " )", ")", "[ ", "[", " ]", "]", " ,", ",", "{ ", "{", " }", "}")
	for line := range strings.SplitSeq(b.String(), "\x00") {
		if line = tight.Replace(spacing.Single(line)); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// addSynopsis adds an element of a synopsis; NUL ends a line.
func addSynopsis(b *strings.Builder, n *node) {
	if n.name == "" {
		b.WriteString(spacedText(n.text))
		return
	}
	switch n.name {
	case "arg", "group":
		addArgument(b, n)
	case "sbr":
		b.WriteByte(0)
	case "funcprototype":
		addPrototype(b, n)
		b.WriteByte(0)
	case "methodsynopsis", "constructorsynopsis", "destructorsynopsis":
		addMethod(b, n)
		b.WriteByte(0)
	case "funcsynopsisinfo", "classsynopsisinfo":
		b.WriteString(strings.ReplaceAll(strings.TrimSpace(n.rawText()), "\n", "\x00"))
		b.WriteByte(0)
	case "ooclass", "oointerface", "ooexception", "fieldsynopsis", "modifier", "type", "classname", "varname", "initializer":
		b.WriteByte(' ')
		if n.name == "initializer" {
			b.WriteString("= ")
		}
		addAllSynopsis(b, n.kids)
		if n.name == "fieldsynopsis" {
			b.WriteByte(0)
		}
	case "info", "title", "indexterm":
	default:
		addAllSynopsis(b, n.kids)
	}
}

func addAllSynopsis(b *strings.Builder, kids []*node) {
	for _, k := range kids {
		addSynopsis(b, k)
	}
}

func spacedText(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(s)
}

// addArgument adds an argument of a command with its brackets, and dots where it repeats.
func addArgument(b *strings.Builder, n *node) {
	before, after := "[", "]"
	switch n.attribute("choice") {
	case "plain":
		before, after = "", ""
	case "req":
		before, after = "{", "}"
	}
	b.WriteString(" " + before)
	first := true
	for _, k := range n.kids {
		if n.name == "group" {
			if k.name == "" {
				continue
			}
			if !first {
				b.WriteString(" | ")
			}
			first = false
			if k.name == "arg" {
				addAllSynopsis(b, k.kids)
				continue
			}
		}
		addSynopsis(b, k)
	}
	b.WriteString(after)
	if n.attribute("rep") == "repeat" {
		b.WriteString("...")
	}
	b.WriteByte(' ')
}

// addPrototype adds the prototype of a function.
func addPrototype(b *strings.Builder, n *node) {
	parameters := 0
	for _, k := range n.kids {
		switch k.name {
		case "funcdef":
			b.WriteString(k.plainText() + "(")
		case "paramdef", "varargs", "void":
			if parameters++; parameters > 1 {
				b.WriteString(", ")
			}
			switch k.name {
			case "varargs":
				b.WriteString("...")
			case "void":
				b.WriteString("void")
			default:
				b.WriteString(k.plainText())
			}
		}
	}
	b.WriteString(");")
}

// addMethod adds the signature of a method.
func addMethod(b *strings.Builder, n *node) {
	parameters, open, result := 0, false, ""
	for _, k := range n.kids {
		switch k.name {
		case "methodname":
			b.WriteString(" " + k.plainText() + "(")
			open = true
		case "methodparam":
			if parameters++; parameters > 1 {
				b.WriteString(", ")
			}
			for _, part := range k.kids {
				if part.name == "type" {
					b.WriteString(typeText(part) + " ")
					continue
				}
				b.WriteByte(' ')
				addSynopsis(b, part)
			}
		case "type":
			if result = typeText(k); !open {
				b.WriteString(" " + result)
				result = ""
			}
		case "modifier":
			b.WriteString(" " + k.plainText())
		}
	}
	if open {
		b.WriteString(")")
	}
	if result != "" {
		b.WriteString(": " + result)
	}
}

// typeText is a type; the parts of a union have signs between them.
func typeText(n *node) string {
	var parts []string
	for _, k := range n.kids {
		if k.name == "type" {
			parts = append(parts, typeText(k))
		}
	}
	if len(parts) > 0 {
		return strings.Join(parts, "|")
	}
	return n.plainText()
}
