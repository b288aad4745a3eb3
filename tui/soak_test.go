package tui_test

import (
	"flag"
	"fmt"
	"image/color"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"docent/pipeline"
	"docent/tui"
	"docent/tui/keymap"
	"docent/tui/tuitest"
)

var (
	soakSteps = flag.Int("soak", 10_000, "steps of each soak run; a fifth of them with -short")
	soakSeeds = flag.Int("soakseeds", 1, "soak runs, each from a seed of its own")
)

// soaker drives the app with what a person, a terminal and a slow machine may
// do to it. Commands that the app has started end in any order, and late: the
// next message, a key or an answer, is drawn from the seed.
type soaker struct {
	t      *testing.T
	rng    *rand.Rand
	model  *tui.Model
	w, h   int
	open   []tea.Cmd
	keys   []string
	last   []string // the newest steps, for the report
	quit   bool
	frames int
}

// lastSteps is how many steps a failure shows.
const lastSteps = 40

// allKeys are the keys of the table but for those that quit, which the end of
// the run presses, and some that no table has.
func allKeys() []string {
	var keys, quit []string
	for _, b := range keymap.Table() {
		if b.Action == keymap.Quit {
			quit = append(quit, b.Keys...)
		}
		keys = append(keys, b.Keys...)
	}
	keys = slices.DeleteFunc(keys, func(k string) bool { return slices.Contains(quit, k) })
	return append(keys, "z", "灯", "é", "alt+x", "ctrl+z", "w", "i", "c", "k", "space", "👩‍🔧", "f1", "backspace", "delete", "ctrl+w", "home",
		"end")
}

// pastes are texts that a person may have in the clipboard.
var pastes = []string{"how do I trim a wick", "", "two\nlines\r\nand three", "\x1b[31mred\x1b]52;c;ZXZpbA==\x07\u202e", "灯芯怎么修剪 👩‍🔧 हिन्दी",
	strings.Repeat("a very long question ", 200), "\x00\x01\xff\xfe"}

func newSoaker(t *testing.T, seed uint64, opt tui.Options) *soaker {
	s := &soaker{t: t, rng: rand.New(rand.NewPCG(seed, 1)), model: tui.New(opt), keys: allKeys()}
	s.push(s.model.Init())
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24}, "resize 80x24")
	s.w, s.h = 80, 24
	return s
}

func (s *soaker) push(cmd tea.Cmd) {
	if cmd != nil {
		s.open = append(s.open, cmd)
	}
}

// send gives the model a message and looks at the frame that follows.
func (s *soaker) send(msg tea.Msg, what string) {
	switch msg := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		for _, c := range msg {
			s.push(c)
		}
		return
	case tea.QuitMsg:
		s.quit = true
		return
	case tea.WindowSizeMsg:
		s.w, s.h = msg.Width, msg.Height
	}
	if s.last = append(s.last, what); len(s.last) > lastSteps {
		s.last = s.last[1:]
	}
	defer func() {
		if r := recover(); r != nil {
			s.t.Fatalf("a panic: %v\nthe newest steps: %s", r, strings.Join(s.last, ", "))
		}
	}()
	_, cmd := s.model.Update(msg)
	s.push(cmd)
	s.look(s.model.View())
}

// look checks that a frame fits the screen and that nothing in it would do more
// than style text.
func (s *soaker) look(v tea.View) {
	s.frames++
	if s.w > 0 && s.h > 0 {
		if err := tuitest.Size(v.Content, s.w, s.h); err != "" {
			s.t.Fatalf("%dx%d: %s\nthe newest steps: %s\n%s", s.w, s.h, err, strings.Join(s.last, ", "), ansi.Strip(v.Content))
		}
	}
	if bad := tuitest.Unclean(v.Content); bad != "" {
		s.t.Fatalf("%dx%d: the frame has %s\nthe newest steps: %s", s.w, s.h, bad, strings.Join(s.last, ", "))
	}
	if bad := tuitest.Unclean(v.WindowTitle); bad != "" {
		s.t.Fatalf("the window's title has %s", bad)
	}
	if v.Cursor != nil && (v.Cursor.X < 0 || v.Cursor.Y < 0 || s.w > 0 && v.Cursor.X >= s.w || s.h > 0 && v.Cursor.Y >= s.h) {
		s.t.Fatalf("%dx%d: the cursor stands at %d,%d\nthe newest steps: %s", s.w, s.h, v.Cursor.X, v.Cursor.Y, strings.Join(s.last, ", "))
	}
}

