package tui

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// fragile is a model that panics at its nth turn in a given place.
type fragile struct {
	place string
	turns int
}

func (f *fragile) Init() tea.Cmd {
	if f.place == "Init" {
		panic("broken in Init")
	}
	return func() tea.Msg { return "turn" }
}

func (f *fragile) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if msg != "turn" {
		return f, nil
	}
	f.turns++
	if f.turns == 3 {
		switch f.place {
		case "Update":
			panic("broken in Update")
		case "command":
			return f, func() tea.Msg { panic("broken in command") }
		case "batch":
			return f, tea.Batch(func() tea.Msg { return nil }, tea.Batch(func() tea.Msg { panic("broken in batch") }, func() tea.Msg { return nil }))
		case "":
			return f, tea.Quit
		}
	}
	return f, func() tea.Msg { return "turn" }
}

func (f *fragile) View() tea.View {
	if f.place == "View" && f.turns > 2 {
		panic("broken in View")
	}
	return tea.NewView("")
}

// Wherever the app panics, the program ends and says what happened, where.
func TestACrashIsAnError(t *testing.T) {
	t.Parallel()
	for _, place := range []string{"Init", "Update", "View", "command", "batch", ""} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			in, keys := io.Pipe()
			defer keys.Close()
			err := runProgram(context.Background(), &fragile{place: place}, tea.WithInput(in), tea.WithOutput(io.Discard),
				tea.WithWindowSize(80, 24),
				tea.WithoutSignals())
			if place == "" {
				if err != nil {
					t.Errorf("a model that quits ends with %v", err)
				}
				return
			}
			crash, ok := errors.AsType[*CrashError](err)
			if !ok {
				t.Fatalf("it ends with %v", err)
			}
			if text := crash.Error(); !strings.Contains(text, "broken in "+place) || !strings.Contains(text, "guard_test.go") {
				t.Errorf("the error does not say what and where: %s", text)
			}
		})
	}
}
