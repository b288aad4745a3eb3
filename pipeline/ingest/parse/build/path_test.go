package build

import "testing"

func TestRelativePath(t *testing.T) {
	for _, tt := range []struct{ page, file, want string }{
		{"a.md", "b.md", "b.md"},
		{"a.md", "x/b.md", "x/b.md"},
		{"x/a.md", "b.md", "../b.md"},
		{"x/a.md", "x/b.md", "b.md"},
		{"x/y/a.md", "x/z/b.md", "../z/b.md"},
		{"x/y/a.md", "x/y", "../y"},
		{"x/a.md", "xy/b.md", "../xy/b.md"},
	} {
		if got := RelativePath(tt.page, tt.file); got != tt.want {
			t.Errorf("%s from %s: %q, want %q", tt.file, tt.page, got, tt.want)
		}
	}
}
