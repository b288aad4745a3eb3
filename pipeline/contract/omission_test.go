package contract

import "testing"

func TestOmissionLine(t *testing.T) {
	t.Parallel()
	if got, want := OmissionLine(3, 14), "[… lines 3–14 omitted …]"; got != want {
		t.Errorf("OmissionLine = %q, want %q", got, want)
	}
	for _, line := range []string{"[… lines 3–14 omitted …]", "[… lines 3–14 omitted …]\r"} {
		if a, b, ok := ParseOmission(line); !ok || a != 3 || b != 14 {
			t.Errorf("ParseOmission(%q) = %d, %d, %v", line, a, b, ok)
		}
	}
	for _, line := range []string{"", "[… lines 14–3 omitted …]", "[… lines 0–3 omitted …]", "[… lines 03–4 omitted …]",
		"[… lines +3–4 omitted …]", "[… lines 3-4 omitted …]", " [… lines 3–4 omitted …]", "[… lines 3–4 omitted …] x",
		"[… lines 3–99999999999999999999 omitted …]", "[… lines – omitted …]"} {
		if _, _, ok := ParseOmission(line); ok {
			t.Errorf("ParseOmission(%q) takes it", line)
		}
	}
}
