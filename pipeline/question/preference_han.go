package question

import (
	"slices"
	"strings"
)

// hanCompress are the words for compression, the longer ones first.
func hanCompress() []string {
	return []string{"压缩", "总结", "摘要", "精简", "概括", "归纳", "浓缩", "缩减"}
}

// hanShortening are words that are negated only in a request for full text.
func hanShortening() []string {
	return []string{"压缩", "总结", "摘要", "精简", "概括", "归纳", "浓缩", "缩减", "省略", "删减", "删节", "截断", "简化", "缩短"}
}

func hanNegations() []string {
	return []string{"不要", "不用", "不需要", "不必", "不想", "不想要", "无需", "无须", "勿", "请勿", "别", "不得", "禁止", "没必要", "不", "非", "未", "未经", "没有", "避免"}
}

// preferenceHan judges a clause with Chinese in it; s has no spaces.
func preferenceHan(s string) (full, compress bool) {
	asks := containsAny(s, "如何", "怎么", "怎样", "为什么", "为何", "什么是", "是否", "能否", "哪", "吗", "支持") &&
		!containsAny(s, "请帮", "帮我", "给我", "麻烦", "替我")
	full = fullHan(s, asks)
	negated := false
	for _, w := range hanShortening() {
		for at := 0; ; {
			i := strings.Index(s[at:], w)
			if i < 0 {
				break
			}
			i += at
			at = i + len(w)
			if !negatedHan(s[:i]) {
				continue
			}
			negated = true
			rest := fillerHan(s[at:])
			// 如何配置不要压缩 still instructs; 如何不压缩图片 asks.
			if rest == "" || !asks && !thingHan(rest) {
				full = true
			}
		}
	}
	return full, !negated && compressHan(s, asks)
}

// negatedHan reports whether a text before a word ends in a negation, possibly followed by
// words such as 给我做任何.
func negatedHan(before string) bool {
	for range 4 {
		if slices.ContainsFunc(hanNegations(), func(n string) bool { return strings.HasSuffix(before, n) }) {
			return true
		}
		cut := before
		for _, w := range []string{"给我", "帮我", "进行", "做", "任何", "自动", "只给", "只是", "要", "被", "经过", "内容", "对"} {
			cut = strings.TrimSuffix(cut, w)
		}
		if cut == before {
			return false
		}
		before = cut
	}
	return false
}

// fillerHan removes words that may follow an instruction without being its object.
func fillerHan(s string) string {
	for {
		cut := s
		for _, w := range []string{"一下", "了", "吧", "哦", "啊", "呢", "谢谢", "内容", "原文", "文档", "文本", "全文", "结果", "输出", "答案", "版本", "版", "即可", "就行", "就好", "的", "我", "给", "看", "下", "它", "任何"} {
			cut = strings.TrimPrefix(cut, w)
		}
		if cut == s {
			return s
		}
		s = cut
	}
}

func fullHan(s string, asks bool) bool {
	if asks {
		return false
	}
	if containsAny(s, "完整内容", "全部内容", "完整文档", "完整文本", "完整原文", "全部原文", "完整地", "原封不动", "原样返回", "原样输出", "一字不差", "全部文本", "整篇", "完整页面", "完整的内容", "完整的文档", "全部的内容", "所有内容", "整个文档", "整个页面") {
		return true
	}
	for _, w := range []struct{ word, not string }{
		{"完整版", "本号"},           // 完整版本号 is a version number
		{"原文", "件 链 地 字 名"},     // 原文件, 原文链接
		{"全文", "搜 检 索 本 查 件 匹"}, // 全文搜索, 全文检索, 全文索引
		{"完整版本", "号 控 管 列 历 记 比 信 的版 之 升 更 切 选 发 支 兼"}, // 完整版本控制
	} {
		i := strings.Index(s, w.word)
		if i < 0 {
			continue
		}
		rest := s[i+len(w.word):]
		if w.word == "完整版" && strings.HasPrefix(rest, "本") {
			continue // judged as 完整版本
		}
		if !slices.ContainsFunc(strings.Fields(w.not), func(n string) bool { return strings.HasPrefix(rest, n) }) {
			return true
		}
	}
	return false
}

