package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"docent/cmd/internal/dev/measure/questionset"
)

// questionRun is one run over the doc sets that questions are asked of.
type questionRun struct {
	workplace questionset.Workplace
	dir       string // of the manifest and the questions
	sets      []questionset.Set
	seed      string
	number    int
	draft     string
	more      bool
	together  bool
	misses    bool
	program   string
	out       string
	jobs      int
}

// measureQuestions works with the question sets over documentation of others:
//
//	measure questions lay            writes the files of the doc sets from stored mirrors
//	measure questions draw  -set S   prints sections drawn at random, for a writer
//	measure questions take  -set S -draft FILE   turns a draft into questions
//	measure questions check          compares the questions with the documentation
//	measure questions show           prints them with their sections, for a second reader
//	measure questions count          counts them by kind
//	measure questions score          asks them, and prints how often they are answered
func measureQuestions(ctx context.Context, args []string) error {
	verbs := map[string]func(*questionRun, context.Context) error{"lay": (*questionRun).lay, "draw": (*questionRun).draw,
		"take": (*questionRun).take, "check": (*questionRun).check, "show": (*questionRun).show,
		"count": (*questionRun).count, "score": (*questionRun).score}
	if len(args) == 0 || verbs[args[0]] == nil {
		return errors.New("usage: measure questions lay|draw|take|check|show|count|score [flags]")
	}
	var r questionRun
	flags := flag.NewFlagSet("measure questions "+args[0], flag.ExitOnError)
	flags.StringVar(&r.dir, "questions", "testdata/eval/questions", "folder with sets.tsv and the questions")
	flags.StringVar(&r.workplace.Mirrors, "mirrors", "../.mirror", "folder of bare repositories, OWNER+NAME/repo each")
	flags.StringVar(&r.workplace.Dir, "work", "../questions", "folder where doc sets are laid out and indexed")
	only := flags.String("set", "", "these doc sets only, separated by commas")
	split := flags.String("split", "", "the doc sets of this split only: "+strings.Join(questionset.Splits(), ", "))
	flags.StringVar(&r.seed, "seed", "docent", "of the draw")
	flags.IntVar(&r.number, "n", 60, "sections to draw")
	flags.StringVar(&r.draft, "draft", "", "the draft to take, see the writing rules")
	flags.BoolVar(&r.more, "more", false, "the draft's questions follow those that the doc set has")
	flags.BoolVar(&r.together, "together", false, "search all doc sets together, and not each alone")
	flags.BoolVar(&r.misses, "misses", false, "print the questions that are not answered")
	flags.StringVar(&r.program, "program", "", "ask this program: words with {set} and {question}, such as "+
		"\"docent ask --sections --set {set} -- {question}\"; its output is judged")
	flags.StringVar(&r.out, "out", "", "write the outcomes to this file, as JSON")
	flags.IntVar(&r.jobs, "jobs", 2, "doc sets asked at once")
	_ = flags.Parse(args[1:]) // it exits on an error
	sets, err := questionset.ReadSets(r.dir + "/sets.tsv")
	if err != nil {
		return err
	}
	wanted := strings.FieldsFunc(*only, func(c rune) bool { return c == ',' })
	for _, s := range sets {
		if (len(wanted) == 0 || slices.Contains(wanted, s.Name)) && (*split == "" || s.Split == *split) {
			r.sets = append(r.sets, s)
		}
	}
	if len(r.sets) == 0 {
		return errors.New("no doc set of sets.tsv fits -set and -split")
	}
	return verbs[args[0]](&r, ctx)
}

func (r *questionRun) lay(ctx context.Context) error {
	var faults []error
	for _, s := range r.sets {
		n, err := r.workplace.LayOut(ctx, s)
		faults = append(faults, err)
		if n > 0 {
			fmt.Fprintf(os.Stderr, "%-14s %5d files\n", s.Name, n)
		}
	}
	return errors.Join(faults...)
}

