// Package measure reads which measure a question asks for (how much at most, what by
// default, how long, how large, where, on which port, since which version) and finds
// the sentences of a text that state one. Documentation answers "the maximum size of a
// map" with "a map cannot exceed 1 MiB": the sentence has neither "maximum" nor "size",
// and it has a limit and a number.
//
// It knows general words of English, Chinese, German, French, Spanish, Russian and
// Japanese, no names of any product. It refuses to say what is measured, and to read
// the measure's value.
package measure

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/contract"
)

// Measure is what a question asks for.
type Measure uint8

const (
	Most     Measure = iota // at most: the largest, the longest, the limit
	Least                   // at least
	Default                 // if nothing is set
	Duration                // how long, how often
	Size                    // how large
	Place                   // in which file or folder
	Port                    // of a network
	Version                 // since or until which one
	number
)

// String is the measure's name.
func (m Measure) String() string {
	return [number]string{"limit", "minimum", "default", "duration", "size", "place", "port", "version"}[m]
}

// asks are the words of questions.
func asks(m Measure) []string {
	return strings.Split([number]string{
		"maximum|max|maximal|maximally|at most|largest|biggest|longest|highest|upper limit|upper bound|how large can|how big can|how long can|how deep can|how high can|how many can|is there a limit|limit on|limit of|limit for|limits on|limits of|limits for|" +
			"最大|上限|最多|最长|最長|最高|höchstens|maximale|maximaler|maximales|maximalen|größte|längste|limite|maximale|maximales|maximum de|máximo|máxima|límite|максимум|максимальный|максимальная|максимальное|максимально|лимит|制限",
		"minimum|min|minimal|at least|smallest|lowest|shortest|lower bound|最小|最少|至少|下限|最低|mindestens|minimale|au moins|mínimo|mínima|минимум|минимальный|минимальная|минимальное|минимально",
		"default|defaults|by default|默认|缺省|デフォルト|既定|standardmäßig|standardwert|voreingestellt|par défaut|por defecto|predeterminado|по умолчанию",
		"how long|how often|how soon|how frequently|how many seconds|how many minutes|how many hours|how many days|how many weeks|timeout|time limit|interval|ttl|expire|expires|retention period|" +
			"多久|多长时间|多少秒|多少分钟|多少小时|多少天|几秒|几分钟|几小时|几天|超时|何秒|何分|何時間|何日|どのくらいの間|wie lange|wie oft|wie viele sekunden|wie viele minuten|wie viele tage|combien de temps|cuánto tiempo|как долго|как часто|сколько времени",
		"how large|how big|size limit|maximum size|max size|how many bytes|how much memory|how much space|how much disk|多大|どのくらいの大きさ|wie groß|quelle taille|qué tamaño|какой размер",
		"where is|where are|where does|where do|which file|what file|which folder|which directory|what directory|path of|path to|location of|哪里|哪儿|在哪|哪个文件|哪个目录|どこ|welche datei|welchem ordner|welcher datei|wo liegt|wo liegen|wo werden|wo wird|où|dónde|где|в каком файле",
		"which port|what port|port number|default port|哪个端口|什么端口|端口号|端口是|どのポート|welcher port|welchem port|quel port|qué puerto|какой порт",
		"which version|what version|since when|which release|what release|哪个版本|什么版本|どのバージョン|welcher version|welche version|quelle version|qué versión|какой версии|какая версия",
	}[m], "|")
}

