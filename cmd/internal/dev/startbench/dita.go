package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// oneFile is the size of the one DITA file that is generated, in bytes: a manual of a
// machine as an editor exports it.
const oneFile = 20 << 20

// writeDITA writes one large DITA file of tasks into a new folder.
func writeDITA() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "docent-bench"); err != nil {
		return "", err
	}
	f, err := os.Create(filepath.Join(dir, "manual.dita"))
	if err != nil {
		return dir, err
	}
	out := bufio.NewWriter(f)
	words := strings.Fields("lamp wick oil keeper harbour evening trim light glass brass bolt valve pump gauge switch panel relay breaker cable filter")
	rnd := rand.New(rand.NewPCG(1, 2))
	sentence := func(n int) string {
		s := make([]string, n)
		for i := range s {
			s[i] = words[rnd.IntN(len(words))]
		}
		return strings.Join(s, " ") + "."
	}
	size, _ := fmt.Fprint(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE dita PUBLIC \"-//OASIS//DTD DITA Composite//EN\" \"ditabase.dtd\">\n<dita>\n")
	for i := 0; size < oneFile; i++ {
		n, _ := fmt.Fprintf(out, "<task id=\"t%d\"><title>%s %d</title><shortdesc>%s</shortdesc><taskbody><prereq><p>%s</p></prereq><steps>", i, sentence(5), i, sentence(12), sentence(15))
		size += n
		for range 3 {
			n, _ = fmt.Fprintf(out, "<step><cmd>%s</cmd><info><p>%s</p></info></step>", sentence(9), sentence(14))
			size += n
		}
		n, _ = fmt.Fprintf(out, "</steps><result><p>%s</p></result></taskbody></task>\n", sentence(12))
		size += n
	}
	_, _ = fmt.Fprint(out, "</dita>\n") // Flush gives the errors of all of them
	return dir, errors.Join(out.Flush(), f.Close())
}
