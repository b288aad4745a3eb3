package keymap

import (
	"strings"
	"testing"
)

// A key must mean one thing in a mode.
func TestKeysAreUniqueInAMode(t *testing.T) {
	t.Parallel()
	for mode := InQuestion; mode <= InHelp; mode <<= 1 {
		seen := map[string]Action{}
		for _, b := range Table() {
			if b.In&mode == 0 {
				continue
			}
			for _, k := range b.Keys {
				if old, ok := seen[k]; ok {
					t.Errorf("mode %b: %q is both %s and %s", mode, k, old, b.Action)
				}
				seen[k] = b.Action
				if got, ok := Find(mode, k); !ok || got.Action != b.Action {
					t.Errorf("mode %b: Find(%q) is %v, %v", mode, k, got.Action, ok)
				}
			}
		}
		if seen["esc"] != Back || seen["ctrl+c"] != Quit {
			t.Errorf("mode %b: escape is %q, ctrl+c is %q", mode, seen["esc"], seen["ctrl+c"])
		}
		if mode.Typed() {
			for k := range seen {
				if len([]rune(k)) == 1 {
					t.Errorf("mode %b: %q cannot be typed", mode, k)
				}
			}
		} else if overlay := InReader | InLinks | InSets | InHelp; mode&overlay != 0 && seen["q"] != Back || mode&overlay == 0 && seen["q"] != Quit {
			// Who presses q in an overlay wants to leave it, not the program.
			t.Errorf("mode %b: q is %q", mode, seen["q"])
		}
	}
}

func TestEveryBindingIsExplained(t *testing.T) {
	t.Parallel()
	groups := map[Group]bool{}
	for _, g := range Groups() {
		groups[g] = true
	}
	md := Markdown()
	for _, b := range Table() {
		if b.Help == "" || b.Label == "" || len(b.Keys) == 0 || b.In == 0 || !groups[b.Group] {
			t.Errorf("%s lacks something: %+v", b.Action, b)
		}
		if !strings.Contains(md, b.Help) {
			t.Errorf("%s is not in the manual's table", b.Action)
		}
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	for need := NeedReady; need <= NeedManual; need <<= 1 {
		if need.Reason(0) == "" {
			t.Errorf("need %b has no reason", need)
		}
		if got := need.Reason(need); got != "" {
			t.Errorf("need %b is there, but: %s", need, got)
		}
	}
	if got := (NeedResult | NeedFinal).Reason(NeedResult); !strings.Contains(got, "final block") {
		t.Errorf("the wrong need is told: %s", got)
	}
	if _, ok := Find(InPane, "ctrl+alt+del"); ok {
		t.Error("a key that nobody bound was found")
	}
	if len(Footer(InPane)) == 0 || len(Of(Up, Down)) < 2 {
		t.Error("Footer or Of finds nothing")
	}
}
