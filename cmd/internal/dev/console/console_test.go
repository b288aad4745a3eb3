//go:build unix

package console

import (
	"slices"
	"testing"
)

func TestKeysAndSizes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"enter": "\r", "ctrl+o": "\x0f", "shift+tab": "\x1b[Z", "how do I": "how do I", "q": "q", "ctrl+": "ctrl+"} {
		if got := keys(in); got != want {
			t.Errorf("Keys(%q) is %q, want %q", in, got, want)
		}
	}
	if w, h, err := Size("110x32"); w != 110 || h != 32 || err != nil {
		t.Errorf("110x32 is %d, %d, %v", w, h, err)
	}
	for _, bad := range []string{"", "110", "0x4", "ax4", "4x-1", "99999x4"} {
		if _, _, err := Size(bad); err == nil {
			t.Errorf("%q is a size", bad)
		}
	}
	if got := environment([]string{"A=1", "NO_COLOR=1", "DOCENT_HOME=x"}); !slices.Equal(got, []string{"A=1", "TERM=xterm-256color", "COLORTERM=truecolor"}) {
		t.Errorf("the program's environment is %v", got)
	}
}
