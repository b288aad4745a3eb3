package xlsx_test

import (
	"testing"

	"docent/pipeline/ingest/parse/xlsx"
)

// Numbers and dates stand in a page as the cell shows them, not as the file has them.
func TestShownNumber(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n          float64
		code, want string
	}{
		{42, "", "42"}, {-0.1, "General", "-0.1"}, {0.30000000000000004, "", "0.3"}, {3.14159265358979, "", "3.141592654"},
		{123456789012, "", "123456789012"}, {1e20, "", "1E+20"}, {0, "0", "0"}, {7, "000", "007"}, {1.005, "0.00", "1.01"},
		{1234567.891, "#,##0.00", "1,234,567.89"}, {-1234.5, "#,##0.00;(#,##0.00)", "(1,234.50)"}, {-5, "0.0", "-5.0"},
		{0.256, "0%", "26%"}, {0.256, "0.0%", "25.6%"}, {12345, "0.00E+00", "1.23E+04"}, {2.5, "0.0##", "2.5"},
		{1500000, `0.0,,"M"`, "1.5M"}, {19.5, `[$€-407]\ #,##0.00`, "€ 19.50"}, {3, `0" pieces"`, "3 pieces"}, {0, `0;-0;"none"`, "none"},
		{5551234, "000-0000", "555-1234"}, {0.5, "# ?/?", "0.5"}, {7, "[>5]0.00;0", "7"}, {-7, `[Red]-0.00;[Blue]0.00`, "7.00"}, {8, "@", "8"},
		{45413, "yyyy-mm-dd", "2024-05-01"}, {45413, "d. mmmm yyyy", "1. May 2024"}, {45413.75, "dd.mm.yy hh:mm", "01.05.24 18:00"},
		{45413.75, "h:mm AM/PM", "6:00 PM"}, {45413, `[$-F800]dddd\,\ mmmm\ dd`, "Wednesday, May 01"}, {0.0625, "[h]:mm", "1:30"},
		{1.5, "[h]:mm:ss", "36:00:00"}, {0.000011574074, "mm:ss.0", "00:01.0"}, {59, "yyyy-mm-dd", "1900-02-28"}, {61, "yyyy-mm-dd", "1900-03-01"},
		{-1, "yyyy-mm-dd", "-1"}, {45413, `"day" d`, "day 1"},
	} {
		if got := xlsx.ShownNumber(tt.n, tt.code, false); got != tt.want {
			t.Errorf("%v in %q is %q, want %q", tt.n, tt.code, got, tt.want)
		}
	}
	if got := xlsx.ShownNumber(0, "yyyy-mm-dd", true); got != "1904-01-01" {
		t.Errorf("the first day of a workbook of 1904 is %q", got)
	}
}
