// Command kubeschemas writes JSON Schemas of the objects of Kubernetes, as kubeconform reads
// them, from the OpenAPI description in the sources of Kubernetes. make deploy-check needs them,
// and CI has no network but the Go module proxy, which has these sources.
//
//	kubeschemas -version v1.36.3 DIR
//
// A schema is one file, KIND-GROUP-VERSION.json, and strict: a field that Kubernetes does not
// know is a fault. The program refuses to judge objects: kubeconform does.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	version := flag.String("version", "", "version of the module k8s.io/kubernetes")
	flag.Parse()
	if err := run(*version, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "kubeschemas:", err)
		os.Exit(1)
	}
}

// run writes the schemas of a version into a folder. One that has them already is left alone.
func run(version, dir string) error {
	if version == "" || dir == "" {
		return errors.New("it takes -version and a folder")
	}
	done := filepath.Join(dir, "version")
	if raw, err := os.ReadFile(done); err == nil && string(raw) == version {
		return nil
	}
	raw, err := readDescription(version)
	if err != nil {
		return err
	}
	files, err := schemas(raw)
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(done, []byte(version), 0o644)
}

// readDescription gives the description in the sources of a version, which the Go module proxy has.
func readDescription(version string) ([]byte, error) {
	cmd := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@"+version)
	cmd.Dir = os.TempDir() // outside of this module, whose go.mod stays as it is
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &module); jsonErr != nil || module.Error != "" {
		return nil, fmt.Errorf("download k8s.io/kubernetes@%s: %s: %w", version, module.Error, errors.Join(err, jsonErr))
	}
	return os.ReadFile(filepath.Join(module.Dir, "api", "openapi-spec", "swagger.json"))
}

// object is a JSON object.
type object = map[string]any

// schemas gives the schemas by the names of their files.
func schemas(description []byte) (map[string][]byte, error) {
	var api struct{ Definitions map[string]object }
	if err := json.Unmarshal(description, &api); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(api.Definitions)) {
		kinds, _ := api.Definitions[name]["x-kubernetes-group-version-kind"].([]any)
		if len(kinds) != 1 { // what several groups share is no object of its own
			continue
		}
		kind, _ := kinds[0].(object)
		needed := map[string]object{}
		collect(api.Definitions, name, needed)
		raw, err := json.Marshal(object{"$schema": "http://json-schema.org/draft-07/schema#",
			"allOf": []any{object{"$ref": "#/definitions/" + name}, object{"required": []string{"apiVersion", "kind"}}}, "definitions": needed})
		if err != nil {
			return nil, err
		}
		files[fileName(kind)] = raw
	}
	if len(files) == 0 {
		return nil, errors.New("the description has no kinds")
	}
	return files, nil
}

// fileName is how kubeconform calls the schema of a kind, such as deployment-apps-v1.json.
func fileName(kind object) string {
	word := func(key string) string { s, _ := kind[key].(string); return strings.ToLower(s) }
	group, _, _ := strings.Cut(word("group"), ".")
	parts := slices.DeleteFunc([]string{word("kind"), group, word("version")}, func(s string) bool { return s == "" })
	return strings.Join(parts, "-") + ".json"
}

// collect adds a definition and those that it refers to.
func collect(all map[string]object, name string, into map[string]object) {
	if _, ok := into[name]; ok {
		return
	}
	switch name {
	case "io.k8s.apimachinery.pkg.util.intstr.IntOrString":
		into[name] = object{"type": []string{"string", "integer"}}
		return
	case "io.k8s.apimachinery.pkg.api.resource.Quantity":
		into[name] = object{"type": []string{"string", "number"}}
		return
	}
	into[name] = nil // for definitions that refer to themselves
	into[name], _ = strict(all[name], func(ref string) { collect(all, ref, into) }).(object)
}

// strict copies a schema without descriptions and formats; objects have no fields but the named ones.
func strict(schema any, refer func(name string)) any {
	switch s := schema.(type) {
	case []any:
		out := make([]any, len(s))
		for i, x := range s {
			out[i] = strict(x, refer)
		}
		return out
	case object:
		out := object{}
		for key, value := range s {
			switch {
			case key == "properties":
				fields := object{}
				for field, x := range value.(object) {
					fields[field] = strict(x, refer)
				}
				out[key], out["additionalProperties"] = fields, false
			case key == "$ref":
				name, _ := strings.CutPrefix(fmt.Sprint(value), "#/definitions/")
				refer(name)
				out[key] = value
			case key == "description" || key == "format" || strings.HasPrefix(key, "x-"):
			default:
				out[key] = strict(value, refer)
			}
		}
		return out
	}
	return schema
}
