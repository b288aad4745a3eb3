// Package openai implements llm.Server for servers with OpenAI's HTTP interface:
// chat completions, embeddings and the list of models.
//
// It calls three endpoints over net/http. The official library was dropped:
// openai-go 3.95.0, in a test program with three calls, made the program 21 MB
// larger and its start 3 ms slower, 1.5 ms of it for tables of union types that
// are never used. Every command would pay for that.
//
// It refuses to retry, to set timeouts and to choose a model, as llm/ollama does.
// It does not preload models: the interface has no such call, and a chat for that
// purpose costs money.
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

// DefaultAddress is the address of OpenAI's own server.
const DefaultAddress = "https://api.openai.com/v1"

// Options are the address of a server and the credentials for it.
type Options struct {
	// Address is the URL including the version, such as http://127.0.0.1:11434/v1;
	// "": DefaultAddress.
	Address string
	// Key is sent as a bearer token; "": none.
	Key string
	// Proxy returns the HTTP proxy of a request; nil: no proxy.
	Proxy func(*http.Request) (*url.URL, error)
	// Watch learns of each request; nil: nothing does.
	Watch endpoint.Watch
}

// Server is the adapter to an OpenAI-compatible server. It implements llm.Server
// and is safe for concurrent use.
type Server struct {
	endpoint *endpoint.Endpoint
	// isOpenAI marks OpenAI's own server. It rejects max_tokens, the token limit of
	// all other servers, and wants max_completion_tokens.
	isOpenAI bool
}

var _ llm.Server = (*Server)(nil)

// New makes an adapter. It sends nothing yet.
func New(opt Options) (*Server, error) {
	e, err := endpoint.New(endpoint.Options{Address: opt.Address, Default: DefaultAddress, Key: opt.Key, Proxy: opt.Proxy,
		Watch: opt.Watch})
	if err != nil {
		return nil, err
	}
	return &Server{endpoint: e, isOpenAI: e.URL.Hostname() == "api.openai.com"}, nil
}

// Engine is "openai".
func (s *Server) Engine() string { return Engine }

// Address is the server's URL, without credentials.
func (s *Server) Address() string { return s.endpoint.Address() }

