package titles

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func library() *Index {
	return NewIndex([]Page{
		{DocSet: "Kubernetes@1.31", Path: "concepts/pods/_index.md", Title: "Pods", Headings: []Heading{{Path: []string{"Pods"}},
			{Path: []string{"Pods", "Pod templates"}, Anchor: "pod-templates", Line: 40}}},
		{DocSet: "Kubernetes@1.31", Path: "concepts/pods/pod-lifecycle.md", Title: "Pod Lifecycle",
			Headings: []Heading{{Path: []string{"Container probes"}, Line: 9}, {Path: []string{"Container probes", "Types of probe"}, Line: 12}}},
		{DocSet: "Kubernetes@1.31", Path: "tasks/probes.md", Title: "Configure Liveness, Readiness and Startup Probes",
			Headings: []Heading{{Path: []string{"Define a liveness command"}}}},
		{DocSet: "Kubernetes@1.31", Path: "workloads/deployment.md", Title: "Deployments",
			Headings: []Heading{{Path: []string{"Creating a Deployment"}}}},
		{DocSet: "灯笼@latest", Path: "指南/灯芯.md", Title: "灯芯的修剪与更换指南", Headings: []Heading{{Path: []string{"更换灯芯"}}}},
	})
}

func show(es []Entry) string {
	var out []string
	for _, e := range es {
		out = append(out, e.Name())
	}
	return strings.Join(out, " | ")
}

func TestFind(t *testing.T) {
	t.Parallel()
	x := library()
	for _, tt := range []struct {
		text, want string
		exact      bool
	}{
		{"pods", "Pods | Pod Lifecycle | Pod templates", false}, // found by its path too
		{"deploy", "Deployments | Creating a Deployment", false},
		{"pod life", "Pod Lifecycle | Types of probe | Container probes", false},
		{"life pod", "Pod Lifecycle | Types of probe | Container probes", false}, // in any order
		{"probe types", "Types of probe", false},
		{"LIVE prob", "Configure Liveness, Readiness and Startup Probes | Define a liveness command", false},
		{"dplmt", "Deployments | Creating a Deployment", false}, // letters in their order
		{"loyment", "Deployments | Creating a Deployment", false},
		{"loyment", "", true},
		{"dplmt", "", true},
		{"kubernetes@", "Kubernetes@1.31", false},
		{"更换", "灯芯的修剪与更换指南 | 更换灯芯", false},
		{"灯笼", "灯笼@latest", false},
		{"podlif", "Pod Lifecycle", false},
		{"creatingadep", "Creating a Deployment", false},
		{"zebra", "", false},
		{"  ", "", false},
	} {
		got, all, err := x.Find(context.Background(), Query{Text: tt.text, Most: 3, Exact: tt.exact})
		if err != nil {
			t.Fatal(err)
		}
		if s := show(got); !strings.HasPrefix(s, tt.want) || tt.want == "" && s != "" || all < len(got) {
			t.Errorf("%q: %s (%d), want %s", tt.text, s, all, tt.want)
		}
	}
	if got := show(x.Sets()); got != "Kubernetes@1.31 | 灯笼@latest" {
		t.Errorf("the doc sets are %s", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := x.Find(ctx, Query{Text: "pod", Most: 3}); err == nil {
		t.Error("a search that was given up has a result")
	}
}

// A title that has the letters stands before the headings of a page whose title has
// them: they are all found by it, and tell nothing.
func TestTitlesBeforeHeadingsOfOthers(t *testing.T) {
	t.Parallel()
	x := NewIndex([]Page{
		{DocSet: "k@1", Path: "a.md", Title: "Migrate from PodSecurityPolicy", Headings: []Heading{{Path: []string{"Prerequisites"}},
			{Path: []string{"Overall approach"}}}},
		{DocSet: "k@1", Path: "b.md", Title: "Pod Security Standards"},
	})
	got, all, err := x.Find(context.Background(), Query{Text: "podsec", Most: 9})
	if s := show(got); err != nil || s != "Migrate from PodSecurityPolicy | Pod Security Standards | Prerequisites | Overall approach" ||
		all != 4 {
		t.Errorf("podsec finds %s (%d, %v)", s, all, err)
	}
}

// A longer text finds no more than its beginning does.
func TestTypingNarrows(t *testing.T) {
	t.Parallel()
	x := large(2000)
	for _, text := range []string{"pod conf sec", "cnfg 12", "guide 1 scaling"} {
		last := x.Len()
		for i := range text {
			_, n, err := x.Find(context.Background(), Query{Text: text[:i+1], Most: 5})
			if err != nil || n > last {
				t.Errorf("%q finds %d, %q found %d (%v)", text[:i+1], n, text[:i], last, err)
			}
			last = n
			if i == 0 {
				last = x.Len()
			}
		}
	}
}

func TestMarks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"Pod Lifecycle", "life pod", "[0 1 2 4 5 6 7]"},
		{"Creating a Deployment", "dplmt", "[11 13 14 17 20]"},
		{"更换灯芯", "灯", "[2]"},
		{"İstanbul", "stan", "[1 2 3 4]"},
		{"Pods", "x", "[]"},
	} {
		if got := fmt.Sprint(MarkedLetters(tt.name, WordsOf(tt.text))); got != tt.want {
			t.Errorf("%q in %q: %s, want %s", tt.text, tt.name, got, tt.want)
		}
	}
}

// large is an index of n pages with nine headings each.
func large(n int) *Index {
	topics := []string{"Configure", "Scaling", "Secrets", "Networking", "Pod", "Storage", "Upgrade", "Security", "Debug", "Volumes"}
	pages := make([]Page, n)
	for i := range pages {
		p := Page{DocSet: fmt.Sprintf("Set%d@1", i*5/n), Path: fmt.Sprintf("docs/part-%d/page-%d.md", i%40, i),
			Title: fmt.Sprintf("%s guide %d", topics[i%10], i)}
		for k := range 9 {
			name := fmt.Sprintf("%s of %s in section %d", topics[(i+k)%10], strings.ToLower(topics[(i*7+k)%10]), i*9+k)
			p.Headings = append(p.Headings, Heading{Path: []string{p.Title, name}})
		}
		pages[i] = p
	}
	return NewIndex(pages)
}

// BenchmarkFind is what a key costs in 13 700 and in 100 000 entries.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{1370, 10000} {
		x := large(n)
		for _, text := range []string{"s", "conf", "pod conf sec", "cnfgrtn"} {
			b.Run(fmt.Sprintf("%d/%s", x.Len(), strings.ReplaceAll(text, " ", "_")), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := x.Find(context.Background(), Query{Text: text, Most: 200}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
