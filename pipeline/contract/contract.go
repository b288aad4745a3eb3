// Package contract defines the inputs and outputs of the phases: the JSON of the
// specifications with its enums and bounds, errors with codes and remedies, and
// events.
//
// Phases do not import each other: each reads one of these types and writes
// another. The package validates shapes, not meanings. It refuses to decide
// anything.
//
// Fields that the specifications do not have are marked as additive; most of them
// are omitted when empty. Fields whose names end in _ms are measurements, which
// comparisons of outputs ignore.
package contract

// Names of the phases, as on the wire and on the command line.
const (
	PhaseOptimize = "0a"
	PhaseRoute    = "0b"
	PhaseMerge    = "merge"
	PhaseSearch   = "1"
	PhaseRerank   = "1.5"
	PhaseExtract  = "2"
	PhaseCheck    = "2.5"
	PhaseProcess  = "3"
	PhaseCite     = "cite"
)

// Phases lists them in the order in which they run.
func Phases() []string {
	return []string{PhaseOptimize, PhaseRoute, PhaseMerge, PhaseSearch, PhaseRerank,
		PhaseExtract, PhaseCheck, PhaseProcess, PhaseCite}
}

// Scenes of spec 1.
const (
	SceneFactLookup      = "fact_lookup"
	SceneTutorial        = "tutorial"
	SceneAPIReference    = "api_reference"
	SceneTroubleshooting = "troubleshooting"
)

// Scenes lists them.
func Scenes() []string {
	return []string{SceneFactLookup, SceneTutorial, SceneAPIReference, SceneTroubleshooting}
}

// SceneName is a scene in words.
func SceneName(scene string) string {
	switch scene {
	case SceneFactLookup:
		return "a fact"
	case SceneTutorial:
		return "how to do something"
	case SceneAPIReference:
		return "reference"
	case SceneTroubleshooting:
		return "something that fails"
	}
	return scene
}

// IntentName is an intent in words.
func IntentName(intent string) string {
	switch intent {
	case IntentParameter:
		return "a parameter or option"
	case IntentWarning:
		return "a warning or an error"
	case IntentGeneral:
		return "nothing in particular"
	}
	return intent
}

// LevelName is the evidence of a fallback level in words: where a page was found.
func LevelName(level string) string {
	switch level {
	case "1":
		return "a title or heading"
	case "2":
		return "the page's table of contents"
	case "3.1":
		return "a table of contents of another doc set"
	case "3.2":
		return "the text"
	}
	return level
}

// Intents of spec 5.
const (
	IntentParameter     = "parameter_lookup"
	IntentConfiguration = "configuration"
	IntentProcedure     = "procedure"
	IntentWarning       = "warning"
	IntentGeneral       = "general"
)

// Intents lists them.
func Intents() []string {
	return []string{IntentParameter, IntentConfiguration, IntentProcedure, IntentWarning, IntentGeneral}
}

// Strategies of phase 0a.
const (
	StrategyOriginal      = "original"
	StrategyTranslation   = "translation"
	StrategyDecomposition = "decomposition"
	StrategyExpansion     = "expansion"
)

// Strategies lists them.
func Strategies() []string {
	return []string{StrategyOriginal, StrategyTranslation, StrategyDecomposition, StrategyExpansion}
}

// PageKinds are the queries of phase 0a for a question that has no word to search
// for.
func PageKinds() []string { return []string{"getting started", "overview", "reference", "guide"} }

// Bounds and defaults.
const (
	DefaultThreshold = 0.63         // rerank_sim at which a heading is kept (spec 1)
	ExtractThreshold = 2100         // cumulative lines over which phase 2 asks for processing (spec 3)
	ProcessLimit     = 2000         // cumulative lines that phase 3 returns unchanged, and compresses to (spec 3)
	DefaultMaxDocs   = 3            // documents that phase 2 extracts
	SectionDocs      = 8            // documents that phase 2 extracts for a block of sections
	MinQueries       = 3            // phase 0a writes 3 to 5
	MaxQueries       = 5            //
	MaxQuestion      = 65536        // bytes of a question that the phases read; more is cut, and said
	DefaultLines     = 80           // lines of a block of sections, at most
	MaxLines         = ProcessLimit // the most that may be asked for
)

