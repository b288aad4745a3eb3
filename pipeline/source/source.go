// Package source says how documents come into a folder: the request of a person, the
// fetchers that bring them, and the record of their origin. The fetchers lie in the
// packages below it.
//
// It refuses to know a format: what a file says is the parsers' business.
package source

import (
	"context"
	"errors"

	"docent/pipeline/contract"
)

// The kinds of sources.
const (
	KindGit     = "git"     // a repository
	KindSite    = "site"    // the pages of a web site
	KindArchive = "archive" // a zip or tar file, here or at an address
	KindBundle  = "bundle"  // a Dash docset, or a bundle of DevDocs
	KindPackage = "package" // a package of an ecosystem: npm:, go:, pypi:, cargo:, gem:, composer:, maven:, deb:, man:, info:
	KindRecipe  = "recipe"  // a name that a recipe explains
	KindPacked  = "packed"  // a file that docent packed
)

// Want is a request for documents.
type Want struct {
	Kind    string `json:"kind"`
	Address string `json:"address"`           // as `docent add` takes it, without its version
	Version string `json:"version,omitempty"` // "": the newest
	// Ref and Path narrow a repository or an archive: a branch, tag or commit, and a folder
	// in it with slashes. "": the default branch, and the folder that holds the documentation.
	Ref  string `json:"ref,omitempty"`
	Path string `json:"path,omitempty"`
	// Near is the folder of one package in a repository of several. Its documentation goes
	// before that of the whole repository; "": the repository has no such folder.
	Near string `json:"near,omitempty"`
	// Pick completes the request by the names of a repository's tags and branches, after
	// refs/tags/ and refs/heads/: its Ref is then one of them. nil: the fetcher finds Version.
	Pick func(refs []string) (Want, bool) `json:"-"`
	// Note is what a person should know of the choice.
	Note string `json:"-"`
	// Strict follows no redirect to another host: somebody else than the person at this machine
	// asked.
	Strict bool `json:"-"`
	// Signers are the public keys by one of which a package must be signed; none: those of the
	// configuration.
	Signers []string `json:"signers,omitempty"`
	// LeaveOut are patterns of paths below Path that are not fetched (path.Match; a folder
	// stands for all below it).
	LeaveOut []string `json:"leave_out,omitempty"`
	// Name, URLBase and Licence are known before the fetch, such as by a recipe; "": they
	// are found out.
	Name    string `json:"name,omitempty"`
	URLBase string `json:"url_base,omitempty"`
	Licence string `json:"licence,omitempty"`
	// AtMost bounds the fetch.
	AtMost Limits `json:"at_most,omitzero"`
}

// Limits bound a fetch. A value of 0 is the fetcher's default.
type Limits struct {
	Pages int   `json:"pages,omitempty"` // of a site
	Files int   `json:"files,omitempty"` // of all others
	Bytes int64 `json:"bytes,omitempty"` // together
	Depth int   `json:"depth,omitempty"` // links from a site's first page
}

// Mirrored is a doc set that a mirror has in a package.
type Mirrored struct {
	Set string // name and version
	// Source, Commit and Digest are those of its Origin before it was packed.
	Source, Commit, Digest string
	// Package is wanted in place of the source.
	Package Want
}

// Origin is where documents came from.
type Origin = contract.Origin

// Fetched is what a fetch brought.
type Fetched struct {
	Origin
	// Name and Release are what the documents are called, as a doc set's name and version.
	Name, Release string
	// Root is the folder below the one that was fetched into where the pages begin, with
	// slashes; "." is all of it.
	Root string
	// Domain is that of the documents, as a doc set has it: "code" where comments in source
	// code are the documentation. "" leaves it to the configuration.
	Domain string
	// URLBase is the address below which the pages lie on the web, "" where it is not known.
	// FileBase is the one at which the source shows its files, in the same form.
	URLBase, FileBase string
	// Addresses are those of the files that cannot say their own, where it does not follow from
	// URLBase.
	Addresses []FileAddress
	// Others are folders of the source that could have been meant.
	Others []string
	// Better are other sources that the source itself names, such as a package's site.
	Better []string
	// Failed are the parts that could not be had, each with its reason.
	Failed []Failure
	// LeftOut are the parts that were left out on purpose, such as pages in other languages.
	LeftOut []LeftOut
	// State is the fetcher's own: the next fetch has it as Before.State.
	State []byte
	// Note is what a person should know of what was fetched, in a line; "": nothing.
	Note string
}

// FileAddress is where a file, a path below Fetched.Root with slashes, lies on the web.
type FileAddress struct{ File, Address string }

// PackedIndex is the folder below the one that is fetched into where a fetcher puts an index
// that came with the documents.
const PackedIndex = ".docent-index"

// Failure is a part of a source that could not be had.
type Failure struct {
	What   string `json:"what"` // an address or a path
	Reason string `json:"reason"`
}

// LeftOut are parts of a source that were left out for one reason.
type LeftOut struct {
	Reason  string `json:"reason"` // what they are: "pages in other languages"
	Count   int    `json:"count"`
	Example string `json:"example"` // one of them: an address or a path
}

// Before is what the last fetch of the same source brought.
type Before struct {
	Origin
	Folder string // with its files; they must not be changed
	State  []byte
}

// Progress tells how far a fetch is. Text names the present step in a few words.
type Progress struct {
	Text        string
	Done, Total int // files or pages; Total is 0 while it is not known
	Bytes       int64
}

// Fetcher brings the documents of a source into a folder.
type Fetcher interface {
	// Fetch writes the files of a source below the folder into, which exists; it is empty, or
	// holds what a fetch of the same source wrote that was interrupted. before is nil at
	// the first fetch. The error is ErrUnchanged where the source has nothing new, and an
	// *Error where it cannot be had.
	Fetch(ctx context.Context, want Want, into string, before *Before, say func(Progress)) (Fetched, error)
}

// Completer is a fetcher that can bring more files of a source that it fetched.
type Completer interface {
	// Complete brings those of some files that the source has; paths are below folder, with
	// slashes, and folder is what Fetch wrote into. added is how many came.
	Complete(ctx context.Context, want Want, folder string, paths []string, say func(Progress)) (added int, err error)
}

// ErrUnchanged means that a source is as it was at the last fetch.
var ErrUnchanged = errors.New("the source has not changed")

// Error says which source could not be had, why, and what to do.
type Error struct {
	Source string // as a person named it
	Reason string
	Do     string // what to do next, an imperative sentence without its stop
	// Remedy is what to do next where a field of the request does it, in place of Do.
	Remedy *contract.Remedy
	Err    error
}

// NextStep is the error's remedy.
func (e *Error) NextStep() *contract.Remedy { return e.Remedy }

func (e *Error) Error() string {
	text := e.Source + ": " + e.Reason
	if e.Do != "" {
		text += "; " + e.Do
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }
