//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// corpora are folders of documentation in one format each, by the format's name.
type corpora []struct{ name, dir string }

// Set adds NAME=DIR.
func (c *corpora) Set(s string) error {
	name, dir, ok := strings.Cut(s, "=")
	if !ok || name == "" || dir == "" {
		return errors.New("want NAME=DIR, such as html=site")
	}
	*c = append(*c, struct{ name, dir string }{name, dir})
	return nil
}

// String is flag.Value's.
func (c *corpora) String() string { return "" }

// usual are the formats of the shared data.
func (c *corpora) usual(data string) {
	for name, dir := range map[string]string{
		"Markdown": "corpora/k8s-docs-v1.31", "reStructuredText": "corpora/django-docs-rst", "DITA": "corpora/dita-ot-docs", "PDF": "pdfs/text",
	} {
		*c = append(*c, struct{ name, dir string }{name, filepath.Join(data, dir)})
	}
	slices.SortFunc(*c, func(a, b struct{ name, dir string }) int { return strings.Compare(a.name, b.name) })
}

// formats measures adding a folder of each format, in new homes: megabytes a second of
// the clock and of the processors' time, and the peak memory of the program or of one
// of the processes that it starts.
func formats(bins []string, all corpora, runs int) error {
	dir, err := writeDITA()
	if dir != "" {
		defer os.RemoveAll(dir)
	}
	if err != nil {
		return err
	}
	for _, c := range append(slices.Clip(all), corpora{{"DITA, one file", dir}}...) {
		if _, err := os.Stat(c.dir); err != nil {
			fmt.Printf("no %s at %s: skipped\n", c.name, c.dir)
			continue
		}
		for _, bin := range bins {
			if err := format(bin, c.name, c.dir, runs); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return nil
}

// format measures one build on one folder.
func format(bin, name, folder string, runs int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	var wall, cpu []time.Duration
	var peak int64
	var size, pages int
	for range runs {
		dir, err := os.MkdirTemp("", "docent-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		b := &build{bin: bin, env: append(os.Environ(), "DOCENT_HOME="+dir, "NO_COLOR=1")}
		if _, _, err := b.run("status"); err != nil { // the manual is indexed
			return err
		}
		took, err := b.measure("add", folder, "--name", "Bench")
		if err != nil {
			return err
		}
		wall, cpu, peak = append(wall, took.wall), append(cpu, took.cpu), max(peak, took.rss)
		if size, pages, err = b.size("Bench"); err != nil {
			return err
		}
	}
	slices.Sort(wall)
	slices.Sort(cpu)
	megabytes, mid := float64(size)/(1<<20), runs/2
	fmt.Printf("%-20s %5d pages %7.1f MB %7.2f s %6.2f MB/s %7.2f s of the processors %6.2f MB/s, peak %d MB  %s\n", name, pages, megabytes,
		wall[mid].Seconds(), megabytes/wall[mid].Seconds(), cpu[mid].Seconds(), megabytes/cpu[mid].Seconds(), peak>>10, bin)
	return nil
}

// size gives the bytes and the pages of a doc set's files.
func (b *build) size(set string) (bytes, pages int, err error) {
	out, err := b.output("sets", "--json")
	if err != nil {
		return 0, 0, err
	}
	var listed struct {
		Sets []struct {
			Name         string
			Bytes, Pages int
		}
	}
	if err := json.Unmarshal(out, &listed); err != nil {
		return 0, 0, err
	}
	for _, s := range listed.Sets {
		if s.Name == set {
			return s.Bytes, s.Pages, nil
		}
	}
	return 0, 0, fmt.Errorf("doc set %s is not listed", set)
}
