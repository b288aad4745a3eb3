package comparing

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/knowledge/changes"
	"docent/pipeline/service/impact"
	"docent/pipeline/text/plural"
	"docent/pipeline/text/shorten"
)

// impactView prints the changes of documentation that concern a project.
func impactView(c *invocation.Call) driver.View {
	var markdown, all bool
	return driver.View{
		Use: "NAME | NAME@V1 NAME@V2",
		Long: `Lists the settings, flags, fields and functions that the project in the current
folder uses and whose documentation was removed, renamed or deprecated from one
version of a doc set to another, or has another default or type. Exits with 1 where
a name is gone that the project uses.`,
		Example:  `  docent impact Kubernetes@1.30 Kubernetes@1.31`,
		Complete: completing.Sets(c),
		Flags:    func(fl *pflag.FlagSet) { fl.BoolVar(&markdown, "markdown", false, "print Markdown") },
		Values: map[string]cobra.CompletionFunc{"in": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}},
		Check: driver.Typed(func(req impact.Request) error {
			if markdown && c.JSON {
				return contract.Invalid("markdown", "--markdown and --json exclude each other; give one of them")
			}
			if _, ok := req.Named(); !ok {
				return failure.UsageError("docent impact takes two doc sets, or one that has two versions; " +
					"docent impact --help has an example")
			}
			all = req.All
			return nil
		}),
		Show: driver.Typed(func(a impact.Answer) error {
			p := impactPrinter{c: c, a: a, all: all}
			if markdown {
				p.markdown()
			} else {
				p.printText()
			}
			return nil
		}),
		After: driver.Typed(func(a impact.Answer) error {
			for _, u := range a.Unread {
				c.Note("%s/%s is not compared: %s", u.DocSet, u.Path, u.Reason)
			}
			if a.Project.Stopped != "" {
				c.Note("not all of %s was read: %s", a.Project.Folder, a.Project.Stopped)
			}
			if !a.NothingInCommon && !a.Project.NamesProduct {
				c.Note("%s does not name %s: only long names are found; --also gives other words for it",
					a.Project.Folder, a.After.DocSet)
			}
			for _, ch := range a.Changes {
				if ch.TakesNameAway() && ch.Uses.Count > 0 {
					return failure.ExitCode(failure.CodeNothing)
				}
			}
			return nil
		}),
	}
}

// impactPrinter prints an impact for a person.
type impactPrinter struct {
	c   *invocation.Call
	a   impact.Answer
	all bool
}

func (p impactPrinter) printf(format string, args ...any) {
	fmt.Fprintf(p.c.IO.Out, format+"\n", console.CleanArgs(args)...)
}

// wrapped prints a text whose further lines begin below it.
func (p impactPrinter) wrapped(lead, text string) {
	fmt.Fprint(p.c.IO.Out, p.c.Wrapped(lead, console.OneLine(text), len(lead)))
}

// mostShown is how many uses of a name are listed.
const mostShown = 3

// The columns of a line of text, and those from which a line of the project is shown.
const (
	columns   = 80
	leastText = 12
)

func (p impactPrinter) printText() {
	if p.nothing() {
		return
	}
	p.printf("%s → %s: %s", p.a.Before.DocSet, p.a.After.DocSet, p.total())
	for _, ch := range p.a.Changes {
		p.printf("")
		p.printf("%s  %s%s", ch.Name, perhapsOf(ch), ch.String())
		if ch.Perhaps != "" {
			p.wrapped("  why perhaps: ", ch.Perhaps)
		}
		if ch.Evidence != "" {
			p.wrapped("  said: ", ch.Evidence)
		}
		p.printf("  was:  %s", citationText(ch.Before))
		if ch.After != nil {
			p.printf("  now:  %s", citationText(ch.After))
		} else {
			p.printf("  now:  nowhere in %s", p.a.After.DocSet)
		}
		p.printUses(ch)
	}
	p.printEnd()
}

func perhapsOf(ch impact.Change) string {
	if ch.Perhaps != "" {
		return "perhaps "
	}
	return ""
}

func citationText(at *impact.Citation) string {
	return fmt.Sprintf("%s/%s:%d", at.DocSet, at.Path, at.Lines[0])
}

