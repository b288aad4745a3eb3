package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/pipeline/text/spacing"
)

// savedFormat is the version of a saved session; those of uncheckedFormat have no checksum.
const (
	savedFormat     = 2
	uncheckedFormat = 1
)

// Saved is a session in a file: the question, a person's changes to it, and the result.
type Saved struct {
	Format  int      `json:"docent_session"`   // savedFormat in a file; names the kind of file too
	Sum     string   `json:"crc32c,omitempty"` // of the file with zeros in its place
	Request Request  `json:"request"`
	Changes []string `json:"changes,omitempty"` // in words, oldest first
	Result  Result   `json:"result"`
}

// SavedInfo is a saved session in a list.
type SavedInfo struct {
	ID       string // names it
	Question string
	When     string // for a person
	// Broken is why it cannot be opened, in a few words; "" if it can.
	Broken string
}

// FileSlug is a file's name for a question: its first words, in letters and digits of
// any script.
func FileSlug(question string) string {
	const most = 40
	var b strings.Builder
	n := 0
	for _, r := range strings.ToLower(sanitize.Line(question)) {
		switch {
		case n >= most:
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
			n++
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
			n++
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		return "docent"
	}
	return name
}

// SaveSession makes the file's content for a session.
func SaveSession(req Request, changes []string, res Result) Saved {
	return Saved{Format: uncheckedFormat, Request: req.Clone(), Changes: changes, Result: res.clone()}
}

// Encode writes a session as JSON, with its checksum.
func (s Saved) Encode() ([]byte, error) {
	s.Format, s.Sum = savedFormat, noSum
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write the session: %w", err)
	}
	b = append(b, '\n')
	sum := checksumOfSaved(b)
	return bytes.Replace(b, []byte(noSum), []byte(sum), 1), nil
}

// noSum stands in the place of a checksum while it is computed.
const noSum = "00000000"

func checksumOfSaved(b []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

// CheckSaved compares a session's file with its checksum. A flipped bit once changed the
// text of an answer that is quoted as cited.
func CheckSaved(b []byte) error {
	var head struct {
		Format int    `json:"docent_session"`
		Sum    string `json:"crc32c"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return fmt.Errorf("this is no saved session: %w", err)
	}
	if head.Format != savedFormat {
		return nil // without a checksum
	}
	if at := bytes.Index(b, []byte(head.Sum)); len(head.Sum) == len(noSum) && at >= 0 {
		zeroed := bytes.Clone(b)
		copy(zeroed[at:], noSum)
		if checksumOfSaved(zeroed) == head.Sum {
			return nil
		}
	}
	return errors.New("the session is damaged: it does not have its checksum (after a change by hand: give docent_session the value 1)")
}

// DecodeSaved reads what Encode wrote. Values that were edited by hand are checked as far
// as the phases do not check them: they check a request when they run.
func DecodeSaved(b []byte) (Saved, error) {
	var s Saved
	if err := json.Unmarshal(b, &s); err != nil {
		return Saved{}, fmt.Errorf("this is no saved session: %w", err)
	}
	switch {
	case s.Format == 0:
		return Saved{}, fmt.Errorf("this is no saved session: it has no docent_session")
	case s.Format != savedFormat && s.Format != uncheckedFormat:
		return Saved{}, fmt.Errorf("the session has the format %d, this program reads %d", s.Format, savedFormat)
	case strings.TrimSpace(s.Request.Question) == "":
		return Saved{}, fmt.Errorf("the session has no question")
	}
	if err := CheckSaved(b); err != nil {
		return Saved{}, err
	}
	s.Format, s.Sum = uncheckedFormat, "" // as printed JSON it has no checksum
	empty := emptyResult(s.Request.Question)
	if s.Result.Engine == nil {
		s.Result.Engine = empty.Engine
	}
	if s.Result.TimingsMS == nil {
		s.Result.TimingsMS = empty.TimingsMS
	}
	if s.Result.Citations == nil {
		s.Result.Citations = empty.Citations
	}
	s.Result.Query = s.Request.Question
	return s, nil
}

// Markdown is a session for people: the question, how it was answered, and the
// final block.
func (s Saved) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", escapeMarkdown(spacing.Single(s.Request.Question)))
	res := s.Result
	if r := res.Phases.Route; r != nil {
		fmt.Fprintf(&b, "\nScene `%s`, intent `%s`, threshold %.2f.\n", r.Scene, r.Intent, r.RerankerThreshold)
	}
	if len(s.Changes) > 0 {
		b.WriteString("\n## Changed by hand\n\n")
		for _, c := range s.Changes {
			fmt.Fprintf(&b, "- %s\n", escapeMarkdown(spacing.Single(c)))
		}
	}
	if o := res.Phases.Optimize; o != nil {
		b.WriteString("\n## Queries\n\n")
		for _, q := range o.OptimizedQueries {
			fmt.Fprintf(&b, "%d. %s (%s)\n", q.Rank, escapeMarkdown(spacing.Single(q.Query)), q.Strategy)
		}
	}
	results := []contract.Result{}
	if res.Phases.Search != nil {
		results = res.Phases.Search.Results
	}
	if res.Phases.Rerank != nil {
		results = res.Phases.Rerank.Results
	}
	if len(results) > 0 {
		b.WriteString("\n## Hits\n\n")
		for _, r := range results {
			for _, h := range r.Headings {
				sim := "not reranked"
				if h.RerankSim != nil {
					sim = fmt.Sprintf("%.2f", *h.RerankSim)
				}
				if r.Listed {
					sim += ", below the threshold"
				}
				fmt.Fprintf(&b, "- %s › %s (%s), `%s/%s`, line %d\n", escapeMarkdown(spacing.Single(r.PageTitle)),
					escapeMarkdown(spacing.Single(strings.TrimLeft(h.Text, "# "))), sim, spacing.Single(r.DocSet),
					strings.ReplaceAll(spacing.Single(r.FilePath), "`", "'"), h.Lines[0])
			}
		}
	}
	if res.Final != "" {
		b.WriteString("\n## Final block\n\n")
		b.WriteString(res.Final)
		if !strings.HasSuffix(res.Final, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// escapeMarkdown keeps text from being read as markup.
func escapeMarkdown(s string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "<", "\\<", "#", "\\#").Replace(s)
}
