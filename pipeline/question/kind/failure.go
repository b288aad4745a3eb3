package kind

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
)

// The forms of messages that programs print. They are looked for in text as it was
// pasted, with its line breaks.
var messageForms = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		`(?m)^\W{0,2}(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|WARN|WARNING|ERR|INFO|DEBUG)\b\W{1,3}\S`,
		`(?i)(?:^|[\s:("'\x60\[])(?:[\w.]*error|fatal|panic|exception|warning|err|ошибка|fehler|erreur|错误|报错|エラー)(?:\[\w+\])?: ?\S+ \S`,
		`\b[A-Z][A-Za-z]*(?:Error|Exception): `,
		`(?m)^Traceback \(most recent`, `(?m)^\s+at \S+\(`, `(?m)^\s+File "`, `(?m)^Caused by: `, `npm ERR!`, `(?i)error from server`,
		`(?m)^[IWEF]\d{4} \d\d:\d\d`, `(?m)^\W?\d{4}-\d\d-\d\d[T ]\d\d:\d\d`, `\bthread '\w+' panicked`,
		`(?i)\b(?:reason|exit code|last state|exit status|status code|errno): ?\w`,
		`(?i)\bdid you (?:specify|mean|forget)\b`, `(?i)\bcommand not found\b`, `(?i)\bno such (?:file|host|container|table|module|image|option|command|key)\b`,
	}, "|"))
})

// pasted is the form of a program's message that a text has, "" for a text in a
// person's words.
func pasted(text string) string {
	text = strings.TrimSpace(text)
	line := strings.ToLower(question.Line(text))
	for _, w := range words("how to |how do |how can |how should |what is |what does |what's |what are |why |when |where |which |can i |should i |is there |explain |如何|怎么|什么|为什么|wie |was |warum |comment |pourquoi |cómo |qué |по чему |как |что ") {
		if strings.HasPrefix(line, w) {
			return ""
		}
	}
	if m := messageForms().FindString(text); m != "" {
		return strings.TrimSpace(m)
	}
	// "exec: node: not found", "x509: certificate signed by unknown authority".
	if strings.Count(text, ": ") >= 1 && !strings.ContainsAny(text, "?？") {
		if w, i := newSentence(text).find(troubles()); i >= 0 && !asks(line) {
			return w
		}
	}
	return ""
}

// asks says whether a question word stands in a line.
func asks(line string) bool {
	s := sentence{line: line, lower: line}
	return s.has(words("how|what|why|which|when|where|who|does|can i|should")) || strings.ContainsAny(line, "?？") ||
		containsAny(line, "什么", "怎么", "如何", "吗", "多少", "哪")
}

