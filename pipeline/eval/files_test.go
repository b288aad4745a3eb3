package eval

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestReadQueries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		want []Query
	}{
		"a line is a query": {`{"query":"trim","doc":"a.md"}` + "\n" + `{"query":"trim","doc":"b.md","kind":"k","id":"x"}`, []Query{
			{ID: "1", Text: "trim", Documents: map[string]int{"a.md": 1}},
			{ID: "x", Text: "trim", Kind: "k", Documents: map[string]int{"b.md": 1}},
		}},
		"lines with a grade merge": {`{"query":"trim","doc":"a.md","section":"A","grade":3,"kind":"k"}
{"query":"oil","doc":"a.md","grade":2}
{"query":"trim","doc":"b.md","anchor":"b","grade":1}
{"query":"trim","doc":"a.md","grade":1}`, []Query{
			{ID: "1", Text: "trim", Kind: "k", Documents: map[string]int{"a.md": 3, "b.md": 1},
				Sections: []Section{{Doc: "a.md", Heading: "A", Grade: 3}, {Doc: "b.md", Anchor: "b", Grade: 1}}},
			{ID: "2", Text: "oil", Documents: map[string]int{"a.md": 2}},
		}},
		// A duplicate line was counted as a second section, which no ranking finds.
		"a line that stands twice": {`{"query":"q","doc":"a.md","section":"A","grade":1}
{"query":"q","doc":"a.md","section":"A","grade":2}`, []Query{
			{ID: "1", Text: "q", Documents: map[string]int{"a.md": 2}, Sections: []Section{{Doc: "a.md", Heading: "A", Grade: 2}}},
		}},
		"without and with a grade": {`{"query":"q","doc":"a.md"}
{"query":"q","doc":"b.md","grade":1}`, []Query{
			{ID: "1", Text: "q", Documents: map[string]int{"a.md": 1}},
			{ID: "2", Text: "q", Documents: map[string]int{"b.md": 1}},
		}},
		"src": {`{"query":"q","doc":"a.md","src":"s.md","grade":1}
{"query":"q","doc":"b.md","src":["t.md","u.md"],"grade":1}
{"query":"q","doc":"c.md","src":null,"grade":1}`, []Query{
			{ID: "1", Text: "q", Documents: map[string]int{"a.md": 1, "b.md": 1, "c.md": 1}, Except: []string{"s.md", "t.md", "u.md"}},
		}},
		"BOM, blank lines, CRLF": {"\uFEFF\r\n\n  \t\r\n" + `{"query":"q","doc":"a.md"}` + "\r\n\n", []Query{
			{ID: "4", Text: "q", Documents: map[string]int{"a.md": 1}},
		}},
		"a BOM before the first query":           {"\uFEFF" + `{"query":"q","doc":"a.md"}`, []Query{{ID: "1", Text: "q", Documents: map[string]int{"a.md": 1}}}},
		"a BOM, and spaces alone on its line":    {"\uFEFF  \n" + `{"query":"q","doc":"a.md"}`, []Query{{ID: "2", Text: "q", Documents: map[string]int{"a.md": 1}}}},
		"what else stands in a line is no fault": {`{"query":"q","doc":"a.md","note":{"by":"ana"}}`, []Query{{ID: "1", Text: "q", Documents: map[string]int{"a.md": 1}}}},
	} {
		got, err := ReadQueries(strings.NewReader(c.file), "q.jsonl")
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestFaultsOfQueries(t *testing.T) {
	t.Parallel()
	good := `{"query":"q","doc":"a.md"}` + "\n"
	for name, c := range map[string]struct{ file, want string }{
		"no JSON":            {good + "\n{", "q.jsonl, line 3: "},
		"no query":           {good + `{"doc":"a.md"}`, "q.jsonl, line 2: \"query\" and \"doc\" are needed"},
		"a blank query":      {`{"query":" ","doc":"a.md"}`, "line 1: \"query\" and \"doc\" are needed"},
		"no doc":             {good + good + `{"query":"q"}`, "line 3: \"query\" and \"doc\" are needed"},
		"a grade of 0":       {`{"query":"q","doc":"a.md","grade":0}`, `line 1: "grade" is 0, it must be at least 1`},
		"a grade below 0":    {`{"query":"q","doc":"a.md","grade":-2}`, `"grade" is -2`},
		"a broken grade":     {`{"query":"q","doc":"a.md","grade":1.5}`, "line 1: "},
		"a query of a type":  {`{"query":7,"doc":"a.md"}`, "line 1: "},
		"src of a type":      {`{"query":"q","doc":"a.md","src":7}`, `line 1: "src" must be a page or a list of pages`},
		"a list, not a line": {"[" + good + "]", "line 1: "},
	} {
		_, err := ReadQueries(strings.NewReader(c.file), "q.jsonl")
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrEmpty) {
			t.Errorf("%s: the error is %v, want %s", name, err, c.want)
		}
	}
	for _, file := range []string{"", "\n\n", "\uFEFF"} {
		if _, err := ReadQueries(strings.NewReader(file), "q.jsonl"); !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), "q.jsonl") {
			t.Errorf("%q: the error is %v", file, err)
		}
	}
	broken := errors.New("disk on fire")
	if _, err := ReadQueries(failing{broken}, "q.jsonl"); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Every file either gives an error or queries that Run accepts.
