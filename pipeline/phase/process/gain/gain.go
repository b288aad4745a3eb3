// Package gain is the model of phase 3 that says how likely a part of a page holds the answer
// to a question: a linear model over the evidence of the part. Its weights are learned from
// questions whose answers are known (make gains).
package gain

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Version is the form of the weights file that this program reads.
const Version = 1

// weightsFile are the weights that ship, made by make gains.
//
//go:embed weights.json
var weightsFile []byte

// Model is a linear model over a part's features: the logarithm of the odds that it holds the
// answer.
type Model struct {
	Version    int                `json:"version"`
	Bias       float64            `json:"bias"`
	Weights    map[string]float64 `json:"weights"` // by feature; one that is missing weighs nothing
	Provenance json.RawMessage    `json:"provenance,omitempty"`

	w Evidence
}

// The features of a unit.
const (
	Sure      = iota // log odds of its section's rerank_sim
	Behind           // the same less that of the best section
	Rank             // ln(1 + its section's place in the ranking, from 0)
	Unranked         // phase 1.5 did not keep its section: it belongs to one above
	Words            // its score, of the best one in the sections
	Order            // ln(1 + its place by score in its section, from 0)
	Place            // ln(1 + its place in its section, from 0)
	Size             // ln(1 + its lines)
	Around           // ln(1 + lines of its section)
	Code             // it is code
	Announces        // it announces the next block
	Before           // ln(1 + units between it and its section's best one, if it stands before that)
	After            // the same if it stands after that
	features
)

// Evidence are the values of the features.
type Evidence [features]float64

// Names are the names of a unit's features, in order.
func Names() []string {
	return []string{"sure", "behind", "rank", "unranked", "words", "order", "place", "size", "around", "code", "announces", "before",
		"after"}
}

// Err means that a file of weights cannot be used.
var Err = errors.New("the weights of phase 3 cannot be used")

// Read reads a file of weights. The error wraps Err where it is broken, of another
// version, or has features that this program does not have.
func Read(raw []byte) (*Model, error) {
	g := &Model{}
	if err := json.Unmarshal(raw, g); err != nil {
		return nil, fmt.Errorf("%w: %w", Err, err)
	}
	if g.Version != Version {
		return nil, fmt.Errorf("%w: they have version %d, this program reads %d; make them again with: make gains", Err, g.Version,
			Version)
	}
	for name, w := range g.Weights {
		i := slices.Index(Names(), name)
		if i < 0 {
			return nil, fmt.Errorf("%w: there is no feature %q", Err, name)
		}
		g.w[i] = w
	}
	return g, nil
}

// Odds is the logarithm of the odds that a unit holds the answer.
func (g *Model) Odds(x Evidence) float64 {
	sum := g.Bias
	for i, v := range x {
		sum += float64(g.w[i] * v)
	}
	return sum
}

// Shipped is the model in this program.
func Shipped() (*Model, error) { return Read(weightsFile) }