// step is one random thing that happens.
func (s *soaker) step() {
	switch n := s.rng.IntN(100); {
	case n < 45 && len(s.open) > 0:
		s.answer()
	case n < 75:
		name := s.keys[s.rng.IntN(len(s.keys))]
		s.send(tuitest.Key(name), "key "+name)
		if len(s.open) > 0 && s.rng.IntN(2) == 0 { // a pause behind the key
			s.answerAt(len(s.open) - 1)
		}
	case n < 80: // a question, in one go and out of any overlay: single keys seldom make one
		for _, r := range []string{"esc", "esc", "/", "w", "i", "c", "k", "enter"} {
			s.send(tuitest.Key(r), "key "+r)
		}
	case n < 84:
		text := pastes[s.rng.IntN(len(pastes))]
		s.send(tea.PasteMsg{Content: text}, fmt.Sprintf("paste %.20q", text))
	case n < 92:
		s.resize()
	case n < 97:
		s.mouse()
	case n < 98:
		c := color.Gray{Y: uint8(s.rng.IntN(256))}
		s.send(tea.BackgroundColorMsg{Color: c}, fmt.Sprintf("background %d", c.Y))
	case n < 99:
		s.send(tea.FocusMsg{}, "focus")
	default:
		s.send(tea.BlurMsg{}, "blur")
	}
	for len(s.open) > 64 { // a machine is not that slow
		s.answer()
	}
}

// answer ends one of the open commands.
func (s *soaker) answer() { s.answerAt(s.rng.IntN(len(s.open))) }

func (s *soaker) answerAt(i int) {
	cmd := s.open[i]
	s.open = append(s.open[:i], s.open[i+1:]...)
	msg := cmd()
	s.send(msg, fmt.Sprintf("answer %T", msg))
}

func (s *soaker) resize() {
	w, h := 1+s.rng.IntN(220), 1+s.rng.IntN(70)
	switch s.rng.IntN(6) {
	case 0:
		w, h = 1, 1
	case 1:
		w, h = 80, 24
	case 2:
		w, h = 36+s.rng.IntN(10), 8+s.rng.IntN(6) // about the smallest that the app can be used on
	}
	s.send(tea.WindowSizeMsg{Width: w, Height: h}, fmt.Sprintf("resize %dx%d", w, h))
}

func (s *soaker) mouse() {
	m := tea.Mouse{X: s.rng.IntN(s.w+4) - 2, Y: s.rng.IntN(s.h+4) - 2, Button: tea.MouseButton(s.rng.IntN(9))}
	what := fmt.Sprintf("mouse %d at %d,%d", m.Button, m.X, m.Y)
	switch s.rng.IntN(4) {
	case 0:
		s.send(tea.MouseClickMsg(m), what)
	case 1:
		s.send(tea.MouseReleaseMsg(m), what)
	case 2:
		s.send(tea.MouseMotionMsg(m), what)
	default:
		s.send(tea.MouseWheelMsg(m), what)
	}
}

// rest ends all open commands.
func (s *soaker) rest() {
	for len(s.open) > 0 {
		s.answer()
	}
}

// heap is the bytes that are still held after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what the first one's finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// soakGrowth is what a run may hold more at its end than after its first fifth.
const soakGrowth = 8 << 20

// countingBackend counts the questions that are asked: a run in which keys
// never came to a question would prove little.
type countingBackend struct {
	*tuitest.Backend
	runs atomic.Int64
}

func (b *countingBackend) NewSession(req pipeline.Request) *pipeline.Session {
	b.runs.Add(1)
	return b.Backend.NewSession(req)
}

// Ten thousand random things happen (-soak and -soakseeds say how many; make
// soak does more): no panic, every frame fits, and neither memory nor
// goroutines gather. It runs alone, since it looks at the whole process.
func TestSoak(t *testing.T) {
	for seed := range uint64(*soakSeeds) {
		before := runtime.NumGoroutine()
		backend := &countingBackend{Backend: &tuitest.Backend{Suggests: true}}
		opt := tuitest.Options(backend)
		opt.Dark = nil
		s := newSoaker(t, seed, opt)
		steps := *soakSteps
		if testing.Short() {
			steps /= 5
		}
		early := uint64(0)
		begin := time.Now()
		for i := range steps {
			s.step()
			if s.quit {
				t.Fatalf("seed %d: the app quits unasked; the newest steps: %s", seed, strings.Join(s.last, ", "))
			}
			if i == steps/5 {
				s.rest()
				early = heap()
			}
		}
		s.rest()
		late := heap()
		t.Logf("seed %d: %d frames, %d runs, %v, heap %.1f MB after a fifth, %.1f MB at the end", seed, s.frames, backend.runs.Load(),
			time.Since(begin).Round(time.Millisecond), float64(early)/(1<<20), float64(late)/(1<<20))
		if backend.runs.Load() < int64(steps/200) {
			t.Errorf("seed %d: only %d questions were begun in %d steps", seed, backend.runs.Load(), steps)
		}
		// The memory is bounded: renderings, pages, the questions asked.
		if late > early+soakGrowth {
			t.Errorf("seed %d: %d bytes were held after a fifth of the steps, %d at the end", seed, early, late)
		}
		s.send(tuitest.Key("ctrl+c"), "key ctrl+c")
		s.rest()
		if !s.quit {
			t.Errorf("seed %d: ctrl+c does not quit; the newest steps: %s", seed, strings.Join(s.last, ", "))
		}
		// Goroutines that were cancelled may need a moment.
		for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
			runtime.Gosched()
		}
		if now := runtime.NumGoroutine(); now > before {
			stacks := make([]byte, 1<<20)
			t.Errorf("seed %d: %d goroutines before, %d after:\n%s", seed, before, now, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
