package chunk

import "testing"

// Front matter that describes the page lies in the chunk behind it; a page that has
// nothing else is found by it.
func TestMetadata(t *testing.T) {
	t.Parallel()
	about := "---\ntitle: T\ndescription: Words of its own\n---\n"
	for _, tt := range []struct{ name, src, want string }{
		{"with the text behind it", about + "\nSome text.\n\n# H\n\nMore.\n", "paragraph 1-6 2+0\nparagraph 8-10 2+0\n"},
		{"not with another section", about + "\n# H\n\nMore.\n", "paragraph 6-8 2+0\n"},
		{"alone", about, "meta 1-4 0+0\n"},
		{"says nothing", "---\ntitle: T\nweight: 1\n---\n\nSome text.\n", "paragraph 6-6 2+0\n"},
		{"says nothing, alone", "---\ntitle: T\n---\n", ""},
	} {
		if got := outline(split(t, tt.src, Options{})); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, tt.want)
		}
	}
}
