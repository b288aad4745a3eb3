package domain_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/hostiletest"
)

// A docent.toml in somebody's repository once took from 10 seconds to many minutes, with
// the home's lock held: 5 000 unknown keys, and keys of 10 000 and 30 000 parts.
func TestAHostileConfigurationTakesMoments(t *testing.T) {
	t.Parallel()
	var keys strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&keys, "k%d = 1\n", i)
	}
	for name, text := range map[string]string{
		"keys":   "[repository]\n" + keys.String(),
		"most":   "[repository]\n" + strings.Join(strings.SplitAfter(keys.String(), "\n")[:900], ""),
		"parts":  strings.TrimSuffix(strings.Repeat("a.", 30000), ".") + " = 1\n",
		"table":  "[" + strings.TrimSuffix(strings.Repeat("a.", 30000), ".") + "]\n",
		"quoted": strings.TrimSuffix(strings.Repeat(`"a".`, 30000), ".") + " = 1\n",
		"inline": strings.Repeat("a = {", 30000) + strings.Repeat("}", 30000) + "\n",
		"lists":  "a = " + strings.Repeat("[", 30000) + strings.Repeat("]", 30000) + "\n",
	} {
		var faults []domain.Fault
		took := hostiletest.ProcessorTime(func() { _, faults = domain.ParseRepository([]byte(text)) })
		if len(faults) == 0 || took > 10*time.Second {
			t.Errorf("%s: %d faults after %v", name, len(faults), took)
		}
	}
	if _, faults := domain.ParseRepository([]byte("[repository.path_overrides]\n\"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s/**\" = \"tech_docs\"\n")); len(faults) > 0 {
		t.Error(faults)
	}
}
