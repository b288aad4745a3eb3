package asciidoc

import (
	"strconv"
	"strings"

	"docent/pipeline/text/pattern"
)

// includeOptions are what an include wants of a file.
type includeOptions struct {
	tags   []string
	lines  string
	offset string // of the levels of its titles
	indent string
	opts   string
}

// readIncludeOptions reads `tags=a;b,leveloffset=+1`.
func readIncludeOptions(s string) includeOptions {
	var o includeOptions
	for _, part := range splitQuoted(s) {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch name {
		case "tag", "tags":
			o.tags = strings.FieldsFunc(value, func(c rune) bool { return c == ';' || c == ',' })
		case "lines":
			o.lines = value
		case "leveloffset":
			o.offset = value
		case "indent":
			o.indent = value
		case "opts", "options":
			o.opts = value
		}
	}
	return o
}

// splitQuoted cuts a list at its commas, but for those in quotes.
func splitQuoted(s string) []string {
	var out []string
	start, quote := 0, false
	for i := 0; i < len(s) && len(out) < maxParts; i++ {
		switch {
		case s[i] == '"':
			quote = !quote
		case s[i] == ',' && !quote:
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}

// part names the part of a file that is wanted, "" for all of it.
func (o includeOptions) part() string { return o.lines + strings.Join(o.tags, ";") }

// pick is the part of a file that is wanted.
func (o includeOptions) pick(all []string) []string {
	switch {
	case o.lines != "":
		all = pickLines(all, o.lines)
	case len(o.tags) > 0:
		all = pickTags(all, o.tags)
	}
	if n, err := strconv.Atoi(o.indent); err == nil && n >= 0 && n < maxIndent {
		all = reindent(all, strings.Repeat(" ", n))
	}
	return all
}

// maxIndent is the widest indentation that an include may ask for.
const maxIndent = 40

// reindent gives lines another indentation in the place of their common one.
func reindent(all []string, indent string) []string {
	least := -1
	for _, l := range all {
		if t := strings.TrimLeft(l, " "); t != "" && (least < 0 || len(l)-len(t) < least) {
			least = len(l) - len(t)
		}
	}
	out := make([]string, len(all))
	for i, l := range all {
		if l != "" {
			out[i] = indent + l[min(max(least, 0), len(l)):]
		}
	}
	return out
}

// pickLines are lines by their numbers: "1..3;7..-1".
func pickLines(all []string, ranges string) []string {
	var out []string
	for part := range strings.FieldsFuncSeq(ranges, func(c rune) bool { return c == ';' || c == ',' }) {
		a, b, many := strings.Cut(strings.TrimSpace(part), "..")
		from, err := strconv.Atoi(a)
		if err != nil || from < 1 || from > len(all) || len(out) > len(all) {
			continue
		}
		to := from
		if many {
			if to, err = strconv.Atoi(b); err != nil || to < 0 {
				to = len(all)
			}
		}
		out = append(out, all[from-1:max(from-1, min(to, len(all)))]...)
	}
	return out
}

var tagMark = pattern.Lazy(`\b(tag|end)::([^\s\[\]]+)\[\]`)

// pickTags are the lines between marks of wanted tags: names, "*" for all tags, "**" for
// all lines, with "!" for those that are not wanted. The marks are left out.
func pickTags(all []string, tags []string) []string {
	wanted := map[string]bool{}
	rest, any := false, false // lines outside of tags, and of tags that are not named
	for i, t := range tags {
		name, not := strings.CutPrefix(t, "!")
		switch {
		case name == "**":
			rest, any = !not, !not
		case name == "*":
			any = !not
			rest = rest || not && i == 0
		default:
			wanted[name] = !not
			if i == 0 && not {
				rest, any = true, true
			}
		}
	}
	type open struct {
		name   string
		active bool
	}
	var stack []open
	active := rest
	var out []string
	for _, l := range all {
		if strings.Contains(l, "::") {
			if m := tagMark().FindStringSubmatch(l); m != nil {
				if m[1] == "tag" {
					is, named := wanted[m[2]]
					if !named {
						is = any || active && len(stack) > 0 && wanted[stack[len(stack)-1].name]
					}
					stack = append(stack, open{m[2], active})
					active = is
				} else if n := len(stack); n > 0 && stack[n-1].name == m[2] {
					active = stack[n-1].active
					stack = stack[:n-1]
				}
				continue
			}
		}
		if active {
			out = append(out, l)
		}
	}
	return out
}
