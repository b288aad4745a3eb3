package route

import (
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/kind"
	"docent/pipeline/question/wordlist"
)

// A shape is a cue that is no list of words: it gives what it found, "" for nothing.

func goesWrong(s subject) string       { return s.detailOfKind(contract.KindError) }
func asksHow(s subject) string         { return s.detailOfKind(contract.KindProcedure) }
func asksWhatDiffers(s subject) string { return s.detailOfKind(contract.KindComparison) }
func asksWhatIs(s subject) string      { return s.detailOfKind(contract.KindDefinition) }

func (s subject) detailOfKind(k string) string {
	if s.kind.Kind != k {
		return ""
	}
	return s.kind.Cue
}

func isPasted(s subject) string {
	if s.kind.Pasted {
		return "a message of a program"
	}
	return ""
}

// asksOfName finds a look-up of an identifier: "the type of spec.replicas".
func asksOfName(s subject) string {
	if s.kind.Kind != contract.KindLookup {
		return ""
	}
	for _, name := range s.kind.Subjects {
		if kind.Identifier(name) {
			return name
		}
	}
	return ""
}

// asksAmount finds a look-up without an identifier: a number, a limit.
func asksAmount(s subject) string {
	if s.kind.Kind != contract.KindLookup || asksOfName(s) != "" || asksForName(s) != "" {
		return ""
	}
	return s.kind.Cue
}

// asksForName finds a question for the name of a flag, a variable, a parameter: "which
// env var disables telemetry".
func asksForName(s subject) string {
	if s.kind.Kind != contract.KindLookup {
		return ""
	}
	if s.kind.Cue == "a list" {
		return s.kind.Cue
	}
	for _, w := range wordlist.Rule("scene/name-sought").Phrases() {
		if cue := strings.ToLower(s.kind.Cue); strings.HasSuffix(cue, " "+w) || strings.HasPrefix(cue, w+" ") ||
			strings.HasSuffix(cue, w) && w[0] >= 0x80 {
			return s.kind.Cue
		}
	}
	return ""
}

// findFlag finds a command line flag.
func findFlag(s subject) string {
	for _, t := range s.tokens {
		if t.Kind == question.Code && len(t.Text) > 1 && t.Text[0] == '-' {
			return t.Text
		}
	}
	return ""
}

// identifier finds an identifier of code.
func identifier(s subject) string {
	for _, t := range s.tokens {
		if t.Kind == question.Code && !strings.HasPrefix(t.Text, "-") && kind.Identifier(t.Text) {
			return t.Text
		}
	}
	return ""
}

// asksWhatNameDoes finds "what does X do" with one word X, which is then a name: "what
// does DEBUG do" is not about an error.
func asksWhatNameDoes(s subject) string {
	if s.words == 4 && strings.HasPrefix(s.line, " what does ") && strings.HasSuffix(s.line, " do ") {
		return strings.TrimSpace(s.line)
	}
	return ""
}

// asksWhatCodeDoes finds "what does X do" and "X 是什么" with an X that is code.
func asksWhatCodeDoes(s subject) string {
	code := ""
	for _, t := range s.tokens {
		if t.Kind == question.Code {
			code = t.Text
			break
		}
	}
	if code == "" || strings.HasPrefix(code, "/") && strings.Contains(code[1:], "/") {
		return ""
	}
	if strings.HasPrefix(s.line, " what does "+strings.ToLower(question.OneLine(code))+" ") {
		return "what does " + code
	}
	for _, w := range wordlist.Rule("scene/what-does").Phrases() {
		if strings.HasPrefix(s.line, " "+w+" ") &&
			(strings.HasSuffix(s.line, " do ") || strings.HasSuffix(s.line, " mean ") || strings.HasSuffix(s.line, " for ") ||
				strings.Contains(s.line, " default ")) {
			return w + " " + code
		}
	}
	for _, w := range wordlist.Rule("scene/what-does-inside").Phrases() {
		if strings.HasSuffix(strings.TrimRight(s.han, "?？。"), w) {
			return code + " " + w
		}
	}
	return ""
}

// asksForListOf finds "list of slash commands", which is no fact but for the words in front.
func asksForListOf(s subject) string {
	if !strings.HasPrefix(s.line, " list of ") {
		return ""
	}
	return asksForList(s)
}

// statement finds a longer sentence that asks nothing.
func statement(s subject) string {
	if s.words < 8 || strings.Contains(s.han, "?") {
		return ""
	}
	for _, w := range wordlist.Rule("scene/question-word").Phrases() {
		if strings.HasPrefix(s.line, " "+w+" ") {
			return ""
		}
	}
	return "a statement"
}

// findEndpoint finds the endpoint of an HTTP interface: "POST /orders".
func findEndpoint(s subject) string {
	for i, t := range s.tokens[:max(0, len(s.tokens)-1)] {
		switch t.Text {
		case "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS":
			if next := s.tokens[i+1].Text; strings.HasPrefix(next, "/") {
				return t.Text + " " + next
			}
		}
	}
	return ""
}

// asksForList finds a text that ends with what reference pages list: "Config.toml keys".
func asksForList(s subject) string {
	if s.words < 2 || s.words > 6 || s.kind.Kind != "" && s.kind.Kind != contract.KindLookup {
		return ""
	}
	for _, w := range wordlist.Rule("scene/listed").Phrases() {
		if strings.HasSuffix(s.line, " "+w+" ") {
			return w
		}
	}
	return ""
}
