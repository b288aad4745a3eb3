// Package usage finds where a project uses names that a documentation documents.
//
// A name is matched as a whole token, in the form in which it is documented: a flag with its
// dashes, a setting as a key below its keys, a function with its module or its parentheses. How
// much a place must say depends on the name:
//
//   - a telling name, long and of several words, is enough by itself: scrape_classic_histograms
//   - a short one of several words counts in a file that names the product: too_much_oil
//   - a name of two words counts there as a key, in quotes or as an argument: log_level
//   - a single word counts where its surroundings say which one is meant: below a key of the
//     product, in the product's own file, imported from it, behind its command: port
//
// Words that occur without such surroundings are counted and not reported. Comments do not
// count unless they name the product, and prose counts for telling names and flags alone.
//
// The package refuses to follow symbolic links, to leave the folder, to run anything that the
// project brings, and to parse languages: it reads lines and the keys of structured files.
package usage

import (
	"context"
	"slices"
	"strings"
)

// Form is how a name is to be looked for.
type Form struct {
	Names []string // the name, and other names of the same thing
	// Call says that it is documented with parentheses.
	Call bool
	// Parents are the keys above it, for each place that documents it.
	Parents [][]string
	// Commands are the words that may stand in front of a flag besides the product's.
	Commands []string
	// Narrow says that the bare name means another thing elsewhere: it counts below its keys
	// and behind its own commands alone.
	Narrow bool
	// Whole says that a dotted name does not count by its last part alone.
	Whole bool
}

// Request asks for the uses of names in a project.
type Request struct {
	Dir   string
	Forms []Form
	// Products are the words by which a project names the product.
	Products []string
	// Exclude are folders, by absolute paths, that are no part of the project.
	Exclude []string
}

// Use is a line of a project that uses a name.
type Use struct {
	Path string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Report is what was found.
type Report struct {
	// Uses are those of each form, by its index; code and settings before prose.
	Uses map[int][]Use
	// Unclear are the forms whose words occur without saying which thing is meant.
	Unclear map[int]bool
	Files   int   // that were read
	Bytes   int64 // of them
	LeftOut int   // files that are too large, no text, written by tools, or links
	// Named says that the project names the product at all.
	Named bool
	// Stopped is why not all files were read, "" where all were.
	Stopped string
}

// Find looks for names in a project.
func Find(ctx context.Context, req Request) (Report, error) {
	out := Report{Uses: map[int][]Use{}, Unclear: map[int]bool{}}
	p, err := openProject(ctx, req)
	if err != nil {
		return out, err
	}
	defer p.close()
	m := newMatcher(req)
	err = p.eachFile(ctx, &out, func(name string, text []byte) {
		m.nameProduct(name, text)
	})
	if err != nil {
		return out, err
	}
	out.Named = m.named
	out.Files, out.Bytes, out.LeftOut, out.Stopped = 0, 0, 0, ""
	err = p.eachFile(ctx, &out, func(name string, text []byte) {
		m.readFile(name, string(text), &out)
	})
	for id, uses := range out.Uses {
		slices.SortStableFunc(uses, func(a, b Use) int {
			return order(kindOf(a.Path)) - order(kindOf(b.Path))
		})
		out.Uses[id] = uses
		delete(out.Unclear, id)
	}
	return out, err
}

func order(k kind) int {
	if k == prose {
		return 1
	}
	return 0
}

// productWords are the words of products in lower case, with their usual spellings.
func productWords(products []string) map[string]bool {
	out := map[string]bool{}
	for _, p := range products {
		p = strings.ToLower(strings.TrimSpace(p))
		for _, end := range []string{"-docs", "-documentation", "-manual", "-website", "-handbook", ".js"} {
			p = strings.TrimSuffix(strings.ReplaceAll(p, "_", "-"), end)
		}
		if len(p) > 1 {
			out[p] = true
			out[strings.ReplaceAll(p, "-", "_")] = true
			out[p+"rc"] = true // of .lanternrc
		}
	}
	return out
}
