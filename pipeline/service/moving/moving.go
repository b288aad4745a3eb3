// Package moving fills the stores of a home in another place, and compares two homes with the same
// doc sets: by their pages, and by the answers to questions.
//
// It refuses to copy indexes: the doc sets are indexed again from their pages.
package moving

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"docent/pipeline"
	"docent/pipeline/service"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/care"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/store"
)

// Moved compares the new place with the old one.
type Moved struct {
	Sets []Set `json:"doc_sets"`
	// Asked counts the questions that were asked in both places, Same those whose first section is
	// the same.
	Asked int `json:"questions"`
	Same  int `json:"same_answers"`
	// Other are questions with another first section, some of them.
	Other []string `json:"other_answers,omitempty"`
}

// Set is a doc set in both places.
type Set struct {
	Set      string `json:"set"`
	Pages    int    `json:"pages"`
	Sections int    `json:"sections"`
	Passages int    `json:"passages"`
	Whole    bool   `json:"same"` // pages, their contents and their division are as in the old place
}

// Whole reports whether every doc set is as it was.
func (m Moved) Whole() bool {
	return !slices.ContainsFunc(m.Sets, func(s Set) bool { return !s.Whole })
}

// Fill brings the doc sets of a home up to date, whose stores may be empty, and restores the
// records of documents that were handed in.
func Fill(ctx context.Context, to *service.Services, w home.Watch) error {
	if err := to.Home.Shared.ShareAll(ctx); err != nil {
		return err
	}
	if _, err := to.Library.Update(ctx, library.UpdateRequest{}, w); err != nil {
		return err
	}
	found, err := to.Care.Doctor(ctx, nil)
	if err != nil {
		return err
	}
	repairs, _ := care.PlanRepairs(found)
	for _, r := range repairs {
		if r.Reopen {
			continue
		}
		if r, err = to.Care.Repair(ctx, r, w); err != nil {
			return err
		}
		if !r.Done {
			return fmt.Errorf("%s: %s", r.Check, r.Error)
		}
	}
	return nil
}

// Compare compares two homes, and asks both a number of questions: headings of pages, spread over all
// doc sets.
func Compare(ctx context.Context, from, to *service.Services, questions int) (Moved, error) {
	var out Moved
	sets, err := from.Home.Corpus.Sets(ctx)
	if err != nil {
		return out, err
	}
	there, err := to.Home.Corpus.Sets(ctx)
	if err != nil {
		return out, err
	}
	var titles []question
	for _, s := range sets {
		one := Set{Set: s.Ref.String(), Pages: s.Documents, Sections: s.Sections, Passages: s.Chunks}
		at := slices.IndexFunc(there, func(t store.Set) bool { return t.Ref == s.Ref })
		if at >= 0 {
			if one.Whole, err = sameSet(ctx, from, to, s, there[at]); err != nil {
				return out, err
			}
		}
		out.Sets = append(out.Sets, one)
		if s.Ref != home.ManualRef() {
			some, err := headingsOf(ctx, from, s, questions)
			if err != nil {
				return out, err
			}
			titles = append(titles, some...)
		}
	}
	for _, t := range there {
		if !slices.ContainsFunc(sets, func(s store.Set) bool { return s.Ref == t.Ref }) {
			out.Sets = append(out.Sets, Set{Set: t.Ref.String(), Pages: t.Documents, Sections: t.Sections, Passages: t.Chunks})
		}
	}
	err = out.compareAnswers(ctx, from, to, spread(titles, questions))
	return out, err
}

// sameSet reports whether a doc set has the same pages in both places.
func sameSet(ctx context.Context, from, to *service.Services, s, t store.Set) (bool, error) {
	if s.Documents != t.Documents || s.Sections != t.Sections || s.Chunks != t.Chunks || s.Lines != t.Lines || s.Bytes != t.Bytes {
		return false, nil
	}
	a, err := sumOf(ctx, from, s)
	if err != nil {
		return false, err
	}
	b, err := sumOf(ctx, to, t)
	return a == b, err
}

// sumOf is a checksum of a doc set's pages and of their division into passages, without the
// catalog's numbers.
func sumOf(ctx context.Context, of *service.Services, s store.Set) (string, error) {
	files, err := of.Home.Catalog.Files(ctx, s.ID)
	if err != nil {
		return "", err
	}
	contents, err := of.Home.Indexes.Contents(ctx, s.ID)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, f := range files {
		in := contents.Documents[f.ID]
		_, _ = io.WriteString(sum, fmt.Sprintf("%s\x00%s\x00%d\n", f.Path, f.SHA256, in.Passages))
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

type question struct{ set, text string }

// headingsOf gives headings of at least two words, from a number of a doc set's pages.
func headingsOf(ctx context.Context, of *service.Services, s store.Set, pages int) (out []question, err error) {
	files, err := of.Home.Catalog.Files(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	some := spread(files, pages)
	ids := make([]int64, len(some))
	for i, f := range some {
		ids[i] = f.ID
	}
	docs, err := of.Home.Catalog.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if docs[id] == nil {
			continue // its row is damaged, or it just went
		}
		for _, section := range docs[id].Outline.Sections {
			if len(strings.Fields(section.Text)) >= 2 {
				out = append(out, question{s.Ref.String(), section.Text})
			}
		}
	}
	return out, nil
}

// spread takes n of a list, as far apart as can be.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// mostOther is how many questions with another answer are named.
const mostOther = 10

func (m *Moved) compareAnswers(ctx context.Context, from, to *service.Services, list []question) error {
	for _, q := range list {
		a, err := firstOf(ctx, from, q)
		if err != nil {
			return err
		}
		b, err := firstOf(ctx, to, q)
		if err != nil {
			return err
		}
		m.Asked++
		if a == b {
			m.Same++
		} else if len(m.Other) < mostOther {
			m.Other = append(m.Other, q.text)
		}
	}
	return nil
}

// firstOf is the first section that a question finds, "" without any.
func firstOf(ctx context.Context, of *service.Services, q question) (string, error) {
	req := pipeline.Request{Question: q.text, DocSets: []string{q.set}}
	res, err := of.Answers.Search(ctx, answers.SearchRequest{Request: req, Limit: 1}, nil)
	if err != nil || len(res.Page.Results) == 0 {
		return "", err
	}
	r := res.Page.Results[0]
	first := r.DocSet + "/" + r.FilePath
	if len(r.Headings) > 0 {
		first += fmt.Sprint("#", r.Headings[0].Section[0])
	}
	return first, nil
}
