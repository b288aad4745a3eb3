package console_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"docent/cmd/internal/cli/console"
	"docent/pipeline/service/home"
)

// What is printed does not steer the terminal, and a part of a line begins no line.
func TestTextIsSafe(t *testing.T) {
	t.Parallel()
	if got := console.OneLine("a\nb\tc\x1b[31m"); strings.ContainsAny(got, "\n\t\x1b") || !strings.HasPrefix(got, "a b c") {
		t.Errorf("%q", got)
	}
	if got := console.Clean("a\nb\x1b[2J"); strings.Contains(got, "\x1b") || !strings.Contains(got, "a\nb") {
		t.Errorf("%q", got)
	}
	got := console.CleanArgs([]any{"a\nb", errors.New("c\nd"), 3})
	if got[0] != "a b" || got[1] != "c; d" || got[2] != 3 {
		t.Errorf("%q", got)
	}
}

// JSON on a terminal is the same value, without bytes that steer it.
func TestJSONIsEscaped(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	const said = "wick\u202e\u009b31m"
	raw, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := console.EscapeControls(&out).Write(raw); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != said || strings.ContainsAny(out.String(), "\u202e\u009b") {
		t.Errorf("%q is %q, %v", out.String(), back, err)
	}
}

func TestBytesAreCounted(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 2048: "2 KB", 3 << 19: "1.5 MB", 20 << 20: "20 MB"} {
		if got := console.Bytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// A path stays one word, however long it is.
// A long path keeps its beginning and its end.
// The paragraphs of an item ran together, notes had their sign, and emphasis was cut at each underscore.
func TestPagesAreRenderedAsInTheApp(t *testing.T) {
	t.Parallel()
	const page = "---\ntitle: x\n---\n# Lamp\n\n- **Details**\n\n  It burns.\n\n  It is *oil_kind_b*.\n\n> [!NOTE]\n> Trim the wick.\n"
	plain, err := console.RenderMarkdown(page, true)
	if err != nil {
		t.Fatal(err)
	}
	const want = "# Lamp\n\n• **Details**\n\n  It burns.\n\n  It is *oil_kind_b*.\n\n| **Note:** Trim the wick.\n"
	if plain != want {
		t.Errorf("rendered as\n%q, want\n%q", plain, want)
	}
	colored, err := console.RenderMarkdown(page, false)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(colored, "\x1b[") || strings.Contains(colored, ";2;") {
		t.Errorf("the colours are not those of the terminal: %q", colored)
	}
}

func TestPathsAreCutInTheMiddle(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{40: "/home/ada/lanterns/of/the/harbour/docs", 24: "/home/ad…he/harbour/docs", 8: "/h…/docs"} {
		if got := console.CutPath("/home/ada/lanterns/of/the/harbour/docs", width); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}

func TestWordsAreWrapped(t *testing.T) {
	t.Parallel()
	got := strings.Join(console.WrapWords("see /a/very/long/path/of/lamps now and then", 12), "|")
	if want := "see|/a/very/long/path/of/lamps|now and then"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if n := console.Widest("ab\n灯笼x\n"); n != 5 {
		t.Errorf("the widest line has %d columns", n)
	}
	if n := console.ScreenLines("ab\n"+strings.Repeat("x", 25)+"\n\n", 10); n != 5 {
		t.Errorf("%d lines of the screen", n)
	}
}

// broken is an output that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the pipe is closed") }

// The first error of an output is kept: what prints does not look.
func TestOutletRemembersItsError(t *testing.T) {
	t.Parallel()
	o := &console.Outlet{To: broken{}}
	for range 2 {
		if _, err := io.WriteString(o, "a"); err == nil {
			t.Error("no error")
		}
	}
	if _, ok := errors.AsType[*home.UnavailableError](o.WriteError()); !ok {
		t.Errorf("%v", o.WriteError())
	}
	var out bytes.Buffer
	well := &console.Outlet{To: &out, TTY: true}
	if n, err := io.WriteString(well, "a\x1b[2Jb"); err != nil || n != 6 || well.WriteError() != nil {
		t.Errorf("%d, %v, %v", n, err, well.WriteError())
	}
	if strings.Contains(out.String(), "\x1b[2J") {
		t.Errorf("%q", out.String())
	}
}

// A read that waits for somebody to type ends with its context.
func TestReadEndsWithTheContext(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	t.Cleanup(func() { _ = w.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := console.ReadUntil(ctx, r).Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	all, err := io.ReadAll(console.ReadUntil(t.Context(), strings.NewReader("lamp")))
	if err != nil || string(all) != "lamp" {
		t.Errorf("%q, %v", all, err)
	}
}
