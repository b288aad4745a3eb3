package code

import "strings"

// maskScriptText reads the templates and regular expressions of JavaScript.
func maskScriptText(m *masker) bool {
	switch c := m.src[m.at]; c {
	case '`':
		m.maskTemplate(m.at + 1)
		return true
	case '{':
		if n := len(m.braces); n > 0 {
			m.braces[n-1]++
		}
	case '}':
		n := len(m.braces)
		if n == 0 {
			return false
		}
		if m.braces[n-1] > 0 {
			m.braces[n-1]--
			return false
		}
		m.braces = m.braces[:n-1]
		m.maskTemplate(m.at + 1)
		return true
	case '/':
		return m.regexp()
	}
	return false
}

// maskTemplate hides a template up to its end, or to an expression in it.
func (m *masker) maskTemplate(from int) {
	for i := from; i < len(m.src); i++ {
		switch {
		case m.src[i] == '\\':
			i++
		case m.src[i] == '`':
			m.hideString(i + 1)
			return
		case m.src[i] == '$' && i+1 < len(m.src) && m.src[i+1] == '{':
			m.hideString(i + 1)
			m.hideUntil(i + 2)
			m.braces = append(m.braces, 0)
			return
		}
	}
	m.hideUntil(len(m.src))
}

// regexp reads a regular expression between slashes, where one may stand.
func (m *masker) regexp() bool {
	if m.atMark("//") || m.atMark("/*") || m.at < m.noExpr {
		return false
	}
	switch c, word := m.characterBefore(); {
	case c == 0 || strings.IndexByte("(,=:[!&|?{};+-*%~^<>", c) >= 0:
	case word == "return" || word == "typeof" || word == "case" || word == "in" || word == "of" || word == "when" || word == "if" ||
		word == "unless" || word == "and" || word == "or" || word == "match":
	default:
		return false
	}
	class, i := false, m.at+1
	for ; i < len(m.src) && m.src[i] != '\n' && i < m.at+1000; i++ {
		switch m.src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				m.hideString(i + 1)
				return true
			}
		}
	}
	m.noExpr = i
	return false
}

