package ingest

import (
	"cmp"

	"docent/pipeline/contract"
	"docent/store"
	"docent/store/doc"
)

// AsIndexed reports whether a file is as it was when it was indexed, by what a scan sees of
// it. Whether the parser that read it then still gives the same text is the caller's
// question: an update asks for the same version, a look at the doc set for one that is not
// outdated. same reports it of the other files that the page took text from.
func AsIndexed(f File, was store.FileState, same func([]doc.Use) bool) bool {
	return was.Format == f.Format && cmp.Or(was.Domain, contract.DefaultDomain) == f.Domain.Domain &&
		was.Bytes == f.Size && was.ModTime == f.ModTime && was.TOCPath == f.TOCPath && was.TOCModTime == f.TOCModTime && same(was.Uses)
}

// AsFailed reports whether a file that could not be indexed is as it was then. The parser
// is the caller's question, see AsIndexed.
func AsFailed(f File, was store.Failure) bool {
	return was.Format == f.Format && was.Bytes == f.Size && was.ModTime == f.ModTime && was.TOCPath == f.TOCPath
}
