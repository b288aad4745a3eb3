package dictionary

import (
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"docent/pipeline/question/dictionary/table"
)

func open(t testing.TB, language string) *Dictionary {
	t.Helper()
	d, err := OpenTable(language)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Words that a technical reader uses, with a required one of their first three glosses;
// "" is a function word, "=" a word that is its own gloss.
func TestTechnicalWords(t *testing.T) {
	t.Parallel()
	type word struct{ text, gloss string }
	for _, c := range []struct {
		language, text string
		want           []word
	}{
		{"zh", "如何配置服务器？", []word{{"如何", ""}, {"配置", "configuration"}, {"服务器", "server"}}},
		{"zh", "怎么部署Docker容器", []word{{"怎么", ""}, {"部署", "deploy"}, {"Docker", "="}, {"容器", "container"}}},
		{"zh", "如何创建环境变量", []word{{"如何", ""}, {"创建", "create"}, {"环境", "environment"}, {"变量", "variable"}}},
		{"zh", "建立資料庫的伺服器", []word{{"建立", "establish"}, {"資料庫", "database"}, {"的", ""}, {"伺服器", "server"}}},
		{"zh", "--feature-gates 的默认值", []word{{"--feature-gates", "="}, {"的", ""}, {"默认", "default"}, {"值", "value"}}},
		{"ja", "サーバーの設定", []word{{"サーバー", "server"}, {"の", ""}, {"設定", "setting"}}},
		{"ja", "コンテナを削除する", []word{{"コンテナ", "container"}, {"を", ""}, {"削除", "delete"}, {"する", ""}}},
		{"ja", "環境変数を使って", []word{{"環境", "environment"}, {"変数", "variable"}, {"を", ""}, {"使っ", "use"}, {"て", ""}}},
		{"ru", "Как настроить контейнер?", []word{{"Как", ""}, {"настроить", "configure"}, {"контейнер", "container"}}},
		{"ru", "переменной окружения", []word{{"переменной", "variable"}, {"окружения", "environment"}}},
		{"ru", "развёртывание сервера", []word{{"развёртывание", "deploy"}, {"сервера", "server"}}},
		{"ru", "базы данных", []word{{"базы данных", "database"}}},
		{"de", "die Einstellungen ändern", []word{{"die", ""}, {"Einstellungen", "settings"}, {"ändern", "change"}}},
		{"de", "Konfigurationsdatei", []word{{"Konfigurations", "configuration"}, {"datei", "file"}}},
		{"de", "Umgebungsvariable", []word{{"Umgebungs", "environment"}, {"variable", "variable"}}},
		{"de", "Docker-Container", []word{{"Docker", "docker"}, {"Container", "container"}}},
		{"de", "Aenderung", []word{{"Aenderung", "change"}}},
		{"fr", "le fichier de configuration", []word{{"le", ""}, {"fichier", "file"}, {"de", ""}, {"configuration", "configuration"}}},
		{"fr", "l’utilisateur d'une base de données", []word{{"l", ""}, {"utilisateur", "user"}, {"d", ""}, {"une", ""}, {"base de données", "database"}}},
		{"fr", "mise à jour du répertoire", []word{{"mise à jour", "update"}, {"du", ""}, {"répertoire", "directory"}}},
		{"fr", "repertoire", []word{{"repertoire", "directory"}}},
		{"es", "archivo de configuración", []word{{"archivo de configuración", "configuration file"}}},
		{"es", "la contraseña del servidor", []word{{"la", ""}, {"contraseña", "password"}, {"del", ""}, {"servidor", "server"}}},
		{"es", "configuracion", []word{{"configuracion", "configuration"}}},
		{"pt", "a senha do servidor", []word{{"a", ""}, {"senha", "password"}, {"do", ""}, {"servidor", "server"}}},
		{"pt", "arquivos", []word{{"arquivos", "file"}}},
		{"it", "la password dell'utente", []word{{"la", ""}, {"password", "password"}, {"dell", ""}, {"utente", "user"}}},
		{"it", "impostazioni del contenitore", []word{{"impostazioni", "settings"}, {"del", ""}, {"contenitore", "container"}}},
		{"ko", "서버를 설정하려면", []word{{"서버", "server"}, {"를", ""}, {"설정", "set"}, {"하려면", ""}}},
		{"ko", "데이터베이스의 파일", []word{{"데이터베이스", "database"}, {"의", ""}, {"파일", "file"}}},
	} {
		got := open(t, c.language).SplitWords(c.text)
		if len(got) != len(c.want) {
			t.Errorf("%s %q: %v", c.language, c.text, got)
			continue
		}
		for i, w := range c.want {
			g := got[i]
			first := g.Glosses[:min(3, len(g.Glosses))]
			ok := g.Text == w.text
			switch w.gloss {
			case "":
				ok = ok && g.Stop && g.Glosses == nil
			case "=":
				ok = ok && !g.Stop && g.Glosses == nil
			default:
				ok = ok && !g.Stop && slices.ContainsFunc(first, func(g Gloss) bool {
					return strings.HasPrefix(g.Text, w.gloss) // files for file
				})
			}
			if !ok {
				t.Errorf("%s %q: word %d is %+v, not %v", c.language, c.text, i, g, w)
			}
		}
	}
}

// Traditional and simplified characters find the same entries.
func TestTraditional(t *testing.T) {
	t.Parallel()
	d := open(t, "zh")
	for _, pair := range [][2]string{{"數據庫", "数据库"}, {"網絡", "网络"}, {"創建", "创建"}, {"環境變量", "环境变量"}, {"刪除", "删除"}, {"著名", "著名"}} {
		a, b := d.SplitWords(pair[0]), d.SplitWords(pair[1])
		if len(a) != len(b) {
			t.Errorf("%s: %v, %s: %v", pair[0], a, pair[1], b)
			continue
		}
		for i := range a {
			if !slices.Equal(a[i].Glosses, b[i].Glosses) || len(a[i].Glosses) == 0 {
				t.Errorf("%v is not %v", a[i], b[i])
			}
		}
	}
}

// Every gloss is a search term: one to three words of Latin script, no remarks,
// with weights that fall from 1.
func TestGlossesAreTerms(t *testing.T) {
	t.Parallel()
	for _, language := range Languages() {
		d := open(t, language)
		for id := range d.table.Len() {
			glosses := d.table.Glosses(id)
			if len(glosses) == 0 || len(glosses) > maxGlosses || glosses[0].Weight != 1 {
				t.Errorf("%s %q: %v", language, d.table.Key(id), glosses)
			}
			for i, g := range glosses {
				words := strings.Fields(g.Text)
				if len(words) < 1 || len(words) > 3 || strings.ContainsAny(g.Text, "()[]{};,/|:") || strings.HasPrefix(g.Text, "to ") || g.Weight <= 0 || i > 0 && g.Weight > glosses[i-1].Weight {
					t.Errorf("%s %q: %v", language, d.table.Key(id), g)
				}
			}
		}
	}
}

// The licences ask that they travel with the tables.
func TestLicences(t *testing.T) {
	t.Parallel()
	languages := Languages()
	if len(languages) == 0 {
		t.Fatal("no tables")
	}
	for _, language := range languages {
		l := License(language)
		if !strings.Contains(l, language+".dict") || !strings.Contains(strings.ToLower(l), "copyright") && !strings.Contains(l, "property of") {
			t.Errorf("tables/%s.LICENSE does not say whose work %s.dict is", language, language)
		}
		named := 0
		for _, text := range []string{"Apache-2.0.txt", "CC-BY-4.0.txt", "CC-BY-2.0-FR.txt", "ISC-iD.txt", "MIT-docs.txt", "MIT-vscode.txt",
			"MIT-jieba.txt", "NAIST-2003.txt", "Unicode-3.0.txt", "WordNet.txt"} {
			if strings.Contains(l, text) {
				named++
				if b, err := fs.ReadFile(tables, "tables/"+text); err != nil || len(b) < 300 {
					t.Errorf("%s names %s, which is not there", language, text)
				}
			}
		}
		if named < 2 {
			t.Errorf("tables/%s.LICENSE does not name its licence and that of the added terms", language)
		}
		if open(t, language).table.Source == "" {
			t.Errorf("%s does not say what it was made from", language)
		}
	}
	if License("xx") != "" {
		t.Error("a licence of no table")
	}
}

func TestNoTable(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"", "xx", "../zh", "zh.LICENSE"} {
		if _, err := OpenTable(language); !errors.Is(err, ErrLanguage) {
			t.Errorf("%q: %v", language, err)
		}
	}
	if _, err := ReadTable("no table"); err == nil {
		t.Error("no table was read")
	}
}

