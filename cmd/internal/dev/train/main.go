// Command train learns the reranker's weights from the development sets and
// writes them with their provenance (make train). It prints what the weights are
// worth on sets that they were not learned from: each group of sets that share
// documents is held out once.
//
// It refuses to write weights that are worse than the ones before, unless it is
// told to.
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
	"os/signal"
	"slices"
	"strings"

	"docent/cmd/internal/dev/devsets"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
	"docent/pipeline/home"
	"docent/pipeline/rerank"
	"docent/pipeline/rerank/train"
)

// perSet is how many queries of a set are learned from, evenly thinned.
const perSet = 300

type trainer struct {
	data   devsets.Data
	out    string
	cache  string
	force  bool
	groups map[string][]train.Group
	sets   []devsets.Set
	drop   []string
	only   []string
	opt    train.Options
}

func main() {
	var t trainer
	flag.StringVar(&t.data.Dir, "data", "", "folder of development data: corpora, queries, ir")
	flag.StringVar(&t.data.Manual, "manual", "cmd/docent/manual", "the manual's pages")
	flag.StringVar(&t.data.Golden, "golden", "testdata/eval/manual.jsonl", "the golden set over the manual")
	flag.StringVar(&t.out, "o", "pipeline/rerank/model.json", "the weights file")
	flag.StringVar(&t.cache, "cache", "", "keep the features in this file, and take them from there")
	flag.BoolVar(&t.force, "force", false, "write the weights although they are worse")
	flag.IntVar(&t.opt.Epochs, "epochs", 0, "passes over the questions (0: the default)")
	flag.Float64Var(&t.opt.Rate, "rate", 0, "step size (0: the default)")
	flag.Float64Var(&t.opt.L2, "l2", 0, "weight decay (0: the default)")
	only := flag.String("only", "", "these sets only, parted by commas; writes no weights")
	drop := flag.String("drop", "", "features that are left out, parted by commas")
	flag.Parse()
	if *drop != "" {
		t.drop = strings.Split(*drop, ",")
	}
	if *only != "" {
		t.only = strings.Split(*only, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := t.run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func (t *trainer) run(ctx context.Context) error {
	if err := t.collect(ctx); err != nil {
		return err
	}
	frozen := make([]bool, len(rerank.FeatureNames()))
	for i, n := range rerank.FeatureNames() {
		frozen[i] = slices.Contains(t.drop, n)
	}
	opt := t.opt
	opt.Frozen, opt.Monotone = frozen, rerank.Monotone()
	before, err := os.ReadFile(t.out)
	if err != nil {
		return err
	}
	old, err := rerank.ReadModel(before)
	if err != nil {
		fmt.Fprintln(os.Stderr, "train: the weights so far:", err)
	}
	var heldOut, oldMean, firstMean float64
	var secFirst, secHeld, secN float64
	firstStage := first()
	figures := map[string]float64{}
	n := 0.0
	fmt.Printf("%-20s %8s %8s %10s\n", "nDCG@10, pages", "first", "so far", "held out")
	done := map[string]bool{}
	for _, s := range t.sets {
		if done[s.Group] {
			continue
		}
		done[s.Group] = true
		var learn, docs []train.Group
		for _, o := range t.sets {
			if o.Group != s.Group && !t.onlyMeasured(o) {
				learn = append(learn, t.groups[o.Name]...)
				if documentation(o) {
					docs = append(docs, t.groups[o.Name]...)
				}
			}
		}
		m, err := train.Rank(learn, opt)
		if err != nil {
			return err
		}
		m = calibrated(m, docs)
		for _, o := range t.sets {
			if o.Group != s.Group || o.Train {
				continue
			}
			gs := t.groups[o.Name]
			first := train.NDCG(gs, firstStage)
			prev := first
			if old != nil {
				prev = train.NDCG(gs, old.Score)
			}
			held := train.NDCG(gs, m.Score)
			fmt.Printf("%-20s %8.4f %8.4f %10.4f", o.Name, first, prev, held)
			if f, k := train.MRR(gs, firstStage); k >= 10 {
				h, _ := train.MRR(gs, m.Score)
				fmt.Printf("   sections, MRR@10 %.4f %.4f", f, h)
				secFirst, secHeld, secN = secFirst+f, secHeld+h, secN+1
			}
			fmt.Println()
			figures[o.Name] = math.Round(held*1e4) / 1e4
			heldOut, oldMean, firstMean, n = heldOut+held, oldMean+prev, firstMean+first, n+1
		}
	}
	fmt.Printf("%-20s %8.4f %8.4f %10.4f   sections, MRR@10 %.4f %.4f\n", "mean", firstMean/n, oldMean/n, heldOut/n, secFirst/max(secN, 1), secHeld/max(secN, 1))
	if t.only != nil {
		return nil
	}
	var all, docs []train.Group
	var names []string
	for _, s := range t.sets {
		if t.onlyMeasured(s) {
			continue
		}
		all = append(all, t.groups[s.Name]...)
		names = append(names, s.Name)
		if documentation(s) {
			docs = append(docs, t.groups[s.Name]...)
		}
	}
	m, err := train.Rank(all, opt)
	if err != nil {
		return err
	}
	m = train.Threshold(calibrated(m, docs), docs, contract.DefaultThreshold)
	t.printThreshold(m)
	answer, below, err := t.answers(m)
	if err != nil {
		return err
	}
	if !t.force && heldOut < firstMean {
		return errors.New("held out, the weights are worse than no reranking; they are not written (-force writes them)")
	}
	return t.write(m, answer, below, names, figures)
}

// nounTitleLeast is the least that a page whose title is what the question is
// about gains by that. Link texts and names of parameters, which most of the
// sets are, do not teach it; "how do I create a hook" needs it, and is answered by
// pages on creating other things without. It costs .002 nDCG@10 at most on any
// set of documentation.
const nounTitleLeast = 0.3

// isHeadingLeast is the least that a heading gains by being the question word for
// word: who types a heading as it stands wants what stands under it. So few
// questions of the sets do that little is learned of it.
const isHeadingLeast = 4

// calibrated scales a model to probabilities on documentation.
func calibrated(m train.Linear, docs []train.Group) train.Linear {
	m = train.Calibrate(m, docs)
	for name, least := range map[string]float64{"noun_title": nounTitleLeast, "is_heading": isHeadingLeast} {
		i := slices.Index(rerank.FeatureNames(), name)
		m.Weights[i] = max(m.Weights[i], least)
	}
	return m
}

// documentation says whether a set asks of documentation, not of a judged
// collection.
func documentation(s devsets.Set) bool {
	return s.Group == devsets.Manual || strings.Contains(s.Group, "-docs") || strings.Contains(s.Group, "rust-")
}

// onlyMeasured are sets that nothing is learned from: what a test part is, and
// other languages, whose features mean less.
func (t *trainer) onlyMeasured(s devsets.Set) bool {
	return s.Name == "scifact" || s.Name == "cmrc2018-dev"
}

// first is the order of the first stage.
func first() func(x []float64) float64 {
	i := slices.Index(rerank.FeatureNames(), "first_rank")
	return func(x []float64) float64 { return x[i] }
}

func (t *trainer) collect(ctx context.Context) error {
	t.groups = map[string][]train.Group{}
	if raw, err := os.ReadFile(t.cache); err == nil && t.cache != "" {
		if err := json.Unmarshal(raw, &t.groups); err != nil {
			return err
		}
	}
	byGroup := map[string][]devsets.Set{}
	var order []string
	for _, s := range devsets.All() {
		if t.only != nil && !slices.Contains(t.only, s.Name) {
			continue
		}
		if byGroup[s.Group] == nil {
			order = append(order, s.Group)
		}
		byGroup[s.Group] = append(byGroup[s.Group], s)
	}
	for _, g := range order {
		if err := t.group(ctx, byGroup[g]); err != nil {
			return err
		}
	}
	if t.cache == "" {
		return nil
	}
	raw, err := json.Marshal(t.groups)
	if err != nil {
		return err
	}
	return os.WriteFile(t.cache, raw, 0o600)
}

func (t *trainer) group(ctx context.Context, sets []devsets.Set) (err error) {
	missing := slices.DeleteFunc(slices.Clone(sets), func(s devsets.Set) bool { return t.groups[s.Name] != nil })
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
		most := 1
		for _, q := range queries {
			for _, g := range q.Documents {
				most = max(most, g)
			}
		}
		for _, q := range queries {
			cands, err := o.Candidates(ctx, q.Text, contract.DefaultRerankPolicy().CandidateLimit)
			if err != nil {
				return fmt.Errorf("%s: %q: %w", s.Name, q.Text, err)
			}
			t.groups[s.Name] = append(t.groups[s.Name], grade(s.Name, q, cands, most))
		}
		fmt.Fprintf(os.Stderr, "%-20s %d queries\n", s.Name, len(queries))
		t.sets = append(t.sets, s)
	}
	return nil
}

// otherSection is what another section of the right document is worth, where the
// section is known. Held out, .15 gives sections .753 MRR@10, .5 gives .736, and
// pages the same.
const otherSection = 0.15

// grade makes a group: a candidate of a relevant document counts by the
// document's grade.
func grade(set string, q eval.Query, cands []rerank.Candidate, most int) train.Group {
	g := train.Group{Set: set}
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
		y := float64(q.Documents[c.FilePath]) / float64(most)
		if y > 0 && len(q.Sections) > 0 && !q.HasSection(eval.Hit{Doc: c.FilePath, Heading: c.Heading, Anchor: c.Anchor}) {
			y *= otherSection
		}
		g.X, g.Grade, g.Doc = append(g.X, c.Values), append(g.Grade, y), append(g.Doc, docs[c.FilePath])
	}
	return g
}

// printThreshold says what a threshold keeps, over the sets of documentation.
func (t *trainer) printThreshold(m train.Linear) {
	fmt.Printf("\n%-20s %9s %9s %9s   (rerank_sim >= %.2f)\n", "kept headings", "precision", "recall", "a query", contract.DefaultThreshold)
	for _, s := range t.sets {
		var kept, right, relevant float64
		for _, g := range t.groups[s.Name] {
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
		fmt.Printf("%-20s %9.3f %9.3f %9.2f\n", s.Name, right/max(kept, 1), right/max(relevant, 1), kept/float64(max(1, len(t.groups[s.Name]))))
	}
}

// falseAlarms is the share of the answered questions on some documentation that
// may be called unanswered.
const falseAlarms = 0.05

// answers learns whether a question is answered at all, from questions on
// documentation as they are and with all their pages taken away. It prints what
// that is worth on sets that it was not learned from.
func (t *trainer) answers(m train.Linear) (train.Linear, float64, error) {
	type one struct {
		group string
		x     []float64
		y     bool
	}
	var all []one
	var groups []string
	for _, s := range t.sets {
		if !documentation(s) {
			continue
		}
		if !slices.Contains(groups, s.Group) {
			groups = append(groups, s.Group)
		}
		for _, g := range t.groups[s.Name] {
			var rest [][]float64
			for i, x := range g.X {
				if g.DocGrade[g.Doc[i]] == 0 {
					rest = append(rest, x)
				}
			}
			if len(rest) == len(g.X) || len(rest) == 0 {
				continue // its pages were not among the candidates, or alone
			}
			all = append(all, one{s.Group, rerank.Evidence(g.X, m.Score), true}, one{s.Group, rerank.Evidence(rest, m.Score), false})
		}
	}
	learn := func(without string) (train.Linear, error) {
		var x [][]float64
		var y []bool
		for _, o := range all {
			if o.group != without {
				x, y = append(x, o.x), append(y, o.y)
			}
		}
		return train.Logistic(x, y)
	}
	probability := func(l train.Linear, x []float64) float64 { return 1 / (1 + math.Exp(-l.Score(x))) }
	// Under which probability at most falseAlarms of the answered questions of any
	// documentation lie.
	cut := func(l train.Linear, without string) float64 {
		answered := map[string][]float64{}
		for _, o := range all {
			if o.y && o.group != without {
				answered[o.group] = append(answered[o.group], probability(l, o.x))
			}
		}
		below := 1.0
		for _, ps := range answered {
			slices.Sort(ps)
			below = min(below, ps[int(falseAlarms*float64(len(ps)))])
		}
		return below
	}
	fmt.Printf("\n%-20s %9s %9s %9s %9s   (questions with their pages, and without; held out)\n", "is it answered?", "questions", "AUC", "alarms", "false")
	for _, g := range groups {
		l, err := learn(g)
		if err != nil {
			return train.Linear{}, 0, err
		}
		below := cut(l, g)
		var yes, no []float64
		var auc, alarms, wrong float64
		for _, o := range all {
			if o.group != g {
				continue
			}
			p := probability(l, o.x)
			alarm := p < below && !rerank.Reaches(o.x)
			switch {
			case o.y:
				yes = append(yes, p)
				if alarm {
					wrong++
				}
			default:
				no = append(no, p)
				if alarm {
					alarms++
				}
			}
		}
		for _, n := range no {
			for _, y := range yes {
				if y > n {
					auc++
				} else if y == n {
					auc += .5
				}
			}
		}
		k := float64(len(yes))
		fmt.Printf("%-20s %9d %9.3f %9.3f %9.3f\n", g, len(yes), auc/(k*k), alarms/k, wrong/k)
	}
	l, err := learn("")
	if err != nil {
		return train.Linear{}, 0, err
	}
	return l, cut(l, ""), nil
}

func (t *trainer) write(m, answer train.Linear, below float64, names []string, figures map[string]float64) error {
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
			"made_by": "make train", "program": "docent " + home.Version, "method": "linear LambdaRank; scaled by logistic regression, and moved so that the default threshold keeps what F2 keeps, on the documentation sets",
			"learned_from": names, "held_out_ndcg@10": figures,
		},
	}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(t.out, append(raw, '\n'), 0o644)
}
