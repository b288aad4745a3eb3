// Package filetree names what a store of folders with their files offers, so that several machines have
// the same files.
//
// It refuses to implement anything.
package filetree

import (
	"context"
	"fmt"
	"time"
)

// File is a file of a tree.
type File struct {
	Path    string // inside the tree, with slashes
	Bytes   int64
	ModTime int64  // nanoseconds since 1970
	SHA256  string // of its content
}

// State is a moment in the life of a tree. The zero state is that of a tree that is not there.
type State struct {
	// Born names this tree among those that had its name one after the other.
	Born string
	// Revision grows with each change.
	Revision int64
}

// Changes are what changed in a tree since a state.
type Changes struct {
	State State // the present one
	// Whole says that Files are all that the tree has. Otherwise they are those that are new or
	// changed, and Gone are the paths of those that went.
	Whole bool
	Files []File
	Gone  []string
}

// Faults is what a look at all trees found.
type Faults struct {
	Files int // that trees have
	// Missing and Damaged are files whose contents cannot be had, by tree and path.
	Missing, Damaged []Fault
	// Unused counts the contents that no tree has any more, and that a sweep removes.
	Unused int
}

// Fault is a file of a tree with a fault.
type Fault struct{ Tree, Path, SHA256 string }

// LostError means that a machine cannot have the content of a file of a tree.
type LostError struct {
	Tree, Path string
	Err        error // wraps store.ErrNoBlob or store.ErrBlobDamaged
}

func (e *LostError) Error() string { return fmt.Sprintf("the file %s/%s: %v", e.Tree, e.Path, e.Err) }

// Lost marks the error for those who do not know this package.
func (e *LostError) Lost() {}

// Unwrap gives the cause.
func (e *LostError) Unwrap() error { return e.Err }

// Store keeps trees: folders with their files. A content that
// several files have is kept once. It is safe for concurrent use, by several processes too. It has
// more than five methods because the trees and their contents are one store.
type Store interface {
	// State is the present state of a tree.
	State(ctx context.Context, tree string) (State, error)
	// Changes are those since a state, all where that is not known any more.
	Changes(ctx context.Context, tree string, since State) (Changes, error)
	// Files lists the files of a tree at or below paths inside it, by path; without paths all.
	Files(ctx context.Context, tree string, within ...string) ([]File, error)
	// Contents gives contents by their SHA-256, in any order, each once. The error that each gets
	// wraps store.ErrNoBlob or store.ErrBlobDamaged; one that it gives ends the call.
	Contents(ctx context.Context, sums []string, each func(sum string, content []byte, err error) error) error
	// Change replaces the files at or below paths inside a tree by these, at once; without paths
	// those of the whole tree. A tree that is missing is made. read gives the content
	// of a file, and is called for those that are not kept yet. What it gives must have the
	// file's SHA-256.
	Change(ctx context.Context, tree string, within []string, files []File, read func(File) ([]byte, error)) error
	// Remove forgets a tree.
	Remove(ctx context.Context, tree string) error
	// List names the trees, in order.
	List(ctx context.Context) ([]string, error)
	// Restore keeps a content again that is missing or damaged.
	Restore(ctx context.Context, sum string, content []byte) error
	// Discard drops a damaged content: the next change that has it keeps it again.
	Discard(ctx context.Context, sum string) error
	// Sweep removes contents that no tree has and that were kept longer than spare ago, and says
	// how many.
	Sweep(ctx context.Context, spare time.Duration) (removed int, err error)
	// Check looks for files without their content; with deep it reads every content.
	Check(ctx context.Context, deep bool) (Faults, error)
}