// Extents of an answer.
const (
	ExtentDocuments = "documents" // whole documents, as spec 3 has them
	ExtentSections  = "sections"  // the sections that answer
)

// Extents lists them.
func Extents() []string { return []string{ExtentDocuments, ExtentSections} }

// Context is handed on by every phase, so that phases can be chained by pipes.
type Context struct {
	Question          string   `json:"question"`
	Queries           []string `json:"queries,omitempty"`
	Scene             string   `json:"scene,omitempty"`
	Intent            string   `json:"intent,omitempty"`
	Confidence        float64  `json:"confidence,omitempty"`
	RerankerThreshold *float64 `json:"reranker_threshold,omitempty"`
	RerankerEnabled   *bool    `json:"reranker_enabled,omitempty"`
	// DocSets is the doc sets to look in, canonical names; empty: all.
	DocSets []string `json:"doc_sets,omitempty"`
	// DocSetsExplicit says that a person named DocSets, by a flag or in the
	// question: no fallback may search others. Additive.
	DocSetsExplicit bool `json:"doc_sets_explicit,omitempty"`
	// DomainNouns are the nouns of the question's subject, from phase 0a. Additive.
	DomainNouns []string `json:"domain_nouns,omitempty"`
	// Language is the question's: an ISO 639-1 code. Additive.
	Language string `json:"language,omitempty"`
	// Translations are the words of a question that is not English, in order, with
	// their English translations. The translations of a word are alternatives: a
	// passage needs one of them. Additive.
	Translations []Translation `json:"translations,omitempty"`
	// Abbreviations are the abbreviations in the question that the documentation
	// defines, from phase 1. Additive.
	Abbreviations []Abbreviation `json:"abbreviations,omitempty"`
	// Hypothetical is an answer that a model invents in phase 0a. Phase 1 searches
	// for passages with a similar vector. It is never shown as an answer. Additive.
	Hypothetical string `json:"hypothetical,omitempty"`
	// DenseWeight is the weight of a model's vectors, from phase 1; 0: no vectors
	// were used. Additive.
	DenseWeight float64 `json:"dense_weight,omitempty"`
	// Kind is what kind of question this is, from phase 0a: one of Kinds, or "".
	// Additive.
	Kind string `json:"kind,omitempty"`
	// Subjects are what the question asks about, as it writes them: of a definition
	// the term, of a comparison its sides, of a look-up the names. Additive.
	Subjects []string `json:"subjects,omitempty"`
	// Parts are the questions of a text that asks several at once; empty for one.
	// Each is to be answered. Additive.
	Parts []string `json:"parts,omitempty"`
	// Unanswered says that the documentation probably has no answer, from phase 1.5:
	// what follows is about the nearest sections. Additive.
	Unanswered bool `json:"unanswered,omitempty"`
	// Notes say what a person should know about how the question was read, for
	// example that a version is not there and which one answers. Additive.
	Notes []string `json:"notes,omitempty"`
	// Reading is how the question was read. It is no part of the JSON; package reading
	// makes it where it is missing.
	Reading *Reading `json:"-"`
}

// Kinds of questions. They say where in documentation an answer stands; scenes and
// intents of the specifications stay as they are.
const (
	KindDefinition = "definition" // "what is X"
	KindLookup     = "lookup"     // a name, and what it does, its default, its values
	KindComparison = "comparison" // X or Y, the difference between them
	KindError      = "error"      // a pasted message, or what goes wrong
	KindProcedure  = "procedure"  // how something is done
)

// Abbreviation is a part of the question and its other form in the documentation:
// "HPA" and "Horizontal Pod Autoscaler", or the other way round.
type Abbreviation struct {
	Words string `json:"words"`
	Also  string `json:"also"`
}

