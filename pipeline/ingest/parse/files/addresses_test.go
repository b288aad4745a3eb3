package files

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// The addresses of files come back as they were written. Lines without an address of the web do
// not, and neither does the last one where it is cut off.
func TestAddresses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got := AddressesIn(dir); got != nil {
		t.Errorf("without a file there are %v", got)
	}
	want := map[string]string{"a b/c.txt": "https://docs.example.org/a%20b/c.txt?v=2", "m.pdf": "http://docs.example.org/m.pdf"}
	all := maps.Clone(want)
	all["x.txt"], all["y.txt"], all["tab\t.txt"], all["z.txt"] = "javascript:alert(1)", "https://me:secret@docs.example.org/", "https://docs.example.org/", "https://a b/"
	raw := append(FormatAddresses(all), "cut.txt\thttps://docs.exa"...)
	if err := os.WriteFile(filepath.Join(dir, Addresses), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := AddressesIn(dir); !maps.Equal(got, want) {
		t.Errorf("they are %v, want %v", got, want)
	}
}
