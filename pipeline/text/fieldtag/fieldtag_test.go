package fieldtag_test

import (
	"reflect"
	"testing"

	"docent/pipeline/text/fieldtag"
)

type lamp struct {
	Wick string `json:"wick"`
	Oil  string
	Name string `json:"name"`
}

func (lamp) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{"Wick": `doc:"of cotton"`, "Oil": `doc:"of olives"`}
}

// pier embeds a struct with a table, and has a field of a name that the table has.
type pier struct {
	lamp
	Oil string `json:"spilt"`
}

type wrong struct{ Mast string }

func (wrong) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{"Most": `doc:"a slip of the pen"`}
}

func TestTagsOfTheTableAreAdded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of    reflect.Type
		field string
		want  reflect.StructTag
	}{
		{reflect.TypeFor[lamp](), "Wick", `json:"wick" doc:"of cotton"`},
		{reflect.TypeFor[lamp](), "Oil", `doc:"of olives"`},
		{reflect.TypeFor[lamp](), "Name", `json:"name"`},
		{reflect.TypeFor[pier](), "Wick", `json:"wick" doc:"of cotton"`},
	} {
		f, _ := c.of.FieldByName(c.field)
		if got := fieldtag.TagOfField(c.of, f); got != c.want {
			t.Errorf("%v %s: %s, want %s", c.of, c.field, got, c.want)
		}
	}
}

// A table that names a field of no struct would say nothing, and its text would be missing
// at every door.
func TestATableNamesFieldsThatAreThere(t *testing.T) {
	t.Parallel()
	for of, wrong := range map[reflect.Type]bool{reflect.TypeFor[lamp](): false, reflect.TypeFor[pier](): false,
		reflect.TypeFor[struct{}](): false, reflect.TypeFor[wrong](): true} {
		if err := fieldtag.Check(of); (err != nil) != wrong {
			t.Errorf("%v: %v", of, err)
		}
	}
}
