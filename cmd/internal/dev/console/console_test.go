//go:build unix

package console

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
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

// A program that scrolls for the size before a resize once ended the measurement of the app.
func TestTheEmulatorOutlivesAResize(t *testing.T) {
	t.Parallel()
	emu := vt.NewEmulator(20, 24)
	Feed(emu, []byte("before"))
	emu.Resize(20, 6)
	Feed(emu, []byte("\x1b[2;24r\x1b[2;1H\x1b[3M\x1b[3L\x1b[3S\x1b[2J\x1b[Hafter"))
	if s := emu.String(); !strings.HasPrefix(s, "after") {
		t.Errorf("the screen is %q", s)
	}
}