// states are the words of sentences that state a measure; nil for one that is told by
// its number's unit.
func states(m Measure) []string {
	switch m {
	case Most:
		return strings.Split("maximum|max|at most|no more than|not more than|no longer than|not be longer|cannot exceed|can not exceed|can't exceed|not exceed|exceeds|exceed|up to|or less|or fewer|or shorter|or smaller|fewer than|less than|shorter than|smaller than|larger than|longer than|greater than|more than|limited to|limit|limits|capped|hard cap|truncated|上限|最大|最多|不能超过|不超过|不得超过|至多|以内|以下|超过|höchstens|maximal|nicht mehr als|bis zu|überschreiten|begrenzt|au plus|au maximum|dépasser|jusqu'à|limité|como máximo|exceder|superar|hasta|limitado|не более|максимум|превышать|превысить|超え|まで", "|")
	case Least:
		return strings.Split("minimum|min|at least|no less than|not less than|no fewer than|or more|or greater|or higher|or larger|or later|or newer|less than|fewer than|requires|至少|最少|最小|最低|不少于|不小于|以上|mindestens|minimal|au moins|au minimum|al menos|como mínimo|не менее|минимум", "|")
	case Default:
		return strings.Split("default|defaults|defaulted|by default|if not set|if unset|if omitted|if unspecified|if not specified|unless specified|unless set|when not set|not specified|unspecified|is not set|is unset|is omitted|not provided|默认|缺省|默認|デフォルト|既定|standardmäßig|standardwert|voreingestellt|par défaut|por defecto|predeterminado|predeterminada|по умолчанию", "|")
	case Port:
		return []string{"port", "ports", "listens on", "端口", "ポート", "puerto", "порт"}
	case Version:
		return strings.Split("since|added|introduced|introduces|removed|removes|dropped|deprecated|as of|no longer|starting|from|until|release|stable|available|version|beginning with|自|起|移除|弃用|引入|以降|entfernt|seit|ab|supprimé|depuis|eliminado|desde|удалён|начиная", "|")
	}
	return nil
}

func units(m Measure) []string {
	switch m {
	case Duration:
		return strings.Split("ms|millisecond|milliseconds|s|sec|secs|second|seconds|m|min|mins|minute|minutes|h|hr|hour|hours|h0m0s|m0s|d|day|days|week|weeks|month|months|year|years|秒|毫秒|分钟|分|小时|天|日|时间|時間|周|个月|年|ミリ秒|分間|sekunde|sekunden|minuten|stunde|stunden|tag|tage|tagen|wochen|jahre|seconde|secondes|heure|heures|jours|segundo|segundos|minuto|minutos|hora|horas|día|días|секунд|секунды|минут|минуты|часов|часа|дней|дня", "|")
	case Size:
		return strings.Split("b|byte|bytes|k|kb|kib|ki|m|mb|mib|mi|g|gb|gib|gi|t|tb|tib|ti|kilobyte|kilobytes|megabyte|megabytes|gigabyte|gigabytes|character|characters|chars|char|token|tokens|line|lines|字节|字符|字元|バイト|文字|zeichen|octets|caractères|caracteres|байт|символов", "|")
	}
	return nil
}

// Asked are the measures that a question of a kind (contract.Kinds, "" if it has none)
// asks for. How something is done, what it is and how two things differ may have the
// words of a measure ("configure the default memory limits") and asks for none.
func Asked(question, kind string) []Measure {
	switch kind {
	case contract.KindProcedure, contract.KindDefinition, contract.KindComparison:
		return nil
	}
	lower := strings.ToLower(question)
	var out []Measure
	for m := range number {
		if _, at := lists().asks[m].find(lower); at >= 0 {
			out = append(out, m)
		}
	}
	if howMany(lower) && !slices.Contains(out, Most) {
		out = append([]Measure{Most}, out...)
	}
	if slices.Contains(out, Size) && !slices.Contains(out, Most) { // "how large" asks for a limit as a rule
		out = append(out, Most)
	}
	return out
}

// howMany says whether a question asks how many of something there can be.
func howMany(lower string) bool {
	const most = 6 // words between
	for _, opening := range []string{"how many ", "how much "} {
		_, rest, ok := strings.Cut(lower, opening)
		words := strings.Fields(rest)
		if ok && slices.ContainsFunc(words[:min(len(words), most)], func(w string) bool { return slices.Contains(possible, strings.Trim(w, ",.?!")) }) {
			return true
		}
	}
	return false
}

var possible = []string{"can", "could", "may", "fit", "fits", "allowed", "permitted", "supported"}

// Cue says whether a term of a question, in lower case, only names the measure or its
// dimension: the sentence that answers need not have it.
func Cue(term string) bool {
	return slices.Contains(cues, term)
}

var cues = strings.Split("maximum|max|maxim|minimum|min|minim|most|least|large|largest|big|biggest|long|longest|short|shortest|high|highest|low|lowest|deep|how|many|much|size|length|number|amount|count|depth|duration|time|often|default|defaults|limit|limits|upper|lower|bound|allow|allowed|value|can|be|where|located|stored|live|path|file|folder|directory|version|which|since|port", "|")

