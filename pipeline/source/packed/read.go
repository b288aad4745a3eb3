package packed

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"docent/pipeline/source/unpack"
)

// ReadManifest reads what a package says of itself. Its other files are not looked at.
func ReadManifest(ctx context.Context, file string) (Manifest, error) {
	f, err := os.Open(file)
	if err != nil {
		return Manifest{}, err
	}
	defer f.Close()
	raw, err := unpack.First(ctx, f, manifestName, mostManifest)
	switch {
	case errors.Is(err, unpack.ErrNotArchive):
		return Manifest{}, ErrNotPackage
	case errors.Is(err, unpack.ErrDamaged):
		return Manifest{}, fmt.Errorf("%w at its beginning, in %s", ErrDamaged, manifestName)
	case err != nil:
		return Manifest{}, err
	}
	return parseManifest(raw)
}

// unpacking is the unpacking of one doc set of a package.
type unpacking struct {
	manifest  Manifest
	set       Set
	withIndex bool
	into      string // the folder of its index below the one that is unpacked into

	want    map[string]Member // by name in the package, that are still to come
	known   map[string]bool   // all names
	byPlace map[string]string // of those that were unpacked: the name, by where they lie
	now     string            // the file that is being read
	fault   error
}

// unpackSet unpacks the pages of a doc set below a folder, and with withIndex the index of
// them below the folder index in it. Every file is compared with its checksum.
func unpackSet(ctx context.Context, file string, m Manifest, s Set, into, index string, withIndex bool,
	say func(files int, bytes int64)) error {
	u := &unpacking{manifest: m, set: s, withIndex: withIndex, into: index, want: map[string]Member{}, known: map[string]bool{},
		byPlace: map[string]string{}, now: manifestName}
	var total, largest int64
	for _, f := range m.Members {
		u.known[f.Name] = true
		if _, wanted := u.placeOf(f.Name); wanted {
			u.want[f.Name] = f
			total, largest = total+f.Size, max(largest, f.Size)
		}
	}
	res, err := unpack.File(ctx, file, into, unpack.Options{
		// A package of what its manifest says is not larger than that.
		Limits: unpack.Limits{Files: max(1, len(u.want)), Bytes: max(1, total), File: max(1, largest), Read: mostRead},
		Name:   u.name, Keep: u.hasNoFault, Sum: u.compare, Say: say,
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case u.fault != nil:
		return u.fault
	case len(res.LeftOut) > 0:
		return fmt.Errorf("%w: %s: %s", ErrDamaged, res.LeftOut[0].Name, res.LeftOut[0].Reason)
	case errors.Is(err, unpack.ErrDamaged):
		return fmt.Errorf("%w in or behind %s", ErrDamaged, u.now)
	case err != nil:
		return err
	}
	for _, f := range m.Members {
		if _, missing := u.want[f.Name]; missing {
			return fmt.Errorf("%w: %s is missing", ErrDamaged, f.Name)
		}
	}
	return nil
}

// placeOf is where a file of the package is unpacked, below the folder.
func (u *unpacking) placeOf(name string) (place string, wanted bool) {
	if inside, ok := strings.CutPrefix(name, u.set.folder(pagesFolder)); ok {
		return inside, true
	}
	inside, ok := strings.CutPrefix(name, u.set.folder(indexFolder))
	return u.into + "/" + inside, ok && u.withIndex
}

// name is unpack.Options'.
func (u *unpacking) name(name string) string {
	u.now = name
	if !u.known[name] && name != manifestName && u.fault == nil {
		u.fault = fmt.Errorf("%w: it has %q, which its manifest does not list", ErrDamaged, name)
	}
	place, wanted := u.placeOf(name)
	if !wanted || u.fault != nil {
		return ""
	}
	if _, first := u.want[name]; !first {
		u.fault = fmt.Errorf("%w: it has %s twice", ErrDamaged, name)
		return ""
	}
	u.byPlace[place] = name
	return place
}

// hasNoFault is unpack.Options'.
func (u *unpacking) hasNoFault(string) bool { return u.fault == nil }

// compare is unpack.Options' Sum.
func (u *unpacking) compare(place string, size int64, sum []byte) error {
	name := u.byPlace[place]
	want, ok := u.want[name]
	if !ok || size != want.Size || hex.EncodeToString(sum) != want.SHA256 {
		return fmt.Errorf("%w: %s does not have its checksum", ErrDamaged, name)
	}
	delete(u.want, name)
	return nil
}
