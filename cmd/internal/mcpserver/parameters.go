package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/contract"
	"docent/pipeline/service/home"
)

// parameterArgs are the arguments of look_up_parameter.
type parameterArgs struct {
	Name      string   `json:"name" jsonschema:"the name of an option, flag, field, setting or variable, or a pattern with *"`
	DocSets   []string `json:"doc_sets,omitempty" jsonschema:"narrows to these doc sets, Name or Name@version"`
	MaxTokens int      `json:"max_tokens,omitempty" jsonschema:"the most tokens of the answer, 100 to 100000; without it 2000"`
}

// parameterAnswer lists the places that document a parameter.
type parameterAnswer struct {
	Total      int         `json:"total" jsonschema:"places that there are"`
	Parameters []parameter `json:"parameters" jsonschema:"the most precise names first; places that say the same stand together"`
	Near       []string    `json:"near,omitempty" jsonschema:"names that may be meant, where there is none of this name"`
	Cut        bool        `json:"cut_to_budget,omitempty" jsonschema:"places were left out to keep within max_tokens"`
}

type parameter struct {
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

func (s *Server) addParameters() {
	mcp.AddTool(s.mcp, &mcp.Tool{Name: "look_up_parameter", Annotations: readOnly("Look up a parameter"),
		Description: "Gives the type, default and description of an option, flag, field, setting or environment variable by its name, from every place of the documentation that documents it, with the page and lines."},
		func(ctx context.Context, _ *mcp.CallToolRequest, args parameterArgs) (*mcp.CallToolResult, parameterAnswer, error) {
			var out parameterAnswer
			err := s.with(ctx, func(ctx context.Context, h *home.Home) error {
				var err error
				out, err = lookUp(ctx, h, args)
				return err
			})
			return nil, out, err
		})
}

func lookUp(ctx context.Context, h *home.Home, args parameterArgs) (parameterAnswer, error) {
	most, err := budget(args.MaxTokens)
	if err != nil {
		return parameterAnswer{}, err
	}
	answer, err := h.Parameter(ctx, home.ParameterRequest{Name: args.Name, Sets: args.DocSets})
	if err != nil {
		return parameterAnswer{}, err
	}
	all := folded(answer.Parameters)
	part := func(n int) parameterAnswer {
		return parameterAnswer{Total: answer.Total, Parameters: all[:n], Near: answer.Near, Cut: n < len(all)}
	}
	n := longest(len(all), func(n int) bool { return fits(part(n), most) })
	if n == 0 && len(all) > 0 {
		return parameterAnswer{}, contract.Invalid("max_tokens", "not even one place fits into %d tokens; give more", most)
	}
	return part(n), nil
}

// folded joins places that say the same.
func folded(all []home.ParameterPlace) []parameter {
	type key struct{ name, typ, def, description string }
	at := map[key]int{}
	out := []parameter{}
	for _, p := range all {
		k := key{p.Name, p.Type, p.Default, p.Description}
		if i, ok := at[k]; ok {
			out[i].Same++
			continue
		}
		at[k] = len(out)
		out = append(out, parameter{Name: p.Name, Aliases: p.Aliases, Type: p.Type, Default: p.Default, Required: p.Required, Description: p.Description,
			Match: p.Match, DocSet: p.DocSet, FilePath: p.FilePath, Section: p.Section, Lines: p.Lines})
	}
	return out
}
