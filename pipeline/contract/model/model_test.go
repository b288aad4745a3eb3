package model_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/llm"
	"docent/llm/llmtest"
	"docent/llm/prompt"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
)

// scripted is a model behind a client, as phases get it, that answers by a script.
func scripted(exchanges ...llmtest.Exchange) (model.Model, *llmtest.Fake) {
	f := llmtest.NewFake(exchanges...)
	return model.Model{Chat: llm.New(f, llm.Options{MaxBytes: 1 << 16}), Name: "tiny", Engine: "fake:tiny", Budget: time.Minute}, f
}

func says(pieces ...string) llmtest.Exchange {
	return llmtest.Exchange{Op: llm.OpChat, Pieces: pieces}
}

func fixed(m model.Model, err error) model.Source {
	return func(context.Context) (model.Model, error) { return m, err }
}

// The engine that answers, and its message, for each outcome of finding and asking a
// model.
func TestTry(t *testing.T) {
	t.Parallel()
	m := model.Model{Name: "tiny", Engine: "fake:tiny"}
	fatal := &contract.Error{Code: "MODELS_UNAVAILABLE", Message: "no model"}
	down := &llm.Error{Kind: llm.Unreachable, Engine: "ollama", Server: "http://127.0.0.1:9", Reason: "connection refused"}
	again := *down
	again.Wait, again.Err = 7*time.Second, down
	hangs := &llm.Error{Kind: llm.TimedOut, Engine: "ollama", Server: "http://127.0.0.1:9", Reason: "it was not done within 2s"}
	still := *hangs
	still.Kind, still.Wait, still.Err = llm.Unreachable, 7*time.Second, hangs
	for _, tt := range []struct {
		name    string
		source  model.Source
		asked   error // what asking gives
		engine  string
		used    bool
		reason  string // of the only degradation; "": none
		wanted  string
		ends    error // the run
		silence bool  // the model is not even asked
	}{
		{"it answers", fixed(m, nil), nil, "fake:tiny", true, "", "", nil, false},
		{"no source", nil, nil, "builtin", false, "", "", nil, true},
		{"none is wanted", fixed(model.Model{}, model.ErrNone), nil, "builtin", false, "", "", nil, true},
		{"none is wanted, for a reason", fixed(model.Model{}, fmt.Errorf("x: %w", model.ErrNone)), nil, "builtin", false, "", "", nil, true},
		{"one must be there", fixed(model.Model{}, fatal), nil, "builtin", false, "", "", fatal, true},
		{"one must be there, wrapped", fixed(model.Model{}, fmt.Errorf("x: %w", fatal)), nil, "builtin", false, "", "", fatal, true},
		{"it is not there", fixed(model.Model{}, down), nil, "builtin", false, down.Error(), "a model", nil, true},
		{"it is still not there: the same reason", fixed(model.Model{}, &again), nil, "builtin", false, down.Error(), "a model", nil, true},
		{"it is still silent: the same reason", fixed(model.Model{}, &still), nil, "builtin", false, hangs.Error(), "a model", nil, true},
		{"it fails", fixed(m, nil), errors.New("it stumbled"), "builtin", false, "it stumbled", "fake:tiny", nil, false},
		{"it is not wanted after all", fixed(m, nil), model.ErrNone, "builtin", false, "", "", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			called := false
			trace, used, err := tt.source.TryModel(t.Context(), contract.PhaseRoute, func(context.Context, model.Model) error {
				called = true
				return tt.asked
			})
			if trace.Engine != tt.engine || used != tt.used || !errors.Is(err, tt.ends) || called == tt.silence {
				t.Errorf("engine %q, used %v, called %v: %v", trace.Engine, used, called, err)
			}
			var want []contract.Degraded
			if tt.reason != "" {
				want = []contract.Degraded{{Phase: contract.PhaseRoute, Wanted: tt.wanted, Used: contract.EngineBuiltin, Reason: tt.reason}}
			}
			if !reflect.DeepEqual(trace.Degraded, want) {
				t.Errorf("degraded: %+v, want %+v", trace.Degraded, want)
			}
		})
	}
}