// open opens the home of one doc set.
func (r *questionRun) open(ctx context.Context, s questionset.Set) (*questionset.Library, error) {
	if _, err := r.workplace.LayOut(ctx, s); err != nil {
		return nil, err
	}
	return r.workplace.Open(ctx, s.Name, []questionset.Set{s})
}

func (r *questionRun) draw(ctx context.Context) error {
	return r.each(ctx, func(l *questionset.Library, s questionset.Set) error {
		return l.Draw(ctx, s, r.number, r.seed, os.Stdout)
	})
}

func (r *questionRun) take(ctx context.Context) error {
	if len(r.sets) != 1 || r.draft == "" {
		return errors.New("measure questions take needs -set with one doc set, and -draft")
	}
	return r.each(ctx, func(l *questionset.Library, s questionset.Set) error {
		n, err := l.Take(ctx, s, r.draft, r.dir, r.seed, r.more)
		if err == nil {
			fmt.Fprintf(os.Stderr, "%d questions of %s\n", n, s.Name)
		}
		return errors.Join(err, r.checkSet(ctx, l, s))
	})
}

func (r *questionRun) check(ctx context.Context) error {
	return r.each(ctx, func(l *questionset.Library, s questionset.Set) error { return r.checkSet(ctx, l, s) })
}

func (r *questionRun) show(ctx context.Context) error {
	return r.each(ctx, func(l *questionset.Library, s questionset.Set) error {
		questions, err := questionset.ReadQuestions(r.dir, s.Name)
		if err != nil {
			return err
		}
		return l.Show(ctx, s, questions, os.Stdout)
	})
}

// each opens the home of each doc set.
func (r *questionRun) each(ctx context.Context, do func(*questionset.Library, questionset.Set) error) error {
	for _, s := range r.sets {
		l, err := r.open(ctx, s)
		if err != nil {
			return err
		}
		if err := errors.Join(do(l, s), l.Close()); err != nil {
			return err
		}
	}
	return nil
}