func FuzzReadQueries(f *testing.F) {
	f.Add(`{"query":"q","doc":"a.md","section":"A","grade":3,"src":["b.md"]}` + "\n" + `{"query":"q","doc":"b.md","grade":1}`)
	f.Add("\uFEFF\n{\"query\":\"\\ud800\",\"doc\":\"\\u0000\"}")
	f.Add(`{"query":"q","doc":"a.md","src":"b.md","anchor":"x"}{}`)
	f.Fuzz(func(t *testing.T, file string) {
		queries, err := ReadQueries(strings.NewReader(file), "q.jsonl")
		if err == nil && len(queries) == 0 {
			t.Fatal("no queries and no error")
		}
		if err != nil {
			return
		}
		for _, q := range queries {
			if strings.TrimSpace(q.Text) == "" || q.ID == "" || len(q.Documents) == 0 {
				t.Fatalf("%+v", q)
			}
			for d, g := range q.Documents {
				if d == "" || g < 1 {
					t.Fatalf("%+v", q)
				}
			}
			for _, s := range q.Sections {
				if s.Grade < 1 || s.Grade > q.Documents[s.Doc] || s.Heading+s.Anchor == "" {
					t.Fatalf("%+v", q)
				}
			}
		}
	})
}

// folder writes files into a temporary folder and returns its path.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCollection(t *testing.T) {
	t.Parallel()
	have := func(id string) bool { return id == "d1" || id == "d2" }
	queries := `{"_id":"q1","text":"trim"}
{"_id":"q2","text":"oil"}

{"_id":"q3","text":"judged as worthless"}
{"_id":"q4","text":"never judged"}
{"_id":"q5","text":" "}`
	want := []Query{
		{ID: "q1", Text: "trim", Documents: map[string]int{"d1": 2, "d2": 1}},
		{ID: "q2", Text: "oil", Documents: map[string]int{"d2": 1}},
	}
	for name, qrels := range map[string]string{
		"with a header":        "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\nq2\td2\t1\nq3\td1\t0\nq5\td1\t1\n",
		"with a BOM":           "\uFEFFquery-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\nq2\td2\t1\n",
		"without a header":     "q1\td1\t2\n\nq1\td2\t1\nq2\td2\t1",
		"TREC's own form":      "q1 0 d1 2\nq1 0 d2 1\nq2 0 d2 1\nq3 0 d1 0\n",
		"with negative grades": "q1\td1\t2\nq1\td2\t1\nq2\td2\t1\nq2\td1\t-1\r\n",
	} {
		c := Collection{folder(t, map[string]string{"corpus.jsonl": "", "queries.jsonl": queries, "qrels.tsv": qrels})}
		got, err := c.Queries("", have)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestPartsOfACollection(t *testing.T) {
	t.Parallel()
	c := Collection{folder(t, map[string]string{
		"corpus.jsonl":  "\uFEFF" + `{"_id":"d1","title":"T","text":"x","metadata":{}}` + "\n\n" + `{"_id":"d2","text":"y"}`,
		"queries.jsonl": "{", "qrels.tsv": "x",
		"queries-train.jsonl": `{"_id":"7","text":"trim"}`, "qrels-train.tsv": "7\td1\t1",
	})}
	docs := map[string]Document{}
	if err := c.Documents(func(d Document) error { docs[d.ID] = d; return nil }); err != nil {
		t.Fatal(err)
	}
	if want := map[string]Document{"d1": {"d1", "T", "x"}, "d2": {"d2", "", "y"}}; !maps.Equal(docs, want) {
		t.Errorf("documents are %v", docs)
	}
	stop := errors.New("stop")
	if err := c.Documents(func(Document) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the error is %v", err)
	}
	got, err := c.Queries("-train", func(id string) bool { return docs[id].ID != "" })
	if err != nil || len(got) != 1 || got[0].ID != "7" || got[0].Documents["d1"] != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFaultsOfACollection(t *testing.T) {
	t.Parallel()
	queries := `{"_id":"q1","text":"trim"}`
	good := map[string]string{"corpus.jsonl": `{"_id":"d1","text":"x"}`, "queries.jsonl": queries, "qrels.tsv": "q1\td1\t1"}
	with := func(name, text string) map[string]string {
		files := maps.Clone(good)
		if files[name] = text; text == "" {
			delete(files, name)
		}
		return files
	}
	have := func(id string) bool { return id == "d1" }
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no corpus":                {with("corpus.jsonl", ""), "is no judged collection: it has no corpus.jsonl"},
		"no queries":               {with("queries.jsonl", ""), "is no judged collection: it has no queries.jsonl"},
		"no judgements":            {with("qrels.tsv", ""), "is no judged collection: it has no qrels.tsv"},
		"a document without an id": {with("corpus.jsonl", "\n{\"text\":\"x\"}"), `corpus.jsonl, line 2: "_id" is needed`},
		"a document twice":         {with("corpus.jsonl", "{\"_id\":\"d1\"}\n{\"_id\":\"d1\"}"), `corpus.jsonl, line 2: the document "d1" is there twice`},
		"a broken corpus":          {with("corpus.jsonl", "{"), "corpus.jsonl, line 1: "},
		"broken queries":           {with("queries.jsonl", "{"), "queries.jsonl, line 1: "},
		"a grade that is none":     {with("qrels.tsv", "q1\td1\t1\nq1\td1\tgood"), "qrels.tsv, line 2: it must have a query, a document and a grade"},
		"two fields":               {with("qrels.tsv", "q1\td1"), "qrels.tsv, line 1: it must have"},
		"unknown documents":        {with("qrels.tsv", "q1\td9\t1\nq1\td1\t1\nq1\td7\t1\nq1\td9\t1\nq1\td8\t0\nq1\td6\t1"), "qrels.tsv: queries ask for documents that are not there: d6, d7, d8 and 1 more"},
	} {
		coll := Collection{folder(t, c.files)}
		err := coll.Documents(func(Document) error { return nil })
		if err == nil {
			_, err = coll.Queries("", have)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	for name, files := range map[string]map[string]string{
		"nothing judged":        with("qrels.tsv", "query-id\tcorpus-id\tscore\n"),
		"nothing relevant":      with("qrels.tsv", "q1\td1\t0"),
		"other queries judged":  with("qrels.tsv", "q9\td1\t1"),
		"no query in the file":  with("queries.jsonl", "\n"),
		"a query without words": with("queries.jsonl", `{"_id":"q1","text":""}`),
	} {
		if _, err := (Collection{folder(t, files)}).Queries("", have); !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	dir := folder(t, good)
	if !IsCollection(dir) || IsCollection(filepath.Join(dir, "corpus.jsonl")) || IsCollection(t.TempDir()) {
		t.Error("IsCollection is wrong")
	}
}

func TestUnknownDocuments(t *testing.T) {
	t.Parallel()
	if err := UnknownDocuments(nil); err != nil {
		t.Error(err)
	}
	for want, ids := range map[string][]string{
		"not there: a":                   {"a", "a"},
		"not there: a, b, c":             {"c", "b", "a"},
		"not there: a, b, c and 2 more":  {"e", "d", "c", "b", "a", "e"},
		"not there: 1, 10, 2 and 1 more": {"10", "3", "2", "1"},
	} {
		if err := UnknownDocuments(ids); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v: %v", ids, err)
		}
	}
}
