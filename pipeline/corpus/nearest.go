package corpus

import (
	"docent/pipeline/text/spelling"
	"docent/store"
)

// nearest gives up to three doc sets whose names are near to a wrong one.
func nearest(name string, all []store.Set) []string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Ref.String()
	}
	return spelling.Nearest(name, names)
}
