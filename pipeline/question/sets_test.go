package question

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/store/doc"
)

type fixed []SetInfo

func (f fixed) Sets(context.Context) ([]SetInfo, error) { return f, nil }

func infos(refs ...string) []SetInfo {
	var out []SetInfo
	for _, s := range refs {
		r, err := doc.ParseRef(s)
		if err != nil {
			panic(err)
		}
		if r.Version == "" {
			r.Version = doc.DefaultVersion
		}
		out = append(out, SetInfo{Ref: r})
	}
	return out
}

func TestDetect(t *testing.T) {
	t.Parallel()
	usual := infos("Claude_Code_Docs", "OpenCode_Docs", "docs_langchain_com", "k8s-docs-v1.31", "Docent_Manual", "hooks", "django-docs-rst@5.1", "agent-skills-docs")
	versions := infos("Claude_Code_Docs@1.2", "Claude_Code_Docs@1.10", "Claude_Code_Docs@latest", "acme@2.0", "acme@10.1", "ollama-docs-2025-10", "ollama-docs-2026-02")
	dates := infos("claude-code@2025-10", "claude-code@2026-06", "Kubernetes@v1.31")
	for _, c := range []struct {
		text  string
		sets  []SetInfo
		want  string // refs
		short string // the question without them
	}{
		{"hooks in claude code", usual, "Claude_Code_Docs@latest", "hooks"},
		{"How do I create hooks in the Claude Code docs?", usual, "Claude_Code_Docs@latest", "How do I create hooks?"},
		{"Claude Code's hooks", usual, "Claude_Code_Docs@latest", "hooks"},
		{"claude-code hooks", usual, "Claude_Code_Docs@latest", "hooks"},
		{"ClaudeCode hooks", usual, "Claude_Code_Docs@latest", "hooks"},
		{"what is Claude Code?", usual, "Claude_Code_Docs@latest", "what is?"},
		{"opencode如何创建skills", usual, "OpenCode_Docs@latest", "如何创建skills"},
		{"在 opencode 中如何创建 skills", usual, "OpenCode_Docs@latest", "如何创建 skills"},
		{"OpenCode 的 hooks", usual, "OpenCode_Docs@latest", "hooks"},
		{"opencode 中文支持", usual, "OpenCode_Docs@latest", "中文支持"},
		{"compare agent skills in claude code and opencode", usual, "Claude_Code_Docs@latest OpenCode_Docs@latest", "compare agent skills"},
		{"claude code vs opencode", usual, "Claude_Code_Docs@latest OpenCode_Docs@latest", ""},
		{"claude code和opencode的skills有什么区别", usual, "Claude_Code_Docs@latest OpenCode_Docs@latest", "skills有什么区别"},
		{"hooks, opencode", usual, "OpenCode_Docs@latest", "hooks"},
		{"LangChain retrieval", usual, "docs_langchain_com@latest", "retrieval"},
		{"kubernetes liveness probe", usual, "k8s-docs-v1.31@latest", "liveness probe"},
		{"K8s 1.31 liveness probe", usual, "k8s-docs-v1.31@latest", "liveness probe"},
		{"liveness probe (k8s-docs-v1.31)", usual, "k8s-docs-v1.31@latest", "liveness probe"},
		{"docent add", usual, "Docent_Manual@latest", "add"},
		{"in the docent manual, how do I add a set", usual, "Docent_Manual@latest", "how do I add a set"},
		{"OpenCode_Docs@latest hooks", usual, "OpenCode_Docs@latest", "hooks"},
		{"OpenCode_Docs:latest hooks", usual, "OpenCode_Docs@latest", "hooks"},
		{"django 5.1 models", usual, "django-docs-rst@5.1", "models"},
		// What names nothing.
		{"hooks", usual, "", "hooks"},
		{"how do hooks work", usual, "", "how do hooks work"},
		{"agent skills", usual, "", "agent skills"},
		{"open code blocks", usual, "", "open code blocks"},
		{"where is opencode.json", usual, "", "where is opencode.json"},
		{"run `opencode serve`", usual, "", "run `opencode serve`"},
		{"--opencode-path", usual, "", "--opencode-path"},
		{"langchains", usual, "", "langchains"},
		{"the docs", usual, "", "the docs"},
		// General words want a marker.
		{"events in the hooks docs", usual, "hooks@latest", "events"},
		{"events hooks@latest", usual, "hooks@latest", "events"},
		{"hooks 文档里的事件", usual, "hooks@latest", "事件"},
		// Versions.
		{"claude code hooks", versions, "Claude_Code_Docs@latest", "hooks"},
		{"claude code 1.2 hooks", versions, "Claude_Code_Docs@1.2", "hooks"},
		{"claude code v1.10 hooks", versions, "Claude_Code_Docs@1.10", "hooks"},
		{"claude code@1.2 hooks", versions, "Claude_Code_Docs@1.2", "hooks"},
		{"claude code version 1.2 hooks", versions, "Claude_Code_Docs@1.2", "hooks"},
		{"what changed in claude code 1.2 and 1.10", versions, "Claude_Code_Docs@1.2 Claude_Code_Docs@1.10", "what changed"},
		{"claude code 1.2和1.10的区别", versions, "Claude_Code_Docs@1.2 Claude_Code_Docs@1.10", "区别"},
		{"claude code 9.9 hooks", versions, "Claude_Code_Docs@latest", "hooks"},
		{"claude code 1.3 hooks", versions, "Claude_Code_Docs@1.2", "hooks"},
		{"claude code 1.9 hooks", versions, "Claude_Code_Docs@1.10", "hooks"},
		{"claude code 1.2.3 hooks", versions, "Claude_Code_Docs@1.2", "hooks"},
		{"acme 5 hooks", versions, "acme@10.1", "5 hooks"}, // five hooks
		{"acme version 5 hooks", versions, "acme@2.0", "hooks"},
		{"acme v10 hooks", versions, "acme@10.1", "hooks"},
		{"hooks in version 1.10", versions, "Claude_Code_Docs@1.10", "hooks"},
		{"kubernetes 1.29 sidecar", usual, "k8s-docs-v1.31@latest", "sidecar"},
		{"sidecar in k8s v1.29?", usual, "k8s-docs-v1.31@latest", "sidecar?"},
		{"kubernetes 3 node cluster", usual, "k8s-docs-v1.31@latest", "3 node cluster"},
		{"ports in v1.2 of the protocol", usual, "", "ports in v1.2 of the protocol"},
		{"acme hooks", versions, "acme@10.1", "hooks"},
		{"ollama modelfile", versions, "ollama-docs-2026-02@latest", "modelfile"},
		{"ollama 2025-10 modelfile", versions, "ollama-docs-2025-10@latest", "modelfile"},
		// A trial found that dates next to a name were ignored.
		{"claude code hooks", dates, "claude-code@2026-06", "hooks"},
		{"claude code 2025-10 hooks", dates, "claude-code@2025-10", "hooks"},
		{"claude-code@2025-10 hooks", dates, "claude-code@2025-10", "hooks"},
		{"how do I configure hooks in Claude Code version 2025-10", dates, "claude-code@2025-10", "how do I configure hooks"},
		{"Claude Code v2025-10: hooks", dates, "claude-code@2025-10", "hooks"},
		{"Claude Code 2025.10 hooks", dates, "claude-code@2025-10", "hooks"},
		{"Claude Code 2025-10-03 hooks", dates, "claude-code@2025-10", "hooks"},
		{"Claude Code 2025 hooks", dates, "claude-code@2025-10", "hooks"},
		{"what changed in claude code 2025-10 and 2026-06", dates, "claude-code@2025-10 claude-code@2026-06", "what changed"},
		{"Claude Code 2024-01 hooks", dates, "claude-code@2025-10", "hooks"},
		{"Claude Code 2026-01 hooks", dates, "claude-code@2025-10", "hooks"},
		{"Claude Code 2027-01 hooks", dates, "claude-code@2026-06", "hooks"},
		{"claude code v3 hooks", dates, "claude-code@2026-06", "hooks"},
		{"claude code 2-3 hooks", dates, "claude-code@2026-06", "2-3 hooks"},
		{"kubernetes 2024-05 incident", dates, "Kubernetes@v1.31", "2024-05 incident"}, // its versions are no dates
	} {
		n := detect(c.text, c.sets)
		var got []string
		for _, r := range n.Refs {
			got = append(got, r.String())
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("Detect(%q) = %q, want %q", c.text, g, c.want)
		}
		if s := n.Without(c.text); s != c.short {
			t.Errorf("Without(%q) = %q, want %q", c.text, s, c.short)
		}
	}
}