func (p impactPrinter) printUses(ch impact.Change) {
	if ch.Uses.Count == 0 {
		p.printf("  used: nowhere here")
		return
	}
	for i, u := range ch.Uses.Places[:min(len(ch.Uses.Places), mostShown)] {
		lead := "  used: "
		if i > 0 {
			lead = "        "
		}
		at := fmt.Sprintf("%s%s:%d", lead, console.OneLine(u.Path), u.Line)
		if room := columns - len([]rune(at)) - 3; room > leastText {
			at += "  " + shorten.Runes(u.Text, room)
		}
		p.printf("%s", at)
	}
	if more := ch.Uses.Count - mostShown; more > 0 {
		p.printf("        and %s, in %s in all", plural.Count(more, "other line", "other lines"),
			plural.Count(ch.Uses.Files, "file", "files"))
	}
}

// printEnd names the changes that are left out.
func (p impactPrinter) printEnd() {
	if n := len(p.a.Unclear); n > 0 {
		p.printf("")
		p.wrapped("", plural.Count(n, "changed name has a word", "changed names have words")+
			" that the project uses without saying that it is meant: "+
			strings.Join(p.a.Unclear[:min(n, 10)], ", ")+omissionMark(n > 10))
	}
}

func omissionMark(more bool) string {
	if more {
		return ", …"
	}
	return ""
}

// nothing says that there is nothing to list; false: there is.
func (p impactPrinter) nothing() bool {
	if p.a.NothingInCommon {
		p.printf("%s and %s have hardly a name in common.", p.a.Before.DocSet, p.a.After.DocSet)
		return true
	}
	if len(p.a.Changes) > 0 {
		return false
	}
	p.printf("%s → %s: %s.", p.a.Before.DocSet, p.a.After.DocSet, p.total())
	p.printEnd()
	return true
}

// total counts the changes: "3 of 40 changed names are used in . (12 files)".
func (p impactPrinter) total() string {
	all, used := 0, 0
	for _, k := range changes.Kinds() {
		all, used = all+p.a.Counts[k], used+p.a.Used[k]
	}
	if p.a.Before.Names == 0 {
		return p.a.Before.DocSet + " documents no name"
	}
	if all == 0 {
		return fmt.Sprintf("none of %s changed", plural.Count(p.a.Before.Names, "name", "names"))
	}
	return fmt.Sprintf("%d of %s used in %s (%s)", used, plural.Count(all, "change is", "changes are"), p.a.Project.Folder,
		plural.Count(p.a.Project.Files, "file", "files"))
}

func (p impactPrinter) markdown() {
	p.printf("# %s → %s", p.a.Before.DocSet, p.a.After.DocSet)
	p.printf("")
	if p.nothing() {
		return
	}
	p.printf("%s.", strings.ToUpper(p.total()[:1])+p.total()[1:])
	for _, ch := range p.a.Changes {
		p.printf("\n## %s: %s%s\n", inCode(ch.Name), perhapsOf(ch), ch.Kind)
		switch {
		case ch.From != "":
			p.printf("- %s: %s → %s", ch.Kind, inCode(ch.From), inCode(ch.To))
		case ch.Replacement != "":
			p.printf("- in its place: %s", inCode(ch.Replacement))
		}
		if ch.Perhaps != "" {
			p.printf("- why perhaps: %s", ch.Perhaps)
		}
		if ch.Evidence != "" {
			p.printf("- said: %s", inCode(ch.Evidence))
		}
		p.printf("- was: %s", citationMarkdown(ch.Before))
		if ch.After != nil {
			p.printf("- now: %s", citationMarkdown(ch.After))
		} else {
			p.printf("- now: nowhere in %s", p.a.After.DocSet)
		}
		for _, u := range ch.Uses.Places[:min(len(ch.Uses.Places), mostShown)] {
			p.printf("- [ ] %s: %s", inCode(fmt.Sprintf("%s:%d", u.Path, u.Line)), inCode(u.Text))
		}
		if more := ch.Uses.Count - mostShown; more > 0 {
			p.printf("- [ ] and %s", plural.Count(more, "other line", "other lines"))
		}
	}
	p.printEnd()
}

func citationMarkdown(at *impact.Citation) string {
	if at.URL != "" && !strings.ContainsAny(at.URL, " ()<>") {
		return fmt.Sprintf("[%s](%s)", strings.NewReplacer("[", "", "]", "").Replace(citationText(at)), at.URL)
	}
	return inCode(citationText(at))
}
