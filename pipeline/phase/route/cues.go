package route

import (
	"sync"

	"docent/pipeline/contract"
	"docent/pipeline/question/wordlist"
)

// cue is evidence for a scene and, if intent is not "", for an intent. It counts once,
// however many of its words are in the question. English words match whole words, with
// "^" only at the start; Chinese words match anywhere.
//
// The weights are set by hand: 1 is weak, 2 decides without other cues, 3 decides
// against one other cue. Troubleshooting beats "how" ("how do I fix"), an identifier
// beats "what" ("what does --x do").
type cue struct {
	scene, intent string
	weight        float64
	intentWeight  float64 // for the intent; 0: weight
	words         wordlist.Rule
	shape         func(subject) string
}

var cues = sync.OnceValue(func() []cue {
	const (
		fact, tutorial, api, trouble = contract.SceneFactLookup, contract.SceneTutorial, contract.SceneAPIReference,
			contract.SceneTroubleshooting
		parameter, configuration, procedure, warns, general = contract.IntentParameter, contract.IntentConfiguration,
			contract.IntentProcedure, contract.IntentWarning, contract.IntentGeneral
	)
	return []cue{
		// How something is done.
		{scene: tutorial, intent: procedure, weight: 2, intentWeight: 0.4, shape: asksHow},
		{scene: tutorial, intent: procedure, weight: 2, words: "scene/how"},
		{scene: tutorial, intent: procedure, weight: 2, words: "scene/how-inside"},
		{scene: tutorial, intent: procedure, weight: 2, words: "scene/guide"},
		{scene: tutorial, intent: procedure, weight: 2, words: "scene/possible"},
		{scene: tutorial, intent: procedure, weight: 1, words: "scene/how-weak"},
		{scene: tutorial, intent: procedure, weight: 1.5, words: "scene/task"},
		{scene: tutorial, intent: procedure, weight: 1.5, words: "scene/task-inside"},
		{scene: tutorial, intent: configuration, weight: 1.2, intentWeight: 2.6, words: "scene/configure"},
		{scene: tutorial, intent: configuration, weight: 2.2, intentWeight: 2.6, words: "scene/configure-inside"},
		{scene: fact, intent: configuration, weight: 1.4, words: "scene/configuration"},

		// What something is.
		{scene: fact, intent: general, weight: 2, shape: asksWhatIs},
		{scene: fact, intent: general, weight: 4, shape: asksWhatDiffers},
		{scene: fact, intent: general, weight: 2, words: "scene/what"},
		{scene: fact, intent: general, weight: 2, words: "scene/what-inside"},
		{scene: fact, intent: general, weight: 1.5, words: "scene/how-is"},
		{scene: fact, intent: general, weight: 1, shape: asksAmount},
		{scene: fact, intent: general, weight: 1, words: "scene/fact"},
		{scene: fact, intent: general, weight: 1, words: "scene/fact-inside"},

		// Parameters, flags, interfaces.
		{scene: api, intent: parameter, weight: 3, shape: asksForName},
		{scene: api, intent: parameter, weight: 2, shape: asksOfName},
		{scene: api, intent: parameter, weight: 2.5, shape: findEndpoint},
		{scene: api, intent: parameter, weight: 1.2, shape: asksForList},
		{scene: api, weight: 1, shape: asksForListOf},
		{scene: api, weight: 2, words: "scene/which-names"},
		{scene: api, intent: parameter, weight: 3, shape: asksWhatCodeDoes},
		{scene: api, intent: parameter, weight: 5, shape: asksWhatNameDoes},
		{scene: api, intent: parameter, weight: 2.5, shape: findFlag},
		{scene: api, intent: parameter, weight: 1.8, shape: identifier},
		{scene: api, intent: parameter, weight: 1.7, words: "scene/parameter"},
		{scene: api, intent: parameter, weight: 2.2, words: "scene/parameter-inside"},
		{scene: api, weight: 1.8, words: "scene/interface"},
		{scene: api, weight: 2, words: "scene/interface-inside"},
		{scene: api, intent: parameter, weight: 1.5, words: "scene/environment"},

		// Trouble. The words alone may be a part of a name ("error handling"); whether
		// something goes wrong is what package kind reads.
		{scene: trouble, intent: warns, weight: 4.5, shape: goesWrong},
		{scene: trouble, intent: warns, weight: 3, shape: isPasted},
		{scene: trouble, intent: warns, weight: 1.5, words: "scene/trouble"},
		{scene: trouble, intent: warns, weight: 1.5, words: "scene/trouble-inside"},
		{scene: trouble, intent: warns, weight: 1.5, words: "scene/why"},
		// Warnings: possible failures, before they happen.
		{scene: fact, intent: warns, weight: 2.5, words: "scene/warning"},
		{scene: fact, intent: warns, weight: 2.5, words: "scene/warning-inside"},

		// A longer statement that asks nothing describes a thing.
		{scene: fact, intent: general, weight: 1, shape: statement},
	}
})
