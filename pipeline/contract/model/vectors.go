package model

import (
	"context"
	"errors"
	"strings"

	"docent/llm"
)

// Embedder makes vectors of texts.
type Embedder interface {
	Embed(context.Context, llm.EmbedRequest) ([][]float32, error)
}

// Vectors is a model that makes vectors.
type Vectors struct {
	Embed Embedder
	// Name is the model's on its server, Engine the name in traces.
	Name, Engine string
	// ID identifies vectors that may be compared with each other. It depends on the
	// model's digest and on the prefixes of texts.
	ID string
	// Dimension is the dimension of the vectors; 0: unknown until the first one.
	Dimension int
	// Tokens is the most tokens of a text that the model reads; 0: unknown.
	Tokens int
	// Cuts says that the server cuts texts that are too long without an error.
	Cuts bool
	// ForQuestion and ForPassage are the prefixes of embedded texts.
	ForQuestion, ForPassage string
}

// ErrDimension means that a model's vectors have another dimension than before.
var ErrDimension = errors.New("the vectors have another dimension")

// Prefixes are the prefixes of questions and passages that a model was trained with,
// from its model card. Without them some models find markedly less.
func Prefixes(model string) (question, passage string) {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	name, _, _ = strings.Cut(name, ":")
	switch {
	case strings.HasPrefix(name, "nomic-embed"):
		return "search_query: ", "search_document: "
	case strings.HasPrefix(name, "embeddinggemma"):
		return "task: search result | query: ", "title: none | text: "
	case strings.HasPrefix(name, "qwen3-embedding"):
		return "Instruct: Given a question about technical documentation, retrieve passages that answer it\nQuery: ", ""
	case strings.HasPrefix(name, "mxbai-embed"), strings.HasPrefix(name, "snowflake-arctic-embed") &&
		!strings.HasPrefix(name, "snowflake-arctic-embed2"),
		strings.HasPrefix(name, "bge-") && !strings.HasPrefix(name, "bge-m3"):
		return "Represent this sentence for searching relevant passages: ", ""
	case strings.HasPrefix(name, "snowflake-arctic-embed2"):
		return "query: ", ""
	case strings.Contains(name, "e5-") && !strings.Contains(name, "instruct"):
		return "query: ", "passage: "
	}
	return "", ""
}

// Multilingual reports whether a model is trained on many languages, by its model card.
// For other models a question that is not English gives a meaningless vector.
func Multilingual(model string) bool {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, known := range []string{"bge-m3", "embeddinggemma", "qwen3-embedding", "multilingual", "nomic-embed-text-v2",
		"snowflake-arctic-embed2", "granite-embedding:278m", "labse", "jina-embeddings-v3"} {
		if strings.Contains(name, known) {
			return true
		}
	}
	return false
}
