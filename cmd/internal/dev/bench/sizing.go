//go:build unix

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"docent/cmd/internal/dev/served"
	"docent/store/weaviate/weaviatetest"
)

// sizing holds the flags of measuring doc sets whose vocabulary grows.
type sizing struct {
	weaviate bool
	asked    int
}

func (s *sizing) flags() {
	flag.BoolVar(&s.weaviate, "weaviate", false,
		"sizing: indexes in a Weaviate of one node, which is started; default: in the home's folder")
	flag.IntVar(&s.asked, "asked", 300, "sizing: how many questions a server is asked")
}

// sizingFigures are the figures of a doc set of one size at one place of the indexes.
type sizingFigures struct {
	Place    string     `json:"place"` // folder, or Weaviate
	Sections int        `json:"sections"`
	Pages    int        `json:"pages"`
	Bytes    int64      `json:"bytes"` // of the sources
	Words    int        `json:"words"` // different ones
	Add      operation  `json:"add"`
	Disk     int64      `json:"disk"` // bytes in the home
	OnePage  operation  `json:"update_one_page_changed"`
	Server   serverUse  `json:"server"`
	Engine   *engineUse `json:"engine,omitempty"`
}

// serverUse is what docent serve took for questions, one at a time.
type serverUse struct {
	Half      float64 `json:"p50_ms"`
	Most      float64 `json:"p95_ms"`
	Processor float64 `json:"processor_ms"` // each
	Memory    int64   `json:"memory_mb"`    // at its peak
}

// engineUse is what the Weaviate took until all was added, and after the questions.
type engineUse struct {
	Processor float64 `json:"add_processor_s"`
	Asked     float64 `json:"question_processor_ms"`
	Memory    int64   `json:"memory_mb"` // at its peak
	Disk      int64   `json:"disk"`
}

// rate is the sections that were added in a second of the processors' time, the engine's too: other
// programs of the machine hardly change it.
func (f sizingFigures) rate() float64 {
	took := f.Add.Processor
	if f.Engine != nil {
		took += f.Engine.Processor
	}
	return float64(f.Sections) / took
}

// row is the line of the manual's table of its place.
func (f sizingFigures) row() string {
	disk, engine, asked := f.Disk, "", fmt.Sprintf("%.0f ms", f.Server.Processor)
	if e := f.Engine; e != nil {
		disk += e.Disk
		engine = fmt.Sprintf(" %.0f s, %d MB |", e.Processor, e.Memory)
		asked += fmt.Sprintf(" and %.0f ms", e.Asked)
	}
	return fmt.Sprintf("| %s | %s | %s |%s %.0f | %.1f KB | %s | %s | %.0f, %.0f ms | %d MB |", inGroups(f.Sections), inGroups(f.Words),
		f.Add, engine, f.rate(), float64(disk)/float64(f.Sections)/1000, f.OnePage, asked, f.Server.Half, f.Server.Most, f.Server.Memory)
}

// measureSizing measures doc sets whose vocabulary grows as that of a text does, each in a home of its
// own, for the manual's page on sizes.
func (b *bench) measureSizing(ctx context.Context) error {
	folders, err := b.folders()
	if err != nil {
		return err
	}
	questions, err := b.readQuestions(b.queries)
	if err != nil {
		return err
	}
	var measured []sizingFigures
	for text := range strings.SplitSeq(b.sizes.copies, ",") {
		copies, err := strconv.Atoi(text)
		if err != nil || copies < 1 {
			return fmt.Errorf("-sizes: %q is no number of copies", text)
		}
		f, err := b.measureGrown(ctx, folders[0], copies, questions)
		if err != nil {
			return err
		}
		fmt.Printf("%s\n", f.row())
		measured = append(measured, f)
	}
	if b.sizes.figures == "" {
		return nil
	}
	return putFigures(b.sizes.figures, measured)
}

