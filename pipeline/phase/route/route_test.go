package route

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/pipeline/contract"
	"docent/pipeline/phase/optimize"
	"docent/pipeline/question"
	"docent/store/doc"
)

type fixed []question.SetInfo

func (f fixed) Sets(context.Context) ([]question.SetInfo, error) { return f, nil }

var someSets = fixed{
	{Ref: doc.Ref{Name: "Claude_Code_Docs", Version: "latest"}},
	{Ref: doc.Ref{Name: "OpenCode_Docs", Version: "latest"}},
}

func route(t testing.TB, q string, given ...string) contract.Routed {
	t.Helper()
	out, _, err := New(someSets, Options{}).Route(context.Background(), contract.OptimizeInput{Query: q, DocSets: given})
	if err != nil {
		t.Fatalf("Route(%.60q): %v", q, err)
	}
	return out
}

func TestScenesAndIntents(t *testing.T) {
	t.Parallel()
	const (
		fact, tutorial, api, trouble                        = contract.SceneFactLookup, contract.SceneTutorial, contract.SceneAPIReference, contract.SceneTroubleshooting
		parameter, configuration, procedure, warns, general = contract.IntentParameter, contract.IntentConfiguration, contract.IntentProcedure, contract.IntentWarning, contract.IntentGeneral
	)
	for _, c := range []struct{ q, scene, intent string }{
		// How.
		{"How do I create a skill?", tutorial, procedure},
		{"how to install plugins", tutorial, procedure},
		{"How can I preload a model to get faster responses?", tutorial, procedure},
		{"steps to deploy a StatefulSet", tutorial, procedure},
		{"show me how to write a hook", tutorial, procedure},
		{"getting started with agents", tutorial, procedure},
		{"quickstart", tutorial, procedure},
		{"create hooks", tutorial, procedure},
		{"scaling a StatefulSet", tutorial, procedure},
		{"draining a node", tutorial, procedure},
		{"example of a subagent", tutorial, procedure},
		{"如何创建 skills", tutorial, procedure},
		{"opencode如何创建skills", tutorial, procedure},
		{"怎么安装插件", tutorial, procedure},
		{"怎样部署应用", tutorial, procedure},
		{"部署 hooks 的步骤", tutorial, procedure},
		{"使用 kubeadm 创建集群", tutorial, procedure},
		{"hooks 入门教程", tutorial, procedure},
		// Configuration.
		{"How do I configure hooks?", tutorial, configuration},
		{"configure MCP servers", tutorial, configuration},
		{"hooks configuration", fact, configuration},
		{"network settings", fact, configuration},
		{"how do I enable auto updates", tutorial, configuration},
		{"how to disable telemetry", tutorial, configuration},
		{"hooks 配置相关", tutorial, configuration},
		{"如何配置", tutorial, configuration},
		{"如何设置代理", tutorial, configuration},
		{"启用沙箱", tutorial, configuration},
		// Facts.
		{"What is a liveness probe?", fact, general},
		{"what are agent skills", fact, general},
		{"Which models are supported?", fact, general},
		{"who can see shared sessions", fact, general},
		{"difference between subagents and skills", fact, general},
		{"hooks vs skills", fact, general},
		{"When should you use a startup probe?", fact, general},
		{"where are transcripts stored", fact, general},
		{"hooks", fact, general},
		{"diff view", fact, general},
		{"🎉", fact, general},
		{"什么是存活探测", fact, general},
		{"hooks 是什么", fact, general},
		{"支持哪些模型", fact, general},
		{"hooks 和 skills 的区别", fact, general},
		{"A component that runs on each node in the cluster and keeps containers healthy.", fact, general},
		// Parameters.
		{"what does --feature-gates do", api, parameter},
		{"--feature-gates", api, parameter},
		{"what does SLASH_COMMAND_TOOL_CHAR_BUDGET do", api, parameter},
		{"what does args.csspath do", api, parameter},
		{"what does DEBUG do", api, parameter},
		{"what is the default value of maxSurge", api, parameter},
		{"hook parameters", api, parameter},
		{"foo.bar() return value", api, parameter},
		{"allowed values of effect", api, parameter},
		{"hooks 参数", api, parameter},
		{"--model 参数的默认值", api, parameter},
		{"terminationGracePeriodSeconds 是什么", api, parameter},
		{"DATABASE_URL 有什么用", api, parameter},
		{"kubectl flags", api, parameter},
		{"CLI reference", api, general},
		{"Messages API endpoint", api, general},
		{"SDK 接口", api, general},
		// Trouble.
		{"hooks not working", trouble, warns},
		{"Why does my hook fail with permission denied?", trouble, warns},
		{"MCP server fails to start", trouble, warns},
		{"pod stuck in CrashLoopBackOff", trouble, warns},
		{"how do I fix a connection refused error", trouble, warns},
		{"cannot connect to the server", trouble, warns},
		{"troubleshooting", trouble, warns},
		{"how to debug a pod", trouble, warns},
		{"安装失败", trouble, warns},
		{"hooks 不生效怎么办", trouble, warns},
		{"启动报错", trouble, warns},
		{"无法连接服务器", trouble, warns},
		{"修复服务器连接问题", trouble, warns},
		{"kubelet 客户端证书轮换失败", trouble, warns},
		// Warnings.
		{"is it safe to skip permissions", fact, warns},
		{"deprecated APIs", fact, warns},
		{"security risks of hooks", fact, warns},
		{"升级的注意事项", fact, warns},
	} {
		r := route(t, c.q)
		if r.Scene != c.scene || r.Intent != c.intent {
			t.Errorf("%q: %s, %s (%.2f, %q), want %s, %s", c.q, r.Scene, r.Intent, r.Confidence, r.Evidence, c.scene, c.intent)
		}
	}
}

