package source

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Parse reads what a person gave to `docent add`: an address, a package or the name of a
// recipe, and behind an @ its version. ok is false for other texts, such as the
// path of a folder. Whether there is such a file or folder here is the caller's to look at
// first.
func Parse(text string) (want Want, ok bool) {
	text = strings.TrimSpace(text)
	for _, prefix := range packages {
		if rest, found := strings.CutPrefix(text, prefix+":"); found {
			return parsePackage(prefix, rest)
		}
	}
	if scpLike(text) {
		text, version := cutVersion(text)
		return Want{Kind: KindGit, Address: text, Version: version}, true
	}
	if !strings.Contains(text, "://") && hosted(text) {
		text = "https://" + text
	}
	if !strings.Contains(text, "://") {
		return parseName(text)
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" && u.Scheme != "file" {
		return Want{}, false
	}
	switch u.Scheme {
	case "ssh", "git", "file":
		return parseRepository(u)
	case "http", "https":
		return parseWeb(u)
	}
	return Want{}, false
}

// packages are the ecosystems whose packages have documentation.
var packages = []string{"npm", "go", "pypi", "cargo", "gem", "composer", "maven", "deb", "man", "info"}

func parsePackage(ecosystem, rest string) (Want, bool) {
	name, version := rest, ""
	// The @ of a scope begins the name: npm:@types/node@22.
	if i := strings.LastIndexByte(rest, '@'); i > 0 {
		name, version = rest[:i], rest[i+1:]
	}
	if name == "" && ecosystem != "man" && ecosystem != "info" {
		return Want{}, false
	}
	return Want{Kind: KindPackage, Address: ecosystem + ":" + name, Version: version}, true
}

// parseName reads the name of a recipe: letters, digits and a few signs, but no path.
func parseName(text string) (Want, bool) {
	name, version, _ := strings.Cut(text, "@")
	if name == "" || strings.HasPrefix(name, "-") || strings.HasPrefix(name, ".") || strings.ContainsAny(text, `/\ :`+"\t\n") {
		return Want{}, false
	}
	return Want{Kind: KindRecipe, Address: name, Version: version}, true
}

// scpLike reports whether text is an address as scp takes it: user@host:path.
func scpLike(text string) bool {
	user, rest, ok := strings.Cut(text, "@")
	host, file, also := strings.Cut(rest, ":")
	return ok && also && user != "" && !strings.ContainsAny(user, "/:-") && host != "" && !strings.ContainsAny(host, "/@") &&
		!strings.HasPrefix(host, "-") && file != "" && !strings.HasPrefix(file, ":") && !strings.HasPrefix(file, "//")
}

// hosts are sites whose addresses are known without their scheme. Of web sites of repositories
// org/repo lies at host/org/repo, and a folder of it behind one of these words.
var hosts = map[string][]string{
	"github.com":    {"tree", "blob"},
	"gitlab.com":    {"-/tree", "-/blob"},
	"codeberg.org":  {"src/branch", "src/tag", "src/commit"},
	"bitbucket.org": {"src"},
	"devdocs.io":    nil,
}

// hosted reports whether text is an address at one of the hosts without its scheme.
func hosted(text string) bool {
	host, _, ok := strings.Cut(text, "/")
	_, known := hosts[host]
	return ok && known
}

// cutVersion takes the version behind the last @ off an address. An @ before the last slash
// belongs to the address.
func cutVersion(text string) (address, version string) {
	i := strings.LastIndexByte(text, '@')
	if i <= strings.LastIndexAny(text, "/:") {
		return text, ""
	}
	return text[:i], text[i+1:]
}

func parseRepository(u *url.URL) (Want, bool) {
	w := Want{Kind: KindGit, Ref: u.Fragment}
	u.Fragment = ""
	u.Path, w.Version = cutVersion(u.Path)
	u.RawPath = ""
	w.Address = u.String()
	return w, strings.Trim(u.Path, "/") != ""
}

