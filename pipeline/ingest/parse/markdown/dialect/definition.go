package dialect

// IsDefinition reports whether a line is the text of a term above it: a colon, a blank and words.
func IsDefinition(line []byte) bool {
	const code = 4 // bytes of indentation
	n := IndentBytes(line)
	return n < code && len(line) > n+2 && line[n] == ':' && (line[n+1] == ' ' || line[n+1] == '\t') && !IsBlank(line[n+1:])
}
