// Package prompt holds the prompts for language models: one template per task, with
// the JSON schema of its answer. A template's version changes with every change of
// its text.
//
// A template file has three named parts: the instructions (system), the input
// (user) and the JSON schema of the answer (schema; prose has none). Texts from
// documents and users are inserted only by the template function data. It
// puts them into a delimited block: the delimiter does not occur in the text, and
// the tokens of chat templates are made harmless, so no text can end its own
// block. A model may still obey instructions inside a block; no prompt can prevent
// that. Therefore callers check answers, and the most that a document can gain is
// a better score or rank for itself.
//
// It refuses to call a model, and to know how a phase uses an answer.
package prompt

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"unicode"
	"unicode/utf8"

	"docent/llm"
)

//go:embed templates
var templates embed.FS

// Name is the name of a template: its task and its version. Traces show it.
type Name string

// The templates.
const (
	Optimize     Name = "optimize.v1"     // phase 0a
	Route        Name = "route.v1"        // phase 0b
	Grade        Name = "grade.v1"        // phase 1.5: passages, listwise
	Judge        Name = "judge.v1"        // phase 1.5: one passage, yes or no
	Select       Name = "select.v1"       // phase 3: the sections to keep
	Summarize    Name = "summarize.v1"    // phase 3: prose
	Hypothetical Name = "hypothetical.v1" // phase 0a: a passage that would answer
	Enrich       Name = "enrich.v1"       // a section's summary, concepts, parameters …
	Relate       Name = "relate.v1"       // the sections that a section speaks of
)

// Rendered is a prompt that is ready to send.
type Rendered struct {
	Name         Name
	System, User string
	Schema       json.RawMessage // nil: prose
}

// Messages returns the prompt as a chat.
func (r Rendered) Messages() []llm.Message {
	return []llm.Message{{Role: llm.System, Text: r.System}, {Role: llm.User, Text: r.User}}
}

// Render fills in a template. A field that the data lacks is an error.
func Render(name Name, data any) (Rendered, error) {
	raw, err := templates.ReadFile("templates/" + string(name) + ".tmpl")
	if err != nil {
		return Rendered{}, err
	}
	t, err := template.New(string(name)).Option("missingkey=error").Funcs(
		template.FuncMap{"data": DataBlock, "plain": PlainText, "json": asJSON, "add": func(a, b int) int { return a + b }}).Parse(
		string(raw))
	if err != nil {
		return Rendered{}, err
	}
	part := func(name string) (string, error) {
		var b strings.Builder
		err := t.ExecuteTemplate(&b, name, data)
		return strings.TrimSpace(b.String()), err
	}
	out := Rendered{Name: name}
	if out.System, err = part("system"); err != nil {
		return out, err
	}
	if out.User, err = part("user"); err != nil {
		return out, err
	}
	if t.Lookup("schema") == nil {
		return out, nil
	}
	schema, err := part("schema")
	if err != nil {
		return out, err
	}
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(schema)); err != nil {
		return out, fmt.Errorf("the schema of %s: %w", name, err)
	}
	out.Schema = b.Bytes()
	return out, nil
}

func asJSON(v any) (string, error) {
	raw, err := json.Marshal(v)
	return string(raw), err
}

// DataBlock encloses an untrusted text in a block. The delimiter is a hash of the text
// that does not occur in it, so the text cannot end the block. label names the
// content, in letters and digits.
func DataBlock(label, text string) string {
	text = PlainText(text)
	delimiter := ""
	for n := 0; ; n++ {
		sum := sha256.Sum256([]byte(strconv.Itoa(n) + "\x00" + text))
		if delimiter = hex.EncodeToString(sum[:4]); !strings.Contains(text, delimiter) {
			break
		}
	}
	return fmt.Sprintf("<<%s %s\n%s\n%s %s>>", label, delimiter, text, delimiter, label)
}

// controlTokens matches the control tokens of chat templates. Servers interpret
// them anywhere in a message: ChatML and Llama 3 (<|im_end|>), Gemma
// (<start_of_turn>), Llama 2 and Mistral ([INST], </s>, <<SYS>>), DeepSeek
// (<｜User｜>), and those for thinking and tools. They are compiled when a model is asked.
var controlTokens = sync.OnceValue(func() *regexp.Regexp {
	const tags = `s|bos|eos|pad|unk|mask|start_of_turn|end_of_turn|start_of_image|think|tool_call|tool_response|tools?`
	const brackets = `INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS`
	return regexp.MustCompile(`(?i)<[|｜]|[|｜]>|</?(?:` + tags + `)>|\[/?(?:` + brackets + `)\]|<</?SYS>>`)
})

// PlainText makes a text harmless in a message: a space after the first character
// breaks the control tokens of chat templates, and control characters other than
// newline and tab are removed.
func PlainText(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c' {
			return -1
		}
		return r
	}, text)
	for controlTokens().MatchString(text) { // repeated, since tokens may overlap: "<|>"
		text = controlTokens().ReplaceAllStringFunc(text, func(s string) string {
			_, first := utf8.DecodeRuneInString(s)
			return s[:first] + " " + s[first:]
		})
	}
	return text
}
