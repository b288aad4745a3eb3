package man

import (
	"strconv"
	"strings"
)

// mostConditions is how many conditions may stand behind each other on a line, and how
// many decisions of .ie wait for their .el.
const mostConditions = 20

// condition decides .if and .ie, and reads what it stands before.
func (p *page) condition(rest string, remember bool) {
	not := false
	for strings.HasPrefix(rest, "!") {
		not, rest = !not, strings.TrimLeft(rest[1:], " ")
	}
	holds, then := p.evaluate(rest)
	if holds = holds != not; remember && len(p.decided) < mostConditions {
		p.decided = append(p.decided, holds)
	}
	p.decide(holds, then)
}

// otherwise reads .el, which holds where its .ie did not.
func (p *page) otherwise(rest string) {
	holds := false
	if n := len(p.decided); n > 0 {
		holds, p.decided = !p.decided[n-1], p.decided[:n-1]
	}
	p.decide(holds, rest)
}

// evaluate evaluates a condition: n, a terminal, holds; texts and numbers are compared;
// a condition that cannot be evaluated does not hold. then is the rest of the line.
func (p *page) evaluate(s string) (holds bool, then string) {
	if s == "" {
		return false, ""
	}
	switch c := s[0]; {
	case c == '\'' || c == '"':
		if parts := strings.SplitN(s[1:], s[:1], 3); len(parts) == 3 {
			return p.plainLine(parts[0]) == p.plainLine(parts[1]), parts[2]
		}
		return false, ""
	case c == 'd' || c == 'r' || c == 'c' || c == 'm':
		name, then := splitCondition(strings.TrimLeft(s[1:], " "))
		_, macro := p.macros[name]
		_, text := p.strings[name]
		return c == 'd' && (macro || text), then
	case strings.HasPrefix(s, "n") && (len(s) == 1 || !isWord(s[1])):
		return true, s[1:]
	}
	what, then := splitCondition(s)
	return compareNumbers(what), then
}

// splitCondition cuts a line behind its condition: at a blank outside parentheses, or
// where braces open.
func splitCondition(s string) (what, then string) {
	open := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '(' && (i < 2 || s[i-1] != 'n' || s[i-2] != '\\'): // but not of \n(xx
			open++
		case s[i] == ')':
			open--
		case open <= 0 && (s[i] == ' ' || s[i] == '\t') || strings.HasPrefix(s[i:], `\{`):
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// compareNumbers evaluates a number, which holds above zero, or two that are compared.
func compareNumbers(s string) bool {
	s = strings.Trim(strings.ReplaceAll(s, " ", ""), "()")
	i := strings.IndexAny(s, "<>=")
	if i < 0 {
		n, err := strconv.Atoi(s)
		return err == nil && n > 0
	}
	right := strings.TrimLeft(s[i:], "<>=")
	a, err := strconv.Atoi(s[:i])
	b, bad := strconv.Atoi(right)
	if err != nil || bad != nil {
		return false
	}
	switch s[i : len(s)-len(right)] {
	case "<":
		return a < b
	case ">":
		return a > b
	case "<=":
		return a <= b
	case ">=":
		return a >= b
	case "=", "==":
		return a == b
	}
	return false
}

// decide reads what a condition stands before, or skips it.
func (p *page) decide(holds bool, then string) {
	if !holds {
		p.skip = max(0, strings.Count(then, `\{`)-strings.Count(then, `\}`))
		return
	}
	then = strings.TrimSpace(strings.NewReplacer(`\{\`, "", `\{`, "", `\}`, "").Replace(then))
	if then != "" && len(then) < 10_000 && p.conditions < mostConditions {
		p.conditions++
		p.readLine(then)
		p.conditions--
	}
}

// macroOfString is a line that begins with a string whose text is a macro, with that text
// in the string's place. It reports whether the line is one.
func (p *source) macroOfString(line string) (string, bool) {
	if !strings.HasPrefix(line, `\*`) {
		return "", false
	}
	name, n := argument(line[2:])
	value := p.strings[name]
	if !strings.HasPrefix(value, ".") || p.expanded+len(value) > p.budget {
		return "", false
	}
	p.expanded += len(value)
	return value + line[2+n:], true
}
