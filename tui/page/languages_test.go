package page

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"docent/tui/style"
)

func TestLanguage(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"go": "go", "YAML": "yaml", "yml": "yaml", "yaml{3-5}": "yaml", "": "text", "none": "text", "go rust": "text",
		"gRPC": "text", "c++": "c++", "text": "text", " ": "text"} {
		if got := language(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// Code of whatever language is shown as it is written, and a known language
// still has its colours.
func TestCodeIsShownAsItIsWritten(t *testing.T) {
	t.Parallel()
	src := "```yml\nkey: value # note\n```\n\n- item\n\n  ```\n  bare\n  ```\n\n      indented\n\n```gRPC stream\nrpc x\n```\n\n    four spaces\n    ```\n\n> ~~~ GO\n> func f() {}\n> ~~~\n"
	out, err := (&Renderer{}).markdown(src, 60, style.Dark, false)
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

// Much code without a language, or with one that nobody knows, renders quickly:
// the highlighter took 6 ms a block to look for it among file names. The best
// of five times counts, since the machine is shared.
func TestUnknownLanguagesAreQuick(t *testing.T) {
	known, unknown := strings.Repeat("```go\nx\n```\n\n", 40), ""
	for i := range 40 {
		unknown += fmt.Sprintf("```lang%d\nx\n```\n\n", i)
	}
	r := &Renderer{}
	best := func(src string) time.Duration {
		least := time.Hour
		for range 5 {
			start := time.Now()
			if _, err := r.markdown(src, 80, style.Dark, false); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	base := best(known)
	if got := best(unknown); got > 3*base+20*time.Millisecond {
		t.Errorf("40 blocks of unknown languages take %v, of a known one %v", got, base)
	}
}
