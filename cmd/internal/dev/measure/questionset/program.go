package questionset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// saidMissing are the words by which a program says that the documentation has no answer.
var saidMissing = regexp.MustCompile(`(?i)probably not (in|covered)|nothing was found|not in (your|the) documentation|probably not there`)

// AskProgram asks a question of any program: words separated by blanks, of which {set} and
// {question} are replaced. Its standard output is the block "sections" and is judged; it has
// no ranking. An exit status of 1 may mean that it found nothing.
func AskProgram(ctx context.Context, program string, s Set, q Question) (Outcome, error) {
	out := Outcome{Question: q, Set: s.Name, Blocks: map[string]Block{}}
	words := strings.Fields(program)
	for i, w := range words {
		words[i] = strings.NewReplacer("{set}", s.Name, "{question}", q.Query).Replace(w)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	var block, notes bytes.Buffer
	cmd.Stdout, cmd.Stderr = &block, &notes
	err := cmd.Run()
	if exit, ended := errors.AsType[*exec.ExitError](err); ended && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return out, fmt.Errorf("%s: %s: %w: %s", q.ID, words[0], err, strings.TrimSpace(notes.String()))
	}
	lines := contentLines(block.String())
	b := Block{Lines: len(lines)}
	if q.Answerable() {
		b.Last = lastLine(lines, q.Nuggets)
	}
	out.Blocks["sections"] = b
	out.Said = len(lines) == 0 || saidMissing.MatchString(notes.String())
	return out, nil
}
