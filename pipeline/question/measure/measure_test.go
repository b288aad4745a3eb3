package measure

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"docent/pipeline/contract"
)

func TestAsked(t *testing.T) {
	for question, want := range map[string][]Measure{
		"max length of a label":                            {Most},
		"What's the maximum number of tabs per window?":    {Most},
		"how large can an upload be":                       {Most, Size},
		"附件最大可以多大":                                         {Most, Size},
		"how many tabs can be open in one window":          {Most},
		"how many tabs are open":                           nil,
		"Was ist die maximale Größe eines Anhangs":         {Most},
		"at least how many replicas do I need":             {Least},
		"retries default":                                  {Default},
		"Wie lange bleibt eine Sitzung offen":              {Duration},
		"after how many minutes is a session closed":       {Duration},
		"what is the session ttl":                          {Duration},
		"where are the logs stored":                        {Place},
		"which port does the server listen on":             {Port},
		"since which version are tabs there":               {Version},
		"how do I open a tab":                              nil,
		"the maximal-munch rule is defaulted in somewhere": {Most},
		"who defaulted":                                    nil,
	} {
		if got := AskedMeasures(question, ""); !slices.Equal(got, want) {
			t.Errorf("%q asks for %v, want %v", question, got, want)
		}
	}
}

// A question how something is done asks for no measure.
func TestAskedByKind(t *testing.T) {
	for kind, want := range map[string]int{"": 1, contract.KindLookup: 1, contract.KindError: 1, contract.KindProcedure: 0, contract.KindDefinition: 0, contract.KindComparison: 0} {
		if got := AskedMeasures("configure the default timezone", kind); len(got) != want {
			t.Errorf("%q: %v", kind, got)
		}
	}
}

func TestStates(t *testing.T) {
	for _, c := range []struct {
		sentence string
		measure  Measure
		want     bool
	}{
		{"An attachment cannot exceed 1 MiB.", Most, true},
		{"A name has 63 characters or less.", Most, true},
		{"No more than five windows are open.", Most, true},
		{"附件不能超过 10 MB", Most, true},
		{"Limits are set per window.", Most, false},
		{"Chapter 3 is about something else entirely, and only much later in this long sentence is any limit named.", Most, false},
		{"It needs at least 2 GB.", Least, true},
		{"By default, tabs are closed.", Default, true},
		{"With no time zone specified, the server's is taken.", Default, true},
		{"The zone is specified.", Default, false},
		{"Sessions end after 30 minutes.", Duration, true},
		{"Sessions end after 30 tabs.", Duration, false},
		{"Files of 5 MB are accepted.", Size, true},
		{"Files are read as UTF-8 characters.", Size, false},
		{"Files of 4-8 bytes are read.", Size, true},
		{"Logs are in `~/.local/log/`.", Place, true},
		{"Logs are kept and/or removed.", Place, false},
		{"It listens on port 8080.", Port, true},
		{"The port is open.", Port, false},
		{"Added in v1.4.", Version, true},
		{"Removed since.", Version, false},
	} {
		if got := States(c.sentence, []Measure{c.measure}); got != c.want {
			t.Errorf("States(%q, %v) = %v", c.sentence, c.measure, got)
		}
	}
}

func TestSentences(t *testing.T) {
	got := Sentences("# Limits\n\nOne line\nof a sentence. Another one.\n- an item\n- a second\n| a | row |\n\n不能超过。第二句")
	want := []string{"# Limits", "One line\nof a sentence.", "Another one.", "- an item", "- a second", "| a | row |", "不能超过。", "第二句"}
	if !slices.Equal(got, want) {
		t.Errorf("sentences %q, want %q", got, want)
	}
}

func TestSentencesLoseNothing(t *testing.T) {
	plain := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if err := quick.Check(func(text string) bool {
		return plain(strings.Join(Sentences(text), " ")) == plain(text)
	}, nil); err != nil {
		t.Error(err)
	}
}

func TestWithout(t *testing.T) {
	if got := Without("What's the maximum number of tabs per window?"); got != "What's the of tabs per window?" {
		t.Errorf("%q", got)
	}
	if got := Without("default value of a label value"); got != "of a label value" {
		t.Errorf("%q", got)
	}
	if content := Content("the longest tab value"); !content("value") || content("longest") || !content("tab") {
		t.Error("what is measured is not told from its measure")
	}
}

func TestWords(t *testing.T) {
	if got := SentenceWords("longest title of a tab", []Measure{Most}); !strings.HasSuffix(got, " characters") {
		t.Errorf("%q", got)
	}
	if got := SentenceWords("longest pause of a tab", []Measure{Most, Duration}); strings.Contains(got, "characters") {
		t.Errorf("%q", got)
	}
}

func TestAnOpeningForAnAmountIsCutOff(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"how long does a candle burn":          " does a candle burn",
		"How often must I trim it":             " must I trim it",
		"the lamp smokes, how far up is it":    "the lamp smokes,  up is it",
		"wie lange brennt eine Kerze":          " brennt eine Kerze",
		"how long-lasting wicks are made":      "how long-lasting wicks are made",
		"wicks that are too long":              "wicks that are too long",
		"how long":                             "how long",
		"İstanbul: how long is the wick there": "İstanbul: how long is the wick there",
	} {
		if got := WithoutOpening(question); got != want {
			t.Errorf("%q without its opening is %q, not %q", question, got, want)
		}
	}
}
