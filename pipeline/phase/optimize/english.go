package optimize

import (
	"slices"
	"strings"
)

// englishQuery writes terms as an English query, in order and without terms that mean
// nothing. Actions are verbs or nouns, as in the sentence. Chinese word order is
// changed to English where moving one phrase is enough.
func (f frame) englishQuery(terms []term) string {
	row := make([]term, 0, len(terms))
	for _, tm := range terms {
		if tm.isContent() || tm.role == coverb || tm.role == compare && tm.han {
			row = append(row, tm)
		}
	}
	row = afterVerb(row)
	verbal := func(i int) bool {
		if row[i].noun == "" || f.asks == "how" || f.asks == "whether" {
			return true
		}
		// 配置 Pod is "configure Pod", Pod 配置 and 配置的选项 are "configuration".
		return row[i].head && !row[i].tail
	}
	actions, last := 0, len(row)-1
	for i := range row {
		if row[i].role == action && row[i].han {
			actions++
			if !verbal(i) {
				row[i].text = row[i].noun
				continue
			}
			row[i].named = false
		}
	}
	// hooks 如何配置: the object stands before the verb.
	if actions == 1 && last > 0 && row[last].role == action && row[last].han && verbal(last) {
		verb := row[last]
		row = append([]term{verb}, row[:last]...)
	}
	return joinText(row)
}

// afterVerb moves the phrase of a coverb after the verb and its object:
// 为容器设置环境变量, "for container set environment variable", becomes "set
// environment variable for container"; 将/把 phrases are the object itself.
func afterVerb(row []term) []term {
	at := slices.IndexFunc(row, func(tm term) bool { return tm.role == coverb })
	if at < 0 {
		return row
	}
	drop := func() []term { return slices.DeleteFunc(row, func(tm term) bool { return tm.role == coverb }) }
	if slices.ContainsFunc(row[at+1:], func(tm term) bool { return tm.role == coverb }) {
		return drop()
	}
	verb := -1
	for i := at + 2; i < len(row); i++ {
		if row[i].role == action && !row[i].tail {
			verb = i
			break
		}
	}
	if verb < 0 {
		return drop()
	}
	phrase := slices.Clone(row[at+1 : verb])
	out := slices.Clone(row[:at])
	row[verb].head = true
	if strings.TrimSpace(row[at].text) == "" {
		out = append(out, row[verb])
		out = append(out, phrase...)
		return append(out, row[verb+1:]...)
	}
	out = append(out, row[verb:]...)
	out = append(out, term{role: nothing, text: row[at].text})
	return append(out, phrase...)
}
