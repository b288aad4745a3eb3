package unpack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// The archives lamp/README.md and lamp/docs/oil.md as xz and bzip2 write them, which no
// package of Go does, and a text whose dictionary would have 1 GB.
const (
	lampXZ = "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4Cf/AKhdADYYSf7tNqlBYBTJ/g0tQ3BAI2fT6mqH1MfQsUq1n6lRbIBUUaLg/VUbYIg9" +
		"98QWp6IUEYk9WincTJjUBqUo+x4y8ga/nV32BykcwKjBYByIwna61QIeZC5K2ivSVx0eqMQtLfQvqClwqstNugbs8a7oyCNmH7Dy" +
		"RqCFF/lgExX8+7Mk9i5Z8G8qpZeRqYIhN1EnJdYb/je3d9d7WRdoS2Cxc5DzjqOX2QChW3fc7KuQXwABxAGAUAAARDmp9bHEZ/sCAAAAAARZWg=="
	lampBzip2 = "QlpoOTFBWSZTWUfAW+0AANl/hMuQIEBIAf+AJwZRCGwm3gAAAIEIMAC5thKojANEwAABoGkw0iZAAAaAA0AAqlEyBppoNAAAAyW/" +
		"TsxqlaYnUSERJeiIIzZ9DQvsQqadMpSYRWSEEoe9VyEx8JTX6srl4fsJJgUARFpqtcABCQM3mI4rnOY1QUEnS+FBoIM4MHEMCyXN" +
		"MdKNXDJcWTWFgKFDR84daVwj+v91FLHQ+kBAKYTmQ+li0uijyWl4g/i7kinChII+At9o"
	hugeDictionary = "/Td6WFoAAATm1rRGAgAhASQAAABeH8f5AQAAeAAAAABFru+D+O4WCgABGQGlLIHMH7bzfQEAAAAABFla"
)

