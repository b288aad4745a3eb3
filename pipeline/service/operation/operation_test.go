package operation_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
)

// trimRequest is the request of an invented operation.
type trimRequest struct {
	Lamp   string   `json:"lamp" arg:"LAMP" path:"lamp" tool:"lamp,which lamp" doc:"the lamp's name"`
	Length int      `json:"length,omitempty" flag:"length,l" query:"length" tool:"length" minimum:"1" maximum:"9" default:"3" tool.maximum:"5" flag.minimum:"0" flag.maximum:"" doc:"millimetres"`
	Oil    string   `json:"oil,omitempty" flag:"oil" query:"kind" enum:"rye,olive" doc:"which oil"`
	Share  *float64 `json:"share,omitempty" query:"share" minimum:"0" maximum:"1" doc:"of the wick"`
	Marks  []string `json:"marks,omitempty" flag:"mark" maxItems:"2" maxLength:"4" doc:"marks"`
	own    int
	Caller int // of no door
}

type shop struct{ trimmed []string }

func trim(_ context.Context, s *shop, req trimRequest) (string, error) {
	s.trimmed = append(s.trimmed, fmt.Sprintf("%s %d", req.Lamp, req.Length))
	return "trimmed " + req.Lamp, nil
}

func trimming() operation.Operation[*shop] {
	return operation.New("trim", "trims a wick", trim).OnCommandLine().
		OverHTTP(operation.Route{Method: "GET", Path: "/api/trim/{lamp}", Body: operation.ViewOf(func(answer string) int { return len(answer) })}).
		ForAgents(operation.Shortened("trim_wick", "Trim", "Trims.", func(ctx context.Context, s *shop, req trimRequest, room operation.Room) (string, error) {
			answer, err := trim(ctx, s, req)
			return answer[:operation.Longest(len(answer), func(n int) bool { return room.Fits(answer[:n]) })], err
		}))
}

func TestADoorSeesItsFields(t *testing.T) {
	t.Parallel()
	op := trimming()
	for door, want := range map[operation.Door]string{
		operation.Argument: "LAMP(the lamp's name)",
		operation.Flag:     "length(millimetres) oil(which oil) mark(marks)",
		operation.InPath:   "lamp(the lamp's name)",
		operation.InQuery:  "length(millimetres) kind(which oil) share(of the wick)",
		operation.InTool:   "lamp(which lamp) length(millimetres)",
		operation.InBody:   "lamp(the lamp's name) length(millimetres) oil(which oil) share(of the wick) marks(marks)",
	} {
		var got []string
		for _, f := range op.FieldsAt(door) {
			got = append(got, fmt.Sprintf("%s(%s)", f.Name, f.Doc))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", door, strings.Join(got, " "), want)
		}
	}
	f := op.FieldsAt(operation.Flag)[0]
	if f.Short != "l" || f.Default != "3" || !f.Optional || !f.IsWhole() || f.Maximum != nil || *f.Minimum != 0 {
		t.Errorf("%+v", f)
	}
	if f := op.FieldsAt(operation.InTool)[1]; *f.Maximum != 5 || *f.Minimum != 1 {
		t.Errorf("%+v", f)
	}
}

