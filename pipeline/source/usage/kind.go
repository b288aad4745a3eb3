package usage

import (
	"path"
	"strings"
)

// kind is how a file is read.
type kind int

const (
	code  kind = iota
	yaml       // keys by their indentation
	toml       // tables and keys, INI and properties too
	json       // keys in braces, in JavaScript too
	prose      // for people
)

// kindOf is the kind of a file by its name.
func kindOf(name string) kind {
	base := strings.ToLower(path.Base(name))
	switch path.Ext(base) {
	case ".yaml", ".yml":
		return yaml
	case ".toml", ".ini", ".cfg", ".conf", ".properties", ".env", ".editorconfig":
		return toml
	case ".json", ".jsonc", ".json5", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx":
		return json
	case ".md", ".mdx", ".rst", ".adoc", ".txt", ".html", ".htm", ".org", ".tex":
		if strings.HasPrefix(base, "requirements") {
			return code
		}
		return prose
	}
	if base == ".env" || strings.HasPrefix(base, ".env.") || base == "pipfile" {
		return toml
	}
	if strings.HasSuffix(base, "rc") && strings.HasPrefix(base, ".") {
		return json // .babelrc; one that is no JSON has no keys in braces
	}
	return code
}

// isShared reports whether a file has the settings of many products, each below its own key.
func isShared(name string) bool {
	switch strings.ToLower(path.Base(name)) {
	case "pyproject.toml", "package.json", "setup.cfg", "tox.ini", "settings.json", "cargo.toml", "composer.json", "deno.json",
		".pre-commit-config.yaml", "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml":
		return true
	}
	return false
}

// commentMarks are what begins a line that is a comment, by the ending of the file.
func commentMarks(name string) []string {
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".sh", ".bash", ".zsh", ".fish", ".rb", ".yaml", ".yml", ".toml", ".cfg", ".conf", ".properties", ".env", ".pl", ".r",
		".mk", ".cmake", ".tf", ".nix", ".ex", ".exs":
		return []string{"#"}
	case ".ini":
		return []string{"#", ";"}
	case ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".go", ".rs", ".java", ".kt", ".c", ".h", ".cc", ".cpp", ".hpp",
		".cs", ".swift", ".scala", ".dart", ".jsonc", ".json5", ".gradle", ".zig":
		return []string{"//", "/*", "* ", "*/"}
	case ".php":
		return []string{"//", "#", "/*", "* "}
	case ".sql", ".lua", ".hs":
		return []string{"--"}
	case ".json":
		return nil
	}
	switch base := strings.ToLower(path.Base(name)); {
	case strings.HasPrefix(base, "dockerfile"), strings.HasPrefix(base, "makefile"), base == "justfile", strings.HasPrefix(base, ".env"),
		base == "gemfile", base == "rakefile":
		return []string{"#"}
	}
	return nil
}

func isComment(line string, marks []string) bool {
	t := strings.TrimSpace(line)
	for _, m := range marks {
		if strings.HasPrefix(t, m) || t == strings.TrimSpace(m) {
			return true
		}
	}
	return false
}
