package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"docent/llm/llmtest"
)

// The commands that use a model server, with a real one.
func TestModelServer(t *testing.T) {
	t.Parallel()
	s := llmtest.Ollama(t)
	home := homeWithManual(t)
	one := runner{home, []string{"OLLAMA_HOST=" + s.URL}}.inOneProcess(t)
	run := func(code int, args ...string) string {
		t.Helper()
		out, errs := one.require(t, code, args...)
		return out + errs
	}
	configure := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(home, "docent.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	says := func(out string, patterns ...string) {
		t.Helper()
		checkOutput(t, out, patterns...)
	}

	// Without configuration, an installed model is used.
	says(run(0, "models"), `^ollama \d+\.\S+ at `+regexp.QuoteMeta(s.URL)+`$`,
		`^  tiny-chat:latest  +completion.* · 4096 tokens · `, `^  tiny-embed:latest  +embedding.* · 512 tokens · 64 dimensions · `,
		`^chat +tiny-chat:latest \(the best that is there\)$`, `^embedding +tiny-embed:latest \(the best that is there\)$`,
		`^asked +for phases 0a, 0b, 1.5, 3 \(chat\); vectors of passages and questions \(embedding\)$`)
	says(run(0, "models", "--engine", "builtin"), `^asked +never \(the engine is builtin\)$`)
	says(run(0, "doctor"), `^ok     model server: ollama \S+ at \S+, 2 models$`,
		`^ok     model for chat: tiny-chat:latest, the first word after \S+, then \d+ tokens a second$`,
		`^ok     model for embedding: tiny-embed:latest, 64 dimensions, two texts in \S+$`, `^0 faults$`)

	// A configured model that is missing is a fault, and a pull repairs it.
	pull := llmtest.Registry(t, llmtest.TinyChat(3))
	configure("[models]\nchat_model = \"" + pull + "\"\n[embeddings.profiles.wide]\nmodel = \"tiny-embed\"\ndimension = 1024\n[embeddings.profiles.odd]\nmodel = \"tiny-chat\"\n")
	says(run(0, "models"), `^chat +\S+ is missing: docent models pull `+regexp.QuoteMeta(pull)+`$`, `^wide +tiny-embed:latest$`)
	says(run(1, "doctor"), `^FAULT  model for chat: \S+ is not there$`, `^       docent models pull `,
		`^FAULT  model for wide: tiny-embed:latest gives vectors of 64 dimensions, the profile says 1024$`,
		`^       set dimension = 64 in \[embeddings.profiles.wide\]$`, `^2 faults$|^3 faults$`)
	var pulled map[string]string
	if out := run(0, "models", "pull", "--json", pull); json.Unmarshal([]byte(out), &pulled) != nil || pulled["pulled"] != pull || pulled["server"] != s.URL {
		t.Errorf("pull says %q", out)
	}
	says(run(3, "models", "pull", "http://127.0.0.1:9/library/nobody"), `^docent: Ollama at `)
	var list struct {
		Servers []struct {
			Models []struct{ Name string }
			Needs  []struct{ For, Chosen, Missing string }
		}
	}
	if out := run(0, "models", "--json"); json.Unmarshal([]byte(out), &list) != nil || len(list.Servers) != 1 || len(list.Servers[0].Models) != 3 || list.Servers[0].Needs[0].Missing != "" {
		t.Errorf("models says %s", out)
	}

	// The same server through its OpenAI-compatible interface.
	configure("[models]\nprovider = \"openai\"\napi_base = \"" + s.URL + "/v1\"\nchat_model = \"tiny-chat:latest\"\nembedding_model = \"tiny-embed:latest\"\n")
	says(run(0, "models"), `^openai at \S+/v1$`, `^chat +tiny-chat:latest$`)
	says(run(0, "doctor"), `^ok     model for chat: `, `^ok     model for embedding: tiny-embed:latest, 64 dimensions`)
	says(run(2, "models", "pull", "x"), `^docent: the OpenAI-compatible server at \S+ cannot be asked to fetch a model$`)

	// A dead server is reported, but is not a fault.
	s.KillServer()
	configure("")
	says(run(0, "doctor"), `^ok     model server: none: Ollama at \S+ is not reachable: connection refused`)
}
