package keymap

import (
	"slices"
	"strings"
	"testing"
)

// screens are the parts that may have the keyboard: the modes, and in the pane each pane's
// own in addition.
func screens() []Mode {
	out := []Mode{InQuestion, InPreview, InReader, InFind, InOutline, InLinks, InSets, InLibrary, InEntry, InConfirm, InFirst, InHelp,
		InPicker, InPrompt, InGoTo, InPane}
	for _, own := range []Mode{InHits, InQueries, InRoute, InRerank, InExtract, InFinal, InStart} {
		out = append(out, InPane|own)
	}
	return out
}

// A key must mean one thing in a mode.
func TestKeysAreUniqueInAMode(t *testing.T) {
	t.Parallel()
	for _, mode := range screens() {
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
				if got, ok := DefaultMap().Find(mode, k); !ok || got.Action != b.Action {
					t.Errorf("mode %b: Find(%q) is %v, %v", mode, k, got.Action, ok)
				}
			}
		}
		if seen["esc"] != Back || seen["ctrl+c"] != Quit {
			t.Errorf("mode %b: escape is %q, ctrl+c is %q", mode, seen["esc"], seen["ctrl+c"])
		}
		if mode.TakesText() {
			for k := range seen {
				if writesText(k) {
					t.Errorf("%q cannot be typed in mode %b", k, mode)
				}
			}
		} else if overlay := InReader | InLinks | InSets | InLibrary | InConfirm | InHelp; mode&overlay != 0 && seen["q"] != Back ||
			mode&overlay == 0 && seen["q"] != Quit {
			// A person who presses q in an overlay wants to leave it, not the program.
			t.Errorf("mode %b: q is %q", mode, seen["q"])
		}
	}
}

