// Package ollama speaks to an Ollama server, over Ollama's own client.
//
// That client stays, though it costs 0.8 MB: it follows the server's versions,
// and tells a stream that was cut from one that ended. Two of its ways matter
// here: to the host ollama.com, and where the environment says OLLAMA_AUTH, it
// signs requests with the key of ~/.ollama, as the program ollama does; and it
// reads answers whole, which is why package endpoint limits them.
//
// All calls say the same num_ctx, num_thread and keep_alive: a model that is
// asked with another one is loaded again, which can take a minute. Nothing is
// shortened in silence: a prompt that does not fit is TooLong, an answer that
// grows out of the context is CutOff.
//
// It refuses to retry, to time and to choose a model: that is package llm's
// Client, and its callers.
package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"docent/llm"
	"docent/llm/endpoint"
)

// Engine is the name of this kind of server.
const Engine = "ollama"

// DefaultAddress is where Ollama listens unless told otherwise.
const DefaultAddress = "http://127.0.0.1:11434"

// Options say where the server is and how it runs its models.
type Options struct {
	// Address is in OLLAMA_HOST's forms; "": DefaultAddress.
	Address string
	// Key is sent as a bearer token, for servers behind a proxy; "": none.
	Key string
	// KeepAlive is how long a model stays warm after a call; 0: ten minutes. Less
	// than 0: for ever.
	KeepAlive time.Duration
	// NumCtx is the context of all calls in tokens; 0: 8192, specification 5's.
	NumCtx int
	// NumThread is the number of processors that a model takes; 0: the server's
	// choice.
	NumThread int
	// Proxy finds a request's proxy; nil: none.
	Proxy func(*http.Request) (*url.URL, error)
}

// Server is an Ollama server. It implements llm.Server, llm.Puller and
// llm.Versioner, and is safe for concurrent use.
type Server struct {
	end    *endpoint.Endpoint
	api    *api.Client
	opt    Options
	keep   *api.Duration
	mu     sync.Mutex
	known  map[string]llm.Model // by digest: what a model can do does not change
	thinks map[string]bool      // by name
	old    *bool                // see ignoresSchema
}

var (
	_ llm.Server    = (*Server)(nil)
	_ llm.Puller    = (*Server)(nil)
	_ llm.Versioner = (*Server)(nil)
)

// New makes a server. Nothing is sent yet.
func New(opt Options) (*Server, error) {
	end, err := endpoint.New(endpoint.Options{Address: opt.Address, Default: DefaultAddress, Key: opt.Key, Proxy: opt.Proxy})
	if err != nil {
		return nil, err
	}
	if opt.KeepAlive == 0 {
		opt.KeepAlive = 10 * time.Minute
	}
	if opt.NumCtx == 0 {
		opt.NumCtx = 8192
	}
	return &Server{end: end, api: api.NewClient(end.URL, end.Client), opt: opt, keep: &api.Duration{Duration: opt.KeepAlive},
		known: map[string]llm.Model{}, thinks: map[string]bool{}}, nil
}

// Engine is "ollama".
func (s *Server) Engine() string { return Engine }

// Address is the server's URL, without credentials.
func (s *Server) Address() string { return s.end.Address() }

// options are those that every call has, so that no model is loaded twice.
func (s *Server) options() map[string]any {
	o := map[string]any{"num_ctx": s.opt.NumCtx}
	if s.opt.NumThread > 0 {
		o["num_thread"] = s.opt.NumThread
	}
	return o
}

// fault makes an *llm.Error of whatever the client returned.
func (s *Server) fault(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[api.StatusError](err); ok {
		return s.end.Status(e.StatusCode, e.ErrorMessage)
	}
	if e, ok := errors.AsType[api.AuthorizationError](err); ok {
		return s.end.Status(http.StatusUnauthorized, e.Status)
	}
	e := s.end.Fault(err)
	if e.Kind == llm.Failed && e.Err == nil {
		if _, ok := errors.AsType[*url.Error](err); !ok {
			return s.end.Status(0, err.Error()) // an error in the stream: words only
		}
	}
	return e
}

