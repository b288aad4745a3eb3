package kind

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"docent/pipeline/contract"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	const (
		def, look, comp, fail, how = contract.KindDefinition, contract.KindLookup, contract.KindComparison, contract.KindError, contract.KindProcedure
	)
	for _, c := range []struct{ q, kind, subjects string }{
		{"what is a StatefulSet", def, "StatefulSet"},
		{"Whats the kubelet?", def, "kubelet"},
		{"what are borrow checkers", def, "borrow checkers"},
		{"what is etcd in kubernetes", def, "etcd"},
		{"what is a subagent (claude)", def, "subagent"},
		{"sidecar container meaning", def, "sidecar container"},
		{"what does idempotent mean", def, "idempotent"},
		{"explain middleware", def, "middleware"},
		{"what is a migration for?", def, "migration"},
		{"how does garbage collection work", def, "garbage collection"},
		{"什么是 Pod", def, "Pod"},
		{"什么是命名空间 namespace", def, "命名空间 namespace"},
		{"LangChain 中的检索器是什么", def, "检索器"},
		{"trait 是什么意思？", def, "trait"},
		{"Was ist ein PersistentVolume?", def, "PersistentVolume"},
		{"was bedeutet Idempotenz", def, "Idempotenz"},
		{"что такое горутина?", def, "горутина"},
		{"c'est quoi un volume", def, "volume"},
		{"qu'est-ce qu'un conteneur ?", def, "conteneur"},
		{"¿Qué es un middleware?", def, "middleware"},
		{"ミドルウェアとは何ですか", def, "ミドルウェア"},
		{"Pod とは", def, "Pod"},

		{"what does imageGCHighThresholdPercent do", look, "imageGCHighThresholdPercent"},
		{"what does Forbid do", look, "Forbid"},
		{"what does Some(x) mean", look, "Some(x)"},
		{"What is the default value of terminationGracePeriodSeconds?", look, "terminationGracePeriodSeconds"},
		{"--node-monitor-grace-period", look, "--node-monitor-grace-period"},
		{"OPENCODE_CONFIG", look, "OPENCODE_CONFIG"},
		{"spec.suspend cronjob", look, "spec.suspend"},
		{"max length of a label value", look, "label value"},
		{"HPA scale down stabilization window default", look, "HPA scale down stabilization window"},
		{"what is the bootstrap token ttl in kubeadm", look, "bootstrap token"},
		{"which env var disables telemetry", look, ""},
		{"how deep can imports nest", look, ""},
		{"ConfigMap 最大可以多大", look, "ConfigMap"},
		{"hook 超时默认多少秒", look, "hook 超时"},
		{"in welcher version wurde PodSecurityPolicy entfernt", look, ""},

		{"difference between Deployment and StatefulSet", comp, "Deployment|StatefulSet"},
		{"liveness vs readiness probe", comp, "liveness|readiness probe"},
		{"2-step RAG or agentic RAG - which one is faster and which more flexible", comp, "2-step RAG|agentic RAG"},
		{"sandbox modes: auto-allow vs regular permissions", comp, "auto-allow|regular permissions"},
		{"secret encryption at rest aescbc vs kms", comp, "aescbc|kms"},
		{"configmap as env vars vs mounted volume, which updates automatically", comp, "env vars|mounted volume"},
		{"Retain or Delete reclaim policy, whats the difference", comp, "Retain|Delete reclaim policy"},
		{"how is a Job different from a CronJob", comp, "Job|CronJob"},
		{"should I use a list or a tuple", comp, "list|tuple"},
		{"when to use String instead of &str", comp, "String|&str"},
		{"threads compared to goroutines", comp, "threads|goroutines"},
		{"compare Box, Rc and Arc", comp, "Box|Rc|Arc"},
		{"ingress 和 service 有什么不同", comp, "ingress|service"},
		{"Role 和 ClusterRole 的区别", comp, "Role|ClusterRole"},
		{"应该用 Deployment 还是 StatefulSet", comp, "Deployment|StatefulSet"},
		{"NoSchedule NoExecute unterschied taint effect", comp, "NoSchedule|NoExecute"},
		{"Was ist der Unterschied zwischen Liste und Tupel?", comp, "Liste|Tupel"},
		{"wie unterscheidet sich eine Liste von einem Tupel", comp, "Liste|Tupel"},
		{"в чем разница между списком и кортежем", comp, "списком|кортежем"},
		{"différence entre liste et tuple", comp, "liste|tuple"},
		{"diferencia entre lista y tupla", comp, "lista|tupla"},
		{"リストとタプルの違い", comp, "リスト|タプル"},

		{"Pod stuck in CrashLoopBackOff", fail, "CrashLoopBackOff"},
		{"ProviderModelNotFoundError", fail, "ProviderModelNotFoundError"},
		{"error: cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)", fail, ""},
		{"exec: node: not found when starting in wsl", fail, ""},
		{"Last State: Terminated  Reason: OOMKilled  Exit Code: 137", fail, "OOMKilled|Exit Code: 137"},
		{"[ERROR] could not open socket", fail, ""},
		{"error[E0382]: borrow of moved value: `x`", fail, "E0382"},
		{"how do I fix a connection refused error", fail, ""},
		{"my service keeps restarting", fail, ""},
		{"volume is not being mounted", fail, ""},
		{"why does my template not see the variable", fail, ""},
		{"配置没有生效", fail, ""},
		{"Pod 一直 Pending", fail, ""},
		{"der Dienst startet nicht", fail, ""},
		{"сервер не запускается", fail, ""},

		{"how to rollback a deployment", how, ""},
		{"safely take a node out for maintenance", how, ""},
		{"copy a file from a container to my laptop", how, ""},
		{"turn off the formatter", how, ""},
		{"怎么给 namespace 设置资源配额", how, ""},
		{"wie kann ich ein Backup erstellen", how, ""},
		{"как подключиться к контейнеру", how, ""},
		{"how do I handle errors", how, ""},

		// Trouble as a name, and as a case: no failure.
		{"error handling", "", ""},
		{"what is an error budget", def, "error budget"},
		{"what happens if a container exceeds its memory limit", "", ""},
		{"what are the phases of a pod", "", ""},
		{"hooks", "", ""},
		{"", "", ""},
		{"???", "", ""},
	} {
		r := ReadKind(c.q)
		if r.Kind != c.kind || strings.Join(r.Subjects, "|") != c.subjects {
			t.Errorf("%q: %s %q by %q, want %s %q", c.q, r.Kind, strings.Join(r.Subjects, "|"), r.Cue, c.kind, c.subjects)
		}
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ q, want string }{
		{"what is a PDB and does it protect against hardware failure", "what is a PDB|does PDB protect against hardware failure"},
		{"how do I see the rollout history and how do I pause a rollout", "how do I see the rollout history|how do I pause a rollout"},
		{"cronjob: what does Forbid do and what timezone is used by default", "cronjob: what does Forbid do|cronjob: what timezone is used by default"},
		{"how to mark a node unschedulable and how to undo it", "how to mark a node unschedulable|how to undo node unschedulable"},
		{"where are logs stored and how many are kept", "where are logs stored|logs: how many are kept"},
		{"What is the difference between requests and limits, and what happens if a container exceeds its memory limit?",
			"What is the difference between requests and limits|what happens if a container exceeds its memory limit"},
		{"zen: what happens when balance is low, and is there a monthly limit", "zen: what happens when balance is low|zen: is there a monthly limit"},
		{"How do I install it? Where is the log file?", "How do I install it|Where is the log file"},
		{"Secret 默认会加密存储吗?单个 Secret 最大多大", "Secret 默认会加密存储吗|单个 Secret 最大多大"},
		{"hooks 是什么以及如何配置", "hooks 是什么|hooks 如何配置"},
		{"was ist ein Trait und wie implementiere ich ihn", "was ist ein Trait|wie implementiere ich ihn"},
		// One question.
		{"difference between Deployment and StatefulSet", ""},
		{"install, upgrade and remove plugins", ""},
		{"when and how to use traits", ""},
		{"2-step RAG or agentic RAG - which one is faster and which more flexible", ""},
		{"Retain or Delete reclaim policy, whats the difference", ""},
		{"hooks 和 skills 的区别", ""},
		{"how do I configure hooks and skills", ""},
		{"what does `foo and what is bar` do", ""},
		{"I run the server. It logs nothing. How do I see requests?", ""},
		{"hooks", ""},
	} {
		if got := strings.Join(ReadKind(c.q).Parts, "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.q, got, c.want)
		}
	}
}