// A table of another version, a cut one, one with something behind it and that of another
// language are refused, wherever they are cut.
func TestTablesThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, language := range Languages() {
		data, err := readTable(language)
		if err != nil {
			t.Fatal(err)
		}
		refuse := func(what, data string) {
			if _, err := openAs(language, data); !errors.Is(err, table.ErrFormat) || !strings.Contains(err.Error(), "dictionary "+language) {
				t.Errorf("%s, %s: %v", language, what, err)
			}
		}
		refuse("nothing", "")
		refuse("another version", strings.Replace(data, "docent/dict/1", "docent/dict/2", 1))
		refuse("a letter", "This is a letter to the editor, and no table.")
		refuse("something behind it", data+"\n")
		for k := range 64 {
			refuse("cut", data[:k*len(data)/64])
		}
		refuse("its last byte", data[:len(data)-1])
		for _, other := range Languages() {
			if other == language {
				continue
			}
			data, err := readTable(other)
			if err != nil {
				t.Fatal(err)
			}
			refuse("that of "+other, data)
		}
	}
}

func check(t interface{ Fatalf(string, ...any) }, d *Dictionary, text string) {
	end := 0
	for _, w := range d.SplitWords(text) {
		if w.Span[0] < end || w.Span[1] <= w.Span[0] || w.Span[1] > len(text) || w.Text != text[w.Span[0]:w.Span[1]] || utf8.ValidString(text) && !utf8.ValidString(w.Text) {
			t.Fatalf("%s %q: %+v after %d", d.language, text, w, end)
		}
		if w.Stop && w.Glosses != nil {
			t.Fatalf("%s %q: a function word with glosses: %+v", d.language, text, w)
		}
		end = w.Span[1]
	}
}

