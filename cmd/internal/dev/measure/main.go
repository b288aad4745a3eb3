// Command measure measures the program on the development sets, and learns from them:
//
//	measure eval [flags]   retrieval and answers, compared with the baseline (make eval, make eval-fast)
//	measure train [flags]  the reranker's weights (make train)
//	measure gains [flags]  the weights by which phase 3 fills a block (make gains)
//	measure words [flags]  vectors of words, from stored mirrors of documentation (make words)
//	measure questions …    the question sets over documentation of others (its writing rules: testdata/eval/questions)
//
// It refuses to hide missing sets, and to compare with a baseline that has none of the
// measured ones.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	commands := map[string]func(context.Context, []string) error{"eval": evaluateSets, "train": trainReranker,
		"questions": measureQuestions, "words": learnWords, "gains": learnGains}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: measure eval|train|gains|questions|words [flags]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := commands[os.Args[1]](ctx, os.Args[2:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}
