package contract

// SearchOptions are options of phase 1 that its wire form does not have.
type SearchOptions struct {
	Limit   int    // pages at most; 0: the searcher's default
	Cursor  string // from an earlier NextCursor
	Explain bool
	// Prefix says that the question is still being typed: its last word may be a
	// prefix of the word that is meant.
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

// FallbackModes lists them.
func FallbackModes() []string { return []string{FallbackReturnHybrid, FallbackError} }

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

// Preferences are a person's flags about the length of the answer. The fields of the
// JSON are additive.
type Preferences struct {
	Full      bool // --full
	Compress  bool // --compress
	MaxTokens int  // --max-tokens; 0: no budget
	// Summarize lets a model write summaries in place of sections (--summarize). It
	// implies Compress.
	Summarize bool
	// Extent is ExtentDocuments, ExtentSections or "" for the configured one
	// (--documents, --sections). A wish for the full text wins over sections.
	Extent string `json:",omitempty"`
	// Lines is the most lines of a block of sections; 0: the configured number.
	Lines int `json:",omitempty"`
}

// RerankIntents are the intents whose questions a model reranks by default, from
// specification 5: they ask for one exact thing among many similar ones.
func RerankIntents() []string { return []string{IntentParameter, IntentConfiguration} }
