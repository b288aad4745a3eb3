package query

import (
	"testing"

	"docent/pipeline/contract"
)

func TestParameterName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		c    contract.Context
		name string
		sure bool
	}{
		{contract.Context{Kind: contract.KindLookup, Subjects: []string{"`--wick`"}}, "--wick", true},
		{contract.Context{Intent: contract.IntentParameter, Subjects: []string{"oil"}}, "oil", false},
		{contract.Context{Kind: contract.KindLookup, Subjects: []string{"--wick", "--oil"}}, "", false},
		{contract.Context{Kind: contract.KindLookup, Subjects: []string{"the oil"}}, "", false},
		{contract.Context{Kind: contract.KindLookup, Subjects: []string{"wick*"}}, "", false},
		{contract.Context{Kind: contract.KindLookup, Subjects: []string{"wick"}, Parts: []string{"a", "b"}}, "", false},
		{contract.Context{Kind: contract.KindComparison, Subjects: []string{"wick"}}, "", false},
		{contract.Context{Kind: contract.KindLookup}, "", false},
		{contract.Context{Kind: contract.KindLookup, Subjects: []string{"lampOil"}, Question: "what is the default value of lampOil in the harbour lamp?"}, "lampOil", true},
		{contract.Context{Kind: contract.KindLookup, Subjects: []string{"lampOil"}, Question: "lampOil 的默认值是多少"}, "lampOil", true},
		{contract.Context{Kind: contract.KindLookup, Subjects: []string{"lampOil"}, Question: "lampOil harbour timeout default seconds"}, "", false},
	} {
		if name, sure := ParameterName(&tt.c); name != tt.name || sure != tt.sure {
			t.Errorf("%+v: %q, %v", tt.c, name, sure)
		}
	}
	if name, _ := ParameterName(nil); name != "" {
		t.Errorf("nothing asks for %q", name)
	}
}
