// Package pattern compiles regular expressions when they are first used. Every command
// links the patterns of all formats and phases, and compiling them all would cost each
// start of the program some milliseconds. The package refuses to hold a pattern: each
// stands next to the code that it serves.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy gives a regular expression that is compiled at the first call. A faulty one panics
// there, so the tests of its package must use it.
func Lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
