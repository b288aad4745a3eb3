package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"docent/cmd/internal/dev/measure/devsets"
	"docent/cmd/internal/dev/measure/lambdarank"
	"docent/cmd/internal/dev/measure/questionset"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/service/home"
)

// perSet is the largest number of queries of a set to learn from. Larger sets are
// thinned evenly.
const perSet = 300

// trainer is one training run.
type trainer struct {
	data     devsets.Data
	out      string // the weights file
	cache    string // the file of cached examples; "": none
	force    bool
	keep     bool                          // keeps the ranking weights
	examples map[string][]lambdarank.Group // by name of the set; one for each query
	sets     []devsets.Set                 // the sets that have examples
	drop     []string                      // names of features that are not used
	only     []string                      // names of the sets to use; nil: all
	opt      lambdarank.Options

	questions string // the folder of the question sets over documentation of others
	workplace questionset.Workplace
	asked     []questionset.Set            // those that have examples
	share     float64                      // of a question of them
	held      map[string]lambdarank.Linear // by name of a set: learned without it
	moved     float64                      // what the models' bias was moved by
}

// trainReranker learns the reranker's weights from the development sets and writes them
// with their provenance (make train). It prints how good the weights are on unseen
// documents: each group of sets that share documents is held out once. It does not write
// weights that rank held-out sets worse than no reranking, unless -force is given.
func trainReranker(ctx context.Context, args []string) error {
	var t trainer
	flags := flag.NewFlagSet("measure train", flag.ExitOnError)
	t.data.AddFlags(flags)
	flags.StringVar(&t.out, "o", "pipeline/phase/rerank/model.json", "the weights file")
	flags.StringVar(&t.cache, "cache", "", "keep the features in this file, and take them from there")
	flags.BoolVar(&t.force, "force", false, "write the weights although they are worse")
	flags.BoolVar(&t.keep, "keep", false, "keep the ranking weights; learn only whether a question is answered")
	flags.IntVar(&t.opt.Epochs, "epochs", 0, "passes over the questions (0: the default)")
	flags.Float64Var(&t.opt.Rate, "rate", 0, "step size (0: the default)")
	flags.Float64Var(&t.opt.L2, "l2", 0, "weight decay (0: the default)")
	flags.StringVar(&t.questions, "questions", "testdata/eval/questions", "folder with sets.tsv and the questions")
	flags.StringVar(&t.workplace.Mirrors, "mirrors", "../.mirror", "folder of bare repositories, OWNER+NAME/repo each")
	flags.StringVar(&t.workplace.Dir, "work", "../questions", "folder where doc sets are laid out and indexed")
	flags.Float64Var(&t.share, "share", questionShare, "what a question over documentation of others weighs")
	only := flags.String("only", "", "these sets only, separated by commas; writes no weights")
	drop := flags.String("drop", "", "features that are left out, separated by commas")
	_ = flags.Parse(args) // it exits on an error
	if *drop != "" {
		t.drop = strings.Split(*drop, ",")
	}
	if *only != "" {
		t.only = strings.Split(*only, ",")
	}
	return t.run(ctx)
}

// run trains, prints the metrics and writes the weights.
func (t *trainer) run(ctx context.Context) error {
	if err := t.collect(ctx); err != nil {
		return err
	}
	frozen := make([]bool, len(rerank.FeatureNames()))
	for i, n := range rerank.FeatureNames() {
		frozen[i] = slices.Contains(t.drop, n)
	}
	t.opt.Frozen, t.opt.Monotone = frozen, rerank.Monotone()
	before, err := os.ReadFile(t.out)
	if err != nil {
		return err
	}
	old, err := rerank.ReadModel(before)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure: the weights so far:", err)
	}
	soFar := firstStageScore()
	if old != nil {
		soFar = old.ScoreOf
	}
	if err := t.printQuestions(soFar); err != nil {
		return err
	}
	if t.keep && old != nil {
		return t.relearn(old)
	}
	h, err := t.holdOut(old)
	if err != nil || t.only != nil {
		return err
	}
	all, docs, names := t.learnFrom("")
	m, err := lambdarank.Rank(all, t.opt)
	if err != nil {
		return err
	}
	if m, err = t.anchored(calibrated(m, docs)); err != nil {
		return err
	}
	t.printThreshold(m)
	answer, below, err := t.answers(m)
	if err != nil {
		return err
	}
	if !t.force && h.worse {
		return errors.New("held out, the weights are worse than no reranking; they are not written (-force writes them)")
	}
	return t.write(m, answer, below, names, h.ndcg)
}