func containsAny(s string, list ...string) bool {
	for _, w := range list {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// troubles are words by which people and programs say that something goes wrong.
func troubles() []string {
	return words("cannot|can not|can't|cant|could not|couldn't|unable to|failed to|fails to|failed|fails|failing|fail to|fail|failure|did not|not found|not defined|not recognized|not recognised|not supported|not permitted|not allowed|not authorized|not a valid|is not valid|not showing|not loading|not working|not being|not able to|" +
		"doesn't work|does not work|doesnt work|don't work|do not work|dont work|isn't working|isnt working|not work|won't work|wont work|won't start|wont start|stopped working|no longer works|no longer working|never works|doesn't start|does not start|doesn't seem|does not seem|" +
		"permission denied|access denied|denied|refused|rejected|forbidden|unauthorized|timed out|times out|timing out|time out error|deadline exceeded|no such|no matches for|connection reset|unreachable|unexpected|undefined|unresolved|unrecognized|unknown|invalid|malformed|missing|corrupt|corrupted|insufficient|out of memory|out of space|no space left|already exists|already in use|in use|too many|too large|exceeded|" +
		"crash|crashes|crashed|crashing|crash loop|broken|breaks|stuck|hangs|hang|hanging|hung|freezes|frozen|frozen at|segfault|core dumped|panic|panics|panicked|traceback|stack trace|aborted|killed|evicted|not ready|not responding|unresponsive|stale|leaks|memory leak|wrong|weird|strange|ignored|ignores|ignoring|has expired|have expired|no effect|has no effect|nothing happens|disappears|disappeared|lost|gone|blank|empty response|slow|very slow|too slow|" +
		"deadlock|deadlocks|timeouts|detected|error|errors|exception|exceptions|bug|problem|problems|issue|issues|trouble|no available|not available|unavailable|signed by unknown authority|forever|no longer|anymore|any more|unexpectedly|infinite loop|endless loop|is not a|are not a|fault|never go|never goes|never comes|expired|conflict|mismatch|requires")
}

// stays are the verbs with which people say that something goes on that should not.
var stays = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)` + strings.Join([]string{
		`\b(?:keeps?|kept)\s+(?:on\s+)?(?:(?:getting|being)\s+\w+|\w+ing)\b`,
		`\b(?:constantly|randomly|suddenly|again and again)\s+(?:getting\s+|being\s+)?\w+(?:ing|ed|s)\b`,
		`\b(?:is|are|was|were)\s+(?:still\s+)?not\s+(?:being\s+)?\w+(?:ing|ed)\b`,
		`\b(?:isn't|aren't|wasn't|weren't)\s+(?:being\s+)?\w+(?:ing|ed)\b`,
		`\b(?:doesn't|does not|don't|do not|didn't|won't|never)\s+(?:see|get|show|load|start|stop|run|update|apply|trigger|fire|find|connect|appear|respond|match|resolve|render|change|save|pick|recognize|take|reach|refresh|return|receive|expire|finish|end|complete|terminate|work)s?\b`,
		`\b(?:cache|job|test|build|request|process|query|script|task|it|which)s?\s+never\s+\w+`,
		`\bpending (?:after|for|forever|since)\b`,
		`\b(?:hangs?|stays?|remains?)\s+(?:around|in|at|on|pending|empty|unknown|open|forever)\b`,
		`\b(?:closes|stops|dies|exits|restarts|disconnects|drops|quits|terminates|reboots|reloads)\s+(?:after|when|with|unexpectedly|immediately|randomly|on|by itself)\b`,
		`\b(?:returns?|returned|returning|gives?|gave|gets?|getting|got|throws?|see|seeing)\s+(?:me\s+)?(?:an?\s+)?(?:http\s+)?[45]\d\d\b`,
		`[读找连看收访问获取加载下打跑启动删改写登录进出传送]不(?:到|了|上|出|开|通|起来|进去|进)`,
		`(?:报|返回|出现)\s*[45]\d\d`, `没有?(?:执行|运行|启动|触发|更新|显示|响应|反应|收到|返回|加载|保存|成功|效果|变化|连接|调用|写入|同步|被|起来)`,
		`(?:^|\s)не\s+[а-яё]+(?:ет|ит|ют|ят|ут|ат|ется|ится|ются|ятся)(?:\s|$)`, `\bne\s+(?:se\s+)?\S+(?:\s+\S+)?\s+pas\b`, `\bstürzt\b`,
		`\b(?:has|have|had)\s+(?:no|wrong|duplicate)\s+\w`, `\beverywhere\b`, `^(?:disk|memory|queue|log|cpu)\s+(?:is\s+)?full\b`,
		`\b(?:is|are)\s+(?:locked|corrupted|missing|blank|empty|gone|broken|down|unhealthy|offline|slow)$`,
	}, "|"))
})

// hanTroubles are the same in Chinese, Japanese and the other languages.
func hanTroubles() []string {
	return []string{"没有生效", "不生效", "未生效", "没生效", "一直", "报错", "出错", "失败", "错误", "异常", "无法", "不能用", "用不了", "不工作", "没反应", "没有反应", "不起作用", "没用", "没有用", "崩溃", "卡住", "卡在", "卡死", "超时", "被拒绝", "拒绝连接", "找不到", "不存在", "连不上", "不了", "打不开", "启动不了", "起不来", "不显示", "没有显示", "显示不出", "丢失", "不见了", "乱码", "为空", "总是", "老是", "反复", "重启不断", "不断重启", "频繁", "很慢", "太慢", "变慢", "怎么办", "怎么解决", "如何解决", "怎么排查", "如何排查", "排查", "排错", "故障", "怎么修复", "为什么没", "为什么不", "为何没", "为何不", "怎么不", "怎么没", "不更新", "没有更新", "没更新", "不触发", "没有触发", "无响应", "没响应", "不通", "问题出在", "越来越", "没了", "飙升", "占满", "满了", "过高", "异常退出", "闪退", "白屏", "黑屏", "挂了", "死锁",
		"できない", "できません", "エラー", "失敗", "動かない", "動きません", "起動しない", "起動しません", "見つかりません", "見つからない", "表示されない", "表示されません", "反映されない", "反映されません", "接続できない", "つながらない", "落ちる", "止まる", "遅い", "消える", "終わらない", "終わりません", "されない", "されません"}
}

func otherTroubles() []string {
	return words("fehler|fehlermeldung|funktioniert nicht|geht nicht|läuft nicht|startet nicht|schlägt fehl|fehlgeschlagen|nicht gefunden|hängt|stürzt ab|abgestürzt|kann nicht|lässt sich nicht|keine verbindung|verweigert|bleibt|wird nicht|werden nicht|unerwartet|" +
		"erreur|échoue|échoué|ne fonctionne pas|ne marche pas|ne démarre pas|impossible de|plante|bloqué|introuvable|inattendu|inattendue|refusé|n'est pas|ne se|ne s'affiche|" +
		"falla|fallo|no funciona|no arranca|no se puede|no puedo|no encuentra|no encontrado|rechazada|rechazado|se cuelga|atascado|no carga|no inicia|no se|inesperadamente|" +
		"ошибка|ошибку|ошибки|не работает|не работают|не запускается|не удается|не удаётся|не могу|не найден|не найдена|зависает|завис|падает|сбой|не видит|не обновляется|отказано|не подключается|не загружается|не применяется|неожиданно")
}

// failure reads a question about something that goes wrong.
func failure(s sentence) (Reading, bool) {
	found := func(cue string) (Reading, bool) {
		return Reading{Kind: contract.KindError, Subjects: errorNames(s.line), Cue: cue}, true
	}
	for _, w := range words("how to fix|how do i fix|how can i fix|how to resolve|how do i resolve|how can i resolve|how to solve|how do i solve|how to troubleshoot|how do i troubleshoot|how to debug|how do i debug|how to diagnose|how do i diagnose|how to recover from|fix|troubleshoot|troubleshooting|debug|debugging|diagnose|diagnosing|resolve|what causes|what is causing|what's causing|what is wrong|what's wrong|whats wrong|why can't|why cant|why won't|why doesn't|why does not|why doesnt|why isn't|why isnt|why aren't|why didn't|why is my|why are my|why does my|why do my|why did my") {
		if _, ok := s.opens(w); ok {
			return found(w)
		}
	}
	if cue := whyNot(s); cue != "" {
		return found(cue)
	}
	if names := errorNames(s.line); len(names) > 0 && !s.has(words("how to handle|how do i handle|handle|catch|throw|raise|define|custom")) {
		return found(names[0])
	}
	for _, w := range hanTroubles() {
		if strings.Contains(s.lower, w) && !hanName(s.lower, w) {
			return found(w)
		}
	}
	if w, i := s.find(otherTroubles()); i >= 0 && !isProcedure(s) {
		return found(w)
	}
	for _, w := range words("修复|解决|排查|诊断|调试|排除") {
		if rest, ok := s.opens(w); ok && rest.line != "" {
			return found(w)
		}
	}
	if isProcedure(s) {
		return Reading{}, false
	}
	if instruction(s) != "" {
		return Reading{}, false // "replace a failed disk"
	}
	if m := stays().FindString(s.line); m != "" && !conditional(s) {
		return found(m)
	}
	if cue := complaint(s); cue != "" {
		return found(cue)
	}
	const long = 9
	for _, open := range words("a|an|if|whether|specifies|the|when") {
		if _, ok := s.opens(open); ok && fields(s.line) >= long && !s.has(words("i|my|we|our|me")) {
			return Reading{}, false // a description of a thing
		}
	}
	w, i := s.find(troubles())
	if i < 0 || named(s, w, i) || conditional(s) {
		return Reading{}, false
	}
	return found(w)
}

// whyNot finds "why does … not", "why … my", "warum … nicht".
func whyNot(s sentence) string {
	for _, w := range words("why|how come|warum|wieso|weshalb|pourquoi|por qué|почему|どうして|なぜ") {
		rest, ok := s.opens(w)
		if !ok {
			continue
		}
		if n, i := rest.find(words("not|never|my|our|no longer|can't|cannot|won't|doesn't|isn't|don't|ignore|fail|nicht|kein|keine|mein|meine|pas|mon|ma|mes|no|mi|mis|не|мой|моя|моё|мои")); i >= 0 {
			return w + " … " + n
		}
	}
	return ""
}

// complaint finds the words by which a text that neither asks nor tells says what
// happens: "terraform apply wants to recreate everything", "works locally but not in
// production". A text that begins with an article describes a thing instead.
func complaint(s sentence) string {
	w := strings.Fields(s.lower)
	const most = 14
	if len(w) < 3 || len(w) > most || startsQuestion(s.line) || strings.ContainsAny(s.line, "?？") || w[0] == "a" || w[0] == "an" {
		return ""
	}
	if s.has(words("that|who|whose|a set of")) {
		return ""
	}
	if n, i := s.find(words("does not|do not|did not|is not|are not|was not|were not|has not|have not|doesn't|don't|didn't|isn't|aren't|wasn't|weren't|hasn't|haven't|doesnt|didnt|isnt")); i > 0 {
		return n
	}
	if s.has(words("but not|but no|but it|but the|but i|but nothing|but still")) {
		return "but"
	}
	if w[0] == "my" || w[0] == "our" {
		return w[0]
	}
	for i := 1; i+1 < len(w); i++ {
		// "runs twice", "lags behind", "drops every minute"
		if goesOn := strings.HasSuffix(w[i], "s") && !strings.HasSuffix(w[i], "ss") && len(w[i]) > 3 &&
			oneOf(w[i+1], "twice|every|behind|immediately|again|too|very|even|while|because|although|instead|until|slowly|randomly|suddenly|unexpectedly|once"); goesOn {
			return w[i] + " " + w[i+1]
		}
		if !oneOf(w[i], "shows|wants|takes|goes|gets|says|becomes|comes|works|seems|returns|gives|makes|happens|tries|refuses|expects|thinks|reports|complains|prints|throws|loads|opens|redirects|forgets|consumes|eats|overwrites|deletes|displays|sends") {
			continue
		}
		if oneOf(w[i-1], "and|or|the|a|of|to|in|for|with|all|custom|how|what") || w[i] == "makes" && w[i+1] == "it" {
			continue
		}
		return w[i]
	}
	return ""
}

func oneOf(w, list string) bool { return slices.Contains(words(list), w) }

// hanName says whether a word of trouble is a part of the name of a thing: 错误处理,
// 超时时间 and 失败策略 are no failures.
func hanName(s, w string) bool {
	i := strings.Index(s, w)
	rest := s[i+len(w):]
	for _, n := range []string{"解", "处理", "时间", "策略", "码", "类型", "重试", "设置", "配置", "默认", "阈值", "次数", "页", "日志", "信息格式", "恢复", "转移", "检测", "域", "的时候", "时会", "后会", "メッセージ", "ハンドリング", "処理", "コード"} {
		if strings.HasPrefix(rest, n) {
			return true
		}
	}
	if w == "一直" && strings.HasPrefix(rest, "到") {
		return true
	}
	return (w == "排查" || w == "故障") && strings.HasSuffix(strings.TrimSpace(s), "指南")
}

// named says whether a word of trouble at i is a part of a name or is what a question
// is about rather than what happens: "error handling", "what happens when … fails".
func named(s sentence, w string, i int) bool {
	rest := s.cut(i+len(w), len(s.line))
	switch w {
	case "error", "errors", "failure", "exception", "exceptions", "panic", "panics", "crash", "unknown", "invalid", "missing", "problem", "issue", "issues", "bug", "conflict", "unexpected", "slow", "empty", "in use", "too many", "requires", "lost", "hang", "killed", "expired", "undefined", "wrong", "stale", "rejected", "denied", "ignored":
	default:
		return false
	}
	if r := s.line[i]; unicode.IsUpper(rune(r)) && i > 0 {
		return true // Node Problem Detector
	}
	for _, n := range words("handling|handler|handlers|handle|boundary|boundaries|page|pages|type|types|class|classes|codes|budget|domain|domains|policy|policies|recovery|rate|tolerance|detection|threshold|messages|message format|report|reports|reporting|tracking|tracker|template|templates|log|logs|output|response|responses|object|objects|interface|event|events|query|field|fields|value|values|level|levels|reporter|safety|safe|hook|callback|correction|tracing|propagation") {
		if _, ok := rest.opens(n); ok {
			return true
		}
	}
	if rest.line == "" && fields(s.line) <= 2 && (w == "errors" || w == "exceptions" || w == "panic" || w == "issues" || w == "exception") {
		return true
	}
	for _, n := range words("how many|what is|what are|which|does|do|is|are|can i|should i|where|when|list of|custom|can you|could|what") {
		if _, ok := s.opens(n); ok {
			return true
		}
	}
	switch w {
	case "requires", "in use", "lost", "slow", "too many", "expired", "ignored", "stale":
		return fields(s.line) < 4
	}
	return false
}

// conditional says whether trouble is only supposed: "what happens if a pod fails",
// "does it retry when a job fails".
func conditional(s sentence) bool {
	for _, open := range words("after how|for how|in which|what happens|what happened|what will happen|does|do|is there|is it|will|can|should|how many|how often|which|what|when|where|who|was passiert|que se passe-t-il|qué pasa|что происходит|что будет") {
		if _, ok := s.opens(open); ok {
			return true
		}
	}
	return false
}

// status says whether a word is a status or an error that programs print: its last
// part says that something went wrong.
func status(w string) bool {
	w = strings.Trim(w, "`\"'.,:;()[]")
	if strings.ContainsAny(w, " \t") || len(w) < 4 {
		return false
	}
	for _, end := range words("Error|Exception|BackOff|Backoff|Killed|Failed|Failure|Exceeded|NotFound|NotReady|NotAllowed|NotSupported|Denied|Refused|Unavailable|Unschedulable|Evicted|Fault|Invalid|Forbidden|Overflow|Warning|Mismatch|Violation|Conflict") {
		if head, ok := strings.CutSuffix(w, end); ok && (head != "" && unicode.IsUpper(rune(w[0])) || end == "Evicted") && !strings.Contains(w, ".") {
			return true
		}
	}
	if strings.HasPrefix(w, "Not") && len(w) > 5 && unicode.IsUpper(rune(w[3])) {
		return true
	}
	if strings.HasPrefix(w, "Err") && len(w) > 5 && unicode.IsUpper(rune(w[3])) {
		return true
	}
	return code(w)
}

