// Package openai speaks to any server with OpenAI's HTTP interface: chat
// completions, embeddings and the list of models.
//
// It is three endpoints over net/http, and not the official library: linking
// that one (openai-go 3.95.0, tried in a program of three calls) makes the
// program 21 MB larger and its start 3 ms slower, 1.5 ms of them in the tables of
// unions that this program never sends, and every command pays for it.
//
// It refuses to retry, to time and to choose a model, as llm/ollama does. It does
// not preload: the interface has no such call, and one that answers costs money.
package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"docent/llm"
	"docent/llm/endpoint"
)

// Engine is the name of this kind of server.
const Engine = "openai"

// DefaultAddress is OpenAI's own.
const DefaultAddress = "https://api.openai.com/v1"

// Options say where the server is.
type Options struct {
	// Address is the URL up to the version, such as http://127.0.0.1:11434/v1; "":
	// DefaultAddress.
	Address string
	// Key is sent as a bearer token; "": none.
	Key string
	// Proxy finds a request's proxy; nil: none.
	Proxy func(*http.Request) (*url.URL, error)
}

// Server is such a server. It implements llm.Server and is safe for concurrent
// use.
type Server struct {
	end *endpoint.Endpoint
	// own: OpenAI's own server has another name for the limit of tokens, and
	// refuses the one that all others know.
	own bool
}

var _ llm.Server = (*Server)(nil)

// New makes a server. Nothing is sent yet.
func New(opt Options) (*Server, error) {
	end, err := endpoint.New(endpoint.Options{Address: opt.Address, Default: DefaultAddress, Key: opt.Key, Proxy: opt.Proxy})
	if err != nil {
		return nil, err
	}
	return &Server{end: end, own: end.URL.Hostname() == "api.openai.com"}, nil
}

// Engine is "openai".
func (s *Server) Engine() string { return Engine }

// Address is the server's URL, without credentials.
func (s *Server) Address() string { return s.end.Address() }

// send makes a request and returns its answer's body, to be closed, unless the
// status is one of failure.
func (s *Server) send(ctx context.Context, method string, body any, path ...string) (*http.Response, error) {
	var r io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, &llm.Error{Kind: llm.Failed, Reason: err.Error()}
		}
		r = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.end.URL.JoinPath(path...).String(), r)
	if err != nil {
		return nil, s.end.Fault(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.end.Client.Do(req)
	if err != nil {
		return nil, s.end.Fault(err)
	}
	if resp.StatusCode >= 300 {
		defer resp.Body.Close()
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
		return nil, s.end.Status(resp.StatusCode, words(raw))
	}
	return resp, nil
}

// fault is the error that an answer may hold. Its form differs: an object with a
// message, or a text.
type fault struct {
	Error json.RawMessage `json:"error"`
}

func (f fault) words() string {
	var object struct {
		Message string `json:"message"`
	}
	var text string
	switch {
	case len(f.Error) == 0 || string(f.Error) == "null":
		return ""
	case json.Unmarshal(f.Error, &object) == nil && object.Message != "":
		return object.Message
	case json.Unmarshal(f.Error, &text) == nil:
		return text
	}
	return string(f.Error)
}

// words are what a failure's body says.
func words(raw []byte) string {
	var f fault
	if json.Unmarshal(raw, &f) == nil {
		if w := f.words(); w != "" {
			return w
		}
	}
	return string(raw)
}

// get decodes a whole answer.
func (s *Server) get(ctx context.Context, method string, body, into any, path ...string) error {
	resp, err := s.send(ctx, method, body, path...)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return s.end.Fault(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<")) {
			return s.end.Status(http.StatusOK, string(raw))
		}
		return &llm.Error{Kind: llm.BadAnswer, Reason: "it is no JSON of the form expected: " + err.Error()}
	}
	return nil
}

type message struct {
	Role    string `json:"role,omitempty"`
	Content string `json:"content"`
}

