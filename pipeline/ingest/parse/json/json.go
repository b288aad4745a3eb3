// Package json reads JSON that people read: OpenAPI and Swagger documents by operation
// and schema, JSON Schema by property, custom resource definitions of Kubernetes by field, all
// of them also in YAML; other JSON by its structure.
//
// Data without documentation is left out with its reason: values one a line, lists of
// versions, and files with hardly any sentences. Comments and trailing commas are
// accepted, as in editors. Invalid JSON is shown unchanged.
//
// Terms. A value is a node of the document, with its line. A pointer is its path, as in
// RFC 6901: "/paths/~1pets/get". A reference is an object with "$ref"; those within the
// document and to other files of the doc set are followed, by name where they lead to a
// schema.
//
// It refuses to fetch references to addresses, and to make pages of other YAML:
// package settings does.
package json

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/plural"
	"docent/store/doc"
)

// Version is the parser's version.
const Version = 8

// Parser is the parser of JSON. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatJSON, Version: Version, Name: "JSON",
		Sniffed: []string{".json", ".jsonl", ".yaml", ".yml"}, Sniff: sniffJSON}
}

// Structure reads a rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// sniffJSON reports whether a file begins as JSON does, or as an OpenAPI document, a JSON
// Schema or a custom resource definition in YAML.
func sniffJSON(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	r := reader{src: head}
	if r.skipBlank(); r.at < len(head) && (head[r.at] == '{' || head[r.at] == '[') && !bytes.HasPrefix(head[r.at:], []byte("{{")) {
		return true // two braces begin a template of Helm
	}
	return openAPIinYAML(head) || componentsInYAML().Match(head) || kindOfDefinition().Match(head) || schemaInYAML().Match(head)
}

// componentsInYAML is how an OpenAPI document begins whose keys are sorted: its version stands behind all
// its schemas.
var componentsInYAML = pattern.Lazy(`(?m)\A(?:---[ \t\r]*\n|[ \t]*#[^\n]*\n|[ \t\r]*\n)*components:[ \t\r]*\n` +
	`[ \t]+(?:callbacks|examples|headers|links|parameters|pathItems|requestBodies|responses|schemas|securitySchemes):[ \t\r]*$`)

// openAPIinYAML reports whether one of the first lines is "openapi: …" or "swagger: …".
func openAPIinYAML(head []byte) bool {
	for line := range bytes.Lines(head) {
		if key, value, ok := bytes.Cut(line, []byte{':'}); ok {
			switch strings.Trim(string(key), `"'`) {
			case "openapi", "swagger":
				v := strings.Trim(strings.TrimSpace(string(value)), `"'`)
				return v != "" && v[0] >= '1' && v[0] <= '9'
			}
		}
	}
	return false
}

// Parse reads a document. A parse.LeftOut says why it is left out.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	if why := toolOfFile(opt.Path); why != "" && !opt.Wanted {
		return doc.Document{}, parse.LeftOut(why)
	}
	w := build.New()
	if !utf8.Valid(src) {
		w.Warn("not all of it is UTF-8")
	}
	if all, warnings := readDefinitions(src); len(all) > 0 {
		for _, warning := range warnings {
			w.Warn("%s", warning)
		}
		p := &page{ctx: ctx, w: w, root: all[0], lines: doc.CountLines(src)}
		if (definitions{p}).writeAll(all); p.err != nil {
			return doc.Document{}, p.err
		}
		return w.Page(ctx, src, opt)
	}
	root, err := readDocument(src)
	if left, ok := err.(parse.LeftOut); ok {
		return doc.Document{}, left
	}
	if err != nil {
		w.Warn("%v; it is shown as it stands", err)
		writeVerbatim(w, src)
		return w.Page(ctx, src, opt)
	}
	for _, warning := range root.warnings {
		w.Warn("%s", warning)
	}
	p := &page{ctx: ctx, w: w, root: root.value, lines: doc.CountLines(src)}
	if opt.Open != nil && (isOpenAPI(p.root) || isSchema(p.root)) {
		self := path.Clean(opt.Path)
		p.others = others{open: opt.Open, self: self, files: map[string]*value{}}
		resolveReferences(p.root, self, self, 0)
	}
	switch {
	case isOpenAPI(p.root):
		p.writeOpenAPI()
	case isSchema(p.root):
		p.jsonSchema()
	case len(definitionsIn(p.root)) > 0:
		(definitions{p}).writeAll(definitionsIn(p.root))
	default:
		if searchIndex(p.root) {
			return doc.Document{}, parse.LeftOut("it is the index by which a site's scripts search; " +
				"it has the texts of the pages once more")
		}
		if why := reasonIfData(p.root); why != "" && !opt.Wanted {
			return doc.Document{}, parse.LeftOut(why)
		}
		p.structure()
	}
	if p.err != nil {
		return doc.Document{}, p.err
	}
	if n := p.others.refused - maxRefusals; n > 0 {
		w.Warn("%s more that it refers to cannot be read", plural.Count(n, "file", "files"))
	}
	return w.Page(ctx, src, opt)
}

