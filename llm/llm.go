// Package llm talks to language models. It sends chats, optionally streamed and
// with a JSON schema for the answer; it computes embeddings; and it lists models
// and their capabilities.
//
// A Server is an adapter to one model server; llm/ollama and llm/openai implement
// it. A Server sends one request per call and reports what went wrong. A Client
// wraps a Server and adds what all servers need: a timeout for each kind of call,
// retries, a circuit breaker, batches and checks of the answers. Callers use a
// Client, through an interface of their own with one or two methods. Tests wrap
// llmtest.Fake in a Client.
//
// The contract:
//
//   - Every error is an *Error. Callers branch on its Kind (KindOf). A cancelled
//     context gives Cancelled, which also is context.Canceled. Cancelling closes
//     the connection, and the server then stops generating.
//   - Every call ends. A server that is down or hangs costs one short wait
//     (Probe). The circuit is then open, and calls fail at once until the next
//     trial call.
//   - A call is not retried where a retry does harm or cannot help: after its
//     first piece was delivered, after a timeout, and after an answer that would
//     be the same again.
//   - The same request gives the same answer, as far as the server allows it. The
//     temperature and the seed are 0 unless the caller sets them.
//   - An answer is valid UTF-8 and no longer than its limit. With a schema it is
//     exactly one JSON value. The caller checks it against the schema while
//     decoding: servers have been seen to ignore schemas.
//   - Answers and model names are untrusted: they may hold control characters and
//     text that imitates instructions. Callers sanitize what they show.
//   - Embeddings have length 1, are finite and have equal dimensions. There is one
//     for each text.
//
// It refuses to choose for its callers: no prompts, no fallback to other engines,
// no configuration, no environment variables, no log. It knows no store and no
// pipeline. Addresses and errors never contain credentials.
//
// Terms: a piece is the text that one message of a stream adds to an answer. A
// model is cold before the server has loaded it into memory, which can take a
// minute, and warm afterwards.
package llm

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Role is the author of a message in a chat.
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
	// Schema is the JSON schema of the answer; nil: free text.
	Schema json.RawMessage
	// Seed and Temperature control sampling. With their zero values the model
	// always takes the likeliest token.
	Seed        int
	Temperature float64
	// MaxTokens limits the answer; 0: Options.MaxTokens. A longer answer is CutOff,
	// unless TopLogProbs is set: then only the first token matters.
	MaxTokens int
	// Stop ends the answer before any of these texts.
	Stop []string
	// Raw sends the text of the only message as it is, without the model's chat
	// template. Classifiers that are not trained for chats need it. Only Ollama
	// supports it; other servers get an ordinary chat.
	Raw bool
	// TopLogProbs is the number of likeliest first tokens to return with their
	// probabilities, up to 20; 0: none.
	TopLogProbs int
	// OnPiece is called with every piece, in order, from the goroutine that called
	// Chat. Its error ends the call and is its cause. nil: no streaming.
	OnPiece func(text string) error `json:"-"`
}

// Answer is the reply of a model.
type Answer struct {
	Text  string
	Model string // the server's name of the model
	// PromptTokens and Tokens count the tokens that were read and written; 0: not
	// reported.
	PromptTokens, Tokens int
	// Load is the time that loading the model took; 0: not reported.
	Load time.Duration
	// FirstTokens are the likeliest first tokens, if the request asked for them and
	// the server reports them. A schema does not restrict them.
	FirstTokens []Token
}

// Token is a token with its probability.
type Token struct {
	Text    string
	LogProb float64 // natural logarithm of the probability
}

// EmbedRequest asks for the embeddings of texts.
type EmbedRequest struct {
	Model string
	// Texts are the texts to embed. A blank text has a nil embedding.
	Texts []string
	// Dimension is the required dimension; 0: the model's own.
	Dimension int
	// Truncate lets the server cut texts that are too long for the model.
	// Otherwise such a text fails its batch with TooLong: a passage that is cut
	// silently can only be found by its beginning.
	Truncate bool
	// OnBatch is called after each batch with the number of finished texts, from
	// the goroutine that called Embed. nil: no progress is reported.
	OnBatch func(texts int)
}

// Capability is a capability of a model, by Ollama's name for it.
type Capability string

// The capabilities that the program uses. Servers report others too.
const (
	CanChat  Capability = "completion"
	CanEmbed Capability = "embedding"
	CanThink Capability = "thinking"
)

// Model describes a model on a server. Fields that the server does not report are
// zero.
type Model struct {
	Name         string       `json:"name"`
	Size         int64        `json:"size,omitempty"` // bytes on the server's disk
	Digest       string       `json:"digest,omitempty"`
	Family       string       `json:"family,omitempty"`
	Parameters   string       `json:"parameters,omitempty"`   // such as 4B
	Quantization string       `json:"quantization,omitempty"` // such as Q4_K_M
	Context      int          `json:"context,omitempty"`      // tokens that it was trained with
	Dimension    int          `json:"dimension,omitempty"`    // of its embeddings
	Capabilities []Capability `json:"capabilities,omitempty"` // nil: not reported
}

// HasCapability reports whether the model has a capability, and whether that is known.
func (m Model) HasCapability(c Capability) (can, known bool) {
	return slices.Contains(m.Capabilities, c), m.Capabilities != nil
}

// Progress is the state of a pull.
type Progress struct {
	Status string // the server's description of the current step
	// Done and Total are bytes of the current layer; Total 0: not reported.
	Done, Total int64
	Layer       string // digest of the current layer
}

// Server is an adapter to one model server. Each call sends one request and ends
// when its context does. Errors are *Error.
//
// It has eight methods because it is the whole protocol of a model server, and
// Client, its only user, needs all of it. Consumers declare smaller interfaces
// over Client.
//
// Chat and Embed get requests whose defaults are filled in. Chat calls OnPiece
// if it is set, and returns the text received so far along with an error. Embed
// gets no blank texts and no more texts than fit in one request; it returns one
// embedding per text. Ping returns nil for any answer of the server, even an
// error status.
type Server interface {
	Chat(context.Context, ChatRequest) (Answer, error)
	Embed(context.Context, EmbedRequest) ([][]float32, error)
	// Models lists the models by name, with the details that a list contains.
	Models(context.Context) ([]Model, error)
	// Model returns all details of one model.
	Model(ctx context.Context, name string) (Model, error)
	// Preload loads a model into memory for a kind of call.
	Preload(ctx context.Context, model string, what Capability) error
	Ping(context.Context) error
	// Engine is the name of the kind of server in traces: "ollama".
	Engine() string
	// Address is the server's address, without credentials.
	Address() string
}

// Puller is a server that can download models.
type Puller interface {
	// Pull downloads a model. watch is called with the progress; it may be nil.
	Pull(ctx context.Context, name string, watch func(Progress)) error
}

// Versioner is a server that reports its version.
type Versioner interface {
	Version(context.Context) (string, error)
}
