// Command fidelity measures how much of documentation arrives in its renditions:
//
//	fidelity [flags] FOLDER…
//
// Each folder is a doc set, or a folder of doc sets. For each it prints the pages by format,
// the share of the source's words that arrive, and the pages that keep the fewest. With -compare
// it reads some pages of each format with the format's reference tool too, and prints how
// many of its words, headings and code blocks are in the rendition.
//
// It refuses to judge: pages that keep fewer words than whole pages of their format do are
// named, and a person looks at them.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/fidelity"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/ingest/parse/pdf"
	"docent/pipeline/text/plural"
	"docent/store/doc"
)

func main() {
	worst := flag.Int("worst", 5, "how many of the pages that keep the fewest words are named, by format")
	lost := flag.Int("lost", 0, "how many of their lost words are printed")
	compare := flag.Int("compare", 0, "how many pages of a format are compared with its reference tool")
	flag.Parse()
	b := bench{out: os.Stdout, worst: *worst, lost: *lost, compare: *compare}
	if err := b.measureFolders(context.Background(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}

// bench holds the flags, the parsers and the output.
type bench struct {
	out     io.Writer
	worst   int
	lost    int
	compare int
	parsers *parse.Registry
}

// measureFolders measures folders of documentation.
func (b *bench) measureFolders(ctx context.Context, folders []string) error {
	if len(folders) == 0 {
		return errors.New("it needs a folder of documentation")
	}
	find := func(name string) string { path, _ := exec.LookPath(name); return path }
	var err error
	b.parsers, err = formats.AllParsers(formats.WithPDF(pdf.Options{OCR: pdf.Never, Tools: pdf.Tools{
		PDFToText: find("pdftotext"), PDFToHTML: find("pdftohtml"), Env: os.Environ()}}))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if err := b.measureSet(ctx, folder); err != nil {
			return fmt.Errorf("measure %s: %w", folder, err)
		}
	}
	return nil
}

// measured is a page of a doc set.
type measured struct {
	path     string
	format   doc.Format
	words    doc.WordCount
	sections int
	verbatim bool
	lost     []string
	text     []byte // where it is compared
}

// measureSet measures the pages of a folder.
func (b *bench) measureSet(ctx context.Context, folder string) error {
	rules := domain.New(domain.Set{}, domain.Repository{}, domain.Repository{}, b.parsers.Endings(contract.DefaultDomain))
	found, err := ingest.ScanPages(ctx, folder, doc.LayoutTree, b.parsers, rules)
	if err != nil {
		return err
	}
	inside := files.InFolder(folder, found.Paths)
	byFormat := map[doc.Format][]measured{}
	failed := 0
	for _, f := range found.Files {
		src, err := files.ReadInside(folder, f.Path)
		if err != nil {
			return err
		}
		d, err := b.parsers.Parse(ctx, src, parse.File{Path: f.Path, Layout: doc.LayoutTree, Files: inside})
		if err != nil {
			failed++
			continue
		}
		page := measured{path: f.Path, format: d.Format, words: d.Words, sections: len(d.Sections), verbatim: d.Verbatim()}
		if b.lost > 0 && d.Words.Arrived < d.Words.Source {
			lost := fidelity.LostWords(d.Format, src, d.Text)
			page.lost = lost[:min(b.lost, len(lost))]
		}
		if b.compare > 0 {
			page.text = d.Text
		}
		byFormat[d.Format] = append(byFormat[d.Format], page)
	}
	fmt.Fprintf(b.out, "%s: %s, %d left out\n", filepath.Base(folder), plural.Count(len(found.Files), "page", "pages"), failed)
	var formats []doc.Format
	for format := range byFormat {
		formats = append(formats, format)
	}
	slices.Sort(formats)
	for _, format := range formats {
		b.printFormat(byFormat[format])
		if err := b.compareFormat(ctx, folder, format, byFormat[format]); err != nil {
			return err
		}
	}
	return nil
}

// printFormat prints the figures of the pages of one format.
func (b *bench) printFormat(pages []measured) {
	var sum doc.WordCount
	sections, verbatim, falls := 0, 0, 0
	var judged []measured
	for _, p := range pages {
		sections += p.sections
		if p.verbatim {
			verbatim++
		}
		sum.Add(p.words)
		if fidelity.Falls(p.format, p.words) {
			falls++
		}
		if !p.verbatim && p.words.Source >= fidelity.LeastWords {
			judged = append(judged, p)
		}
	}
	fmt.Fprintf(b.out, "  %-9s %5d pages, %d of them their own rendition, %6d sections; %s; %d below the threshold\n",
		pages[0].format, len(pages), verbatim, sections, sum, falls)
	slices.SortStableFunc(judged, func(x, y measured) int {
		return cmp.Compare(x.words.Arrived*y.words.Source, y.words.Arrived*x.words.Source)
	})
	quantile := func(q float64) string {
		if len(judged) == 0 {
			return "-"
		}
		return judged[int(q*float64(len(judged)-1))].words.Percent()
	}
	fmt.Fprintf(b.out, "      by page: 1 %% keep less than %s, 5 %% %s, half %s\n", quantile(.01), quantile(.05), quantile(.5))
	for _, p := range judged[:min(b.worst, len(judged))] {
		fmt.Fprintf(b.out, "    %5s %%  %6d words  %s\n", p.words.Percent(), p.words.Source, p.path)
		if len(p.lost) > 0 {
			fmt.Fprintf(b.out, "        %s\n", strings.Join(p.lost, " "))
		}
	}
}