// Whatever is asked, nothing panics, and subjects and parts are clean.
func TestAnyText(t *testing.T) {
	t.Parallel()
	pieces := []string{"what is", "a", "the", "difference between", " and ", " or ", "vs", "和", "的区别", "是什么", "什么是", "error:", "how do I", "怎么", "?", ",", ": ", "`x`", "İ", "ſ", "K", "🎉", "\n", "it", "does it", "meaning", "Unterschied", "чем", "とは", "CrashLoopBackOff", "E0716", "--flag", "\xff", "and how", "while", "(", ")"}
	rapid.Check(t, func(t *rapid.T) {
		q := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		r := ReadKind(strings.ToValidUTF8(q, ""))
		for _, s := range append(r.Subjects, r.Parts...) {
			if strings.TrimSpace(s) == "" || !utf8.ValidString(s) {
				t.Fatalf("%q: %+v", q, r)
			}
		}
	})
	for _, q := range []string{strings.Repeat("what is a pod and ", 5000), strings.Repeat("什么是 Pod？", 5000), strings.Repeat("🎉", 20000), strings.Repeat("a: ", 20000), strings.Repeat("x", 70000)} {
		ReadKind(q)
	}
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		ReadKind("what is the difference between requests and limits, and what happens if a container exceeds its memory limit?")
	}
}

func TestAsksDefault(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"what is the default of --wick": true, "--wick 的默认值": true, "wickのデフォルト": true, "valeur par défaut de wick": true, "what does --wick do": false, "defaulted wicks": false} {
		if got := AsksDefault(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// The full stop of an abbreviation ends no sentence: what follows is no question of its own.
func TestAbbreviationsEndNoQuestion(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"what fields can I use in the text of a letter, e.g. who it goes to", "which oils burn, i.e. what smokes least",
		"welche Felder gibt es, z.B. wer den Brief bekommt"} {
		if r := ReadKind(q); len(r.Parts) > 0 {
			t.Errorf("%q has the parts %q", q, r.Parts)
		}
	}
	if r := ReadKind("what does the lamp burn. how do I trim its wick"); len(r.Parts) != 2 {
		t.Errorf("two sentences that ask have the parts %q", r.Parts)
	}
}
