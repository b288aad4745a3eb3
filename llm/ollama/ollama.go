// Package ollama implements llm.Server for Ollama servers, with Ollama's own
// client library.
//
// The library adds 0.8 MB to the program. It is kept because it follows the
// server's versions, and because it tells an interrupted stream from a finished
// one. Two of its properties matter here. For the host ollama.com, and if the
// environment variable OLLAMA_AUTH is set, it signs requests with the key in
// ~/.ollama, as the ollama program does. And it reads whole answers into memory;
// therefore package endpoint limits their size.
//
// All calls use the same num_ctx, num_thread and keep_alive: a call with other
// values makes the server load the model again, which can take a minute. Nothing
// is truncated silently: a prompt that does not fit is TooLong, and an answer that
// fills the context is CutOff.
//
// It refuses to retry, to set timeouts and to choose a model: llm.Client and its
// callers do that.
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

// DefaultAddress is the address where Ollama listens by default.
const DefaultAddress = "http://127.0.0.1:11434"

// Options are the address of a server and the settings of its models.
type Options struct {
	// Address has one of the forms of OLLAMA_HOST; "": DefaultAddress.
	Address string
	// Key is sent as a bearer token, for servers behind a proxy; "": none.
	Key string
	// KeepAlive is the time that a model stays in memory after a call; 0: ten
	// minutes; negative: for ever.
	KeepAlive time.Duration
	// NumCtx is the context size of all calls in tokens; 0: 8192, as specification
	// 5 says.
	NumCtx int
	// NumThread is the number of CPU threads of a model; 0: the server's default.
	NumThread int
	// Proxy returns the HTTP proxy of a request; nil: no proxy.
	Proxy func(*http.Request) (*url.URL, error)
	// Watch learns of each request; nil: nothing does.
	Watch endpoint.Watch
}

// Server is the adapter to an Ollama server. It implements llm.Server, llm.Puller
// and llm.Versioner, and is safe for concurrent use.
type Server struct {
	endpoint      *endpoint.Endpoint
	api           *api.Client
	opt           Options
	keepAlive     *api.Duration
	mu            sync.Mutex
	details       map[string]llm.Model // by digest, which fixes a model's details
	thinks        map[string]bool      // by name; see canThink
	schemaIgnored *bool                // see ignoresSchema; nil: not known yet
}

var (
	_ llm.Server    = (*Server)(nil)
	_ llm.Puller    = (*Server)(nil)
	_ llm.Versioner = (*Server)(nil)
)

// New makes an adapter. It sends nothing yet.
func New(opt Options) (*Server, error) {
	e, err := endpoint.New(endpoint.Options{Address: opt.Address, Default: DefaultAddress, Key: opt.Key, Proxy: opt.Proxy,
		Watch: opt.Watch})
	if err != nil {
		return nil, err
	}
	if opt.KeepAlive == 0 {
		opt.KeepAlive = 10 * time.Minute
	}
	if opt.NumCtx == 0 {
		opt.NumCtx = 8192
	}
	return &Server{endpoint: e, api: api.NewClient(e.URL, e.Client), opt: opt, keepAlive: &api.Duration{Duration: opt.KeepAlive},
		details: map[string]llm.Model{}, thinks: map[string]bool{}}, nil
}

// Engine is "ollama".
func (s *Server) Engine() string { return Engine }

// Address is the server's URL, without credentials.
func (s *Server) Address() string { return s.endpoint.Address() }

// commonOptions are the model options that all calls share, so that no model is loaded
// twice.
func (s *Server) commonOptions() map[string]any {
	o := map[string]any{"num_ctx": s.opt.NumCtx}
	if s.opt.NumThread > 0 {
		o["num_thread"] = s.opt.NumThread
	}
	return o
}

// convertError converts an error of the client library into an *llm.Error.
func (s *Server) convertError(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[api.StatusError](err); ok {
		return s.endpoint.StatusError(e.StatusCode, e.ErrorMessage)
	}
	if e, ok := errors.AsType[api.AuthorizationError](err); ok {
		return s.endpoint.StatusError(http.StatusUnauthorized, e.Status)
	}
	e := s.endpoint.NetworkError(err)
	if e.Kind == llm.Failed && e.Err == nil {
		if _, ok := errors.AsType[*url.Error](err); !ok {
			return s.endpoint.StatusError(0, err.Error()) // an error message within a stream, without a status
		}
	}
	return e
}

