package desktop

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestEditor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		visual, editor string
		want           []string
	}{
		{"", "vim", []string{"+7", "/d/a b.md"}},
		{"nvim -R", "vim", []string{"-R", "+7", "/d/a b.md"}},
		{"", "/usr/bin/nano", []string{"+7", "/d/a b.md"}},
		{"hx", "", []string{"/d/a b.md:7"}},
		{"code --wait", "", []string{"--wait", "--goto", "/d/a b.md:7"}},
		{"subl -w", "", []string{"-w", "/d/a b.md:7"}},
		{"kak", "", []string{"+7", "/d/a b.md"}},
		{"micro", "", []string{"+7", "/d/a b.md"}},
		{"emacsclient -nw -a ''", "", []string{"-nw", "-a", "", "+7", "/d/a b.md"}},
		{`"/opt/my editor/ed" --x`, "", []string{"--x", "/d/a b.md"}},
		{"Code.exe", "", []string{"--goto", "/d/a b.md:7"}},
	} {
		e, ok := NewEditor(env("VISUAL", tt.visual, "EDITOR", tt.editor))
		if got := e.lineArguments("/d/a b.md", 7); !ok || !slices.Equal(got, tt.want) {
			t.Errorf("%q, %q: %q, want %q", tt.visual, tt.editor, got, tt.want)
		}
	}
	if _, ok := NewEditor(env("VISUAL", " ")); ok {
		t.Error("an editor is known although none is named")
	}
	e, _ := NewEditor(env("EDITOR", "no-such-editor-here"))
	if _, err := e.Command("/x", 1); err == nil || !strings.Contains(err.Error(), "no-such-editor-here") {
		t.Errorf("a missing editor: %v", err)
	}
}

func TestBrowser(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a shell script stands for the browser")
	}
	dir := t.TempDir()
	program, out := filepath.Join(dir, "show"), filepath.Join(dir, "out")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s|' \"$@\" > "+out+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	b := Browser{[]string{program, "first"}}
	if err := b.Open(context.Background(), "https://example.org/a b?x=$(id)"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if want := "first|https://example.org/a%20b?x=$(id)|"; err != nil || string(got) != want {
		t.Errorf("it was given %q, want %q (%v)", got, want, err)
	}
	for _, bad := range []string{"file:///etc/passwd", "javascript:alert(1)", "--help", "", "https://", "mailto:a@b"} {
		if err := b.Open(context.Background(), bad); err == nil {
			t.Errorf("%q is opened", bad)
		}
	}
	if err := (Browser{[]string{"/bin/false"}}).Open(context.Background(), "https://example.org"); err == nil {
		t.Error("a program that fails is no error")
	}
	if _, ok := NewBrowser("plan9", env()); ok {
		t.Error("a browser without a display")
	}
}