func TestAim(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	sets := fixed(infos("Claude_Code_Docs", "OpenCode_Docs"))
	given, err := FindAim(ctx, sets, []string{" OpenCode_Docs@latest ", "", "OpenCode_Docs@latest"}, "claude code and opencode hooks")
	if err != nil || !given.Explicit || !slices.Equal(given.DocSets, []string{"OpenCode_Docs@latest"}) {
		t.Errorf("given sets: %+v, %v", given, err)
	}
	if s := given.Naming.Without("claude code and opencode hooks"); s != "claude code and hooks" {
		t.Errorf("the given set's name stays: %q", s)
	}
	if got, err := FindAim(ctx, nil, nil, "claude code"); err != nil || got.Explicit || got.DocSets != nil {
		t.Errorf("without sets: %+v, %v", got, err)
	}
	imp := implying{sets, doc.Ref{Name: "OpenCode_Docs", Version: "latest"}}
	got, err := FindAim(ctx, imp, nil, "keybinds")
	if err != nil || got.Explicit || !slices.Equal(got.DocSets, []string{"OpenCode_Docs@latest"}) {
		t.Errorf("implied: %+v, %v", got, err)
	}
	if got, _ = FindAim(ctx, imp, nil, "how do we roll back"); !slices.Equal(got.DocSets, []string{"OpenCode_Docs@latest"}) {
		t.Errorf("a question without nouns implies %+v", got)
	}
	if got, _ = FindAim(ctx, imp, nil, "claude code keybinds"); !slices.Equal(got.DocSets, []string{"Claude_Code_Docs@latest"}) {
		t.Errorf("a named set yields to an implied one: %+v", got)
	}
	k8s := fixed(infos("Kubernetes@1.31", "Kubernetes@1.30"))
	for _, c := range []struct{ set, q, note string }{
		{"", "kubernetes 1.29 sidecar", "Kubernetes 1.29 is not indexed; 1.30 answers"},
		{"", "kubernetes 1.31 sidecar", ""},
		{"", "kubernetes 1.31.2 sidecar", ""},
		{"Kubernetes@1.31", "kubernetes 1.29 sidecar", "Kubernetes 1.29 is not indexed; 1.31 answers"},
		{"Kubernetes@1.31", "kubernetes 1.30 sidecar", "the question names Kubernetes 1.30; 1.31 was searched, as asked"},
	} {
		var given []string
		if c.set != "" {
			given = []string{c.set}
		}
		got, err := FindAim(ctx, k8s, given, c.q)
		if err != nil || strings.Join(got.Notes, "|") != c.note {
			t.Errorf("%q in %q: notes %q, %v, want %q", c.q, c.set, got.Notes, err, c.note)
		}
	}
	dated := fixed(infos("claude-code@2025-10", "claude-code@2026-06", "Kubernetes@v1.31", "rust-book", "ollama-docs-2025-10"))
	for _, c := range []struct{ q, rest, note string }{
		{"Claude Code 2025-10 hooks", "Claude Code hooks", ""},
		{"Claude Code 2024-01 hooks", "Claude Code hooks", "claude-code 2024-01 is not indexed; 2025-10 answers"},
		{"claude-code@2024-01 hooks", "claude-code hooks", "claude-code 2024-01 is not indexed; 2025-10 answers"},
		{"claude code v3 hooks", "claude code hooks", "claude-code 3 is not indexed; 2026-06 answers"},
		{"ollama 0.3 modelfile", "ollama modelfile", "ollama-docs-2025-10 0.3 is not indexed; 2025-10 answers"},
		{"Kubernetes 1.29 statefulset", "Kubernetes statefulset", "Kubernetes 1.29 is not indexed; 1.31 answers"},
		{"Kubernetes 1.31 statefulset", "Kubernetes 1.31 statefulset", ""},
		{"what is new in kubernetes 1.31 and 1.29?", "what is new in kubernetes 1.31?", "Kubernetes 1.29 is not indexed; 1.31 answers"},
		{"rust 1.50 closures", "rust closures", "rust-book 1.50 is not indexed; latest answers"},
	} {
		got, err := FindAim(ctx, dated, nil, c.q)
		if err != nil || strings.Join(got.Notes, "|") != c.note {
			t.Errorf("%q: notes %q, %v, want %q", c.q, got.Notes, err, c.note)
		}
		if s := got.WithoutVersions(c.q); s != c.rest {
			t.Errorf("%q without versions is %q, want %q", c.q, s, c.rest)
		}
	}
	if _, err = FindAim(ctx, failing{}, nil, "x"); !errors.Is(err, errFails) {
		t.Errorf("error of the sets: %v", err)
	}
}

type implying struct {
	fixed
	ref doc.Ref
}

func (i implying) Implied(context.Context, string) ([]doc.Ref, error) { return []doc.Ref{i.ref}, nil }

var errFails = errors.New("fails")

type failing struct{}

func (failing) Sets(context.Context) ([]SetInfo, error) { return nil, errFails }

func TestDetectAnyText(t *testing.T) {
	t.Parallel()
	sets := infos("Claude_Code_Docs@1.2", "OpenCode_Docs", "k8s-docs-v1.31", "_", "中文手册", "a.b")
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"claude", " ", "code", "Open", "docs", "@", "1.2", "和", "的", "k8s", "中文", "`", "-", ".", "in", "and", "é", "\xff", "'s"})).Draw(t, "words")
		text := strings.Join(words, "")
		n := detect(text, sets)
		at := 0
		for _, m := range n.Mentions {
			if m.Start < at || m.End <= m.Start || m.End > len(text) {
				t.Fatalf("mention %+v of %q", m, text)
			}
			at = m.End
		}
		n.Without(text)
	})
}
