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
	repo.commit, repo.asked = "", 0 // nobody is connected from here on
	one := open(&mirror.Mirrors{Places: []string{shelf}})
	var notes []string
	watch := home.Watch{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }}
	for _, name := range []string{address, address, "lamps", "LAMPS@1"} {
		out, err := one.Sourcing.Add(t.Context(), sourcing.AddRequest{Source: name}, watch)
		if err != nil || out.Source.Source != address || out.Source.Kind != source.KindGit || out.Source.Commit != "first" ||
			out.Source.Mirror != filepath.Join(shelf, "lamps.docent") || out.Sets[0].Set != "Lamps@1" || out.Sets[0].Rebuilt {
			t.Fatalf("%s: %v, %+v of %+v", name, err, out.Sets, out.Source)
		}
		if !strings.Contains(strings.Join(notes, "\n"), "Lamps@1 of the mirror") {
			t.Errorf("%s: told %q", name, notes)
		}
	}
	if _, err := one.Sourcing.Add(t.Context(), sourcing.AddRequest{Source: "lamps@2"}, watch); err == nil {
		t.Error("a version that the mirror does not have was added")
	}
	if out, err := one.Sourcing.Update(t.Context(), sourcing.UpdateRequest{}, watch); err != nil || out.Sets[0].Touched() || repo.asked != 0 {
		t.Errorf("nothing is new, and the source was asked %d times: %v, %+v", repo.asked, err, out.Sets)
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
	// Without the mirror the source is asked.
	if err := os.Remove(filepath.Join(shelf, "lamps.docent")); err != nil {
		t.Fatal(err)
	}
	repo.commit = "third"
	out, err := one.Sourcing.Update(t.Context(), sourcing.UpdateRequest{}, watch)
	if err != nil || out.Sets[0].Changed != 1 || repo.asked != 1 {
		t.Errorf("from its source, asked %d times: %v, %+v", repo.asked, err, out.Sets)
	}
	infos, err := one.Library.Sets(t.Context(), nil)
	if err != nil || infos.Sets[0].Origin.Mirror != "" || infos.Sets[0].Origin.Commit != "third" {
		t.Errorf("%v, %+v", err, infos.Sets[0].Origin)
	}
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
