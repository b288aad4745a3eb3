package wordvectors

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// invented makes sections in which two words of a subject never stand in one heading and
// text together but in place of each other.
func invented() [][]Section {
	random := rand.New(rand.NewPCG(3, 4))
	subjects := make([][]string, 12)
	for s := range subjects {
		for w := range 6 {
			subjects[s] = append(subjects[s], fmt.Sprintf("w%d-%d", s, w))
		}
	}
	out := make([][]Section, 4)
	for r := range out {
		for range 200 {
			words := slices.Clone(subjects[random.IntN(len(subjects))])
			random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			s := Section{Heading: words[:1], First: words[1:5]}
			for range 8 {
				s.Rest = append(s.Rest, words[1+random.IntN(4)], fmt.Sprintf("filler%d", random.IntN(20)))
			}
			out[r] = append(out[r], s)
		}
	}
	return out
}

func TestWordsOfASubjectBecomeNeighbours(t *testing.T) {
	o := Options{Dims: 16, Epochs: 6, Batch: 64}
	v, err := Learn(t.Context(), invented(), o)
	if err != nil {
		t.Fatal(err)
	}
	row := func(term string) []float32 {
		i := slices.Index(v.Terms, term)
		if i < 0 {
			t.Fatalf("%s has no vector", term)
		}
		return v.Rows[i]
	}
	cosine := func(a, b string) float64 {
		x, y := row(a), row(b)
		return float64(dot(x, y)) / (length(x) * length(y))
	}
	if near, far := cosine("w1-0", "w1-3"), cosine("w1-0", "w2-3"); near < far+.3 {
		t.Errorf("of a subject %.2f, of two %.2f", near, far)
	}
	again, err := Learn(t.Context(), invented(), o)
	if err != nil || !reflect.DeepEqual(v, again) {
		t.Errorf("the second time it is another table (%v)", err)
	}
	testFile(t, v)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Learn(stopped, invented(), o); err == nil {
		t.Error("it goes on after its end")
	}
}

// testFile writes vectors and reads them again.
func testFile(t *testing.T, v Vectors) {
	t.Helper()
	sources := []Source{{"lamp/docs", "0123abcd", "MIT", 800}}
	raw, err := Encode(v, sources)
	if err != nil {
		t.Fatal(err)
	}
	got, from, err := decode(raw)
	if err != nil || !slices.Equal(got.Terms, v.Terms) || !slices.Equal(from, sources) || got.Dims != v.Dims {
		t.Fatalf("%v, %v", from, err)
	}
	for i, row := range v.Rows {
		if c := float64(dot(row, got.Rows[i])) / (length(row) * length(got.Rows[i])); c < .999 {
			t.Errorf("%s: what is read has a cosine of %.4f with what was written", v.Terms[i], c)
		}
	}
	for _, damaged := range [][]byte{nil, raw[:10], raw[:len(raw)-1], append(slices.Clone(raw), 0)} {
		if _, _, err := decode(damaged); !errors.Is(err, ErrForeign) {
			t.Errorf("%d of %d bytes: %v", len(damaged), len(raw), err)
		}
	}
}

func TestParseSources(t *testing.T) {
	got, err := ParseSources("repository\tcommit\tlicence\na/b\t12\tMIT\n")
	if err != nil || !slices.Equal(got, []Source{{Repository: "a/b", Commit: "12", Licence: "MIT"}}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := ParseSources("repository\tcommit\tlicence\na/b\t12\n"); err == nil {
		t.Error("a line without a licence passes")
	}
}

func TestReadSections(t *testing.T) {
	folder := t.TempDir()
	page := "# Lamps\n\nA lamp gives light to the ships that pass. Trim its wick each evening before the sun goes down, and fill it with oil.\n\n" +
		"## Turn it off\n\nTo disable the lamp, close the valve. The flame goes out after some seconds, and the glass cools down over an hour.\n"
	for name, text := range map[string]string{"lamp.md": page, "copy.md": page, "fr/lampe.md": page + "\nFin de la page, longue et claire.", "CHANGELOG.md": page + "\nMore changes of the lamp."} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadSections(t.Context(), folder)
	if err != nil || len(got) != 2 {
		t.Fatalf("%d sections, %v", len(got), err)
	}
	if s := got[1]; !slices.Equal(s.Heading, []string{"turn"}) || !slices.Equal(s.Path, []string{"lamp", "lamp"}) ||
		!slices.Equal(s.First, []string{"disabl", "lamp", "close", "valv"}) || len(s.Rest) < 6 {
		t.Errorf("%+v", s)
	}
}

func length(v []float32) float64 { return math.Sqrt(float64(dot(v, v))) }
