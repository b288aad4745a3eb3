package syncing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/source"
	"docent/pipeline/source/packages"
	"docent/pipeline/source/planning"
	"docent/pipeline/text/shorten"
)

// rowOf is the row of a step before it is done.
func rowOf(s planning.Step) Row {
	d := s.Dependency
	return Row{For: planning.KeyOf(d), Version: d.Version, File: d.File, Line: d.Line, Dev: d.Dev, State: Missing, Reason: s.Reason}
}

// plannedRow says what would be done for a step.
func plannedRow(s planning.Step, o opened) Row {
	row := rowOf(s)
	if e, ok := o.lock.Find(s.Dependency); ok && e.Missing == "" {
		row.State, row.DocSet, row.Source, row.How = Planned, e.Name+"@"+e.Version, e.Source, e.How
		if planning.Holds(e, o.held) {
			row.State = Here
		}
		return row
	}
	if s.Shares != nil {
		for _, other := range o.all {
			if other.Dependency == *s.Shares {
				shared := plannedRow(other, o)
				row.State, row.DocSet, row.Source = shared.State, shared.DocSet, shared.Source
				row.How, row.Reason = shared.How, shared.Reason
				return row
			}
		}
	}
	for _, c := range s.Candidates {
		reason := o.lacks(c)
		if reason == "" && row.State == Missing {
			row.State, row.Source, row.How, row.Reason = Planned, c.Source, c.How, ""
			continue
		}
		if row.State == Missing {
			row.Reason = cmp.Or(row.Reason, reason)
		}
		row.Tried = append(row.Tried, Tried{Source: c.Source, How: c.How, Reason: reason})
	}
	return row
}

// lacks says why a candidate cannot be fetched on this machine, "" where it can: the client of
// its ecosystem is not installed.
func (o opened) lacks(c planning.Candidate) string {
	if c.How != planning.HowPackage || o.missing == nil {
		return ""
	}
	kind, _, _ := strings.Cut(c.Source, ":")
	if client := o.missing(kind); client != "" {
		return client + " is not installed here"
	}
	return ""
}

// step gets the documentation of one dependency. The error is one that ends the sync.
func (svc *Service) step(ctx context.Context, s planning.Step, o *opened, w home.Watch) (Row, planning.Locked, error) {
	row := rowOf(s)
	entry := planning.Locked{For: row.For, Uses: row.Version}
	if e, ok := o.lock.Find(s.Dependency); ok && e.Missing == "" {
		return svc.locked(ctx, row, e, o, w)
	}
	if e, ok := sharedEntry(s, o); ok {
		row.describeSource(Here, planning.Candidate{Source: e.Source, How: e.How}, e.Name, e.Version)
		e.For, e.Uses = entry.For, entry.Uses
		return row, e, nil
	}
	candidates, thin := s.Candidates, false
	for i := 0; i < len(candidates); i++ {
		c := candidates[i]
		if h, ok := heldFrom(c, o.held); ok {
			row.describeSource(Here, c, h.Name, h.Version)
			entry.Source, entry.How, entry.Name, entry.Version = c.Source, c.How, h.Name, h.Version
			entry.Commit, entry.Digest = h.Commit, h.Digest
			if planning.InRepository(c.How) {
				entry.Path = cmp.Or(h.Path, ".")
			}
			return row, entry, nil
		}
		added, err := svc.adder.Add(ctx, requestFor(c, s, thin), w)
		if err == nil {
			err = fillFrom(&row, &entry, c, added)
		}
		if err == nil {
			o.held = append(o.held, planning.Held{Name: entry.Name, Version: entry.Version, Source: c.Source,
				Commit: entry.Commit, Digest: entry.Digest, Path: unpacked(added.Source).Path})
			return row, entry, nil
		}
		if ctx.Err() != nil {
			return row, entry, ctx.Err()
		}
		_, isThin := errors.AsType[*thinError](err)
		thin = thin || isThin
		row.Tried = append(row.Tried, Tried{c.Source, c.How, reasonOf(err)})
		candidates = append(candidates[:i+1:i+1], next(err, c, s, candidates[i+1:])...)
	}
	if n := len(row.Tried); row.Reason == "" && n > 0 {
		row.Reason = row.Tried[0].Reason
		if last := row.Tried[n-1].Reason; n > 1 && last != row.Reason {
			row.Reason += "; " + last
		}
	}
	entry.Missing = row.Reason
	return row, entry, nil
}

// sharedEntry is the lock's entry of the dependency whose documentation is that of a step too.
func sharedEntry(s planning.Step, o *opened) (planning.Locked, bool) {
	if s.Shares == nil {
		return planning.Locked{}, false
	}
	e, ok := o.lock.Find(*s.Shares)
	return e, ok && e.Missing == "" && planning.Holds(e, o.held)
}

// requestFor is the request for a candidate. Documentation that a recipe or the project
// names keeps its own name: several packages may share it. thin: the package was refused
// before for having little.
func requestFor(c planning.Candidate, s planning.Step, thin bool) sourcing.AddRequest {
	req := sourcing.AddRequest{Source: c.Source, Ref: c.Ref, Near: c.Near, Path: c.Path, Name: s.Name, Version: s.Version, Pick: s.Pick(c),
		Exactly: true}
	if c.How == planning.HowRecipe {
		req.Name, req.Version = "", ""
	}
	if c.How == planning.HowPackage && !thin {
		req.Accept = func(got source.Fetched) error { return refuseThin(got, s) }
	}
	return req
}

