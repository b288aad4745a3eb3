// Package phrase knows the fixed expressions of English that lose their meaning when
// they are taken apart: "log in", "roll back", "run out of", "out of memory". It finds
// them in all their forms: "logged in", "login", "log-in", "rolling back", "rollback".
//
// The table holds general English of software, no names of any product. It refuses to
// know what an expression is about and to search for it.
package phrase

import (
	"strings"
	"sync"
)

// Expression is a fixed expression.
type Expression struct {
	Verb string // "roll back"; "" for one that is no verb, such as "out of memory"
	Noun string // "rollback", or ""
	Text string // as the dictionary has it: Verb, or the expression itself
}

// verbs are the verbs with their particles, those with a noun of one word before "=".
const verbs = `back up=backup|log in=login|log out=logout|log on=logon|sign in|sign up=signup|sign out|sign off|set up=setup|
roll back=rollback|roll out=rollout|time out=timeout|opt in|opt out|look up=lookup|clean up=cleanup|shut down=shutdown|
start up=startup|spin up|tear down=teardown|scale up|scale down|scale out|scale in|turn on|turn off|switch on|switch off|
fall back=fallback|fail over=failover|check out=checkout|check in|plug in=plugin|build in|run out of|work around=workaround|
break down=breakdown|pop up=popup|drop down=dropdown|hand off=handoff|take over=takeover|lock out=lockout|warm up=warmup|wake up|
speed up=speedup|slow down=slowdown|hang up|carry over|opt into|log into|sign into|fill in|fan out|fan in|lay out=layout|
write back=writeback|call back=callback|feed back=feedback|play back=playback|fork off|kick off|kick out|lock down=lockdown|
mark up=markup|opt-in to|pass through=passthrough|phase out|pick up|point to|read in|send out|split up|spill over|
stand by=standby|swap out|sync up|wind down|zoom in|zoom out|boot up|bring up|bring down|back off=backoff|back out|
black out=blackout|bail out|cut off=cutoff|cut over=cutover|drill down=drilldown|dial in|give up|hold up|keep up|
keep alive=keepalive|mix in=mixin|opt out of|power on|power off|power up|power down|push back|ramp up|round up|run through|
scroll down|step through|step over|strip off|tune out|type in|type out|walk through=walkthrough|wrap around=wraparound|wrap up|
roll forward|roll over=rollover|cool down=cooldown|count down=countdown|go live|go back|`

// others are expressions that are no verbs.
const others = `out of memory|out of bounds|out of range|out of date|out of sync|out of order|out of the box|out of disk|
out of space|up to date|end of life|end of file|built in|sign in page|just in time|ahead of time|point in time|first in first out|
last in first out|on the fly|by default|at least once|at most once|exactly once|opt in feature|in memory|in place|on demand|
read only|write only|up front|off by one|copy on write|pass by value|pass by reference|side by side|step by step|end to end|
one to one|one to many|many to many|many to one|left to right|right to left|peer to peer|point to point|
what you see is what you get`

// compounds are nouns that are written as one word, as two, or short: a page may have
// any of the writings. Each names the same thing.
const compounds = `time zone=timezone|file name=filename|host name=hostname|user name=username|file system=filesystem|
white space=whitespace|time stamp=timestamp|data set=dataset|key binding=keybinding|keyboard shortcut=keybinding|
check box=checkbox|style sheet=stylesheet|screen shot=screenshot|side car=sidecar|allow list=allowlist|deny list=denylist|
log file=logfile|config file=configfile|env var=environment variable|env vars=environment variables`

type table struct {
	verbs  map[string][]entry // by a form of the verb
	nouns  map[string]Expression
	others map[string][]entry  // by the first word
	alike  map[string][]string // the other writings of a compound
}

// entry is an expression by the words after its first.
type entry struct {
	rest []string
	is   Expression
}

var load = sync.OnceValue(func() table {
	t := table{verbs: map[string][]entry{}, nouns: map[string]Expression{}, others: map[string][]entry{}, alike: map[string][]string{}}
	for pair := range strings.SplitSeq(strings.ReplaceAll(compounds, "\n", ""), "|") {
		a, b, _ := strings.Cut(pair, "=")
		t.alike[a], t.alike[b] = append(t.alike[a], b), append(t.alike[b], a)
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(verbs, "\n", ""), "|") {
		text, noun, _ := strings.Cut(line, "=")
		w := strings.Fields(text)
		if len(w) < 2 {
			continue
		}
		e := Expression{Verb: text, Noun: noun, Text: text}
		for _, form := range verbForms(w[0]) {
			t.verbs[form] = append(t.verbs[form], entry{w[1:], e})
		}
		if noun != "" {
			t.nouns[noun] = e
		}
	}
	for text := range strings.SplitSeq(strings.ReplaceAll(others, "\n", ""), "|") {
		w := strings.Fields(text)
		t.others[w[0]] = append(t.others[w[0]], entry{w[1:], Expression{Text: text}})
	}
	return t
})

