package running

import "testing"

// The heading of a section that a macro names stood below the section's name once more.
func TestTheHeadingOfASectionIsItsName(t *testing.T) {
	t.Parallel()
	path := []string{"kubectl", "Examples"}
	for line, want := range map[string]bool{
		"## Examples": true, "## Examples {#examples}": true, "## Examples ##": true, `## {{% heading "examples" %}}`: true,
		"## Options": false, "Examples": false, `{{% heading "examples" %}}`: false,
	} {
		if got := isHeading(line, path); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}