// relearn learns only whether a question is answered, and adds that to the existing ranking
// weights. The questions are judged by weights that were learned without their documentation,
// as when all is learned: those that know them are too sure.
func (t *trainer) relearn(old *rerank.Model) error {
	if _, err := t.holdOut(old); err != nil || t.only != nil {
		return err
	}
	m := lambdarank.Linear{Bias: old.Bias}
	for _, n := range rerank.FeatureNames() {
		m.Weights = append(m.Weights, old.Weights[n])
	}
	if _, err := t.anchored(m); err != nil { // it moves the scale of the weights that were held out
		return err
	}
	answer, below, err := t.answers(m)
	if err != nil {
		return err
	}
	var kept struct {
		Provenance struct {
			From []string           `json:"learned_from"`
			NDCG map[string]float64 `json:"held_out_ndcg@10"`
		} `json:"provenance"`
	}
	raw, err := os.ReadFile(t.out)
	if err == nil {
		err = json.Unmarshal(raw, &kept)
	}
	if err != nil {
		return err
	}
	return t.write(m, answer, below, kept.Provenance.From, kept.Provenance.NDCG)
}

// heldOut is the result of the runs that hold a group out.
type heldOut struct {
	ndcg  map[string]float64 // nDCG@10 by name of the set
	worse bool               // worse on average than the first stage alone
}

// holdOut trains once without each group, and measures and prints the metrics of
// that group's sets. old has the weights so far; nil: none.
func (t *trainer) holdOut(old *rerank.Model) (heldOut, error) {
	out := heldOut{ndcg: map[string]float64{}}
	var newSum, oldSum, firstSum, n float64
	var sectionFirst, sectionNew, sectionN float64
	firstStage := firstStageScore()
	fmt.Printf("%-20s %8s %8s %10s\n", "nDCG@10, pages", "first", "so far", "held out")
	done := map[string]bool{}
	for _, s := range t.sets {
		if done[s.Group] {
			continue
		}
		done[s.Group] = true
		learn, docs, _ := t.learnFrom(s.Group)
		m, err := lambdarank.Rank(learn, t.opt)
		if err != nil {
			return out, err
		}
		m = calibrated(m, docs)
		for _, o := range t.sets {
			if o.Group != s.Group || o.Train {
				continue
			}
			examples := t.examples[o.Name]
			first := lambdarank.NDCG(examples, firstStage)
			prev := first
			if old != nil {
				prev = lambdarank.NDCG(examples, old.ScoreOf)
			}
			held := lambdarank.NDCG(examples, m.Score)
			fmt.Printf("%-20s %8.4f %8.4f %10.4f", o.Name, first, prev, held)
			if f, k := lambdarank.MRR(examples, firstStage); k >= 10 {
				h, _ := lambdarank.MRR(examples, m.Score)
				fmt.Printf("   sections, MRR@10 %.4f %.4f", f, h)
				sectionFirst, sectionNew, sectionN = sectionFirst+f, sectionNew+h, sectionN+1
			}
			fmt.Println()
			out.ndcg[o.Name] = math.Round(held*1e4) / 1e4
			newSum, oldSum, firstSum, n = newSum+held, oldSum+prev, firstSum+first, n+1
		}
	}
	for _, g := range askedGroups() {
		examples := t.examples[answeredBy+g]
		learn, docs, _ := t.learnFrom(g)
		if len(examples) == 0 {
			continue
		}
		m, err := lambdarank.Rank(learn, t.opt)
		if err != nil {
			return out, err
		}
		m = calibrated(m, docs)
		prev := lambdarank.NDCG(examples, firstStage)
		if old != nil {
			prev = lambdarank.NDCG(examples, old.ScoreOf)
		}
		held := lambdarank.NDCG(examples, m.Score)
		fmt.Printf("%-20s %8.4f %8.4f %10.4f\n", g+"-answers", lambdarank.NDCG(examples, firstStage), prev, held)
		out.ndcg[g+"-answers"] = math.Round(held*1e4) / 1e4
	}
	fmt.Printf("%-20s %8.4f %8.4f %10.4f   sections, MRR@10 %.4f %.4f\n", "mean", firstSum/n, oldSum/n, newSum/n,
		sectionFirst/max(sectionN, 1), sectionNew/max(sectionN, 1))
	out.worse = newSum < firstSum
	return out, nil
}

