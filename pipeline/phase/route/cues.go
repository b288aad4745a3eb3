package route

import (
	"strings"
	"sync"

	"docent/pipeline/contract"
)

// cue is evidence for a scene and, if intent is not "", for an intent. It counts once,
// however many of its words are in the question. English words match whole words, with
// "^" only at the start; Chinese words match anywhere.
//
// The weights are set by hand: 1 is weak, 2 decides without other cues, 3 decides
// against one other cue. Troubleshooting beats "how" ("how do I fix"), an identifier
// beats "what" ("what does --x do").
type cue struct {
	scene, intent string
	weight        float64
	intentWeight  float64 // for the intent; 0: weight
	words         []string
	shape         func(subject) string
}

var cues = sync.OnceValue(func() []cue {
	const (
		fact, tutorial, api, trouble                        = contract.SceneFactLookup, contract.SceneTutorial, contract.SceneAPIReference, contract.SceneTroubleshooting
		parameter, configuration, procedure, warns, general = contract.IntentParameter, contract.IntentConfiguration, contract.IntentProcedure, contract.IntentWarning, contract.IntentGeneral
	)
	return []cue{
		// How something is done.
		{scene: tutorial, intent: procedure, weight: 2, intentWeight: 0.4, shape: asksHow},
		{scene: tutorial, intent: procedure, weight: 2, words: list("how do i|how do you|how do we|how can i|how can we|how can you|how to|how should i|how would i|show me how|steps to|walk me through|step by step|how does one")},
		{scene: tutorial, intent: procedure, weight: 2, words: list("如何|怎么|怎样|步骤|教程|流程|入门|上手|怎么用")},
		{scene: tutorial, intent: procedure, weight: 2, words: list("tutorial|walkthrough|quick start|quickstart|getting started|get started|guide|example of|examples of|learn")},
		{scene: tutorial, intent: procedure, weight: 2, words: list("^is there a way|^is there any way|^is it possible|^are there ways")},
		{scene: tutorial, intent: procedure, weight: 1, words: list("^how|^can i|can i|is it possible to|best way to|set up|setting up|setup")},
		{scene: tutorial, intent: procedure, weight: 1.5, words: list("^create|^creating|^add|^adding|^install|^installing|^build|^building|^deploy|^deploying|^run|^running|^use|^using|^upgrade|^upgrading|^migrate|^migrating|^remove|^delete|^write|^make|^start|^connect|^set up|^setting up|^managing|^manage|^scale|^scaling|^drain|^draining|^expose|^generate|^update|^updating|^publish|^customize|^extend|^implement|^implementing|^define|^test|^encrypt")},
		{scene: tutorial, intent: procedure, weight: 1.5, words: list("创建|安装|部署|升级|迁移|搭建|构建|编写|新建|删除|移除|添加|管理|运行|使用|扩缩|发布|生成|连接|导出|导入")},
		{scene: tutorial, intent: configuration, weight: 1.2, intentWeight: 2.6, words: list("configure|configuring|configurable|enable|enabling|disable|disabling|turn on|turn off|customize|customise|override")},
		{scene: tutorial, intent: configuration, weight: 2.2, intentWeight: 2.6, words: list("配置|设置|启用|禁用|开启|关闭|自定义")},
		{scene: fact, intent: configuration, weight: 1.4, words: list("configuration|config|configs|settings|setting|settings.json|config file|preferences|environment variables|configure|configuring|enable|disable")},

		// What something is.
		{scene: fact, intent: general, weight: 2, shape: asksWhatIs},
		{scene: fact, intent: general, weight: 4, shape: asksWhatDiffers},
		{scene: fact, intent: general, weight: 2, words: list("^what is|^what are|^what's|^what's the|what is the difference|difference between|^which|^who|^when|^where|^does|^do|^is|^are|definition of|meaning of|explain|overview|^should i|^will")},
		{scene: fact, intent: general, weight: 2, words: list("什么是|是什么|有哪些|哪些|哪个|区别|什么时候|是否|概述|概念|介绍|含义|意思|支持哪|多少|哪里|谁")},
		{scene: fact, intent: general, weight: 1.5, words: list("^how are|^how is|^how does|^how did|^how big|^how large|^how deep|^how far|^how fast|^how high")},
		{scene: fact, intent: general, weight: 1, shape: asksAmount},
		{scene: fact, intent: general, weight: 1, words: list("^what|^why|^how many|^how much|^how long|compare|versus|vs|difference|list of|concepts|architecture|pricing|limits|supported")},
		{scene: fact, intent: general, weight: 1, words: list("为什么|对比|比较|架构|原理|限额")},

		// Parameters, flags, interfaces.
		{scene: api, intent: parameter, weight: 3, shape: asksForName},
		{scene: api, intent: parameter, weight: 2, shape: asksOfName},
		{scene: api, intent: parameter, weight: 2.5, shape: endpoint},
		{scene: api, intent: parameter, weight: 1.2, shape: asksForList},
		{scene: api, weight: 2, words: list("有哪些选项|有哪些参数|有哪些字段|有哪些属性|有哪些方法|有哪些标志|支持哪些选项|支持哪些参数|可用的选项")},
		{scene: api, intent: parameter, weight: 3, shape: asksWhatCodeDoes},
		{scene: api, intent: parameter, weight: 5, shape: asksWhatNameDoes},
		{scene: api, intent: parameter, weight: 2.5, shape: flag},
		{scene: api, intent: parameter, weight: 1.8, shape: identifier},
		{scene: api, intent: parameter, weight: 1.7, words: list("parameter|parameters|argument|arguments|flag|flags|option|options|field|fields|default value|default values|return value|returns|return type|data type|valid values|allowed values|accepted values|attribute|attributes|property|properties|syntax|exit code|exit codes|status codes|enum|enum values|optionen|argumente|paramètre|paramètres|parámetro|parámetros|argumentos|параметр|параметры|параметров|аргументы|флаги|опции")},
		{scene: api, intent: parameter, weight: 2.2, words: list("参数|选项|字段|默认值|返回值|取值|属性|标志|语法|数据类型|退出码|状态码|引数|オプション|戻り値|パラメータ")},
		{scene: api, weight: 1.8, words: list("api|api reference|reference|method|methods|function|functions|endpoint|endpoints|class|interface|signature|schema|sdk|json schema|specification|spec")},
		{scene: api, weight: 2, words: list("接口|函数|方法签名|端点|参考|参考手册|规约|规范")},
		{scene: api, intent: parameter, weight: 1.5, words: list("环境变量|environment variable|env var|env vars")},

		// Trouble. The words alone may be a part of a name ("error handling"); whether
		// something goes wrong is what package kind reads.
		{scene: trouble, intent: warns, weight: 4.5, shape: goesWrong},
		{scene: trouble, intent: warns, weight: 3, shape: isPasted},
		{scene: trouble, intent: warns, weight: 1.5, words: list("error|errors|exception|exceptions|fails|failed|failing|failure|failures|fail|not working|doesn't work|does not work|don't work|isn't working|not work|won't start|won't work|crash|crashes|crashed|crashing|broken|stuck|hangs|hang|troubleshoot|troubleshooting|debug|debugging|timed out|timeout error|permission denied|access denied|connection refused|not found|cannot connect|can't connect|unable to|cannot|can't|couldn't|won't|traceback|stack trace|panic|segfault|oomkilled|crashloopbackoff|imagepullbackoff|errimagepull|unexpected|wrong|problem with|problems with|issue with|issues with|common issues|known issues|fix|resolve|not showing|not loading|missing|ignored|no effect|refused")},
		{scene: trouble, intent: warns, weight: 1.5, words: list("报错|错误|失败|异常|出错|不工作|不生效|无法|不能|崩溃|卡住|卡死|故障|排查|排错|排除|超时|拒绝|找不到|没反应|没有反应|解决|修复|问题排|怎么办|不起作用|调试|丢失")},
		{scene: trouble, intent: warns, weight: 1.5, words: list("^why does|^why is|^why are|^why do|^why did|^why can't|^why won't|^why doesn't|^why isn't|why is my|why does my|为什么")},
		// Warnings: what may go wrong, before it does.
		{scene: fact, intent: warns, weight: 2.5, words: list("warning|warnings|caution|deprecated|deprecation|risk|risks|dangerous|unsafe|caveat|caveats|pitfalls|gotchas|limitations|known limitations|safe to|security risk|breaking change|breaking changes|data loss|vulnerability|vulnerabilities")},
		{scene: fact, intent: warns, weight: 2.5, words: list("警告|注意事项|弃用|废弃|风险|危险|不安全|限制条件|陷阱|破坏性变更|漏洞|注意什么")},

		// A longer statement that asks nothing describes a thing.
		{scene: fact, intent: general, weight: 1, shape: statement},
	}
})

func list(s string) []string { return strings.Split(s, "|") }
