package process

import (
	"strings"
	"testing"
)

// A sentence that announces subsections has them with it.
func TestASentenceAnnouncesSubsections(t *testing.T) {
	t.Parallel()
	page := manual(10) + "## Life of a gasket\n\nThe life of a gasket has these stages:\n\n### Fitting\n\nGrease it.\n\nOil the bolts.\n\n" +
		"### Wear\n\nIt hardens.\n\n" + manual(10)
	ex := kept15(extraction("life of a gasket", page), map[string]float64{"Life of a gasket": .9})
	text := run(t, builtin(0), ex, bySections(0)).Contents["a"]
	for _, want := range []string{"these stages:\n\n### Fitting\n\nGrease it.", "### Wear\n\nIt hardens."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not there:\n%s", want, text)
		}
	}
}

// A sentence before code that ends without a mark is ended by the code: it has it with it, also
// where it goes over two lines.
func TestAnUnfinishedSentenceAnnouncesItsCode(t *testing.T) {
	t.Parallel()
	page := manual(10) + "## Gasket check\n\nAfter the gasket is fitted, run the gasket check of the pump house once, and in the log of the\n" +
		"gasket check you should see following output\n\n```text\nseal ok\n" + strings.Repeat("ring ok\n", 9) + "```\n\n" +
		strings.Repeat("The keeper reads the book of the harbour and notes the state of the brass.\n\n", 12) + manual(10)
	ex := kept15(extraction("gasket check", page), map[string]float64{"Gasket check": .9})
	for lines := 14; lines <= 40; lines += 2 {
		text := run(t, builtin(0), ex, bySections(lines)).Contents["a"]
		if strings.Contains(text, "following output") != strings.Contains(text, "seal ok") {
			t.Errorf("of %d lines, the sentence and its code are parted:\n%s", lines, text)
		}
	}
}

// A sentence that speaks of the code below it and ends in a full stop has it with it; one that
// speaks of something else stands by itself.
func TestASentenceThatPointsAtItsCode(t *testing.T) {
	t.Parallel()
	const before = "The gasket is fitted dry. "
	for said, points := range map[string]bool{
		"To check the gasket, run the following command.":                             true,
		"The gasket check is set up\nas follows.":                                     true,
		"运行以下命令。":                                                                     true,
		"Führen Sie für den gasket check den folgenden Befehl aus.":                   true,
		"Do the following steps before the gasket. The gasket check writes to a log.": false,
		"The gasket check writes to a log.":                                           false,
	} {
		if got := pointsAhead(before + said); got != points {
			t.Errorf("%q points at its code: %v", said, got)
		}
		if !points {
			continue
		}
		page := manual(10) + "## Gasket check\n\n" + before + said + "\n\n```sh\nseal --check\n" + strings.Repeat("ring --check\n", 9) +
			"```\n\n" + strings.Repeat("The keeper reads the book of the harbour and notes the state of the brass.\n\n", 12) + manual(10)
		ex := kept15(extraction("gasket check", page), map[string]float64{"Gasket check": .9})
		whole := 0
		for lines := 8; lines <= 40; lines += 2 {
			text := run(t, builtin(0), ex, bySections(lines)).Contents["a"]
			if strings.Contains(text, said) != strings.Contains(text, "seal --check") {
				t.Errorf("of %d lines, %q and its code are parted:\n%s", lines, said, text)
			}
			if strings.Contains(text, said) {
				whole++
			}
		}
		if whole == 0 {
			t.Errorf("%q is never in the block", said)
		}
	}
}

// A line of bold text heads the list or the steps below it, and never stands without them.
func TestABoldLineHeadsItsBlock(t *testing.T) {
	t.Parallel()
	prose := strings.Repeat("The keeper reads the book of the harbour and notes the state of the brass.\n\n", 12)
	for _, label := range []string{"**Gasket options**", "__Gasket options__", "**Gasket options:**"} {
		page := manual(10) + "## Rings\n\n" + prose + label + "\n\n" + strings.Repeat("- `ring`: its width, read once at the start\n", 12) + "\n" +
			prose + manual(10)
		ex := kept15(extraction("gasket options", page), map[string]float64{"Rings": .9})
		for lines := 6; lines <= 40; lines += 2 {
			text := run(t, builtin(0), ex, bySections(lines)).Contents["a"]
			if strings.Contains(text, label) && !strings.Contains(text, "- `ring`") {
				t.Errorf("of %d lines, %s stands alone:\n%s", lines, label, text)
			}
		}
	}
}
