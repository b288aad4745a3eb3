package packing_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/pipeline/service/home"
	"docent/pipeline/service/packing"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/source"
	"docent/pipeline/source/mirror"
	"docent/pipeline/source/packed"
)

// repository is a source of one page.
type repository struct {
	commit string // "": it cannot be reached
	asked  int
}

func (r *repository) Fetch(_ context.Context, w source.Want, into string, before *source.Before, _ func(source.Progress)) (source.Fetched, error) {
	r.asked++
	if r.commit == "" {
		return source.Fetched{}, &source.Error{Source: w.Address, Reason: "there is no network", Do: "try again", Err: errors.New("unreachable")}
	}
	if before != nil && before.Commit == r.commit {
		return source.Fetched{}, source.ErrUnchanged
	}
	text := "# Lamps\n\nLit at commit " + r.commit + ".\n"
	return source.Fetched{Origin: source.Origin{Commit: r.commit, URL: w.Address, Files: 1, Bytes: int64(len(text))}, Name: "Lamps", Release: "1", Root: "."},
		errors.Join(os.MkdirAll(into, 0o700), os.WriteFile(filepath.Join(into, "lamps.md"), []byte(text), 0o600))
}

// A mirror is asked before a source: by the source's address or the doc set's name, for updates too.
func TestMirror(t *testing.T) {
	t.Parallel()
	servicetest.NeedsIndexFiles(t)
	shelf := t.TempDir()
	repo := &repository{commit: "first"}
	open := func(mirrors sourcing.Mirrors) *servicetest.Home {
		return servicetest.Open(t, servicetest.Options{Sources: sourcing.Options{Now: time.Now, Mirrors: mirrors, Fetchers: map[string]source.Fetcher{
			source.KindGit: repo, source.KindPacked: &packed.Fetcher{Index: form()}}}})
	}
	const address = "https://git.example/lamps.git"
	team := open(nil)
	publish := func() {
		t.Helper()
		if _, err := team.Sourcing.Add(t.Context(), sourcing.AddRequest{Source: address}, home.Watch{}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(shelf, "lamps.docent"), pack(t, team, packing.Request{Sets: []string{"Lamps"}}), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	publish()
	repo.commit, repo.asked = "", 0 // the source cannot be reached from here on
	one := open(&mirror.Mirrors{Places: []string{shelf}})
	var notes []string
	watch := home.Watch{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }}
	for _, name := range []string{address, address, "lamps", "LAMPS@1"} {
		out, err := one.Sourcing.Add(t.Context(), sourcing.AddRequest{Source: name}, watch)
		if err != nil || out.Source.Kind != source.KindPacked || out.Source.URL != filepath.Join(shelf, "lamps.docent") ||
			out.Source.From.Source != address || out.Source.From.Commit != "first" || out.Sets[0].Set != "Lamps@1" || out.Sets[0].Rebuilt {
			t.Fatalf("%s: %v, %+v of %+v", name, err, out.Sets, out.Source)
		}
		if !strings.Contains(strings.Join(notes, "\n"), "Lamps@1 of the mirror") {
			t.Errorf("%s: told %q", name, notes)
		}
	}
	if _, err := one.Sourcing.Add(t.Context(), sourcing.AddRequest{Source: "lamps@2"}, watch); err == nil {
		t.Error("a version that the mirror does not have was added")
	}
	if _, err := one.Sourcing.Add(t.Context(), sourcing.AddRequest{Source: address, Ref: "dev"}, watch); err == nil {
		t.Error("a branch that the mirror does not have was added")
	}
	if out, err := one.Sourcing.Update(t.Context(), sourcing.UpdateRequest{}, watch); err != nil || out.Sets[0].Touched() {
		t.Errorf("nothing is new: %v, %+v", err, out.Sets)
	}
	repo.commit = "second"
	publish()
	repo.commit, repo.asked = "", 0
	if out, err := one.Sourcing.Update(t.Context(), sourcing.UpdateRequest{}, watch); err != nil || out.Sets[0].Changed != 1 || repo.asked != 0 {
		t.Errorf("a newer package: %v, %+v", err, out.Sets)
	}
	if found(t, one, "Lamps@1", "second") != "lamps.md" {
		t.Error("its text is not there")
	}
	// A doc set that was fetched from its source goes on with it, and others than the person get no package.
	repo.commit, repo.asked = "third", 0
	if _, err := team.Sourcing.AddRemote(t.Context(), sourcing.RemoteRequest{Source: address}, nil); err == nil {
		t.Error("a server without hosts fetched")
	}
	two := open(&mirror.Mirrors{Places: []string{t.TempDir()}})
	for range 2 {
		if out, err := two.Sourcing.Add(t.Context(), sourcing.AddRequest{Source: address}, watch); err != nil || out.Source.Kind != source.KindGit {
			t.Errorf("%v, %+v", err, out.Source)
		}
	}
}

// The list of a mirror is not signed: a package that is not of the source that the list names is refused.
func TestAMirrorsListThatLies(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "lamps.docent")
	team := open(t, form())
	team.Add("Lamps@1", lantern())
	if err := os.WriteFile(file, pack(t, team, packing.Request{Sets: []string{"Lamps"}}), 0o600); err != nil {
		t.Fatal(err)
	}
	lies := liar{source.Mirrored{Set: "Lamps@1", Source: "https://git.example/lamps.git", Commit: "first",
		Package: source.Want{Kind: source.KindPacked, Address: file, Path: "Lamps@1"}}}
	one := servicetest.Open(t, servicetest.Options{Sources: sourcing.Options{Now: time.Now, Mirrors: lies,
		Fetchers: map[string]source.Fetcher{source.KindPacked: &packed.Fetcher{Index: form()}}}})
	_, err := one.Sourcing.Add(t.Context(), sourcing.AddRequest{Source: "https://git.example/lamps.git"}, home.Watch{})
	if err == nil || !strings.Contains(err.Error(), "something else than the list") {
		t.Error(err)
	}
}

// liar is a mirror with a false list.
type liar struct{ source.Mirrored }

func (l liar) Find(context.Context, source.Want, func(string, ...any)) (source.Mirrored, bool) {
	return l.Mirrored, true
}

// A packed folder of a person has no source: it is known by its package.
func TestMirrorOfAFolder(t *testing.T) {
	t.Parallel()
	shelf := t.TempDir()
	team := open(t, form())
	team.Add("Lantern@2", lantern())
	if err := os.WriteFile(filepath.Join(shelf, "x.docent"), pack(t, team, packing.Request{Sets: []string{"Lantern"}}), 0o600); err != nil {
		t.Fatal(err)
	}
	one := servicetest.Open(t, servicetest.Options{Sources: sourcing.Options{Now: time.Now, Mirrors: &mirror.Mirrors{Places: []string{shelf}},
		Fetchers: map[string]source.Fetcher{source.KindPacked: &packed.Fetcher{Index: form()}}}})
	out, err := one.Sourcing.Add(t.Context(), sourcing.AddRequest{Source: "lantern"}, home.Watch{})
	if err != nil || out.Source.Kind != source.KindPacked || out.Sets[0].Set != "Lantern@2" {
		t.Fatalf("%v, %+v", err, out)
	}
	if out, err := one.Sourcing.Update(t.Context(), sourcing.UpdateRequest{}, home.Watch{}); err != nil || out.Sets[0].Touched() {
		t.Errorf("%v, %+v", err, out.Sets)
	}
}
