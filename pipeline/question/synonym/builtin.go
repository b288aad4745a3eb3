package synonym

import (
	_ "embed"
	"sync"
)

//go:embed builtin.txt
var builtin []byte

// Builtin is the list for documentation of software that comes with the program. It is
// read the first time it is asked for.
var Builtin = sync.OnceValue(func() []Group {
	groups, _ := ParseList("builtin.txt", builtin) // the tests read it whole
	for i := range groups {
		groups[i].File = ""
	}
	return groups
})