// code says whether a word is the number of an error: E0716, ENOENT, ORA-00942,
// SIGSEGV, ERR_CONNECTION_REFUSED.
func code(w string) bool {
	digits, upper, other := 0, 0, 0
	for _, r := range w {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'A' && r <= 'Z':
			upper++
		case r != '-' && r != '_':
			other++
		}
	}
	if other > 0 || upper == 0 || len(w) < 4 {
		return false
	}
	switch {
	case w[0] == 'E' && digits == 0 && !strings.ContainsAny(w, "_-") && upper >= 5:
		return errno(w)
	case strings.HasPrefix(w, "SIG") && digits == 0 && !strings.Contains(w, "_"):
		return true
	case strings.HasPrefix(w, "ERR_"), strings.HasSuffix(w, "_ERROR"), strings.HasSuffix(w, "_ERR"):
		return true
	}
	// E0716, TS2345, ORA-00942, C4996
	return upper <= 4 && digits >= 4 && unicode.IsUpper(rune(w[0])) && unicode.IsDigit(rune(w[len(w)-1])) && !strings.HasPrefix(w, "RFC") && !strings.HasPrefix(w, "ISO") && !strings.HasPrefix(w, "CVE") && !strings.HasPrefix(w, "UTF") && !strings.HasPrefix(w, "KEP") && !strings.HasPrefix(w, "PEP")
}

