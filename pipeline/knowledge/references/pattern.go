package references

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used: all of them
// together would cost each start of the program some milliseconds.
type pattern struct{ get func() *regexp.Regexp }

func lazy(text string) *pattern {
	return &pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}
