package fidelity

import (
	"bytes"

	"docent/pipeline/text/spacing"
)

// silentRequests are the requests of roff, and macros, whose arguments are not shown.
var silentRequests = spacing.WordSet("TH TP IP RS RE PP P LP HP PD DT UC Dd Dt Os Bl El Bd Ed Pp Lp Rs Re Bk Ek sp br " +
	"ad na hy nh nf fi ft ps vs " +
	"in ti " +
	"ta ne nr ds as rm rn tr cc c2 ec eo lf ll pl po so mso ev it ce rj bp ig de de1 am am1 als do nx fp fam wh ch cflags char " +
	"hcode hla hlm hpf hw kern lg mk rt ns rs os pn pc ss sty tkf trf uf ul cu warn while break return shift tm ab ex pso sy rr " +
	"Db Sm Ns Pf Bt Ud UE ME UR MT EX EE Vb Ve IX XX TS TE T& EQ EN PS PE al rf rm1 rnn substring length index color defcolor " +
	"fcolor gcolor special FT Tp Ta Xo Xc")

// mdocMacros are the macros of mdoc that stand among the arguments of others.
var mdocMacros = spacing.WordSet("Ad An Ac Ao Ap Aq Ar At Bc Bo Bq Brc Bro Brq Bsx Bx Cd Cm Dc Do Dq Dv Dx Ec Em En " +
	"Eo Er Ev Fa Fc Fl Fn Fo Fr Ft " +
	"Fx Ic In Lb Li Lk Ms Mt Nd Nm No Ns Nx Oc Oo Op Ot Ox Pa Pc Pf Po Pq Qc Ql Qo Qq Sc Sh So Sq Ss St Sx Sy Ta Tn Ux Va Vt Xc Xo Xr")

// manual is a manual page while it is read.
type manual struct {
	t       *tally
	mdoc    bool
	skipTo  string // the line that ends the lines that are left out
	columns bool   // the format lines of a table

	// Macros of the page by their names, whose lines are read once, where they are called.
	macros  map[string][][]byte
	defines string // the macro whose lines are being read, or ""
	depth   int    // of macros in macros
}

// scanManual takes the words of a manual page: without names of requests and macros,
// comments, escapes and the definitions of strings. The lines of macros that the page
// defines count once.
func scanManual(t *tally, src []byte) {
	m := &manual{t: t, macros: map[string][][]byte{}}
	eachLine(src, m.readLine)
}

func (m *manual) readLine(line []byte) {
	if m.skipTo != "" {
		if bytes.HasPrefix(line, []byte(m.skipTo)) {
			m.skipTo, m.defines = "", ""
		} else if m.defines != "" {
			m.macros[m.defines] = append(m.macros[m.defines], line)
		}
		return
	}
	if len(line) > 0 && (line[0] == '.' || line[0] == '\'') {
		m.readRequest(bytes.TrimLeft(line[1:], " \t"))
		return
	}
	if m.columns {
		m.columns = !bytes.HasSuffix(bytes.TrimSpace(line), []byte("."))
		return
	}
	if bytes.HasPrefix(line, []byte("T}")) || bytes.HasPrefix(line, []byte("T{")) { // a cell of several lines
		line = line[2:]
	}
	line = bytes.TrimSuffix(line, []byte("T{"))
	m.addEscaped(line)
	m.endLine(line)
}

// endLine ends a word, unless its line ends in the escape that goes on.
func (m *manual) endLine(line []byte) {
	if !bytes.HasSuffix(line, []byte(`\c`)) {
		m.t.endWord()
	}
}

// readRequest reads a line that begins with a request or a macro, without its dot.
func (m *manual) readRequest(line []byte) {
	end := bytes.IndexAny(line, " \t\\")
	if end < 0 {
		end = len(line)
	}
	name, rest := string(line[:end]), line[end:]
	switch name {
	case "Dd", "Sh":
		m.mdoc = m.mdoc || name == "Dd"
	case "ig", "de", "de1", "am", "am1":
		m.readDefinition(name, bytes.Fields(rest))
		return
	case "TS", "T&":
		m.columns = true
		return
	case "if", "ie", "el", "while":
		m.readCondition(rest, name != "el")
		return
	case "UR", "MT", "URL", "MTO", "LINKSTYLE":
		m.addWords(rest)
		return
	}
	lines, own := m.macros[name]
	switch {
	case name == "IP":
		m.addFirst(rest)
	case silentRequests[name]:
	case own && len(lines) > 0 && m.depth < mostDepth:
		m.macros[name] = nil // read once
		m.depth++
		for _, line := range lines {
			m.readLine(line)
		}
		m.depth--
		m.addWords(rest)
	default:
		m.addWords(rest)
	}
}

// mostDepth is how deep macros are followed into macros.
const mostDepth = 10

// readDefinition begins to leave out lines that are not to be read, and to keep those of a
// macro.
func (m *manual) readDefinition(request string, args [][]byte) {
	m.skipTo = ".."
	if request == "ig" || len(args) == 0 {
		return
	}
	if len(args) > 1 {
		m.skipTo = "." + string(args[1])
	}
	m.defines = string(args[0])
	m.macros[m.defines] = nil
}

