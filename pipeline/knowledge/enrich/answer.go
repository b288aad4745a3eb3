package enrich

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxAnswer is the greatest length of a model's answer, in bytes. What the schema allows
// is shorter, whatever the letters.
const maxAnswer = 256 << 10

// mostListed is how many items of a list are read. Items beyond maxItems are cut; a
// longer list than this is not a serious answer.
const mostListed = 1000

// Answer is a model's answer. The identity of the section, and whether something was cut,
// are not the model's to say.
type Answer struct{ Enrichment }

// UnmarshalJSON is Parse.
func (a *Answer) UnmarshalJSON(raw []byte) error {
	e, err := ParseAnswer(raw)
	a.Enrichment = e
	return err
}

// Check is there for package model; Parse has checked.
func (a *Answer) Check() error { return nil }

// ParseAnswer reads a model's answer, strictly: keys and types are the schema's, nothing is
// there twice. Texts are cleaned and cut. The error is a *Rejected.
func ParseAnswer(raw []byte) (Enrichment, error) {
	e := Enrichment{Audience: mixed}
	if len(raw) > maxAnswer {
		return e, rejectedAnswer("", TooLarge, "it has %d bytes, at most %d are taken", len(raw), maxAnswer)
	}
	fields, err := readObject("", raw)
	if err != nil {
		return e, err
	}
	for _, f := range fields {
		switch f.key {
		case "summary":
			e.Summary, err = decodeText(f.key, f.value)
		case "key_concepts":
			e.KeyConcepts, err = decodeTexts(f.key, f.value)
		case "prerequisites":
			e.Prerequisites, err = decodeTexts(f.key, f.value)
		case "warnings":
			e.Warnings, err = decodeTexts(f.key, f.value)
		case "related_topics":
			e.RelatedTopics, err = decodeTexts(f.key, f.value)
		case "parameters":
			e.Parameters, err = parameterList(f.value)
		case "code_examples":
			err = decodeValue(f.key, f.value, &e.CodeExamples, "true or false")
		case "audience":
			if e.Audience, err = decodeText(f.key, f.value); err == nil && !slices.Contains(audiences(), e.Audience) {
				err = rejectedAnswer(f.key, Value, "%.40q is none of %s", e.Audience, strings.Join(audiences(), ", "))
			}
		case "span_id", "truncated":
			err = rejectedAnswer(f.key, UnknownKey, "it is not a model's to say")
		default:
			err = rejectedAnswer(joinPath("", f.key), UnknownKey, "the schema has no such key")
		}
		if err != nil {
			return Enrichment{}, err
		}
	}
	e.limitFields()
	if e.Summary == "" {
		return Enrichment{}, rejectedAnswer("summary", Missing, "there is none")
	}
	return e, nil
}

// field is a key of an object with its value.
type field struct {
	key   string
	value json.RawMessage
}

// readObject reads an object. encoding/json would take keys in any case, and of repeated ones
// the last.
func readObject(at string, raw []byte) ([]field, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	t, err := d.Token()
	if err != nil {
		return nil, rejectedAnswer(at, NotJSON, "it is not JSON (%v)", err)
	}
	if t != json.Delim('{') {
		return nil, rejectedAnswer(at, WrongType, "it is not an object")
	}
	var out []field
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return nil, rejectedAnswer(at, NotJSON, "it is not JSON (%v)", err)
		}
		f := field{key: key}
		if err := d.Decode(&f.value); err != nil {
			return nil, rejectedAnswer(joinPath(at, key), NotJSON, "it is not JSON (%v)", err)
		}
		if seen[key] {
			return nil, rejectedAnswer(joinPath(at, key), Repeated, "it is there twice")
		}
		seen[key] = true
		out = append(out, f)
	}
	if _, err := d.Token(); err != nil {
		return nil, rejectedAnswer(at, NotJSON, "it is not JSON (%v)", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, rejectedAnswer(at, NotJSON, "more follows it")
	}
	return out, nil
}

func joinPath(at, key string) string {
	if key = fmt.Sprintf("%.40s", cleanLine(key)); at != "" {
		return at + "." + key
	}
	return key
}

// decodeValue decodes a value that has to be of one type; null is none.
func decodeValue(at string, raw []byte, into any, want string) error {
	if string(raw) == "null" || json.Unmarshal(raw, into) != nil {
		return rejectedAnswer(at, WrongType, "it is not %s", want)
	}
	return nil
}

func decodeText(at string, raw []byte) (string, error) {
	var s string
	return s, decodeValue(at, raw, &s, "a text")
}

func decodeList(at string, raw []byte) ([]json.RawMessage, error) {
	var out []json.RawMessage
	if err := decodeValue(at, raw, &out, "a list"); err != nil {
		return nil, err
	}
	if len(out) > mostListed {
		return nil, rejectedAnswer(at, TooLarge, "it has %d items, at most %d are read", len(out), mostListed)
	}
	return out, nil
}

func decodeTexts(at string, raw []byte) ([]string, error) {
	items, err := decodeList(at, raw)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(items))
	for i, item := range items {
		if out[i], err = decodeText(fmt.Sprintf("%s[%d]", at, i), item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func parameterList(raw []byte) ([]Parameter, error) {
	items, err := decodeList("parameters", raw)
	if err != nil {
		return nil, err
	}
	out := make([]Parameter, len(items))
	for i, item := range items {
		at := fmt.Sprintf("parameters[%d]", i)
		fields, err := readObject(at, item)
		if err != nil {
			return nil, err
		}
		has := map[string]bool{}
		for _, f := range fields {
			has[f.key] = true
			switch f.key {
			case "name":
				out[i].Name, err = decodeText(at+".name", f.value)
			case "type":
				if string(f.value) != "null" { // the one field that the schema lets be none
					out[i].Type, err = decodeText(at+".type", f.value)
				}
			case "description":
				out[i].Description, err = decodeText(at+".description", f.value)
			default:
				err = rejectedAnswer(joinPath(at, f.key), UnknownKey, "the schema has no such key")
			}
			if err != nil {
				return nil, err
			}
		}
		for _, key := range []string{"name", "description"} {
			if !has[key] {
				return nil, rejectedAnswer(at+"."+key, Missing, "there is none")
			}
		}
	}
	return out, nil
}
