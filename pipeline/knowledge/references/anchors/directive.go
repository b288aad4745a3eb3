package anchors

import (
	"strings"
	"sync"
)

// plainDirectives are the directives of docutils and Sphinx, and common ones of their extensions, whose places
// are those of their text: no program makes others.
const plainDirectives = `admonition attention caution danger error hint important note tip warning topic sidebar line-block
	parsed-literal code math rubric epigraph highlights pull-quote compound container table csv-table list-table contents sectnum
	section-numbering header footer image figure meta replace unicode date role default-role title include restructuredtext-test-directive
	code-block sourcecode literalinclude highlight highlightlang toctree versionadded versionchanged versionremoved deprecated seealso
	centered hlist glossary productionlist index only tabularcolumns currentmodule module program option cmdoption envvar class rst-class
	cssclass todo todolist graphviz digraph graph mermaid inheritance-diagram doctest testcode testsetup testoutput testcleanup
	tabs tab group-tab code-tab tab-set tab-item tab-set-code grid grid-item grid-item-card card card-carousel dropdown button-link
	button-ref details collapse ifconfig acks sectionauthor moduleauthor codeauthor function method classmethod staticmethod attribute
	data exception decorator type macro member var property describe object confval impl-detail availability youtube video prompt`

var plain = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(plainDirectives) {
		out[name] = true
	}
	return out
})

// makesPlaces reports whether a directive of reStructuredText may make places that the source does not name. Those
// of a domain, py:class, describe one object.
func makesPlaces(name string) bool {
	return !plain()[name] && !strings.Contains(name, ":")
}
