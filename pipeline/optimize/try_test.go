package optimize

import (
	"bufio"
	"context"
	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/store/doc"
	"fmt"
	"os"
	"strings"
	"testing"
)

type fx []question.SetInfo

func (f fx) Sets(context.Context) ([]question.SetInfo, error) { return f, nil }
func TestTry(t *testing.T) {
	b := New(fx{{Ref: doc.Ref{Name: "Claude_Code_Docs", Version: "latest"}}, {Ref: doc.Ref{Name: "OpenCode_Docs", Version: "latest"}}, {Ref: doc.Ref{Name: "k8s-docs-v1.31", Version: "latest"}}})
	f, _ := os.Open(os.Getenv("TRY"))
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		o, _, err := b.Optimize(context.Background(), contract.OptimizeInput{Query: sc.Text()})
		fmt.Println("##", sc.Text(), err)
		if err != nil {
			continue
		}
		fmt.Println("  ", o.QueryAnalysis.Language, o.QueryAnalysis.DocSet, "N:", strings.Join(o.QueryAnalysis.DomainNouns, "|"), "V:", o.QueryAnalysis.PredicateVerbs)
		for _, q := range o.OptimizedQueries {
			fmt.Printf("   %d %-40s %s: %s\n", q.Rank, q.Query, q.Strategy, q.Reason)
		}
	}
}
