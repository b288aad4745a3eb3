package servicetest

import (
	"context"
	"fmt"

	"docent/llm"
	"docent/llm/llmtest"
	"docent/pipeline/contract/model"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/phase/search"
	"docent/pipeline/service/vectors"
)

// NoModels are the models of a home that has none.
type NoModels struct{}

// Ready is answers.Models'.
func (NoModels) Ready(context.Context) error { return nil }

// Preload is answers.Models'.
func (NoModels) Preload() {}

// Required is care.Models'.
func (NoModels) Required() bool { return false }

// Servers is care.Models'.
func (NoModels) Servers() ([]*vectors.ModelServer, error) { return nil, nil }

// Vectors is vectors.Models'.
func (NoModels) Vectors(context.Context, string) (model.Vectors, error) {
	return model.Vectors{}, model.ErrNone
}

// Enrichers is enrichment.Enrichers'.
func (NoModels) Enrichers(string) []model.Link { return nil }

// Assist is enrichment.Enrichers'.
func (NoModels) Assist() (model.Source, string) { return nil, "" }

// Question is search.QuestionEmbedder's.
func (NoModels) Question(context.Context, embed.By, string) ([]float32, error) {
	return nil, model.ErrNone
}

// Phase is assembly.Models'.
func (NoModels) Phase(string) model.Source { return nil }

// Recalled is assembly.Models'.
func (NoModels) Recalled(string) model.Source { return nil }

// RecalledQuestions is assembly.Models'.
func (m NoModels) RecalledQuestions() search.QuestionEmbedder { return m }

// Models are models of a fake server in memory. Those of a use whose field is empty are
// not there.
type Models struct {
	NoModels
	Client    *llm.Client
	Embedding string   // the model for vectors
	Chain     []string // the models that enrich, in their order
	Assistant string   // the model that finds relations
	Chat      string   // the model that answers phases
	Down      error    // of every use, in place of a model
	Must      bool     // a missing model is an error
}

// dimension is that of the vectors of Models.
const dimension = 8

// Fake makes models of a server that answers by the exchanges, and that makes vectors of
// all texts.
func Fake(exchanges ...llmtest.Exchange) (*Models, *llmtest.Fake) {
	f := llmtest.NewFake(append(exchanges, llmtest.Exchange{Op: llm.OpEmbed})...)
	f.Dimension = dimension
	return &Models{Client: llm.New(f, llm.Options{})}, f
}

// Ready is answers.Models'.
func (m *Models) Ready(context.Context) error { return m.Down }

// Required is care.Models'.
func (m *Models) Required() bool { return m.Must }

// Servers is care.Models'.
func (m *Models) Servers() ([]*vectors.ModelServer, error) {
	s := &vectors.ModelServer{Client: m.Client, Named: true}
	for _, n := range []vectors.Need{{For: "chat", What: llm.CanChat, Model: m.Chat},
		{For: "embedding", What: llm.CanEmbed, Model: m.Embedding}} {
		if n.Origin = vectors.OriginFile; n.Model != "" {
			s.Needs = append(s.Needs, n)
		}
	}
	return []*vectors.ModelServer{s}, nil
}

// Vectors is vectors.Models'.
func (m *Models) Vectors(context.Context, string) (model.Vectors, error) {
	switch {
	case m.Embedding == "":
		return model.Vectors{}, model.ErrNone
	case m.Down != nil:
		return model.Vectors{}, m.Down
	}
	name := m.engine(m.Embedding)
	return model.Vectors{Embed: m.Client, Name: m.Embedding, Engine: name, ID: name + "/1", Dimension: dimension, Tokens: 512}, nil
}

// Question is search.QuestionEmbedder's.
func (m *Models) Question(ctx context.Context, by embed.By, text string) ([]float32, error) {
	v, err := m.Vectors(ctx, "")
	if err != nil {
		return nil, err
	}
	if v.ID != by.Model {
		return nil, fmt.Errorf("%s made the vectors, and the model is %s", by.Model, v.ID)
	}
	out, err := m.Client.Embed(ctx, llm.EmbedRequest{Model: v.Name, Texts: []string{text}})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// RecalledQuestions is assembly.Models'.
func (m *Models) RecalledQuestions() search.QuestionEmbedder { return m }

// Enrichers is enrichment.Enrichers'.
func (m *Models) Enrichers(string) (chain []model.Link) {
	for _, name := range m.Chain {
		chain = append(chain, model.Link{Name: name, Model: m.engine(name), Source: m.source(name)})
	}
	return chain
}

// Assist is enrichment.Enrichers'.
func (m *Models) Assist() (model.Source, string) { return m.source(m.Assistant), m.Assistant }

// Phase is assembly.Models'.
func (m *Models) Phase(string) model.Source { return m.source(m.Chat) }

func (m *Models) engine(name string) string { return m.Client.Engine() + ":" + name }

func (m *Models) source(name string) model.Source {
	if name == "" {
		return nil
	}
	return func(context.Context) (model.Model, error) {
		return model.Model{Chat: m.Client, Name: name, Engine: m.engine(name)}, m.Down
	}
}
