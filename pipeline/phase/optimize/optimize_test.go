package optimize

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/store/doc"
)

type fixed []question.SetInfo

func (f fixed) Sets(context.Context) ([]question.SetInfo, error) { return f, nil }

var someSets = fixed{
	{Ref: doc.Ref{Name: "Claude_Code_Docs", Version: "latest"}},
	{Ref: doc.Ref{Name: "OpenCode_Docs", Version: "latest"}},
	{Ref: doc.Ref{Name: "k8s-docs-v1.31", Version: "latest"}},
}

func optimize(t testing.TB, q string, given ...string) contract.Optimized {
	t.Helper()
	out, trace, err := New(someSets).Optimize(context.Background(), contract.OptimizeInput{Query: q, DocSets: given})
	if err != nil {
		t.Fatalf("Optimize(%.60q): %v", q, err)
	}
	if trace.Engine != contract.EngineBuiltin {
		t.Fatalf("engine %q", trace.Engine)
	}
	return out
}

// The queries that spec 3 prints, and the queries for questions of the same form with
// other words: they come from rules, not from a list.
func TestQueriesInOrder(t *testing.T) {
	t.Parallel()
	const (
		tr, ex, de, or = contract.StrategyTranslation, contract.StrategyExpansion, contract.StrategyDecomposition, contract.StrategyOriginal
	)
	for _, c := range []struct {
		q    string
		want []string // strategy: query: reason, the reason left out where it does not matter
	}{
		{"hooks 配置相关", []string{
			tr + ": hooks configuration: Direct English translation",
			ex + ": setup hooks: Action-oriented variation",
			ex + ": hooks settings: Synonym for configuration",
			or + ": hooks 配置相关"}},
		{"插件 配置相关", []string{
			tr + ": plugin configuration: Direct English translation",
			ex + ": setup plugin: Action-oriented variation",
			ex + ": plugin settings: Synonym for configuration"}},
		{"hooks配置以及部署", []string{de + ": hooks configuration", de + ": deployment hooks", tr + ": hooks configuration deployment"}},
		{"skills安装以及升级", []string{de + ": skills installation", de + ": upgrade skills"}},
		{"skills", []string{ex + ": Agent Skills", ex + ": skills reference", or + ": skills"}},
		{"如何配置", []string{tr + ": configure", ex + ": setup", ex + ": settings", or + ": 如何配置"}},
		{"如何部署", []string{tr + ": deploy", ex + ": release"}},
		{"opencode如何创建skills", []string{tr + ": create skills", ex + ": add skills"}},
		{"如何配置 hooks", []string{tr + ": configure hooks", ex + ": setup hooks", ex + ": hooks settings"}},
		{"为容器设置环境变量", []string{tr + ": set environment variable for container"}},
		{"将文件导出", []string{tr + ": export file"}},
		{"hooks 和 skills 的区别", []string{tr + ": hooks skills difference", de + ": hooks", de + ": skills"}},
		{"hooks配置、部署和调试", []string{de + ": hooks configuration", de + ": deployment hooks", de + ": debugging hooks"}},
		{"how do I configure hooks in claude code", []string{
			or + ": how do I configure hooks", ex + ": setup hooks: Action-oriented variation", ex + ": hooks settings"}},
		{"install, upgrade and remove plugins", []string{or + ": install, upgrade and remove plugins", de + ": install plugins", de + ": upgrade plugins", de + ": remove plugins"}},
		{"configure hooks as well as skills", []string{or + ": configure hooks as well as skills", de + ": configure hooks", de + ": configure skills"}},
		{"hooks vs skills", []string{or + ": hooks vs skills", de + ": hooks", de + ": skills"}},
		{"compare agent skills in claude code and opencode", []string{or + ": compare agent skills", ex + ": agent skills"}},
		{"--feature-gates", []string{or + ": --feature-gates", ex + ": feature gates", ex + ": --feature-gates reference"}},
		{"what does --feature-gates do", []string{or + ": what does --feature-gates do", ex + ": feature gates"}},
		{"acme 1.2 hooks", []string{or + ": acme 1.2 hooks", ex + ": acme 1.2 hooks reference"}},
		{"diff view", []string{or + ": diff view", ex + ": diff view reference", ex + ": diff view guide"}},
		{"claude code settings", []string{or + ": claude code settings", ex + ": settings"}},
		{"what is Claude Code?", []string{or + ": what is Claude Code?", ex + ": Claude Code overview"}},
		{"MCP", []string{or + ": MCP", ex + ": Model Context Protocol servers"}},
		// A title in quotation marks is translated, the English of a button is not.
		{"什么是《工程新闻记录》？", []string{tr + ": engineering news record"}},
		{"什么是“Docker 集群”", []string{tr + ": Docker cluster"}},
		{"Wo steht „Les Misérables“ in der Liste?", []string{tr + ": steht Les Misérables list"}},
		{"“Save as”按钮在哪里", []string{tr + ": Save as button"}},
		{"Wo ist die Schaltfläche \"Save as\"?", []string{tr + ": button Save as"}},
		{"㐀㐁", []string{or + ": 㐀㐁"}},
		{"how?", []string{ex + ": getting started"}},
		{"Why do I need them?", []string{or + ": Why do I need them?", ex + ": getting started"}},
		{"🎉", []string{or + ": 🎉"}},
	} {
		got := optimize(t, c.q).OptimizedQueries
		for i, want := range c.want {
			if i >= len(got) {
				t.Errorf("%q: %d queries, want %q as number %d", c.q, len(got), want, i+1)
				break
			}
			if s := got[i].Strategy + ": " + got[i].Query + ": " + got[i].Reason; !strings.HasPrefix(s+":", want+":") {
				t.Errorf("%q: query %d is %q, want %q", c.q, i+1, s, want)
			}
		}
	}
}

