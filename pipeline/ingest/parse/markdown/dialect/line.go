package dialect

import (
	"bytes"
	"sort"
)

// LineStarts gives the offset of each line and, last, len(b). Lines end with
// "\n" alone, as doc.CountLines counts them.
func LineStarts(b []byte) []int {
	starts := make([]int, 0, bytes.Count(b, []byte{'\n'})+2)
	for i := 0; i < len(b); {
		starts = append(starts, i)
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
	}
	return append(starts, len(b))
}

// IndentBytes is the number of leading spaces and tabs.
func IndentBytes(line []byte) int {
	for i, c := range line {
		if c != ' ' && c != '\t' {
			return i
		}
	}
	return len(line)
}

// IndentOf is the width of the indentation in columns (tabs go to multiples of 4) and
// its length in bytes.
func IndentOf(line []byte) (cols, n int) {
	for n < len(line) {
		switch line[n] {
		case ' ':
			cols++
		case '\t':
			cols += 4 - cols%4
		default:
			return cols, n
		}
		n++
	}
	return cols, n
}

func IsBlank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' {
			return false
		}
	}
	return true
}

// LineIn is the line that holds an offset; starts are the offsets of the lines.
func LineIn(starts []int, offset int) int {
	return sort.Search(len(starts)-1, func(i int) bool { return starts[i+1] > offset })
}
