package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxLine limits a line of a file of queries or documents, in bytes.
const maxLine = 64 << 20

// knownItem is a line of a known-item file.
type knownItem struct {
	ID      string          `json:"id"`
	Query   string          `json:"query"`
	Doc     string          `json:"doc"`
	Section string          `json:"section"`
	Anchor  string          `json:"anchor"`
	Kind    string          `json:"kind"`
	Grade   *int            `json:"grade"`
	Src     json.RawMessage `json:"src"`
}

// ReadQueries reads a known-item file. Each line is a JSON object: {"query", "doc",
// "section"?, "anchor"?, "grade"?, "kind"?, "src"?}. Lines with a grade and the
// same query form one query with several relevant sections. A line without a grade
// is a query of its own.
func ReadQueries(r io.Reader, name string) ([]Query, error) {
	var out []Query
	graded := map[string]int{}
	err := eachFilledLine(r, name, func(n int, line []byte) error {
		var k knownItem
		if err := json.Unmarshal(line, &k); err != nil {
			return err
		}
		if strings.TrimSpace(k.Query) == "" || k.Doc == "" {
			return errors.New(`"query" and "doc" are needed`)
		}
		grade := 1
		if k.Grade != nil {
			if grade = *k.Grade; grade < 1 {
				return fmt.Errorf(`"grade" is %d, it must be at least 1`, grade)
			}
		}
		i, ok := -1, false
		if k.Grade != nil {
			i, ok = graded[k.Query]
		}
		if !ok {
			i = len(out)
			out = append(out, Query{ID: k.ID, Text: k.Query, Kind: k.Kind, Documents: map[string]int{}})
			if k.ID == "" {
				out[i].ID = strconv.Itoa(n)
			}
			if k.Grade != nil {
				graded[k.Query] = i
			}
		}
		q := &out[i]
		q.Documents[k.Doc] = max(q.Documents[k.Doc], grade)
		if k.Section != "" || k.Anchor != "" {
			q.addSection(Section{Doc: k.Doc, Heading: k.Section, Anchor: k.Anchor, Grade: grade})
		}
		src, err := oneOrMany("src", k.Src)
		if err != nil {
			return err
		}
		q.Except = append(q.Except, src...)
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: %w", name, ErrEmpty)
	}
	return out, err
}

// addSection adds a section, or raises the grade of an existing one. A duplicate
// line must not count as a second section, which no ranking could find.
func (q *Query) addSection(s Section) {
	for i, o := range q.Sections {
		if o.Doc == s.Doc && o.Heading == s.Heading && o.Anchor == s.Anchor {
			q.Sections[i].Grade = max(o.Grade, s.Grade)
			return
		}
	}
	q.Sections = append(q.Sections, s)
}

// oneOrMany decodes a field that is a page or a list of pages.
func oneOrMany(field string, raw json.RawMessage) ([]string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var many []string
	if err := json.Unmarshal(raw, &many); err != nil {
		return nil, fmt.Errorf("%q must be a page or a list of pages", field)
	}
	return many, nil
}

// eachLineOfFile calls do with every line that is not blank, and its number from 1.
func eachFilledLine(r io.Reader, name string, do func(n int, line []byte) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	n := 0
	for sc.Scan() {
		n++
		line := sc.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if err := do(n, line); err != nil {
			return fmt.Errorf("%s, line %d: %w", name, n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("%s, line %d: %w", name, n+1, err)
	}
	return nil
}

// Document is a document of a judged collection.
type Document struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Collection is a judged collection in a folder.
type Collection struct{ Dir string }

// IsCollection reports whether a folder contains a judged collection.
func IsCollection(dir string) bool {
	st, err := os.Stat(filepath.Join(dir, "corpus.jsonl"))
	return err == nil && st.Mode().IsRegular()
}

// Documents calls do with every document. A duplicate ID is an error: a judgement
// would be ambiguous.
func (c Collection) Documents(do func(Document) error) error {
	seen := map[string]bool{}
	return c.eachLineOfFile("corpus.jsonl", func(_ int, line []byte) error {
		var d Document
		if err := json.Unmarshal(line, &d); err != nil {
			return err
		}
		if d.ID == "" {
			return errors.New(`"_id" is needed`)
		}
		if seen[d.ID] {
			return fmt.Errorf("the document %q is there twice", d.ID)
		}
		seen[d.ID] = true
		return do(d)
	})
}

// eachLineOfFile calls do with every line of a file of the collection.
func (c Collection) eachLineOfFile(file string, do func(n int, line []byte) error) error {
	f, err := os.Open(filepath.Join(c.Dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is no judged collection: it has no %s", c.Dir, file)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return eachFilledLine(f, file, do)
}

// Queries reads the queries that have at least one relevant document. suffix
// selects a part of the collection, such as "-train"; "" is the main part. A
// judgement about a document for which have is false is an error.
func (c Collection) Queries(suffix string, have func(id string) bool) ([]Query, error) {
	rel := map[string]map[string]int{}
	var unknown []string
	err := c.eachLineOfFile("qrels"+suffix+".tsv", func(n int, line []byte) error {
		f := strings.Fields(string(line))
		if n == 1 && len(f) == 3 && !isInteger(f[2]) {
			return nil // the header
		}
		if len(f) == 4 {
			f = []string{f[0], f[2], f[3]} // the format of TREC
		}
		if len(f) != 3 || !isInteger(f[2]) {
			return errors.New("it must have a query, a document and a grade, parted by tabs")
		}
		grade, _ := strconv.Atoi(f[2])
		if !have(f[1]) {
			unknown = append(unknown, f[1])
			return nil
		}
		if grade > 0 {
			if rel[f[0]] == nil {
				rel[f[0]] = map[string]int{}
			}
			rel[f[0]][f[1]] = grade
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := UnknownDocuments(unknown); err != nil {
		return nil, fmt.Errorf("qrels%s.tsv: %w", suffix, err)
	}
	var out []Query
	err = c.eachLineOfFile("queries"+suffix+".jsonl", func(_ int, line []byte) error {
		var d Document
		if err := json.Unmarshal(line, &d); err != nil {
			return err
		}
		if len(rel[d.ID]) > 0 && strings.TrimSpace(d.Text) != "" {
			out = append(out, Query{ID: d.ID, Text: d.Text, Documents: rel[d.ID]})
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: %w", c.Dir, ErrEmpty)
	}
	return out, err
}

func isInteger(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// ErrUnknown means that queries are about missing documents.
var ErrUnknown = errors.New("queries ask for documents that are not there")

// UnknownDocuments returns the error for queries about missing documents, or nil.
func UnknownDocuments(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	shown := strings.Join(ids[:min(3, len(ids))], ", ")
	if n := len(ids) - 3; n > 0 {
		shown += fmt.Sprintf(" and %d more", n)
	}
	return fmt.Errorf("%w: %s", ErrUnknown, shown)
}