// checkSet prints the findings of a doc set's questions, and fails on a fault.
func (r *questionRun) checkSet(ctx context.Context, l *questionset.Library, s questionset.Set) error {
	questions, err := questionset.ReadQuestions(r.dir, s.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	findings, err := l.Check(ctx, s, questions)
	faults := 0
	for _, f := range findings {
		word := "note "
		if f.Fault {
			word = "FAULT"
			faults++
		}
		fmt.Printf("%s %s: %s\n", word, f.ID, f.Text)
	}
	if err == nil && faults > 0 {
		err = fmt.Errorf("%s: %d faults in %d questions", s.Name, faults, len(questions))
	}
	return err
}

func (r *questionRun) count(context.Context) error {
	fmt.Printf("%-14s %-10s %5s %5s %5s %5s %9s %7s ", "set", "split", "n", "far", "near", "not-en", "no-heading", "second")
	for _, k := range questionset.Kinds() {
		fmt.Printf(" %7s", k)
	}
	fmt.Println()
	var total []questionset.Question
	print := func(name, split string, questions []questionset.Question) {
		c := questionset.CountQuestions(questions)
		fmt.Printf("%-14s %-10s %5d %5d %5d %6d %9.2f %7d ", name, split, c.Answerable, c.Far, c.Near, c.NotEnglish,
			float64(c.Wordless)/float64(max(1, c.English)), c.Second)
		for _, k := range questionset.Kinds() {
			fmt.Printf(" %7d", c.Kinds[k])
		}
		fmt.Println()
	}
	for _, s := range r.sets {
		questions, err := questionset.ReadQuestions(r.dir, s.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		print(s.Name, s.Split, questions)
		total = append(total, questions...)
	}
	print("all", "", total)
	return nil
}

func (r *questionRun) score(ctx context.Context) error {
	var asked []questionset.Set
	questions := map[string][]questionset.Question{}
	for _, s := range r.sets {
		qs, err := questionset.ReadQuestions(r.dir, s.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		asked, questions[s.Name] = append(asked, s), qs
	}
	if len(asked) == 0 {
		return errors.New("none of the doc sets has questions yet")
	}
	outcomes, err := r.ask(ctx, asked, questions)
	if err != nil {
		return err
	}
	var rows []questionset.Metrics
	for i, s := range asked {
		rows = append(rows, questionset.Measure(s, outcomes[i]))
	}
	questionset.Print(os.Stdout, rows)
	if r.misses {
		printMisses(outcomes)
	}
	if r.out != "" {
		return write(r.out, map[string]any{"sets": rows, "outcomes": outcomes})
	}
	return nil
}

// ask asks the questions of the doc sets, some sets at once.
func (r *questionRun) ask(ctx context.Context, asked []questionset.Set, questions map[string][]questionset.Question) (
	[][]questionset.Outcome, error) {
	outcomes, faults := make([][]questionset.Outcome, len(asked)), make([]error, len(asked))
	var shared *questionset.Asker
	if r.together && r.program == "" {
		l, err := r.openTogether(ctx)
		if err != nil {
			return nil, err
		}
		defer l.Close()
		if shared, err = l.Asker(ctx, asked[0], true); err != nil {
			return nil, err
		}
	}
	slots, done := make(chan struct{}, max(1, r.jobs)), make(chan int)
	for i, s := range asked {
		go func() {
			slots <- struct{}{}
			outcomes[i], faults[i] = r.askSet(ctx, shared, s, questions[s.Name])
			<-slots
			done <- i
		}()
	}
	for range asked {
		fmt.Fprintf(os.Stderr, "%s ", asked[<-done].Name)
	}
	fmt.Fprintln(os.Stderr)
	return outcomes, errors.Join(faults...)
}

// openTogether opens one home with all doc sets of the manifest.
func (r *questionRun) openTogether(ctx context.Context) (*questionset.Library, error) {
	sets, err := questionset.ReadSets(r.dir + "/sets.tsv")
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		if _, err := r.workplace.LayOut(ctx, s); err != nil {
			return nil, err
		}
	}
	return r.workplace.Open(ctx, "together", sets)
}

func (r *questionRun) askSet(ctx context.Context, shared *questionset.Asker, s questionset.Set, questions []questionset.Question) (
	out []questionset.Outcome, err error) {
	ask := func(q questionset.Question) (questionset.Outcome, error) {
		return questionset.AskProgram(ctx, r.program, s, q)
	}
	switch {
	case r.program != "":
	case shared != nil:
		a := shared.For(s)
		ask = func(q questionset.Question) (questionset.Outcome, error) { return a.Ask(ctx, q) }
	default:
		l, err := r.open(ctx, s)
		if err != nil {
			return nil, err
		}
		defer l.Close()
		a, err := l.Asker(ctx, s, false)
		if err != nil {
			return nil, err
		}
		ask = func(q questionset.Question) (questionset.Outcome, error) { return a.Ask(ctx, q) }
	}
	for _, q := range questions {
		o, err := ask(q)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// printMisses prints the questions that the block of sections does not answer, those of
// the best rank first.
func printMisses(outcomes [][]questionset.Outcome) {
	for _, of := range outcomes {
		of = slices.Clone(of)
		slices.SortStableFunc(of, func(a, b questionset.Outcome) int { return cmp.Compare(a.SectionRank, b.SectionRank) })
		for _, o := range of {
			switch {
			case o.Answerable() && !o.Blocks["sections"].Answered():
				fmt.Printf("MISS %s [%s] %q page %d section %d said %v: %s#%s\n", o.ID, o.Kind, o.Query, o.PageRank, o.SectionRank, o.Said,
					o.Doc, o.Anchor)
			case !o.Answerable() && !o.Said:
				fmt.Printf("NOT SAID %s [%s] %q\n", o.ID, o.Kind, o.Query)
			}
		}
	}
}
