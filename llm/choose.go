package llm

import (
	"slices"
	"strings"
)

// ChatModels lists the preferred chat models where none is configured, the best
// first. They are widely used, and small enough for a machine without a GPU.
func ChatModels() []string {
	return []string{"qwen3.5:4b", "qwen3:4b-instruct", "qwen3:4b", "gemma4", "gemma3:4b", "llama3.2:3b", "qwen3:1.7b"}
}

// EmbedModels lists the preferred embedding models where none is configured, the
// best first. bge-m3 leads: specification 5 names it for documentation, and it
// knows many languages.
func EmbedModels() []string {
	return []string{"bge-m3", "embeddinggemma", "qwen3-embedding:0.6b", "nomic-embed-text", "all-minilm"}
}

// FindModel returns the model with a name. As in Ollama, a missing tag means "latest",
// and a missing registry means Ollama's own. The URL scheme of a registry is
// ignored.
func FindModel(models []Model, name string) (Model, bool) {
	for _, m := range models {
		if SameName(m.Name, name) {
			return m, true
		}
	}
	return Model{}, false
}

// SameName reports whether two names refer to the same model.
func SameName(a, b string) bool { return canonicalName(a) == canonicalName(b) }

func canonicalName(name string) string {
	for _, prefix := range []string{"http://", "https://", "registry.ollama.ai/", "library/"} {
		name = strings.TrimPrefix(name, prefix)
	}
	if strings.Contains(name[strings.LastIndexByte(name, '/')+1:], ":") {
		return name
	}
	return name + ":latest"
}

// Choose returns the first preferred model that is available and is not known to lack the
// capability. A preferred name without a tag matches any tag, the first by name. If none
// is available, Choose returns the smallest model that is known to have the capability;
// the name breaks ties.
func Choose(models []Model, preferred []string, what Capability) (Model, bool) {
	models = slices.Clone(models)
	slices.SortFunc(models, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
	for _, want := range preferred {
		i := slices.IndexFunc(models, func(m Model) bool {
			base, _, _ := strings.Cut(m.Name, ":")
			can, known := m.HasCapability(what)
			return (SameName(m.Name, want) || base == want) && (can || !known)
		})
		if i >= 0 {
			return models[i], true
		}
	}
	var best Model
	found := false
	for _, m := range models {
		if can, _ := m.HasCapability(what); can && (!found || m.Size < best.Size) {
			best, found = m, true
		}
	}
	return best, found
}