// measureGrown measures a doc set of some copies of a folder.
func (b *bench) measureGrown(ctx context.Context, folder string, copies int, questions []string) (f sizingFigures, err error) {
	dir, err := os.MkdirTemp("", "docent-bench")
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	home := filepath.Join(dir, "home")
	f.Place = "folder"
	var engine *weaviatetest.Cluster
	if b.sizing.weaviate {
		if engine, err = weaviatetest.Run(filepath.Join(dir, "engine"), 1); err != nil {
			return f, err
		}
		defer func() { err = errors.Join(err, engine.Stop()) }()
		f.Place = "Weaviate"
		if err := configureIndex(home, fmt.Sprintf("weaviate://%s?replicas=1&grpc=%s", engine.Addresses(), engine.GRPC())); err != nil {
			return f, err
		}
	}
	one := &build{bin: b.bin, corpus: filepath.Join(dir, "corpus"), env: append(os.Environ(), "DOCENT_HOME="+home, "NO_COLOR=1")}
	g, err := newGrowing(folder)
	if err != nil {
		return f, err
	}
	for i := 1; i <= copies; i++ {
		if err := g.write(filepath.Join(one.corpus, fmt.Sprintf("copy%03d", i)), i); err != nil {
			return f, err
		}
	}
	f.Words = len(g.words)
	if err := f.add(one, home, engine); err != nil {
		return f, err
	}
	if f.OnePage, err = repeat(b.runs, func(run int) (costs, error) { return one.changeOnePage("Bench", one.corpus, run) }); err != nil {
		return f, err
	}
	return f, f.ask(ctx, one.bin, home, engine, questions, b.sizing.asked)
}

// add adds the doc set.
func (f *sizingFigures) add(b *build, home string, engine *weaviatetest.Cluster) error {
	if _, err := b.run("status"); err != nil {
		return err
	}
	before, err := diskUse(home)
	if err != nil {
		return err
	}
	var used served.Used
	if engine != nil {
		used = served.UsedBy(engine.Nodes[0].PID())
	}
	added, err := b.run("add", b.corpus, "--name", "Bench")
	if err != nil {
		return err
	}
	f.Add = operation{Processor: added.cpu.Seconds(), Wall: float64(added.wall.Milliseconds()), Memory: added.rss >> 10}
	after, err := diskUse(home)
	if err != nil {
		return err
	}
	f.Disk = after - before
	if engine != nil {
		f.Engine = &engineUse{Processor: served.UsedBy(engine.Nodes[0].PID()).CPU - used.CPU}
		if f.Engine.Disk, err = diskUse(engine.Nodes[0].Folder()); err != nil {
			return err
		}
	}
	var set sizeFigures
	err = set.describeSet(b)
	f.Pages, f.Sections, f.Bytes = set.Pages, set.Sections, set.Bytes
	return err
}

// ask asks docent serve, one question at a time.
func (f *sizingFigures) ask(ctx context.Context, bin, home string, engine *weaviatetest.Cluster, questions []string, n int) (err error) {
	s, err := served.Start(ctx, bin, home, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	l := &load{}
	for i := range n { // of all files of questions, which have kinds of their own
		l.questions = append(l.questions, questions[i*len(questions)/n])
	}
	const path = "/api/docs/search"
	l.ask(ctx, s, path, 1, 30) // the first questions open the index
	var used served.Used
	if engine != nil {
		used = served.UsedBy(engine.Nodes[0].PID())
	}
	before := s.Used()
	r := l.ask(ctx, s, path, 1, n)
	if r.answered < n {
		return fmt.Errorf("%d of %d questions were answered: %s", r.answered, n, r.fault)
	}
	f.Server = serverUse{Half: r.times.ms(.5), Most: r.times.ms(.95), Processor: 1000 * (s.Used().CPU - before.CPU) / float64(n),
		Memory: s.Used().PeakRSS >> 20}
	if engine != nil {
		now := served.UsedBy(engine.Nodes[0].PID())
		f.Engine.Asked, f.Engine.Memory = 1000*(now.CPU-used.CPU)/float64(n), now.PeakRSS>>20
	}
	return nil
}

// isSameSize reports whether other figures take the place of these.
func (f sizingFigures) isSameSize(other sizingFigures) bool {
	return f.Place == other.Place && f.Pages == other.Pages
}

// compare orders figures.
func (f sizingFigures) compare(other sizingFigures) int {
	return cmp.Or(strings.Compare(f.Place, other.Place), cmp.Compare(f.Pages, other.Pages))
}