// Translation is a word with its English translations, the best first. An
// untranslated word is its own translation.
type Translation struct {
	Word  string      `json:"word"`
	Terms []Rendering `json:"terms"`
}

// Rendering is a translation of one to three words with its weight in (0, 1].
type Rendering struct {
	Text   string  `json:"text"`
	Weight float64 `json:"weight"`
}

// OptimizeInput is what phases 0a and 0b read: {"query": "…"} or plain text.
type OptimizeInput struct {
	Query string `json:"query"`
	// DocSets are set by a person and are not changed. Additive.
	DocSets []string `json:"doc_sets,omitempty"`
	// Reading is phase 0a's, for phase 0b; nil: it is made again.
	Reading *Reading `json:"-"`
}

// Optimized is what phase 0a writes (spec 1).
type Optimized struct {
	QueryAnalysis    QueryAnalysis    `json:"query_analysis"`
	OptimizedQueries []OptimizedQuery `json:"optimized_queries"`
	Context          *Context         `json:"context,omitempty"`
}

// QueryAnalysis says what the question is about.
type QueryAnalysis struct {
	DocSet         []string `json:"doc_set"`
	DomainNouns    []string `json:"domain_nouns"`
	PredicateVerbs []string `json:"predicate_verbs"`
	Language       string   `json:"language,omitempty"` // additive
}

// OptimizedQuery is one of the 3 to 5 queries; Rank counts from 1.
type OptimizedQuery struct {
	Rank     int    `json:"rank"`
	Query    string `json:"query"`
	Strategy string `json:"strategy"`
	Reason   string `json:"reason,omitempty"` // additive
}

// Routed is what phase 0b writes (spec 1).
type Routed struct {
	Scene             string   `json:"scene"`
	RerankerThreshold float64  `json:"reranker_threshold"`
	RerankerEnabled   bool     `json:"reranker_enabled"`
	Confidence        float64  `json:"confidence"`
	Intent            string   `json:"intent,omitempty"`   // additive
	Evidence          []string `json:"evidence,omitempty"` // additive: why
	Context           *Context `json:"context,omitempty"`
}

// SearchInput is what merge writes and phase 1 reads (spec 1; the fields of its
// command line form are accepted too).
type SearchInput struct {
	Query             []string `json:"query"`
	DocSets           string   `json:"doc_sets"` // comma-separated
	DomainNouns       []string `json:"domain_nouns"`
	PredicateVerbs    []string `json:"predicate_verbs"`
	RerankerThreshold float64  `json:"reranker_threshold"`
	Scene             string   `json:"scene"`
	Reranker          *bool    `json:"reranker,omitempty"`
	BaseDir           string   `json:"base_dir,omitempty"` // narrows to the doc sets in this folder, or a note says that it does not
	JSON              *bool    `json:"json,omitempty"`     // accepted
	Context           *Context `json:"context,omitempty"`
}

// SearchOutput is what phase 1 writes (spec 1).
type SearchOutput struct {
	Success     bool        `json:"success"`
	TotalHits   int         `json:"total_hits"` // passages with a word of the question, of which Results has the best
	Results     []Result    `json:"results"`
	SearchStats SearchStats `json:"search_stats"`
	NextCursor  string      `json:"next_cursor,omitempty"` // additive
	Context     *Context    `json:"context,omitempty"`
}

// SearchStats says how phase 1 went.
type SearchStats struct {
	QueryTimeMS       float64   `json:"query_time_ms"`
	TotalDocsSearched int       `json:"total_docs_searched"`
	Level             string    `json:"level"`    // 1, 2, 3.1, 3.2: by the evidence of the top hit; "" without hits
	TOCPath           string    `json:"toc_path"` // the TOC file of the top hit's page, "" if it has none
	Coverage          *Coverage `json:"coverage,omitempty"`
	Notes             []string  `json:"notes,omitempty"` // additive: what a person should know
	// Nearest says that the documentation has no word of the question: the results
	// are matches of similar spelling, not answers. Additive.
	Nearest bool `json:"nearest,omitempty"`
}

