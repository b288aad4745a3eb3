// Package settings reads YAML files of settings that are explained by comments, as the
// values.yaml of a chart of Helm: each key with a comment is a section, called by its path,
// with its type, its default and what the comment says.
//
// Keys without a comment are shown too, in the section of the key around them. A setting
// that stands in a comment is a section like others. The annotations of helm-docs, Bitnami's
// generator and cert-manager's are understood.
//
// A file is recognized by its comments: three keys must have one in the first lines. It
// refuses manifests of Kubernetes and files whose first value is no mapping.
//
// Terms. A path is the names of the keys around a value, with dots: "image.tag". A block is
// a run of lines of comments.
package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// version is the parser's version.
const version = 2

// Bounds of a file.
const (
	mostBytes     = 4 << 20
	mostDocuments = 50
	deepest       = 60 // mappings in each other
)

// Parser is the parser of YAML with comments. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatYAML, Version: version, Name: "YAML settings",
		Sniffed: []string{".yaml", ".yml"}, Sniff: sniffSettings}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

var (
	keyLine     = pattern.Lazy(`^[ \t]*(?:- )?["']?[A-Za-z_][\w./-]*["']?:(?:[ \t]|$)`)
	manifestKey = pattern.Lazy(`(?m)^(?:apiVersion|kind|openapi|swagger|"?\$schema"?):[ \t]*\S`)
	annotation  = pattern.Lazy(`^[ \t]*#+[ \t]*(?:@param |-- |\+docs:)`)
)

// sniffSettings reports whether a file begins as YAML whose keys are explained by comments.
func sniffSettings(head []byte) bool {
	if manifestKey().Match(head) || bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	explained, keys, comment := 0, 0, false
	for line := range bytes.Lines(head) {
		trimmed := bytes.TrimSpace(line)
		switch {
		case len(trimmed) == 0:
			comment = false
		case trimmed[0] == '#':
			if annotation().Match(line) {
				explained++
			}
			comment = comment || countWords(string(trimmed)) >= 3
		case keyLine().Match(trimmed):
			if keys++; comment {
				explained++
			}
			comment = false
		default:
			comment = false
		}
	}
	return keys > 0 && explained >= 3
}

// countWords counts the words of letters in a text, up to ten.
func countWords(s string) int {
	n := 0
	for w := range strings.FieldsSeq(s) {
		if c := w[0] | 0x20; c >= 'a' && c <= 'z' || w[0] >= utf8.RuneSelf {
			if n++; n == 10 {
				break
			}
		}
	}
	return n
}

// Parse reads a file. One that is no valid YAML is shown unchanged, with a warning.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	w := build.New()
	text := strings.ReplaceAll(w.ToUTF8(src), "\r\n", "\n")
	p := &page{w: w, lines: strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")}
	var err error
	switch documents, why := readDocuments([]byte(strings.TrimPrefix(text, "\ufeff"))); {
	case len(src) > mostBytes && !opt.Wanted:
		return doc.Document{}, parse.LeftOut(fmt.Sprintf("%d MB are too many for settings: it is data", len(src)>>20))
	case why != nil:
		w.Warn("%v; it is shown as it stands", why)
		p.writeSource()
	case len(documents) == 0 && !opt.Wanted:
		return doc.Document{}, parse.LeftOut("it has no settings: its values are a list, or none")
	case len(documents) == 0:
		p.writeSource()
	default:
		p.writeTitle(opt.Path)
		p.takeParameters()
		err = p.writeDocuments(ctx, documents)
	}
	if err != nil {
		return doc.Document{}, err
	}
	return w.Page(ctx, src, opt)
}

// readDocuments reads the mappings of a file.
func readDocuments(src []byte) (all []*yaml.Node, err error) {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	for range mostDocuments {
		var n yaml.Node
		if err := dec.Decode(&n); err != nil {
			if errors.Is(err, io.EOF) {
				return all, nil
			}
			return nil, fmt.Errorf("it is no valid YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		}
		if len(n.Content) > 0 && n.Content[0].Kind == yaml.MappingNode && n.Content[0].Style&yaml.FlowStyle == 0 {
			all = append(all, n.Content[0])
		}
	}
	return all, nil
}

// page is a page while it is written.
type page struct {
	w      *build.Writer
	lines  []string
	params map[string]parameter // what comments elsewhere say of a path
	order  []string             // of these paths
}

// parameter is what a comment elsewhere says of a path.
type parameter struct {
	text string
	at   int
}

func (p *page) place(at int) { p.w.At(doc.Location{Line: at}) }

// textOfLine is a line of the file, counted from 1; "" outside of it.
func (p *page) textOfLine(n int) string {
	if n < 1 || n > len(p.lines) {
		return ""
	}
	return p.lines[n-1]
}

// writeTitle names the values of a chart by its folder.
func (p *page) writeTitle(file string) {
	base, dir := path.Base(file), path.Base(path.Dir(file))
	if strings.HasPrefix(base, "values.") && dir != "." && dir != "/" {
		p.place(1)
		p.w.Title(dir + " values")
		p.w.Heading(1, build.TextInline(dir+" values"), "")
	}
}

// shownLines is how many lines stand in one block of a file that cannot be read.
const shownLines = 40

// writeSource writes the file unchanged.
func (p *page) writeSource() {
	var code []build.Line
	for i, text := range p.lines {
		code = append(code, build.Line{Text: text, At: doc.Location{Line: i + 1}})
		if len(code) >= shownLines || i == len(p.lines)-1 {
			p.w.Listing("yaml", code)
			code = nil
		}
	}
}

var helmParameter = pattern.Lazy(`^[ \t]*#+[ \t]*@(?:param|extra)[ \t]+(\S+)[ \t]*(.*)$`)

// takeParameters reads the comments that name the path that they explain, and takes them out.
func (p *page) takeParameters() {
	p.params = map[string]parameter{}
	for i, text := range p.lines {
		if !strings.Contains(text, "@") {
			continue
		}
		if m := helmParameter().FindStringSubmatch(text); m != nil {
			if _, ok := p.params[m[1]]; !ok {
				p.order = append(p.order, m[1])
			}
			p.params[m[1]] = parameter{m[2], i + 1}
			p.lines[i] = "#"
		}
	}
}

// writeDocuments writes the mappings of a file.
func (p *page) writeDocuments(ctx context.Context, documents []*yaml.Node) error {
	for i, n := range documents {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := len(p.lines) + 1
		if i+1 < len(documents) {
			for end = documents[i+1].Line; end > n.Line && !strings.HasPrefix(p.textOfLine(end), "---"); end-- {
			}
		}
		p.writeMapping(n, "", 2, end, 0)
	}
	for _, name := range p.order {
		if param, ok := p.params[name]; ok {
			p.place(param.at)
			p.w.Definition(build.CodeInline(name))
			p.writeParameter(param)
			p.w.Close()
		}
	}
	return nil
}
