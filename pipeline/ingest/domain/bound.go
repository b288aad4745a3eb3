package domain

import (
	"bytes"
	"fmt"
)

// The bounds of a docent.toml, far over what a person writes. Reading TOML and looking for
// names like an unknown key cost the square of the keys and of a key's parts: a file of
// 39 KB in a repository of others once took 17 seconds.
const (
	mostKeys  = 1000 // keys and tables
	mostParts = 16   // of a key, and tables within each other
)

// CheckBounds looks, before anything is read of a docent.toml, whether that takes moments.
// It counts what may be a key, so that what stands in texts counts too.
func CheckBounds(raw []byte) error {
	if len(raw) > maxFile {
		return fmt.Errorf("it has more than the %d KB that it may have", maxFile>>10)
	}
	keys, nested := bytes.Count(raw, []byte("=")), 0
	for line := range bytes.Lines(raw) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			keys++
		}
		name, _, _ := bytes.Cut(line, []byte("="))
		if parts(name) > mostParts {
			return fmt.Errorf("a key has more than the %d parts that it may have", mostParts)
		}
		for _, c := range line {
			switch c {
			case '{', '[':
				nested++
			case '}', ']':
				nested = max(0, nested-1)
			}
			if nested > 4*mostParts {
				return fmt.Errorf("tables and lists lie in each other more than %d deep", 4*mostParts)
			}
		}
	}
	if keys > mostKeys {
		return fmt.Errorf("it has %d keys, and at most %d are read", keys, mostKeys)
	}
	return nil
}

// parts counts the parts of a dotted key; a part in quotes may have dots.
func parts(key []byte) int {
	n, quote := 1, byte(0)
	for _, c := range key {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '.':
			n++
		}
	}
	return n
}
