package changes

import (
	"path"
	"slices"
	"strings"

	"docent/pipeline/knowledge/parameters"
	"docent/pipeline/text/pattern"
)

// A command is documented on a page, or in a section of a page that documents several. Both are
// unit keys: the path, and the path with the section's path.
func pageUnit(p Place) string    { return p.Path }
func sectionUnit(p Place) string { return p.Path + "\n" + p.SectionPath }

// isFlag reports whether a name is a flag.
func isFlag(name string) bool { return strings.HasPrefix(name, "-") }

// flagUnits are the flags that a version documents in each page and section.
func (v *Version) flagUnits() map[string]map[string]bool {
	if v.flags != nil {
		return v.flags
	}
	v.flags = map[string]map[string]bool{}
	for _, name := range v.order {
		if !isFlag(name) {
			continue
		}
		for _, n := range v.names[name] {
			for _, unit := range []string{pageUnit(n.Place), sectionUnit(n.Place)} {
				if v.flags[unit] == nil {
					v.flags[unit] = map[string]bool{}
				}
				v.flags[unit][name] = true
			}
		}
	}
	return v.flags
}

// goneFromCommands is the removal of a flag from some of its commands, where the newer version
// documents it for others.
func (c *comparison) goneFromCommands(change Change, was, now []Name) (Change, bool) {
	if !isFlag(change.Name) {
		return change, false
	}
	gone := c.goneFromUnits(change.Name, was, now, pageUnit)
	if len(gone) == 0 {
		// Sections are compared where all pages still have the flag.
		gone = c.goneFromUnits(change.Name, was, now, sectionUnit)
	}
	if len(gone) == 0 {
		return change, false
	}
	change.Kind, change.Before, change.After, change.Partial = Removed, gone[0].Place, &now[0].Place, true
	change.Evidence = "the newer version documents it for other commands alone"
	change.Parents, change.Pages, change.Commands = nil, nil, []string{}
	for _, n := range gone {
		if !slices.Contains(change.Pages, n.Place.Path) {
			change.Pages = append(change.Pages, n.Place.Path)
		}
		for _, command := range commandsOf(n.Place) {
			if !slices.Contains(change.Commands, command) {
				change.Commands = append(change.Commands, command)
			}
		}
	}
	// A word that also names a command which still has the flag says nothing.
	for _, n := range now {
		change.Commands = slices.DeleteFunc(change.Commands, func(word string) bool { return slices.Contains(commandsOf(n.Place), word) })
	}
	return change, true
}

// goneFromUnits are the places of a flag whose unit is still there without it. A flag that is
// documented in a unit which did not have it may have moved there: then there are none.
func (c *comparison) goneFromUnits(name string, was, now []Name, unit func(Place) string) []Name {
	had, has := map[string]bool{}, map[string]bool{}
	for _, n := range was {
		had[unit(n.Place)] = true
	}
	for _, n := range now {
		if has[unit(n.Place)] = true; !had[unit(n.Place)] && n.Form != parameters.Example {
			return nil
		}
	}
	var out []Name
	for _, n := range was {
		u := unit(n.Place)
		if !has[u] && !c.after.flagMentions[name][u] && c.keepsFlags(u) {
			out = append(out, n)
		}
	}
	return out
}

// keepsFlags reports whether a unit is still there with most of its flags. Otherwise it was
// written anew, or its flags are documented in another place.
func (c *comparison) keepsFlags(unit string) bool {
	kept, lost := 0, 0
	after := c.after.flagUnits()[unit]
	for name := range c.before.flagUnits()[unit] {
		if after[name] {
			kept++
		} else {
			lost++
		}
	}
	return kept > 0 && lost <= kept
}

// generic are names of pages and headings that name no command.
var generic = pattern.Lazy(`^(?:index|readme|cli|options?|flags?|reference|usage|commands?|config(?:uration)?` +
	`|settings|overview|docs|api|guide|introduction|manual|intro|faq|changelog|tutorial|environment|global|arguments?|parameters?)$`)

var command = pattern.Lazy(`^[a-z][a-z0-9_-]+$`)

// commandsOf are the words by which a command line names the command that a place documents: the
// page's name, its last part, and the last words of headings that name commands.
func commandsOf(p Place) []string {
	name := strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path))
	var out []string
	if isCommand(name) {
		out = append(out, name)
		if i := strings.LastIndexAny(name, "_-"); i > 0 && i+2 < len(name) {
			out = append(out, name[i+1:])
		}
	}
	for heading := range strings.SplitSeq(p.SectionPath, " > ") {
		words := strings.Fields(strings.Trim(heading, "`"))
		if len(words) == 0 || len(words) > mostCommandWords || !slices.ContainsFunc(words, isCommand) {
			continue
		}
		if last := words[len(words)-1]; isCommand(last) && !slices.Contains(out, last) {
			out = append(out, last)
		}
	}
	return out
}

// CommandWords are the words that stand in front of the changed flag on a command line, besides the
// product's.
func (c Change) CommandWords() []string {
	if c.Commands != nil {
		return c.Commands
	}
	var out []string
	for _, page := range c.Pages {
		out = append(out, commandsOf(Place{Path: page})...)
	}
	return out
}

// mostCommandWords is how many words a heading has that is a command: "git remote add".
const mostCommandWords = 3

func isCommand(word string) bool { return command().MatchString(word) && !generic().MatchString(word) }