func TestEvidenceAndConfidence(t *testing.T) {
	t.Parallel()
	clear, vague := route(t, "how to fix the error: hooks fail with permission denied"), route(t, "hooks")
	if clear.Confidence <= vague.Confidence {
		t.Errorf("a clear question has confidence %v, a bare word %v", clear.Confidence, vague.Confidence)
	}
	if len(vague.Evidence) != 0 {
		t.Errorf("evidence for a bare word: %q", vague.Evidence)
	}
	r := route(t, "what does --feature-gates do")
	if !slices.ContainsFunc(r.Evidence, func(e string) bool { return strings.Contains(e, "--feature-gates") }) {
		t.Errorf("the flag is not among the evidence %q", r.Evidence)
	}
}

func TestContext(t *testing.T) {
	t.Parallel()
	r := route(t, "claude code hooks not working")
	c := r.Context
	if c == nil || !slices.Equal(c.DocSets, []string{"Claude_Code_Docs@latest"}) || !c.DocSetsExplicit || c.Scene != r.Scene || c.Intent != r.Intent ||
		c.Confidence != r.Confidence || *c.RerankerThreshold != contract.DefaultThreshold || !*c.RerankerEnabled || c.Language != "en" || c.Question != "claude code hooks not working" {
		t.Errorf("context %+v", c)
	}
	if r.RerankerThreshold != contract.DefaultThreshold || !r.RerankerEnabled {
		t.Errorf("%+v", r)
	}
	if c = route(t, "hooks").Context; len(c.DocSets) != 0 || c.DocSetsExplicit {
		t.Errorf("nothing named: %+v", c)
	}
	if c = route(t, "claude code", "OpenCode_Docs@latest").Context; !slices.Equal(c.DocSets, []string{"OpenCode_Docs@latest"}) {
		t.Errorf("given sets: %+v", c)
	}
}

// The words that ask for the full or the compressed text say nothing of the scene, and a
// question that phase 0a has read comes out as one that is read here.
func TestReadByPhase0a(t *testing.T) {
	t.Parallel()
	for q, want := range map[string]string{
		"summarize the hooks page":          contract.SceneFactLookup,
		"hooks, please don't shorten it":    contract.SceneFactLookup,
		"How do hooks work, briefly?":       contract.SceneFactLookup,
		"总结一下 hooks":                        contract.SceneFactLookup,
		"what is Claude Code?":              contract.SceneFactLookup,
		"how do I create a skill, in full":  contract.SceneTutorial,
		"error: hooks failed\nat x(y.go:1)": contract.SceneTroubleshooting,
	} {
		in := contract.OptimizeInput{Query: q}
		o, _, err := optimize.New(someSets).Optimize(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		alone := route(t, q)
		in.Reading = o.Context.Reading
		both, _, err := New(someSets, Options{}).Route(context.Background(), in)
		if err != nil || alone.Scene != want || both.Scene != want || alone.Confidence != both.Confidence || !slices.Equal(alone.Evidence, both.Evidence) {
			t.Errorf("%q: alone %s %v %q, after phase 0a %s %v %q, want %s, %v", q, alone.Scene, alone.Confidence, alone.Evidence, both.Scene, both.Confidence, both.Evidence, want, err)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	ask := func(q string, threshold float64) error {
		_, _, err := New(nil, Options{Threshold: new(float64(threshold))}).Route(context.Background(), contract.OptimizeInput{Query: q})
		return err
	}
	for _, c := range []struct {
		q         string
		threshold float64
		code      string
	}{
		{" \n", 0, contract.CodeQueryEmpty},
		{"\x00", 0, contract.CodeQueryEmpty},
		{"x", 1.01, contract.CodeInvalidRequest},
		{"x", -0.5, contract.CodeInvalidRequest},
		{"x", math.NaN(), contract.CodeInvalidRequest},
	} {
		if e := (*contract.Error)(nil); !errors.As(ask(c.q, c.threshold), &e) || e.Code != c.code {
			t.Errorf("%q, %v: %v, want %s", c.q, c.threshold, e, c.code)
		}
	}
	if err := ask("x", 0.2); err != nil {
		t.Error(err)
	}
}

func TestRouteAnything(t *testing.T) {
	t.Parallel()
	b := New(someSets, Options{})
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.OneOf(rapid.String(), rapid.Just(strings.Repeat("how fails 参数 ", 9000))).Draw(t, "q")
		r, _, err := b.Route(context.Background(), contract.OptimizeInput{Query: q})
		if err != nil {
			return
		}
		if r.Confidence < 0 || r.Confidence > 1 || !slices.Contains(contract.Scenes(), r.Scene) || !slices.Contains(contract.Intents(), r.Intent) {
			t.Fatalf("%+v", r)
		}
	})
}

func BenchmarkRoute(b *testing.B) {
	r := New(someSets, Options{})
	for b.Loop() {
		_, _, _ = r.Route(context.Background(), contract.OptimizeInput{Query: "how do I configure hooks in claude code"})
	}
}

// Questions of a trial whose scenes were read as facts: a state that is trouble, a task without
// "how", and a list of what an interface has.
func TestScenesOfATrial(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{"pod is Pending": "troubleshooting", "backup and restore etcd": "tutorial",
		"list of slash commands": "api_reference", "install or upgrade the agent": "tutorial", "backup policy": "fact_lookup"} {
		if got := route(t, asked); got.Scene != want {
			t.Errorf("%q is %s (%q), want %s", asked, got.Scene, got.Evidence, want)
		}
	}
}
