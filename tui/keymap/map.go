package keymap

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"docent/pipeline/text/spelling"
)

// Map is a table of bindings with the keys that a person configured. The zero Map
// has no keys; begin with Default.
type Map struct{ table []Binding }

// DefaultMap is the table with its default keys.
func DefaultMap() *Map { return &Map{table: Table()} }

// Table is every binding, in the order of the footer and the help.
func (m *Map) Table() []Binding { return m.table }

// Find is the binding of a key in a mode, or in one of several.
func (m *Map) Find(mode Mode, key string) (Binding, bool) {
	for _, b := range m.table {
		if b.In&mode != 0 && slices.Contains(b.Keys, key) {
			return b, true
		}
	}
	return Binding{}, false
}

// In are the bindings that work in a mode, each action once.
func (m *Map) In(mode Mode) []Binding {
	var out []Binding
	for _, b := range m.table {
		if b.In&mode != 0 && !slices.ContainsFunc(out, func(o Binding) bool { return o.Action == b.Action }) {
			out = append(out, b)
		}
	}
	return out
}

// Footer are the bindings that the footer shows in a mode: those that have a short
// description and, unless a person took them away, keys.
func (m *Map) Footer(mode Mode) []Binding {
	return slices.DeleteFunc(m.In(mode), func(b Binding) bool { return b.Short == "" || len(b.Keys) == 0 })
}

// Problem is an error in a choice of keys.
type Problem struct {
	Action  string // as the configuration names it
	Message string
}

// CheckKeys reports the faults of a choice of keys, by the name of the action.
// Its type is made of plain values, so that a package that reads a configuration
// can be given it without knowing this one.
func CheckKeys(keys map[string][]string, report func(action, message string)) {
	_, problems := Rebind(keys)
	for _, p := range problems {
		report(p.Action, p.Message)
	}
}

// Rebind gives actions other keys than the table's; an empty list takes an
// action's keys away. In the modes in which letters are text, a chosen letter is
// ignored; an action keeps the table's keys there when only letters were chosen.
//
// A choice with problems changes nothing. Problems are an unknown action or key,
// a key with two meanings in one mode, and any other use of esc and ctrl+c, which
// lead out of everything.
func Rebind(keys map[string][]string) (*Map, []Problem) {
	m := DefaultMap()
	var problems []Problem
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		chosen, bad := parseKeys(name, keys[name])
		problems = append(problems, bad...)
		if len(bad) == 0 {
			m.setKeys(Action(name), chosen)
		}
	}
	problems = append(problems, m.findClashes(keys)...)
	if len(problems) > 0 {
		return DefaultMap(), problems
	}
	return m, nil
}

// parseKeys reads the keys that were chosen for an action.
func parseKeys(name string, keys []string) (chosen []string, problems []Problem) {
	problem := func(format string, args ...any) {
		problems = append(problems, Problem{name, fmt.Sprintf(format, args...)})
	}
	a := Action(name)
	if !slices.ContainsFunc(table, func(b Binding) bool { return b.Action == a }) {
		problem("there is no such action%s", nearestAction(name))
		return nil, problems
	}
	if a == NthPhase {
		problem("the digits stay as they are: each is the step of its number")
		return nil, problems
	}
	for _, k := range keys {
		n, why := normalKey(k)
		switch {
		case why != "":
			problem("%s", why)
		case n == "ctrl+c" && a != Quit || n == "esc" && a != Back:
			problem("%s cannot be taken: it is the way out", n)
		default:
			chosen = append(chosen, n)
		}
	}
	return chosen, problems
}

// setKeys gives an action other keys.
func (m *Map) setKeys(a Action, chosen []string) {
	for i := range m.table {
		b := &m.table[i]
		if b.Action != a {
			continue
		}
		keys := slices.Clone(chosen)
		if b.In&typing != 0 {
			keys = slices.DeleteFunc(keys, writesText)
			if len(keys) == 0 && len(chosen) > 0 {
				continue
			}
		}
		switch a { // esc and ctrl+c always work
		case Back:
			keys = withBindings(keys, "esc")
		case Quit:
			keys = withBindings(keys, "ctrl+c")
		}
		b.Keys, b.Label = keys, labelOfKeys(keys)
	}
}

