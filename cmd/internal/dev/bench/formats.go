//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// formats holds the flag of measuring folders of each format: more folders, by the
// format's name.
type formats struct{ more []formatFolder }

type formatFolder struct{ name, dir string }

func (f *formats) flags() {
	flag.Func("format", "formats: NAME=DIR, one more folder; repeatable", func(s string) error {
		name, dir, ok := strings.Cut(s, "=")
		if !ok || name == "" || dir == "" {
			return errors.New("want NAME=DIR, such as HTML=site")
		}
		f.more = append(f.more, formatFolder{name, dir})
		return nil
	})
}

// measureFormats measures adding a folder of each format, in new homes: megabytes a
// second of the clock and of processor time, and the peak memory of the program or of
// one of the processes that it starts.
func (b *bench) measureFormats(context.Context) error {
	generated, err := os.MkdirTemp("", "docent-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(generated)
	if err := writeDITA(filepath.Join(generated, "manual.dita")); err != nil {
		return err
	}
	all := []formatFolder{
		{"DITA", filepath.Join(b.data, "corpora/dita-ot-docs")},
		{"Markdown", filepath.Join(b.data, "corpora/k8s-docs-v1.31")},
		{"PDF", filepath.Join(b.data, "pdfs/text")},
		{"reStructuredText", filepath.Join(b.data, "corpora/django-docs-rst")},
		{"DITA, one file", generated},
	}
	for _, f := range slices.Concat(all, b.formats.more) {
		if _, err := os.Stat(f.dir); err != nil {
			fmt.Printf("no %s at %s: skipped\n", f.name, f.dir)
			continue
		}
		for _, bin := range []string{b.bin, b.vs} {
			if bin == "" {
				continue
			}
			if err := f.measure(bin, b.runs); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
		}
	}
	return nil
}

// measure measures one build on one folder.
func (f formatFolder) measure(bin string, runs int) error {
	var wall, cpu durations
	var peak int64
	var size, pages int
	for range runs {
		dir, err := os.MkdirTemp("", "docent-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		b := &build{bin: bin, env: append(os.Environ(), "DOCENT_HOME="+dir, "NO_COLOR=1")}
		if _, err := b.run("status"); err != nil { // the manual is indexed
			return err
		}
		took, err := b.run("add", f.dir, "--name", "Bench")
		if err != nil {
			return err
		}
		wall, cpu, peak = append(wall, took.wall), append(cpu, took.cpu), max(peak, took.rss)
		if size, pages, err = b.setSize("Bench"); err != nil {
			return err
		}
	}
	slices.Sort(wall)
	slices.Sort(cpu)
	megabytes, clock, processors := float64(size)/(1<<20), wall.ms(.5)/1000, cpu.ms(.5)/1000
	fmt.Printf("%-20s %5d pages %7.1f MB %7.2f s %6.2f MB/s %7.2f s of processor time %6.2f MB/s, peak memory %d MB  %s\n",
		f.name, pages, megabytes, clock, megabytes/clock, processors, megabytes/processors, peak>>10, bin)
	return nil
}

// setSize returns the bytes and the pages of a doc set's files.
func (b *build) setSize(set string) (bytes, pages int, err error) {
	c, err := b.run("sets", "--json")
	if err != nil {
		return 0, 0, err
	}
	var listed struct {
		Sets []struct {
			Name         string
			Bytes, Pages int
		}
	}
	if err := json.Unmarshal(c.out, &listed); err != nil {
		return 0, 0, err
	}
	for _, s := range listed.Sets {
		if s.Name == set {
			return s.Bytes, s.Pages, nil
		}
	}
	return 0, 0, fmt.Errorf("doc set %s is not listed", set)
}

// sentence returns n words, each followed by a random number below numbers unless that
// is 0.
func sentence(rnd *rand.Rand, words []string, n, numbers int) string {
	s := make([]string, n)
	for i := range s {
		s[i] = words[rnd.IntN(len(words))]
		if numbers > 0 {
			s[i] += fmt.Sprint(rnd.IntN(numbers))
		}
	}
	return strings.Join(s, " ") + "."
}

// writeMany writes n pages with five sections each, 100 in each folder.
func writeMany(dir string, n int) error {
	words := strings.Fields("lantern harbour wick signal tide beacon mirror clockwork keeper oil lens storm bell rock log lamp")
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func() string { return sentence(rnd, words, 12, 40) }
	for i := range n {
		var page strings.Builder
		fmt.Fprintf(&page, "# Page %d of the %s\n\n%s\n", i, words[i%len(words)], text())
		for k := range 4 {
			fmt.Fprintf(&page, "\n## %s %d.%d\n\n%s %s\n", words[rnd.IntN(len(words))], i, k, text(), text())
		}
		path := filepath.Join(dir, fmt.Sprintf("%03d", i/100), fmt.Sprintf("%05d.md", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(page.String()), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// writeDITA writes one large DITA file of tasks: the manual of a machine as an editor
// exports it.
func writeDITA(path string) error {
	const size = 20 << 20
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	words := strings.Fields("lamp wick oil keeper harbour evening trim light glass brass " +
		"bolt valve pump gauge switch panel relay breaker cable filter")
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string { return sentence(rnd, words, n, 0) }
	written := 0
	write := func(format string, args ...any) {
		n, _ := fmt.Fprintf(out, format, args...) // Flush returns the errors of all of them
		written += n
	}
	write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE dita PUBLIC \"-//OASIS//DTD DITA Composite//EN\" " +
		"\"ditabase.dtd\">\n<dita>\n")
	for i := 0; written < size; i++ {
		write("<task id=\"t%d\"><title>%s %d</title><shortdesc>%s</shortdesc><taskbody><prereq><p>%s</p></prereq><steps>",
			i, text(5), i, text(12), text(15))
		for range 3 {
			write("<step><cmd>%s</cmd><info><p>%s</p></info></step>", text(9), text(14))
		}
		write("</steps><result><p>%s</p></result></taskbody></task>\n", text(12))
	}
	write("</dita>\n")
	return errors.Join(out.Flush(), f.Close())
}
