package intake_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"docent/llm"
	"docent/llm/openai"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/service/uploads"
	"docent/store"
)

// slowModel is a server with a model for vectors that answers when it is let.
func slowModel(t *testing.T) (url string, let func()) {
	t.Helper()
	free := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Input any `json:"input"`
		}
		if r.Method == http.MethodGet {
			_, _ = w.Write([]byte(`{"object":"list","data":[{"id":"slow","object":"model"}]}`))
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		texts, ok := req.Input.([]any)
		if !ok {
			texts = []any{req.Input}
		}
		select {
		case <-free:
		case <-r.Context().Done():
			return
		}
		type vector struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var out struct {
			Data []vector `json:"data"`
		}
		for i, text := range texts {
			v := vector{Index: i, Embedding: make([]float32, 8)}
			for n, c := range []byte(text.(string)) {
				v.Embedding[n%8] += float32(c)
			}
			out.Data = append(out.Data, v)
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", func() { close(free) }
}

// A file that is handed in is a page as soon as it can be found by its words; the vectors
// of a slow model follow.
func TestUploadsDoNotWaitForAModel(t *testing.T) {
	t.Parallel()
	url, let := slowModel(t)
	server, err := openai.New(openai.Options{Address: url})
	if err != nil {
		t.Fatal(err)
	}
	a := servicetest.Open(t, servicetest.Options{Models: &servicetest.Models{Client: llm.New(server, llm.Options{}), Embedding: "slow"}})
	ctx, end := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- a.Intake.WorkOnJobs(ctx, intake.WorkRequest{Workers: 1}) }()
	u := upload(t, a, "wick.md", "# Wick care\n\n"+prose)
	if d := settle(t, a, u.ID); d.Status != "COMPLETED" {
		t.Errorf("while the model is slow the document is %+v", d)
	}
	var set store.Set
	sets, err := a.Home.Corpus.Sets(t.Context())
	for _, s := range sets {
		if s.Ref.Name == uploads.SetName {
			set = s
		}
	}
	if err != nil || set.ID == 0 {
		t.Fatalf("%+v, %v", sets, err)
	}
	if v, err := a.Vectors.ModelVectors(t.Context(), set); err != nil || v != nil && v.Complete() {
		t.Errorf("before the model answered there are vectors: %+v, %v", v, err)
	}
	let()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		v, err := a.Vectors.ModelVectors(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		if v != nil && v.Complete() {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("a minute after the model answers its vectors are %+v", v)
		}
	}
	end()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
