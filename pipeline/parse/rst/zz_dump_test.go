package rst

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/parse"
)

func TestZZDump(t *testing.T) {
	root := os.Getenv("RST_ROOT")
	out := os.Getenv("RST_OUT")
	if root == "" {
		t.Skip()
	}
	filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !(strings.HasSuffix(p, ".txt") || strings.HasSuffix(p, ".rst")) {
			return nil
		}
		src, _ := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		doc, err := Parser{}.Parse(context.Background(), src, parse.Options{Path: rel, FallbackTitle: rel, Open: func(q string) ([]byte, error) { return os.ReadFile(filepath.Join(root, q)) }})
		if err != nil {
			t.Errorf("%s: %v", rel, err)
		}
		for _, w := range doc.Warnings {
			t.Logf("%s: %s", rel, w)
		}
		if out != "" {
			o := filepath.Join(out, rel+".md")
			os.MkdirAll(filepath.Dir(o), 0o755)
			os.WriteFile(o, doc.Text, 0o644)
			var b strings.Builder
			for _, s := range doc.Sections {
				b.WriteString(s.Heading() + "\t#" + s.Anchor + "\n")
			}
			os.WriteFile(o+".toc", []byte(b.String()), 0o644)
		}
		return nil
	})
}
