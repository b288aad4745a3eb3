// Package references makes the reference graph of a doc set: which section refers to
// which, what it requires, what it warns of and what it replaces.
//
// Nodes are sections, and within them procedures, parameters and warnings, with the keys
// of the domain specification. Edges come from links and from patterns over the sentences
// of the parsed text, never from code. Every edge has a score, the confidence in it, and
// the name of the pattern that made it; readers of edges give a threshold.
//
// It goes in two steps. Read takes from one page what it says by itself; that depends on
// nothing else and is kept, so that an update reads changed pages only. Resolve puts the
// pages of a doc set together: it finds where links lead and makes the edges.
//
// The patterns know English. Links, and sections that are called "see also" or
// "prerequisites" in the languages of the dictionaries too, need no English.
//
// It refuses to read files, to fetch URLs, and to ask a model.
package references

import (
	"docent/pipeline/knowledge/references/anchors"
	"docent/store/doc"
)

// version is raised whenever the same pages give another graph: stored graphs are then
// made again.
const version = 23

// Kind is what a node stands for.
type Kind string

// The kinds of nodes.
const (
	Section   Kind = "Section" // a page as a whole too
	Procedure Kind = "Procedure"
	Parameter Kind = "Parameter"
	Warning   Kind = "Warning"
)

// Type is what an edge says.
type Type string

// The types of edges.
const (
	References Type = "REFERENCES"
	Requires   Type = "REQUIRES"
	RelatedTo  Type = "RELATED_TO"
	Supersedes Type = "SUPERSEDES" // the source takes the place of the target
	WarnsAbout Type = "WARNS_ABOUT"
)

// EdgeTypes are all types of edges, in the order in which they are shown.
func EdgeTypes() []Type { return []Type{Requires, WarnsAbout, Supersedes, References, RelatedTo} }

// DefaultThreshold is the score from which an edge is shown. Measured on samples, see the
// manual's page on the graph: below it the patterns are wrong too often.
const DefaultThreshold = 0.7

// Node is a place of the documentation.
type Node struct {
	Kind Kind   `json:"node_type"`
	ID   string `json:"id"` // the span_id of a section; the ids of its parts are made from it
	// DocSet and Path name the page.
	DocSet string `json:"doc_set"`
	Path   string `json:"path"`
	// Title is the heading; of a whole page its title.
	Title       string `json:"title"`
	SectionPath string `json:"section_path,omitempty"` // "": the page
	Anchor      string `json:"anchor,omitempty"`
	Line        int    `json:"line,omitempty"`
	Version     string `json:"version,omitempty"`
	Rev         string `json:"rev,omitempty"`

	StepsCount int `json:"steps_count,omitempty"` // of a procedure

	// Of a parameter.
	Name     string `json:"name,omitempty"`
	Type     string `json:"type,omitempty"`
	Default  string `json:"default,omitempty"`
	Required bool   `json:"required,omitempty"`

	// Of a warning.
	Severity string `json:"severity,omitempty"`
	Message  string `json:"message,omitempty"`
}

// Edge is a relation between two nodes.
type Edge struct {
	SourceID string  `json:"source_id"`
	TargetID string  `json:"target_id"` // "": see Target
	Type     Type    `json:"edge_type"`
	Score    float64 `json:"score"` // 0 to 1
	// Pattern names the rule that found it.
	Pattern string `json:"pattern_id,omitempty"`
	Match   string `json:"match_text,omitempty"`

	// TraceID and Model are those of an edge that a model found.
	TraceID string `json:"llm_trace_id,omitempty"`
	Model   string `json:"model_name,omitempty"`

	// Target is the documentation's name for a target outside of its pages: the address
	// of a link, or a name ("Python 3.10").
	Target string `json:"target,omitempty"`
	Line   int    `json:"line"` // of the source's page
}

// Settings are [graph.tech_docs] of the configuration.
type Settings struct {
	Ruleset    string  // RulesetDefault or RulesetLinks
	Provenance bool    // pattern and text of each edge are kept
	Threshold  float64 // the score from which edges are shown
}

// The rulesets.
const (
	RulesetDefault = "default" // links and patterns
	RulesetLinks   = "links"   // links alone
)

// Defaults are the settings of a home without a configuration.
func Defaults() Settings {
	return Settings{Ruleset: RulesetDefault, Provenance: true, Threshold: DefaultThreshold}
}

// Page is what one page says by itself.
type Page struct {
	Path, Title, URL string
	Permalink        string
	Rev              string
	Aliases          []string // other paths that lead to it
	Places           []Place
	Anchors          []Anchor
	Includes         []string // files whose text it takes in, "": what a program makes
	Parts            []Part
	Links            []Link
	LinksLeft        int // links behind the most that are read of a page
	Finds            []Find
}

// Place is a section of a page.
type Place struct {
	Text, Path, Anchor string
	Parent             int
	Line, End          int // lines, up to the next heading
}

// Anchor is a name for a place that is no heading's. Its line is not stored.
type Anchor = anchors.Anchor

// Part is a procedure, a parameter or a warning in a section.
type Part struct {
	Kind     Kind
	Place    int
	Line     int
	Steps    int
	Name     string // of a parameter
	Type     string
	Default  string
	Required bool
	Severity string
	Message  string
	// Mentioned says that a parameter is named here and not documented.
	Mentioned bool
	// Details are what else is kept of a parameter that is documented, see
	// Graph.Documented.
	Details details
}

// Link is a link, and what its surroundings say about it.
type Link struct {
	Type   Type
	Place  int
	Part   int // index of the part that it stands in, -1: none
	Line   int
	Source int // the line of the source, 0: the same
	Score  float64
	Rule   string
	Target string // as written
	Match  string
}

// Find is a relation that a sentence states without a link.
type Find struct {
	Type  Type
	Place int
	Part  int
	Line  int
	Score float64
	Rule  string
	// Target is a name. It is looked for among parameters and titles; where it must be
	// Known, there is no edge without it.
	Target string
	Known  bool
	// Own is the index of a part of the page that is the target, -1: none.
	Own int
	// By is, of Supersedes, what takes the place: an address, or a name with the index
	// of a part that mentions it. "": the section itself.
	By     string
	ByPart int // -1: By is an address
	Match  string
}

// hashedPageName is the name of a page as span ids hash it.
func hashedPageName(set doc.Ref, path string) string { return set.String() + "/" + path }
