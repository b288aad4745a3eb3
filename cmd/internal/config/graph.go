package config

import "docent/pipeline/knowledge/references"

// graphSettings are [graph.tech_docs].
func graphSettings() []Setting {
	const graph = "graph.tech_docs."
	return []Setting{
		choiceSetting(graph+"ruleset", "reference graph: links and patterns over sentences, or links alone",
			[]string{references.RulesetDefault, references.RulesetLinks}, func(c *Config) *string { return &c.Graph.Ruleset }),
		numberSetting(graph+"threshold", "score from which relations of the reference graph are shown", 0, 1,
			func(c *Config) *float64 { return &c.Graph.Threshold }),
		booleanSetting(graph+"llm_assist_enabled", "a model is asked for relations of sections of which the patterns say nothing",
			func(c *Config) *bool { return &c.GraphAssist }),
		textSetting(graph+"llm_model", "that model", func(c *Config) *string { return &c.GraphModel }),
		booleanSetting(graph+"store_provenance", "the pattern and the text of each relation are kept",
			func(c *Config) *bool { return &c.Graph.Provenance }),
	}
}