// findClashes are the keys with two meanings in one mode. Each is reported for the
// action whose keys were chosen.
func (m *Map) findClashes(chosen map[string][]string) []Problem {
	var out []Problem
	for i, a := range m.table {
		for _, b := range m.table[i+1:] {
			if a.Action == b.Action || a.In&b.In == 0 && !holdTogether(a.In, b.In) {
				continue
			}
			for _, k := range a.Keys {
				if slices.Contains(b.Keys, k) {
					mine, other := b.Action, a.Action
					if _, ok := chosen[string(mine)]; !ok {
						mine, other = other, mine
					}
					p := Problem{string(mine), fmt.Sprintf("%s means %s too; give one of them another key", k, other)}
					if !slices.Contains(out, p) {
						out = append(out, p)
					}
				}
			}
		}
	}
	return out
}

// holdTogether reports whether two modes hold at once: InPane and a pane's own mode.
func holdTogether(a, b Mode) bool {
	own := func(m Mode) bool { return m&panes != 0 }
	return a&InPane != 0 && own(b) || b&InPane != 0 && own(a)
}

const panes = InHits | InQueries | InRoute | InRerank | InExtract | InFinal | InStart

// writesText reports whether a key is a letter, which is text in a line that is typed in.
func writesText(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }

// labelOfKeys shows the first two keys of a binding.
func labelOfKeys(keys []string) string {
	shown := make([]string, 0, 2)
	for _, k := range keys[:min(len(keys), 2)] {
		switch k {
		case "up":
			k = "↑"
		case "down":
			k = "↓"
		case "left":
			k = "←"
		case "right":
			k = "→"
		}
		shown = append(shown, k)
	}
	return strings.Join(shown, " ")
}

func withBindings(keys []string, k string) []string {
	if slices.Contains(keys, k) {
		return keys
	}
	return append(keys, k)
}

// normalKey is a key as Bubble Tea names it, or why there is no such key.
func normalKey(k string) (name, why string) {
	k = strings.TrimSpace(k)
	if k == "" {
		return "", "an empty key; write it as in the table of the manual's page on keys"
	}
	if utf8.RuneCountInString(k) == 1 {
		if k == " " {
			return "space", ""
		}
		return k, ""
	}
	parts := strings.Split(strings.ToLower(k), "+")
	last := parts[len(parts)-1]
	if last == "" && len(parts) > 1 { // ctrl++
		parts, last = parts[:len(parts)-1], "+"
		parts[len(parts)-1] = "+"
	}
	for _, mod := range parts[:len(parts)-1] {
		if !slices.Contains([]string{"ctrl", "alt", "shift", "super", "meta", "hyper"}, mod) {
			return "", fmt.Sprintf("%q is no key: %q is none of ctrl, alt, shift", k, mod)
		}
	}
	if utf8.RuneCountInString(last) > 1 && !slices.Contains(namedKeys(), last) {
		return "", fmt.Sprintf("%q is no key; named keys are %s", k, strings.Join(namedKeys(), ", "))
	}
	// Bubble Tea names modifiers in this order.
	var b strings.Builder
	for _, mod := range []string{"ctrl", "alt", "shift", "meta", "hyper", "super"} {
		if slices.Contains(parts[:len(parts)-1], mod) {
			b.WriteString(mod + "+")
		}
	}
	return b.String() + last, ""
}

func namedKeys() []string {
	return []string{"enter", "esc", "tab", "space", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end",
		"pgup", "pgdown", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12"}
}

// nearestAction suggests the action whose name has the longest beginning in common with
// a name.
func nearestAction(name string) string {
	var actions []string
	for _, b := range table {
		if a := string(b.Action); !slices.Contains(actions, a) {
			actions = append(actions, a)
		}
	}
	near := spelling.Nearest(name, actions)
	if len(near) == 0 {
		return "; the manual's page on keys lists them"
	}
	return fmt.Sprintf("; did you mean %q?", near[0])
}

// BindingsOf are the bindings of some actions, in the table's order.
func BindingsOf(actions ...Action) []Binding {
	var out []Binding
	for _, b := range table {
		for _, a := range actions {
			if b.Action == a {
				out = append(out, b)
				break
			}
		}
	}
	return out
}

// Scrolling are the bindings of the actions that scroll.
func Scrolling() []Binding {
	return BindingsOf(Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom)
}

// OnlyMoves reports whether the binding only moves a cursor or a view.
func (b Binding) OnlyMoves() bool {
	return slices.Contains([]Action{Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom, PreviewUp, PreviewDown, PickUp, PickDown,
		Leftward, Rightward}, b.Action)
}

// AlwaysShown reports whether the footer always shows the binding, however little room
// there is.
func (b Binding) AlwaysShown() bool { return b.Action == Help || b.Action == Quit || b.Action == Back }