// States says whether a sentence states one of the measures.
func States(sentence string, asked []Measure) bool {
	lower := strings.ToLower(sentence)
	return slices.ContainsFunc(asked, func(m Measure) bool { return stated(lower, m) })
}

// near is how many bytes apart a cue and its number may stand.
const near = 64

func stated(lower string, m Measure) bool {
	switch m {
	case Duration, Size:
		return quantity(lower, units(m))
	case Place:
		return hasPath(lower)
	case Default:
		_, at := lists().states[m].find(lower)
		return at >= 0 || missing(lower)
	}
	if m != Version && !hasNumber(lower) || m == Version && !hasVersion(lower) {
		return false // most sentences have none, and it is found sooner than a cue
	}
	for from := 0; from < len(lower); {
		w, at := lists().states[m].find(lower[from:])
		if at < 0 {
			return false
		}
		at += from
		around := lower[max(0, at-near):min(len(lower), at+len(w)+near)]
		if m == Version && hasVersion(around) || m != Version && hasNumber(around) {
			return true
		}
		from = at + len(w)
	}
	return false
}

// missing says whether a text speaks of what is not given: "with no time zone specified".
func missing(lower string) bool {
	const most = 40 // bytes between
	for rest := lower; ; {
		w, at := lists().set.find(rest)
		if at < 0 {
			return false
		}
		if _, no := lists().not.find(rest[max(0, at-most):at]); no >= 0 {
			return true
		}
		rest = rest[at+len(w):]
	}
}

// list holds words by their first byte, so that a text is read once for all of them.
type list [256][]string

func newList(words []string) *list {
	var l list
	for _, w := range words {
		l[w[0]] = append(l[w[0]], w)
	}
	return &l
}

// find is the first place of any of the words, each by itself; of two at one place the
// first in the list.
func (l *list) find(text string) (string, int) {
	for i := range len(text) {
		for _, w := range l[text[i]] {
			if strings.HasPrefix(text[i:], w) && alone(text, i, i+len(w)) {
				return w, i
			}
		}
	}
	return "", -1
}

// lists are the words of each measure, made once.
var lists = sync.OnceValue(func() (t struct {
	asks, states      [number]*list
	numbers, not, set *list
}) {
	for m := range number {
		t.asks[m], t.states[m] = newList(asks(m)), newList(states(m))
	}
	t.numbers = newList(strings.Split("one|two|three|four|five|six|seven|eight|nine|ten|zero|unlimited", "|"))
	t.not = newList([]string{"no", "without"})
	t.set = newList([]string{"specified", "given", "set", "provided", "configured"})
	return t
})

// alone says whether no letter or digit of the same script stands beside text[i:j].
// Chinese and Japanese words need no space.
func alone(text string, i, j int) bool {
	first, _ := utf8.DecodeRuneInString(text[i:j])
	last, _ := utf8.DecodeLastRuneInString(text[i:j])
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[j:])
	return (i == 0 || wide(first) || !letter(before)) && (j == len(text) || wide(last) || !letter(after))
}

func letter(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') && !wide(r)
}

func wide(r rune) bool { return r >= 0x2e80 }

// quantity says whether a number with one of the units stands in a text.
func quantity(text string, units []string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' || i > 0 && (letter(rune(text[i-1])) || text[i-1] == '.') {
			continue
		}
		if i > 1 && text[i-1] == '-' && letter(rune(text[i-2])) && (text[i-2] < '0' || text[i-2] > '9') {
			continue // a part of a name: UTF-8
		}
		j := i
		for j < len(text) && (text[j] >= '0' && text[j] <= '9' || (text[j] == '.' || text[j] == ',') && j+1 < len(text) && text[j+1] >= '0' && text[j+1] <= '9') {
			j++
		}
		rest := strings.TrimLeft(text[j:min(len(text), j+24)], " -*`_")
		for _, u := range units {
			if strings.HasPrefix(rest, u) && alone(rest, 0, len(u)) {
				return true
			}
		}
		i = j
	}
	return false
}

// hasNumber says whether a text has a number in digits or a small one in words.
func hasNumber(text string) bool {
	for i := range len(text) {
		if text[i] >= '0' && text[i] <= '9' && (i == 0 || !letter(rune(text[i-1])) && text[i-1] != '.') {
			return true
		}
	}
	_, at := lists().numbers.find(text)
	return at >= 0
}