// Names of things are no verbs, fixed expressions and code stay whole, messages are not
// taken apart, each part of a question is asked, and no two queries are for the same words.
func TestQueriesByKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q    string
		want []string // all queries
		not  string   // a word that stands in none
	}{
		{"how to rollback a deployment", []string{"how to rollback a deployment", "roll back deployment", "rollback deployment guide"}, "release"},
		{"how do I roll back a release", []string{"how do I roll back a release", "rollback release", "roll back release guide"}, ""},
		{"how do I log in with a token", []string{"how do I log in with a token", "login token", "log in token guide"}, "record"},
		{"my job runs out of memory", []string{"my job runs out of memory", "job runs out of memory troubleshooting", "job runs out of memory guide"}, ""},
		{"what is a Deployment", []string{"what is a Deployment", "Deployment overview", "Deployment reference"}, "release"},
		{"difference between Deployment and Job", []string{"difference between Deployment and Job", "Deployment", "Job", "Deployment Job"}, "release"},
		{"how do I create a Deployment", []string{"how do I create a Deployment", "add Deployment", "new Deployment"}, "release"},
		{"what does Some(x) mean", []string{"what does Some(x) mean", "Some(x)", "Some(x) overview"}, ""},
		{"is Result<T, E> an enum", []string{"is Result<T, E> an enum", "Result<T, E>", "Result<T, E> enum reference"}, ""},
		{"how do I see the history and how do I pause a rollout", []string{"how do I see the history and how do I pause a rollout", "how do I see the history", "how do I pause a rollout"}, "roll out"},
		{"what is a wick and does it protect against bad weather", []string{"what is a wick and does it protect against bad weather", "what is a wick", "protect against bad weather"}, ""},
		{"cron: what does Forbid do and what timezone is used", []string{"cron: what does Forbid do and what timezone is used", "cron: what does Forbid do", "cron: what timezone is used"}, ""},
		{"Secret 默认会加密存储吗?单个 Secret 最大多大", []string{"Secret default encrypt store single Secret maximum size", "Secret default encrypt store", "single Secret maximum size",
			"Secret 默认会加密存储吗?单个 Secret 最大多大"}, "old"},
		{`apply: no matches for kind "Deployment" in version "extensions/v1beta1"`, []string{`apply: no matches for kind "Deployment" in version "extensions/v1beta1"`,
			`apply: no matches for kind "Deployment" in version`, "Deployment extensions/v1beta1"}, ""},
		{"3/7 lamps are lit: 4 lack oil. refill: 0/7 lamps are lit: no oil was found in the cellar of the house", []string{
			"3/7 lamps are lit: 4 lack oil. refill: 0/7 lamps are lit: no oil was found in the cellar of the house"}, ""},
		{"Unable to open lamp 17: oil: the burner was refused by 10.0.0.1", []string{"Unable to open lamp 17: oil: the burner was refused by 10.0.0.1", "Unable to open lamp oil: the burner was refused by"}, ""},
	} {
		got := optimize(t, c.q).OptimizedQueries
		l := &list{}
		for i, q := range got {
			if i < len(c.want) && q.Query != c.want[i] {
				t.Errorf("%q: query %d is %q, want %q", c.q, i+1, q.Query, c.want[i])
			}
			if c.not != "" && strings.Contains(q.Query, c.not) && !strings.Contains(c.q, c.not) {
				t.Errorf("%q: %q is about something else", c.q, q.Query)
			}
			for _, o := range got[:i] {
				if l.queryKey(o.Query) == l.queryKey(q.Query) {
					t.Errorf("%q: %q and %q are for the same words", c.q, o.Query, q.Query)
				}
			}
		}
		if len(got) < len(c.want) {
			t.Errorf("%q: %d queries, want %d", c.q, len(got), len(c.want))
		}
	}
}