// maskRustText reads the raw strings of Rust and its characters, which lifetimes look like.
func maskRustText(m *masker) bool {
	switch m.src[m.at] {
	case '\'':
		rest := m.src[m.at+1:]
		if strings.HasPrefix(rest, `\`) {
			if i := strings.IndexByte(rest[min(2, len(rest)):min(len(rest), 12)], '\''); i >= 0 {
				m.hideString(m.at + i + 4)
				return true
			}
		} else if i := strings.IndexByte(rest[:min(len(rest), 6)], '\''); i > 0 && len([]rune(rest[:i])) == 1 {
			m.hideString(m.at + i + 2)
			return true
		}
		m.at++
		return true
	case 'r':
		if m.wordBefore() && !(m.src[m.at-1] == 'b' || m.src[m.at-1] == 'c') {
			return false
		}
		return m.maskRawString(m.at+1, '#', `"`)
	}
	return false
}

// maskRawString reads a string that ends with as many marks as stood before its quote.
func (m *masker) maskRawString(from int, mark byte, quote string) bool {
	n := 0
	for from+n < len(m.src) && m.src[from+n] == mark && n < 40 {
		n++
	}
	if !strings.HasPrefix(m.src[from+n:], quote) {
		return false
	}
	i := m.seekMark(quote+strings.Repeat(string(mark), n), from+n+len(quote))
	if i < 0 {
		return false
	}
	m.hideString(i + n + len(quote))
	return true
}

// maskCPlusPlus reads the raw strings of C++ and the digits of numbers with quotes in them.
func maskCPlusPlus(m *masker) bool {
	switch m.src[m.at] {
	case 'R':
		if !m.atMark(`R"`) || m.wordBefore() && strings.IndexByte("LuU8", m.src[m.at-1]) < 0 {
			return false
		}
		rest := m.src[m.at+2 : min(len(m.src), m.at+20)]
		i := strings.IndexByte(rest, '(')
		if i < 0 {
			return false
		}
		end := m.seekMark(")"+rest[:i]+`"`, m.at)
		if end < 0 {
			return false
		}
		m.hideString(end + i + 2)
		return true
	case '\'':
		if m.wordBefore() && m.at+1 < len(m.src) && isWordCharacter(m.src[m.at+1]) && m.src[m.at-1] >= '0' &&
			m.src[m.at-1] <= '9' { // 1'000
			m.at++
			return true
		}
	}
	return false
}

// maskCSharp reads the verbatim and raw strings of C#.
func maskCSharp(m *masker) bool {
	if strings.IndexByte("@$", m.src[m.at]) < 0 {
		return false
	}
	at := m.at
	for at < len(m.src) && strings.IndexByte("@$", m.src[at]) >= 0 && at < m.at+3 {
		at++
	}
	if !strings.Contains(m.src[m.at:at], "@") || at >= len(m.src) || m.src[at] != '"' {
		return false
	}
	for i := at + 1; i < len(m.src); i++ {
		if m.src[i] != '"' {
			continue
		}
		if i+1 < len(m.src) && m.src[i+1] == '"' {
			i++
			continue
		}
		m.hideString(i + 1)
		return true
	}
	m.hideUntil(len(m.src))
	return true
}

// maskShell reads what shells write: comments only where a word may begin, heredocs, quotes
// behind a backslash.
func maskShell(m *masker) bool {
	switch m.src[m.at] {
	case '#':
		if m.at > 0 && strings.IndexByte(" \t\n;&|(", m.src[m.at-1]) < 0 {
			m.at++
			return true
		}
	case '\'', '"':
		if m.at > 0 && m.src[m.at-1] == '\\' {
			m.at++
			return true
		}
	case '<':
		if m.atMark("<<<") {
			m.at += 3
			return true
		}
		return m.heredocAt("<<", "-")
	}
	return false
}

// heredocAt reads the beginning of a heredoc: a mark, perhaps a sign for indented ones,
// and the word that ends it.
func (m *masker) heredocAt(mark, indented string) bool {
	if !m.atMark(mark) {
		return false
	}
	rest := m.src[m.at+len(mark) : min(len(m.src), m.at+80)]
	h := heredoc{indent: mark == "<<<"}
	if rest != "" && strings.IndexByte(indented, rest[0]) >= 0 {
		h.indent, rest = true, rest[1:]
	} else if mark == "<<" && indented == "-~" && (rest == "" || rest[0] < 'A' || rest[0] > 'Z') { // a << b, in Ruby
		return false
	}
	word := strings.TrimLeft(rest, " ")
	word = strings.TrimPrefix(word, `\`)
	if word != "" && strings.IndexByte(`'"`, word[0]) >= 0 {
		word = word[1:]
	}
	n := 0
	for n < len(word) && isWordCharacter(word[n]) {
		n++
	}
	if n == 0 || word[0] >= '0' && word[0] <= '9' {
		m.at += len(mark)
		return true
	}
	h.end = word[:n]
	if len(m.heredoc) < 10 {
		m.heredoc = append(m.heredoc, h)
	}
	line := strings.Index(m.src[m.at:], h.end) + m.at + n
	if line < len(m.src) && strings.IndexByte(`'"`, m.src[line]) >= 0 {
		line++
	}
	m.hideUntil(line)
	return true
}

// maskRubyText reads heredocs and regular expressions.
func maskRubyText(m *masker) bool {
	switch m.src[m.at] {
	case '<':
		return m.heredocAt("<<", "-~")
	case '/':
		return m.regexp()
	case '=':
		if m.atMark("=begin") && (m.at == 0 || m.src[m.at-1] == '\n') {
			end := len(m.src)
			if i := m.seekMark("\n=end", m.at); i >= 0 {
				end = i + len("\n=end")
			}
			m.note(end, true)
			return true
		}
	case '#':
		if m.at > 0 && m.src[m.at-1] == '?' || strings.HasPrefix(m.src[m.at:], "#{") {
			m.at++
			return true
		}
	}
	return false
}

// maskPHPText reads heredocs, and hides the text outside of PHP's tags.
func maskPHPText(m *masker) bool {
	if m.at == 0 && !m.atMark("<?") {
		if i := m.seekMark("<?", 0); i > 0 {
			m.hideUntil(i)
			return true
		}
	}
	switch m.src[m.at] {
	case '<':
		if m.atMark("<<<") {
			return m.heredocAt("<<<", "")
		}
	case '#':
		if m.atMark("#[") {
			m.at++
			return true
		}
	case '?':
		if m.atMark("?>") {
			end := len(m.src)
			if i := m.seekMark("<?", m.at); i >= 0 {
				end = i
			}
			m.hideUntil(end)
			return true
		}
	}
	return false
}