// Chat streams an answer.
func (s *Server) Chat(ctx context.Context, r llm.ChatRequest) (llm.Answer, error) {
	var text strings.Builder
	var out llm.Answer
	var watcher error // of whoever watches: it goes back as it is
	done, reason := false, ""
	piece := func(model, content string, end bool, why string, m api.Metrics, tokens []api.Logprob) error {
		if out.First == nil && len(tokens) > 0 {
			for _, t := range tokens[0].TopLogprobs {
				out.First = append(out.First, llm.Token{Text: t.Token, Log: t.Logprob})
			}
		}
		text.WriteString(content)
		out.Model = model
		if end {
			done, reason = true, why
			out.PromptTokens, out.Tokens, out.Load = m.PromptEvalCount, m.EvalCount, m.LoadDuration
		}
		if r.Piece != nil {
			watcher = r.Piece(content)
		}
		return watcher
	}
	options := s.options()
	options["seed"], options["temperature"], options["num_predict"] = r.Seed, r.Temperature, r.MaxTokens
	if len(r.Stop) > 0 {
		options["stop"] = r.Stop
	}
	no := false
	var think *api.ThinkValue
	thinks, err := s.canThink(ctx, r.Model)
	if err != nil {
		return out, s.fault(err)
	}
	if thinks {
		think = &api.ThinkValue{Value: false} // an answer is waited for
	}
	system, prompt, simple := split(r.Messages)
	if r.Raw && simple || thinks && r.Schema != nil && simple && s.ignoresSchema(ctx) {
		if r.Raw {
			think = nil
		}
		err = s.api.Generate(ctx, &api.GenerateRequest{Model: r.Model, System: system, Prompt: prompt, Raw: r.Raw, Format: r.Schema, Think: think,
			Logprobs: r.Alternatives > 0, TopLogprobs: r.Alternatives,
			KeepAlive: s.keep, Options: options, Truncate: &no, Shift: &no}, func(g api.GenerateResponse) error {
			return piece(g.Model, g.Response, g.Done, g.DoneReason, g.Metrics, g.Logprobs)
		})
	} else {
		messages := make([]api.Message, len(r.Messages))
		for i, m := range r.Messages {
			messages[i] = api.Message{Role: string(m.Role), Content: m.Text}
		}
		err = s.api.Chat(ctx, &api.ChatRequest{Model: r.Model, Messages: messages, Format: r.Schema, Think: think,
			Logprobs: r.Alternatives > 0, TopLogprobs: r.Alternatives,
			KeepAlive: s.keep, Options: options, Truncate: &no, Shift: &no}, func(c api.ChatResponse) error {
			return piece(c.Model, c.Message.Content, c.Done, c.DoneReason, c.Metrics, c.Logprobs)
		})
	}
	out.Text = text.String()
	switch {
	case watcher != nil:
		return out, watcher
	case err != nil:
		return out, s.fault(err)
	case !done:
		// The server stopped the model, which said the same again and again. It is
		// there: that is no reason to ask it no more.
		return out, &llm.Error{Kind: llm.CutOff, Reason: "it has no end; the model may have repeated itself"}
	case reason == "length" && len(out.First) == 0 && out.Tokens > 0 && out.Tokens < r.MaxTokens:
		// It had less than it was given: prompt and answer do not fit together.
		return out, &llm.Error{Kind: llm.TooLong, Reason: fmt.Sprintf("it leaves room for an answer of %d tokens, not %d", out.Tokens, r.MaxTokens)}
	case reason == "length" && len(out.First) == 0:
		return out, &llm.Error{Kind: llm.CutOff, Reason: fmt.Sprintf("after %d tokens", out.Tokens)}
	}
	return out, nil
}

// split takes a chat of at most one system message and one of the user apart.
func split(messages []llm.Message) (system, prompt string, ok bool) {
	if len(messages) > 0 && messages[0].Role == llm.System {
		system, messages = messages[0].Text, messages[1:]
	}
	if len(messages) != 1 || messages[0].Role != llm.User {
		return "", "", false
	}
	return system, messages[0].Text, true
}

// canThink says whether a model would think before it answers unless told not
// to; servers refuse to be told so of other models. It asks once for each name.
func (s *Server) canThink(ctx context.Context, model string) (bool, error) {
	s.mu.Lock()
	thinks, ok := s.thinks[model]
	s.mu.Unlock()
	if ok {
		return thinks, nil
	}
	m, err := s.show(ctx, model)
	if err != nil {
		return false, err
	}
	thinks, _ = m.Can(llm.CanThink)
	s.mu.Lock()
	s.thinks[model] = thinks
	s.mu.Unlock()
	return thinks, nil
}

// ignoresSchema says whether the server is older than 0.31.2: those ignored the
// schema of a chat with a model that is told not to think. Their /api/generate
// obeyed it.
func (s *Server) ignoresSchema(ctx context.Context) bool {
	s.mu.Lock()
	old := s.old
	s.mu.Unlock()
	if old != nil {
		return *old
	}
	v, err := s.api.Version(ctx)
	if err != nil {
		return false // the call itself will tell
	}
	is := olderThan(v, 0, 31, 2)
	s.mu.Lock()
	s.old = &is
	s.mu.Unlock()
	return is
}