func TestNamesAndCodeStayWhole(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"how to run `foo and bar`", "what is \"search and replace\"", "Identity and Access Management", "“读取和写入” 权限"} {
		for _, o := range optimize(t, q).OptimizedQueries {
			if o.Strategy == contract.StrategyDecomposition {
				t.Errorf("%q was taken apart: %q", q, o.Query)
			}
		}
	}
}

func TestAnalysis(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ q, sets, nouns, verbs, language string }{
		{"hooks 配置相关", "", "hooks", "configure", "zh"},
		{"create and register function hooks", "", "function|hooks", "create|register", "en"},
		{"how do I configure a liveness probe in k8s", "k8s-docs-v1.31@latest", "liveness probe", "configure", "en"},
		{"在 opencode 中如何创建 skills", "OpenCode_Docs@latest", "skills", "create", "zh"},
		{"what does --feature-gates do", "", "--feature-gates", "", "en"},
		{"when does PreToolUse fire in foo.bar()?", "", "PreToolUse|fire|foo.bar()", "", "en"},
		{"存活探测 配置", "", "liveness probe", "configure", "zh"},
		{"compare agent skills in claude code and opencode", "Claude_Code_Docs@latest|OpenCode_Docs@latest", "agent skills", "compare", "en"},
		{"configuration", "", "configuration", "configure", "en"},
		{"🎉", "", "🎉", "", ""},
	} {
		a := optimize(t, c.q).QueryAnalysis
		got := strings.Join([]string{strings.Join(a.DocSet, "|"), strings.Join(a.DomainNouns, "|"), strings.Join(a.PredicateVerbs, "|"), a.Language}, " / ")
		if want := strings.Join([]string{c.sets, c.nouns, c.verbs, c.language}, " / "); got != want {
			t.Errorf("%q: %s, want %s", c.q, got, want)
		}
	}
}

func TestContext(t *testing.T) {
	t.Parallel()
	out := optimize(t, "claude code hooks")
	if c := out.Context; c == nil || c.Question != "claude code hooks" || !c.DocSetsExplicit || !slices.Equal(c.DocSets, []string{"Claude_Code_Docs@latest"}) || len(c.Queries) != len(out.OptimizedQueries) {
		t.Errorf("context %+v", out.Context)
	}
	out = optimize(t, "claude code hooks", "OpenCode_Docs@latest")
	if c := out.Context; !c.DocSetsExplicit || !slices.Equal(c.DocSets, []string{"OpenCode_Docs@latest"}) || out.OptimizedQueries[0].Query != "claude code hooks" {
		t.Errorf("given sets: %+v", out)
	}
	if c := optimize(t, "hooks").Context; c.DocSetsExplicit || len(c.DocSets) != 0 {
		t.Errorf("nothing named: %+v", c)
	}
}

// impliesAll are doc sets of which a question that names none implies all.
type impliesAll struct{ fixed }

func (impliesAll) Implied(context.Context, string) ([]doc.Ref, error) {
	return []doc.Ref{{Name: "Claude_Code_Docs", Version: "latest"}, {Name: "OpenCode_Docs", Version: "latest"}}, nil
}