type chatRequest struct {
	Model         string          `json:"model"`
	Messages      []message       `json:"messages"`
	Temperature   float64         `json:"temperature"`
	Seed          int             `json:"seed"`
	MaxTokens     int             `json:"max_tokens,omitempty"`
	MaxCompletion int             `json:"max_completion_tokens,omitempty"`
	Stop          []string        `json:"stop,omitempty"`
	Stream        bool            `json:"stream"`
	StreamOptions map[string]bool `json:"stream_options,omitempty"`
	Format        *responseFormat `json:"response_format,omitempty"`
	Logprobs      bool            `json:"logprobs,omitempty"`
	TopLogprobs   int             `json:"top_logprobs,omitempty"`
}

type responseFormat struct {
	Type   string       `json:"type"`
	Schema formatSchema `json:"json_schema"`
}

type formatSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

// chunk is one event of a stream; a whole answer has the same form, with message
// in delta's place.
type chunk struct {
	fault
	Model   string `json:"model"`
	Choices []struct {
		Delta   message `json:"delta"`
		Message message `json:"message"`
		Finish  string  `json:"finish_reason"`
		// Logprobs holds the likeliest tokens at each place of the answer.
		Logprobs struct {
			Content []struct {
				Top []struct {
					Token   string  `json:"token"`
					Logprob float64 `json:"logprob"`
				} `json:"top_logprobs"`
			} `json:"content"`
		} `json:"logprobs"`
	} `json:"choices"`
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
}

// Chat streams an answer.
func (s *Server) Chat(ctx context.Context, r llm.ChatRequest) (llm.Answer, error) {
	req := chatRequest{Model: r.Model, Temperature: r.Temperature, Seed: r.Seed, Stop: r.Stop, Stream: true,
		StreamOptions: map[string]bool{"include_usage": true}, Logprobs: r.Alternatives > 0, TopLogprobs: r.Alternatives}
	if s.own {
		req.MaxCompletion = r.MaxTokens
	} else {
		req.MaxTokens = r.MaxTokens
	}
	for _, m := range r.Messages {
		req.Messages = append(req.Messages, message{string(m.Role), m.Text})
	}
	if r.Schema != nil {
		req.Format = &responseFormat{"json_schema", formatSchema{"answer", true, r.Schema}}
	}
	resp, err := s.send(ctx, http.MethodPost, req, "chat", "completions")
	if err != nil {
		return llm.Answer{}, err
	}
	defer resp.Body.Close()
	a := answer{watch: r.Piece}
	var ended error
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "application/json" {
		var raw []byte // it does not stream
		if raw, ended = io.ReadAll(resp.Body); ended == nil {
			ended = a.add(raw)
		}
	} else {
		ended = events(resp.Body, a.add)
	}
	a.out.Text = a.text.String()
	words, spoke := errors.AsType[serverError](ended)
	switch {
	case a.watcher != nil:
		return a.out, a.watcher
	case spoke:
		return a.out, s.end.Status(0, string(words))
	case ended != nil:
		return a.out, s.end.Fault(ended)
	case a.finish == "":
		return a.out, &llm.Error{Kind: llm.Broken, Reason: "the answer has no end"}
	case a.finish == "length" && len(a.out.First) == 0:
		return a.out, &llm.Error{Kind: llm.CutOff, Reason: fmt.Sprintf("after %d tokens", a.out.Tokens)}
	case a.finish == "content_filter":
		return a.out, &llm.Error{Kind: llm.BadAnswer, Reason: "its content filter took it away"}
	}
	return a.out, nil
}

// serverError is what a server says in the middle of a stream.
type serverError string

func (e serverError) Error() string { return string(e) }

// answer puts a stream's events together.
type answer struct {
	out     llm.Answer
	text    strings.Builder
	finish  string
	watch   func(string) error
	watcher error // of whoever watches: it goes back as it is
}