// errno says whether a word of capitals is a number of POSIX's errno.
func errno(w string) bool {
	for _, end := range words("NOENT|ACCES|PERM|EXIST|INVAL|ADDRINUSE|ADDRNOTAVAIL|CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|HOSTUNREACH|NETUNREACH|PIPE|MFILE|NFILE|NOSPC|NOTDIR|ISDIR|NOTEMPTY|BUSY|AGAIN|ROFS|NOTFOUND|AI_AGAIN|NOMEM|BADF|FAULT|OVERFLOW|RANGE|LOOP|INTR|RESOLVE|INTEGRITY|RESOLVERR|LIFECYCLE") {
		if w[1:] == end {
			return true
		}
	}
	return false
}

// exits are statuses by number.
var exits = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bexit(?:ed)?(?: with)?(?: code| status)?:? (?:code )?\d+\b|\b(?:http|status|error|code|errno)(?: status)?(?: code)? [45]\d\d\b|\b[45]\d\d (?:error|not found|forbidden|unauthorized|bad gateway|bad request|internal server error|service unavailable|gateway timeout|too many requests|conflict|method not allowed|gone)\b`)
})

// errorNames are the statuses and errors that a text names.
func errorNames(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:()[]{}\"'`?!，。：；（）“”", r) || r >= 0x2e80
	}) {
		if w = strings.Trim(w, "."); status(w) {
			out = append(out, w)
		}
	}
	if m := exits().FindString(text); m != "" {
		out = append(out, m)
	}
	return distinct(out)
}
