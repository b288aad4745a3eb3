package dialect

import "bytes"

// mostFormula is how many lines a formula between two lines with $$ may have.
const mostFormula = 60

// formula shapes a formula of several lines, from $$ to $$. Its lines are text: "=" alone made a heading of
// all lines before it, and a minus at the beginning of a line made a list.
func (s indented) formula(i int, body []byte) int {
	if !bytes.HasPrefix(body, []byte("$$")) || bytes.Count(body, []byte("$$")) != 1 {
		return i
	}
	last := i + 1
	for ; ; last++ {
		if last >= len(s.lines)-1 || last-i > mostFormula || IsBlank(s.lineAt(last)) {
			return i
		}
		if bytes.Contains(s.lineAt(last), []byte("$$")) {
			break
		}
	}
	s.writePlain(i, s.lineAt(i), false)
	for k := i + 1; k < last; k++ {
		line := s.lineAt(k)
		n := IndentBytes(line)
		if bytes.IndexByte([]byte("=-+*>#|"), line[n]) < 0 {
			s.writePlain(k, line, false)
			continue
		}
		escaped := append(append(append([]byte{}, line[:n]...), '\\'), line[n:]...)
		s.writePlain(k, escaped, true)
	}
	return last
}
