package vectors

import (
	"testing"

	"docent/pipeline/ingest/domain"
	"docent/store"
)

// A doc set's vectors are by the profile of the route that most of its pages take.
func TestRoutingOf(t *testing.T) {
	t.Parallel()
	routes := map[string]domain.Route{"handbook": {Profile: "young"}, "legal": {Profile: "law"}, "prose": {Profile: "young"}}
	for name, tt := range map[string]struct {
		pages []string
		want  Routing
	}{
		"no pages yet":                 {nil, Routing{"tech_docs", 0}},
		"pages of before routes":       {[]string{"", ""}, Routing{"tech_docs", 0}},
		"another name than the domain": {[]string{"handbook", "handbook", ""}, Routing{"handbook", 1}},
		"as many of each":              {[]string{"legal", "handbook"}, Routing{"handbook", 1}},
		"two routes of one profile":    {[]string{"prose", "handbook", "handbook", "legal"}, Routing{"handbook", 1}},
	} {
		var pages []store.FileState
		for _, route := range tt.pages {
			pages = append(pages, store.FileState{Routing: store.Routing{Route: route}})
		}
		for range 20 { // maps have no order
			if got := routingOf("tech_docs", pages, routes); got != tt.want {
				t.Fatalf("%s: %+v, want %+v", name, got, tt.want)
			}
		}
	}
}
