package ingest_test

import (
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/store"
	"docent/store/doc"
)

// Each change that a scan can see makes a file another one than was indexed.
func TestAsIndexed(t *testing.T) {
	t.Parallel()
	file := ingest.File{Path: "a.md", Size: 3, ModTime: 5, TOCPath: "toc.md", TOCModTime: 7, Format: doc.FormatMarkdown}
	file.Domain.Domain = contract.DefaultDomain
	was := store.FileState{Path: "a.md", Bytes: 3, ModTime: 5, TOCPath: "toc.md", TOCModTime: 7, Format: doc.FormatMarkdown}
	same := func([]doc.Use) bool { return true }
	if !ingest.AsIndexed(file, was, same) {
		t.Error("a file without a change is another one")
	}
	if ingest.AsIndexed(file, was, func([]doc.Use) bool { return false }) {
		t.Error("a file that it takes text from changed")
	}
	for name, change := range map[string]func(*ingest.File){
		"size": func(f *ingest.File) { f.Size++ }, "time": func(f *ingest.File) { f.ModTime++ }, "table of contents": func(f *ingest.File) { f.TOCPath = "" },
		"its time": func(f *ingest.File) { f.TOCModTime++ }, "format": func(f *ingest.File) { f.Format = "other" }, "domain": func(f *ingest.File) { f.Domain.Domain = "legal" },
	} {
		other := file
		change(&other)
		if ingest.AsIndexed(other, was, same) {
			t.Errorf("another %s is not seen", name)
		}
		failed := store.Failure{Path: "a.md", Bytes: 3, ModTime: 5, TOCPath: "toc.md", Format: doc.FormatMarkdown}
		seen := !ingest.AsFailed(other, failed)
		if want := name != "its time" && name != "domain"; seen != want {
			t.Errorf("another %s of a file that failed is seen: %v", name, seen)
		}
	}
}