// Chat asks for an answer and streams it.
func (s *Server) Chat(ctx context.Context, r llm.ChatRequest) (llm.Answer, error) {
	var text strings.Builder
	var out llm.Answer
	var pieceErr error // the error of OnPiece; it is returned unchanged
	done, reason := false, ""
	add := func(model, content string, last bool, doneReason string, m api.Metrics, tokens []api.Logprob) error {
		if out.FirstTokens == nil && len(tokens) > 0 {
			for _, t := range tokens[0].TopLogprobs {
				out.FirstTokens = append(out.FirstTokens, llm.Token{Text: t.Token, LogProb: t.Logprob})
			}
		}
		text.WriteString(content)
		out.Model = model
		if last {
			done, reason = true, doneReason
			out.PromptTokens, out.Tokens, out.Load = m.PromptEvalCount, m.EvalCount, m.LoadDuration
		}
		if r.OnPiece != nil {
			pieceErr = r.OnPiece(content)
		}
		return pieceErr
	}
	options := s.commonOptions()
	options["seed"], options["temperature"], options["num_predict"] = r.Seed, r.Temperature, r.MaxTokens
	if len(r.Stop) > 0 {
		options["stop"] = r.Stop
	}
	no := false
	var think *api.ThinkValue
	thinks, err := s.canThink(ctx, r.Model)
	if err != nil {
		return out, s.convertError(err)
	}
	if thinks {
		think = &api.ThinkValue{Value: false} // thinking delays the answer
	}
	system, prompt, simple := splitChat(r.Messages)
	if r.Raw && simple || thinks && r.Schema != nil && simple && s.ignoresSchema(ctx) {
		if r.Raw {
			think = nil
		}
		err = s.api.Generate(ctx, &api.GenerateRequest{Model: r.Model, System: system, Prompt: prompt, Raw: r.Raw, Format: r.Schema,
			Think:    think,
			Logprobs: r.TopLogProbs > 0, TopLogprobs: r.TopLogProbs,
			KeepAlive: s.keepAlive, Options: options, Truncate: &no, Shift: &no}, func(g api.GenerateResponse) error {
			return add(g.Model, g.Response, g.Done, g.DoneReason, g.Metrics, g.Logprobs)
		})
	} else {
		messages := make([]api.Message, len(r.Messages))
		for i, m := range r.Messages {
			messages[i] = api.Message{Role: string(m.Role), Content: m.Text}
		}
		err = s.api.Chat(ctx, &api.ChatRequest{Model: r.Model, Messages: messages, Format: r.Schema, Think: think,
			Logprobs: r.TopLogProbs > 0, TopLogprobs: r.TopLogProbs,
			KeepAlive: s.keepAlive, Options: options, Truncate: &no, Shift: &no}, func(c api.ChatResponse) error {
			return add(c.Model, c.Message.Content, c.Done, c.DoneReason, c.Metrics, c.Logprobs)
		})
	}
	out.Text = text.String()
	switch {
	case pieceErr != nil:
		return out, pieceErr
	case err != nil:
		return out, s.convertError(err)
	case !done:
		// The server stopped the model because it repeated itself. The server works:
		// CutOff, unlike Broken, does not count against the circuit breaker.
		return out, &llm.Error{Kind: llm.CutOff, Reason: "it has no end; the model may have repeated itself"}
	case reason == "length" && len(out.FirstTokens) == 0 && out.Tokens > 0 && out.Tokens < r.MaxTokens:
		// The model stopped below its limit: prompt and answer exceed the context.
		return out, &llm.Error{Kind: llm.TooLong, Reason: fmt.Sprintf("it leaves room for an answer of %d tokens, not %d", out.Tokens,
			r.MaxTokens)}
	case reason == "length" && len(out.FirstTokens) == 0:
		return out, &llm.Error{Kind: llm.CutOff, Reason: fmt.Sprintf("after %d tokens", out.Tokens)}
	}
	return out, nil
}

// splitChat returns the texts of a chat that has one user message and at most one
// system message before it; ok is false for other chats.
func splitChat(messages []llm.Message) (system, prompt string, ok bool) {
	if len(messages) > 0 && messages[0].Role == llm.System {
		system, messages = messages[0].Text, messages[1:]
	}
	if len(messages) != 1 || messages[0].Role != llm.User {
		return "", "", false
	}
	return system, messages[0].Text, true
}

// canThink reports whether a model thinks before it answers by default. For such a model
// thinking must be turned off; for other models the server rejects that setting. The
// server is asked once for each name.
func (s *Server) canThink(ctx context.Context, model string) (bool, error) {
	s.mu.Lock()
	thinks, ok := s.thinks[model]
	s.mu.Unlock()
	if ok {
		return thinks, nil
	}
	m, err := s.describeModel(ctx, model)
	if err != nil {
		return false, err
	}
	thinks, _ = m.HasCapability(llm.CanThink)
	s.mu.Lock()
	s.thinks[model] = thinks
	s.mu.Unlock()
	return thinks, nil
}

