package git

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/source"
	"docent/store/doc"
)

// ref is a state of a repository: a tag, a branch, or a commit by its number.
type ref struct {
	name   string // without refs/tags/ or refs/heads/; "" for a commit
	full   string // with it
	commit string
	head   bool // the default branch
}

// wanted is what git is asked for.
func (r ref) wanted() string {
	if r.full == "" {
		return r.commit
	}
	return "+" + r.full
}

// release is the version of a doc set of it.
func (r ref) release() string {
	switch {
	case r.head:
		return doc.DefaultVersion
	case r.full == "":
		return r.commit[:min(12, len(r.commit))]
	}
	if m := numbered.FindStringSubmatch(r.name); m != nil && strings.HasPrefix(r.full, "refs/tags/") {
		return cleanName(m[1])
	}
	return cleanName(r.name)
}

// numbered finds the version in the name of a tag: v1.2, release-1.2, lantern-1.2.3-rc.1,
// lantern@1.2.3.
var numbered = regexp.MustCompile(`^(?:.*?[-_/@])?[vV]?(\d+(?:[._]\d+)*(?:[-.]?(?:alpha|beta|rc|a|b|pre|dev)[-.]?\d*)?)$`)

var commitNumber = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// refs are a repository's tags and branches.
type refs struct {
	list []ref // in the order of the server
	head string
}

// resolve asks the server which commit is wanted.
func (r *repository) resolve(ctx context.Context) (ref, error) {
	text, err := r.output(ctx, "ls-remote", "--symref", "--", r.want.Address, "HEAD", "refs/heads/*", "refs/tags/*")
	if err != nil {
		return ref{}, err
	}
	all := readRefs(text)
	if len(all.list) == 0 {
		return ref{}, r.failure("it has no commit", "look at its address", nil)
	}
	switch {
	case r.want.Ref != "":
		return r.byName(all)
	case r.want.Version != "" || r.want.Pick != nil:
		return r.byVersion(all)
	}
	if head, ok := all.find("refs/heads/" + all.head); ok {
		head.head = true
		return head, nil
	}
	i := slices.IndexFunc(all.list, func(f ref) bool { return f.full == "HEAD" })
	if i < 0 {
		return ref{}, r.unnamed("it has no default branch")
	}
	f := all.list[i]
	f.head = true
	return f, nil
}

// readRefs reads what ls-remote prints. A tag of its own has the commit that it stands for.
func readRefs(text string) refs {
	var out refs
	at := map[string]int{}
	for line := range strings.Lines(text) {
		number, name, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		if target, ok := strings.CutPrefix(number, "ref: "); ok && name == "HEAD" {
			out.head = strings.TrimPrefix(target, "refs/heads/")
			continue
		}
		if tag, ok := strings.CutSuffix(name, "^{}"); ok {
			if i, known := at[tag]; known {
				out.list[i].commit = number
			}
			continue
		}
		short := strings.TrimPrefix(strings.TrimPrefix(name, "refs/heads/"), "refs/tags/")
		at[name] = len(out.list)
		out.list = append(out.list, ref{name: short, full: name, commit: number})
	}
	return out
}

func (l refs) find(full string) (ref, bool) {
	i := slices.IndexFunc(l.list, func(f ref) bool { return f.full == full })
	if i < 0 {
		return ref{}, false
	}
	return l.list[i], true
}

// byName finds the tag or branch of Want.Ref; one with a slash may have its rest at the
// beginning of Want.Path.
func (r *repository) byName(all refs) (ref, error) {
	name, rest := r.want.Ref, r.want.Path
	if name == "HEAD" { // as addresses of hosts name the default branch
		name = all.head
	}
	for {
		for _, folder := range []string{"refs/tags/", "refs/heads/"} {
			if f, ok := all.find(folder + strings.TrimPrefix(name, folder)); ok {
				r.want.Path = rest
				return f, nil
			}
		}
		part, after, _ := strings.Cut(rest, "/")
		if part == "" || !strings.HasPrefix(r.want.Address, "http") {
			break
		}
		name, rest = name+"/"+part, after
	}
	if commitNumber.MatchString(r.want.Ref) {
		for _, f := range all.list {
			if strings.HasPrefix(f.commit, r.want.Ref) {
				return ref{commit: f.commit}, nil
			}
		}
		if len(r.want.Ref) >= 40 {
			return ref{commit: r.want.Ref}, nil
		}
	}
	return ref{}, r.absent(fmt.Sprintf("it has no branch, tag or commit %q", r.want.Ref), all, r.want.Ref)
}