// The text of a field is read as its type and checked once, and the error names the field
// as the door calls it.
func TestTextsAreReadWithinTheirBounds(t *testing.T) {
	t.Parallel()
	op := trimming()
	for _, c := range []struct {
		door  operation.Door
		field int
		given []string
		wrong string
	}{
		{operation.InQuery, 0, []string{"9"}, ""},
		{operation.InQuery, 0, []string{"10"}, "length is 10, it can be at most 9"},
		{operation.InQuery, 0, []string{"0"}, "length is 0, it must be at least 1"},
		{operation.InQuery, 0, []string{"x"}, `length is "x", it must be a whole number from 1 to 9`},
		{operation.InQuery, 0, []string{"99999999999999999999"}, `it must be a whole number from 1 to 9`},
		{operation.Flag, 0, []string{"0"}, ""},
		{operation.Flag, 0, []string{"1000"}, ""},
		{operation.Flag, 0, []string{"-1"}, "length is -1; give a number from 0 on"},
		{operation.InTool, 1, []string{"6"}, "length is 6, it can be at most 5"},
		{operation.InQuery, 1, []string{"rye"}, ""},
		{operation.InQuery, 1, []string{"tar"}, `the kind "tar" is none of rye, olive`},
		{operation.InQuery, 2, []string{"0.5"}, ""},
		{operation.InQuery, 2, []string{"1.5"}, "share is 1.5, it must lie between 0 and 1"},
		{operation.InQuery, 2, []string{"NaN"}, "share is NaN, it must lie between 0 and 1"},
		{operation.Flag, 2, []string{"a", "b"}, ""},
		{operation.Flag, 2, []string{"a", "b", "c"}, "it must be a text of at most 4 signs"},
		{operation.Flag, 2, []string{"abcde"}, "it must be a text of at most 4 signs"},
	} {
		req := reflect.New(op.Request)
		err := op.FieldsAt(c.door)[c.field].Read(req, c.given)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s %q: %v, want %q", c.door, c.given, err, c.wrong)
		}
		if e, ok := errors.AsType[*contract.Error](err); err != nil && (!ok || e.Code != contract.CodeInvalidRequest || e.Details["field"] == nil) {
			t.Errorf("%q: clients see %+v", c.given, e)
		}
	}
}

// A request that is made in code has the same bounds; missing fields have none.
func TestRequestsAreChecked(t *testing.T) {
	t.Parallel()
	op := trimming()
	half, two := 0.5, 2.0
	for _, req := range []trimRequest{{}, {Length: 9, Oil: "rye", Share: &half, Marks: []string{"a"}, own: 1, Caller: 99}} {
		if err := op.Check(operation.InQuery, req); err != nil {
			t.Errorf("%+v: %v", req, err)
		}
	}
	for _, req := range []trimRequest{{Length: 10}, {Length: -1}, {Oil: "tar"}, {Share: &two}, {Marks: []string{"a", "b", "c"}}} {
		if err := op.Check(operation.InQuery, req); err == nil {
			t.Errorf("%+v is taken", req)
		}
	}
}

func TestAnOperationRunsByItsDescription(t *testing.T) {
	t.Parallel()
	op, ok := operation.FindNamed([]operation.Operation[*shop]{trimming()}, "trim")
	if _, none := operation.FindNamed([]operation.Operation[*shop]{op}, "oil"); !ok || none {
		t.Fatal("operations are found by their names")
	}
	s := &shop{}
	req := reflect.New(op.Request)
	if err := op.FieldsAt(operation.InPath)[0].Read(req, []string{"Lantern"}); err != nil {
		t.Fatal(err)
	}
	answer, err := op.Do(t.Context(), s, req.Elem().Interface(), nil)
	if err != nil || answer != "trimmed Lantern" || op.Route.Body.Of(answer) != 15 || op.Route.Body.Type != reflect.TypeFor[int]() || op.Answer != reflect.TypeFor[string]() {
		t.Errorf("%v, %v", answer, err)
	}
	short, err := op.DoAsTool(t.Context(), s, req.Elem().Interface(), operation.Room{Fits: func(v any) bool { return len(v.(string)) <= 7 }})
	if err != nil || short != "trimmed" || len(s.trimmed) != 2 {
		t.Errorf("%v, %v, %v", short, err, s.trimmed)
	}
}

// A fault in a tag shows when the program starts.
func TestFaultyTagsAreRefused(t *testing.T) {
	t.Parallel()
	type faulty struct {
		N int `json:"n" minimum:"x"`
	}
	for _, of := range []reflect.Type{reflect.TypeFor[faulty](), reflect.TypeFor[string]()} {
		if _, err := operation.FieldsOf(of); err == nil {
			t.Errorf("%v has no fault", of)
		}
	}
	defer func() {
		if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "operation lamp: the field N") {
			t.Errorf("%v", v)
		}
	}()
	operation.New("lamp", "", func(context.Context, *shop, faulty) (int, error) { return 0, nil })
}