// ignoresSchema reports whether the server is older than 0.31.2. Such servers
// ignore the schema in /api/chat if thinking is switched off, but obey it in
// /api/generate.
func (s *Server) ignoresSchema(ctx context.Context) bool {
	s.mu.Lock()
	known := s.schemaIgnored
	s.mu.Unlock()
	if known != nil {
		return *known
	}
	v, err := s.api.Version(ctx)
	if err != nil {
		return false // the chat that follows will report the same failure
	}
	ignored := olderThan(v, 0, 31, 2)
	s.mu.Lock()
	s.schemaIgnored = &ignored
	s.mu.Unlock()
	return ignored
}

// olderThan compares a version such as 0.24.0 or 0.31.2-rc1. A version that is not
// numeric is of a custom build, and counts as new.
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

// Embed returns an embedding for each text.
func (s *Server) Embed(ctx context.Context, r llm.EmbedRequest) ([][]float32, error) {
	resp, err := s.api.Embed(ctx, &api.EmbedRequest{Model: r.Model, Input: r.Texts, Truncate: &r.Truncate, Dimensions: r.Dimension,
		KeepAlive: s.keepAlive, Options: s.commonOptions()})
	if err != nil {
		return nil, s.convertError(err)
	}
	return resp.Embeddings, nil
}

// Models lists the models with their details. The list of older servers lacks the
// capabilities, so each model is requested once and remembered by its digest.
func (s *Server) Models(ctx context.Context) ([]llm.Model, error) {
	list, err := s.api.List(ctx)
	if err != nil {
		return nil, s.convertError(err)
	}
	out := make([]llm.Model, 0, len(list.Models))
	for _, m := range list.Models {
		s.mu.Lock()
		info, ok := s.details[m.Digest]
		s.mu.Unlock()
		if !ok {
			info, err = s.describeModel(ctx, m.Name)
			if llm.KindOf(s.convertError(err)) == llm.NotFound {
				continue // the model has been removed
			}
			if err != nil && ctx.Err() != nil {
				return nil, s.convertError(err)
			}
			if err == nil && m.Digest != "" {
				s.mu.Lock()
				s.details[m.Digest] = info
				s.mu.Unlock()
			}
		}
		info.Name, info.Size, info.Digest = m.Name, m.Size, m.Digest
		info.Family, info.Parameters, info.Quantization = m.Details.Family, m.Details.ParameterSize, m.Details.QuantizationLevel
		out = append(out, info)
	}
	return out, nil
}

// Model returns all details of one model.
func (s *Server) Model(ctx context.Context, name string) (llm.Model, error) {
	models, err := s.Models(ctx)
	if err != nil {
		return llm.Model{}, err
	}
	if m, ok := llm.FindModel(models, name); ok {
		return m, nil
	}
	// The server may know models that it does not list.
	m, err := s.describeModel(ctx, name)
	return m, s.convertError(err)
}

// describeModel requests one model. Its error is the client library's own.
func (s *Server) describeModel(ctx context.Context, name string) (llm.Model, error) {
	resp, err := s.api.Show(ctx, &api.ShowRequest{Model: name})
	if err != nil {
		return llm.Model{}, err
	}
	m := llm.Model{Name: name, Family: resp.Details.Family, Parameters: resp.Details.ParameterSize,
		Quantization: resp.Details.QuantizationLevel}
	for _, c := range resp.Capabilities {
		m.Capabilities = append(m.Capabilities, llm.Capability(c))
	}
	architecture, _ := resp.ModelInfo["general.architecture"].(string)
	number := func(key string) int {
		n, _ := resp.ModelInfo[architecture+"."+key].(float64)
		return int(n)
	}
	m.Context = number("context_length")
	// Every model reports an embedding length. It is the dimension of the output
	// only for embedding models.
	if slices.Contains(m.Capabilities, llm.CanEmbed) {
		m.Dimension = number("embedding_length")
	}
	return m, nil
}

// Preload loads a model by a call with empty input.
func (s *Server) Preload(ctx context.Context, model string, what llm.Capability) error {
	if what == llm.CanEmbed {
		_, err := s.api.Embed(ctx, &api.EmbedRequest{Model: model, Input: "", KeepAlive: s.keepAlive, Options: s.commonOptions()})
		return s.convertError(err)
	}
	return s.convertError(s.api.Chat(ctx, &api.ChatRequest{Model: model, KeepAlive: s.keepAlive, Options: s.commonOptions()},
		func(api.ChatResponse) error { return nil }))
}

// Ping checks that the server answers.
func (s *Server) Ping(ctx context.Context) error {
	err := s.convertError(s.api.Heartbeat(ctx))
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Status != 0 && e.Kind != llm.Unreachable {
		return nil // an error status is an answer too
	}
	return err
}

// Version returns the server's version.
func (s *Server) Version(ctx context.Context) (string, error) {
	v, err := s.api.Version(ctx)
	return v, s.convertError(err)
}

// Pull downloads a model. A name that begins with http:// refers to a registry
// without TLS, such as one in a private network.
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
	return s.convertError(err)
}
