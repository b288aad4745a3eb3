package source

import "testing"

// What a person gives is read as the source that it names; a folder's path is none.
func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Want{
		"react":                        {Kind: KindRecipe, Address: "react"},
		"react@19":                     {Kind: KindRecipe, Address: "react", Version: "19"},
		"npm:react@19":                 {Kind: KindPackage, Address: "npm:react", Version: "19"},
		"npm:@types/node@22":           {Kind: KindPackage, Address: "npm:@types/node", Version: "22"},
		"npm:@types/node":              {Kind: KindPackage, Address: "npm:@types/node"},
		"go:example.org/lantern@v1.2":  {Kind: KindPackage, Address: "go:example.org/lantern", Version: "v1.2"},
		"man:":                         {Kind: KindPackage, Address: "man:"},
		"git@example.org:org/repo.git": {Kind: KindGit, Address: "git@example.org:org/repo.git"},
		"git@example.org:repo@v2":      {Kind: KindGit, Address: "git@example.org:repo", Version: "v2"},
		"github.com/org/repo":          {Kind: KindGit, Address: "https://github.com/org/repo"},
		"github.com/org/repo@1.2":      {Kind: KindGit, Address: "https://github.com/org/repo", Version: "1.2"},
		"https://github.com/org/repo/tree/main/docs/en": {Kind: KindGit, Address: "https://github.com/org/repo", Ref: "main", Path: "docs/en"},
		"https://github.com/org/repo.git":               {Kind: KindGit, Address: "https://github.com/org/repo"},
		"https://gitlab.com/org/repo/-/tree/v1/doc":     {Kind: KindGit, Address: "https://gitlab.com/org/repo", Ref: "v1", Path: "doc"},
		"codeberg.org/org/repo/src/branch/main/doc":     {Kind: KindGit, Address: "https://codeberg.org/org/repo", Ref: "main", Path: "doc"},
		"https://example.org/repo.git":                  {Kind: KindGit, Address: "https://example.org/repo.git"},
		"https://example.org/repo.git@v1.2":             {Kind: KindGit, Address: "https://example.org/repo.git", Version: "v1.2"},
		"ssh://git@example.org/repo":                    {Kind: KindGit, Address: "ssh://git@example.org/repo"},
		"file:///srv/repo":                              {Kind: KindGit, Address: "file:///srv/repo"},
		"file:///srv/repo@2.0":                          {Kind: KindGit, Address: "file:///srv/repo", Version: "2.0"},
		"https://example.org/docs/":                     {Kind: KindSite, Address: "https://example.org/docs/"},
		"https://example.org/docs.tar.gz":               {Kind: KindArchive, Address: "https://example.org/docs.tar.gz"},
		"https://github.com/org/repo/archive/v1.zip":    {Kind: KindArchive, Address: "https://github.com/org/repo/archive/v1.zip"},
		"https://example.org/team.docent":               {Kind: KindPacked, Address: "https://example.org/team.docent"},
		"https://github.com/org/repo/wiki":              {Kind: KindSite, Address: "https://github.com/org/repo/wiki"},
		"https://example.org/a@b/guide/":                {Kind: KindSite, Address: "https://example.org/a@b/guide/"},
	} {
		if got, ok := Parse(text); !ok || got.Kind != want.Kind || got.Address != want.Address || got.Version != want.Version ||
			got.Ref != want.Ref || got.Path != want.Path {
			t.Errorf("%q is %+v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "-x", "../docs", "./docs", "docs/guide", "/srv/docs", "ext::sh -c id", "C:\\docs", "npm:", "git@-x:repo",
		"mailto:a@b", "--upload-pack=x@y:z"} {
		if got, ok := Parse(text); ok {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

// A page of a repository has its address at the host.
func TestBlobURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ repository, ref, folder, want string }{
		{"https://github.com/org/repo", "abc", "docs/en", "https://github.com/org/repo/blob/abc/docs/en/{file}"},
		{"https://gitlab.com/org/repo.git", "abc", ".", "https://gitlab.com/org/repo/-/blob/abc/{file}"},
		{"https://example.org/repo", "abc", "docs", ""}, {"git@github.com:org/repo", "abc", "docs", ""}, {"https://github.com/org/repo", "", "docs", ""},
	} {
		if got := BlobURL(c.repository, c.ref, c.folder); got != c.want {
			t.Errorf("%v is %q", c, got)
		}
	}
}
