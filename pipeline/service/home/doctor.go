package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"docent/llm"
	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/child"
	"docent/store"
)

// Examination is what Doctor found.
type Examination struct {
	Faults   int       `json:"faults"`
	Findings []Finding `json:"findings"`
}

// Doctor looks for faults: in the configuration, of which fault is the first one
// known, in the home, the catalog, the doc sets, and at the model servers.
func (h *Home) Doctor(ctx context.Context, fault error) (Examination, error) {
	out := []Finding{h.examineConfig(fault), h.examineFolder(), h.examineCatalog(ctx), h.examineList(ctx)}
	sets, err := h.Corpus.Sets(ctx)
	if err != nil && !h.damaged(err) { // else it was found already
		return Examination{}, err
	}
	for _, s := range sets {
		found, err := h.examineSet(ctx, s)
		if h.damaged(err) {
			continue // it was found already
		}
		if err != nil {
			return Examination{}, err
		}
		out = append(out, found...)
	}
	programs, err := h.examinePrograms(ctx)
	if err != nil && !h.damaged(err) {
		return Examination{}, err
	}
	out = append(out, programs...)
	if !child.LimitsMemory {
		out = append(out, Finding{Check: "memory of programs", OK: true, Text: "poppler and tesseract read PDF without a limit on their memory, which only Linux and Windows have; their time and output are limited"})
	}
	if f := h.examineCache(ctx); f != nil {
		out = append(out, *f)
	}
	found, err := h.examineModels(ctx)
	if err != nil {
		return Examination{}, err
	}
	e := Examination{Findings: append(out, found...)}
	for _, f := range e.Findings {
		if !f.OK {
			e.Faults++
		}
	}
	return e, nil
}

// examineCache looks at the file of vectors that models made; nil without such a file.
func (h *Home) examineCache(ctx context.Context) *Finding {
	if _, err := os.Stat(h.CachePath()); err != nil {
		return nil
	}
	f := Finding{Check: "vectors by models", OK: true, Text: h.CachePath() + " is whole"}
	cache, err := h.Stores.OpenCache(ctx, h.CachePath())
	if err == nil {
		err = errors.Join(cache.Check(ctx), cache.Close())
	}
	if err != nil {
		f = f.failed(err, "docent doctor --repair puts it aside; what is needed of it is made again", nil)
	}
	return &f
}

func (h *Home) examineConfig(fault error) Finding {
	path := h.Settings.ConfigPath
	f := Finding{Check: "configuration", OK: true, Text: path}
	if fault != nil {
		return f.failed(fault, "", contract.Run("config", "lint"))
	}
	return f
}

func (h *Home) examineFolder() Finding {
	f := Finding{Check: "home", OK: true, Text: h.Dir + " can be written"}
	probe, err := os.CreateTemp(h.Dir, ".doctor")
	if err == nil {
		probe.Close()
		err = errors.Join(os.Remove(probe.Name()), h.Unready)
	}
	if err == nil {
		return f
	}
	mend := HomeAdvice(err)
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s cannot be written: %w", h.Dir, pe.Err) // the probe's name says nothing
	}
	return f.failed(err, mend, nil)
}

func (h *Home) examineCatalog(ctx context.Context) Finding {
	f := Finding{Check: "catalog", OK: true, Text: h.catalogPath() + " is whole, every row has its checksum"}
	if err := h.cat.Check(ctx); err != nil {
		return f.failed(err, "the next start mends it: it reads the damaged pages again, or makes the catalog again from the list of doc sets", nil)
	}
	return f
}

// examineList compares the list of doc sets with the catalog.
func (h *Home) examineList(ctx context.Context) Finding {
	f := Finding{Check: "list of doc sets", OK: true, Text: h.setsPath() + " has its checksum and says what the catalog says"}
	const mend = "the next start mends it"
	if _, err := h.readList(); err != nil {
		return f.failed(fmt.Errorf("%s: %w", h.setsPath(), err), mend, nil)
	}
	sets, err := h.Corpus.Sets(ctx)
	if err == nil && !h.settled(sets) {
		return f.failed(fmt.Errorf("%s and the catalog do not say the same, or a removed doc set left files", h.setsPath()), mend, nil)
	}
	return f
}