// olderThan compares a version such as 0.24.0 or 0.31.2-rc1. What is no version
// is of a build of one's own, and new.
func olderThan(version string, than ...int) bool {
	version, _, _ = strings.Cut(version, "-")
	parts := strings.Split(version, ".")
	for i, want := range than {
		if i >= len(parts) {
			return true
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil {
			return false
		}
		if n != want {
			return n < want
		}
	}
	return false
}

// Embed gives a vector for each text.
func (s *Server) Embed(ctx context.Context, r llm.EmbedRequest) ([][]float32, error) {
	resp, err := s.api.Embed(ctx, &api.EmbedRequest{Model: r.Model, Input: r.Texts, Truncate: &r.Truncate, Dimensions: r.Dimension,
		KeepAlive: s.keep, Options: s.options()})
	if err != nil {
		return nil, s.fault(err)
	}
	return resp.Embeddings, nil
}

// Models lists the models. Older servers do not say in their list what a model
// can do; then each is asked for, once as long as it is the same.
func (s *Server) Models(ctx context.Context) ([]llm.Model, error) {
	list, err := s.api.List(ctx)
	if err != nil {
		return nil, s.fault(err)
	}
	out := make([]llm.Model, 0, len(list.Models))
	for _, m := range list.Models {
		s.mu.Lock()
		info, ok := s.known[m.Digest]
		s.mu.Unlock()
		if !ok {
			info, err = s.show(ctx, m.Name)
			if llm.KindOf(s.fault(err)) == llm.NotFound {
				continue // removed in between
			}
			if err != nil && ctx.Err() != nil {
				return nil, s.fault(err)
			}
			if err == nil && m.Digest != "" {
				s.mu.Lock()
				s.known[m.Digest] = info
				s.mu.Unlock()
			}
		}
		info.Name, info.Size, info.Digest = m.Name, m.Size, m.Digest
		info.Family, info.Parameters, info.Quantization = m.Details.Family, m.Details.ParameterSize, m.Details.QuantizationLevel
		out = append(out, info)
	}
	return out, nil
}

// Model says all about one.
func (s *Server) Model(ctx context.Context, name string) (llm.Model, error) {
	models, err := s.Models(ctx)
	if err != nil {
		return llm.Model{}, err
	}
	if m, ok := llm.Find(models, name); ok {
		return m, nil
	}
	// Not in the list: it is somewhere else, or nowhere.
	m, err := s.show(ctx, name)
	return m, s.fault(err)
}

// show asks for one model. Its error is the client's own.
func (s *Server) show(ctx context.Context, name string) (llm.Model, error) {
	resp, err := s.api.Show(ctx, &api.ShowRequest{Model: name})
	if err != nil {
		return llm.Model{}, err
	}
	m := llm.Model{Name: name, Family: resp.Details.Family, Parameters: resp.Details.ParameterSize, Quantization: resp.Details.QuantizationLevel}
	for _, c := range resp.Capabilities {
		m.Capabilities = append(m.Capabilities, llm.Capability(c))
	}
	architecture, _ := resp.ModelInfo["general.architecture"].(string)
	number := func(key string) int {
		n, _ := resp.ModelInfo[architecture+"."+key].(float64)
		return int(n)
	}
	m.Context = number("context_length")
	// Every model has an inner width; it is a vector's dimension of those that
	// embed.
	if slices.Contains(m.Capabilities, llm.CanEmbed) {
		m.Dimension = number("embedding_length")
	}
	return m, nil
}

// Preload loads a model: a call with nothing to do.
func (s *Server) Preload(ctx context.Context, model string, what llm.Capability) error {
	if what == llm.CanEmbed {
		_, err := s.api.Embed(ctx, &api.EmbedRequest{Model: model, Input: "", KeepAlive: s.keep, Options: s.options()})
		return s.fault(err)
	}
	return s.fault(s.api.Chat(ctx, &api.ChatRequest{Model: model, KeepAlive: s.keep, Options: s.options()}, func(api.ChatResponse) error { return nil }))
}

// Ping asks for a sign of life.
func (s *Server) Ping(ctx context.Context) error {
	err := s.fault(s.api.Heartbeat(ctx))
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Status != 0 && e.Kind != llm.Unreachable {
		return nil // somebody answered; what a call is worth, it will tell itself
	}
	return err
}

// Version is the server's.
func (s *Server) Version(ctx context.Context) (string, error) {
	v, err := s.api.Version(ctx)
	return v, s.fault(err)
}

// Pull fetches a model. A name that begins with http:// is of a registry without
// TLS, in a network of one's own: it says so itself.
func (s *Server) Pull(ctx context.Context, name string, watch func(llm.Progress)) error {
	done := false
	err := s.api.Pull(ctx, &api.PullRequest{Model: name, Insecure: strings.HasPrefix(name, "http://")}, func(p api.ProgressResponse) error {
		done = p.Status == "success"
		if watch != nil {
			watch(llm.Progress{Status: p.Status, Done: p.Completed, Total: p.Total, Layer: p.Digest})
		}
		return nil
	})
	if err == nil && !done {
		return &llm.Error{Kind: llm.Broken, Model: name, Reason: "the pull has no end"}
	}
	return s.fault(err)
}
