package schema

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a fault.
type Kind int

// The kinds of faults.
const (
	Wrong   Kind = iota // the value is not as its schema says
	Missing             // a required field is not there
	Unknown             // the object has no such field
)

// Fault is what does not fit a schema.
type Fault struct {
	Kind Kind
	At   string // the field: "doc_sets[0]"
	What string // of a wrong value: "expected number >= 1"
}

// Check checks a value, as encoding/json decodes it without a type, against a schema. It
// returns the first fault in the order of the schema's fields, or nil.
func (r *Registry) Check(s *Schema, value any) *Fault { return r.checkValue(s, "", value) }

func (r *Registry) checkValue(s *Schema, at string, value any) *Fault {
	s = r.Resolve(s)
	wrong := func(format string, args ...any) *Fault {
		return &Fault{Kind: Wrong, At: at, What: fmt.Sprintf(format, args...)}
	}
	if len(s.AnyOf) > 0 && !slices.ContainsFunc(s.AnyOf, func(one *Schema) bool { return r.checkValue(one, at, value) == nil }) {
		return wrong("expected value to match at least one schema but matched none")
	}
	if s.Nullable && value == nil {
		return nil
	}
	switch v := value.(type) {
	case float64:
		if s.Type == Number || s.Type == Integer {
			return s.checkNumber(v, wrong)
		}
	case string:
		if s.Type == String {
			return s.checkText(v, wrong)
		}
	case []any:
		if s.Type == Array {
			return r.checkList(s, at, v, wrong)
		}
	case map[string]any:
		if s.Type == Object {
			return r.checkObject(s, at, v)
		}
	case bool:
		if s.Type == Boolean {
			return nil
		}
	case nil:
		if s.Type == Null {
			return nil
		}
	}
	if s.Type == "" {
		return nil
	}
	return wrong("expected %s", s.Type)
}

func (s *Schema) checkNumber(n float64, wrong func(string, ...any) *Fault) *Fault {
	switch {
	case s.Type == Integer && n != math.Trunc(n):
		return wrong("expected integer")
	case s.Minimum != nil && n < *s.Minimum:
		return wrong("expected number >= %v", *s.Minimum)
	case s.ExclusiveMinimum != nil && n <= *s.ExclusiveMinimum:
		return wrong("expected number > %v", *s.ExclusiveMinimum)
	case s.Maximum != nil && n > *s.Maximum:
		return wrong("expected number <= %v", *s.Maximum)
	}
	return nil
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

func (s *Schema) checkText(text string, wrong func(string, ...any) *Fault) *Fault {
	n := utf8.RuneCountInString(text)
	switch {
	case s.MinLength != nil && n < *s.MinLength:
		return wrong("expected length >= %d", *s.MinLength)
	case s.MaxLength != nil && n > *s.MaxLength:
		return wrong("expected length <= %d", *s.MaxLength)
	case s.Format == "uuid" && !uuidForm.MatchString(text):
		return wrong("expected string to be RFC 4122 uuid")
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, text):
		return wrong("expected value to be one of %q", strings.Join(s.Enum, ", "))
	}
	return nil
}

func (r *Registry) checkList(s *Schema, at string, list []any, wrong func(string, ...any) *Fault) *Fault {
	switch {
	case s.MinItems != nil && len(list) < *s.MinItems:
		return wrong("expected array length >= %d", *s.MinItems)
	case s.MaxItems != nil && len(list) > *s.MaxItems:
		return wrong("expected array length <= %d", *s.MaxItems)
	}
	for i, item := range list {
		if f := r.checkValue(s.Items, fmt.Sprintf("%s[%d]", at, i), item); f != nil {
			return f
		}
	}
	return nil
}

func (r *Registry) checkObject(s *Schema, at string, object map[string]any) *Fault {
	below := func(name string) string { return strings.TrimPrefix(at+"."+name, ".") }
	for _, name := range s.order {
		value, given := object[name]
		required := slices.Contains(s.Required, name)
		switch {
		case !given && required:
			return &Fault{Kind: Missing, At: below(name)}
		case !given || value == nil && !required:
			continue
		}
		if f := r.checkValue(s.Properties[name], below(name), value); f != nil {
			return f
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if s.Properties[name] != nil {
			continue
		}
		if s.Additional == false {
			return &Fault{Kind: Unknown, At: below(name)}
		}
		if each, ok := s.Additional.(*Schema); ok {
			if f := r.checkValue(each, below(name), object[name]); f != nil {
				return f
			}
		}
	}
	return nil
}
