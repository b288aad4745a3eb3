package enrich

import "encoding/json"

// schema is the JSON Schema of a stored enrichment, or with answer of what a model
// answers: that has no span_id and no truncated.
func schema(answer bool) json.RawMessage {
	texts := map[string]any{"type": "array", "maxItems": maxItems, "items": map[string]any{"type": "string", "maxLength": maxItem}}
	properties := map[string]any{
		"summary":      map[string]any{"type": "string", "minLength": 1, "maxLength": maxSummary, "description": "one sentence"},
		"key_concepts": texts, "prerequisites": texts, "warnings": texts, "related_topics": texts,
		"parameters": map[string]any{"type": "array", "maxItems": maxParameters, "items": map[string]any{
			"type": "object", "additionalProperties": false, "required": []string{"name", "description"},
			"properties": map[string]any{
				"name":        map[string]any{"type": "string", "minLength": 1, "maxLength": maxName},
				"type":        map[string]any{"type": "string", "maxLength": maxType},
				"description": map[string]any{"type": "string", "maxLength": maxDescription},
			}}},
		"code_examples": map[string]any{"type": "boolean"},
		"audience":      map[string]any{"type": "string", "enum": audiences()},
	}
	required := []string{"summary", "key_concepts", "parameters", "code_examples", "prerequisites", "warnings", "related_topics",
		"audience"}
	title := "TechDocsEnrichmentAnswer"
	if !answer {
		title = "TechDocsEnrichment"
		properties["span_id"] = map[string]any{"type": "string", "pattern": "^[0-9a-f]{16}$"}
		properties["truncated"] = map[string]any{"type": "boolean"}
		required = append([]string{"span_id", "truncated"}, required...)
	}
	raw, err := json.Marshal(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "type": "object",
		"additionalProperties": false, "required": required, "properties": properties,
	})
	if err != nil {
		return nil // maps of texts and numbers have a form in JSON
	}
	return raw
}