// byVersion finds the tag or branch of a version.
func (r *repository) byVersion(all refs) (ref, error) {
	names := make([]string, 0, len(all.list))
	for _, f := range all.list {
		if f.full != "HEAD" {
			names = append(names, f.name)
		}
	}
	name, ok := "", false
	if r.want.Pick == nil {
		name, ok = Newest(r.want.Version, names)
	} else if picked, found := r.want.Pick(names); found {
		name, ok, r.exact = picked.Ref, true, picked.Version
		r.want.Path, r.want.URLBase = picked.Path, picked.URLBase
	}
	if !ok {
		return ref{}, r.absent(fmt.Sprintf("it has no version %s", r.want.Version), all, r.want.Version)
	}
	for _, folder := range []string{"refs/tags/", "refs/heads/"} {
		if f, ok := all.find(folder + name); ok {
			return f, nil
		}
	}
	return ref{}, r.unnamed(fmt.Sprintf("it has no tag or branch %s", name))
}

// Newest is the newest of some tags and branches that has a version: 1.2 is also 1.2.9, and
// no version that is not released yet unless it is that.
func Newest(version string, names []string) (string, bool) {
	wanted := strings.TrimLeft(version, "vV")
	best, bestVersion := "", ""
	for _, name := range names {
		m := numbered.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		has := strings.ReplaceAll(m[1], "_", ".")
		if has != wanted && (!strings.HasPrefix(has, wanted+".") || strings.ContainsFunc(has, isLetter)) {
			continue
		}
		if best == "" || doc.CompareVersions(has, bestVersion) > 0 {
			best, bestVersion = name, has
		}
	}
	if best == "" && slices.Contains(names, version) {
		return version, true
	}
	return best, best != ""
}

func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// mostNearby is how many versions an error names.
const mostNearby = 6

// unnamed is the error of a repository in which the wanted state is not clear.
func (r *repository) unnamed(reason string) error {
	return &source.Error{Source: r.want.Address, Reason: reason, Remedy: contract.Change("ref").To("name a branch or a tag with")}
}

// absent is the error of a version that is not there: it names the newest that are.
func (r *repository) absent(reason string, all refs, asked string) error {
	near := nearby(all, asked)
	if near == "" {
		return r.unnamed(reason)
	}
	return r.failure(reason, near, nil)
}

// nearby names the newest versions that there are, those of the asked one's major version
// where there are some.
func nearby(all refs, asked string) string {
	versions := map[string]string{}
	for _, f := range all.list {
		if m := numbered.FindStringSubmatch(f.name); m != nil {
			versions[m[1]] = f.name
		}
	}
	list := slices.Collect(func(yield func(string) bool) {
		for v := range versions {
			if !yield(v) {
				return
			}
		}
	})
	slices.SortFunc(list, func(a, b string) int { return doc.CompareVersions(b, a) })
	if major, _, _ := strings.Cut(strings.TrimLeft(asked, "vV"), "."); major != "" {
		other := func(v string) bool { return v != major && !strings.HasPrefix(v, major+".") }
		if same := slices.DeleteFunc(slices.Clone(list), other); len(same) > 0 {
			list = same
		}
	}
	if len(list) == 0 {
		return ""
	}
	text := "it has " + strings.Join(list[:min(mostNearby, len(list))], ", ")
	if more := len(list) - mostNearby; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// progressOf reads a line of git's progress: "Receiving objects:  42% (420/1000), 3.00 MiB".
func progressOf(line string) (source.Progress, bool) {
	what, rest, ok := strings.Cut(strings.TrimPrefix(line, "remote: "), ": ")
	open, shut := strings.IndexByte(rest, '('), strings.IndexByte(rest, ')')
	if !ok || open < 0 || shut < open {
		return source.Progress{}, false
	}
	done, total, ok := strings.Cut(rest[open+1:shut], "/")
	d, err := strconv.Atoi(done)
	t, err2 := strconv.Atoi(total)
	if !ok || err != nil || err2 != nil {
		return source.Progress{}, false
	}
	return source.Progress{Text: strings.ToLower(what), Done: d, Total: t}, true
}