// examineSet looks at a doc set's index, vectors, reference graph and files.
func (h *Home) examineSet(ctx context.Context, s store.Set) ([]Finding, error) {
	name := s.Ref.String()
	index := Finding{Check: "index " + name, OK: true, Text: plural(s.Documents, "page", "pages") + ", every byte has its checksum"}
	err := h.Indexes.Verify(ctx, s.ID)
	if err == nil {
		err = h.consistent(ctx, s)
	}
	if err != nil {
		index = index.failed(err, "", contract.Run("update", "--rebuild", name))
	}
	vectors := Finding{Check: "vectors " + name, OK: true, Text: "every byte has its checksum"}
	if err := h.Indexes.VerifyVectors(ctx, s.ID, store.LearnedVectors); err != nil {
		vectors = vectors.failed(err, "", contract.Run("update", name))
	}
	out := []Finding{index, vectors, h.examineReferences(ctx, s)}
	byModel, err := h.examineModelVectors(ctx, s)
	if err != nil {
		return nil, err
	}
	if byModel != nil {
		out = append(out, *byModel)
	}
	if f := h.examineEnrichment(s); f != nil {
		out = append(out, *f)
	}
	if _, faults := h.Settings.Domains.Of(s, h.Parsers); len(faults) > 0 {
		f := Finding{Check: "domains " + name}
		out = append(out, f.failed(fmt.Errorf("%s: %s", s.Root, faults[0]), "what cannot be used does not count", contract.Run("config", "lint", s.Root)))
	}
	files := Finding{Check: "files " + name, OK: true, Text: "as indexed"}
	switch fresh, ch, err := h.Freshness(ctx, s); {
	case err != nil:
		return nil, err
	case fresh == Missing:
		files = files.failed(fmt.Errorf("its folder %s is not there", s.Root), "bring it back", contract.Run("rm", name))
	case ch != nil:
		files = files.failed(fmt.Errorf("not up to date: %s", ch), "", contract.Run("update", name))
	}
	left, err := h.leftOut(ctx, s)
	if err != nil {
		return nil, err
	}
	files.Text += left
	return append(out, files), nil
}

// mostLeftOut is how many files that could not be indexed are named.
const mostLeftOut = 5

// leftOut says which files of a doc set could not be indexed, "" where all could. It
// is no fault of the home: the files have to be changed.
func (h *Home) leftOut(ctx context.Context, s store.Set) (string, error) {
	failures, err := h.cat.Failures(ctx, s.ID)
	if err != nil {
		return "", err
	}
	// What an update does not even try: too large, not permitted.
	found, err := h.scan(ctx, s)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil || len(failures)+len(found.Warnings) == 0 {
		return "", nil // Freshness says that the folder is not there
	}
	var names []string
	for _, f := range failures {
		reason := f.Reason
		switch {
		case f.Code != "":
			reason = f.Code + ": " + reason
		case f.Stage != ingest.StageLeftOut:
			reason = f.Stage + ": " + reason
		}
		names = append(names, fmt.Sprintf("%s (%s)", f.Path, reason))
	}
	for _, warning := range found.Warnings {
		file, reason, _ := strings.Cut(strings.TrimSuffix(warning, ", left out"), ": ")
		names = append(names, fmt.Sprintf("%s (%s)", file, reason))
	}
	shown := names[:min(mostLeftOut, len(names))]
	text := fmt.Sprintf("; left out because they could not be indexed: %s", strings.Join(shown, ", "))
	if n := len(names) - len(shown); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text, nil
}

// examineModelVectors looks at a doc set's vectors by a model; nil where it has
// none and none are wanted. Incomplete vectors, and vectors by another model than
// the current one, are a fault only where a model is required.
func (h *Home) examineModelVectors(ctx context.Context, s store.Set) (*Finding, error) {
	update := contract.Run("update", s.Ref.String())
	f := Finding{Check: "model vectors " + s.Ref.String(), OK: true}
	st, err := h.ModelVectors(ctx, s)
	if err == nil && st != nil {
		err = h.Indexes.VerifyVectors(ctx, s.ID, store.ModelVectors)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		f = f.failed(err, "", update)
		return &f, nil
	}
	wanted, err := h.wanted(ctx, s)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case st == nil && err != nil:
		return nil, nil // the model servers are looked at below
	case st == nil:
		f.Text = "none yet by " + wanted.Engine
	default:
		f.Text = fmt.Sprintf("%s by %s, %s", plural(st.Passages, "passage", "passages"), st.Engine, plural(st.Dimension, "dimension", "dimensions"))
	}
	what := ""
	switch {
	case st == nil:
		what = "its words and built-in vectors answer"
	case err == nil && wanted.ID != st.Model && wanted.Engine != st.Engine:
		what = "they serve until those by " + wanted.Engine + " are made"
	case err == nil && wanted.ID != st.Model:
		what = "they serve until those by the model as it is now are made"
	case err == nil && wanted.Dimension > 0 && wanted.Dimension != st.Dimension:
		what = fmt.Sprintf("the model has vectors of %d dimensions now", wanted.Dimension)
		update = contract.Run("update", "--rebuild", s.Ref.String())
	case !st.Complete():
		what = plural(st.Missing, "page has", "pages have") + " none yet"
	}
	if what != "" {
		f.OK = !h.models.Required()
		f.Text += "; " + what
		f.Remedy = update
	}
	if r, err := h.routing(ctx, s); err == nil && r.others > 0 {
		f.Text += fmt.Sprintf("; %s of routes with another profile, whose vectors are by this model too", plural(r.others, "page is", "pages are"))
	}
	return &f, nil
}

// consistent compares the documents of the index with those of the catalog.
func (h *Home) consistent(ctx context.Context, s store.Set) error {
	contents, err := h.Indexes.Contents(ctx, s.ID)
	if err != nil {
		return err
	}
	indexed := contents.Documents
	known, err := h.Corpus.Catalog.Files(ctx, s.ID)
	if err != nil {
		return err
	}
	missing := 0
	for _, k := range known {
		if _, ok := indexed[k.ID]; !ok {
			missing++
		}
		delete(indexed, k.ID)
	}
	if missing+len(indexed) > 0 {
		return fmt.Errorf("%d pages are not in the index and %d in it are not in the catalog (an update was interrupted)", missing, len(indexed))
	}
	return nil
}

// examineModels looks at the model servers. A server that is not there is no
// fault, since no model is needed; a configured model that is missing is one.
func (h *Home) examineModels(ctx context.Context) ([]Finding, error) {
	servers, err := h.models.Servers()
	if err != nil {
		return []Finding{{Check: "model server", Text: err.Error(), Mend: "give an address such as http://127.0.0.1:11434",
			Remedy: contract.Configure("models.api_base", "")}}, nil
	}
	var out []Finding
	for _, s := range servers {
		state := s.look(ctx)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if state.Err != nil {
			f := Finding{Check: "model server", OK: true, Text: "none: " + state.Error + "; none is needed"}
			if h.models.Required() {
				f = Finding{Check: "model server", Text: state.Error, Mend: "or do without: --engine builtin"}
			}
			out = append(out, f)
			continue
		}
		out = append(out, Finding{Check: "model server", OK: true,
			Text: strings.TrimSpace(fmt.Sprintf("%s %s", state.Provider, state.Version)) + " at " + state.Address + ", " + plural(len(state.Models), "model", "models")})
		for _, n := range state.Needs {
			f, err := s.examine(ctx, n)
			if err != nil {
				return out, err
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// speedTime is how long a model may take to answer when it is measured: a cold
// one on a slow disk may take longer, and is reported as slow.
const speedTime = 30 * time.Second

func (s *ModelServer) examine(ctx context.Context, n NeedState) (Finding, error) {
	f := Finding{Check: "model for " + n.For}
	if n.Chosen == "" {
		pull := contract.Run("models", "pull", n.Missing)
		if n.Origin == OriginDefault {
			f.OK, f.Text = true, "none is there; docent models pull "+n.Missing+" fetches one"
			return f, nil
		}
		return f.failed(errors.New(n.Model+" is not there"), "", pull), nil
	}
	limited, cancel := context.WithTimeout(ctx, speedTime)
	defer cancel()
	got, err := s.measure(limited, n.Need, n.Chosen)
	switch {
	case ctx.Err() != nil:
		return f, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		f.OK, f.Text = true, fmt.Sprintf("%s does not answer within %v; it may have to be loaded", n.Chosen, speedTime)
	case err != nil:
		f = f.failed(err, "choose another in docent.toml; docent models lists them", nil)
	case n.Dimension > 0 && got.dimension != n.Dimension:
		f.Text = fmt.Sprintf("%s gives vectors of %s, the profile says %d", n.Chosen, plural(got.dimension, "dimension", "dimensions"), n.Dimension)
		f.Mend = fmt.Sprintf("set dimension = %d in [embeddings.profiles.%s]", got.dimension, n.For)
		f.Remedy = contract.Configure("embeddings.profiles."+n.For+".dimension", fmt.Sprint(got.dimension))
	case n.What == llm.CanEmbed:
		f.OK, f.Text = true, fmt.Sprintf("%s, %s, two texts in %v", n.Chosen, plural(got.dimension, "dimension", "dimensions"), got.first.Round(time.Millisecond))
	default:
		f.OK, f.Text = true, fmt.Sprintf("%s, the first word after %v, then %.0f tokens a second", n.Chosen, got.first.Round(time.Millisecond), got.tokens)
	}
	return f, nil
}