// hasVersion says whether a text has two numbers with a dot between, or a v before one.
func hasVersion(text string) bool {
	for i := 1; i < len(text)-1; i++ {
		digit := func(k int) bool { return text[k] >= '0' && text[k] <= '9' }
		if text[i] == '.' && digit(i-1) && digit(i+1) || text[i] == 'v' && digit(i+1) && !letter(rune(text[i-1])) {
			return true
		}
	}
	return false
}

// hasPath says whether a text has the path of a file or folder.
func hasPath(text string) bool {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`'\"()<>|,;*，。", r) }) {
		w = strings.TrimRight(w, ".:")
		if strings.HasPrefix(w, "~/") || strings.HasPrefix(w, "./") || strings.HasPrefix(w, "$") && strings.Contains(w, "/") ||
			strings.HasPrefix(w, "/") && strings.Count(w, "/") > 1 || len(w) > 3 && w[1] == ':' && w[2] == '\\' || strings.HasPrefix(w, "%") && strings.Contains(w, "\\") {
			return true
		}
	}
	return false
}

// Sentences cuts a text into sentences, rows and items, markup included.
func Sentences(text string) []string {
	var out []string
	start := 0
	end := func(at int) {
		if s := strings.TrimSpace(text[start:at]); s != "" {
			out = append(out, s)
		}
		start = at
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n' && begins(text[i+1:]):
			end(i + 1)
		case (c == '.' || c == '!' || c == '?') && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n' || text[i+1] == '<'):
			end(i + 1)
		case strings.HasPrefix(text[i:], "。"):
			end(i + len("。"))
		}
	}
	end(len(text))
	return out
}

// begins says whether a line begins something new: a row, an item, a heading, or
// nothing at all.
func begins(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if line == "" || strings.HasPrefix(line, "\n") {
		return true
	}
	digits := strings.TrimLeft(line, "0123456789")
	return strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ") ||
		strings.HasPrefix(line, "#") || strings.HasPrefix(line, "<t") || strings.HasPrefix(line, "</t") || strings.HasPrefix(line, "<li") ||
		len(digits) < len(line) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") "))
}

// words are the words that English sentences which state the measure are likely to have.
func (m Measure) words() string {
	return [number]string{"maximum limit limited exceed more less fewer", "minimum least required", "default defaults", "seconds minutes hours days duration",
		"size bytes limit", "path file directory", "port", "version since added removed"}[m]
}

// Without is a question without the words that only name its measures.
func Without(question string) string {
	var out []string
	eachWord(question, func(w, _ string, cue bool) {
		if !cue {
			out = append(out, w)
		}
	})
	return strings.Join(out, " ")
}

// Content says whether a word of a question, in lower case, is more than the name of
// its measure.
func Content(question string) func(word string) bool {
	kept := map[string]bool{}
	eachWord(question, func(_, bare string, cue bool) {
		if !cue {
			kept[bare] = true
		}
	})
	return func(word string) bool { return kept[word] || !Cue(word) }
}

// eachWord calls do for each word of a question, as written and bare, and says whether
// it only names the measure.
func eachWord(question string, do func(w, bare string, cue bool)) {
	named := false // the word before is content
	for w := range strings.FieldsSeq(question) {
		bare := strings.ToLower(strings.Trim(w, ",.?!:;"))
		// "The default value" names the measure, "a label value" what is measured.
		cue := Cue(bare) && (bare != "value" || !named)
		named = !cue && !slices.Contains(particles, bare)
		do(w, bare, cue)
	}
}

var particles = strings.Split("a|an|the|of|for|to|in|on|is|are|and|or|what|what's", "|")

// Words are the words that English sentences which state the measures are likely to
// have.
func Words(question string, asked []Measure) string {
	var out []string
	for _, m := range asked {
		out = append(out, m.words())
	}
	if slices.Contains(asked, Most) && !slices.Contains(asked, Duration) {
		eachWord(strings.ToLower(question), func(_, bare string, _ bool) {
			if slices.Contains(lengths, bare) {
				out = append(out, "characters")
			}
		})
	}
	return strings.Join(out, " ")
}

// lengths are the words of questions how long a text may be.
var lengths = strings.Split("length|long|longest|länge|lang|longueur|longitud|длина", "|")
