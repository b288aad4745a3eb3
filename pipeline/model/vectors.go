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
	// ID says whose vectors these are: two models whose vectors must not be
	// compared have two. It changes with the model's digest and with the words that
	// are put before texts.
	ID string
	// Dimension is that of the vectors; 0: not known before the first.
	Dimension int
	// Tokens is how many the model reads of a text; 0: not known.
	Tokens int
	// Cuts says that the server may shorten what is too long, and cannot be told
	// not to.
	Cuts bool
	// ForQuestion and ForPassage stand before what is embedded.
	ForQuestion, ForPassage string
}

// VectorSource finds the model for the vectors of a domain's doc sets; errors as
// with Source.
type VectorSource func(ctx context.Context, domain string) (Vectors, error)

// ErrDimension means that a model's vectors have another dimension than before.
var ErrDimension = errors.New("the vectors have another dimension")

// Prefixes are what a model wants before a question and before a passage, by its
// makers' model cards. Without them some models find markedly less.
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
	case strings.HasPrefix(name, "mxbai-embed"), strings.HasPrefix(name, "snowflake-arctic-embed") && !strings.HasPrefix(name, "snowflake-arctic-embed2"),
		strings.HasPrefix(name, "bge-") && !strings.HasPrefix(name, "bge-m3"):
		return "Represent this sentence for searching relevant passages: ", ""
	case strings.HasPrefix(name, "snowflake-arctic-embed2"):
		return "query: ", ""
	case strings.Contains(name, "e5-") && !strings.Contains(name, "instruct"):
		return "query: ", "passage: "
	}
	return "", ""
}

// Multilingual says whether a model is known to have learned many languages, by
// its maker's model card. To others a question that is not English is noise.
func Multilingual(model string) bool {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, known := range []string{"bge-m3", "embeddinggemma", "qwen3-embedding", "multilingual", "nomic-embed-text-v2", "snowflake-arctic-embed2", "granite-embedding:278m", "labse", "jina-embeddings-v3"} {
		if strings.Contains(name, known) {
			return true
		}
	}
	return false
}
