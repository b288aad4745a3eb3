package syncing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/source"
	"docent/pipeline/source/packages"
	"docent/pipeline/source/planning"
	"docent/pipeline/source/repositories"
)

// shelf is what sources have, and the home that they are added to.
type shelf struct {
	has   map[string]source.Fetched // by source
	fails map[string]error
	asked []string
	held  []planning.Held
	// readings counts how often the recipes were read.
	readings int
	cancel   context.CancelFunc // called at the source "stop"
	listed   planning.Listed
	missing  map[string]string // clients, by ecosystem
}

func (s *shelf) Add(ctx context.Context, req sourcing.AddRequest, _ home.Watch) (out sourcing.Added, err error) {
	asked := req.Source
	if req.Ref != "" {
		asked += " at " + req.Ref
	}
	s.asked = append(s.asked, asked)
	if s.cancel != nil && strings.Contains(req.Source, "stop") {
		s.cancel()
		return out, ctx.Err()
	}
	if err := s.fails[req.Source]; err != nil {
		return out, contract.Unavailable(err, "%v", err)
	}
	got, ok := s.has[req.Source]
	if !ok {
		return out, contract.Invalid("source", "%s: there is no such thing", req.Source)
	}
	if req.Accept != nil {
		if err := req.Accept(got); err != nil {
			return out, err
		}
	}
	name, version := req.Name, req.Version
	if name == "" {
		name, version = got.Name, got.Release
	}
	s.held = append(s.held, planning.Held{Name: name, Version: version, Source: req.Source, Commit: got.Commit, Digest: got.Digest})
	origin := got.Origin
	out.Source = &origin
	out.Sets = []ingest.Report{{Set: name + "@" + version}}
	return out, nil
}

// service is a service over a shelf.
func (s *shelf) service(recipes planning.Recipes) *Service {
	return &Service{adder: s, held: func(context.Context) ([]planning.Held, error) { return s.held, nil },
		known: Known{Recipes: func(context.Context) (planning.Recipes, error) { s.readings++; return recipes, nil },
			Listed: s.listed, Missing: func(kind string) string { return s.missing[kind] }}}
}

type oneRecipe struct{}

func (oneRecipe) Lookup(_, name, version string) (string, bool) {
	if name == "react" || name == "react-dom" {
		return "react@" + version, true
	}
	return "", false
}

func rich(commit, digest string, better ...string) source.Fetched {
	f := source.Fetched{Name: "React", Release: "19.0.0", Better: better}
	f.Commit, f.Digest, f.Files, f.Bytes = commit, digest, 40, 1<<20
	return f
}

func thin(better ...string) source.Fetched {
	f := source.Fetched{Better: better}
	f.Digest, f.Files, f.Bytes = "sha256:thin", 2, 300
	return f
}