// A question that names no doc set once listed all of them as its target.
func TestImpliedDocSetsAreNotNamed(t *testing.T) {
	t.Parallel()
	out, _, err := New(impliesAll{someSets}).Optimize(t.Context(), contract.OptimizeInput{Query: "how do hooks work"})
	if err != nil || out.QueryAnalysis.DocSet == nil || len(out.QueryAnalysis.DocSet) != 0 || len(out.Context.DocSets) != 2 || out.Context.DocSetsExplicit {
		t.Errorf("%q, context %+v, %v", out.QueryAnalysis.DocSet, out.Context, err)
	}
	out, _, err = New(impliesAll{someSets}).Optimize(t.Context(), contract.OptimizeInput{Query: "claude code hooks"})
	if err != nil || !slices.Equal(out.QueryAnalysis.DocSet, []string{"Claude_Code_Docs@latest"}) {
		t.Errorf("%q, %v", out.QueryAnalysis.DocSet, err)
	}
}

// "Kubernetes 1.29 statefulset" answered from 1.31 with the pages that mention 1.29: a
// version that is not there is noted, and no later phase searches for it or scores by it.
func TestMissingVersionIsNoWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ q, want string }{
		{"Kubernetes 1.29 statefulset", "Kubernetes statefulset"},
		{"compare k8s 1.29 pods and deployments", "compare k8s pods and deployments"},
		{"what is a pod in k8s v1.29 and how do I delete a pod?", "what is a pod in k8s and how do I delete a pod?"},
		{"give me the full text about pods in kubernetes version 1.29", "give me the full text about pods in kubernetes"},
		{"kubernetes 1.29", "kubernetes"},
	} {
		out := optimize(t, c.q)
		x := out.Context
		if x.Question != c.want || len(x.Notes) != 1 {
			t.Errorf("%q: question %q, notes %q, want %q", c.q, x.Question, x.Notes, c.want)
		}
		searched := slices.Concat(x.Queries, x.Subjects, x.Parts, x.DomainNouns, out.QueryAnalysis.DomainNouns)
		for _, q := range out.OptimizedQueries {
			searched = append(searched, q.Query)
		}
		if all := strings.Join(searched, "|"); strings.Contains(all, "29") {
			t.Errorf("%q is searched as %s", c.q, all)
		}
	}
	if x := optimize(t, "kubernetes 1.31 statefulset").Context; x.Question != "kubernetes 1.31 statefulset" || len(x.Notes) != 0 {
		t.Errorf("a version that is there: %+v", x)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"", " \n\t", "\x00\x07", "\u200b"} {
		_, _, err := New(nil).Optimize(context.Background(), contract.OptimizeInput{Query: q})
		if e := (*contract.Error)(nil); !errors.As(err, &e) || e.Code != contract.CodeQueryEmpty {
			t.Errorf("Optimize(%q): %v", q, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := New(nil).Optimize(ctx, contract.OptimizeInput{Query: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: %v", err)
	}
	_, trace, err := New(nil).Optimize(context.Background(), contract.OptimizeInput{Query: strings.Repeat("配置 hooks\n", 20000)})
	if err != nil || len(trace.Degraded) != 1 {
		t.Errorf("a question that is too long: %v, %+v", err, trace)
	}
}

func check(t interface{ Fatalf(string, ...any) }, q string, out contract.Optimized) {
	qs := out.OptimizedQueries
	if len(qs) < contract.MinQueries || len(qs) > contract.MaxQueries {
		t.Fatalf("%.80q: %d queries", q, len(qs))
	}
	seen := map[string]bool{}
	for i, o := range qs {
		switch k := (&list{}).queryKey(o.Query); {
		case o.Rank != i+1:
			t.Fatalf("%.80q: rank %d in place %d", q, o.Rank, i+1)
		case strings.TrimSpace(o.Query) == "" || !utf8.ValidString(o.Query) || utf8.RuneCountInString(o.Query) > maxAskedRunes:
			t.Fatalf("%.80q: query %q", q, o.Query)
		case seen[k]:
			t.Fatalf("%.80q: %q twice", q, o.Query)
		case !slices.Contains(contract.Strategies(), o.Strategy) || o.Reason == "":
			t.Fatalf("%.80q: %+v", q, o)
		case asksOnly(o.Query) && !(o.Strategy == contract.StrategyOriginal && len(strings.Fields(o.Query)) >= headingWords): // which may be a heading
			t.Fatalf("%.80q: %q only asks", q, o.Query)
		default:
			seen[k] = true
		}
	}
	if out.QueryAnalysis.DocSet == nil || out.QueryAnalysis.DomainNouns == nil || out.QueryAnalysis.PredicateVerbs == nil {
		t.Fatalf("%.80q: a null list", q)
	}
}

func TestAlwaysThreeToFiveQueries(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"a", "的", "it", "???", "是什么", "怎么办", "how do I", "reference", "overview", "getting started", "guide reference overview examples tutorial",
		"claude code", "opencode", "claude code vs opencode", "如何使用 claude code", "和", "and", "A and", "、、、", "`", "``", "\"\"", "`a`", "-", "--x", "\xff\xfe",
		strings.Repeat("x", 70000), strings.Repeat("配置", 30000), strings.Repeat("hooks and skills, ", 4000), strings.Repeat("🎉", 20000)} {
		out, _, err := New(someSets).Optimize(context.Background(), contract.OptimizeInput{Query: q})
		if question, _ := question.CleanQuestion(q); question == "" {
			if err == nil {
				t.Errorf("%q has no question in it", q)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%.40q: %v", q, err)
		}
		check(t, q, out)
	}
	words := []string{"hooks", "配置", "以及", "如何", "部署", "claude code", "opencode", "and", ",", "how", "do", "I", "set up", "--flag", "`a and b`", "的", "区别", "vs", "skills", "?", "error", "在", "为", "髑髏", "中", "PreToolUse", "the", "🎉", "reference"}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(words), 1, 14).Draw(t, "words")
		q := strings.Join(parts, rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		out, _, err := New(someSets).Optimize(context.Background(), contract.OptimizeInput{Query: q})
		if err != nil {
			t.Fatalf("%q: %v", q, err)
		}
		check(t, q, out)
	})
}

func FuzzOptimize(f *testing.F) {
	for _, s := range []string{"hooks 配置相关", "claude code 1.2", "`a", "如何\x00配置", "vs", "a、b和c", "\xff"} {
		f.Add(s)
	}
	b := New(someSets)
	f.Fuzz(func(t *testing.T, q string) {
		out, _, err := b.Optimize(context.Background(), contract.OptimizeInput{Query: q})
		if err == nil {
			check(t, q, out)
		}
	})
}

func BenchmarkOptimize(b *testing.B) {
	o := New(someSets)
	for b.Loop() {
		_, _, _ = o.Optimize(context.Background(), contract.OptimizeInput{Query: "hooks配置以及部署 in claude code"})
	}
}

func BenchmarkOptimizeLong(b *testing.B) {
	o := New(someSets)
	long := strings.Repeat("how do I configure hooks 以及部署, ", 3000)
	for b.Loop() {
		_, _, _ = o.Optimize(context.Background(), contract.OptimizeInput{Query: long})
	}
}

// Words of a trial that made nonsense of queries: "fix happens node", "much billing", "plug in" for
// plugins behind "or", and a verb in a name of two nouns.
func TestWordsOfATrial(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]struct{ nouns, verbs, not, has string }{
		"how to fix what happens when a node fails": {verbs: "fix", not: "happen"},
		"why is there so much billing":              {verbs: "bill", not: "much billing t"},
		"release strategy":                          {nouns: "release strategy"},
		"hooks or plugins":                          {nouns: "hooks plugins", not: "plug in"},
		"how do I install or upgrade it":            {verbs: "install upgrade", not: "setup upgrade"},
		"how much does billing cost":                {not: "billing billing"},
		"什么是 StatefulSet,什么时候用它":                    {nouns: "StatefulSet", has: "what is StatefulSet"},
	} {
		out, _, err := New(nil).Optimize(t.Context(), contract.OptimizeInput{Query: asked})
		if err != nil {
			t.Fatal(err)
		}
		var queries []string
		for _, q := range out.OptimizedQueries {
			queries = append(queries, q.Query)
		}
		nouns, verbs := strings.Join(out.QueryAnalysis.DomainNouns, " "), strings.Join(out.QueryAnalysis.PredicateVerbs, " ")
		rewritten := strings.Join(queries[1:], " | ") // the first is the question
		if want.nouns != "" && nouns != want.nouns || want.verbs != "" && verbs != want.verbs ||
			want.not != "" && strings.Contains(rewritten+verbs, want.not) || !strings.Contains(rewritten, want.has) {
			t.Errorf("%q: nouns %q, verbs %q, queries %q", asked, nouns, verbs, queries)
		}
	}
}
