package uploads

import (
	"strings"
	"testing"
)

// A text that is mostly noise is refused, whatever language the rest is in.
func TestNoise(t *testing.T) {
	t.Parallel()
	const prose = "The wick of the lantern is trimmed every evening before the lamp is lit, and the oil is changed once a month.\n"
	for name, tt := range map[string]struct {
		text string
		ok   bool
	}{
		"prose":     {prose, true},
		"Chinese":   {strings.Repeat("灯在黄昏时点亮之前加满油修剪灯芯它能燃烧九个小时", 5), true},
		"code":      {strings.Repeat("if (a[i] == b) { return f(x, y); }\n", 5), true},
		"rules":     {strings.Repeat("=====-----+++++ x ", 20), false},
		"unread":    {strings.Repeat("\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD a ", 20), false},
		"coded":     {strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZn ", 5), false},
		"short":     {"A lantern.", false},
		"50 in all": {"A lantern has a wick, a globe, a base and a handle", true},
		"49 in all": {"A lantern has a wick, a globe, a base and handles", false},
		"spread":    {strings.Repeat("a"+strings.Repeat(" ", 60)+"\n", 25), false},
		"invisible": {strings.Repeat(" \n\u200b", 100), false},
	} {
		if err := CheckText([]byte(tt.text)); (err == nil) != tt.ok {
			n, noise := measure([]byte(tt.text))
			t.Errorf("%s: %v (%d characters, noise %.2f)", name, err, n, noise)
		}
	}
}
