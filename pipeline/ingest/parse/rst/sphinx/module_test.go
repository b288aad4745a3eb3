package sphinx

import (
	"io/fs"
	"strings"
	"testing"
)

// Versions are made of strings in many ways, and lie in other files of the project.
func TestVersions(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"../VERSION":              "v4.2.1-rc\n",
		"../lamps/__init__.py":    "from ._made import __version__\nversion_info = \"4.3\"\n",
		"../lamps/_made.py":       "__version__ = \"4.2.1+local\"\n",
		"../src/oil.py":           "import os\n\n__version__ = '7.0'\n",
		"../pyproject.toml":       "[build-system]\nversion = \"0\"\n\n[project]\nname = \"Oil_Lamps\"\nversion = \"8.1\" # now\n\n[tool.x]\nversion = \"9\"\n",
		"../setup.py":             "setup(\n    version=\"3.3\",\n)\n",
		"../loop.py":              "from loop import __version__\n",
		"/etc/version":            "secret",
		"../lamps/data/number.py": "x = 1\n",
	}
	for name, tt := range map[string]struct {
		conf []string
		want string // "" where the version is not known
	}{
		"part of another":     {[]string{`release = "4.2.1"`, `version = ".".join(release.split(".")[:2])`}, "4.2"},
		"before a sign":       {[]string{`release = "v4.2.1-rc1"`, `version = release.partition('-')[0].lstrip("v")`}, "4.2.1"},
		"up to the last":      {[]string{`release = "4.2.1"`, `version = release.rsplit(".", 1)[0]`}, "4.2"},
		"from the end":        {[]string{`release = "lamps-4.2"`, `version = release.split("-")[-1]`}, "4.2"},
		"a slice":             {[]string{`release = "4.2.1"`, `version = release[:3]`}, "4.2"},
		"replaced":            {[]string{`version = "4_2".replace("_", ".")`}, "4.2"},
		"in an f-string":      {[]string{`r = "4.2.1"`, `version = f"v{r.split('.')[0]}"`}, "v4"},
		"with a type":         {[]string{`version: str = "4.2"`}, "4.2"},
		"a file":              {[]string{`version = open("../VERSION").read().strip()`}, "v4.2.1-rc"},
		"its first line":      {[]string{`version = open('../VERSION', encoding="utf-8").readlines()[0].strip("v\n")`}, "4.2.1-rc"},
		"a path":              {[]string{`from pathlib import Path`, `root = Path(__file__).resolve().parent.parent`, `version = (root / "VERSION").read_text().strip()`}, "v4.2.1-rc"},
		"a path of os":        {[]string{`import os`, `here = os.path.abspath(os.path.dirname(__file__))`, `with open(os.path.join(here, "..", "VERSION")) as f:`, `    version = f.read().strip()`}, "v4.2.1-rc"},
		"a module's":          {[]string{`from lamps import __version__`, `version = __version__.split("+")[0]`}, "4.2.1"},
		"under another name":  {[]string{`from lamps import (`, `    __version__ as full,`, `)`, `version = full`}, "4.2.1+local"},
		"by its module":       {[]string{`import oil`, `version = oil.__version__`}, "7.0"},
		"where that is tried": {[]string{`try:`, `    import lamps`, ``, `    version = lamps.version_info`, `except ImportError:`, `    version = "?"`}, "4.3"},
		"of the package":      {[]string{`from importlib.metadata import version as get_version`, `import importlib.metadata`, `version = importlib.metadata.version("oil-lamps")`}, "8.1"},
		"by a bare function":  {[]string{`from importlib.metadata import version`, `release = version("oil-lamps")`, `version = release`}, "8.1"},
		"of another package":  {[]string{`import importlib.metadata`, `version = importlib.metadata.version("wicks")`}, ""},
		"searched":            {[]string{`import re`, `version = re.search(r'version="(.+?)"', open("../setup.py").read()).group(1)`}, "3.3"},
		"searched by lines":   {[]string{`import re`, `version = re.search(r'^ +version="(.+?)"', open("../setup.py").read(), re.M).groups()[0]`}, "3.3"},
		"of the environment":  {[]string{`import os`, `version = os.environ.get("LAMPS", "4.2")`}, "4.2"},
		"of a loop":           {[]string{`from loop import __version__`, `version = __version__`}, ""},
		"of no string":        {[]string{`from lamps.data.number import x`, `version = x`}, ""},
		"of a file elsewhere": {[]string{`version = open("/etc/version").read()`}, ""},
		"of a command":        {[]string{`version = "4.2"`, `version = os.popen("git describe").read()`}, ""},
		"behind the end":      {[]string{`version = "4.2".split(".")[7]`}, ""},
		"by the machine":      {[]string{`if os.name == "nt":`, `    version = "4.2"`}, ""},
	} {
		conf := strings.Join(tt.conf, "\n") + "\n"
		p := ReadProject(conf, func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		})
		if got, ok := p.Value("version"); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: the version is %q, %v, want %q", name, got, ok, tt.want)
		}
	}
}

// Files are read for the values that are made of them, and not for others: a page that shows no version does not
// depend on the file that has it.
func TestFilesAreReadLate(t *testing.T) {
	t.Parallel()
	opened := 0
	p := ReadProject("project = 'Lamps'\nfrom lamps import __version__\nversion = __version__\nrst_epilog = '.. |x| replace:: y'\n",
		func(string) ([]byte, error) {
			opened++
			return []byte("__version__ = '4.2'"), nil
		})
	if p.Around() == "" || p.text("project") != "Lamps" || opened > 0 {
		t.Errorf("%d files are opened for values that need none", opened)
	}
	if got := p.text("version"); got != "4.2" || opened != 1 {
		t.Errorf("the version is %q, from %d files", got, opened)
	}
}

// Values that grow with each line, and modules that take values from each other, have a limit.
func TestLimitsOfValues(t *testing.T) {
	t.Parallel()
	grows := "a = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'\n" + strings.Repeat("a = ''.join([a, a, a, a, a, a, a, a])\n", 40) +
		strings.Repeat("a = a.replace('x', a)\n", 40) + strings.Repeat("a = a + a\n", 40) + strings.Repeat("a = os.path.join(a, a, a, a)\n", 40)
	p := ReadProject(grows, nil)
	if n := len(p.text("a")); n > maxText {
		t.Errorf("a value has %d bytes", n)
	}
	opened := 0
	src := strings.Repeat("from b import a\na = a\n", maxValues)
	ReadProject(src, func(string) ([]byte, error) {
		opened++
		return []byte(src), nil
	}).Value("a")
	if opened > mostOpens {
		t.Errorf("%d files are opened", opened)
	}
}
