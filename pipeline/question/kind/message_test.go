package kind

import (
	"strings"
	"testing"
)

func TestMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, stable, first, names string }{
		{"0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No victims found.",
			"nodes are available: Insufficient cpu. preemption: nodes are available: No victims found", "nodes are available: Insufficient cpu", ""},
		{`no matches for kind "Deployment" in version "extensions/v1beta1"`,
			`no matches for kind "Deployment" in version`, `no matches for kind "Deployment" in version`, "Deployment|extensions/v1beta1"},
		{"2024-05-01T10:00:00Z ERROR failed to pull image registry.example.com/app@sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5: unauthorized",
			"ERROR failed to pull image registry.example.com/app@sha256: unauthorized", "ERROR failed to pull image registry.example.com/app@sha256: unauthorized", ""},
		{"dial tcp 10.0.0.12:5432: connect: connection refused", "dial tcp connect: connection refused", "dial tcp connect: connection refused", ""},
		{"open /var/lib/app/data-17.db: permission denied", "open permission denied", "open permission denied", ""},
		{"Traceback (most recent call last):\n  File \"/app/main.py\", line 3, in <module>\n    import yaml\nModuleNotFoundError: No module named 'yaml'",
			"ModuleNotFoundError: No module named 'yaml'", "ModuleNotFoundError: No module named 'yaml'", "ModuleNotFoundError|yaml"},
		{"error[E0382]: borrow of moved value: `x`", "error[E0382]: borrow of moved value: `x`", "error[E0382]: borrow of moved value: `x`", "E0382"},
		{"Job 7c9e6679-7425-40de-944b-e07fc1f90ae7 failed after 3 retries", "Job failed after retries", "Job failed after retries", ""},
		{"12345", "", "", ""},
		{"", "", "", ""},
	} {
		stable := Stable(c.message)
		if stable != c.stable {
			t.Errorf("Stable(%q) = %q, want %q", c.message, stable, c.stable)
		}
		if got := FirstClause(stable); got != c.first {
			t.Errorf("FirstClause(%q) = %q, want %q", stable, got, c.first)
		}
		if got := strings.Join(NamesIn(c.message), "|"); !strings.HasPrefix(got, c.names) {
			t.Errorf("Names(%q) = %q, want %q", c.message, got, c.names)
		}
	}
}

func FuzzMessages(f *testing.F) {
	for _, s := range []string{"[ERROR] x: y", "error: 'a", "\xff: \n at x(", "/a/b: no such file", "🎉 failed: 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		FirstClause(Stable(s))
		NamesIn(s)
		ReadKind(s)
	})
}
