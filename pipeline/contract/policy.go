package contract

// SearchOptions steer phase 1 beyond its wire form.
type SearchOptions struct {
	Limit   int    // pages at most; 0: the searcher's default
	Cursor  string // from an earlier NextCursor
	Explain bool
	// Prefix says that the question is being typed: its last word may be the
	// beginning of one.
	Prefix bool
}

// Fallback modes and the tie-break rule of spec 2.
const (
	FallbackReturnHybrid = "return_hybrid_candidates"
	FallbackError        = "error_on_total_failure"
	ScopeDocsMarkdown    = "docs_markdown_only"
	TieBreakDocThenChunk = "documentPath_then_chunkIndex"
	StateReceived        = "received"
	StateValidated       = "validated"
	StateHybridSelected  = "hybrid_selected"
	StateReranked        = "reranked"
	StateFallback        = "fallback_returned"
	StateReturned        = "returned"
	StateRejected        = "rejected"
)

// RerankPolicy is spec 2's RerankingPolicy.
type RerankPolicy struct {
	Enabled        bool   `json:"enabled"`
	Scope          string `json:"scope"`
	CandidateLimit int    `json:"candidateLimit"`
	FallbackMode   string `json:"fallbackMode"`
	TieBreakRule   string `json:"tieBreakRule"`
}

// DefaultRerankPolicy is the shipped policy.
func DefaultRerankPolicy() RerankPolicy {
	return RerankPolicy{Enabled: true, Scope: ScopeDocsMarkdown, CandidateLimit: 50,
		FallbackMode: FallbackReturnHybrid, TieBreakRule: TieBreakDocThenChunk}
}

// Preferences are a person's flags about the text that comes out.
type Preferences struct {
	Full      bool // --full
	Compress  bool // --compress
	MaxTokens int  // --max-tokens; 0: no budget
	// Summarize lets a model write in place of what is kept (--summarize). It is a
	// wish for compression too.
	Summarize bool
}

// RerankIntents are the intents of the questions that a model reranks unless told
// otherwise: specification 5's, which ask for one exact thing among many that
// look like it.
func RerankIntents() []string { return []string{IntentParameter, IntentConfiguration} }
