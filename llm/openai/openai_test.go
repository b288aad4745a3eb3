package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"docent/llm"
	"docent/llm/llmtest"
	"docent/llm/openai"
)

func open(t *testing.T, opt openai.Options, more llm.Options) *llm.Client {
	t.Helper()
	s, err := openai.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return llm.New(s, more)
}

func ask(text string) llm.ChatRequest {
	return llm.ChatRequest{Model: llmtest.ChatModel, MaxTokens: 32, Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

// Ollama has this interface too: the main cases against a real server.
func TestServer(t *testing.T) {
	t.Parallel()
	s := llmtest.Ollama(t)
	c := open(t, openai.Options{Address: s.URL + "/v1"}, llm.Options{})
	ctx := t.Context()

	models, err := c.Models(ctx)
	if err != nil || len(models) != 2 || models[0].Name != llmtest.ChatModel || models[0].Capabilities != nil {
		t.Fatalf("%v, %v", models, err)
	}
	if _, err := c.Model(ctx, "nobody"); llm.KindOf(err) != llm.NotFound {
		t.Error(err)
	}
	if err := c.Preload(ctx, llmtest.ChatModel, llm.CanChat); err != nil {
		t.Error(err)
	}
	var first string
	for i := range 2 {
		r := ask("what is a pod?")
		r.MaxTokens, r.Seed, r.Temperature = 200, 7, .8
		r.Schema = json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean"}},"required":["sure"],"additionalProperties":false}`)
		a, err := c.Chat(ctx, r)
		if err != nil || a.Tokens == 0 || a.PromptTokens == 0 {
			t.Fatalf("%+v, %v", a, err)
		}
		var v map[string]bool
		if err := json.Unmarshal([]byte(a.Text), &v); err != nil || len(v) != 1 {
			t.Errorf("%q: %v", a.Text, err)
		}
		if i == 0 {
			first = a.Text
		} else if a.Text != first {
			t.Errorf("the same seed gives %q and %q", first, a.Text)
		}
	}
	r := ask("go on")
	var pieces strings.Builder
	r.OnPiece = func(p string) error { pieces.WriteString(p); return nil }
	a, err := c.Chat(ctx, r)
	if llm.KindOf(err) != llm.CutOff || pieces.String() != a.Text || a.Text == "" {
		t.Errorf("%+v, %v", a, err)
	}
	r = ask("x")
	r.Model = "nobody:1b"
	if _, err := c.Chat(ctx, r); llm.KindOf(err) != llm.NotFound {
		t.Errorf("%v (%s)", err, llm.KindOf(err))
	}
	r.Model = llmtest.EmbedModel
	if _, err := c.Chat(ctx, r); llm.KindOf(err) != llm.Incapable {
		t.Errorf("%v (%s)", err, llm.KindOf(err))
	}
	v, err := c.Embed(ctx, llm.EmbedRequest{Model: llmtest.EmbedModel, Texts: []string{"a b", "", "c"}, Dimension: llmtest.EmbedDimension})
	if err != nil || len(v) != 3 || len(v[0]) != llmtest.EmbedDimension || v[1] != nil || v[2] == nil {
		t.Errorf("%v, %v", v, err)
	}
	again, cancel := context.WithCancel(ctx)
	r = ask("never")
	r.MaxTokens = 2000
	r.OnPiece = func(string) error { cancel(); return nil }
	if _, err := c.Chat(again, r); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// This server sometimes does not answer at all after a cancelled request.
	s.Restart()
	n := 0
	r.OnPiece = func(string) error {
		if n++; n == 3 {
			s.KillServer()
		}
		return nil
	}
	if a, err := c.Chat(ctx, r); llm.KindOf(err) != llm.Broken || a.Text == "" {
		t.Errorf("killed in the middle: %q, %v", a.Text, err)
	}
	if _, err := c.Chat(ctx, ask("x")); llm.KindOf(err) != llm.Unreachable {
		t.Errorf("down: %v", err)
	}
}

// Recorded answers of other servers.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const head = "data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"a\"}}]}\n\n"
	for _, tt := range []struct {
		name, kind, body, text string
		status                 int
		want                   llm.Kind
		says                   string
	}{
		{name: "a stream", body: ": keep-alive\n\n" + head + "data: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":2,\"completion_tokens\":3}}\n\ndata: [DONE]\n\n", text: "ab"},
		{name: "no space after the colon", body: strings.ReplaceAll(head, "data: ", "data:") + "data:{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n", text: "a"},
		{name: "a whole answer", kind: "application/json; charset=utf-8", body: `{"choices":[{"message":{"content":"whole"},"finish_reason":"stop"}]}`, text: "whole"},
		{name: "no content at all", body: "data: {\"choices\":[{\"delta\":{\"content\":null},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"},
		{name: "length", body: head + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n", text: "a", want: llm.CutOff},
		{name: "the filter", body: "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\n", want: llm.BadAnswer, says: "filter"},
		{name: "no end", body: head, text: "a", want: llm.Broken},
		{name: "done without a reason", body: head + "data: [DONE]\n\n", text: "a", want: llm.Broken},
		{name: "an error in the stream", body: head + "data: {\"error\":{\"message\":\"out of memory\"}}\n\n", text: "a", want: llm.Failed, says: "out of memory"},
		{name: "no JSON in the stream", body: head + "data: {oops\n\n", text: "a", want: llm.BadAnswer},
		{name: "bytes that are no UTF-8", body: "data: {\"choices\":[{\"delta\":{\"content\":\"\xff\"},\"finish_reason\":\"stop\"}]}\n\n", text: "\uFFFD"},
		{name: "a web page", body: "<!doctype html>\n<p>hello\n", want: llm.BadAnswer, says: "address"},
		{name: "no such address", status: 404, body: "404 page not found", want: llm.BadAnswer, says: "address"},
		{name: "no such model", status: 404, body: `{"error":{"message":"The model 'm' does not exist","code":"model_not_found"}}`, want: llm.NotFound},
		{name: "a wrong key", status: 401, body: `{"error":{"message":"Incorrect API key provided: s3cret."}}`, want: llm.Denied, says: "provided: …"},
		{name: "too many", status: 429, body: `{"error":{"message":"Rate limit reached"}}`, want: llm.Overloaded, says: "Rate limit"},
		{name: "too long", status: 400, body: `{"error":{"message":"This model's maximum context length is 8192 tokens"}}`, want: llm.TooLong},
		{name: "an error that is a text", status: 500, body: `{"error":"boom"}`, want: llm.Failed, says: "boom"},
		{name: "a proxy without a server", status: 502, body: "", want: llm.Unreachable, says: "bad gateway"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer s3cret" {
					t.Errorf("%q", r.Header)
				}
				kind := tt.kind
				if kind == "" {
					kind = "text/event-stream"
				}
				w.Header().Set("Content-Type", kind)
				if r.URL.Path == "/v1/models" {
					return
				}
				if tt.status != 0 {
					w.WriteHeader(tt.status)
				}
				_, _ = io.WriteString(w, tt.body)
			}))
			defer s.Close()
			c := open(t, openai.Options{Address: s.URL + "/v1", Key: "s3cret"}, llm.Options{Clock: llmtest.NewClock()})
			a, err := c.Chat(t.Context(), ask("x"))
			if a.Text != tt.text || llm.KindOf(err) != tt.want {
				t.Errorf("%q, %v (%s), want %q, %s", a.Text, err, llm.KindOf(err), tt.text, tt.want)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "s3cret")) {
				t.Errorf("it says %q", err)
			}
		})
	}
}

// The server may return the vectors in any order.
func TestVectors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		body string
		want llm.Kind
	}{
		{`{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[1,0]}]}`, ""},
		{`{"data":[{"index":0,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}`, llm.BadAnswer},
		{`{"data":[{"index":5,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}`, llm.BadAnswer},
		{`{"data":[]}`, llm.BadAnswer},
		{`{"data":"none"}`, llm.BadAnswer},
		{`<html>`, llm.BadAnswer},
		{`{"error":{"message":"this model does not support embeddings"}}`, llm.Incapable},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, tt.body) }))
		c := open(t, openai.Options{Address: s.URL}, llm.Options{})
		v, err := c.Embed(t.Context(), llm.EmbedRequest{Model: "m", Texts: []string{"a", "b"}})
		if llm.KindOf(err) != tt.want || err == nil && !reflect.DeepEqual(v, [][]float32{{1, 0}, {0, 1}}) {
			t.Errorf("%s: %v, %v", tt.body, v, err)
		}
		s.Close()
	}
}