// sendRequest sends a request and returns the response; the caller closes its body. An
// error status is an error.
func (s *Server) sendRequest(ctx context.Context, method string, body any, path ...string) (*http.Response, error) {
	var r io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, &llm.Error{Kind: llm.Failed, Reason: err.Error()}
		}
		r = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.endpoint.URL.JoinPath(path...).String(), r)
	if err != nil {
		return nil, s.endpoint.NetworkError(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.endpoint.Client.Do(req)
	if err != nil {
		return nil, s.endpoint.NetworkError(err)
	}
	if resp.StatusCode >= 300 {
		defer resp.Body.Close()
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
		return nil, s.endpoint.StatusError(resp.StatusCode, errorMessage(raw))
	}
	return resp, nil
}

// errorField is the error in the body of a response. Depending on the server it
// is an object with a message, or a string.
type errorField struct {
	Error json.RawMessage `json:"error"`
}

// errorText is the error's message, "" without an error.
func (f errorField) errorText() string {
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

// errorMessage is the message in the body of an error response.
func errorMessage(raw []byte) string {
	var f errorField
	if json.Unmarshal(raw, &f) == nil {
		if text := f.errorText(); text != "" {
			return text
		}
	}
	return string(raw)
}

// roundTrip sends a request and decodes the JSON of the response.
func (s *Server) roundTrip(ctx context.Context, method string, body, into any, path ...string) error {
	resp, err := s.sendRequest(ctx, method, body, path...)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return s.endpoint.NetworkError(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<")) {
			return s.endpoint.StatusError(http.StatusOK, string(raw))
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

// chunk is one event of a stream. An answer that is not streamed has the same
// form, with message in place of delta.
type chunk struct {
	errorField
	Model   string `json:"model"`
	Choices []struct {
		Delta   message `json:"delta"`
		Message message `json:"message"`
		Finish  string  `json:"finish_reason"`
		// Logprobs holds the likeliest tokens at each position of the answer.
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

// Chat asks for an answer and streams it.
func (s *Server) Chat(ctx context.Context, r llm.ChatRequest) (llm.Answer, error) {
	req := chatRequest{Model: r.Model, Temperature: r.Temperature, Seed: r.Seed, Stop: r.Stop, Stream: true,
		StreamOptions: map[string]bool{"include_usage": true}, Logprobs: r.TopLogProbs > 0, TopLogprobs: r.TopLogProbs}
	if s.isOpenAI {
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
	resp, err := s.sendRequest(ctx, http.MethodPost, req, "chat", "completions")
	if err != nil {
		return llm.Answer{}, err
	}
	defer resp.Body.Close()
	a := answer{onPiece: r.OnPiece}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "application/json" {
		var raw []byte // the server does not stream
		if raw, err = io.ReadAll(resp.Body); err == nil {
			err = a.addEvent(raw)
		}
	} else {
		err = readEvents(resp.Body, a.addEvent)
	}
	a.out.Text = a.text.String()
	message, isServerError := errors.AsType[serverError](err)
	switch {
	case a.pieceErr != nil:
		return a.out, a.pieceErr
	case isServerError:
		return a.out, s.endpoint.StatusError(0, string(message))
	case err != nil:
		return a.out, s.endpoint.NetworkError(err)
	case a.finish == "":
		return a.out, &llm.Error{Kind: llm.Broken, Reason: "the answer has no end"}
	case a.finish == "length" && len(a.out.FirstTokens) == 0:
		return a.out, &llm.Error{Kind: llm.CutOff, Reason: fmt.Sprintf("after %d tokens", a.out.Tokens)}
	case a.finish == "content_filter":
		return a.out, &llm.Error{Kind: llm.BadAnswer, Reason: "its content filter took it away"}
	}
	return a.out, nil
}

// serverError is an error message that a server sends within a stream.
type serverError string

func (e serverError) Error() string { return string(e) }

// answer assembles the events of a stream.
type answer struct {
	out      llm.Answer
	text     strings.Builder
	finish   string
	onPiece  func(string) error
	pieceErr error // the error of onPiece; Chat returns it unchanged
}

// addEvent adds one event.
func (a *answer) addEvent(raw []byte) error {
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		return err
	}
	if text := c.errorText(); text != "" {
		return serverError(text)
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
		if positions := choice.Logprobs.Content; a.out.FirstTokens == nil && len(positions) > 0 {
			for _, t := range positions[0].Top {
				a.out.FirstTokens = append(a.out.FirstTokens, llm.Token{Text: t.Token, LogProb: t.Logprob})
			}
		}
	}
	a.text.WriteString(piece)
	if a.onPiece != nil {
		a.pieceErr = a.onPiece(piece)
	}
	return a.pieceErr
}

// maxEvent limits one event of a stream, in bytes.
const maxEvent = 8 << 20

// readEvents reads server-sent events (WHATWG HTML, section 9.2) until [DONE] and
// calls do with the data of each. In this interface an event's data is one line.
func readEvents(r io.Reader, do func([]byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEvent)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if !ok {
			if bytes.HasPrefix(bytes.TrimSpace(lines.Bytes()), []byte("<")) {
				return serverError(lines.Text()) // a web page
			}
			continue // a keep-alive comment, or the name of an event
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

// Embed returns an embedding for each text. The server decides whether it
// truncates long texts: the interface has no field for that.
func (s *Server) Embed(ctx context.Context, r llm.EmbedRequest) ([][]float32, error) {
	req := map[string]any{"model": r.Model, "input": r.Texts, "encoding_format": "float"}
	if r.Dimension > 0 {
		req["dimensions"] = r.Dimension
	}
	var resp struct {
		errorField
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := s.roundTrip(ctx, http.MethodPost, req, &resp, "embeddings"); err != nil {
		return nil, err
	}
	if text := resp.errorText(); text != "" {
		return nil, s.endpoint.StatusError(0, text)
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

// Models lists the names of the models. The interface reports no capabilities.
func (s *Server) Models(ctx context.Context) ([]llm.Model, error) {
	var resp struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := s.roundTrip(ctx, http.MethodGet, nil, &resp, "models"); err != nil {
		return nil, err
	}
	out := make([]llm.Model, len(resp.Data))
	for i, m := range resp.Data {
		out[i] = llm.Model{Name: m.ID}
	}
	return out, nil
}

// Model finds a model in the list. Servers report no more about a single model.
func (s *Server) Model(ctx context.Context, name string) (llm.Model, error) {
	models, err := s.Models(ctx)
	if err != nil {
		return llm.Model{}, err
	}
	if m, ok := llm.FindModel(models, name); ok {
		return m, nil
	}
	return llm.Model{}, &llm.Error{Kind: llm.NotFound, Model: name}
}

// Preload does nothing; see the package comment.
func (s *Server) Preload(context.Context, string, llm.Capability) error { return nil }

// Ping checks that the server answers.
func (s *Server) Ping(ctx context.Context) error {
	resp, err := s.sendRequest(ctx, http.MethodGet, nil, "models")
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Status != 0 && e.Kind != llm.Unreachable {
		return nil // an error status is an answer too
	}
	if err == nil {
		resp.Body.Close()
	}
	return err
}
