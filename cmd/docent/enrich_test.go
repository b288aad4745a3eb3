package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"docent/llm/llmtest"
)

// chainConfig is a docent.toml with a chain of models.
func chainConfig(links ...string) string {
	out := "[enrichment.routes]\ntech_docs = \"docs\"\n"
	for i, l := range links {
		out += fmt.Sprintf("[[enrichment.chain]]\nname = \"link%d\"\nchain = \"docs\"\n%s\n", i, l)
	}
	return out
}

// enrichHome is a home with four sections of which a model is asked, and a chain.
func enrichHome(t *testing.T, config string) (h runner, page string) {
	t.Helper()
	dir := t.TempDir()
	page = filepath.Join(dir, "docs", "wicks.md")
	if err := os.MkdirAll(filepath.Dir(page), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "# Wicks\n\nA wick carries the oil.\n\n"
	for _, what := range []string{"wick", "glass", "burner"} {
		text += "## Trim the " + what + "\n\n" + strings.Repeat("The lantern must be cool before the "+what+" is trimmed. ", 8) + "\n\n"
	}
	h = runnerWithManual(t)
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := inHome(t, h.home, "add", filepath.Dir(page), "--name", "Lantern", "--version", "2"); code != 0 {
		t.Fatal(out)
	}
	if err := os.WriteFile(filepath.Join(h.home, "docent.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return h, page
}

type enriched struct {
	Sets []struct {
		Sections, Enriched, Made, Asked int
		ByModel                         int            `json:"by_model"`
		Truncated                       int            `json:"enrichment_truncations_total"`
		Rejected                        map[string]int `json:"enrichment_rejections_total"`
		Stopped                         string
		Edges                           int
	}
}

func enrichNow(t *testing.T, h runner, args ...string) enriched {
	t.Helper()
	out, _ := h.run(t, 0, "", append([]string{"enrich", "Lantern", "--json"}, args...)...)
	var e enriched
	if err := json.Unmarshal([]byte(out), &e); err != nil || len(e.Sets) != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	return e
}

// A real server with models that speak nonsense: their answers are refused, that is
// counted and said, and the built-in fields stay.
func TestEnrichByARealModel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a real server is slow beside the race detector")
	}
	s := llmtest.Ollama(t)
	h, _ := enrichHome(t, "[models]\nnum_ctx = 4096\nnum_thread = 1\n"+chainConfig("provider = \"ollama\"\nurl = \""+s.URL+"\"\nmodel = \"tiny-chat\""))
	e := enrichNow(t, h, "--max", "1").Sets[0]
	refused := 0
	for _, n := range e.Rejected {
		refused += n
	}
	if e.Asked != 1 || e.ByModel+refused != 1 || e.Stopped == "" {
		t.Errorf("%+v", e)
	}
	out, errs := h.run(t, 0, "", "enrich", "Lantern/wicks#trim-the-wick")
	if !strings.Contains(out, "The lantern must be cool before the wick is trimmed.") && refused > 0 || strings.ContainsAny(out+errs, "\x1b\x00") {
		t.Errorf("%s%s", out, errs)
	}
}

// chatServer speaks OpenAI's interface as far as is needed.
func chatServer(t *testing.T, answer func(model, prompt string) string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") {
			fmt.Fprint(w, `{"data": [{"id": "first"}, {"id": "second"}]}`)
			return
		}
		var in struct {
			Model    string
			Stream   bool
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		text, _ := json.Marshal(answer(in.Model, in.Messages[len(in.Messages)-1].Content))
		if in.Stream {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": %s}}]}\n\ndata: {\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n", text)
			return
		}
		fmt.Fprintf(w, `{"choices": [{"index": 0, "message": {"role": "assistant", "content": %s}, "finish_reason": "stop"}]}`, text)
	}))
	t.Cleanup(s.Close)
	return s
}

