package enrich

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"docent/store/doc"
)

// common are words of English that name nothing by themselves, and those that every
// documentation has.
var common = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(`a about above across after again all allow allowed allows also although always an and another any anything are as at available
based be because been before being below best better between both but by called can cannot case cases change changed changes common complete contain contains
could create created creates creating current currently default depending describe describes detail details different do does doesn't don't done down during each either else
enable enabled end ensure etc even every everything example examples existing first follow following follows for found from full further get gets give given go
good guide had has have having help helps here how however i if important in include included includes including information inside instead into is isn't it its itself
just keep know known large last later least less let lets like list listed lists make makes making many may mean means method might more most much must
multiple name named names need needed needs never new next no none not note nothing now number of off often on once one ones only open option optional options or order other
others otherwise our out over overview own page pages part particular per please point possible prerequisite prerequisites previous provide provided provides providing put
rather read really refer reference related remove required requires result results run running runs same section sections see select set sets setting settings several shall she should show
shown shows similar simple simply since single small so some something sometimes specific specified specify start starting step steps still such supported supports sure
take takes task tasks than that that's the their them then there therefore these they thing things this those though three through thus time to together too topic two type
under until up update updated upon us use used useful user uses using usually valid value values various version versions very via want was way ways we
well were what what's when whenever where whether which while who whole whose why will with within without won't work working works would write yes yet you you're your yourself
add added adding adds additional additionally already alternatively apply applied based behavior change come configure configured consider corresponding define defined defines determine directly
easy exactly explain explained far few finally goes happens introduction learn longer look manual must near obtain otherwise perform performed presence present right sample second short special than third try tutorial
within zero true false null nil note: warning tip caution`) {
		out[w] = true
	}
	return out
})

// Words that suggest the audience of a section. Each language of a code block and each
// word of the text counts once in a section.
var evidence = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for audience, words := range map[string]string{
		Developer: `api sdk function functions method methods class classes interface import library libraries module package callback argument arguments parameter compile
compiler debug exception object objects constructor inherit framework developer developers endpoint endpoints json schema client query async await generics struct pointer iterator regex middleware orm unittest`,
		Admin: `admin administrator administrators cluster clusters deploy deployment install installation node nodes server servers root sudo daemon firewall kernel permissions privileges backup
upgrade provision kubectl systemctl apt yum helm certificate certificates tls quota monitoring availability hosts operator operators rollout namespace namespaces kubelet scheduler storage`,
		User: `click button menu screen dialog window tab icon checkbox dropdown toolbar sidebar drag scroll tap wizard page-layout browser keyboard shortcut`,
	} {
		for w := range strings.FieldsSeq(words) {
			out[w] = audience
		}
	}
	for _, lang := range strings.Fields("go golang python py javascript js typescript ts tsx jsx java c cpp c++ csharp cs rust rs ruby rb php swift kotlin scala r sql graphql proto django html css") {
		out["```"+lang] = Developer
	}
	for _, lang := range strings.Fields("bash sh shell console shell-session powershell ini systemd dockerfile hcl terraform nginx") {
		out["```"+lang] = Admin
	}
	return out
})

// mostAudience is how much of a section is looked at for its audience, in bytes.
const mostAudience = 32 << 10

// audience is the audience of a section, judged by its words; Mixed where they disagree.
func (p *Page) audience(section int) string {
	seen := map[string]bool{}
	count := map[string]int{}
	take := func(w string) {
		if a := evidence()[w]; a != "" && !seen[w] {
			seen[w] = true
			count[a]++
			if strings.HasPrefix(w, "```") {
				count[a]++
			}
		}
	}
	read := 0
	for b := range p.each(section) {
		if b.Kind == doc.Code && b.Lang != "" {
			take("```" + strings.ToLower(b.Lang))
		}
		if !isProse(b) || read > mostAudience {
			continue
		}
		text := b.Text[:min(len(b.Text), mostAudience)]
		read += len(text)
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
			take(strings.ToLower(w))
		}
	}
	best, most, next := Mixed, 0, 0
	for _, a := range slices.Sorted(maps.Keys(count)) {
		switch n := count[a]; {
		case n > most:
			best, most, next = a, n, most
		case n > next:
			next = n
		}
	}
	if most < 2 || most < 2*next {
		return Mixed
	}
	return best
}
