package doc

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// versionsInOrder lists versions from old to new.
var versionsInOrder = []string{
	"focal", "jammy",
	"0.9", "1.2.3-canary-alpine", "1.2.3-dev.4", "1.2.3-alpha", "1.2.3-alpha.2", "1.2.3-alpha.10", "1.2.3-beta.1", "1.2.3b2", "1.2.3-insiders", "1.2.3-rc.1", "1.2.3rc2",
	"1.2.3", "1.2.3.post1", "1.9", "v1.10", "v1.31", "1.31.0", "1.31.2", "2.0-SNAPSHOT", "release-2.0-beta", "2.0-rc1", "v2.0", "python-3.9", "python-3.12",
	"18.2", "18.x", "24.04", "1999", "2024", "2025-10", "2025-10-03", "2026-02", "20260214", "2026-02-14T10-30", "2026-2-15", "2026.11", "2027",
	"99999999999999999999999999.1", "100000000000000000000000000",
	"beta", "main", "next",
	"lts", "current", "stable", "latest",
}

func TestCompareVersions(t *testing.T) {
	t.Parallel()
	for i, a := range versionsInOrder {
		for j, b := range versionsInOrder {
			got := CompareVersions(a, b)
			if want := i - j; got < 0 != (want < 0) || got > 0 != (want > 0) {
				t.Errorf("CompareVersions(%q, %q) = %d", a, b, got)
			}
		}
	}
}

func TestSameVersion(t *testing.T) {
	t.Parallel()
	for _, same := range [][2]string{{"v1.31", "1.31"}, {"V2", "2"}, {"2026-02-14", "20260214"}, {"2026-02", "202602"}, {"Latest", "latest"},
		{"1.0-RC1", "1.0rc1"}, {"1.2+build5", "1.2"}, {"release-1.2", "1.2"}, {"1.02", "1.2"}, {"", "latest"}, {"1.2-final", "1.2"}} {
		if !SameVersion(same[0], same[1]) {
			t.Errorf("%q and %q are told apart", same[0], same[1])
		}
	}
	for _, other := range [][2]string{{"1.31", "1.31.0"}, {"1.3", "1.30"}, {"2.0-beta", "2.0"}, {"2025-10", "2025-11"}, {"main", "next"}, {"latest", "stable"}} {
		if SameVersion(other[0], other[1]) {
			t.Errorf("%q and %q are taken for the same", other[0], other[1])
		}
	}
}

// Any strings have one total order, and versions that are the same stand together in
// it.
func TestVersionsAreOrdered(t *testing.T) {
	t.Parallel()
	piece := rapid.OneOf(rapid.SampledFrom(versionsInOrder),
		rapid.StringMatching(`v?[0-9]{0,3}[.-]?[0-9]{0,8}[.-]?(x|t|a|b|rc|beta|dev|post|foo|main|latest)?[.-]?[0-9]{0,2}`), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		vs := rapid.SliceOfN(piece, 3, 3).Draw(t, "versions")
		a, b, c := vs[0], vs[1], vs[2]
		ab, ba := CompareVersions(a, b), CompareVersions(b, a)
		if ab != -ba || (ab == 0) != (a == b) {
			t.Fatalf("%q, %q: %d and %d", a, b, ab, ba)
		}
		slices.SortFunc(vs, CompareVersions)
		if CompareVersions(vs[0], vs[2]) > 0 || CompareVersions(vs[0], vs[1]) > 0 || CompareVersions(vs[1], vs[2]) > 0 {
			t.Fatalf("not transitive: %q", vs)
		}
		if SameVersion(vs[0], vs[2]) && !SameVersion(vs[0], vs[1]) {
			t.Fatalf("%q and %q are the same, %q between them is not", vs[0], vs[2], vs[1])
		}
		if SameVersion(a, b) != SameVersion(b, a) || !SameVersion(c, c) {
			t.Fatalf("SameVersion of %q and %q", a, b)
		}
	})
}
