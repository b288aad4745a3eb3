package dictionary

import "docent/pipeline/question/wordlist"

// longestStop is the longest function word of a script without spaces, in
// characters.
const longestStop = 6

// stopWord are the words of a language that mean nothing to a search, as keys are written:
// articles, pronouns, prepositions, conjunctions, auxiliary and question words, and
// politeness. Words that are often the subject of a technical question (all, without,
// before, new, first) are not among them.
const stopWord wordlist.Rule = "stop/word"

// elidedWord are the articles and pronouns of a language that have lost their vowel.
const elidedWord wordlist.Rule = "stop/elided"
