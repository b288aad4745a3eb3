// Package llm is what a language model can do for the program: answer a chat,
// if asked in the form of a JSON schema and piece by piece; turn texts into
// vectors; and say which models there are and what they can do.
//
// A Server is one model server, as llm/ollama and llm/openai know them: it makes
// one request for one call and says what went wrong. A Client stands before a
// Server and adds what both kinds share: a time limit for each kind of call,
// retries, a circuit breaker, batches, and checks of what came back. Callers use
// a Client, through an interface of their own with the one or two methods that
// they need; in tests it stands before llmtest.Fake.
//
// The contract:
//
//   - Every error is an *Error, and its Kind is what a caller branches on
//     (KindOf). A cancelled context gives Cancelled, which also is
//     context.Canceled; cancelling closes the connection, at which the server
//     stops working.
//   - A call ends. A server that is down or hangs costs one short wait (Probe):
//     then the circuit is open, and calls fail at once until it is tried again.
//   - What harms is not repeated: an answer whose first piece was handed on, a
//     time-out, an answer that would be the same again.
//   - The same request gives the same answer as far as the server keeps to it:
//     the temperature is 0 and the seed is 0 unless asked otherwise.
//   - An answer is valid UTF-8, is no longer than asked for, and where a schema
//     was given it is JSON of one value. That it obeys the schema is for the
//     caller to check, who decodes it: servers have been seen to ignore it.
//   - Answers and names come from outside: they may hold control characters, and
//     text that pretends to be an instruction. Callers clean what they show.
//   - Vectors are of length 1, finite, as many as the texts, all of one dimension.
//
// It refuses to choose for its callers: no prompts, no fallback to other ways of
// answering, no configuration, no environment, no log. It knows no store and no
// pipeline. Neither addresses nor errors ever hold credentials.
//
// Terms: a piece is what one message of a stream adds to an answer. A model is
// cold before the server has loaded it into memory, which can take a minute, and
// warm after.
package llm

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Role says who speaks in a chat.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn of a chat.
type Message struct {
	Role Role   `json:"role"`
	Text string `json:"text"`
}

// ChatRequest asks for the next turn of a chat.
type ChatRequest struct {
	Model    string
	Messages []Message
	// Schema is the JSON schema that the answer obeys; nil: free text.
	Schema json.RawMessage
	// Seed and Temperature steer the choice of tokens; the zero values always
	// choose the likeliest.
	Seed        int
	Temperature float64
	// MaxTokens ends the answer (CutOff, unless Alternatives are asked for: then the
	// first token is what matters); 0: Options.MaxTokens.
	MaxTokens int
	// Stop ends the answer before any of these texts.
	Stop []string
	// Raw says that there is one message, and its text is what the model reads,
	// without the template that its chats have: for models that judge and do not
	// talk. Servers of other kinds than Ollama take it as a message of a chat.
	Raw bool
	// Alternatives is for how many of the likeliest first tokens of an answer the
	// probability is wanted, up to 20; 0: none.
	Alternatives int
	// Piece is called with every piece in their order, from the goroutine that
	// called Chat; its error ends the call and is its cause. nil: nobody watches.
	Piece func(text string) error `json:"-"`
}

// Answer is what a model said.
type Answer struct {
	Text  string
	Model string // as the server names it
	// PromptTokens and Tokens are what was read and written; 0: not said.
	PromptTokens, Tokens int
	// Load is the part of the time in which the model was loaded; 0: not said.
	Load time.Duration
	// First are the likeliest first tokens, where they were asked for and the
	// server says them. They are those of the model, whatever a schema allows.
	First []Token
}

// Token is a token with its probability.
type Token struct {
	Text string
	Log  float64 // the probability's natural logarithm
}

// EmbedRequest asks for the vectors of texts.
type EmbedRequest struct {
	Model string
	// Texts are embedded each. A blank one has no vector: nil in its place.
	Texts []string
	// Dimension is what the vectors must have; 0: whatever the model gives.
	Dimension int
	// Truncate lets the server cut texts that are too long for the model.
	// Otherwise one of them fails the batch with TooLong, since a text that is
	// cut silently is found by its beginning only.
	Truncate bool
	// Done is called after each batch with the number of texts that are done, from
	// the goroutine that called Embed. nil: nobody watches.
	Done func(texts int)
}

// Capability is what a model can do, by Ollama's names.
type Capability string

// The capabilities that matter here. There are others.
const (
	CanChat  Capability = "completion"
	CanEmbed Capability = "embedding"
	CanThink Capability = "thinking"
)

// Model is a model on a server. What the server does not say is zero.
type Model struct {
	Name         string       `json:"name"`
	Size         int64        `json:"size,omitempty"` // bytes on its disk
	Digest       string       `json:"digest,omitempty"`
	Family       string       `json:"family,omitempty"`
	Parameters   string       `json:"parameters,omitempty"`   // such as 4B
	Quantization string       `json:"quantization,omitempty"` // such as Q4_K_M
	Context      int          `json:"context,omitempty"`      // tokens that it was trained with
	Dimension    int          `json:"dimension,omitempty"`    // of its vectors, if it embeds
	Capabilities []Capability `json:"capabilities,omitempty"` // nil: not known
}

// Can says whether the model has a capability, and whether that is known.
func (m Model) Can(c Capability) (can, known bool) {
	return slices.Contains(m.Capabilities, c), m.Capabilities != nil
}

// Progress is how far a pull is.
type Progress struct {
	Status string // the server's words for what it does
	// Done and Total are bytes of the layer that is fetched; Total 0: not known.
	Done, Total int64
	Layer       string // its digest
}

// Server is one model server. Each call is one request, and ends when its
// context does. Errors are *Error.
//
// Chat calls the request's Piece, if there is one, and returns what there was of
// the answer beside an error. Embed gets texts that are not blank, few enough
// for one request, and returns a vector each. Both get a request whose fields
// are filled in. Ping returns nil when anything answers, however it does.
type Server interface {
	Chat(context.Context, ChatRequest) (Answer, error)
	Embed(context.Context, EmbedRequest) ([][]float32, error)
	// Models lists the models by their names, with what a list says of them.
	Models(context.Context) ([]Model, error)
	// Model says all about one.
	Model(ctx context.Context, name string) (Model, error)
	// Preload makes a model warm for a kind of call.
	Preload(ctx context.Context, model string, what Capability) error
	Ping(context.Context) error
	// Engine is the name by which traces know the kind of server: "ollama".
	Engine() string
	// Address is where it is, without credentials.
	Address() string
}

// Puller is a server that can fetch models.
type Puller interface {
	// Pull fetches a model, calling watch as it goes, if it is not nil.
	Pull(ctx context.Context, name string, watch func(Progress)) error
}

// Versioner is a server that says its version.
type Versioner interface {
	Version(context.Context) (string, error)
}
