//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// sizes holds the flags of measuring doc sets of several sizes.
type sizes struct {
	copies, figures string
}

func (s *sizes) flags() {
	flag.StringVar(&s.copies, "sizes", "1", "sizes, sizing: how many copies of the corpus each doc set has, separated by commas")
	flag.StringVar(&s.figures, "figures", "", "sizes, sizing: the file whose figures of these sizes are replaced; default: none")
}

// measureSizes measures doc sets that are copies of the first corpus, each in a home of its own,
// and writes the figures of the first build.
func (b *bench) measureSizes(context.Context) error {
	folders, err := b.folders()
	if err != nil {
		return err
	}
	var measured []sizeFigures
	for text := range strings.SplitSeq(b.sizes.copies, ",") {
		copies, err := strconv.Atoi(text)
		if err != nil || copies < 1 {
			return fmt.Errorf("-sizes: %q is no number of copies", text)
		}
		for _, bin := range []string{b.bin, b.vs} {
			if bin == "" {
				continue
			}
			f, err := measureSize(bin, folders[0], b.index, copies, b.runs)
			if err != nil {
				return err
			}
			fmt.Printf("%s%s\n", f.row(), builds{{bin: b.bin}, {bin: bin}}.name(1))
			if bin == b.bin {
				measured = append(measured, f)
			}
		}
	}
	if b.sizes.figures == "" {
		return nil
	}
	return putFigures(b.sizes.figures, measured)
}

// measureSize measures a doc set of some copies of a folder.
func measureSize(bin, folder, index string, copies, runs int) (f sizeFigures, err error) {
	dir, err := os.MkdirTemp("", "docent-bench")
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &build{bin: bin, corpus: filepath.Join(dir, "corpus"), env: append(os.Environ(), "DOCENT_HOME="+filepath.Join(dir, "home"),
		"NO_COLOR=1")}
	if err := copyOften(b.corpus, folder, copies); err != nil {
		return f, err
	}
	if err := configureIndex(filepath.Join(dir, "home"), index); err != nil {
		return f, err
	}
	if _, err := b.run("status"); err != nil {
		return f, err
	}
	before, err := diskUse(filepath.Join(dir, "home"))
	if err != nil {
		return f, err
	}
	added, err := b.run("add", b.corpus, "--name", "Bench")
	if err != nil {
		return f, err
	}
	f.Add = operation{Processor: added.cpu.Seconds(), Wall: float64(added.wall.Milliseconds()), Memory: added.rss >> 10}
	after, err := diskUse(filepath.Join(dir, "home"))
	if err != nil {
		return f, err
	}
	if err := f.describeSet(b); err != nil {
		return f, err
	}
	f.Disk = float64(after-before) / float64(f.Bytes)
	for _, one := range []struct {
		to   *operation
		once func(run int) (costs, error)
	}{
		{&f.Nothing, func(int) (costs, error) { return b.run("update", "Bench") }},
		{&f.OnePage, func(run int) (costs, error) { return b.changeOnePage("Bench", b.corpus, run) }},
		{&f.Search, func(int) (costs, error) { return b.run("search", "--set", "Bench", "configure liveness probe") }},
	} {
		if *one.to, err = repeat(runs, one.once); err != nil {
			return f, err
		}
	}
	return f, nil
}

// describeSet takes the numbers of pages, sections and bytes from the program.
func (f *sizeFigures) describeSet(b *build) error {
	listed, err := b.run("list", "--json")
	if err != nil {
		return err
	}
	var list struct {
		Sets []struct {
			Name     string `json:"name"`
			Pages    int    `json:"pages"`
			Sections int    `json:"sections"`
			Bytes    int64  `json:"bytes"`
		} `json:"sets"`
	}
	if err := json.Unmarshal(listed.out, &list); err != nil {
		return fmt.Errorf("docent list: %w", err)
	}
	for _, s := range list.Sets {
		if s.Name == "Bench" {
			f.Pages, f.Sections, f.Bytes = s.Pages, s.Sections, s.Bytes
			return nil
		}
	}
	return errors.New("docent list: the doc set is missing")
}

// repeat measures an operation several times: half of the runs took less time and memory.
func repeat(runs int, once func(run int) (costs, error)) (operation, error) {
	var wall, cpu durations
	var rss []int64
	for i := range runs {
		c, err := once(i)
		if err != nil {
			return operation{}, err
		}
		wall, cpu, rss = append(wall, c.wall), append(cpu, c.cpu), append(rss, c.rss>>10)
	}
	slices.Sort(wall)
	slices.Sort(cpu)
	slices.Sort(rss)
	return operation{Processor: cpu.ms(.5) / 1000, Wall: wall.ms(.5), Memory: rss[len(rss)/2]}, nil
}

// copyOften copies a folder, and links the files of the first copy for the others.
func copyOften(to, folder string, copies int) error {
	first := filepath.Join(to, "copy001")
	if err := os.CopyFS(first, os.DirFS(folder)); err != nil {
		return err
	}
	for i := 2; i <= copies; i++ {
		other := filepath.Join(to, fmt.Sprintf("copy%03d", i))
		err := filepath.WalkDir(first, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(first, p)
			if err != nil {
				return err
			}
			if d.IsDir() {
				return os.Mkdir(filepath.Join(other, rel), 0o700)
			}
			return os.Link(p, filepath.Join(other, rel))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// diskUse is the size of all files below a folder.
func diskUse(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err == nil {
			size += st.Size()
		}
		return err
	})
	return size, err
}
