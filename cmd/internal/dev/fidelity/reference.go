package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"docent/pipeline/ingest/parse/fidelity"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// reference is the program by which a format's pages are read elsewhere, and makes HTML.
type reference struct {
	format  doc.Format
	program string
	install string
	args    []string // the file follows
}

// references are the programs that pages are compared with, by format.
func references() []reference {
	return []reference{
		{doc.FormatRST, "rst2html", "python3-docutils", []string{"--report=5", "--halt=5", "--no-raw", "--no-file-insertion"}},
		{doc.FormatAsciiDoc, "asciidoctor", "asciidoctor", []string{"-s", "-S", "safe", "-q", "-o", "-"}},
		{doc.FormatMan, "mandoc", "mandoc", []string{"-T", "html", "-O", "fragment"}},
		{doc.FormatDOCX, "pandoc", "pandoc", []string{"-f", "docx", "-t", "html"}},
		{doc.FormatODT, "pandoc", "pandoc", []string{"-f", "odt", "-t", "html"}},
		{doc.FormatRTF, "pandoc", "pandoc", []string{"-f", "rtf", "-t", "html"}},
		{doc.FormatEPUB, "pandoc", "pandoc", []string{"-f", "epub", "-t", "html"}},
		{doc.FormatMediaWiki, "pandoc", "pandoc", []string{"-f", "mediawiki", "-t", "html"}},
		{doc.FormatOrg, "pandoc", "pandoc", []string{"-f", "org", "-t", "html"}},
		{doc.FormatPOD, "perl", "perl", []string{"-MPod::Simple::XHTML", "-e", "Pod::Simple::XHTML->filter(shift)"}},
		{doc.FormatMarkdown, "pandoc", "pandoc", []string{"-f", "gfm", "-t", "html"}},
	}
}

// compared counts the parts of a reference tool's output that the renditions have.
type compared struct {
	pages, failed            int
	words                    doc.WordCount
	headings, missing        int
	codes, whole             int
	missingNames, brokenCode []string
}

// referenceTime is how long a program may read one page.
const referenceTime = 20 * time.Second

// compareFormat compares about b.compare pages of a format with the output of its reference
// tool, and prints the sums.
func (b *bench) compareFormat(ctx context.Context, folder string, format doc.Format, pages []measured) error {
	for _, r := range references() {
		if r.format != format || b.compare == 0 {
			continue
		}
		path, err := exec.LookPath(r.program)
		if err != nil {
			fmt.Fprintf(b.out, "      not compared: %s is not installed (apt-get install %s)\n", r.program, r.install)
			return nil
		}
		var c compared
		step := max(1, len(pages)/b.compare)
		for i := 0; i < len(pages); i += step {
			if err := ctx.Err(); err != nil {
				return err
			}
			c.comparePage(ctx, path, r, filepath.Join(folder, filepath.FromSlash(pages[i].path)), pages[i].text)
		}
		fmt.Fprintf(b.out, "      compared with %s: %d pages (%d that it cannot read); "+
			"%s %% of its words, %d of %d headings, %d of %d blocks of code\n",
			r.program, c.pages, c.failed, c.words.Percent(), c.headings-c.missing, c.headings, c.whole, c.codes)
		b.printNames("headings that are missing", c.missingNames)
		b.printNames("code that is not whole", c.brokenCode)
	}
	return nil
}

func (b *bench) printNames(what string, names []string) {
	if n := min(b.worst, len(names)); n > 0 {
		fmt.Fprintf(b.out, "        %s: %s\n", what, strings.Join(names[:n], "; "))
	}
}

var (
	headingTag = pattern.Lazy(`(?s)<h[1-6][^>]*>(.*?)</h[1-6]>`)
	codeTag    = pattern.Lazy(`(?s)<pre[^>]*>(.*?)</pre>`)
	anyTag     = pattern.Lazy(`(?s)<[^>]*>`)
)

// comparePage compares a page with the HTML that a program makes of it.
func (c *compared) comparePage(ctx context.Context, program string, r reference, file string, text []byte) {
	limited, cancel := context.WithTimeout(ctx, referenceTime)
	defer cancel()
	run := exec.CommandContext(limited, program, append(append([]string{}, r.args...), file)...)
	run.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	made, err := run.Output()
	if c.pages++; err != nil || len(made) == 0 {
		c.failed++
		return
	}
	if body := bytes.Index(made, []byte("<body")); body >= 0 {
		made = made[body:]
	}
	c.words.Add(fidelity.CountWords(doc.FormatHTML, made, text))
	has := lettersOf(string(text))
	for _, m := range headingTag().FindAllSubmatch(made, -1) {
		c.headings++
		if name := textOf(m[1]); !strings.Contains(has, lettersOf(name)) {
			c.missing++
			c.missingNames = append(c.missingNames, name)
		}
	}
	for _, m := range codeTag().FindAllSubmatch(made, -1) {
		c.codes++
		if code := textOf(m[1]); strings.Contains(has, lettersOf(code)) {
			c.whole++
		} else {
			c.brokenCode = append(c.brokenCode, filepath.Base(file)+": "+code[:min(40, len(code))])
		}
	}
}

// textOf is the text of HTML on one line.
func textOf(page []byte) string {
	text := anyTag().ReplaceAllString(string(page), "")
	return spacing.Single(html.UnescapeString(text))
}

// lettersOf is the letters and digits of a text in lower case, by which texts in different
// markup are compared.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, text)
}