// readCondition reads the request behind a condition.
func (m *manual) readCondition(rest []byte, condition bool) {
	rest = bytes.TrimLeft(rest, " \t!")
	if condition && len(rest) > 0 {
		// A condition in quotes or one word.
		if end := bytes.IndexAny(rest, " \t"); rest[0] != '\'' && rest[0] != '"' && rest[0] != '(' {
			if end < 0 {
				return
			}
			rest = rest[end:]
		} else {
			return // hardly ever before text
		}
	}
	rest = bytes.TrimLeft(rest, " \t")
	rest = bytes.TrimLeft(bytes.TrimPrefix(rest, []byte(`\{`)), `\ `)
	if len(rest) > 0 && (rest[0] == '.' || rest[0] == '\'') {
		m.readRequest(bytes.TrimLeft(rest[1:], " \t"))
	}
}

// addFirst adds the first argument of a macro.
func (m *manual) addFirst(args []byte) {
	args = bytes.TrimLeft(args, " \t")
	if len(args) > 0 && args[0] == '"' {
		end := bytes.IndexByte(args[1:], '"')
		if end < 0 {
			end = len(args) - 1
		}
		args = args[1 : 1+end]
	} else if end := argumentEnd(args); end < len(args) {
		args = args[:end]
	}
	m.addEscaped(args)
	m.t.endWord()
}

// argumentEnd is the length of the first argument, in which blanks may be escaped.
func argumentEnd(args []byte) int {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case '\\':
			i++
		case ' ', '\t':
			return i
		}
	}
	return len(args)
}

// addWords adds the arguments of a macro. Macros such as .BR join theirs, so the blanks
// outside of quotes are looked at: each argument is a word of its own.
func (m *manual) addWords(args []byte) {
	args = bytes.TrimLeft(args, " \t")
	joined := false // no blank stands before the next word of mdoc
	for len(args) > 0 {
		var word []byte
		if args[0] == '"' {
			end := 1
			for end < len(args) && (args[end] != '"' || end+1 < len(args) && args[end+1] == '"') {
				if args[end] == '"' {
					end++
				}
				end++
			}
			word, args = args[1:min(end, len(args))], args[min(end+1, len(args)):]
		} else {
			end := argumentEnd(args)
			word, args = args[:end], args[end:]
		}
		args = bytes.TrimLeft(args, " \t")
		if m.mdoc && len(word) <= 3 && mdocMacros[string(word)] {
			joined = string(word) == "Ns" || joined
			continue
		}
		if bytes.HasPrefix(word, []byte(`\"`)) || bytes.HasPrefix(word, []byte(`\#`)) {
			break
		}
		if !joined {
			m.t.endWord()
		}
		joined = false
		m.addEscaped(word)
	}
	m.t.endWord()
}

// addEscaped adds a text without its escapes.
func (m *manual) addEscaped(text []byte) {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			m.t.addText(text)
			return
		}
		m.t.addText(text[:i])
		if text = text[i+1:]; len(text) == 0 {
			return
		}
		c := text[0]
		text = text[1:]
		switch c {
		case '"', '#': // a comment
			return
		case '&', '|', '^', '/', ',', ':', '%', ')', 'c', '{', '}', 'e': // no width, or a backslash
		case 'f', 'F', 'm', 'M', 'g', 'k', 'Y', 'n', '*', '$', 's', 'R', 'V', 'O':
			text = text[nameLength(c, text):]
			if c == '*' || c == '$' || c == 'n' {
				m.t.endWord()
			}
		case '(', '[':
			text = m.addSpecial(c, text)
		case 'h', 'v', 'w', 'l', 'L', 'o', 'D', 'b', 'X', 'Z', 'z', 'A', 'B', 'C', 'H', 'N', 'S', 'x', 'r', 'u', 'd', 'p', 'a', 't':
			text = text[quotedLength(c, text):]
			m.t.endWord()
		default:
			m.t.endWord()
		}
	}
}

// nameLength is the length of the name behind an escape: one letter, two behind "(", or
// what brackets hold; of a size, its number.
func nameLength(escape byte, text []byte) int {
	i := 0
	if (escape == 's' || escape == 'n') && len(text) > 0 && (text[0] == '+' || text[0] == '-') {
		i++
	}
	switch {
	case i >= len(text):
		return len(text)
	case text[i] == '(':
		return min(i+3, len(text))
	case text[i] == '[':
		if end := bytes.IndexByte(text, ']'); end >= 0 {
			return end + 1
		}
		return len(text)
	case escape == 's' && text[i] >= '1' && text[i] <= '3' && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9':
		return i + 2
	}
	return i + 1
}

// quotedLength is the length of the argument in quotes behind an escape, 0 without one.
func quotedLength(escape byte, text []byte) int {
	if bytes.IndexByte([]byte("rudpatz"), escape) >= 0 || len(text) == 0 || text[0] != '\'' {
		return 0
	}
	end := bytes.IndexByte(text[1:], '\'')
	if end < 0 {
		return len(text)
	}
	return end + 2
}

// addSpecial adds a special character, whose name follows, where it is a letter with a
// sign; else it ends the word.
func (m *manual) addSpecial(open byte, text []byte) []byte {
	name := text[:min(2, len(text))]
	rest := text[len(name):]
	if open == '[' {
		end := bytes.IndexByte(text, ']')
		if end < 0 {
			return nil
		}
		name, rest = text[:end], text[end+1:]
	}
	switch string(name) {
	case "hy":
		m.t.addText([]byte{'-'})
	case "ss":
		m.t.addCharacter('ß')
	default:
		m.t.endWord()
	}
	return rest
}
