package contract

import "time"

// Origin is where a doc set's documents came from. It is kept with them.
type Origin struct {
	// Source is what `docent add` can be given to fetch the same again.
	Source string `json:"source"`
	Kind   string `json:"kind"`
	// URL is the address that was read, where it is one.
	URL string `json:"url,omitempty"`
	// Version is that of the documents as their source names it; Ref and Commit are a
	// repository's, and Path is the folder in it.
	Version string `json:"version,omitempty"`
	Ref     string `json:"ref,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Path    string `json:"path,omitempty"`
	// ETag and Digest tell one state of the source from another: the server's, and sha256:…
	// of its files.
	ETag   string `json:"etag,omitempty"`
	Digest string `json:"digest,omitempty"`
	// Licence is the source's, as it states it.
	Licence string    `json:"licence,omitempty"`
	Fetched time.Time `json:"fetched"`
	// Files and Bytes count its files.
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
	// Asked is the branch, tag or commit and, behind a colon, the folder that a person asked for,
	// "" where they named neither.
	Asked string `json:"asked,omitempty"`
	// From is of a package: where the documents came from before they were packed.
	From *Origin `json:"from,omitempty"`
}
