package care

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/child"
	"docent/pipeline/service/care/finding"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/vectors"
	"docent/pipeline/text/plural"
	"docent/store"
)

// Examination is what Doctor found.
type Examination struct {
	Faults   int               `json:"faults"`
	Findings []finding.Finding `json:"findings"`
}

// Doctor looks for faults: in the configuration, of which fault is the first one
// known, in the home, the catalog, the doc sets, and at the model servers.
func (svc *Service) Doctor(ctx context.Context, fault error) (Examination, error) {
	out := []finding.Finding{svc.examineConfig(fault), svc.examineFolder(), svc.examineCatalog(ctx), svc.examineList(ctx)}
	sets, err := svc.home.Corpus.Sets(ctx)
	if err != nil && !finding.IsDamaged(err) { // else it was found already
		return Examination{}, err
	}
	for _, s := range sets {
		found, err := svc.examineSet(ctx, s)
		if finding.IsDamaged(err) {
			continue // it was found already
		}
		if err != nil {
			return Examination{}, err
		}
		out = append(out, found...)
	}
	if size, err := home.Outgrown(ctx, svc.home); err == nil && size != "" { // a damaged catalog was found already
		f := finding.NoFault(finding.Size, "", size)
		f.Remedy = home.SizeHelp()
		out = append(out, f)
	}
	handed, err := svc.uploadsFound(ctx)
	if err != nil {
		return Examination{}, err
	}
	out = append(out, handed...)
	if f := svc.examineShared(ctx, false); f != nil {
		out = append(out, *f)
	}
	for _, examine := range svc.added.Keepers {
		if f := examine(ctx); f != nil {
			out = append(out, *f)
		}
	}
	programs, err := svc.examinePrograms(ctx)
	if err != nil && !finding.IsDamaged(err) {
		return Examination{}, err
	}
	out = append(out, programs...)
	if !child.LimitsMemory {
		out = append(out, finding.NoFault(finding.ProgramMemory, "",
			"poppler and tesseract read PDF without a limit on their memory, which only Linux and Windows have; their time and output "+
				"are limited"))
	}
	if !child.Confines() {
		out = append(out, finding.NoFault(finding.ProgramFiles, "",
			"poppler and tesseract read PDF with the rights of this user: confining them to the file that they read needs Linux 5.13 with "+
				"Landlock, and a container that allows it"))
	}
	if f := svc.examineCache(ctx); f != nil {
		out = append(out, *f)
	}
	found, err := svc.examineModels(ctx)
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
func (svc *Service) examineCache(ctx context.Context) *finding.Finding {
	if _, err := svc.home.Stores.Cache().Identify(ctx); err != nil {
		return nil
	}
	f := finding.NoFault(finding.KeptVectors, "", svc.home.Stores.Cache().Name()+" is whole")
	cache, err := svc.home.Stores.OpenCache(ctx)
	if err == nil {
		err = errors.Join(cache.Check(ctx), cache.Close())
	}
	if err != nil {
		f = f.Repairable(finding.RepairKept, err, "")
	}
	return &f
}

func (svc *Service) examineConfig(fault error) finding.Finding {
	path := svc.home.Settings.ConfigPath
	f := finding.NoFault(finding.Configuration, "", path)
	if fault != nil {
		return f.Failed(fault, "", contract.RunDocent("config", "lint").To("lists the faults"))
	}
	return f
}

func (svc *Service) examineFolder() finding.Finding {
	f := finding.NoFault(finding.Folder, "", svc.home.Dir+" can be written")
	probe, err := os.CreateTemp(svc.home.Dir, ".doctor")
	if err == nil {
		probe.Close()
		err = errors.Join(os.Remove(probe.Name()), svc.home.Unready)
	}
	switch {
	case err == nil && home.WritableByOthers(svc.home.Dir):
		return f.Failed(fmt.Errorf("other users may write to %s: they could put a password, tokens or a configuration of theirs in it",
			svc.home.Dir), "take the permission to write in it from group and others", nil)
	case err == nil:
		return f
	}
	mend := home.HomeAdvice(err)
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s cannot be written: %w", svc.home.Dir, pe.Err) // the probe's name says nothing
	}
	f = f.Repairable(finding.RepairOwner, err, mend)
	f.Remedy = home.OtherHome(err)
	return f
}

func (svc *Service) examineCatalog(ctx context.Context) finding.Finding {
	if err := svc.home.Catalog.Check(ctx); err != nil {
		return finding.DamagedCatalog(err)
	}
	return finding.NoFault(finding.Catalog, "", svc.home.CatalogName()+" is whole, every row has its checksum")
}

