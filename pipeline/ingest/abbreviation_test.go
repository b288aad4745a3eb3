package ingest

import (
	"fmt"
	"strings"
	"testing"
)

func TestAbbreviations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"The wick trimming order (WTO) is kept.":          "WTO=wick trimming order",
		"A LampVolumeClaim (LVC) asks for oil.":           "LVC=LampVolumeClaim",
		"Each keeper has a WTO (wick trimming order).":    "WTO=wick trimming order",
		"Lamp oil certificates (LOCs) expire.":            "LOCs=Lamp oil certificates",
		"Role-based lamp access (RBLA, or access) is on.": "RBLA=Role-based lamp access",
		"glass-enclosed lamp (GEL) and oil lamp (OL)":     "GEL=glass-enclosed lamp OL=oil lamp",
		"The lamp's own registry 2 (LOR2) lists them.":    "LOR2=lamp's own registry 2",
		"Ångström lamp unit (ÅLU)":                        "ÅLU=Ångström lamp unit",
		"| lantern kept lit\t(LKL) |":                     "", // another cell
		"It is off by default. (NOTE) Keep it so.":        "",
		"Trim it (see WTO) at noon.":                      "",
		"Call wick() and (wick)":                          "",
		"the name of the lamp (LAMP)":                     "", // no abbreviation of itself
		"the port (NFS)":                                  "",
		"It is lit (OFF).":                                "",
		"spec.lampRef (LampRef)":                          "",
		"(WTO) stands alone, (":                           "",
		"()) (( ) (\xff\xfe) \xff(AB)":                    "",
		strings.Repeat("a", 5000) + " bright candle (BC)": "BC=bright candle",
		strings.Repeat("b c ", 5000) + "(BCBCBCBCBCBCBC)": "",
		"灯塔 (DT)": "",
		"the long <b>wick</b> trimming order\x1b[31m (WTO)":   "WTO=wick trimming order\x1b[31m"[:0],
		"every keeper that is at this harbour today may (EK)": "",
	} {
		var got []string
		for _, a := range abbreviations(text) {
			got = append(got, fmt.Sprintf("%s=%s", a.Short, a.Long))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%.60q: %q, want %q", text, s, want)
		}
	}
}
