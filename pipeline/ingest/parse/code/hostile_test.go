package code_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/code"
	"docent/pipeline/ingest/parse/parsetest"
)

// hostile are extreme files.
func hostile(n int) map[string]string {
	numbered := func(format string) string { return parsetest.Numbered(n, "", format) }
	out := map[string]string{}
	for _, ext := range []string{"go", "c", "cpp", "js", "ts", "java", "rs", "kt", "swift", "cs", "php", "py", "rb", "lua", "sh", "proto"} {
		for name, src := range map[string]string{
			"open braces":     strings.Repeat("{", n),
			"open lines":      strings.Repeat("{\n", n),
			"closed":          strings.Repeat("}\n", n),
			"parentheses":     strings.Repeat("(", n),
			"angles":          "class a" + strings.Repeat("<a", n),
			"angles closed":   strings.Repeat("a<", n) + ">",
			"quotes":          strings.Repeat("\"'`\n", n),
			"quotes in a row": strings.Repeat(`"`, n),
			"escaped quotes":  strings.Repeat(`'\`, n),
			"slashes":         strings.Repeat("(/[", n),
			"open comments":   strings.Repeat("/*", n),
			"comments":        strings.Repeat("// a\n", n),
			"hashes":          strings.Repeat("# a\n", n),
			"raw strings":     strings.Repeat(`r#"a R"x(`, n),
			"heredocs":        strings.Repeat("a <<A <<B <<<C\n", n),
			"templates":       strings.Repeat("`${", n),
			"classes":         strings.Repeat("class a {\n", n),
			"functions":       numbered("function f%d() {}\n"),
			"C functions":     numbered("int f%d(int a) { return 1; }\n"),
			"one name":        strings.Repeat("func a() {}\ndef a(): pass\n", n),
			"directives":      strings.Repeat("#if A\n{\n#else\n", n),
			"annotations":     strings.Repeat("@a(\n", n),
			"assignments":     strings.Repeat("a = \n\n", n),
			"a long head":     "void " + strings.Repeat("a ", n) + "f() {}",
			"blank lines":     "int a,\n" + strings.Repeat("\n", n) + "b;",
			"indents":         strings.Repeat(strings.Repeat(" ", 300)+"a\n", n/300),
			"defs":            strings.Repeat("def a\n", n),
			"class in class":  nestedClasses(min(n, 500)),
			"doc lists":       "/**\n" + strings.Repeat(" * - a\n", n) + " */\nint f() {}",
			"doc code":        "/**\n" + strings.Repeat(" * ```\n", n) + " */\nint f() {}",
			"doc tags":        "/**\n" + strings.Repeat(" * @param a <b {@code x}\n", n) + " */\nint f() {}",
			"backticks":       "// " + strings.Repeat("`` ` ", n) + "\nfunc f() {}",
			"controls":        strings.Repeat("a\x1b[31m\u202e\x07\n", n),
			"not UTF-8":       strings.Repeat("\xff\xc3( {\n", n),
			"returns":         strings.Repeat("int a;\r", n),
		} {
			out[name+"."+ext] = "package a\n" + src
		}
	}
	return out
}

func nestedClasses(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sclass a%d:\n", strings.Repeat(" ", i), i)
	}
	return b.String()
}

// Whatever a file is, it is read or left out with a reason, in time and memory that are
// linear in its size.
func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, code.Parser{}, "", hostile, nil)
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	parsetest.Canceled(t, code.Parser{}, "a.go", "package a\n")
}

// FuzzParse takes the first byte for the language.
func FuzzParse(f *testing.F) {
	endings := code.Parser{}.Info().Extensions
	for name, src := range parsetest.Sources(f, "testdata/*.*") {
		for i, e := range endings {
			if filepath.Ext(name) == e {
				f.Add(byte(i), src)
			}
		}
	}
	for name, src := range hostile(3) {
		for i, e := range endings {
			if filepath.Ext(name) == e {
				f.Add(byte(i), []byte(src))
			}
		}
	}
	f.Fuzz(func(t *testing.T, lang byte, src []byte) {
		parsetest.Promises(t, code.Parser{}, src, parse.Options{Path: "a" + endings[int(lang)%len(endings)]})
	})
}

// The files are the fixture of a language, many times.
func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"retry.go", "lamp.py", "store.js", "Lamp.java", "lamp.cpp", "lamp.rs"} {
		b.Run(filepath.Ext(name)[1:], func(b *testing.B) {
			one, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				b.Fatal(err)
			}
			src := []byte(strings.Repeat(string(one), 100))
			if name == "retry.go" {
				_, body, _ := strings.Cut(string(one), "// Kinds")
				src = []byte(string(one) + strings.Repeat("\n// Kinds"+body, 100))
			}
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (code.Parser{}).Parse(b.Context(), src, parse.Options{Path: name}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
