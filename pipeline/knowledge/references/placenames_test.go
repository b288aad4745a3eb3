package references_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/knowledge/references"
)

// A graph that is updated again and again has, after each update, the bytes of one that is made of
// all pages at once: pages link to pages, sections and labels, name titles and parameters,
// include each other, and get other headings, parameters and texts at random.
func TestUpdatesOfRandomPages(t *testing.T) {
	t.Parallel()
	chains := 150
	if testing.Short() {
		chains = 10
	}
	kept, pages, patches := 0, 0, 0
	for seed := range chains {
		r := rand.New(rand.NewPCG(uint64(seed), 29))
		s := set{}
		for i := range 10 {
			s[randomPath(i)] = randomPage(r, i)
		}
		state := references.State{Rules: references.Defaults().RulesName()}
		var patch []byte
		read := readSet(t, s)
		raw := resolveRead(t, state, s, read, references.Before{})
		for range 6 {
			was, err := references.ReuseGraph(bytes.NewReader(raw), patch, state.Rules, "-")
			if err != nil {
				t.Fatal(err)
			}
			for range 1 + r.IntN(2) {
				i := r.IntN(10)
				s[randomPath(i)] = changePage(r, s[randomPath(i)], i)
			}
			fresh := readSet(t, s)
			updated := keptOf(t, s, fresh, func(id int64, name string) (references.Kept, bool) {
				k, _ := was.Page(id)
				return k, bytes.Equal(fresh[name].record, read[name].record)
			})
			read = fresh
			kept, pages = kept+references.KeptEdges(updated, was), pages+len(updated)
			want := resolveRead(t, state, s, read, references.Before{})
			next, err := references.NewNext(t.Context(), state, updated, was)
			if err != nil {
				t.Fatal(err)
			}
			changes, err := next.Patch(t.Context(), math.MaxInt64)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := next.Write(t.Context(), &got); err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Fatalf("seed %d: the updated graph differs from the whole one: %v\n%v", seed, err, s)
			}
			if changes == nil {
				raw, patch = got.Bytes(), nil
				continue
			}
			patches++
			checkPatched(t, state, raw, changes, want)
			if patch = changes; r.IntN(4) == 0 {
				raw, patch = got.Bytes(), nil
			}
		}
	}
	if patches < chains {
		t.Errorf("%d patches in %d chains of updates", patches, chains)
	}
	if kept*2 < pages {
		t.Errorf("%d of %d pages kept their edges, want at least half", kept, pages)
	}
}

// checkPatched compares a graph and its patch with the graph that was written as a whole: both have the
// same edges, and of both the same is written again.
func checkPatched(t *testing.T, state references.State, raw, patch, want []byte) {
	t.Helper()
	was, err := references.ReuseGraph(bytes.NewReader(raw), patch, state.Rules, "-")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := resolve(state, slices.Clone(was.Pages), was); err != nil || !bytes.Equal(again, want) {
		t.Fatalf("with its patch the graph is written in other bytes: %v", err)
	}
	patched, err := references.OpenGraph(lamps, raw, patch)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := references.OpenGraph(lamps, want, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := edges(t, patched), edges(t, whole); a != b {
		t.Fatalf("with its patch the graph has the edges\n%s\nas a whole\n%s", a, b)
	}
}

// readPage is a page as the graph keeps it.
type readPage struct {
	page   *references.Page
	record []byte
}

func readSet(t *testing.T, s set) map[string]readPage {
	t.Helper()
	out := map[string]readPage{}
	for name, p := range s.read(t, references.Defaults()) {
		out[name] = readPage{p, references.EncodeRecord(p)}
	}
	return out
}

// keptOf are the records of all pages: the stored ones where stored says so.
func keptOf(t *testing.T, s set, read map[string]readPage, stored func(id int64, name string) (references.Kept, bool)) (out []references.Kept) {
	t.Helper()
	for i, name := range s.List("") {
		k, ok := stored(int64(i+1), name)
		if !ok {
			k = keepPage(t, read[name].page)
			k.Document = int64(i + 1)
		}
		out = append(out, k)
	}
	return out
}

func resolveRead(t *testing.T, state references.State, s set, read map[string]readPage, was references.Before) []byte {
	t.Helper()
	raw, err := resolve(state, keptOf(t, s, read, func(int64, string) (references.Kept, bool) { return references.Kept{}, false }), was)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func randomPath(i int) string { return fmt.Sprintf("%s/p%d.md", []string{"a", "b"}[i%2], i) }

var randomNames = []string{"Oil and fuel", "Trim the wick", "Wick", "Storm lamps", "--wick-length", "`--oil-level`", "lamp.burner.height"}

// randomPage is a page of random parts. Its title changes seldom, since that moves its address.
func randomPage(r *rand.Rand, i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", []string{"Oil and fuel", "Page " + fmt.Sprint(i), "Wick"}[i%3])
	for range 2 + r.IntN(5) {
		b.WriteString(randomPart(r))
	}
	return b.String()
}

func randomPart(r *rand.Rand) string {
	name := randomNames[r.IntN(len(randomNames))]
	to := randomPath(r.IntN(12))
	switch r.IntN(11) {
	case 0:
		return "\n## " + name + "\n"
	case 1:
		return "\n[there](../" + to + ")\n"
	case 2:
		return "\n[there](../" + to + "#trim-the-wick) and [here](../" + to + "#wick)\n"
	case 3:
		return "\n(oil-label)=\n## " + name + "\n"
	case 4:
		return "\n[by its label](oil-label) and [another](#oil-label)\n"
	case 5:
		return "\nSee \"" + name + "\". This option requires `--wick-length`.\n"
	case 6:
		return "\n| Flag | Type |\n|---|---|\n| `--wick-length` | int |\n| `--oil-level` | string |\n"
	case 7:
		return "\n{{< include \"p" + fmt.Sprint(r.IntN(10)) + ".md\" >}}\n"
	case 8:
		return "\n[gone](gone.md#trim-the-wick) and [the site](/docs/" + to + ")\n"
	case 9:
		return "\n`--wick-length` is deprecated. Use `--oil-level` instead.\n"
	}
	return "\nText of number " + fmt.Sprint(r.IntN(1000)) + ".\n"
}

// changePage gives a page other parts, behind its title or at its end.
func changePage(r *rand.Rand, text string, i int) string {
	title, rest, _ := strings.Cut(text, "\n")
	switch r.IntN(6) {
	case 0:
		return randomPage(r, i)
	case 1:
		return title + "\n" + randomPart(r) + rest
	case 2:
		parts := strings.Split(rest, "\n\n")
		return title + "\n" + strings.Join(parts[:r.IntN(len(parts))+1], "\n\n") + "\n"
	case 3:
		return strings.ReplaceAll(text, "Wick", "WICK")
	}
	return text + randomPart(r)
}
