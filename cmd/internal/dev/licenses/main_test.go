package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"docent/cmd/internal/licenses"
)

// NOTICE is the same as the notice in the binary. make licenses-check compares both
// with the linked modules, which it needs for that.
func TestNoticeIsTheBinarys(t *testing.T) {
	t.Parallel()
	root, err := os.ReadFile("../../../../" + noticePath)
	if err != nil || string(root) != licenses.Notice() {
		t.Errorf("NOTICE and the binary's notice differ, %v", err)
	}
}

// An unknown licence text is an error.
func TestIdentify(t *testing.T) {
	t.Parallel()
	const mit = "Permission is hereby granted,\n  free of charge, to any person obtaining a copy of this software"
	const bsd = "Redistribution and use in source and binary forms, with or without modification, are permitted"
	for _, tt := range []struct {
		text string
		want []string
	}{
		{mit, []string{"MIT"}},
		{bsd, []string{"BSD-2-Clause"}},
		{bsd + "\nNeither the name of the author", []string{"BSD-3-Clause"}},
		{"Apache License, Version 2.0\n" + mit, []string{"Apache-2.0", "MIT"}},
		{"All rights reserved.", nil},
		{"", nil},
	} {
		got, err := identify(tt.text)
		if !slices.Equal(got, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("%.40q is %v, %v; want %v", tt.text, got, err, tt.want)
		}
	}
}

// The list of parts in the binary can be parsed, and each part has a licence text.
func TestPartsAndTexts(t *testing.T) {
	t.Parallel()
	parts := licenses.ListParts()
	kinds := map[string]int{}
	for _, p := range parts {
		kinds[p.Kind]++
		if p.License == "" {
			t.Errorf("%s has no licence", p.Name)
		}
		if strings.Contains(p.License, "GPL") || strings.Contains(p.License, "BY-SA") {
			t.Errorf("%s is under %s: an MIT program cannot be passed on with it as one", p.Name, p.License)
		}
	}
	if kinds["program"] != 1 || kinds["data"] < 7 || kinds["module"] < 40 {
		t.Errorf("parts by kind: %v", kinds)
	}
	all, err := licenses.LicenceTexts()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Attribution 4.0 International", "Apache License", "The Go Authors", "the docent authors"} {
		if !strings.Contains(all, want) {
			t.Errorf("the texts lack %q", want)
		}
	}
	for _, p := range parts {
		if !strings.Contains(all, p.Name+"\n") {
			t.Errorf("no text is for %s", p.Name)
		}
	}
}
