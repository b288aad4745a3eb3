package parse_test

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/blobs"
	"docent/store/doc"
)

// memory is a doc set without a folder.
type memory map[string]string

func (m memory) Open(path string) (parse.Opened, error) {
	text, ok := m[path]
	if !ok {
		return parse.Opened{}, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return parse.Opened{Data: []byte(text), ModTime: 7}, nil
}

func (m memory) List(endings ...string) []string {
	if _, ok := m["b.map"]; ok {
		return []string{"a.map", "b.map"}
	}
	return []string{"a.map"}
}

// A page that takes text from other files is kept as long as these are what they were.
func TestUses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p := &parsetest.Notes{}
	r := with(t, p, blobs.OpenStore(t.TempDir()))
	set := memory{"inc/a.txt": "first\n"}
	file := parse.File{Path: "p.notes", Layout: doc.LayoutTree, Files: set}
	src := []byte(".include inc/a.txt\n.include ./inc/../none.txt\n.include inc/a.txt\n.list .map\nend\n")
	read := func(want string, conversions int64) doc.Document {
		t.Helper()
		d, err := r.Parse(ctx, src, file)
		if err != nil || string(d.Text) != want || p.Converted.Load() != conversions {
			t.Fatalf("%q after %d conversions, %v; want %q after %d", d.Text, p.Converted.Load(), err, want, conversions)
		}
		return d
	}
	d := read("first\nfirst\na.map\nend\n", 1)
	var used []string
	for _, u := range d.Uses {
		used = append(used, fmt.Sprint(u.Path, u.Endings, u.SHA256 != "", u.Bytes, u.ModTime))
	}
	if want := []string{"inc/a.txt[] true 6 7", "none.txt[] false 0 0", "[.map] true 0 0"}; !reflect.DeepEqual(used, want) {
		t.Errorf("used are %q, want %q", used, want)
	}
	if again := read("first\nfirst\na.map\nend\n", 1); !reflect.DeepEqual(again, d) {
		t.Errorf("kept is %+v, converted was %+v", again, d)
	}
	set["inc/a.txt"] = "second\n"
	read("second\nsecond\na.map\nend\n", 2)
	set["none.txt"] = "there now\n"
	read("second\nthere now\nsecond\na.map\nend\n", 3)
	set["b.map"] = ""
	read("second\nthere now\nsecond\na.map b.map\nend\n", 4)
	read("second\nthere now\nsecond\na.map b.map\nend\n", 4)
	delete(set, "inc/a.txt")
	read("there now\na.map b.map\nend\n", 5)
	file.Files = nil
	if d := read("end\n", 6); len(d.Uses) > 0 || len(d.Warnings) != 3 {
		t.Errorf("without its doc set: uses %v, warnings %q", d.Uses, d.Warnings)
	}
}

// opening is a parser that opens the files that its source names.
type opening struct{ fake }

func (opening) Parse(_ context.Context, src []byte, opt parse.Options) (d doc.Document, _ error) {
	for name := range strings.FieldsSeq(string(src)) {
		if _, err := opt.Open(name); err != nil {
			d.Warnings = append(d.Warnings, err.Error())
		}
	}
	d.Text = []byte("text")
	return d, nil
}

// What a parser asks for outside of the doc set is refused before anything is opened,
// and a page cannot take in files without end.
func TestUsesAreBounded(t *testing.T) {
	t.Parallel()
	r := with(t, &parsetest.Notes{}, nil)
	for _, path := range []string{"/etc/passwd", "../a.txt", "a/../../b", "", ".", "\xff"} {
		d, err := r.Parse(context.Background(), []byte(".include "+path+"\n"), parse.File{Path: "p.notes", Layout: doc.LayoutTree, Files: memory{path: "taken"}})
		if err != nil || strings.Contains(string(d.Text), "taken") || len(d.Uses) > 0 || len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "outside") {
			t.Errorf("%q: %q, uses %v, warnings %q, %v", path, d.Text, d.Uses, d.Warnings, err)
		}
	}
	set := memory{}
	var src strings.Builder
	for i := range 2100 {
		name := fmt.Sprintf("f%d.txt", i)
		set[name] = "x\n"
		src.WriteString(".include " + name + "\n")
	}
	d, err := r.Parse(context.Background(), []byte(src.String()), parse.File{Path: "p.notes", Layout: doc.LayoutTree, Files: set})
	if err != nil || len(d.Uses) != 2000 || len(d.Warnings) != 100 {
		t.Errorf("%d files were taken in, %d warnings, %v", len(d.Uses), len(d.Warnings), err)
	}
	big := strings.Repeat("x", 20<<20) + "\n"
	set = memory{"a.txt": big, "b.txt": big, "c.txt": big, "d.txt": big}
	if err := r.Register(opening{fake{Format: "opening", Version: 1, Name: "Opening", Extensions: []string{".open"}}}); err != nil {
		t.Fatal(err)
	}
	d, err = r.Parse(context.Background(), []byte("a.txt b.txt c.txt d.txt"), parse.File{Path: "p.open", Layout: doc.LayoutTree, Files: set})
	if err != nil || len(d.Uses) != 3 || len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "64 MB") {
		t.Errorf("%d files, warnings %q, %v", len(d.Uses), d.Warnings, err)
	}
}