// add takes one event.
func (a *answer) add(raw []byte) error {
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		return err
	}
	if w := c.words(); w != "" {
		return serverError(w)
	}
	if c.Model != "" {
		a.out.Model = c.Model
	}
	if c.Usage.Completion > 0 {
		a.out.PromptTokens, a.out.Tokens = c.Usage.Prompt, c.Usage.Completion
	}
	piece := ""
	if len(c.Choices) > 0 {
		choice := c.Choices[0]
		piece = choice.Delta.Content + choice.Message.Content
		if choice.Finish != "" {
			a.finish = choice.Finish
		}
		if places := choice.Logprobs.Content; a.out.First == nil && len(places) > 0 {
			for _, t := range places[0].Top {
				a.out.First = append(a.out.First, llm.Token{Text: t.Token, Log: t.Logprob})
			}
		}
	}
	a.text.WriteString(piece)
	if a.watch != nil {
		a.watcher = a.watch(piece)
	}
	return a.watcher
}

// maxEvent is how long one event of a stream may be, in bytes.
const maxEvent = 8 << 20

// events reads server-sent events (WHATWG HTML, section 9.2) and calls do with
// the data of each, until [DONE]. Here an event's data is on one line.
func events(r io.Reader, do func([]byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEvent)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if !ok {
			if bytes.HasPrefix(bytes.TrimSpace(lines.Bytes()), []byte("<")) {
				return serverError(lines.Text()) // a web page
			}
			continue // a comment that keeps the connection open, or an event's name
		}
		data = bytes.TrimSpace(data)
		if string(data) == "[DONE]" {
			return nil
		}
		if err := do(data); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Embed gives a vector for each text. Whether texts that are too long are cut is
// the server's choice: the interface has no say in it.
func (s *Server) Embed(ctx context.Context, r llm.EmbedRequest) ([][]float32, error) {
	req := map[string]any{"model": r.Model, "input": r.Texts, "encoding_format": "float"}
	if r.Dimension > 0 {
		req["dimensions"] = r.Dimension
	}
	var resp struct {
		fault
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := s.get(ctx, http.MethodPost, req, &resp, "embeddings"); err != nil {
		return nil, err
	}
	if w := resp.words(); w != "" {
		return nil, s.end.Status(0, w)
	}
	out := make([][]float32, len(resp.Data))
	for _, d := range resp.Data {
		if d.Index < 0 || d.Index >= len(out) || out[d.Index] != nil {
			return nil, &llm.Error{Kind: llm.BadAnswer, Reason: fmt.Sprintf("the index %d of %d vectors", d.Index, len(out))}
		}
		out[d.Index] = d.Embedding
	}
	return out, nil
}

// Models lists the models. What they can do is not said.
func (s *Server) Models(ctx context.Context) ([]llm.Model, error) {
	var resp struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := s.get(ctx, http.MethodGet, nil, &resp, "models"); err != nil {
		return nil, err
	}
	out := make([]llm.Model, len(resp.Data))
	for i, m := range resp.Data {
		out[i] = llm.Model{Name: m.ID}
	}
	return out, nil
}

// Model finds one in the list: of a single one, servers say no more.
func (s *Server) Model(ctx context.Context, name string) (llm.Model, error) {
	models, err := s.Models(ctx)
	if err != nil {
		return llm.Model{}, err
	}
	if m, ok := llm.Find(models, name); ok {
		return m, nil
	}
	return llm.Model{}, &llm.Error{Kind: llm.NotFound, Model: name}
}

// Preload does nothing; see the package's comment.
func (s *Server) Preload(context.Context, string, llm.Capability) error { return nil }

// Ping asks for a sign of life.
func (s *Server) Ping(ctx context.Context) error {
	resp, err := s.send(ctx, http.MethodGet, nil, "models")
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Status != 0 && e.Kind != llm.Unreachable {
		return nil // somebody answered; what a call is worth, it will tell itself
	}
	if err == nil {
		resp.Body.Close()
	}
	return err
}
