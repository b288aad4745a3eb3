package wording

import (
	"docent/pipeline/knowledge/references"
)

// Said are the words for the types of edges: what leads from here, and what leads here.
var Said = map[references.Type][2]string{
	references.Requires:   {"requires", "required by"},
	references.WarnsAbout: {"warns of", "warned of by"},
	references.Supersedes: {"replaces", "replaced by"},
	references.References: {"refers to", "referred to by"},
	references.RelatedTo:  {"related to", "named as related by"},
}