// A model that takes longer than its budget ends its own part and not the run; cancelling
// the run ends it.
func TestBudgetAndCancellation(t *testing.T) {
	t.Parallel()
	hangs := func(ctx context.Context, m model.Model) error {
		_, err := m.Chat.Chat(ctx, llm.ChatRequest{Model: m.Name})
		return err
	}
	m, _ := scripted(llmtest.Exchange{Op: llm.OpChat, Hangs: true})
	m.Budget = 20 * time.Millisecond
	trace, used, err := fixed(m, nil).TryModel(t.Context(), "1.5", hangs)
	if err != nil || used || len(trace.Degraded) != 1 || trace.Degraded[0].Reason != "tiny was not done within 20ms" {
		t.Errorf("over its budget: %+v, %v, %v", trace, used, err)
	}
	// A source's budget can be a multiple.
	if _, _, err = fixed(m, nil).MultiplyBudget(3).TryModel(t.Context(), "3", func(_ context.Context, m model.Model) error {
		if m.Budget != 60*time.Millisecond {
			t.Errorf("three times the budget is %v", m.Budget)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if model.Source(nil).MultiplyBudget(3) != nil {
		t.Error("no source three times is one")
	}

	for _, budget := range []time.Duration{0, time.Hour} {
		m.Budget = budget
		ctx, cancel := context.WithCancel(t.Context())
		trace, used, err = fixed(m, nil).TryModel(ctx, "1.5", func(in context.Context, m model.Model) error {
			cancel()
			return hangs(in, m)
		})
		if !errors.Is(err, context.Canceled) || used || len(trace.Degraded) != 0 {
			t.Errorf("cancelled with a budget of %v: %+v, %v, %v", budget, trace, used, err)
		}
		// Also where the phase thinks that it has enough.
		ctx, cancel = context.WithCancel(t.Context())
		_, used, err = fixed(m, nil).TryModel(ctx, "1.5", func(context.Context, model.Model) error {
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) || used {
			t.Errorf("cancelled with something done: %v, %v", used, err)
		}
		// And while the model is looked for.
		ctx, cancel = context.WithCancel(t.Context())
		_, _, err = model.Source(func(context.Context) (model.Model, error) {
			cancel()
			return m, errors.New("not found")
		}).TryModel(ctx, "1.5", hangs)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled while it is looked for: %v", err)
		}
	}
	// The caller's own deadline is the run's end, and not a model's lateness.
	m.Budget = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if trace, _, err = fixed(m, nil).TryModel(ctx, "1.5", hangs); !errors.Is(err, context.DeadlineExceeded) || len(trace.Degraded) > 0 {
		t.Errorf("the caller's deadline: %+v, %v", trace, err)
	}
}

// form is an answer with a field of each type.
type form struct {
	Name string         `json:"name"`
	N    int            `json:"n"`
	List []string       `json:"list"`
	Map  map[string]int `json:"map"`
}

func (f *form) Check() error {
	if f.Name == "" {
		return errors.New("it has no name")
	}
	return nil
}

// An answer that is not of the form is refused; the reason names the model.
func TestJSON(t *testing.T) {
	t.Parallel()
	data := map[string]any{"Question": "how?", "Scenes": []string{"a"}, "Intents": []string{"b"}}
	for _, tt := range []struct {
		name, text string
		says       string // "": it is taken
	}{
		{"good", `{"name": "x", "n": 1, "list": ["a"], "map": {"a": 1}}`, ""},
		{"blanks around it", "\n {\"name\": \"x\"} \n", ""},
		{"the same name in two objects", `{"name": "x", "map": {"name": 1}}`, ""},
		{"an unknown field", `{"name": "x", "grade": 3}`, "unknown field"},
		{"a wrong type", `{"name": 5}`, "cannot unmarshal number"},
		{"a number that is none", `{"name": "x", "n": 1.5}`, "cannot unmarshal number"},
		{"a list for the object", `[{"name": "x"}]`, "cannot unmarshal array"},
		{"it means nonsense", `{"n": 1}`, "it has no name"},
		{"null", `null`, "it has no name"},
		{"a field twice", `{"name": "x", "name": "y"}`, `"name" twice`},
		{"a field twice, written otherwise", `{"name": "x", "NAME": "y"}`, `"NAME" twice`},
		{"a field twice, deep inside", `{"name": "x", "map": {"a": 1, "a": 2}}`, `"a" twice`},
		{"more after it", `{"name": "x"} {"name": "y"}`, "more follows"},
		{"prose around it", `Sure! {"name": "x"}`, "no JSON"},
		{"prose behind it", `{"name": "x"} I hope this helps`, "more follows"},
		{"a fence around it", "```json\n{\"name\": \"x\"}\n```", "no JSON"},
		{"cut", `{"name": "x", "li`, "no JSON"},
		{"nothing", ``, "empty"},
		{"no JSON at all", "\x1b[2Jhello", "no JSON"},
		{"invalid UTF-8", "{\"name\": \"\xff\xfe\", \"n\": \"\xff\"}", "cannot unmarshal string"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, f := scripted(says(tt.text))
			var out form
			err := m.AskJSON(t.Context(), prompt.Route, data, 77, &out)
			if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
				t.Errorf("%v, want %q", err, tt.says)
			}
			p, _ := prompt.Render(prompt.Route, data)
			if c := f.RecordedCalls(); len(c) != 2 || c[1].Model != "tiny" || c[1].Chat.MaxTokens != 77 || string(c[1].Chat.Schema) != string(p.Schema) ||
				!reflect.DeepEqual(c[1].Chat.Messages, p.Messages()) || c[1].Chat.Temperature != 0 || c[1].Chat.Seed != 0 {
				t.Errorf("asked was %+v", c)
			}
		})
	}
	// A chatter that is no client checks nothing itself.
	for text, want := range map[string]string{"": "EOF", `{"name": "x"} x`: "more follows", `{"name"`: "unexpected"} {
		var out form
		if err := (model.Model{Chat: bare(text), Name: "tiny"}).AskJSON(t.Context(), prompt.Route, data, 1, &out); err == nil || !strings.Contains(err.Error(), "the answer of tiny is no good") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	m, f := scripted(says("{}"))
	var out form
	if err := m.AskJSON(t.Context(), prompt.Route, nil, 1, &out); err == nil || len(f.RecordedCalls()) != 0 {
		t.Errorf("a prompt without its data: %v, and %d calls", err, len(f.RecordedCalls()))
	}
	if _, err := m.AskProse(t.Context(), prompt.Summarize, nil, 1); err == nil || len(f.RecordedCalls()) != 0 {
		t.Errorf("prose without its data: %v, and %d calls", err, len(f.RecordedCalls()))
	}
}

// bare always says the same.
type bare string

func (b bare) Chat(context.Context, llm.ChatRequest) (llm.Answer, error) {
	return llm.Answer{Text: string(b)}, nil
}

// An answer without an end is ended, whatever its form.
func TestEndlessAnswers(t *testing.T) {
	t.Parallel()
	m, _ := scripted(llmtest.Exchange{Op: llm.OpChat, Pieces: []string{`{"list": [`, `"again", `}, Endless: true})
	var out form
	if err := m.AskJSON(t.Context(), prompt.Route, map[string]any{"Question": "", "Scenes": "", "Intents": ""}, 9, &out); llm.KindOf(err) != llm.CutOff {
		t.Errorf("an endless list: %v", err)
	}
	if text, err := m.AskProse(t.Context(), prompt.Hypothetical, map[string]any{"Question": "x"}, 9); llm.KindOf(err) != llm.CutOff || text != "" {
		t.Errorf("endless prose: %.40q, %v", text, err)
	}
}

// A watcher sees the pieces when they arrive, and none after cancelling.
func TestPiecesAreWatched(t *testing.T) {
	t.Parallel()
	m, _ := scripted(says("one ", "two ", "three"))
	var seen []string
	ctx, cancel := context.WithCancel(t.Context())
	watched := contract.WithWatch(ctx, func(p contract.Progress) { seen = append(seen, p.Text+p.Piece) })
	_, used, err := fixed(m, nil).TryModel(watched, "3", func(ctx context.Context, m model.Model) error {
		text, err := m.AskProse(ctx, prompt.Hypothetical, map[string]any{"Question": "x"}, 9)
		if text != "one two three" {
			t.Errorf("the text is %q", text)
		}
		return err
	})
	if want := []string{"asking tiny", "one ", "two ", "three"}; err != nil || !used || !slices.Equal(seen, want) {
		t.Errorf("seen was %q, %v", seen, err)
	}
	pieces := 0
	watched = contract.WithWatch(ctx, func(p contract.Progress) {
		if p.Piece != "" {
			pieces++
			cancel()
		}
	})
	if _, err := m.AskProse(watched, prompt.Hypothetical, map[string]any{"Question": "x"}, 9); !errors.Is(err, context.Canceled) || pieces != 1 {
		t.Errorf("cancelled at the first piece: %v after %d", err, pieces)
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	long := &llm.Error{Kind: llm.TooLong}
	other := errors.New("other")
	for _, tt := range []struct {
		name  string
		room  int
		fits  int // the most that is not too long
		err   error
		rooms []int
		want  error
	}{
		{"at once", 9000, 9000, nil, []int{9000}, nil},
		{"with less", 9000, 1000, nil, []int{9000, 3000, 1000}, nil},
		{"never", 9000, -1, nil, []int{9000, 3000, 1000, 333}, long},
		{"another error is not tried again", 9000, 9000, other, []int{9000}, other},
		{"another error with less", 9000, 3000, other, []int{9000, 3000}, other},
		{"no room at all", 0, 0, nil, []int{0}, nil},
		{"less than none", -50, -100, nil, []int{-50}, long},
	} {
		var rooms []int
		err := model.Model{}.FitPrompt(tt.room, func(room int) error {
			rooms = append(rooms, room)
			if room > tt.fits {
				return fmt.Errorf("x: %w", long)
			}
			return tt.err
		})
		if !slices.Equal(rooms, tt.rooms) || !errors.Is(err, tt.want) {
			t.Errorf("%s: rooms %v, %v", tt.name, rooms, err)
		}
	}
	for _, tt := range []struct{ window, answer, want int }{{0, 700, 3 * (8192 - 1400)}, {4096, 100, 3 * (4096 - 800)}, {512, 100, 0}} {
		if got := (model.Model{Window: tt.window}).PromptRoom(tt.answer); got != tt.want {
			t.Errorf("a window of %d has room for %d bytes, want %d", tt.window, got, tt.want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want, says string }{
		{" trim the wick\n", "trim the wick", ""},
		{"", "", ""},
		{"灯芯 修剪 --level", "灯芯 修剪 --level", ""},
		{strings.Repeat("灯", 20), strings.Repeat("灯", 20), ""},
		{strings.Repeat("灯", 21), "", "21 characters, not at most 20"},
		{"two\nlines", "", "no text"},
		{"a\ttab", "", "no text"},
		{"\x1b[31mred", "", "no text"},
		{"c1 \u009b31m", "", "no text"},
		{"nul \x00", "", "no text"},
		{"right to \u202eleft", "", "no text"},
		{"zero\u200bwidth", "", "no text"},
		{"private \ue000", "", "no text"},
		{"bad \xff", "", "no text"},
		{"replaced \uFFFD", "", "no text"},
		{"another\u2028line", "", "no text"},
		{"another\u2029paragraph", "", "no text"},
	} {
		got, err := model.TrimLine("it", tt.text, 20)
		if got != tt.want || (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("Line(%q) is %q, %v", tt.text, got, err)
		}
	}
}

func TestPrefixes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ model, question, passage string }{
		{"nomic-embed-text:latest", "search_query: ", "search_document: "},
		{"NOMIC-embed-text-v2-moe", "search_query: ", "search_document: "},
		{"embeddinggemma:300m", "task: search result | query: ", "title: none | text: "},
		{"mxbai-embed-large", "Represent this sentence for searching relevant passages: ", ""},
		{"snowflake-arctic-embed:22m", "Represent this sentence for searching relevant passages: ", ""},
		{"snowflake-arctic-embed2", "query: ", ""},
		{"BAAI/bge-large-en-v1.5", "Represent this sentence for searching relevant passages: ", ""},
		{"bge-m3:567m", "", ""},
		{"intfloat/multilingual-e5-large", "query: ", "passage: "},
		{"jeffh/intfloat-multilingual-e5-large-instruct:f16", "", ""},
		{"all-minilm", "", ""},
		{"tiny-embed:latest", "", ""},
		{"", "", ""},
	} {
		if q, p := model.Prefixes(tt.model); q != tt.question || p != tt.passage {
			t.Errorf("%s: %q, %q", tt.model, q, p)
		}
	}
	if q, p := model.Prefixes("hf.co/Qwen/Qwen3-Embedding-0.6B-GGUF:Q8_0"); !strings.HasPrefix(q, "Instruct: ") || !strings.HasSuffix(q, "\nQuery: ") || p != "" {
		t.Errorf("Qwen3: %q, %q", q, p)
	}
}