// toolOfFile says what a file of a well-known name is for, "" for another one.
func toolOfFile(file string) string {
	switch strings.ToLower(path.Base(file)) {
	case "package.json", "package-lock.json", "npm-shrinkwrap.json", "composer.json", "composer.lock", "tsconfig.json", "jsconfig.json",
		"renovate.json", "lerna.json", "turbo.json", "nx.json", "deno.json", "vercel.json", "manifest.json", "pnpm-lock.yaml":
		return "it configures a tool or lists versions; it is no documentation"
	}
	if strings.HasSuffix(strings.ToLower(file), ".jsonl") {
		return "it is data, one value a line"
	}
	return ""
}

// shownLines is how many lines of a document that cannot be read stand in one block.
const shownLines = 40

// writeVerbatim writes a document unchanged.
func writeVerbatim(w *build.Writer, src []byte) {
	line, first := 0, 1
	var part strings.Builder
	flush := func() {
		w.FromLine(doc.Location{Line: first})
		w.WriteCode("", part.String())
		part.Reset()
		first = line + 1
	}
	for l := range bytes.Lines(src) {
		line++
		if strings.TrimSpace(string(l)) == "" && part.Len() == 0 {
			first = line + 1
			continue
		}
		part.Write(l)
		if line-first+1 >= shownLines {
			flush()
		}
	}
	flush()
}

// page is a document while it is written.
type page struct {
	ctx   context.Context
	w     *build.Writer
	root  *value
	lines int
	err   error // the context's
	asked int

	others others

	schemas map[*value]string // the names of schemas that have a section
	deepest int               // objects in objects that have sections of their own; 0: as many as in a table, and two more
	work    int               // steps through schemas that refer to each other
}

// maxWork is the most steps through schemas of a document. Each step takes some 300 ns;
// the largest known documents need 400 000.
const maxWork = 3_000_000

// spendSteps takes steps of the budget; it returns false when the budget is used up.
func (p *page) spendSteps(steps int) bool {
	if p.work > maxWork {
		return false
	}
	if p.work += steps; p.work > maxWork {
		p.w.Warn("its schemas refer to each other so often that not all types and properties are shown")
		return false
	}
	return true
}

// setPlace sets the place of the text that is written next.
func (p *page) setPlace(v *value, pointer string) {
	if v != nil {
		p.w.At(p.placeOf(v, pointer))
	}
}

func (p *page) placeOf(v *value, pointer string) doc.Location {
	if len(pointer) > 300 {
		pointer = ""
	}
	return doc.Location{Line: max(1, min(v.line, p.lines)), Element: pointer}
}

// isAlive reports whether the context still stands, asked now and then.
func (p *page) isAlive() bool {
	if p.asked++; p.asked%256 == 0 && p.err == nil {
		p.err = p.ctx.Err()
	}
	return p.err == nil
}

// memberPointer is the pointer to a member.
func memberPointer(pointer, name string) string {
	return pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// searchIndex reports whether a document is the index that MkDocs writes for its search:
// an object of a configuration and the sections of all pages.
func searchIndex(v *value) bool {
	docs := v.getMember("docs")
	if v.getMember("config") == nil || docs == nil || docs.kind != list || len(docs.items) == 0 {
		return false
	}
	first := docs.items[0]
	return first.getMember("location") != nil && first.getMember("text") != nil && first.getMember("title") != nil
}

// reasonIfData says why JSON by structure is no documentation, "" where it is: of its texts,
// too few are sentences.
func reasonIfData(v *value) string {
	var all, sentences int
	v.walkValues(func(v *value) {
		for _, m := range v.members {
			all += len(m.name)
		}
		if v.kind == null || v.kind == list || v.kind == object {
			return
		}
		all += len(v.text)
		if v.kind == text && isSentence(v.text) {
			sentences += len(v.text)
		}
	})
	if all == 0 {
		return "it is empty"
	}
	if share := 100 * sentences / all; share < leastSentences {
		return fmt.Sprintf("it is data, not documentation: %d %% of its text are sentences, at least %d are wanted", share, leastSentences)
	}
	return ""
}

// leastSentences is the share of a document's text that must be sentences, in percent.
// Measured on settings, manifests and examples of six repositories: descriptions of
// settings have 40 to 90, manifests and lists of versions 0 to 12.
const leastSentences = 25

// isSentence reports whether a text has four words.
func isSentence(s string) bool {
	words := 0
	for w := range strings.FieldsSeq(s) {
		if c := w[0] | 0x20; c >= 'a' && c <= 'z' || w[0] >= 0x80 {
			if words++; words == 4 {
				return true
			}
		}
	}
	// A text in a language without blanks.
	return len(s) > 40 && strings.Count(s, " ") == 0 && strings.ContainsAny(s, "。、，")
}
