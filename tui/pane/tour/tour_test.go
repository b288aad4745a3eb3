package tour_test

import (
	"strings"
	"testing"

	"docent/tui/pane/tour"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func steps(t *testing.T) []tour.Step {
	t.Helper()
	s, err := tour.ReadSteps(tuitest.Parse(tour.File, tuitest.TourPage), []byte(tuitest.TourPage))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRead(t *testing.T) {
	t.Parallel()
	s := steps(t)
	if s[0] != (tour.Step{Title: "Ask", Text: "Type a question and press `enter`."}) {
		t.Errorf("the first step is %+v", s[0])
	}
	short, _, _ := strings.Cut(tuitest.TourPage, "## 5.")
	if _, err := tour.ReadSteps(tuitest.Parse(tour.File, short), []byte(short)); err == nil ||
		!strings.Contains(err.Error(), "has 4 steps, not 5") {
		t.Errorf("a page with four steps: %v", err)
	}
}

// Only what a step asks for ends it; the key ends any.
func TestSteps(t *testing.T) {
	t.Parallel()
	p := tour.New(style.New(true, true))
	if p.IsRunning() || p.View() != "" || p.Title() != "" || p.FinishesStep(tour.Asked) || p.Next() {
		t.Error("the tour goes on before it began")
	}
	p.Begin(steps(t))
	p.SetSize(40, p.Height(40))
	tuitest.Golden(t, "first", p.Title()+"\n"+tuitest.View(t, p.View(), 40, 3))
	p.FinishesStep(tour.Copied)
	p.FinishesStep(tour.Asked)
	p.FinishesStep(tour.Asked)
	if !strings.HasPrefix(p.Title(), "Tour 2/5") {
		t.Errorf("the second step is %s", p.Title())
	}
	p.Next()
	p.FinishesStep(tour.Seen)
	tuitest.Golden(t, "fourth", p.Title()+"\n"+tuitest.View(t, p.View(), 40, 3))
	p.FinishesStep(tour.Changed)
	if !p.FinishesStep(tour.Copied) || p.IsRunning() {
		t.Error("the tour does not end with its last step")
	}
	p.Begin(steps(t))
	p.End()
	if p.IsRunning() {
		t.Error("the tour cannot be left")
	}
}
