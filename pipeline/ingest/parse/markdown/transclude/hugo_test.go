package transclude

import (
	"io/fs"
	"testing"
)

// Hugo's shortcode param shows the nearest value: the page's own, one that a section hands down, one of the site. It
// stood on pages as it is written, so commands with a version could not be copied.
func TestParametersOfHugo(t *testing.T) {
	t.Parallel()
	set := map[string]string{
		"config/_default/params.toml":       "maker = \"Lamps Ltd\"\nversion = \"1.0\"\n",
		"hugo.yaml":                         "title: Lamps\nparams:\n  site: {home: lamps.example}\n",
		"content/en/_index.md":              "---\ncascade:\n  - target: {kind: page}\n    params: {version: '9'}\n  - params: {version: 3.10}\n---\n",
		"content/en/docs/wicks/_index.md":   "---\ncascade:\n  vers: {flat: 2.30, Round: 4}\n---\n",
		"content/en/docs/wicks/_hidden.txt": "",
	}
	open := func(name string) ([]byte, error) {
		if text, ok := set[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	front := "---\ntitle: Flat\nown: 7\nmany: [1]\n---\n"
	for about, tt := range map[string]struct{ page, want string }{
		"the page's":        {"It is {{< param own >}} and {{% param \"title\" /%}}.\n", "It is 7 and Flat.\n"},
		"a section's":       {"Get {{% param vers.flat %}}, {{% param vers.round %}}.\n", "Get 2.30, 4.\n"},
		"one further above": {"Get {{% param version %}}.\n", "Get 3.10.\n"},
		"the site's":        {"By {{% param maker %}} at {{% param site.home %}}.\n", "By Lamps Ltd at lamps.example.\n"},
		"in code":           {"Run `lamp@{{% param vers.flat %}}`:\n\n```sh\nget lamp@{{< param vers.flat >}}\n```\n", "Run `lamp@2.30`:\n\n```sh\nget lamp@2.30\n```\n"},
		"what is not known": {"A {{% param gone %}}, {{% param many %}}, {{</* param own */>}}.\n", ""},
	} {
		r, ok := Expand([]byte(front+tt.page), "content/en/docs/wicks/flat.md", open)
		if !Includes([]byte(front + tt.page)) {
			t.Errorf("%s: the page is not looked at", about)
		}
		if ok != (tt.want != "") || ok && string(r.Text) != front+tt.want {
			t.Errorf("%s gives %v %q, want %q", about, ok, r.Text, tt.want)
		}
		if ok && len(r.Lines) != 0 && r.Lines[len(r.Lines)-1] != len(r.Lines) {
			t.Errorf("%s: the lines are %v", about, r.Lines)
		}
	}
}

// Configuration that no site has, and aliases in it that grow, give no values.
func TestHostileConfigurationOfHugo(t *testing.T) {
	t.Parallel()
	grows := "a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\n" +
		"d: &d [*c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d]\nf: [*e, *e, *e, *e, *e, *e, *e]\n"
	for _, front := range []string{grows, "a: [", "- a", "a: *b", "cascade: [1, {params: 2}]"} {
		if _, ok := Expand([]byte("---\n"+front+"\n---\n{{% param x.y %}}\n"), "a.md", nil); ok {
			t.Errorf("%q gives a value", front)
		}
	}
}
