package llm

import (
	"slices"
	"strings"
)

// ChatModels and EmbedModels are what is taken where nothing is configured, the
// best first: small enough for a machine without a graphics card, and much used.
func ChatModels() []string {
	return []string{"qwen3.5:4b", "qwen3:4b-instruct", "qwen3:4b", "gemma4", "gemma3:4b", "llama3.2:3b", "qwen3:1.7b"}
}

// EmbedModels are the like for vectors. bge-m3 comes first: it is specification
// 5's for documentation, and knows many languages.
func EmbedModels() []string {
	return []string{"bge-m3", "embeddinggemma", "qwen3-embedding:0.6b", "nomic-embed-text", "all-minilm"}
}

// Find gives the model of a name. As with Ollama, a name without a tag means
// the tag "latest", and one without a registry is of Ollama's own; how a registry
// is reached is no part of a name.
func Find(models []Model, name string) (Model, bool) {
	for _, m := range models {
		if SameName(m.Name, name) {
			return m, true
		}
	}
	return Model{}, false
}

// SameName says whether two names mean one model.
func SameName(a, b string) bool { return tagged(a) == tagged(b) }

func tagged(name string) string {
	for _, prefix := range []string{"http://", "https://", "registry.ollama.ai/", "library/"} {
		name = strings.TrimPrefix(name, prefix)
	}
	if strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
		return name
	}
	return name + ":latest"
}

// Choose takes the first of the preferred models that is there and is not known
// to lack the capability. Failing that, any that is known to have it: the
// smallest, and of those the first by name. A preferred name without a tag takes
// any tag, the first by name.
func Choose(models []Model, preferred []string, what Capability) (Model, bool) {
	models = slices.Clone(models)
	slices.SortFunc(models, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
	for _, want := range preferred {
		i := slices.IndexFunc(models, func(m Model) bool {
			base, _, _ := strings.Cut(m.Name, ":")
			can, known := m.Can(what)
			return (SameName(m.Name, want) || base == want) && (can || !known)
		})
		if i >= 0 {
			return models[i], true
		}
	}
	var best Model
	found := false
	for _, m := range models {
		if can, _ := m.Can(what); can && (!found || m.Size < best.Size) {
			best, found = m, true
		}
	}
	return best, found
}
