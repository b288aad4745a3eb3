package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/tui/style"
)

func TestLanguage(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"go": "go", "YAML": "yaml", "yml": "yaml", "yaml{3-5}": "yaml", "": "text", "none": "text",
		"go rust": "text",
		"gRPC":    "text", "rust,compile_fail,E0716": "rust", "rust,ignore": "rust", ",": "text", "{.rust}": "text", "c++": "c++", "text": "text", " ": "text"} {
		if got := highlighterName(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// Code of whatever language is shown as it is written, and a known language
// still has its colours.
func TestCodeIsShownAsItIsWritten(t *testing.T) {
	t.Parallel()
	src := "```yml\nkey: value # note\n```\n\n- item\n\n  ```\n  bare\n  ```\n\n      indented\n\n```gRPC stream\nrpc x\n```\n\n    four spaces\n    ```\n\n> ~~~ GO\n> func f() {}\n> ~~~\n"
	out, err := (&Renderer{}).renderMarkdown(src, 60, style.Dark, false)
	if err != nil {
		t.Fatal(err)
	}
	styled := strings.Join(out.lines, "\n")
	text := ansi.Strip(styled)
	for _, want := range []string{"key: value # note", "bare", "indented", "rpc x", "four spaces", "```", "func f() {}"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not shown:\n%s", want, text)
		}
	}
	for _, not := range []string{"text", "gRPC", "yaml", "GO"} {
		if strings.Contains(text, not) {
			t.Errorf("%q is shown:\n%s", not, text)
		}
	}
	if !strings.Contains(styled, "m#") && !strings.Contains(styled, "m# note") {
		t.Errorf("a comment in YAML has no colour of its own:\n%q", styled)
	}
}

// unknownLanguages is code without a language that anybody knows: the highlighter
// took 6 ms a block to look for it among file names.
func unknownLanguages() string {
	src := ""
	for i := range 40 {
		src += fmt.Sprintf("```lang%d\nx\n```\n\n", i)
	}
	return src
}

// A block of an unknown language is shown as it is.
func TestUnknownLanguages(t *testing.T) {
	t.Parallel()
	r := &Renderer{}
	out, err := r.renderMarkdown(unknownLanguages(), 80, style.Dark, false)
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, l := range out.lines {
		if strings.TrimSpace(ansi.Strip(l)) == "x" {
			shown++
		}
	}
	if shown != 40 {
		t.Errorf("%d of 40 blocks are shown", shown)
	}
}

// BenchmarkLanguages renders 40 blocks of an unknown and of a known language,
// which take about the same.
func BenchmarkLanguages(b *testing.B) {
	for name, src := range map[string]string{"unknown": unknownLanguages(), "known": strings.Repeat("```go\nx\n```\n\n", 40)} {
		b.Run(name, func(b *testing.B) {
			r := &Renderer{}
			for b.Loop() {
				if _, err := r.renderMarkdown(src, 80, style.Dark, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