// Coverage says which of the question's terms stand in the hits.
type Coverage struct {
	Terms   []string `json:"terms"`
	Covered []string `json:"covered"`
	Missing []string `json:"missing"`
	Note    string   `json:"note"`
}

// Levels of spec 3's progressive fallback.
const (
	LevelTitle   = "1"
	LevelTOC     = "2"
	LevelCross   = "3.1"
	LevelContent = "3.2"
)

// Result is one page with the headings found in it, best first.
type Result struct {
	DocSet    string    `json:"doc_set"`
	FilePath  string    `json:"file_path"`
	PageTitle string    `json:"page_title"`
	Headings  []Heading `json:"headings"`

	// Additive.
	URL            string `json:"url,omitempty"`
	TOCPath        string `json:"toc_path,omitempty"`
	Level          string `json:"level,omitempty"`           // the fallback level that this page answers on
	Changed        bool   `json:"changed,omitempty"`         // the file changed since it was indexed
	BelowThreshold bool   `json:"below_threshold,omitempty"` // no heading of it reaches the threshold
	// Side says that the page has the best heading of a side of the question: of a
	// compared thing, or of one of several questions. It is kept below the threshold too.
	Side bool `json:"side,omitempty"`
	// Listed says that the page is only shown: it lies below the threshold, and phase
	// 2 does not extract it. A page below the threshold that is not Listed is kept, so
	// that a question, or a side of it, is not answered with nothing.
	Listed bool `json:"listed,omitempty"`
	// Also are other doc sets that have nearly the same page, an older version or a
	// copy of it, Name@version each.
	Also []string `json:"also,omitempty"`
	// Copies are the paths of other pages of the doc set that are nearly the same: this
	// page in another version's folder, or a copy of it.
	Copies []string `json:"copies,omitempty"`
	// Stub says that the page has no text of its own: headings and links, or word of
	// where it moved. Phase 2 takes other pages first.
	Stub bool `json:"stub,omitempty"`
}

// Heading is one section that was found, with the scores of its best chunk.
type Heading struct {
	Level     int      `json:"level"`
	Text      string   `json:"text"` // "## Create Skills"
	Score     float64  `json:"score"`
	RerankSim *float64 `json:"rerank_sim"` // null: not reranked

	// Additive.
	Anchor     string   `json:"anchor,omitempty"`
	Path       []string `json:"path,omitempty"`    // headings from the outermost
	Lines      [2]int   `json:"lines"`             // of the best chunk, from 1, both included
	Section    [2]int   `json:"section_lines"`     // of the section
	ChunkIndex int      `json:"chunk_index"`       // of the best chunk, in its page
	Snippet    string   `json:"snippet,omitempty"` // plain text
	Signals    Signals  `json:"signals"`
	Explain    *Explain `json:"explain,omitempty"`
	// SpanID names the best chunk: it stays the same as long as the page and the
	// headings above the chunk are called the same (doc.SpanID).
	SpanID    string     `json:"span_id,omitempty"`
	SpanType  string     `json:"span_type,omitempty"` // what the chunk is: paragraph, list, procedure, table, code_block …
	Neighbors *Neighbors `json:"neighbors,omitempty"`
	// Parameter is the parameter that the question names, where the section documents it.
	Parameter *Documented `json:"parameter,omitempty"`
	// Deprecated is the line by which the section, one above it or the page says that it
	// is deprecated; nil: none does.
	Deprecated *Deprecation `json:"deprecated,omitempty"`
}

