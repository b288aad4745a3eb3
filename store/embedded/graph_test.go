package embedded

import (
	"errors"
	"io"
	"os"
	"testing"
)

// A patch is kept next to a graph, replaced as a whole, and gone with the graph or when that is written
// anew.
func TestReferencePatch(t *testing.T) {
	t.Parallel()
	x, ctx := IndexesInFolder(t.TempDir()), t.Context()
	write := func(text string) {
		t.Helper()
		if err := x.WriteReferences(ctx, 7, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			t.Fatal(err)
		}
	}
	want := func(want string) {
		t.Helper()
		if got, err := x.ReferencePatch(ctx, 7); err != nil || string(got) != want {
			t.Fatalf("the patch is %q, want %q, %v", got, want, err)
		}
	}
	want("")
	write("a graph")
	for _, patch := range []string{"one", "and another"} {
		if err := x.PatchReferences(ctx, 7, []byte(patch)); err != nil {
			t.Fatal(err)
		}
		want(patch)
	}
	write("another graph")
	want("")
	if err := errors.Join(x.PatchReferences(ctx, 7, []byte("a third")), x.Remove(7)); err != nil {
		t.Fatal(err)
	}
	want("")
	if left, err := os.ReadDir(x.folderOfIndexes()); err != nil || len(left) != 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}
