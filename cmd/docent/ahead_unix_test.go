//go:build unix

package main

import (
	"strings"
	"testing"
)

// Keys that a terminal hands over in one read with the question: enter asks it, and the
// later keys are for the hits. The j once went into the question, and a j behind the
// enter on a hit opened the hit below.
func TestKeysTypedAhead(t *testing.T) {
	t.Parallel()
	home := lanternHome(t)
	p := startPTY(t, home)
	p.press("how do I trim the wick\r4j") // while the doc sets are being opened
	p.until("├─ Wicks ─")                 // the second hit
	if strings.Contains(p.screen(), "wickj") {
		t.Errorf("the j was typed:\n%s", p.screen())
	}
	p.press("k\rj")                     // up, open, and a line down in the reader
	p.until("▸Wicks › Trim the wick ─") // once the page is read
	p.press("\x1b")
	p.until("space omit")
	p.press("/where is the oil")
	p.until("❯ where is the oil")
	p.press("\x1b")
	p.until("space omit")
	p.press("j")
	p.until("├─ Wicks ─")
	p.press("/")
	p.until("❯ where is the oil")
	p.press("\x1b")
	p.until("space omit")
	p.press("TT")
	p.until("colours: light")
	p.press("\x03")
	if err := p.ends(); err != nil {
		t.Error(err)
	}

	// The next start has the unfinished question, and the colours.
	p = startPTY(t, home)
	p.until("❯ where is the oil")
	p.until("you began this before") // the doc sets are open; until then the line of messages is cleared once more
	p.press("\tT")
	p.until("colours: high contrast")
	p.press("\x15\x03")
	if err := p.ends(); err != nil {
		t.Error(err)
	}
}

// The rest of a text that comes in one read with the question does nothing: its x
// once left a page out of the answer.
func TestATextBehindEnterChangesNothing(t *testing.T) {
	t.Parallel()
	p := startPTY(t, lanternHome(t))
	p.until("pages")
	p.press("how do I trim the wick\r next year x")
	p.until("n section")
	p.until("▸8 Answer")
	p.press("?")                // behind all of it
	p.until("m ask the manual") // the last line of the help: all of it is drawn
	p.press("\x1b")
	p.until("n section")
	if s := p.screen(); strings.Contains(s, "left out") || !strings.Contains(s, "❯ how do I trim the wick\n") {
		t.Errorf("the text did something:\n%s", s)
	}
	p.press("\x03")
	if err := p.ends(); err != nil {
		t.Error(err)
	}
}

// i selects the question: typed text then replaces it, an arrow keeps it, and a sentence that
// begins with it is a question of its own. A blank behind it once went behind the old question.
func TestTheKeyThatEditsSelectsTheQuestion(t *testing.T) {
	t.Parallel()
	p := startPTY(t, lanternHome(t))
	p.until("pages")
	p.press("trim the wick\r")
	p.until("likely the answer")
	p.press("i need oil")
	p.until("❯ i need oil\n")
	p.press("\x1b")
	p.until("❯ trim the wick\n")
	p.press("i")
	p.until("typing replaces the question")
	p.press("oil")
	p.until("❯ oil\n")
	p.press("\x1b")
	p.until("❯ trim the wick\n")
	p.press("i")
	p.until("typing replaces the question")
	p.press("\x1b[F daily") // end
	p.until("❯ trim the wick daily\n")
}
