package rerank

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestReadModel(t *testing.T) {
	t.Parallel()
	m, err := ReadModel([]byte(`{"version": 1, "bias": -1.5, "weights": {"any_cover": 2, "steps_if_long": -0.25}, "provenance": {"made_by": "hand"}}`))
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, numFeatures)
	x[anyCover], x[int(numBase)+int(steps)], x[textCover] = .5, 1, 7
	if got := m.ScoreOf(x); got != -1.5+1-.25 {
		t.Errorf("the score is %v", got)
	}
}

// Partly read weights would rank by chance, unnoticed.
func TestModelThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	model := func(version, bias, weights string) string {
		return fmt.Sprintf(`{"version": %s, "bias": %s, "weights": %s}`, version, bias, weights)
	}
	good := `{"any_cover": 2}`
	if _, err := ReadModel([]byte(model("1", "0", good))); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ file, says string }{
		"empty":                 {"", "end of JSON"},
		"blank":                 {" \n", "end of JSON"},
		"garbage":               {"\x00\xffPK\x03\x04", ""},
		"cut off":               {model("1", "0", good)[:30], ""},
		"null":                  {"null", "version 0"},
		"a list":                {"[]", ""},
		"no version":            {`{"bias": 0, "weights": {"any_cover": 2}}`, "version 0, this program reads 1"},
		"another version":       {model("2", "0", good), "version 2, this program reads 1"},
		"a version of a type":   {model(`"1"`, "0", good), ""},
		"no weights":            {`{"version": 1, "bias": 0}`, "no weights"},
		"empty weights":         {model("1", "0", "{}"), "no weights"},
		"weights that are null": {model("1", "0", "null"), "no weights"},
		"an unknown feature":    {model("1", "0", `{"any_cover": 2, "vibes": 1}`), `no feature "vibes"`},
		"a feature in capitals": {model("1", "0", `{"Any_Cover": 2}`), `no feature "Any_Cover"`},
		"a weight of NaN":       {model("1", "0", `{"any_cover": NaN}`), ""},
		"a weight of 1e999":     {model("1", "0", `{"any_cover": 1e999}`), ""},
		"a weight of a type":    {model("1", "0", `{"any_cover": "2"}`), ""},
		"a bias of NaN":         {model("1", "NaN", good), ""},
		"a bias of 1e999":       {model("1", "1e999", good), ""},
		"a bias of a type":      {model("1", `"0"`, good), ""},
		"something after it":    {model("1", "0", good) + "{}", "after top-level value"},
		"unknown evidence":      {`{"version": 1, "bias": 0, "weights": {"any_cover": 2}, "answer": {"bias": 0, "weights": {"vibes": 1}}}`, `no evidence "vibes"`},
		"an impossible floor":   {`{"version": 1, "bias": 0, "weights": {"any_cover": 2}, "answer": {"below": 2}}`, "answer.below is 2"},
	} {
		m, err := ReadModel([]byte(c.file))
		if !errors.Is(err, ErrModel) || m != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
}

// Whatever the bytes are, there is a model of numbers or an error that wraps
// ErrModel.
func FuzzReadModel(f *testing.F) {
	f.Add(string(weightsFile))
	f.Add(`{"version": 1, "bias": 1e308, "weights": {"any_cover": -1e308}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		m, err := ReadModel([]byte(raw))
		if err != nil {
			if !errors.Is(err, ErrModel) || m != nil {
				t.Fatalf("%v, %v", m, err)
			}
			return
		}
		for i, w := range m.w {
			if math.IsNaN(w) || math.IsInf(w, 0) {
				t.Fatalf("the weight of %s is %v", featureNames()[i], w)
			}
		}
	})
}

func TestFeatureNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i, n := range featureNames() {
		if n == "" || seen[n] {
			t.Errorf("feature %d is called %q", i, n)
		}
		seen[n] = true
	}
}

// The weights in the program are read, and what --explain prints of them is all
// there is: the parts add up to the logit.
func TestShippedModelExplainsItself(t *testing.T) {
	t.Parallel()
	m, err := shippedModel()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]feature{}
	for i, n := range featureNames() {
		names[n] = feature(i)
	}
	rapid.Check(t, func(t *rapid.T) {
		var f vector
		for i := range f {
			f[i] = rapid.Float64Range(0, 1).Draw(t, "input")
		}
		logit, parts := m.logitOf(f, nil, true)
		sum, size := 0.0, 1.0
		seen := map[string]bool{}
		for _, p := range parts {
			sum += p.Value
			size += math.Abs(p.Value)
			if seen[p.Name] || p.Value != p.Weight*p.Input {
				t.Fatalf("a part is %+v", p)
			}
			seen[p.Name] = true
			if p.Name == "bias" {
				continue
			}
			if at, ok := names[p.Name]; !ok || p.Input != f[at] || p.Weight != m.Weights[p.Name] {
				t.Fatalf("a part is %+v", p)
			}
		}
		if math.Abs(sum-logit) > 1e-9*size {
			t.Fatalf("the parts add up to %v, the logit is %v", sum, logit)
		}
		if !seen["bias"] {
			t.Fatal("the bias is not told")
		}
		for n, w := range m.Weights {
			if w != 0 && !seen[n] {
				t.Fatalf("%s weighs %v and is not told", n, w)
			}
		}
		silent, none := m.logitOf(f, nil, false)
		if silent != logit || none != nil || math.Abs(m.ScoreOf(f[:])-logit) > 1e-9*size {
			t.Fatalf("%v with the explanation, %v without, %v as a score", logit, silent, m.ScoreOf(f[:]))
		}
	})
}
