package question

import (
	"strings"
	"testing"
)

func TestPreference(t *testing.T) {
	t.Parallel()
	const (
		neither = ""
		full    = "full"
		small   = "compress"
		both    = "full compress"
	)
	for _, c := range []struct{ text, want string }{
		// Spec 3's keywords as instructions.
		{"hooks reference, compress", small},
		{"hooks reference compress", small},
		{"hooks reference, please summarize", small},
		{"summarize the hooks reference", small},
		{"Summarize hooks", small},
		{"please summarize hooks for me", small},
		{"can you summarize the hooks page?", small},
		{"Could you condense the settings page", small},
		{"condense it", small},
		{"compress the hooks documentation", small},
		{"hooks reference summary", small},
		{"hooks summary", small},
		{"hooks reference - summary please", small},
		{"give me a summary of hooks", small},
		{"show me a short summary of the MCP page", small},
		{"I want a summary of agent skills", small},
		{"explain hooks briefly", small},
		{"How do hooks work, briefly?", small},
		{"briefly, what is a hook", small},
		{"How do hooks work? Keep it short.", small},
		{"tl;dr of the hooks page", small},
		{"What is MCP? In a few sentences", small},
		{"hooks in brief", small},
		{"How do I create a skill? Summarize.", small},
		{"sum up the permissions page", small},
		{"hooks 压缩", small},
		{"hooks 文档压缩一下", small},
		{"总结 hooks 文档", small},
		{"总结一下 hooks", small},
		{"请总结 hooks 文档", small},
		{"帮我把 hooks 文档总结一下", small},
		{"hooks 参考，摘要", small},
		{"hooks 如何工作？请精简", small},
		{"如何配置 hooks，压缩", small},
		{"请压缩 hooks 文档的内容", small},
		{"简要介绍 hooks", small},
		{"请简单介绍一下 hooks", small},
		{"给我一个 hooks 的摘要", small},
		{"概括 hooks 的用法", small},
		{"能不能总结一下 skills 文档", small},

		{"hooks reference, full content", full},
		{"hooks reference full content", full},
		{"full content hooks reference", full},
		{"Full content of the hooks page", full},
		{"show me the full text of the hooks page", full},
		{"give me the complete content of settings", full},
		{"the original text of the hooks reference", full},
		{"hooks reference, original", full},
		{"hooks reference, complete", full},
		{"hooks reference in full", full},
		{"How do hooks work? In full.", full},
		{"How do hooks work, verbatim", full},
		{"show the entire page about hooks", full},
		{"print the hooks page word for word", full},
		{"hooks, uncompressed", full},
		{"show hooks uncompressed", full},
		{"what is the full content of the hooks page?", full},
		{"don't compress", full},
		{"hooks reference, don't compress", full},
		{"hooks reference, don’t compress it", full},
		{"hooks reference no compression", full},
		{"hooks reference without compression", full},
		{"don't summarize", full},
		{"How do hooks work? Do not summarize the text.", full},
		{"how do hooks work please don't summarize", full},
		{"please do not shorten the answer", full},
		{"hooks, no summary", full},
		{"hooks without summarizing", full},
		{"never summarize", full},
		{"don't give me a summary", full},
		{"不要压缩", full},
		{"hooks 不压缩", full},
		{"hooks 文档，不要总结", full},
		{"如何配置 hooks，不要压缩", full},
		{"如何配置hooks不要压缩", full},
		{"别给我总结，hooks 怎么用", full},
		{"hooks 完整内容", full},
		{"hooks 的完整内容是什么", full},
		{"hooks 完整版", full},
		{"hooks 参考的原文", full},
		{"请给出 hooks 原文", full},
		{"hooks 全部内容", full},
		{"显示 hooks 全文", full},
		{"无需精简，hooks 文档", full},

		{"do not compress", full},
		{"please do not summarize", full},
		{"please do not summarize hooks", full},
		{"don't shorten", full},
		{"hooks, please don't shorten it", full},
		{"do not condense the answer", full},
		{"不要总结", full},
		{"请不要总结 hooks", full},
		{"summary of hooks", small},
		{"a short summary of hooks", small},
		{"a summary of the hooks page", small},
		{"summarize command line flags", small},

		{"summarize the skills page, but hooks in full", both},
		{"总结 skills，hooks 要完整内容", both},

		// Names.
		{"/summarize", neither},
		{"what does /summarize do", neither},
		{"run /summarize in a session", neither},
		{"`summarize`", neither},
		{"`summarize` in the agent SDK", neither},
		{"--summarize", neither},
		{"--compress default", neither},
		{"the summarize option", neither},
		{"summarize option", neither},
		{"summarize tool", neither},
		{"how does compression work", neither},
		{"gzip compression", neither},
		{"compression", neither},
		{"compression level", neither},
		{"response compression middleware", neither},
		{"summary of changes", neither},
		{"change summary", neither},
		{"cost summary", neither},
		{"I want to summarize a conversation", neither},
		{"summarize text using a local model", neither},
		{"do not compress images", neither},

		// The same words as the subject.
		{"complete guide to hooks", neither},
		{"complete reference of hook events", neither},
		{"How do I compress images?", neither},
		{"compress images in nginx", neither},
		{"how to compress files with gzip", neither},
		{"Can I compress logs?", neither},
		{"does ollama compress the context", neither},
		{"what does /compact compress", neither},
		{"how do I summarize a conversation with an agent", neither},
		{"which hook runs before a summary is written", neither},
		{"summary of changes page", neither},
		{"where is the summary of changes", neither},
		{"how do I enable full text search", neither},
		{"full text search", neither},
		{"full-text search index", neither},
		{"original image size", neither},
		{"How do I restore the original file?", neither},
		{"how do I get the full content of a web page", neither},
		{"full page screenshot", neither},
		{"complete the installation", neither},
		{"shell completion", neither},
		{"why does nginx not compress responses", neither},
		{"how to disable compression in kubectl", neither},
		{"what is the uncompressed size limit of a skill", neither},
		{"auto compact summarization settings", neither},
		{"hooks", neither},
		{"", neither},
		{"如何压缩图片", neither},
		{"上下文压缩", neither},
		{"自动压缩", neither},
		{"压缩算法有哪些", neither},
		{"如何自动总结会话", neither},
		{"什么是压缩", neither},
		{"全文搜索", neither},
		{"如何配置全文检索", neither},
		{"原文件在哪里", neither},
		{"原文链接", neither},
		{"完整版本号", neither},
		{"如何获取网页的完整内容", neither},
		{"为什么不压缩图片", neither},
		{"请问如何压缩日志", neither},
		{"概述", neither},
		{"hooks 配置相关", neither},
		{"启用压缩", neither},
		{"摘要认证", neither},
	} {
		f, s := Preference(c.text)
		got := []string{}
		if f {
			got = append(got, full)
		}
		if s {
			got = append(got, small)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("Preference(%q) = %q, want %q", c.text, g, c.want)
		}
	}
}

func TestPreferenceReadsBothEndsOfALongText(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("a line of a pasted file\n", 4000)
	if _, small := Preference("summarize this\n" + filler); !small {
		t.Error("an instruction before a long text is not seen")
	}
	if full, _ := Preference(filler + "\ndon't compress"); !full {
		t.Error("an instruction after a long text is not seen")
	}
}

func FuzzPreference(f *testing.F) {
	for _, s := range []string{"don't compress", "不要压缩", "简单", "请", "full", "no", "\xff压缩", "with"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		f1, c1 := Preference(s)
		f2, c2 := Preference(s)
		if f1 != f2 || c1 != c2 {
			t.Fatalf("two answers for %q", s)
		}
	})
}
