package ecosystem

import (
	"errors"
	"strings"
	"testing"
)

func TestNamesOfPackages(t *testing.T) {
	t.Parallel()
	good := [][2]string{{Npm, "react"}, {Npm, "@types/node"}, {Npm, "JSONStream"}, {Go, "github.com/spf13/pflag"}, {Go, "gopkg.in/yaml.v3"},
		{PyPI, "ruamel.yaml"}, {PyPI, "Flask-SQLAlchemy"}, {Cargo, "serde_json"}, {Gem, "rspec-rails"}, {Composer, "symfony/http-kernel"},
		{Maven, "org.junit.jupiter:junit-jupiter"}, {Deb, "libstdc++6"}, {Man, "git*"}, {Man, "["}, {Info, "gawk"}}
	for _, g := range good {
		if err := CheckName(g[0], g[1]); err != nil {
			t.Errorf("%s %s: %v", g[0], g[1], err)
		}
	}
	for _, e := range allEcosystems() {
		for _, bad := range []string{"", "-rf", "--registry=x", "../../etc/passwd", "/etc/passwd", "a/../b", "a b", "a\nb", "a\x00b", "a;b", "$(id)",
			"https://example.org/x", "git+ssh://x", "@/x", "a//b", "é", strings.Repeat("a", 4000), "a\x1b[31m", "x@1"} {
			if e == Go && bad == "x@1" {
				continue
			}
			if err := CheckName(e, bad); err == nil {
				t.Errorf("%s takes the name %.40q", e, bad)
			} else if strings.ContainsAny(err.Error(), "\x00\x1b\n") || len(err.Error()) > 200 {
				t.Errorf("the error is not for a terminal: %q", err)
			}
		}
	}
	if err := CheckName("vcpkg", "zlib"); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown ecosystem: %v", err)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	good := []string{"", "1", "v1.2.3", "2024.1", "1!2.0.post1", "0.0.0-20171230120015-48954b6210f8", "latest", "5.0.0.RELEASE"}
	bad := []string{"-1", "--x", "^1", ">=2", "1 2", "../1", "1..2", "http://x", "1/2", "1\n", strings.Repeat("1", 200), "npm:lodash", "file:x",
		"2.0:jar:sources", "1:"}
	for _, e := range allEcosystems() {
		for _, v := range good {
			if err := CheckVersion(e, v); err != nil && (e != Deb || !strings.Contains(v, "!")) {
				t.Errorf("%s %q: %v", e, v, err)
			}
		}
		for _, v := range bad {
			if CheckVersion(e, v) == nil {
				t.Errorf("%.40q is a version of %s", v, e)
			}
		}
		// The epoch of a version is Debian's: it is the packaging of an artifact of Maven.
		if err := CheckVersion(e, "1:15.4-0+deb12u1~bpo1"); (err == nil) != (e == Deb) {
			t.Errorf("%s: a version with an epoch: %v", e, err)
		}
	}
}

func TestAddressesAndNames(t *testing.T) {
	t.Parallel()
	if got := Address(Npm, "@types/node", "20") + " " + Address(Man, "git*", ""); got != "npm:@types/node@20 man:git*" {
		t.Error(got)
	}
	if got := Canonical(PyPI, "Ruamel_yaml.Clib") + " " + Canonical(Composer, "A/B") + " " + Canonical(Npm, "JSONStream"); got != "ruamel-yaml-clib a/b JSONStream" {
		t.Error(got)
	}
}
