package gloss

import (
	"slices"
	"testing"
)

func TestAgent(t *testing.T) {
	t.Parallel()
	for verb, want := range map[string]string{
		"retrieve": "retriever", "search": "searcher", "iterate": "iterator", "execute": "executor", "connect": "connector",
		"process": "processor", "edit": "editor", "classify": "classifier", "deploy": "deployer", "scan": "scanner", "load": "loader",
		"retrieval": "", "configuration": "", "go": "", "look up": "", "3d": "",
	} {
		if got := agentNoun(verb); got != want {
			t.Errorf("%s: %q, want %q", verb, got, want)
		}
	}
}

func TestAgents(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"检索器是什么": "检索器", "解析器": "解析器", "LangChain 中的检索器": "检索器"} {
		words := SplitWords(text, "zh")
		i := slices.IndexFunc(words, func(w Word) bool { return w.Text == want })
		if i < 0 || len(words[i].Glosses) == 0 || words[i].Glosses[0].Text == "device" || text[words[i].Start:words[i].End] != want {
			t.Errorf("%s: %+v", text, words)
		}
	}
	// Words with glosses of their own are unchanged, and so are words that are no action.
	for _, text := range []string{"浏览器", "服务器", "器"} {
		if w := SplitWords(text, "zh"); len(w) != 1 || w[0].Text != text {
			t.Errorf("%s: %+v", text, w)
		}
	}
}