// verbForms are the inflections of a verb; those that English has irregularly are listed.
func verbForms(verb string) []string {
	irregular := map[string]string{
		"set": "set setting sets", "run": "run ran running runs", "shut": "shut shuts shutting", "spin": "spin spun spins spinning",
		"tear": "tear tore torn tears tearing",
		"fall": "fall fell fallen falls falling", "build": "build built builds building", "break": "break broke broken breaks breaking",
		"take": "take took taken takes taking",
		"wake": "wake woke woken wakes waking", "hang": "hang hung hangs hanging", "lay": "lay laid lays laying",
		"write": "write wrote written writes writing",
		"feed":  "feed fed feeds feeding", "read": "read reads reading", "send": "send sent sends sending",
		"split": "split splits splitting", "spill": "spill spilled spilt spills spilling",
		"stand": "stand stood stands standing", "wind": "wind wound winds winding", "bring": "bring brought brings bringing",
		"cut": "cut cuts cutting", "give": "give gave given gives giving",
		"hold": "hold held holds holding", "keep": "keep kept keeps keeping", "go": "go went gone goes going",
		"swap": "swap swaps swapped swapping",
	}
	if list, ok := irregular[verb]; ok {
		return strings.Fields(list)
	}
	stem := strings.TrimSuffix(verb, "e")
	out := []string{verb, verb + "s", stem + "ed", stem + "ing"}
	n := len(verb)
	if strings.HasSuffix(verb, "sh") || strings.HasSuffix(verb, "ch") || strings.HasSuffix(verb, "ss") || strings.HasSuffix(verb, "x") {
		out[1] = verb + "es"
	}
	if n >= 3 && consonant(verb[n-1]) && !strings.ContainsRune("wxy", rune(verb[n-1])) && !consonant(verb[n-2]) && consonant(verb[n-3]) {
		out = append(out, verb+verb[n-1:]+"ed", verb+verb[n-1:]+"ing") // logged, planning
	}
	return out
}

func consonant(c byte) bool { return !strings.ContainsRune("aeiou", rune(c)) }

// Separable reports whether the words of the verb find something when they are searched
// each by itself. Of "log in" only "log" would be left, which means something else.
func (e Expression) Separable() bool {
	for _, particle := range strings.Fields(e.Verb)[min(1, len(strings.Fields(e.Verb))):] {
		switch particle {
		case "in", "out", "up", "down", "off", "on", "over", "of", "to", "into", "through", "by":
			return false
		}
	}
	return e.Verb != ""
}

// ExpressionAt is the expression that begins at the first of lower-case words, and how many of
// them it takes; 0 if none does. The longest one counts.
func ExpressionAt(words []string) (e Expression, n int) {
	if len(words) == 0 {
		return e, 0
	}
	t := load()
	// An expression that is no verb counts before a verb of as many words: "built in".
	joined := strings.ReplaceAll(words[0], "-", "")
	for _, form := range []string{joined, strings.TrimSuffix(joined, "s"), strings.TrimSuffix(joined, "ed"),
		strings.TrimSuffix(joined, "ing")} {
		if is, ok := t.nouns[form]; ok {
			e, n = is, 1
			break
		}
	}
	if first, rest, ok := strings.Cut(words[0], "-"); ok && n == 0 {
		if is, m := ExpressionAt([]string{first, rest}); m == 2 {
			return is, 1
		}
	}
	for _, list := range [][]entry{t.others[words[0]], t.verbs[words[0]]} {
		for _, x := range list {
			if len(x.rest)+1 > n && len(x.rest) < len(words) && equalWords(words[1:len(x.rest)+1], x.rest) {
				e, n = x.is, len(x.rest)+1
			}
		}
	}
	return e, n
}

func equalWords(a, b []string) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Other is an expression in a text with its other writing.
type Other struct {
	Words string // as written
	Also  string // "rollback" for "rolling back", "roll back" for "rollback"
}

const mostOthers = 4 // of one text

// Others finds the expressions of a text, given as its words, that have another
// writing.
func Others(words []string) []Other {
	var out []Other
	for i := 0; i < len(words) && len(out) < mostOthers; {
		lower := make([]string, 0, 4)
		for _, w := range words[i:min(len(words), i+4)] {
			lower = append(lower, strings.ToLower(w))
		}
		e, n := ExpressionAt(lower)
		if n == 0 {
			if also, m := compoundAtStart(lower); m > 0 {
				out = append(out, Other{Words: strings.Join(words[i:i+m], " "), Also: also})
				i += m
				continue
			}
			i++
			continue
		}
		if e.Noun != "" && (n > 1 || e.Separable()) {
			o := Other{Words: strings.Join(words[i:i+n], " "), Also: e.Noun}
			if n == 1 {
				o.Also = e.Verb
			}
			out = append(out, o)
		}
		i += n
	}
	return out
}

// compoundAtStart is the first other writing of the compound that begins at the first of
// lower-case words, and how many of them it takes; 0 if none does.
func compoundAtStart(words []string) (also string, n int) {
	t := load()
	for n := min(2, len(words)); n > 0; n-- {
		text := strings.Join(words[:n], " ")
		if list := t.alike[text]; len(list) > 0 {
			return list[0], n
		}
		if list := t.alike[strings.TrimSuffix(text, "s")]; len(list) > 0 {
			return list[0], n
		}
	}
	return "", 0
}