func writeProject(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const somePackages = `{"dependencies": {"react": "19.0.0", "react-dom": "19.0.0", "oil": "1.0.0", "wick": "2.0.0", "bare": "1.0.0", "gone": "1.0.0"}}`

func newShelf() *shelf {
	return &shelf{has: map[string]source.Fetched{
		"react@19.0.0": rich("c1", ""), "npm:oil@1.0.0": rich("", "sha256:oil"),
		"npm:wick@2.0.0": thin("https://wick.example.org", "https://git.example.org/wick.git"), "https://git.example.org/wick.git@2.0.0": rich("c2", ""),
		"https://git.example.org/bare.git@1.0.0": rich("c3", ""),
	}, fails: map[string]error{"npm:bare@1.0.0": &source.Error{Source: "npm:bare", Reason: "nothing in it",
		Err: &packages.NoDocumentationError{Better: []string{"https://git.example.org/bare.git"}}}}}
}

func table(out Synced) string {
	var b strings.Builder
	for _, r := range out.Rows {
		fmt.Fprintf(&b, "%s %s %s %s %s\n", r.For, r.State, r.DocSet, r.How, r.Source)
	}
	return b.String()
}

// A package of types is documented by its package, which is there by then; the lock has both.
func TestTypesShareDocumentation(t *testing.T) {
	t.Parallel()
	s := newShelf()
	s.has["npm:@types/gone@1.0.1"] = rich("", "sha256:types")
	dir := writeProject(t, map[string]string{"package.json": `{"dependencies": {"@types/oil": "1.0.3", "oil": "1.0.0", "gone": "1.0.0", "@types/gone": "1.0.1"}}`})
	svc := s.service(nil)
	planned, err := svc.Sync(context.Background(), Request{Dir: dir, DryRun: true}, home.Watch{})
	if err != nil || planned.Rows[3].For != "npm:@types/oil" || planned.Rows[3].Source != "npm:oil@1.0.0" {
		t.Errorf("%v\n%s", err, table(planned))
	}
	out, err := svc.Sync(context.Background(), Request{Dir: dir}, home.Watch{})
	want := `npm:gone missing   
npm:oil added oil@1.0.0 package npm:oil@1.0.0
npm:@types/gone added types-gone@1.0.1 package npm:@types/gone@1.0.1
npm:@types/oil here oil@1.0.0 package npm:oil@1.0.0
`
	if err != nil || table(out) != want {
		t.Errorf("%v\n%s", err, table(out))
	}
	if checked, err := svc.Check(context.Background(), Request{Dir: dir}); err != nil || len(checked.Differences) > 0 {
		t.Errorf("%v %+v", err, checked)
	}
}

func TestSync(t *testing.T) {
	t.Parallel()
	s := newShelf()
	dir := writeProject(t, map[string]string{"package.json": somePackages})
	out, err := s.service(oneRecipe{}).Sync(context.Background(), Request{Dir: dir}, home.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	want := `npm:bare added bare@1.0.0 repository https://git.example.org/bare.git@1.0.0
npm:gone missing   
npm:oil added oil@1.0.0 package npm:oil@1.0.0
npm:react added React@19.0.0 recipe react@19.0.0
npm:react-dom here React@19.0.0 recipe react@19.0.0
npm:wick added wick@2.0.0 repository https://git.example.org/wick.git@2.0.0
`
	if table(out) != want || out.Dependencies != 6 || out.Documented != 5 {
		t.Errorf("%d of %d:\n%s", out.Documented, out.Dependencies, table(out))
	}
	if gone := out.Rows[1]; !strings.Contains(gone.Reason, "no such thing") || len(gone.Tried) != 1 {
		t.Errorf("%+v", gone)
	}
	lock, err := os.ReadFile(filepath.Join(dir, planning.LockFile))
	if err != nil {
		t.Fatal(err)
	}
	// The same again asks for the missing one alone, and writes the same.
	s.asked = nil
	if out, err = s.service(oneRecipe{}).Sync(context.Background(), Request{Dir: dir}, home.Watch{}); err != nil || out.Documented != 5 || fmt.Sprint(s.asked) != "[npm:gone@1.0.0]" {
		t.Errorf("%+v %v, asked %v", out, err, s.asked)
	}
	if again, _ := os.ReadFile(out.Lock); string(again) != string(lock) {
		t.Errorf("the lock is now\n%s", again)
	}
	if c, err := s.service(oneRecipe{}).Check(context.Background(), Request{Dir: dir}); err != nil || len(c.Differences) > 0 {
		t.Errorf("%+v %v", c, err)
	}
	// A colleague gets the same: commits, and files of the same digest.
	other := newShelf()
	out, err = other.service(nil).Sync(context.Background(), Request{Dir: dir}, home.Watch{})
	if err != nil || out.Documented != 5 || !strings.Contains(fmt.Sprint(other.asked), "react@19.0.0 at c1") {
		t.Errorf("%s %v, asked %v", table(out), err, other.asked)
	}
	changed := newShelf()
	changed.has["npm:oil@1.0.0"] = rich("", "sha256:other")
	out, err = changed.service(nil).Sync(context.Background(), Request{Dir: dir}, home.Watch{})
	if err != nil || out.Rows[2].State != Missing || !strings.Contains(out.Rows[2].Reason, "other files") {
		t.Errorf("%+v %v", out.Rows, err)
	}
	if kept, _ := os.ReadFile(out.Lock); string(kept) != string(lock) {
		t.Errorf("the lock is now\n%s", kept)
	}
}

// listed are repositories of packages of npm.
type listed map[string]string

func (l listed) Find(_, name string) (repositories.Repository, bool) {
	address, ok := l[name]
	return repositories.Repository{Address: address}, ok
}

// The list answers where the client is not installed, fails, or has little more than a README.
// What the package itself says of its repository is fresher.
func TestListedRepositories(t *testing.T) {
	t.Parallel()
	s := newShelf()
	s.listed = listed{"gone": "https://github.com/lantern/gone", "wick": "https://github.com/lantern/old-wick", "oil": "https://github.com/lantern/oil",
		"little": "https://github.com/lantern/little", "away": "https://github.com/lantern/away"}
	s.has["https://github.com/lantern/gone@1.0.0"], s.has["https://github.com/lantern/little@1.0.0"] = rich("c4", ""), rich("c5", "")
	s.has["https://github.com/lantern/old-wick@2.0.0"], s.has["npm:little@1.0.0"] = rich("c6", ""), thin()
	s.has["npm:away@1.0.0"] = thin()
	files := map[string]string{"package.json": `{"dependencies": {"oil": "1.0.0", "wick": "2.0.0", "gone": "1.0.0", "little": "1.0.0", "away": "1.0.0"}}`}
	dir := writeProject(t, files)
	out, err := s.service(nil).Sync(context.Background(), Request{Dir: dir}, home.Watch{})
	want := `npm:away added away@1.0.0 package npm:away@1.0.0
npm:gone added gone@1.0.0 list https://github.com/lantern/gone@1.0.0
npm:little added little@1.0.0 list https://github.com/lantern/little@1.0.0
npm:oil added oil@1.0.0 package npm:oil@1.0.0
npm:wick added wick@2.0.0 repository https://git.example.org/wick.git@2.0.0
`
	if err != nil || table(out) != want {
		t.Errorf("%v\n%s", err, table(out))
	}
	if gone := out.Rows[1]; len(gone.Tried) != 1 || gone.Tried[0].How != planning.HowPackage || !strings.Contains(gone.Tried[0].Reason, "no such thing") {
		t.Errorf("%+v", gone)
	}
	raw, err := os.ReadFile(out.Lock)
	if err != nil || !strings.Contains(string(raw), "how = \"list\"\n") || !strings.Contains(string(raw), "path = \".\"") {
		t.Errorf("%s %v", raw, err)
	}
	if c, err := s.service(nil).Check(context.Background(), Request{Dir: dir}); err != nil || len(c.Differences) > 0 {
		t.Errorf("%+v %v", c, err)
	}
	// A dry run asks nothing: it says which client is missing, and what is tried in its place.
	s.missing = map[string]string{"npm": "npm"}
	delete(s.listed.(listed), "away")
	out, err = s.service(nil).Sync(context.Background(), Request{Dir: writeProject(t, files), DryRun: true}, home.Watch{})
	if err != nil || out.Documented != 4 || out.Rows[0].State != Missing || out.Rows[0].Reason != "npm is not installed here" ||
		out.Rows[1].How != planning.HowListed || out.Rows[1].Tried[0].Reason != "npm is not installed here" {
		t.Errorf("%+v %v", out, err)
	}
}

// A package whose client failed is in the repository that the list knows, or in that of a
// module's path. What a client says of the package itself stands.
func TestInstead(t *testing.T) {
	t.Parallel()
	instead := Instead(listed{"@lantern/oil": "https://github.com/lantern/oil-lamp"})
	failed := &source.Error{Source: "NAME", Reason: "the client is not installed here"}
	for _, c := range [][4]string{
		{"npm:@lantern/oil", "2", "lantern-oil https://github.com/lantern/oil-lamp@2 at oil@2.1.0", "docent's list knows its repository, https://github.com/lantern/oil-lamp@2"},
		{"go:github.com/lantern/glass/v2", "v2.1.0", "glass https://github.com/lantern/glass@2.1.0 at v2.1.0", "its path is the address of a repository, https://github.com/lantern/glass@2.1.0"},
		{"npm:unknown", "", "", ""}, {"man:ls", "", "", ""},
	} {
		w, ok := instead(source.Want{Kind: source.KindPackage, Address: c[0], Version: c[1]}, failed)
		got := ""
		if ok {
			picked, _ := w.Pick([]string{"v2.1.0", "oil@2.1.0", "oil@3.0.0"})
			got = fmt.Sprintf("%s %s@%s at %s", w.Name, w.Address, w.Version, picked.Ref)
		}
		if got != c[2] || ok != (c[2] != "") || ok && w.Note != "NAME: the client is not installed here; "+c[3] {
			t.Errorf("%s is %q, %q", c[0], got, w.Note)
		}
	}
	for _, err := range []error{errors.New("interrupted"), &source.Error{Source: "NAME", Reason: "empty", Err: &packages.NoDocumentationError{}}} {
		if w, ok := instead(source.Want{Kind: source.KindPackage, Address: "npm:@lantern/oil"}, err); ok {
			t.Errorf("after %v it is %+v", err, w)
		}
	}
}

func TestOnlyAndDryRun(t *testing.T) {
	t.Parallel()
	s := newShelf()
	dir := writeProject(t, map[string]string{"package.json": somePackages})
	out, err := s.service(oneRecipe{}).Sync(context.Background(), Request{Dir: dir, DryRun: true}, home.Watch{})
	if err != nil || len(s.asked) > 0 || out.Lock != "" || out.Documented != 6 || out.Rows[3].State != Planned || out.Rows[3].Tried[0].Source != "npm:react@19.0.0" {
		t.Errorf("%+v %v", out, err)
	}
	// They were read for each dependency: a minute of the processor's time for 20 000, which no signal ended.
	if s.readings != 1 {
		t.Errorf("the recipes were read %d times", s.readings)
	}
	if _, err := os.Stat(filepath.Join(dir, planning.LockFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dry run wrote a lock: %v", err)
	}
	for _, only := range [][]string{{"OIL"}, {"npm:oil"}, {"oil", "npm:oil"}} {
		if out, err = s.service(nil).Sync(context.Background(), Request{Dir: dir, Only: only}, home.Watch{}); err != nil || len(out.Rows) != 1 || out.Rows[0].For != "npm:oil" {
			t.Errorf("%q: %+v %v", only, out, err)
		}
	}
	if c, err := s.service(nil).Check(context.Background(), Request{Dir: dir, Only: []string{"oil"}}); err != nil || len(c.Differences) > 0 {
		t.Errorf("%+v %v", c, err)
	}
	if c, err := s.service(nil).Check(context.Background(), Request{Dir: dir}); err != nil || len(c.Differences) != 5 {
		t.Errorf("%+v %v", c, err)
	}
	if _, err := s.service(nil).Sync(context.Background(), Request{Dir: dir, Only: []string{"none"}}, home.Watch{}); err == nil {
		t.Error("a name that the project does not use is taken")
	}
}

func TestProjectsThatCannotBeSynced(t *testing.T) {
	t.Parallel()
	s := newShelf().service(nil)
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none"), writeProject(t, map[string]string{"package.json": somePackages, planning.LockFile: "format = 9"})} {
		var e *contract.Error
		if _, err := s.Sync(context.Background(), Request{Dir: dir}, home.Watch{}); !errors.As(err, &e) || e.Code != contract.CodeInvalidRequest {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// A sync that ends early has locked all that it added.
func TestSyncsThatEndEarly(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	s := newShelf()
	s.cancel = cancel
	dir := writeProject(t, map[string]string{"package.json": `{"dependencies": {"oil": "1.0.0", "stop": "1.0.0", "wick": "2.0.0"}}`})
	if _, err := s.service(nil).Sync(ctx, Request{Dir: dir}, home.Watch{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, planning.LockFile))
	if err != nil {
		t.Fatal(err)
	}
	if lock, err := planning.ParseLock(raw); err != nil || len(lock.Docs) != 1 || lock.Docs[0].For != "npm:oil" {
		t.Errorf("%s %v", raw, err)
	}
}

// A folder of a project has the doc sets of its docent.lock that the home has, and none of
// those of a project above its repository.
func TestDocSetsOfAProject(t *testing.T) {
	t.Parallel()
	dir := writeProject(t, map[string]string{planning.LockFile: string(planning.Lock{Docs: []planning.Locked{
		{For: "npm:wick", Uses: "2.0.0", Source: "npm:wick", Name: "wick", Version: "2.0.0"},
		{For: "npm:oil", Uses: "1.0.0", Source: "npm:oil", Name: "oil", Version: "1.0.0"},
		{For: "npm:lamp", Uses: "1.0.0", Source: "npm:oil", Name: "oil", Version: "1.0.0"},
		{For: "npm:gone", Uses: "1.0.0", Missing: "nothing in it"},
	}}.Format())})
	inner := filepath.Join(dir, "cmd", "shop")
	repository := filepath.Join(dir, "vendored")
	for _, d := range []string{inner, filepath.Join(repository, ".git")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := newShelf()
	s.held = []planning.Held{{Name: "oil", Version: "1.0.0"}, {Name: "wick", Version: "1.9.0"}}
	want := Narrowed{Project: filepath.Base(dir), Lock: filepath.Join(dir, planning.LockFile), DocSets: []string{"oil@1.0.0"},
		Missing: []string{"wick@2.0.0"}}
	for folder, want := range map[string]Narrowed{dir: want, inner: want, repository: {}} {
		if got, err := s.service(nil).Narrow(t.Context(), folder); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", folder, got, err)
		}
	}
	if err := os.WriteFile(want.Lock, []byte("format = 1\n<<<<<<< HEAD\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := s.service(nil).Narrow(t.Context(), inner); err == nil || got.Lock != want.Lock || len(got.DocSets) > 0 {
		t.Errorf("a damaged lock: %+v, %v", got, err)
	}
}
