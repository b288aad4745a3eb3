package parameters_test

import (
	"testing"

	"docent/pipeline/knowledge/parameters"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, asked string
		want        parameters.Precision
	}{
		{"--wick", "--wick", parameters.Same},
		{"LAMP_OIL", "lamp_oil", parameters.Case},
		{"--Wick", "wick", parameters.Bare},
		{"wick", "--wick", parameters.Bare},
		{"timeoutSeconds", "timeout_seconds", parameters.Spelling},
		{"--max-wicks", "maxWicks", parameters.Spelling},
		{"spec.replicas", "replicas", parameters.Component},
		{"replicas", "spec.replicas", parameters.Component},
		{"spec.replicas", "status.replicas", parameters.None},
		{"spec.replicas", "licas", parameters.None},
		{"auto_vacuum", "auto*", parameters.Pattern},
		{"--autoUpdate", "AUTO*", parameters.Pattern},
		{"oil.auto", "auto*", parameters.None},
		{"oil.auto", "*.auto", parameters.Pattern},
		{"a*b", "a*b", parameters.Same},
		{"wick", "*", parameters.Pattern},
		{"wick", "w*c*x", parameters.None},
		{"a.b", "ab", parameters.None},
		{"wick", "", parameters.None},
		{"--", "-", parameters.None},
		{"灯.油", "油", parameters.Component},
	} {
		if got := parameters.MatchName(tt.name, tt.asked); got != tt.want {
			t.Errorf("%q, asked for %q: %v, want %v", tt.name, tt.asked, got, tt.want)
		}
	}
}