// Deprecation is what a page says of being deprecated.
type Deprecation struct {
	Scope string `json:"scope"` // "section" or "page"
	Line  int    `json:"line"`  // of the page's text
	Text  string `json:"text"`  // the line, without markup
	Since string `json:"since,omitempty"`
	// ReplacedBy is what the page's front matter or the reference graph names in its place.
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// The scopes of a deprecation.
const (
	DeprecatedSection = "section"
	DeprecatedPage    = "page"
)

// Signals are the parts of the first stage's score, all >= 0 (spec 2).
type Signals struct {
	Lexical  float64 `json:"lexical"`
	Semantic float64 `json:"semantic"`
	Feedback float64 `json:"feedback,omitempty"` // additive: of terms that the best passages share
	// Model is the cosine similarity by a model's vectors; additive.
	Model float64 `json:"model,omitempty"`
}

// Explain breaks scores down into parts that add up to them.
type Explain struct {
	Score  float64       `json:"score"`            // the heading's score
	Parts  []ExplainPart `json:"parts"`            // sum: Score
	Rerank []ExplainPart `json:"rerank,omitempty"` // sum: the logit of rerank_sim
	// Why says it in a sentence, in answers to people and other programs.
	Why string `json:"why,omitempty"`
}

// OtherWords is the query of an explanation's part that came of what documentation has in the
// place of the question's words.
const OtherWords = "(other words)"

// ExplainPart is one contribution to a score: in Parts of a query, a field and a
// term; in Rerank of a feature and its weight.
type ExplainPart struct {
	Query  string  `json:"query,omitempty"`
	Field  string  `json:"field,omitempty"`
	Term   string  `json:"term,omitempty"`
	Name   string  `json:"name,omitempty"`
	Weight float64 `json:"weight,omitempty"`
	Input  float64 `json:"input,omitempty"`
	Value  float64 `json:"value"`
}

// RerankInput is what phase 1.5 reads: phase 1's output, or spec 1's bare
// {"needs_rerank", "results"}.
type RerankInput struct {
	NeedsRerank *bool        `json:"needs_rerank,omitempty"`
	Results     []Result     `json:"results"`
	SearchStats *SearchStats `json:"search_stats,omitempty"`
	TotalHits   int          `json:"total_hits,omitempty"`
	Context     *Context     `json:"context,omitempty"`
}

// RerankOutput is what phase 1.5 writes (spec 1).
type RerankOutput struct {
	Success       bool        `json:"success"`
	RerankedCount int         `json:"reranked_count"`
	Results       []Result    `json:"results"`
	RerankStats   RerankStats `json:"rerank_stats"`

	// Additive.
	FallbackApplied bool         `json:"fallback_applied"`
	State           string       `json:"state"` // spec 2: reranked or fallback_returned
	BelowThreshold  bool         `json:"below_threshold,omitempty"`
	Near            []Result     `json:"near,omitempty"`       // headings under the threshold that a block of sections may be filled with
	Which           []string     `json:"which,omitempty"`      // doc sets that answer equally well, of which one is meant
	Unanswered      bool         `json:"unanswered,omitempty"` // the documentation probably has no answer: these are the nearest headings
	Dropped         int          `json:"dropped"`              // headings under the threshold
	TotalHits       int          `json:"total_hits,omitempty"` // see SearchOutput
	SearchStats     *SearchStats `json:"search_stats,omitempty"`
	NextCursor      string       `json:"next_cursor,omitempty"`
	Degraded        []Degraded   `json:"degraded,omitempty"` // of a search: what was answered by less than was wanted
	Context         *Context     `json:"context,omitempty"`
}

// RerankStats says how phase 1.5 went.
type RerankStats struct {
	RerankTimeMS float64 `json:"rerank_time_ms"`
	Threshold    float64 `json:"threshold"`
	// Answerable is the probability that any candidate answers the question; nil if
	// nothing was reranked. Additive.
	Answerable *float64 `json:"answerable,omitempty"`
	// Of a model: the headings that it judged, its calls and their time
	// (specification 5's names), or the reason why it was not asked. Additive.
	Judged      int     `json:"judged,omitempty"`
	Invocations int     `json:"reranker_invocations_total,omitempty"`
	LatencyMS   float64 `json:"reranker_latency_ms,omitempty"`
	Gate        string  `json:"gate,omitempty"`
}