func decode(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// part is an entry of an archive; a kind of 0 is a file.
type part struct {
	name, content string
	kind          byte
}

var lamp = []part{{name: "lamp/", kind: tar.TypeDir}, {name: "lamp/README.md", content: "# Lamp\n"}, {name: "lamp/docs/oil.md", content: "Fill it.\n"}}

func tarOf(t testing.TB, parts ...part) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, p := range parts {
		h := &tar.Header{Name: p.name, Typeflag: p.kind, Size: int64(len(p.content)), Mode: 0o777}
		if p.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if p.kind == tar.TypeSymlink || p.kind == tar.TypeLink {
			h.Linkname, h.Size = p.content, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := io.WriteString(w, p.content); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t testing.TB, parts ...part) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, p := range parts {
		h := &zip.FileHeader{Name: p.name, Method: zip.Deflate}
		if p.kind == tar.TypeSymlink {
			h.SetMode(fs.ModeSymlink | 0o777)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, p.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t testing.TB, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unpackBytes unpacks an archive into a new folder inside of another, and lists the files in it.
func unpackBytes(t testing.TB, raw []byte, o Options) (files map[string]string, result Result, err error) {
	t.Helper()
	outside := t.TempDir()
	archive, into := filepath.Join(outside, "archive"), filepath.Join(outside, "into")
	if err := errors.Join(os.WriteFile(archive, raw, 0o644), os.Mkdir(into, 0o755)); err != nil {
		t.Fatal(err)
	}
	result, err = File(context.Background(), archive, into, o)
	if entries, _ := os.ReadDir(outside); len(entries) != 2 {
		t.Errorf("it wrote outside of its folder: %v", entries)
	}
	return listFiles(t, into), result, err
}

func listFiles(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			t.Errorf("%s is no file", path)
		}
		raw, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestEveryPacking(t *testing.T) {
	t.Parallel()
	plain := tarOf(t, lamp...)
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{"tar": plain, "gzip": gzipped(t, plain), "zstd": encoder.EncodeAll(plain, nil),
		"xz": decode(t, lampXZ), "bzip2": decode(t, lampBzip2), "zip": zipOf(t, lamp[1:]...)} {
		if !isArchive(raw) {
			t.Errorf("%s is no archive", name)
		}
		files, result, err := unpackBytes(t, raw, Options{Strip: 1})
		if err != nil || len(files) != 2 || files["README.md"] != "# Lamp\n" || files["docs/oil.md"] != "Fill it.\n" {
			t.Errorf("%s: %v %v", name, files, err)
		}
		if result.Files != 2 || result.Bytes != 16 || result.Refused > 0 {
			t.Errorf("%s: %+v", name, result)
		}
		half := raw[:len(raw)*2/3]
		if name == "tar" {
			half = raw[:4*headBytes+4] // inside of the last file, as the end is padding
		}
		if _, _, err := unpackBytes(t, half, Options{}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s that ends early: %v", name, err)
		}
	}
	for _, none := range []string{"", "x", "%PDF-1.7", strings.Repeat("<html>", 200), string(gzipped(t, []byte("text")))} {
		if _, _, err := unpackBytes(t, []byte(none), Options{}); !errors.Is(err, ErrNotArchive) {
			t.Errorf("%.10q: %v", none, err)
		}
	}
}

// What the system's own programs write is read.
func TestArchivesOfTheSystem(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("tar")
	if err != nil {
		t.Skip("there is no tar")
	}
	dir := t.TempDir()
	long := strings.Repeat("long-", 40) + ".md"
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "lamp"), 0o755), os.WriteFile(filepath.Join(dir, "lamp", long), []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"v7", "ustar", "gnu", "posix"} {
		name := filepath.Join(t.TempDir(), "a.tar")
		cmd := exec.Command(program, "--format="+format, "-cf", name, "lamp")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("%s: %s", format, out) // v7 and ustar refuse the long name
			continue
		}
		into := t.TempDir()
		if result, err := File(context.Background(), name, into, Options{}); err != nil || result.Files != 1 || listFiles(t, into)["lamp/"+long] != "x" {
			t.Errorf("%s: %+v %v", format, result, err)
		}
	}
}

func TestHostileNames(t *testing.T) {
	t.Parallel()
	bad := []string{"../escape", "a/../../escape", "/etc/passwd", `..\escape`, `C:\windows`, "a\x00b", "a\nb", "\x1b[2J", "bad\xff",
		strings.Repeat("n", 300), strings.Repeat("d/", 100) + "x", strings.Repeat("p/ppppppppppppppppppp", 60)}
	var parts []part
	for _, name := range bad {
		parts = append(parts, part{name: name, content: "x"})
	}
	good := []part{{name: "./fine.md", content: "1"}, {name: "Fine.md", content: "2"}, {name: "a//b/./c", content: "3"}, {name: "fine.md/x", content: "4"},
		{name: "perl::module.3pm", content: "5"}}
	for _, raw := range [][]byte{zipOf(t, append(parts, good...)...), tarOf(t, append(slices.DeleteFunc(slices.Clone(parts), func(p part) bool {
		return strings.Contains(p.name, "\x00") // tar's names end there
	}), good...)...)} {
		files, result, err := unpackBytes(t, raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if files["fine.md"] != "1" || files["a/b/c"] != "3" || files["perl::module.3pm"] != "5" || len(files) != 3 {
			t.Errorf("written are %v", files)
		}
		if result.Refused < len(bad)+1 || len(result.LeftOut) != result.Refused {
			t.Errorf("%d were refused: %v", result.Refused, result.LeftOut)
		}
		for _, l := range result.LeftOut {
			if strings.ContainsAny(l.Name+l.Reason, "\x00\x1b\n") || l.Reason == "" || len(l.Name) > 300 {
				t.Errorf("%+v", l)
			}
		}
	}
}

func TestLinksAndDevicesAreLeftOut(t *testing.T) {
	t.Parallel()
	raw := tarOf(t, part{name: "out", content: "/etc", kind: tar.TypeSymlink}, part{name: "out/passwd", content: "x"},
		part{name: "hard", content: "out/passwd", kind: tar.TypeLink}, part{name: "null", kind: tar.TypeChar}, part{name: "pipe", kind: tar.TypeFifo})
	files, result, err := unpackBytes(t, raw, Options{})
	if err != nil || len(files) != 1 || files["out/passwd"] != "x" || result.Refused != 4 {
		t.Errorf("%v %+v %v", files, result, err)
	}
	files, result, err = unpackBytes(t, zipOf(t, part{name: "out", content: "/etc", kind: tar.TypeSymlink}, lamp[1]), Options{})
	if err != nil || len(files) != 1 || result.Refused != 1 {
		t.Errorf("%v %+v %v", files, result, err)
	}
	// A link that is there already is not written through.
	outside, into := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(into, "lamp")); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	if err := os.Symlink(filepath.Join(outside, "x"), filepath.Join(into, "README.md")); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(t.TempDir(), "a.tar")
	if err := os.WriteFile(archive, tarOf(t, append(lamp, part{name: "README.md", content: "x"})...), 0o644); err != nil {
		t.Fatal(err)
	}
	if result, err := File(context.Background(), archive, into, Options{}); err != nil || result.Files != 0 || result.Refused != 3 {
		t.Errorf("%+v %v", result, err)
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("written through a link: %v", left)
	}
}

func TestBombs(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("\x00", 4<<20)
	parts := []part{{name: "a", content: zeros}, {name: "b", content: zeros}, {name: "c", content: zeros}}
	for name, raw := range map[string][]byte{"tar": gzipped(t, tarOf(t, parts...)), "zip": zipOf(t, parts...)} {
		for what, o := range map[string]Options{"bytes": {Limits: Limits{Bytes: 9 << 20}}, "files": {Limits: Limits{Files: 2}}} {
			if _, _, err := unpackBytes(t, raw, o); !errors.Is(err, ErrTooLarge) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		_, result, err := unpackBytes(t, raw, Options{Limits: Limits{File: 1 << 20}})
		if err != nil || result.Files != 0 || result.Refused != 3 {
			t.Errorf("%s: %+v %v", name, result, err)
		}
	}
	// Skipped files are read too, so they count.
	none := func(string) bool { return false }
	if _, _, err := unpackBytes(t, gzipped(t, tarOf(t, parts...)), Options{Keep: none, Limits: Limits{Bytes: 1, Read: 6 << 20}}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("skipped files: %v", err)
	}
	if _, _, err := unpackBytes(t, decode(t, hugeDictionary), Options{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("a dictionary of 1 GB: %v", err)
	}
}

func TestKeepNameStripAndSay(t *testing.T) {
	t.Parallel()
	said := 0
	files, result, err := unpackBytes(t, tarOf(t, append(lamp, part{name: "top.md", content: "x"})...), Options{Strip: 1,
		Name: func(name string) string { return "new/" + name }, Keep: func(name string) bool { return name != "new/README.md" },
		Say: func(files int, bytes int64) { said = files + int(bytes) }})
	if err != nil || len(files) != 1 || files["new/docs/oil.md"] == "" || result.Skipped != 2 || said != 10 {
		t.Errorf("%v %+v %v, said %d", files, result, err, said)
	}
}

func TestUnpackingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(context.Background())
	end()
	for _, raw := range [][]byte{tarOf(t, lamp...), zipOf(t, lamp[1:]...)} {
		archive := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(archive, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := File(ended, archive, t.TempDir(), Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
	if _, err := File(context.Background(), filepath.Join(t.TempDir(), "none"), t.TempDir(), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// Whatever the bytes, unpacking ends within its limits and writes nothing outside.
func FuzzFile(f *testing.F) {
	f.Add(tarOf(f, lamp...))
	f.Add(gzipped(f, tarOf(f, lamp...)))
	f.Add(zipOf(f, lamp[1:]...))
	f.Add(decode(f, lampXZ))
	f.Add(decode(f, lampBzip2))
	f.Add(decode(f, hugeDictionary))
	f.Add(tarOf(f, part{name: "../x", content: "x"}, part{name: "a", content: "/", kind: tar.TypeSymlink}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		const most = 1 << 20
		_, result, err := unpackBytes(t, raw, Options{Limits: Limits{Files: 50, Bytes: most, Read: 2 * most}})
		if result.Bytes > most || result.Files > 50 {
			t.Errorf("%+v %v", result, err)
		}
	})
}

// isArchive reports whether the first bytes are those of an archive.
func isArchive(head []byte) bool { return isZip(head) || packingOf(head) != "" || isTar(head) }
