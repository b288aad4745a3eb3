package letters

import (
	"strings"
	"testing"
)

func TestLanguage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Knoten sicher leeren":               "de",
		"Geheimnisse verschlüsselt ablegen":  "de",
		"créer une sauvegarde chiffrée":      "fr",
		"Almacenamiento persistente":         "es",
		"armazenar senhas criptografadas":    "pt",
		"eliminare gli oggetti inutilizzati": "it",
		"drain nodes safely":                 "en",
		"kubelet config file":                "en",
		"Certificate rotation":               "en",
		"":                                   "en",
		"--feature-gates":                    "en",
		"🎉 123":                              "en",
		strings.Repeat("container ", 10000):  "en",
	} {
		if got := Language(text); got != want {
			t.Errorf("Language(%.40q) = %s, want %s", text, got, want)
		}
	}
}

// A table that is cut off or made of rubbish gives English or another language
// of the list; it does not panic.
func TestBrokenTable(t *testing.T) {
	t.Parallel()
	for n := 0; n < len(table); n += 997 {
		LanguageBy(table[:n], "Knoten sicher leeren")
	}
	LanguageBy(strings.Repeat("x", 1000), "Knoten")
}

func TestTable(t *testing.T) {
	t.Parallel()
	row := KeyBytes + len(Languages()) + 1
	if len(table)%row != 0 {
		t.Fatalf("%d bytes are no rows of %d", len(table), row)
	}
	for i := row; i < len(table); i += row {
		if table[i-row:i-row+KeyBytes] >= table[i:i+KeyBytes] || table[i+row-1] != '\n' {
			t.Fatalf("row %d is out of order", i/row)
		}
	}
}
