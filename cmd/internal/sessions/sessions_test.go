package sessions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/pipeline"
	"docent/pipeline/contract"
)

func keeper(t *testing.T) Keeper {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return Keeper{Home: filepath.Join(t.TempDir(), "home"), Dir: t.TempDir(), Now: func() time.Time { return at }}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	ctx, k := context.Background(), keeper(t)
	if list, err := k.Sessions(ctx); err != nil || len(list) > 0 {
		t.Fatal(list, err)
	}
	threshold := 0.4
	req := pipeline.Request{Question: "如何 trim/../ a wick?", Scene: contract.SceneTutorial, Threshold: &threshold, Exclude: []pipeline.Hit{{DocSet: "A@1", FilePath: "a.md"}},
		Queries: []contract.OptimizedQuery{{Rank: 1, Query: "wick", Strategy: "original"}}}
	res := pipeline.Result{Final: "block <&>\u2028", Engine: map[string]string{"0a": "builtin"}}
	path, err := k.SaveSession(ctx, pipeline.SaveSession(req, []string{"threshold: 0.40"}, res))
	if err != nil || filepath.Base(path) != "20260102-030405-如何-trim-a-wick.json" {
		t.Fatal(path, err)
	}
	again, err := k.SaveSession(ctx, pipeline.SaveSession(req, nil, res))
	if err != nil || again == path {
		t.Fatal(again, err)
	}
	for name, text := range map[string]string{"x.json": "{", "y.json": `{"docent_session":0}`, "notes.txt": "", "z.json": `{"docent_session":99,"request":{"question":"later"}}`} {
		if err := os.WriteFile(filepath.Join(k.Home, folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := k.Sessions(ctx)
	if err != nil || len(list) != 5 || list[3].Question != req.Question || list[2].Broken == "" {
		t.Fatal(list, err)
	}
	s, err := k.LoadSession(ctx, filepath.Base(path))
	if err != nil || s.Request.Question != req.Question || *s.Request.Threshold != .4 || s.Result.Final != res.Final || s.Changes[0] != "threshold: 0.40" ||
		len(s.Request.Queries) != 1 || len(s.Request.Exclude) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, id := range []string{"../questions.txt", "x.json", "y.json", "z.json", "none.json", "/etc/passwd", "..", "", "a/b.json"} {
		if _, err := k.LoadSession(ctx, id); err == nil {
			t.Errorf("%q was opened", id)
		}
	}
	if err := k.RemoveSession(ctx, list[3].ID); err != nil {
		t.Error(err)
	}
	if err := k.RemoveSession(ctx, "../../x.json"); err == nil {
		t.Error("a file outside was removed")
	}
	if list, _ := k.Sessions(ctx); len(list) != 4 {
		t.Error(list)
	}
	md := s.Markdown()
	for _, want := range []string{"# 如何 trim/../ a wick?", "- threshold: 0.40", "## Final block", "block <&>"} {
		if !strings.Contains(md, want) {
			t.Errorf("the Markdown lacks %q:\n%s", want, md)
		}
	}
}

// A damaged session is listed, with its fault.
func TestBrokenSessionsAreListed(t *testing.T) {
	t.Parallel()
	ctx, k := context.Background(), keeper(t)
	path, err := k.SaveSession(ctx, pipeline.Saved{Format: 1, Request: pipeline.Request{Question: "whole"}})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{filepath.Base(path): "", "1.json": "it is damaged", "2.json": "it is empty", "3.json": "it is no saved session"}
	for name, content := range map[string][]byte{"1.json": raw[:len(raw)/2], "2.json": nil, "3.json": []byte("{}")} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := k.Sessions(ctx)
	if err != nil || len(list) != len(want) {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, s := range list {
		if s.Broken != want[s.ID] || (s.Question == "whole") != (s.Broken == "") {
			t.Errorf("%+v", s)
		}
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	ctx, k := context.Background(), keeper(t)
	if list, err := k.Questions(ctx); err != nil || len(list) > 0 {
		t.Fatal(list, err)
	}
	for _, q := range []string{"one", "two\nlines", "  ", "one", "three"} {
		if err := k.Remember(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want string) {
		t.Helper()
		if list, err := k.Questions(ctx); err != nil || strings.Join(list, "|") != want {
			t.Errorf("%q, %v; want %s", list, err, want)
		}
	}
	check("two lines|one|three")
	if err := k.Forget(ctx, "one"); err != nil {
		t.Fatal(err)
	}
	check("two lines|three")
	for i := range 2*keptQuestions + 10 {
		if err := k.Remember(ctx, fmt.Sprint("q", i)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := k.Questions(ctx)
	if err != nil || len(list) != keptQuestions || list[len(list)-1] != fmt.Sprint("q", 2*keptQuestions+9) {
		t.Errorf("%d questions, %v", len(list), err)
	}
	b, err := os.ReadFile(filepath.Join(k.Home, questionsName))
	if n := strings.Count(string(b), "\n"); err != nil || n > 2*keptQuestions {
		t.Errorf("the file was not swept: %d lines, %v", n, err)
	}
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	ctx, k := context.Background(), keeper(t)
	path, err := k.WriteFile(ctx, "a.md", "text")
	if err != nil || path != filepath.Join(k.Dir, "a.md") {
		t.Fatal(path, err)
	}
	if _, err := k.WriteFile(ctx, "a.md", "other"); err == nil || !strings.Contains(err.Error(), "another name") {
		t.Errorf("written over: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "text" {
		t.Errorf("%q", b)
	}
}
