package sphinx

import (
	"strings"
	"testing"
)

// Values that are strings, and those that are made of strings, are known. What runs Python is not.
func TestValues(t *testing.T) {
	t.Parallel()
	p := ReadProject(strings.Join([]string{
		`import os`,
		`project = u"Lamps"  # the name`,
		`version = '4.2'`,
		`release = version + ".1"`,
		`made = os.environ["MADE"]`,
		`base = f"https://lamps.example/{version}"`,
		`odd = f"{made}/x"`,
		`both = ("one "`,
		`        'two')`,
		`rst_prolog = """`,
		`.. |lamp| replace:: the *{name}* lamp`,
		`""".format(name="old")`,
		`rst_epilog = r'''`,
		`.. |oil| replace:: %s oil \*`,
		`''' % (project,)`,
		`rst_epilog += "\n.. _wick: https://wick.example\n"`,
		`more = "a" if made else "b"`,
		`    inner = "no"`,
	}, "\n"), nil)
	for name, want := range map[string]string{"project": "Lamps", "version": "4.2", "release": "4.2.1", "both": "one two",
		"base": "https://lamps.example/4.2"} {
		if got, ok := p.Value(name); got != want || !ok {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"made", "odd", "inner", "more"} {
		if got, ok := p.Value(name); ok {
			t.Errorf("%s is %q", name, got)
		}
	}
	want := ".. |lamp| replace:: the *old* lamp\n\n\n\n.. |oil| replace:: Lamps oil \\*\n\n.. _wick: https://wick.example"
	if got := p.Around(); got != want {
		t.Errorf("the text around pages is %q, want %q", got, want)
	}
}

// Roles that are links, with an address made of names.
func TestLinks(t *testing.T) {
	t.Parallel()
	p := ReadProject(`
repo = "https://git.example/lamps"
extlinks = {
    # tickets
    "issue": (repo + "/issues/%s", "issue #%s"),
    'src': ('https://git.example/' 'src/%s', None),
    "made": (find(), "x"),
    "after": ("https://x.example/%s", "%s"),
}
`, nil)
	if got, _ := p.Link("issue"); got != (Link{"https://git.example/lamps/issues/%s", "issue #%s"}) {
		t.Errorf("issue is %v", got)
	}
	if got, _ := p.Link("src"); got != (Link{"https://git.example/src/%s", ""}) {
		t.Errorf("src is %v", got)
	}
	if _, ok := p.Link("made"); ok {
		t.Error("a role that runs Python is known")
	}
}

// Hostile text neither panics nor takes long.
func FuzzReadProject(f *testing.F) {
	f.Add("a = f\"{b}\" % (c,)\nextlinks = {'a': ('b', None)}")
	f.Add("a = " + strings.Repeat("(", 100))
	f.Add(`a = "{}".format("x", y="{`)
	f.Add("from b import a\na = a.split('.', 1)[-1][:2] + open('x').read()[0]")
	f.Add("import re\na = re.search('(a)', open('x').readlines()[1:][0]).group(1)\ntry:\n  a = Path(__file__).parent / 'x'\n")
	f.Add("a = 'x'\na = ''.join([" + strings.Repeat("a,", 90) + "])\na = a.replace('x', a)")
	f.Fuzz(func(t *testing.T, src string) {
		p := ReadProject(src, func(string) ([]byte, error) { return []byte(src), nil })
		p.Value("a")
		p.Link("a")
		p.Substitution("a")
		if len(p.Around()) > 4*maxText {
			t.Error("too much text")
		}
	})
}

func TestSubstitutions(t *testing.T) {
	t.Parallel()
	p := ReadProject(`
version = "2.1"
myst_substitutions = {
    "release": "Lamp " + version,
    'oil': 'rape',
    "made": find(),
    "after": "x",
}
`, nil)
	for name, want := range map[string]string{"release": "Lamp 2.1", "oil": "rape"} {
		if got, ok := p.Substitution(name); !ok || got != want {
			t.Errorf("%s is %q, %v", name, got, ok)
		}
	}
	if got, ok := p.Substitution("after"); ok {
		t.Errorf("after is %q, it stands behind what is not read", got)
	}
}
