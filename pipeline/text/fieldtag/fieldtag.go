// Package fieldtag reads the tags of the fields of a struct. A type may give a part of its
// tags in a table, where their texts are too long for the lines of the fields:
//
//	func (Request) FieldTags() map[string]reflect.StructTag {
//		return map[string]reflect.StructTag{"Limit": `doc:"places at most"`}
//	}
//
// It refuses to know any key of a tag.
package fieldtag

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Provider is a struct with tags in a table, by the names of its fields in Go. It is asked
// with its zero value.
type Provider interface {
	FieldTags() map[string]reflect.StructTag
}

// TagOfField returns the tag of a struct's field, with that of the table of the struct that
// declares it. The type may be one that embeds that struct.
func TagOfField(t reflect.Type, f reflect.StructField) reflect.StructTag {
	for _, i := range f.Index[:len(f.Index)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	more := table(t)[f.Name]
	if f.Tag == "" || more == "" {
		return f.Tag + more
	}
	return f.Tag + " " + more
}

// Check returns an error where the table of a struct names a field that the struct does not
// have.
func Check(t reflect.Type) error {
	for _, name := range slices.Sorted(maps.Keys(table(t))) {
		if _, ok := t.FieldByName(name); !ok {
			return fmt.Errorf("the table of tags of %v names the field %s, which it does not have", t, name)
		}
	}
	return nil
}

func table(t reflect.Type) map[string]reflect.StructTag {
	if p, ok := reflect.Zero(t).Interface().(Provider); ok {
		return p.FieldTags()
	}
	return nil
}