// Words lie in the text, in order, whatever the text is.
func TestWordsLieInTheText(t *testing.T) {
	t.Parallel()
	all := dictionaries(t)
	pieces := rapid.SampledFrom([]string{"配置", "務", "の", "サーバ", "ー", "ß", "Konfigurations", "l'", "’", "-", "--", "é", "e\u0301", "\u0301", "ё", " ", "\x00", "\xff", "\xe9\x85", "👍🏽", "a", "1", ".", "::", "+", "++", "_", "ſ", "İ", "ﬀ", "\u00ad", "𠮷"})
	rapid.Check(t, func(t *rapid.T) {
		var text string
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			text = string(rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "bytes"))
		case 1:
			text = rapid.String().Draw(t, "text")
		default:
			text = strings.Join(rapid.SliceOfN(pieces, 0, 20).Draw(t, "pieces"), "")
		}
		for _, d := range all {
			check(t, d, text)
		}
	})
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"如何创建", "l'été", "Konfigurationsdatei", "\xff\xfe", "a'-'b", "ééé-"} {
		f.Add(s)
	}
	all := dictionaries(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		for _, d := range all {
			check(t, d, text)
		}
	})
}

func dictionaries(t testing.TB) []*Dictionary {
	var all []*Dictionary
	for _, l := range Languages() {
		all = append(all, open(t, l))
	}
	return all
}

// endless are words that do not end, of n bytes.
func endless(n int) []string {
	var out []string
	for _, s := range []string{"a-", "l'", "einrich", "配置服务器", "schnittzxq "} {
		out = append(out, strings.Repeat(s, n/len(s)))
	}
	return out
}

// A word of thirty thousand hyphens once took a minute: each rest of it was looked
// up as a word. BenchmarkEndlessWords reports whether the work is linear.
func TestEndlessWords(t *testing.T) {
	t.Parallel()
	for _, d := range dictionaries(t) {
		for _, s := range endless(24_000) {
			check(t, d, s)
		}
	}
}

// BenchmarkEndlessWords reports how many times as long a text takes that is eight
// times as long: x-time is about 8, and 64 where the work is quadratic.
func BenchmarkEndlessWords(b *testing.B) {
	const times = 8
	for _, d := range dictionaries(b) {
		b.Run(d.language, func(b *testing.B) {
			long, short := endless(24_000), endless(24_000/times)
			var all, part time.Duration
			for b.Loop() {
				for i := range long {
					begin := time.Now()
					d.SplitWords(short[i])
					middle := time.Now()
					d.SplitWords(long[i])
					part, all = part+middle.Sub(begin), all+time.Since(middle)
				}
			}
			b.ReportMetric(float64(all)/float64(part), "x-time")
		})
	}
}

// Several goroutines may share a Dictionary.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	d := open(t, "de")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				check(t, d, "Konfigurationsdateipfad der Umgebungsvariablen einrichten")
			}
		})
	}
	group.Wait()
}

// A dictionary is opened for one question: it may take 50 ms and 20 MB, and
// takes much less.
func TestHeap(t *testing.T) {
	const most = 20 << 20
	for _, language := range Languages() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		d := open(t, language)
		d.SplitWords("如何配置 сервер Konfigurationsdatei")
		runtime.GC()
		runtime.ReadMemStats(&after)
		if n := int64(after.HeapAlloc) - int64(before.HeapAlloc); n > most {
			t.Errorf("%s holds %d bytes", language, n)
		}
		runtime.KeepAlive(d)
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, language := range Languages() {
		b.Run(language, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				open(b, language)
			}
		})
	}
}

func BenchmarkWords(b *testing.B) {
	for _, c := range []struct{ language, text string }{
		{"zh", "如何在集群中配置服务器的环境变量并部署容器？"},
		{"ja", "クラスターでサーバーの環境変数を設定してコンテナを起動する方法"},
		{"ru", "Как настроить переменные окружения сервера и развернуть контейнер в кластере?"},
		{"de", "Wie richte ich die Umgebungsvariablen des Servers ein und stelle Container im Cluster bereit?"},
		{"fr", "Comment configurer les variables d'environnement du serveur et déployer un conteneur ?"},
		{"es", "¿Cómo configurar las variables de entorno del servidor y desplegar un contenedor?"},
		{"pt", "Como configurar as variáveis de ambiente do servidor e implantar um contêiner?"},
		{"ko", "서버의 환경 변수를 설정하고 컨테이너를 배포하려면 어떻게 하나요?"},
		{"it", "Come configurare le variabili d'ambiente del server e distribuire un contenitore?"},
	} {
		d := open(b, c.language)
		b.Run(c.language, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d.SplitWords(c.text)
			}
		})
	}
}

// License says whose work a language's table is and under which licence; "" if
// there is no table.
func License(language string) string {
	b, err := tables.ReadFile("tables/" + language + ".LICENSE")
	if err != nil {
		return ""
	}
	return string(b)
}