func parseWeb(u *url.URL) (Want, bool) {
	file, version := cutVersion(u.Path)
	switch name := strings.ToLower(path.Base(file)); {
	case hosts[u.Host] != nil && strings.Count(strings.Trim(u.Path, "/"), "/") > 0 && !isArchive(name):
		return parseHosted(u)
	case strings.HasSuffix(name, ".git"):
		return parseRepository(u)
	case strings.HasSuffix(name, ".docent"):
		return Want{Kind: KindPacked, Address: u.String()}, true
	case strings.HasSuffix(name, ".docset.tgz") || u.Host == "kapeli.com" && strings.HasSuffix(name, ".xml"):
		return Want{Kind: KindBundle, Address: u.String()}, true
	case u.Host == "devdocs.io" || u.Host == "documents.devdocs.io":
		// The pages of a site that a browser shows lie in a bundle at another host.
		slug, _, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
		return Want{Kind: KindBundle, Address: "https://documents.devdocs.io/" + slug}, slug != ""
	case isArchive(name):
		u.Path = file
		return Want{Kind: KindArchive, Address: u.String(), Version: version}, true
	}
	u.Fragment = ""
	return Want{Kind: KindSite, Address: u.String()}, true
}

// parseHosted reads the address of a repository, or of a folder in it, at one of the hosts. A
// branch whose name has a slash is read as its first part: the fetcher, which knows the
// branches, finds the rest at the beginning of the path.
func parseHosted(u *url.URL) (Want, bool) {
	parts := strings.SplitN(strings.Trim(u.Path, "/"), "/", 3)
	repo, version := cutVersion(strings.Join(parts[:2], "/"))
	w := Want{Kind: KindGit, Address: "https://" + u.Host + "/" + strings.TrimSuffix(repo, ".git"), Version: version}
	if len(parts) < 3 {
		return w, true
	}
	for _, word := range hosts[u.Host] {
		if rest, ok := strings.CutPrefix(parts[2], word+"/"); ok {
			ref, folder, _ := strings.Cut(rest, "/")
			w.Ref, w.Path = ref, strings.Trim(folder, "/")
			return w, true
		}
	}
	return Want{Kind: KindSite, Address: u.String()}, true // its wiki, its issues
}

// archives are the endings of archives.
var archives = []string{".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.zst", ".tar.bz2", ".tbz2"}

// ArchiveEndings are the endings of archives, in small letters; a longer one comes before its
// end.
func ArchiveEndings() []string {
	out := slices.Clone(archives)
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// isArchive reports whether a file is an archive by its name.
func isArchive(name string) bool {
	return slices.ContainsFunc(archives, func(e string) bool { return strings.HasSuffix(name, e) })
}

// IsArchive reports whether a file is an archive by its name, in any case of letters.
func IsArchive(name string) bool { return isArchive(strings.ToLower(name)) }

// BlobURL is the address at which a host shows the files of a folder of a repository, as
// doc.PageURL takes it, "" where the host is not known.
func BlobURL(repository, ref, folder string) string {
	u, err := url.Parse(repository)
	if err != nil || ref == "" {
		return ""
	}
	words := map[string]string{"github.com": "blob", "gitlab.com": "-/blob", "codeberg.org": "src/commit", "bitbucket.org": "src"}
	word := words[u.Host]
	if word == "" || u.Scheme != "https" {
		return ""
	}
	return "https://" + u.Host + "/" + strings.Join(slices.DeleteFunc([]string{strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git"),
		word, ref, strings.Trim(folder, "./")}, func(s string) bool { return s == "" }), "/") + "/{file}"
}

// GoRepository is the repository of a Go module whose path is one's address, at one of the
// hosts that Parse knows, and the module's folder in it. The major version at the end of a path
// is no folder.
func GoRepository(module string) (repository, folder string, ok bool) {
	parts := strings.Split(module, "/")
	const address = 3 // host, organization, repository
	if len(parts) < address {
		return "", "", false
	}
	want, ok := Parse(strings.Join(parts[:address], "/"))
	if !ok || want.Kind != KindGit {
		return "", "", false
	}
	rest := parts[address:]
	if n := len(rest) - 1; n >= 0 && len(rest[n]) > 1 && rest[n][0] == 'v' && strings.Trim(rest[n][1:], "0123456789") == "" {
		rest = rest[:n]
	}
	return want.Address, strings.Join(rest, "/"), true
}
