package parameters

import (
	"strings"
	"unicode"

	"docent/pipeline/text/pattern"
)

// Words of headings, of headers of tables and of the text before a list, in the languages
// of the dictionaries. Headings of columns are compared whole, in lower case.
var (
	// nameColumn are columns that hold parameters, whatever they hold besides.
	nameColumn = pattern.Lazy(`^(?:(?:(?:cli |command[- ]line |configuration |config |input |query |path |request |environment |env(?:\.|ironment)? )?(?:parameter|option|flag|setting|field|property|properties|argument|arg|variable|var|key|attribute|prop|directive)s?(?: names?)?)|env|env vars?|参数|参数名|参数名称|选项|字段|字段名|变量|变量名|属性|属性名|配置项|环境变量|键|標誌|标志|設定|設定項目|設定名|パラメータ|パラメーター|パラメータ名|オプション|フィールド|変数|環境変数|プロパティ|キー|引数|option(?:en)?|feld|variablen?|einstellung(?:en)?|eigenschaft(?:en)?|schlüssel|umgebungsvariablen?|paramètres?|champs?|clés?|réglages?|propriétés?|variables? d'environnement|parámetros?|opci(?:ón|ones)|campos?|claves?|propiedad(?:es)?|ajustes?|variables? de entorno|параметры?|опци[яи]|пол[ея]|переменн(?:ая|ые)|переменн(?:ая|ые) окружения|ключи?|свойств[оа]|настройк[аи]|флаги?)$`)
	// plainName are columns that may hold names of anything.
	plainName      = pattern.Lazy(`^(?:names?|名称|名前|名|имя|название|nombre|nom|config)$`)
	typeColumn     = pattern.Lazy(`^(?:(?:data |value )?types?|类型|型別|類型|数据类型|型|タイプ|データ型|typ|datentyp|tipos?|тип)$`)
	defaultColumn  = pattern.Lazy(`^(?:defaults?(?: values?)?|默认|默认值|預設|預設值|デフォルト|デフォルト値|既定値|初期値|standard|standardwert|vorgabe|voreinstellung|(?:valeur )?par défaut|défaut|(?:valor )?(?:predeterminado|por defecto)|(?:значение )?по умолчанию)$`)
	requiredColumn = pattern.Lazy(`^(?:(?:is )?(?:required|mandatory)\??|required/optional|必填|必需|是否必需|是否必填|必选|必須|erforderlich|pflicht|requis|obligatoire|obligatorio|requerido|обязательный|обязательно)$`)
	describing     = pattern.Lazy(`^(?:descriptions?|purpose|meaning|details?|explanation|effect|what it (?:does|controls|is)|usage|notes?|描述|说明|說明|説明|含义|作用|意味|beschreibung|bedeutung|zweck|descripción|significado|signification|описание|назначение)$`)
	// otherColumn are columns whose names in code are no parameters.
	otherColumn = pattern.Lazy(`\b(?:commands?|subcommands?|files?|paths?|locations?|events?|hooks?|tools?|status|codes?|errors?|methods?|functions?|class(?:es)?|packages?|modules?|versions?|models?|shortcuts?|keystrokes?|examples?|values?|urls?|endpoints?|images?|branches|platforms?|labels?|releases?|apis?|verbs?|resources?|groups?|users?|roles?|types?|kinds?|formats?|states?|actions?|patterns?|operators?|rules?|syntax|symbols?|characters?|components?|domains?|hosts?|ports?|providers?|features?|metrics?|topics?|tags?)\b`)
	// stating begins a line that says of a heading's parameter what a table's columns say.
	stating = pattern.Lazy(`(?i)^(type|data type|default|default value|defaults? to|required|类型|默认|默认值|必填|型|タイプ|デフォルト|デフォルト値|typ|standard|standardwert|par défaut|tipo|por defecto|тип|по умолчанию)\s*[:：]\s*`)
	// passing is a paragraph that says something of the page and not of the parameter.
	passing = pattern.Lazy(`(?i)^(?:new in version|added in|changed in version|since version|available since|deprecated since)\b[^.]*\.?$`)
	// deprecating is a note that says that a parameter is to be used no more.
	deprecating = pattern.Lazy(`(?i)\bdeprecat|\bobsolete|\bno longer\b|弃用|废弃|非推奨|廃止|veraltet|obsolèt|déprécié|obsolet|устарел`)
)

// announces reports whether a heading, or what leads to a list, says that parameters follow.
func announces(s string) bool {
	if len(s) > 1000 {
		return false
	}
	s = strings.ToLower(s)
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < 0x80
	}
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch w {
		case "parameter", "parameters", "option", "options", "flag", "flags", "setting", "settings", "field", "fields", "property", "properties", "argument", "arguments", "variable", "variables", "attributes",
			"einstellungen", "optionen", "eigenschaften", "umgebungsvariablen", "paramètres", "réglages", "propriétés", "parámetros", "opciones", "ajustes", "propiedades", "campos":
			return true
		}
	}
	if ascii {
		return false
	}
	for _, w := range [...]string{"参数", "选项", "字段", "变量", "属性", "配置项", "パラメータ", "オプション", "フィールド", "環境変数", "プロパティ", "設定項目", "параметр", "опци", "поле", "поля", "переменн", "свойств", "настройк"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// isYes reports whether a cell under "required" says so.
func isYes(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, w := range [...]string{"y", "true", "required", "mandatory", "always", "✓", "✔", "✅", "x", "是", "必", "はい", "○", "ja", "oui", "sí", "si", "да"} {
		if s == w || len(w) > 1 && strings.HasPrefix(s, w) {
			return true
		}
	}
	return s == "yes" || strings.HasPrefix(s, "yes")
}
