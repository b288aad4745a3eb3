// Package prompt holds what models are told: one template a task, with a version
// that changes whenever its words do, and the JSON schema of its answer.
//
// A template is a file of three named parts: what the model is told to do
// (system), what it is to do it with (user), and the form of its answer (schema,
// none for prose). Texts from documents and from people enter by the function
// data alone, which fences them in by a mark that does not occur in them, and
// takes from them what servers read as the end of a message; so no text can end
// its own block. Whether a model obeys what stands in a block all the same, no
// prompt can promise: callers check answers, and the most that a document can
// gain is its own score or its own place.
//
// It refuses to ask a model, and to know what a phase does with an answer.
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
	"text/template"
	"unicode"
	"unicode/utf8"

	"docent/llm"
)

//go:embed templates
var templates embed.FS

// Name names a template: its task and its version, as in traces.
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
)

// Names lists them.
func Names() []Name {
	return []Name{Optimize, Route, Grade, Judge, Select, Summarize, Hypothetical}
}

// Rendered is a prompt that is ready to be sent.
type Rendered struct {
	Name         Name
	System, User string
	Schema       json.RawMessage // nil: prose
}

// Messages are the prompt as a chat.
func (r Rendered) Messages() []llm.Message {
	return []llm.Message{{Role: llm.System, Text: r.System}, {Role: llm.User, Text: r.User}}
}

// Render fills in a template. What the data lacks is an error.
func Render(name Name, data any) (Rendered, error) {
	raw, err := templates.ReadFile("templates/" + string(name) + ".tmpl")
	if err != nil {
		return Rendered{}, err
	}
	t, err := template.New(string(name)).Option("missingkey=error").Funcs(template.FuncMap{"data": Data, "plain": Plain, "json": asJSON, "add": func(a, b int) int { return a + b }}).Parse(string(raw))
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

// Data is a text as a block that it cannot leave: fenced by a mark that is made
// of the text and does not stand in it. label says what it is, by letters and
// digits.
func Data(label, text string) string {
	text = Plain(text)
	mark := ""
	for n := 0; ; n++ {
		sum := sha256.Sum256([]byte(strconv.Itoa(n) + "\x00" + text))
		if mark = hex.EncodeToString(sum[:4]); !strings.Contains(text, mark) {
			break
		}
	}
	return fmt.Sprintf("<<%s %s\n%s\n%s %s>>", label, mark, text, mark, label)
}

// special are the texts that servers take for the marks of a chat's template,
// wherever they stand: of ChatML and Llama 3 (<|im_end|>), Gemma
// (<start_of_turn>), Llama 2 and Mistral ([INST], </s>, <<SYS>>), DeepSeek
// (<｜User｜>), and of thinking and tools.
var special = regexp.MustCompile(`(?i)<[|｜]|[|｜]>|</?(?:s|bos|eos|pad|unk|mask|start_of_turn|end_of_turn|start_of_image|think|tool_call|tool_response|tools?)>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]|<</?SYS>>`)

// Plain is a text without what could end a message: the marks of chats' templates
// get a space behind their first character, and control characters but newline
// and tab are left out.
func Plain(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c' {
			return -1
		}
		return r
	}, text)
	for special.MatchString(text) { // again, since marks share characters: "<|>"
		text = special.ReplaceAllStringFunc(text, func(s string) string {
			_, first := utf8.DecodeRuneInString(s)
			return s[:first] + " " + s[first:]
		})
	}
	return text
}