// Models are asked in the order of the chain, about what changed alone, and go on where
// they were.
func TestEnrichByAChain(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	s := chatServer(t, func(model, prompt string) string {
		asked.Add(1)
		switch {
		case model == "first" && strings.Contains(prompt, "glass"):
			return `{"summary": "It is glass.", "span_id": "0123456789abcdef"}`
		case strings.Contains(prompt, "burner"):
			return `{"summary": "` + strings.Repeat("burner ", 100) + `", "audience": "admin"}`
		}
		return `{"summary": "It is by ` + model + `.", "key_concepts": ["wick"], "parameters": [], "code_examples": false, "prerequisites": [], "warnings": ["<script>alert(1)</script> hot"], "related_topics": [], "audience": "user"}`
	})
	link := "provider = \"openai\"\nurl = \"" + s.URL + "/v1\"\nmodel = "
	h, page := enrichHome(t, chainConfig(link+`"first"`, link+`"second"`))
	if e := enrichNow(t, h, "--max", "1").Sets[0]; e.ByModel != 1 || e.Stopped == "" || asked.Load() != 1 {
		t.Errorf("%+v, %d asked", e, asked.Load())
	}
	e := enrichNow(t, h).Sets[0]
	if e.Enriched != e.Sections || e.ByModel < 3 || e.Truncated < 1 || e.Rejected["unknown_key"] < 1 || e.Stopped != "" {
		t.Errorf("%+v", e)
	}
	before := asked.Load()
	if e := enrichNow(t, h).Sets[0]; e.Made != 0 || asked.Load() != before {
		t.Errorf("%+v, %d asked", e, asked.Load()-before)
	}
	out, errs := h.run(t, 0, "", "enrich", "Lantern/wicks#trim-the-glass")
	if !strings.Contains(out, "made by        openai:second (enrich.v1)") || !strings.Contains(errs, "openai:first did not count: span_id: ") {
		t.Errorf("%s%s", out, errs)
	}
	out, _ = h.run(t, 0, "", "enrich", "Lantern/wicks#trim-the-wick", "--json")
	if !strings.Contains(out, `"It is by first."`) || !strings.Contains(out, `"hot"`) || strings.Contains(out, "alert") {
		t.Errorf("%s", out)
	}
	// Without a model what a model made stays, and counts for its text alone.
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte(strings.Replace(string(raw), "cool before the glass", "cold before the glass", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	h.run(t, 0, "", "update", "Lantern")
	out, _ = h.run(t, 0, "", "--engine", "builtin", "enrich", "Lantern/wicks#trim-the-glass")
	if !strings.Contains(out, "made by        builtin") || strings.Contains(out, "It is by") {
		t.Errorf("%s", out)
	}
	if e := enrichNow(t, h, "--engine", "builtin").Sets[0]; e.Made == 0 || e.ByModel < 2 || asked.Load() != before {
		t.Errorf("%+v", e)
	}
	// The page as a whole and one section changed.
	if e := enrichNow(t, h).Sets[0]; e.Made != 2 || e.Enriched != e.Sections {
		t.Errorf("%+v", e)
	}
	if out, _ := h.run(t, 0, "", "doctor"); !strings.Contains(out, "ok     enrichment Lantern@2: ") {
		t.Errorf("%s", out)
	}
	files, _ := filepath.Glob(filepath.Join(h.home, "enrichment", "*"))
	if len(files) != 1 {
		t.Fatalf("%q", files)
	}
	// A line that was torn is made again.
	if err := os.Truncate(files[0], func() int64 { st, _ := os.Stat(files[0]); return st.Size() - 20 }()); err != nil {
		t.Fatal(err)
	}
	if out, _ := h.run(t, 1, "", "doctor"); !strings.Contains(out, "FAULT  enrichment Lantern@2: 1 line cannot be read") || !strings.Contains(out, "docent enrich Lantern@2") {
		t.Errorf("%s", out)
	}
	if e := enrichNow(t, h).Sets[0]; e.Made < 1 || e.Enriched != e.Sections {
		t.Errorf("%+v", e)
	}
	h.run(t, 0, "", "doctor")
	h.run(t, 0, "", "rm", "Lantern")
	if files, _ := filepath.Glob(filepath.Join(h.home, "enrichment", "*")); len(files) != 0 {
		t.Errorf("after rm there is %q", files)
	}
}

// A server that is not there stops the asking, and is said; the built-in fields are there.
func TestEnrichWithoutItsServer(t *testing.T) {
	t.Parallel()
	h, _ := enrichHome(t, chainConfig("provider = \"ollama\"\nurl = \"http://"+unusedAddress+"\"\nmodel = \"gone\""))
	out, errs := h.run(t, 0, "", "enrich", "Lantern")
	if !strings.Contains(out, "no model of the chain can be reached") || !strings.Contains(errs, "no model of the chain can be reached") {
		t.Errorf("%s%s", out, errs)
	}
	if out, _ := h.run(t, 0, "", "enrich", "Lantern/wicks"); !strings.Contains(out, "made by        builtin") {
		t.Errorf("%s", out)
	}
}

// A model is asked for relations of a section that names another page, where the patterns
// say nothing of it; what it finds is below the threshold, and stays while other pages
// change.
func TestRelationsByAModel(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	var answer atomic.Value // the server reads it while the test writes
	answer.Store(`{"relations": [{"place": 1, "edge_type": "REQUIRES", "match_text": "builds on what Burning Lamp Oil is about"}]}`)
	s := chatServer(t, func(_, prompt string) string {
		asked.Add(1)
		if !strings.Contains(prompt, "Burning Lamp Oil") {
			t.Errorf("it is asked about %s", prompt)
		}
		return answer.Load().(string)
	})
	h, page := enrichHome(t, "[models]\nprovider = \"openai\"\napi_base = \""+s.URL+"/v1\"\n[graph.tech_docs]\nllm_assist_enabled = true\nllm_model = \"first\"\n")
	docs := filepath.Dir(page)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("oil.md", "# Burning Lamp Oil\n\nOil burns.\n")
	write("care.md", "# Care\n\nCare of lamps.\n\n## Clean\n\nAll of this builds on what Burning Lamp Oil is about, for the soot comes from there.\n\n## Polish\n\nSee [oil](oil.md), as Burning Lamp Oil explains at length and with many words.\n")
	run := func(args ...string) string {
		t.Helper()
		out, errs := h.run(t, 0, "", append([]string{"--embed-model", "none"}, args...)...)
		return out + errs
	}
	run("--engine", "builtin", "update", "Lantern")
	if e := enrichNow(t, h).Sets[0]; e.Edges != 1 || asked.Load() != 1 {
		t.Errorf("%+v, %d asked", e, asked.Load())
	}
	graph := func() string {
		t.Helper()
		out, _ := h.run(t, 0, "", "--engine", "builtin", "graph", "Lantern/care", "--threshold", "0.6", "--json")
		return out
	}
	out := graph()
	for _, want := range []string{`"edge_type":"REQUIRES"`, `"model_name":"openai:first"`, `"llm_trace_id":"`, `"score":0.6`, `builds on what Burning Lamp Oil`} {
		if !strings.Contains(strings.ReplaceAll(out, `": `, `":`), want) {
			t.Errorf("%s is not in %s", want, out)
		}
	}
	if out, _ := h.run(t, 0, "", "--engine", "builtin", "graph", "Lantern/care", "--json"); strings.Contains(out, "model_name") {
		t.Errorf("at the default threshold it is %s", out)
	}
	write("wicks.md", "# Wicks\n\nOther wicks.\n")
	run("--engine", "builtin", "update", "Lantern")
	if out := graph(); !strings.Contains(out, "model_name") {
		t.Errorf("after an update of another page it is %s", out)
	}
	if enrichNow(t, h); asked.Load() != 1 {
		t.Errorf("%d asked", asked.Load())
	}
	// Words that the section does not have are refused.
	answer.Store(`{"relations": [{"place": 1, "edge_type": "REQUIRES", "match_text": "requires oil"}]}`)
	if e := enrichNow(t, h, "--again").Sets[0]; e.Edges != 0 || e.Rejected["value"] != 1 {
		t.Errorf("%+v", e)
	}
	if out := graph(); strings.Contains(out, "model_name") {
		t.Errorf("after a refused answer it is %s", out)
	}
}