// examineList compares the list of doc sets with the catalog.
func (svc *Service) examineList(ctx context.Context) finding.Finding {
	f := finding.NoFault(finding.List, "", svc.home.SetsPath()+" has its checksum and says what the catalog says")
	const mend = "the next start mends it"
	if _, err := svc.home.ReadList(); err != nil {
		return f.Repairable(finding.RepairList, fmt.Errorf("%s: %w", svc.home.SetsPath(), err), mend)
	}
	sets, err := svc.home.Corpus.Sets(ctx)
	if err == nil && !svc.home.Settled(sets) {
		return f.Repairable(finding.RepairList, fmt.Errorf("%s and the catalog do not say the same, or a removed doc set left files",
			svc.home.SetsPath()), mend)
	}
	return f
}

// examineSet looks at a doc set's index, vectors, reference graph and files.
func (svc *Service) examineSet(ctx context.Context, s store.Set) ([]finding.Finding, error) {
	name := s.Ref.String()
	index := finding.NoFault(finding.Index, name, plural.Count(s.Documents, "page", "pages")+", every byte has its checksum")
	err := svc.home.Indexes.Verify(ctx, s.ID)
	if err == nil {
		err = svc.consistent(ctx, s)
	}
	if err != nil {
		index = index.Repairable(finding.RepairIndex, err, "")
	}
	vectors := finding.NoFault(finding.Vectors, name, "every byte has its checksum")
	if err := svc.home.Indexes.VerifyVectors(ctx, s.ID, store.LearnedVectors); err != nil {
		vectors = vectors.Repairable(finding.RepairUpdate, err, "")
	}
	out := []finding.Finding{index, vectors, svc.graph.Examine(ctx, s)}
	byModel, err := svc.examineModelVectors(ctx, s)
	if err != nil {
		return nil, err
	}
	if byModel != nil {
		out = append(out, *byModel)
	}
	for _, examine := range svc.added.Examiners {
		if f := examine(s); f != nil {
			out = append(out, *f)
		}
	}
	if _, faults := svc.home.Settings.Domains.RulesOf(s, svc.home.Parsers); len(faults) > 0 {
		f := finding.NoFault(finding.Domains, name, "")
		out = append(out, f.Failed(fmt.Errorf("%s: %s", s.Root, faults[0]), "what cannot be used does not count",
			contract.RunDocent("config", "lint", s.Root)))
	}
	files := finding.NoFault(finding.Files, name, "as indexed")
	if s.Host != "" {
		files.Text = "lie on " + s.Host + ", and are read and updated there"
		return append(out, files), nil
	}
	switch fresh, ch, err := svc.library.Freshness(ctx, s); {
	case err != nil:
		return nil, err
	case fresh == library.Missing:
		files = files.Failed(fmt.Errorf("its folder %s is not there", s.Root), "bring it back", contract.FolderGone(s.Ref))
	case ch != nil:
		files = files.Repairable(finding.RepairUpdate, fmt.Errorf("not up to date: %s", ch), "")
	}
	left, err := svc.leftOut(ctx, s)
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
func (svc *Service) leftOut(ctx context.Context, s store.Set) (string, error) {
	failures, err := svc.home.Catalog.Failures(ctx, s.ID)
	if err != nil {
		return "", err
	}
	// What an update does not even try: too large, not permitted.
	found, err := svc.home.ScanFiles(ctx, s)
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
	for _, w := range found.Warnings {
		names = append(names, fmt.Sprintf("%s (%s)", w.Path, w.Reason))
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
func (svc *Service) examineModelVectors(ctx context.Context, s store.Set) (*finding.Finding, error) {
	repair := finding.RepairUpdate
	f := finding.NoFault(finding.ModelVectors, s.Ref.String(), "")
	st, err := svc.vectors.ModelVectors(ctx, s)
	if err == nil && st != nil {
		err = svc.home.Indexes.VerifyVectors(ctx, s.ID, store.ModelVectors)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		f = f.Repairable(repair, err, "")
		return &f, nil
	}
	wanted, err := svc.vectors.Wanted(ctx, s)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case st == nil && err != nil:
		return nil, nil // the model servers are looked at below
	case st == nil:
		f.Text = "none yet by " + wanted.Engine
	default:
		f.Text = fmt.Sprintf("%s by %s, %s", plural.Count(st.Passages, "passage", "passages"), st.Engine,
			plural.Count(st.Dimension, "dimension", "dimensions"))
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
		repair = finding.RepairIndex
	case !st.Complete():
		what = plural.Count(st.Missing, "page has", "pages have") + " none yet"
	}
	if what != "" {
		f.OK = !svc.models.Required()
		f.Text += "; " + what
		f.Remedy, f.Repair = repair.Remedy(s.Ref.String()), repair
	}
	if r, err := svc.vectors.RoutingOf(ctx, s); err == nil && r.Others > 0 {
		f.Text += fmt.Sprintf("; %s of routes with another profile, whose vectors are by this model too",
			plural.Count(r.Others, "page is", "pages are"))
	}
	return &f, nil
}

// consistent compares the documents of the index with those of the catalog.
func (svc *Service) consistent(ctx context.Context, s store.Set) error {
	contents, err := svc.home.Indexes.Contents(ctx, s.ID)
	if err != nil {
		return err
	}
	indexed := contents.Documents
	known, err := svc.home.Corpus.Catalog.Files(ctx, s.ID)
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
		return fmt.Errorf("%d pages are not in the index and %d in it are not in the catalog (an update was interrupted)", missing,
			len(indexed))
	}
	return nil
}

// examineModels looks at the model servers. A server that is not there is no
// fault, since no model is needed; a configured model that is missing is one.
func (svc *Service) examineModels(ctx context.Context) ([]finding.Finding, error) {
	servers, err := svc.models.Servers()
	if err != nil {
		return []finding.Finding{finding.NoFault(finding.ModelServer, "", "").Failed(err, "give an address such as http://127.0.0.1:11434",
			contract.Configure("models.api_base", ""))}, nil
	}
	var out []finding.Finding
	for _, s := range servers {
		state := s.LookAtServer(ctx, svc.home.Dir)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if state.Err != nil {
			f := finding.NoFault(finding.ModelServer, "", "none: "+state.Error+"; none is needed")
			if svc.models.Required() {
				f = finding.NoFault(finding.ModelServer, "", "").Failed(errors.New(state.Error), "",
					contract.Change("engine", contract.EngineBuiltin).To("or do without:"))
			}
			out = append(out, f)
			continue
		}
		if s.IsRefused(svc.home.Dir) {
			f := finding.NoFault(finding.ModelServer, "", "the one at "+state.Address+" is not asked, as you said")
			f.Remedy = allowServer()
			out = append(out, f)
			continue
		}
		text := strings.TrimSpace(fmt.Sprintf("%s %s", state.Provider, state.Version)) + " at " + state.Address + ", " +
			plural.Count(len(state.Models), "model", "models")
		if !s.MayAsk(svc.home.Dir) {
			f := finding.NoFault(finding.ModelServer, "", text+"; nobody named it, so it is not asked")
			f.Remedy = allowServer()
			out = append(out, f)
			continue
		}
		out = append(out, finding.NoFault(finding.ModelServer, "", text))
		for _, n := range state.Needs {
			f, err := examineServer(s, ctx, n)
			if err != nil {
				return out, err
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// allowServer is the remedy of a server that is not asked.
func allowServer() *contract.Remedy { return contract.RunDocent("models", "allow").To("has it asked") }

// speedTime is how long a model may take to answer when it is measured: a cold
// one on a slow disk may take longer, and is reported as slow.
const speedTime = 30 * time.Second

func examineServer(s *vectors.ModelServer, ctx context.Context, n vectors.NeedState) (finding.Finding, error) {
	f := finding.NoFault(finding.Model, n.For, "")
	f.OK = false
	if n.Chosen == "" {
		pull := contract.RunDocent("models", "pull", n.Missing)
		if n.Origin == vectors.OriginDefault {
			f.OK, f.Text, f.Remedy = true, "none is there", pull.To("fetches one")
			return f, nil
		}
		return f.Failed(errors.New(n.Model+" is not there"), "", pull), nil
	}
	limited, cancel := context.WithTimeout(ctx, speedTime)
	defer cancel()
	got, err := s.Measure(limited, n.Need, n.Chosen)
	switch {
	case ctx.Err() != nil:
		return f, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		f.OK, f.Text = true, fmt.Sprintf("%s does not answer within %v; it may have to be loaded", n.Chosen, speedTime)
	case err != nil:
		f = f.Failed(err, "choose another in docent.toml", contract.RunDocent("models").To("lists them"))
	case n.Dimension > 0 && got.Dimension != n.Dimension:
		f.Text = fmt.Sprintf("%s gives vectors of %s, the profile says %d", n.Chosen,
			plural.Count(got.Dimension, "dimension", "dimensions"), n.Dimension)
		f.Mend = fmt.Sprintf("set dimension = %d in [embeddings.profiles.%s]", got.Dimension, n.For)
		f.Remedy = contract.Configure("embeddings.profiles."+n.For+".dimension", fmt.Sprint(got.Dimension))
	case n.Embeds():
		f.OK, f.Text = true, fmt.Sprintf("%s, %s, two texts in %v", n.Chosen, plural.Count(got.Dimension, "dimension", "dimensions"),
			got.First.Round(time.Millisecond))
	default:
		f.OK, f.Text = true, fmt.Sprintf("%s, the first word after %v, then %.0f tokens a second", n.Chosen,
			got.First.Round(time.Millisecond), got.Tokens)
	}
	return f, nil
}
