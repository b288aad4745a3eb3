package keymap

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"docent/pipeline/spelling"
)

// Map is the table with the keys that a person chose. The zero Map has no keys;
// begin with Default.
type Map struct{ table []Binding }

// Default is the table as it is.
func Default() *Map { return &Map{table: Table()} }

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

// Footer are the bindings that the footer shows in a mode.
func (m *Map) Footer(mode Mode) []Binding {
	return slices.DeleteFunc(m.In(mode), func(b Binding) bool { return b.Short == "" })
}

// Problem is something wrong with a choice of keys.
type Problem struct {
	Action  string // as the configuration names it
	Message string
}

// Rebind gives actions other keys than the table's; none takes an action's keys
// away. Keys that write are text where one types, so an action keeps its own keys
// there unless the choice has one that is none. What is wrong is told of and
// changes nothing: an action or key that is not there, a key with two meanings
// where both work, and what would lock a person in, without esc and ctrl+c.
func Rebind(keys map[string][]string) (*Map, []Problem) {
	m := Default()
	var problems []Problem
	for _, name := range sortedKeys(keys) {
		problem := func(format string, args ...any) {
			problems = append(problems, Problem{name, fmt.Sprintf(format, args...)})
		}
		a := Action(name)
		if !slices.ContainsFunc(m.table, func(b Binding) bool { return b.Action == a }) {
			problem("there is no such action%s", nearest(name))
			continue
		}
		if a == NthPhase {
			problem("the digits stay as they are: each is the phase of its number")
			continue
		}
		var chosen []string
		bad := false
		for _, k := range keys[name] {
			n, why := normal(k)
			if why != "" {
				problem("%s", why)
				bad = true
				continue
			}
			if (n == "ctrl+c") != (a == Quit) && n == "ctrl+c" || n == "esc" && a != Back {
				problem("%s cannot be taken: it is the way out", n)
				bad = true
				continue
			}
			chosen = append(chosen, n)
		}
		if bad {
			continue
		}
		for i := range m.table {
			b := &m.table[i]
			if b.Action != a {
				continue
			}
			mine := slices.Clone(chosen)
			if b.In&typing != 0 {
				mine = slices.DeleteFunc(mine, writes)
				if len(mine) == 0 && len(chosen) > 0 {
					continue // where one types it keeps its own
				}
			}
			switch a { // the ways out stay
			case Back:
				mine = with(mine, "esc")
			case Quit:
				mine = with(mine, "ctrl+c")
			}
			b.Keys, b.Label = mine, label(mine)
		}
	}
	if clashes := m.clashes(keys); len(clashes) > 0 {
		problems = append(problems, clashes...)
	}
	if len(problems) > 0 {
		return Default(), problems
	}
	return m, nil
}

// clashes are the keys that mean two things in one mode, told of the action that
// was given another key.
func (m *Map) clashes(chosen map[string][]string) []Problem {
	var out []Problem
	for i, a := range m.table {
		for _, b := range m.table[i+1:] {
			if a.Action == b.Action || a.In&b.In == 0 && !together(a.In, b.In) {
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

// together says whether both work at once: one in every pane, one in a pane of
// its own.
func together(a, b Mode) bool {
	own := func(m Mode) bool { return m&panes != 0 }
	return a&InPane != 0 && own(b) || b&InPane != 0 && own(a)
}

const panes = InHits | InQueries | InRoute | InRerank | InExtract | InFinal

// writes says whether a key is text where one types.
func writes(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }

// label is how keys are shown: the first two.
func label(keys []string) string {
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
	if len(shown) == 0 {
		return "(none)"
	}
	return strings.Join(shown, " ")
}

func with(keys []string, k string) []string {
	if slices.Contains(keys, k) {
		return keys
	}
	return append(keys, k)
}

// normal is a key as Bubble Tea names it, or what is wrong with it.
func normal(k string) (name, why string) {
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
	if utf8.RuneCountInString(last) > 1 && !slices.Contains(named(), last) {
		return "", fmt.Sprintf("%q is no key; named keys are %s", k, strings.Join(named(), ", "))
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

func named() []string {
	return []string{"enter", "esc", "tab", "space", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end",
		"pgup", "pgdown", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12"}
}

// nearest names the action that is written most like a name.
func nearest(name string) string {
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

func sortedKeys(m map[string][]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