// learnFrom returns the examples to learn from, without a group, and those of them
// that are about documentation and have one right page. names are the sets of the
// examples.
func (t *trainer) learnFrom(without string) (all, docs []lambdarank.Group, names []string) {
	for _, s := range t.sets {
		if s.Group == without || documentation(s) && product(s.Group) == product(without) || evaluateOnly(s) {
			continue
		}
		for _, e := range t.examples[s.Name] {
			e.Weight = shareOf(s.Name)
			all = append(all, e)
		}
		names = append(names, s.Name)
		if documentation(s) {
			docs = append(docs, t.examples[s.Name]...)
		}
	}
	for _, g := range askedGroups() {
		if product(g) == product(without) {
			continue
		}
		for _, e := range t.examples[answeredBy+g] {
			e.Weight = askedShare
			all = append(all, e)
		}
		names = append(names, g+"-answers")
	}
	questions, asked := t.learnQuestions(strings.TrimPrefix(without, questionsOn))
	return append(all, questions...), docs, append(names, asked...)
}

// shareOf is what a question of a development set weighs relative to one of another: twice
// as much where the questions are texts of links, and where they are in another language
// than the pages, each. Without it these sets lose up to .03 nDCG@10 to the questions that
// people ask.
func shareOf(set string) float64 {
	share := 1.0
	if strings.HasSuffix(set, "-links") {
		share *= 2
	}
	if strings.Contains(set, "-zh-en-") {
		share *= 2
	}
	return share
}

// minNounTitle is the minimum weight of the feature noun_title: the page's title is
// the topic of the question. Most sets consist of link texts and parameter names,
// which do not teach this weight. Without it "how do I create a hook" finds pages
// about creating other things. It costs at most .002 nDCG@10 on any set of
// documentation.
const minNounTitle = 0.3

// minIsHeading is the minimum weight of the feature is_heading: the question is the
// heading, word for word. A user who types a heading wants its section, but the
// sets have too few such questions to learn this.
const minIsHeading = 4

// calibrated scales a model so that its scores are probabilities on documentation,
// and applies the minimum weights.
func calibrated(m lambdarank.Linear, docs []lambdarank.Group) lambdarank.Linear {
	m = lambdarank.Calibrate(m, docs)
	for name, least := range map[string]float64{"noun_title": minNounTitle, "is_heading": minIsHeading} {
		i := slices.Index(rerank.FeatureNames(), name)
		m.Weights[i] = max(m.Weights[i], least)
	}
	return m
}

// documentation reports whether a set is about documentation, not a judged
// collection.
func documentation(s devsets.Set) bool {
	return s.Group == devsets.Manual || strings.Contains(s.Group, "-docs") || strings.Contains(s.Group, "rust-")
}

// evaluateOnly reports whether a set is excluded from training: the test part of a
// collection, and a set in another language, where the features mean less.
func evaluateOnly(s devsets.Set) bool {
	return s.Name == "scifact" || s.Name == "cmrc2018-dev" || s.Own
}

// firstStageScore scores candidates by their rank in the first stage.
func firstStageScore() func(x []float64) float64 {
	i := slices.Index(rerank.FeatureNames(), "first_rank")
	return func(x []float64) float64 { return x[i] }
}

// collect computes the examples of all sets, or reads them from the cache.
func (t *trainer) collect(ctx context.Context) error {
	t.examples = map[string][]lambdarank.Group{}
	if raw, err := os.ReadFile(t.cache); err == nil && t.cache != "" {
		if err := json.Unmarshal(raw, &t.examples); err != nil {
			return err
		}
	}
	for _, sets := range devsets.Groups(func(s devsets.Set) bool { return t.only == nil || slices.Contains(t.only, s.Name) }) {
		if err := t.collectGroup(ctx, sets); err != nil {
			return err
		}
	}
	{
		if err := errors.Join(t.collectAsked(ctx), t.collectQuestions(ctx)); err != nil {
			return err
		}
	}
	if t.cache == "" {
		return nil
	}
	raw, err := json.Marshal(t.examples)
	if err != nil {
		return err
	}
	return os.WriteFile(t.cache, raw, 0o600)
}

