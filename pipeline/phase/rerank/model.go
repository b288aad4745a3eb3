package rerank

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"docent/pipeline/contract"
)

// ModelVersion is the form of the weights file that this program reads.
const ModelVersion = 1

// weightsFile is the model that ships, made by make train.
//
//go:embed model.json
var weightsFile []byte

// Model is a linear model over the features: rerank_sim is the logistic function
// of Bias plus each feature times its weight.
type Model struct {
	Version    int                `json:"version"`
	Bias       float64            `json:"bias"`
	Weights    map[string]float64 `json:"weights"` // by feature; one that is missing weighs nothing
	Answer     *answer            `json:"answer,omitempty"`
	Provenance json.RawMessage    `json:"provenance,omitempty"`

	w vector
}

// ErrModel means that a weights file cannot be used.
var ErrModel = errors.New("the reranker's weights file cannot be used")

// ReadModel reads a weights file. The error wraps ErrModel where it is broken,
// of another version, or speaks of features that this program does not have.
func ReadModel(raw []byte) (*Model, error) {
	m := &Model{}
	if err := json.Unmarshal(raw, m); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	if m.Version != ModelVersion {
		return nil, fmt.Errorf("%w: it has version %d, this program reads %d; make it again with: make train", ErrModel, m.Version,
			ModelVersion)
	}
	if len(m.Weights) == 0 {
		return nil, fmt.Errorf("%w: it has no weights", ErrModel)
	}
	known := map[string]feature{}
	for i, n := range featureNames() {
		known[n] = feature(i)
	}
	for n, w := range m.Weights {
		f, ok := known[n]
		switch {
		case !ok:
			return nil, fmt.Errorf("%w: there is no feature %q", ErrModel, n)
		case math.IsNaN(w) || math.IsInf(w, 0):
			return nil, fmt.Errorf("%w: the weight of %q is no number", ErrModel, n)
		}
		m.w[f] = w
	}
	if math.IsNaN(m.Bias) || math.IsInf(m.Bias, 0) {
		return nil, fmt.Errorf("%w: the bias is no number", ErrModel)
	}
	if m.Answer == nil {
		return m, nil
	}
	for n := range m.Answer.Weights {
		if !slices.Contains(EvidenceNames(), n) {
			return nil, fmt.Errorf("%w: there is no evidence %q", ErrModel, n)
		}
	}
	if !(m.Answer.Below >= 0 && m.Answer.Below <= 1) {
		return nil, fmt.Errorf("%w: answer.below is %v, it must lie between 0 and 1", ErrModel, m.Answer.Below)
	}
	return m, nil
}

// shippedModel is the model in this program.
func shippedModel() (*Model, error) { return ReadModel(weightsFile) }

// logitOf is the model's value and, where it is asked for, how it came about.
func (m *Model) logitOf(f vector, traits []trait, explain bool) (float64, []contract.ExplainPart) {
	sum := m.Bias
	for i, x := range f {
		sum += m.w[i] * x
	}
	for _, t := range traits {
		sum += float64(t.weight * t.input)
	}
	if !explain {
		return sum, nil
	}
	names := featureNames()
	parts := []contract.ExplainPart{{Name: "bias", Weight: m.Bias, Input: 1, Value: m.Bias}}
	for i, x := range f {
		if m.w[i] != 0 {
			parts = append(parts, contract.ExplainPart{Name: names[i], Weight: m.w[i], Input: x, Value: m.w[i] * x})
		}
	}
	for _, t := range traits {
		if t.input != 0 {
			parts = append(parts, contract.ExplainPart{Name: t.name, Weight: t.weight, Input: t.input, Value: t.weight * t.input})
		}
	}
	return sum, parts
}

// ScoreOf is the model's value for features in the order of FeatureNames.
func (m *Model) ScoreOf(x []float64) float64 {
	sum := m.Bias
	for i, v := range x {
		sum += m.w[i] * v
	}
	return sum
}
