package process

import (
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/store/doc"
)

// numbered is a page whose steps are paragraphs below numbers.
const numbered = `# Lamps

## Mount the lamp

You can mount the lamp yourself.

1

Drill two holes into the lamp's wall

    drill --holes 2

2

Mount the lamp

Then switch it on:

    lamp --on

Tips:

- The lamp is warm.
`

// Steps that are paragraphs below numbers are one procedure: all of it, or none.
func TestStepsInParagraphs(t *testing.T) {
	t.Parallel()
	all := budget{unlimited, unlimited}
	p := newPage("a", numbered, blocks, all)
	var steps []unit
	for _, u := range p.units {
		if u.kind == doc.Procedure {
			steps = append(steps, u)
		}
	}
	if len(steps) != 1 {
		t.Fatalf("%d procedures: %+v", len(steps), p.units)
	}
	if text := p.linesText(steps[0].first, steps[0].last); !strings.HasPrefix(text, "1\n") || !strings.HasSuffix(text, "lamp --on\n") {
		t.Errorf("the procedure is\n%s", text)
	}
	if parts := p.stepItems(steps[0]); len(parts) != 2 || p.linesText(parts[1].first, parts[1].first) != "2\n" {
		t.Errorf("its steps are %+v", parts)
	}
	// One number alone, and numbers that are not in order, are text.
	for _, text := range []string{"# A\n\n1\n\nOnly one.\n", "# A\n\n2\n\nTwo.\n\n1\n\nOne.\n"} {
		for _, u := range newPage("a", text, blocks, all).units {
			if u.kind == doc.Procedure {
				t.Errorf("%q has a procedure", text)
			}
		}
	}
}

// asksHow is the extraction of a question how something is done.
func asksHow(question string, pages ...string) contract.Extraction {
	ex := extraction(question, pages...)
	ex.Context.Kind = contract.KindProcedure
	return ex
}

// A question how something is done has the code of its sections, and the whole
// procedure.
func TestHowToHasItsCode(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Lamps\n\n## Mount the lamp\n\nTo mount the lamp, mount its foot.\n\n")
	for i := range 12 {
		fmt.Fprintf(&b, "To mount the lamp on wall %d, mount the lamp with its foot, mount the foot.\n\n", i)
	}
	b.WriteString("```sh\nfoot --fix\n```\n")
	page := b.String()
	ex := kept15(asksHow("how do I mount the lamp", page), map[string]float64{"Mount the lamp": .9})
	if got := run(t, builtin(0), ex, bySections(24)).Contents["a"]; !strings.Contains(got, "foot --fix") {
		t.Errorf("without its code:\n%s", got)
	}
	ex = kept15(asksHow("how do I mount the lamp", manual(60)+"\n"+strings.TrimPrefix(numbered, "# Lamps\n")), map[string]float64{"Part 3": .95, "Mount the lamp": .9})
	got := run(t, builtin(0), ex, bySections(40)).Contents["a"]
	if first, last := strings.Contains(got, "drill --holes 2"), strings.Contains(got, "lamp --on"); !first || !last {
		t.Errorf("a procedure of which a part is missing:\n%s", got)
	}
}

// A heading that only leads to subsections is not quoted without them, and a line that
// announces what does not fit is not either.
func TestNothingIsAnnouncedInVain(t *testing.T) {
	t.Parallel()
	page := "# Lamps\n\n## Lamp types\n\n### Desk\n\n" + strings.Repeat("The desk lamp is a lamp for desks.\n", 30) +
		"\n### Floor\n\n" + strings.Repeat("The floor lamp is a lamp for floors.\n", 30)
	ex := kept15(extraction("lamp types", page), map[string]float64{"Lamp types": .9})
	out := run(t, builtin(0), ex, bySections(12))
	got := out.Contents["a"]
	if strings.Contains(got, "## Lamp types") || !strings.Contains(got, "### Desk") {
		t.Errorf("the heading leads nowhere:\n%s", got)
	}
	page = "# Lamps\n\n## Lamp colours\n\n" + strings.Repeat("Walls are white and grey.\n", 30) + "\nThe lamp has these colours:\n\n" + strings.Repeat("- one of them\n", 60)
	ex = kept15(extraction("which lamp has which", page), map[string]float64{"Lamp colours": .9})
	if got := run(t, builtin(0), ex, bySections(10)).Contents["a"]; strings.Contains(got, "these colours:\n") && !strings.Contains(got, "one of them") {
		t.Errorf("it announces what is left out:\n%s", got)
	}
}

// Below a function's signature the sentence that says what it does leads in.
func TestSignatureAndWhatItDoes(t *testing.T) {
	t.Parallel()
	page := "# Lamps\n\n## `dim()`\n\n`dim(level)`\n\nMakes every lamp darker\nby so much.\n\n" +
		strings.Repeat("The dim level of dim lamps is a dim level.\n\n", 40)
	ex := kept15(extraction("what is dim", page), map[string]float64{"dim()": .9})
	if got := run(t, builtin(0), ex, bySections(16)).Contents["a"]; !strings.Contains(got, "`dim(level)`") || !strings.Contains(got, "Makes every lamp darker") {
		t.Errorf("it does not say what it does:\n%s", got)
	}
}

// Code that is cut at its lines keeps a comment with the command below it, and a command with
// the lines that backslashes continue.
func TestCommentsKeepTheirCommands(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	for i := range 20 {
		fmt.Fprintf(&code, "# Polish the brass of room %d\n$ polish --room %d --brass\n\n", i, i)
	}
	code.WriteString("# Trim the wicks but leave\n# the spare ones out\n$ trim all          \\\n    --except spare\n\ntrim again \\\n  --slowly\n")
	page := "# Lamps\n\n## Examples\n\n```\n" + code.String() + "```\n\n## Other\n\n" + strings.Repeat("Nothing.\n\n", 40)
	got := run(t, builtin(0), kept15(extraction("trim wicks leave spare ones", page), map[string]float64{"Examples": .9}), bySections(14)).Contents["a"]
	if !strings.Contains(got, "# Trim the wicks but leave\n# the spare ones out\n$ trim all          \\\n    --except spare\n") {
		t.Errorf("a comment without its command:\n%s", got)
	}
	if strings.Contains(got, "trim again") && !strings.Contains(got, "--slowly") || !strings.Contains(got, "\n```\n") {
		t.Errorf("half a command, or no fence:\n%s", got)
	}
}

// A sentence that announces a file's name, which announces the file's text, comes with both or
// not at all.
func TestWhatIsAnnouncedAnnouncesInTurn(t *testing.T) {
	t.Parallel()
	file := "```ini\n" + strings.Repeat("lamp = brass\n", 12) + "```\n"
	page := "# Lamps\n\n## Lamp file\n\nThis is an example of the lamp file:\n\n`/etc/lamp.conf`:\n\n" + file +
		"\n" + strings.Repeat("Walls are white and grey.\n\n", 60) + "The lamp file is read when the lamp is lit.\n"
	for lines, whole := range map[int]bool{10: false, 60: true} {
		got := run(t, builtin(0), kept15(extraction("lamp file", page), map[string]float64{"Lamp file": .9}), bySections(lines)).Contents["a"]
		if strings.Contains(got, file) != whole || strings.Contains(got, "/etc/lamp.conf`:") != whole {
			t.Errorf("in %d lines:\n%s", lines, got)
		}
	}
}