// collectGroup computes the examples of sets that share documents.
func (t *trainer) collectGroup(ctx context.Context, sets []devsets.Set) (err error) {
	missing := slices.DeleteFunc(slices.Clone(sets), func(s devsets.Set) bool { return t.examples[s.Name] != nil })
	if len(missing) == 0 {
		t.sets = append(t.sets, sets...)
		return nil
	}
	o, err := t.data.Open(ctx, sets)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(os.Stderr, "train: %s is not there\n", sets[0].Group)
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	for _, s := range sets {
		queries := o.Queries[s.Name]
		if n := len(queries); n > perSet {
			thin := make([]eval.Query, perSet)
			for i := range thin {
				thin[i] = queries[i*n/perSet]
			}
			queries = thin
		}
		maxGrade := 1
		for _, q := range queries {
			for _, g := range q.Documents {
				maxGrade = max(maxGrade, g)
			}
		}
		for _, q := range queries {
			cands, err := o.Candidates(ctx, q.Text, contract.DefaultRerankPolicy().CandidateLimit)
			if err != nil {
				return fmt.Errorf("%s: %q: %w", s.Name, q.Text, err)
			}
			t.examples[s.Name] = append(t.examples[s.Name], grade(s.Name, q, cands, maxGrade))
		}
		fmt.Fprintf(os.Stderr, "%-20s %d queries\n", s.Name, len(queries))
		t.sets = append(t.sets, s)
	}
	return nil
}

// otherSection is the relevance of another section of the right document, if the
// relevant section is known. On held-out sets .15 gives an MRR@10 of .753 for
// sections and .5 gives .736; the metrics for pages are the same.
const otherSection = 0.15

// grade makes the training example of a query. The relevance of a candidate is the
// grade of its document divided by maxGrade.
func grade(set string, q eval.Query, cands []rerank.Candidate, maxGrade int) lambdarank.Group {
	g := lambdarank.Group{Set: set}
	docs := map[string]int{}
	for _, grade := range q.Documents {
		g.Relevant = append(g.Relevant, grade)
	}
	slices.Sort(g.Relevant)
	for _, c := range cands {
		if q.Documents[c.FilePath] == 0 && slices.Contains(q.Except, c.FilePath) {
			continue
		}
		if _, ok := docs[c.FilePath]; !ok {
			docs[c.FilePath] = len(docs)
			g.DocGrade = append(g.DocGrade, q.Documents[c.FilePath])
		}
		y := float64(q.Documents[c.FilePath]) / float64(maxGrade)
		if y > 0 && len(q.Sections) > 0 && !q.HasSection(eval.Hit{Doc: c.FilePath, Heading: c.Heading, Anchor: c.Anchor}) {
			y *= otherSection
		}
		g.X, g.Grade, g.Doc = append(g.X, c.Values), append(g.Grade, y), append(g.Doc, docs[c.FilePath])
	}
	return g
}

// printThreshold prints the precision and recall of the headings that the default
// threshold keeps.
func (t *trainer) printThreshold(m lambdarank.Linear) {
	fmt.Printf("\n%-20s %9s %9s %9s   (rerank_sim >= %.2f)\n", "kept headings", "precision", "recall", "a query", contract.DefaultThreshold)
	for _, s := range t.sets {
		var kept, right, relevant float64
		for _, g := range t.examples[s.Name] {
			for i, x := range g.X {
				if g.Grade[i] > 0 {
					relevant++
				}
				if 1/(1+math.Exp(-m.Score(x))) >= contract.DefaultThreshold {
					kept++
					if g.Grade[i] > 0 {
						right++
					}
				}
			}
		}
		fmt.Printf("%-20s %9.3f %9.3f %9.2f\n", s.Name, right/max(kept, 1), right/max(relevant, 1),
			kept/float64(max(1, len(t.examples[s.Name]))))
	}
}

// write writes the weights file.
func (t *trainer) write(m, answer lambdarank.Linear, below float64, names []string, figures map[string]float64) error {
	round := func(x float64) float64 { return math.Round(x*1e4) / 1e4 }
	weights := map[string]float64{}
	for i, n := range rerank.FeatureNames() {
		if w := round(m.Weights[i]); w != 0 {
			weights[n] = w
		}
	}
	evidence := map[string]float64{}
	for i, n := range rerank.EvidenceNames() {
		evidence[n] = round(answer.Weights[i])
	}
	raw, err := json.MarshalIndent(map[string]any{
		"version": rerank.ModelVersion, "bias": round(m.Bias), "weights": weights,
		"answer": map[string]any{"bias": round(answer.Bias), "weights": evidence, "below": round(below)},
		"provenance": map[string]any{
			"made_by": "make train", "program": "docent " + home.Version,
			"method": fmt.Sprintf("linear LambdaRank; scaled by logistic regression on the documentation sets, and moved so that the "+
				"default threshold is the probability that one of the first %d sections answers, on the question sets", firstSections),
			"learned_from": names, "held_out_ndcg@10": figures,
		},
	}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(t.out, append(raw, '\n'), 0o644)
}
