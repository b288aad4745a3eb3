package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// modelsText is every key, with the specification's own example of a profile.
const modelsText = `
[models]
engine = "ollama"
phases = ["0a", "vectors"]
budget = 20
num_thread = 2
provider = "ollama"
api_base = "http://me:s3cret@example.org:1"
chat_model = "qwen3:4b"
embedding_model = "bge-m3"
num_ctx = 4096
keep_alive = "1h"
timeout = 9

[embeddings.profiles.tech_docs]
provider = "ollama"
model = "bge-m3"          # Hybrid dense+sparse, good for technical jargon
dimension = 1024
capabilities = ["technical", "multilingual"]

[embeddings.profiles.tech_docs.ollama]
api_base = "http://localhost:11434"
timeout = 120

[embeddings.profiles.far]
provider = "openai"
model = "text-embedding-3-small"
openai.api_base = "https://example.org/v1"

[embeddings.routes.tech_docs]
profile = "tech_docs"

[[enrichment.chain]]
name = "tech_docs_qwen3_4b"
chain = "tech_docs_chain"
provider = "ollama"
model = "qwen3:4b-instruct"
url = "http://localhost:11434"
routing_tier = "4b"
timeout_seconds = 90
enabled = true
options = { num_ctx = 4096, temperature = 0.2 }

[enrichment.routes]
tech_docs = "tech_docs_chain"
`

func TestModels(t *testing.T) {
	t.Parallel()
	c, faults := load(t, modelsText)
	want := Models{"ollama", []string{"0a", "vectors"}, 20, "ollama", "http://me:s3cret@example.org:1", "qwen3:4b", "bge-m3", 4096, 2, "1h", 9}
	if len(faults) > 0 || !reflect.DeepEqual(c.Models, want) {
		t.Errorf("%+v, %v", c.Models, faults)
	}
	profiles := map[string]Profile{
		"tech_docs": {"ollama", "bge-m3", 1024, []string{"technical", "multilingual"}, "http://localhost:11434", 120},
		"far":       {"openai", "text-embedding-3-small", 0, nil, "https://example.org/v1", 0},
	}
	if !reflect.DeepEqual(c.Profiles, profiles) || c.Routing.Routes["tech_docs"].Profile != "tech_docs" {
		t.Errorf("%+v, %v", c.Profiles, c.Routing)
	}
	shown := fmt.Sprint(c.Values())
	if strings.Contains(shown, "s3cret") || !strings.Contains(shown, "http://example.org:1") || !strings.Contains(shown, "far = text-embedding-3-small; tech_docs = bge-m3") {
		t.Errorf("the settings are shown as %s", shown)
	}
}

func TestFaultsOfModels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, key, says string }{
		{"[models]\nengine = \"magic\"", "models.engine", "builtin"},
		{"[models]\nengine = \"openai\"\nprovider = \"ollama\"", "models.provider", "models.engine is openai"},
		{"[models]\nphases = [\"0a\", \"2\"]", "models.phases", "vectors"},
		{"[models]\nbudget = 0", "models.budget", "between"},
		{"[models]\nnum_thread = -1", "models.num_thread", "between"},
		{"[models]\nprovider = \"clippy\"", "models.provider", "openai"},
		{"[models]\napi_base = \"ftp://u:s3cret@x\"", "models.api_base", "neither"},
		{"[models]\nnum_ctx = 1", "models.num_ctx", "512"},
		{"[models]\nkeep_alive = \"long\"", "models.keep_alive", "10m"},
		{"[models]\ntimeout = 0", "models.timeout", "between"},
		{"[models]\nmodel = \"x\"", "models.model", "unknown key"},
		{"[embeddings.profiles.a]\ndimension = 3", "embeddings.profiles.a.model", "needs a model"},
		{"[embeddings.profiles.a]\nmodel = \"m\"\ndimension = 0", "embeddings.profiles.a.dimension", "between"},
		{"[embeddings.profiles.a]\nmodel = \"m\"\nprovider = \"b\"", "embeddings.profiles.a.provider", "ollama"},
		{"[embeddings.profiles.a]\nmodel = \"m\"\nopenai.timeout = 3", "embeddings.profiles.a.openai", "is ollama"},
		{"[embeddings.profiles.a]\nmodel = \"m\"\nollama.timeout = -3", "embeddings.profiles.a.ollama.timeout", "between"},
		{"[embeddings.profiles.a]\nmodel = \"m\"\nollama.api_base = \"http://u:s3cret@x y\"", "embeddings.profiles.a.ollama.api_base", "no address"},
		{"[[enrichment.chain]]\nname = \"a\"\nchain = \"c\"", "enrichment.chain[0].model", "needs a model"},
		{"[[enrichment.chain]]\nmodel = \"m\"\nchain = \"c\"", "enrichment.chain[0].name", "needs a name"},
		{"[[enrichment.chain]]\nname = \"a\"\nmodel = \"m\"", "enrichment.chain[0].chain", "name of its chain"},
		{"[[enrichment.chain]]\nname = \"a\"\nmodel = \"m\"\nchain = \"c\"\nprovider = \"x\"", "enrichment.chain[0].provider", "ollama"},
		{"[[enrichment.chain]]\nname = \"a\"\nmodel = \"m\"\nchain = \"c\"\nurl = \"http://u:s3cret@x y\"", "enrichment.chain[0].url", "no address"},
		{"[[enrichment.chain]]\nname = \"a\"\nmodel = \"m\"\nchain = \"c\"\ntimeout_seconds = 0", "enrichment.chain[0].timeout_seconds", "between"},
		{"[[enrichment.chain]]\nname = \"a\"\nmodel = \"m\"\nchain = \"c\"\noptions.num_ctx = 77", "enrichment.chain[0].options.num_ctx", "twice"},
		{"[[enrichment.chain]]\nname = \"a\"\nmodel = \"m\"\nchain = \"c\"\noptions.temperature = 9.0", "enrichment.chain[0].options.temperature", "between"},
		{"[enrichment.routes]\nlegal = \"c\"", "enrichment.routes.legal", "there is no"},
		{"[enrichment.routes]\npoetry = \"c\"", "enrichment.routes.poetry", "no domain"},
		{"[embeddings.routes.legal]\nprofile = \"a\"", "embeddings.routes.legal.profile", "there is no"},
		{"[embeddings.routes.poetry]\nprofile = \"a\"", "embeddings.routes.poetry", "no domain"},
	} {
		c, faults := load(t, tt.text)
		if len(faults) != 1 || faults[0].Key != tt.key || !strings.Contains(faults[0].Message, tt.says) || strings.Contains(faults[0].Message, "s3cret") {
			t.Errorf("%q: %v", tt.text, faults)
		}
		for _, v := range c.Values() {
			if v.Origin != Default {
				t.Errorf("%q: %s is not the default: %v", tt.text, v.Key, v.Value)
			}
		}
	}
}