// fillFrom completes a row and its entry of the lock from the doc set that was added.
func fillFrom(row *Row, entry *planning.Locked, c planning.Candidate, added sourcing.Added) error {
	if len(added.Sets) != 1 || added.Source == nil {
		return errors.New("no doc set was made of it")
	}
	name, version, _ := strings.Cut(added.Sets[0].Set, "@") // no name has an @
	row.describeSource(Added, c, name, version)
	entry.Source, entry.How, entry.Name, entry.Version = c.Source, c.How, name, version
	from := unpacked(added.Source)
	entry.Commit, entry.Digest = from.Commit, from.Digest
	if planning.InRepository(c.How) {
		entry.Path = cmp.Or(from.Path, ".")
	}
	return nil
}

func (r *Row) describeSource(state string, c planning.Candidate, name, version string) {
	r.State, r.DocSet, r.Source, r.How, r.Reason = state, name+"@"+version, c.Source, c.How, ""
}

// locked gets what a lock names: the same commit, or files of the same digest.
func (svc *Service) locked(ctx context.Context, row Row, e planning.Locked, o *opened, w home.Watch) (Row, planning.Locked, error) {
	c := planning.Candidate{Source: e.Source, How: e.How}
	if planning.Holds(e, o.held) {
		row.describeSource(Here, c, e.Name, e.Version)
		return row, e, nil
	}
	added, err := svc.adder.Add(ctx, sourcing.AddRequest{Source: e.Source, Ref: e.Commit, Path: e.Path, Name: e.Name, Version: e.Version,
		Exactly: true,
		Accept: func(got source.Fetched) error {
			if e.Commit == "" && e.Digest != "" && unpacked(&got.Origin).Digest != e.Digest {
				return errors.New("the source has other files now than the lock names; remove its entry in the lock to take them")
			}
			return nil
		}}, w)
	fresh := e
	if err == nil {
		err = fillFrom(&row, &fresh, c, added)
	}
	if ctx.Err() != nil {
		return row, e, ctx.Err()
	}
	if err != nil {
		row.Reason = reasonOf(err)
		row.Tried = append(row.Tried, Tried{e.Source, e.How, row.Reason})
	}
	return row, e, nil // the lock stays as it is
}

// heldFrom finds a doc set of the home that came from a candidate, whatever its name:
// packages of one repository share its documentation, but not that of a folder of another one.
func heldFrom(c planning.Candidate, held []planning.Held) (planning.Held, bool) {
	for _, h := range held {
		other := c.Near != "" && strings.HasPrefix(h.Path, path.Dir(c.Near)+"/") && !strings.HasPrefix(h.Path+"/", c.Near+"/")
		if h.Source == c.Source && (c.Ref == "" || c.Ref == h.Commit) && !other {
			return h, true
		}
	}
	return planning.Held{}, false
}

// thinError means that a package has little more than a README, and names its repository.
type thinError struct{ better []string }

func (*thinError) Error() string { return "the package has little more than a short README" }

// Bounds of a package whose documentation is thin: a README and a licence.
const (
	thinFiles = 3
	thinBytes = 4 << 10
)

// refuseThin refuses a package with little documentation if it names a repository to try, or
// docent's list knows one.
func refuseThin(got source.Fetched, s planning.Step) error {
	listed := slices.ContainsFunc(s.Candidates, func(c planning.Candidate) bool { return c.How == planning.HowListed })
	if got.Files > thinFiles || got.Bytes > thinBytes || !listed && len(repositoriesOf(got.Better, s)) == 0 {
		return nil
	}
	return &thinError{better: got.Better}
}

// repositoriesOf is the repository among the sources that a package names, if there is one:
// that with the package's folder goes first.
func repositoriesOf(better []string, s planning.Step) (out []planning.Candidate) {
	for _, address := range better {
		if want, ok := source.Parse(address); !ok || want.Kind != source.KindGit {
			continue
		}
		if c, ok := planning.Repository(address, s.Dependency); ok {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b planning.Candidate) int { return cmp.Compare(min(1, len(b.Near)), min(1, len(a.Near))) })
	return out[:min(1, len(out))]
}

// next are the candidates behind a failed one, of which rest were planned: the repository that
// a package names goes first, and the package itself goes last if it has anything.
func next(err error, c planning.Candidate, s planning.Step, rest []planning.Candidate) []planning.Candidate {
	thin, isThin := errors.AsType[*thinError](err)
	none, isNone := errors.AsType[*packages.NoDocumentationError](err)
	var named []planning.Candidate
	switch {
	case isThin:
		named = repositoriesOf(thin.better, s)
	case isNone:
		named = repositoriesOf(none.Better, s)
	}
	out := slices.Clone(named)
	for _, planned := range rest {
		if !slices.ContainsFunc(named, func(n planning.Candidate) bool { return n.Source == planned.Source }) {
			out = append(out, planned)
		}
	}
	if isThin {
		out = append(out, c) // it is not refused again
	}
	return out
}

// reasonOf is an error of adding a source for a row.
func reasonOf(err error) string {
	const most = 300
	if e, ok := errors.AsType[*source.Error](err); ok {
		return shorten.Line(e.Reason, most)
	}
	if e, ok := errors.AsType[*contract.Error](err); ok {
		return shorten.Line(e.Message, most)
	}
	return shorten.Line(fmt.Sprint(err), most)
}
