package params

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
	"docent/pipeline/text/plural"
	"docent/pipeline/text/sanitize"
	"docent/pipeline/text/shorten"
)

// Operations are the operations on documented parameters.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.New("param", "where a parameter is documented: type, default, description",
			func(ctx context.Context, svc *Service, req ParameterRequest) (ParameterAnswer, error) {
				return svc.Parameter(ctx, req)
			}).
			OnCommandLine().
			OverHTTP(operation.Route{Method: http.MethodGet, Path: "/api/parameters/{name}", ID: "parameters", Prints: "param --json",
				About: "every place that documents an option, flag, field, setting or variable, the most precise name first"}).
			ForAgents(operation.Shortened("look_up_parameter", "Look up a parameter",
				"Gives the type, default and description of an option, flag, field, setting or environment variable by its name, from "+
					"every place of the documentation that documents it, with the page and lines.", lookUpParameter)),
	}
}

// FoldedParameter is a place that documents a parameter, with those that say the same: a
// generated reference repeats its common options on every page.
type FoldedParameter struct {
	ParameterPlace
	More int // further places
}

// FoldParameters joins places that say the same at the first of them.
func FoldParameters(all []ParameterPlace) []FoldedParameter {
	type key struct{ name, typ, def, description string }
	at := map[key]int{}
	var out []FoldedParameter
	for _, p := range all {
		k := key{p.Name, p.Type, p.Default, p.Description}
		if i, ok := at[k]; ok {
			out[i].More++
			continue
		}
		at[k] = len(out)
		out = append(out, FoldedParameter{ParameterPlace: p})
	}
	return out
}

// parameterDigest lists the places that document a parameter for an agent.
type parameterDigest struct {
	Total      int               `json:"total" jsonschema:"places that there are"`
	Parameters []digestParameter `json:"parameters" jsonschema:"the most precise names first; places that say the same stand together"`
	Near       []string          `json:"near,omitempty" jsonschema:"names that may be meant, where there is none of this name"`
	Cut        bool              `json:"cut_to_budget,omitempty" jsonschema:"places were left out to keep within max_tokens"`
}

type digestParameter struct {
	Name        string   `json:"name"`
	Aliases     []string `json:"aliases,omitempty"`
	Type        string   `json:"type,omitempty"`
	Default     string   `json:"default,omitempty"`
	Required    bool     `json:"required,omitempty"`
	Description string   `json:"description,omitempty"`
	Match       string   `json:"match" jsonschema:"how the name fits: exact, case, dashes, spelling, component or pattern"`
	DocSet      string   `json:"doc_set"`
	FilePath    string   `json:"file_path" jsonschema:"the page, for read_doc"`
	Section     string   `json:"section,omitempty"`
	Lines       [2]int   `json:"lines" jsonschema:"for read_doc, both included"`
	Same        int      `json:"other_places,omitempty" jsonschema:"further places that say the same"`
}

// mostDescribed is how many bytes of a description the text of an answer has.
const mostDescribed = 300

// ToolText lists the places in lines, each with the beginning of its description. The whole
// description is in the structured answer alone.
func (d parameterDigest) ToolText() string {
	var b strings.Builder
	if d.Total == 0 {
		b.WriteString("no place documents it as a parameter; the word may be found by a search")
	} else {
		b.WriteString(plural.Count(d.Total, "place documents it", "places document it"))
	}
	if len(d.Near) > 0 {
		b.WriteString("; names that may be meant: " + sanitize.Line(strings.Join(d.Near, ", ")))
	}
	for i, p := range d.Parameters {
		fmt.Fprintf(&b, "\n%d. %s", i+1, sanitize.Line(strings.Join(append([]string{p.Name}, p.Aliases...), ", ")))
		if p.Type != "" {
			b.WriteString(" (" + sanitize.Line(p.Type) + ")")
		}
		if p.Required {
			b.WriteString(", required")
		}
		if p.Default != "" {
			b.WriteString(", default " + sanitize.Line(p.Default))
		}
		if p.Description != "" {
			b.WriteString(": " + shorten.Line(sanitize.Line(p.Description), mostDescribed))
		}
		fmt.Fprintf(&b, " [%s/%s %d-%d", sanitize.Line(p.DocSet), sanitize.Line(p.FilePath), p.Lines[0], p.Lines[1])
		if p.Same > 0 {
			b.WriteString(", and " + plural.Count(p.Same, "other place", "other places"))
		}
		b.WriteString("]")
	}
	if d.Cut {
		b.WriteString("\nmore places with a larger max_tokens")
	}
	return b.String()
}

func lookUpParameter(ctx context.Context, svc *Service, req ParameterRequest, room operation.Room) (parameterDigest, error) {
	answer, err := svc.Parameter(ctx, req)
	if err != nil {
		return parameterDigest{}, err
	}
	all := []digestParameter{}
	for _, p := range FoldParameters(answer.Parameters) {
		all = append(all, digestParameter{Name: p.Name, Aliases: p.Aliases, Type: p.Type, Default: p.Default, Required: p.Required,
			Description: p.Description,
			Match:       p.Match, DocSet: p.DocSet, FilePath: p.FilePath, Section: p.Section, Lines: p.Lines, Same: p.More})
	}
	part := func(n int) parameterDigest {
		return parameterDigest{Total: answer.Total, Parameters: all[:n], Near: answer.Near, Cut: n < len(all)}
	}
	n := operation.Longest(len(all), func(n int) bool { return room.Fits(part(n)) })
	if n == 0 && len(all) > 0 {
		return parameterDigest{}, contract.Invalid("max_tokens", "not even one place fits into %d tokens; give more", room.Most)
	}
	return part(n), nil
}