func TestEveryBindingIsExplained(t *testing.T) {
	t.Parallel()
	groups := map[Group]bool{}
	for _, g := range GroupsInOrder() {
		groups[g] = true
	}
	md := MarkdownTable()
	for _, b := range Table() {
		if b.Help == "" || b.Label == "" || len(b.Keys) == 0 || b.In == 0 || !groups[b.Group] {
			t.Errorf("%s lacks something: %+v", b.Action, b)
		}
		if !strings.Contains(md, b.Help) {
			t.Errorf("%s is not in the manual's table", b.Action)
		}
		for _, k := range b.Keys {
			if n, why := normalKey(k); n != k || why != "" {
				t.Errorf("%s: the key %q is %q when a configuration says it: %s", b.Action, k, n, why)
			}
		}
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	for _, r := range reasons {
		if r.need.ReasonWithout(0) == "" {
			t.Errorf("need %b has no reason", r.need)
		}
		if got := r.need.ReasonWithout(r.need); got != "" {
			t.Errorf("need %b is there, but: %s", r.need, got)
		}
	}
	if got := (NeedResult | NeedFinal).ReasonWithout(NeedResult); !strings.Contains(got, "no answer") {
		t.Errorf("the wrong need is told: %s", got)
	}
	if _, ok := DefaultMap().Find(InPane, "ctrl+alt+del"); ok {
		t.Error("a key that nobody bound was found")
	}
	if len(DefaultMap().Footer(InPane)) == 0 || len(BindingsOf(Up, Down)) < 2 {
		t.Error("Footer or Of finds nothing")
	}
}

func TestRebind(t *testing.T) {
	t.Parallel()
	m, problems := Rebind(map[string][]string{"copy-final": {"Ctrl+Y", "z"}, "rerank": {}, "help": {"Q"}, "down": {"p", "down"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for key, want := range map[string]Action{"ctrl+y": CopyFinal, "z": CopyFinal, "Q": Help, "p": Down, "down": Down} {
		if b, _ := m.Find(InPane|InHits, key); b.Action != want {
			t.Errorf("%s is %q, want %q", key, b.Action, want)
		}
	}
	for _, key := range []string{"y", "r", "?", "j"} {
		if b, ok := m.Find(InPane|InHits, key); ok {
			t.Errorf("%s still means %s", key, b.Action)
		}
	}
	// Where one types, a key that writes is text: the old key stays.
	if b, _ := m.Find(InQuestion, "f1"); b.Action != Help {
		t.Errorf("f1 is %q in the question", b.Action)
	}
	if b, ok := m.Find(InQuestion, "B"); ok {
		t.Errorf("B means %s in the question", b.Action)
	}
	i := slices.IndexFunc(m.Table(), func(b Binding) bool { return b.Action == CopyFinal })
	if got := m.Table()[i].Label; got != "ctrl+y z" {
		t.Errorf("the label is %q", got)
	}
	// The table itself is as it was.
	if b, _ := DefaultMap().Find(InPane, "y"); b.Action != CopyFinal {
		t.Error("rebinding changed the table")
	}
}

// The ways out cannot be lost, and nothing is changed by a faulty choice.
func TestRebindFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		keys []string
		says string
	}{
		{"copy-finl", []string{"z"}, `did you mean "copy-final"`},
		{"zzz", []string{"z"}, "no such action"},
		{"copy-final", []string{"r"}, "rerank"},
		{"copy-final", []string{"esc"}, "way out"},
		{"copy-final", []string{"ctrl+c"}, "way out"},
		{"copy-final", []string{"hyperspace"}, "named keys"},
		{"copy-final", []string{"cmd+y"}, "ctrl, alt, shift"},
		{"copy-final", []string{" "}, "empty key"},
		{"nth-phase", []string{"z"}, "digits"},
		{"sort", []string{"y"}, "copy-final"},
		{"edit-query", []string{"s"}, "scene"},
	} {
		m, problems := Rebind(map[string][]string{tt.name: tt.keys})
		if len(problems) == 0 || !strings.Contains(problems[0].Message, tt.says) && !strings.Contains(problems[0].Action, tt.says) {
			t.Errorf("%s = %q: %v", tt.name, tt.keys, problems)
		}
		if b, _ := m.Find(InPane, "y"); b.Action != CopyFinal {
			t.Errorf("%s = %q changed something", tt.name, tt.keys)
		}
	}
	for _, keys := range []map[string][]string{{"quit": {}}, {"back": {}}, {"quit": {"x1"}},
		{"quit": {"ctrl+q"}, "back": {"ctrl+b", "backspace"}}} {
		m, _ := Rebind(keys)
		for _, mode := range screens() {
			a, _ := m.Find(mode, "esc")
			b, _ := m.Find(mode, "ctrl+c")
			if a.Action != Back || b.Action != Quit {
				t.Errorf("%v: no way out of mode %b", keys, mode)
			}
		}
	}
}

// What a configuration needs of this package are plain values.
func TestActionsAndCheck(t *testing.T) {
	t.Parallel()
	var actions []string
	for _, b := range Table() {
		name := string(b.Action)
		if b.Action == NthPhase || slices.Contains(actions, name) {
			continue
		}
		actions = append(actions, name)
		if _, problems := Rebind(map[string][]string{name: {"alt+f9"}}); len(problems) > 0 {
			t.Errorf("the keys of %s cannot be chosen: %v", name, problems)
		}
	}
	if len(actions) < 60 {
		t.Errorf("the actions are %q", actions)
	}
	var got []string
	report := func(action, message string) { got = append(got, action+": "+message) }
	if CheckKeys(map[string][]string{"copy-final": {"ctrl+y"}}, report); len(got) > 0 {
		t.Errorf("a good choice is reported: %q", got)
	}
	CheckKeys(map[string][]string{"zzz": {"z"}, "copy-final": {"esc", "hyperspace"}}, report)
	if len(got) != 3 || !strings.HasPrefix(got[0], "copy-final: esc ") || !strings.Contains(got[1], "hyperspace") ||
		!strings.HasPrefix(got[2], "zzz: there is no such action") {
		t.Errorf("reported: %q", got)
	}
}

// MarkdownTable is the key table for the manual.
func MarkdownTable() string {
	var b strings.Builder
	b.WriteString("| key | what it does |\n| --- | --- |\n")
	for _, g := range GroupsInOrder() {
		for _, row := range table {
			if row.Group == g {
				b.WriteString("| `" + row.Label + "` | " + row.Help + " |\n")
			}
		}
	}
	return b.String()
}

// In the reader "+" changed the threshold of an answer that was not on the screen, and ran it again.
func TestTheReaderChangesNoAnswerThatIsNotSeen(t *testing.T) {
	t.Parallel()
	for _, b := range Table() {
		switch b.Action {
		case Extent, Scene, RaiseThreshold, LowerThreshold, Rerank, Full, Compress, Summarize, Rerun, Everywhere, Undo, Redo:
			if b.In&(InReader|InOutline|InLinks|InFind) != 0 {
				t.Errorf("%s (%s) works in the reader, where the answer is not seen", b.Action, b.Label)
			}
		}
	}
}