func compressHan(s string, asks bool) bool {
	for _, p := range []string{"请", "帮我", "给我", "麻烦", "简单", "用几句话", "一句话"} {
		s2 := strings.TrimPrefix(s, p)
		if s2 != s && !strings.HasPrefix(s, "请问") && !strings.HasPrefix(s, "请教") {
			if containsAny(s2[:min(len(s2), len("总结一下概"))], "总结", "概括", "归纳", "摘要", "精简", "压缩", "浓缩") {
				asks = false
			}
		}
	}
	bare := s
	for cut := true; cut; {
		cut = false
		for _, p := range []string{"请你", "请", "帮我", "给我", "麻烦", "替我", "你", "能不能", "可以", "并", "然后", "再", "先", "对", "把", "做个", "做一个", "一个", "一份", "写个", "写一个", "来个"} {
			if t, ok := strings.CutPrefix(bare, p); ok && !strings.HasPrefix(bare, "请问") && !strings.HasPrefix(bare, "请教") {
				bare, cut = t, true
			}
		}
	}
	for _, p := range []string{"简要", "简短", "简洁", "简述", "简略", "扼要", "长话短说"} {
		if strings.HasPrefix(bare, p) || strings.HasSuffix(fillerEndHan(s), p) {
			return true
		}
	}
	for _, p := range []string{"简单"} {
		if t, ok := strings.CutPrefix(bare, p); ok && hasAnyPrefix(t, "总结", "概括", "说", "介绍", "讲", "描述", "解释", "回答") {
			return true
		}
	}
	if asks {
		return false
	}
	for _, w := range hanCompress() {
		if rest, ok := strings.CutPrefix(bare, w); ok && !nounHan(rest) && !thingHan(rest) {
			return true
		}
		// 帮我把 hooks 文档总结一下; 请对 hooks 做个总结
		if t, ok := strings.CutSuffix(fillerEndHan(s), w); ok && t != "" && !thingHan(t) && !subjectHan(t) {
			return true
		}
	}
	return false
}

// fillerEndHan removes polite words and particles from the end of a clause.
func fillerEndHan(s string) string {
	for {
		cut := s
		for _, w := range []string{"一下", "了", "吧", "哦", "啊", "谢谢", "即可", "就行", "就好", "版", "内容", "给我", "下", "后输出", "后返回", "后", "输出", "返回", "地"} {
			cut = strings.TrimSuffix(cut, w)
		}
		if cut == s {
			return s
		}
		s = cut
	}
}

// nounHan reports whether a word for compression and the text after it are a name.
func nounHan(rest string) bool {
	return hasAnyPrefix(rest, "算法", "包", "率", "格式", "级别", "功能", "模型", "方式", "命令", "策略", "机制", "比", "认证", "哈希", "函数", "值",
		"工具", "配置", "设置", "参数", "选项", "阈值", "后的", "技术", "插件", "钩子", "事件", "中间件", "失败", "报错", "错误", "时", "是")
}

// thingHan reports whether a text names something that programs compress.
func thingHan(s string) bool {
	return containsAny(s, "图片", "图像", "文件", "日志", "数据", "视频", "目录", "上下文", "会话", "对话", "历史", "镜像", "响应", "请求", "消息", "缓存", "内存",
		"磁盘", "gzip", "http", "zip", "静态", "资源", "备份", "字符串", "传输")
}

// subjectHan reports whether the text before the last word makes it the name of a feature.
func subjectHan(before string) bool {
	return hasAnySuffix(before, "自动", "手动", "启用", "禁用", "关闭", "开启", "智能", "无损", "有损", "支持", "使用", "配置", "设置", "触发", "语义", "禁止", "和", "与")
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

func hasAnyPrefix(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(s, w) })
}

func hasAnySuffix(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(s, w) })
}
