package docbook

import "docent/pipeline/text/spacing"

var (
	isDivision = spacing.WordSet(`set book part reference chapter appendix preface article sect1 sect2 sect3 sect4 sect5 section simplesect
		refentry refsect1 refsect2 refsect3 refsection refsynopsisdiv refnamediv glossary glossdiv bibliography bibliodiv dedication
		colophon partintro acknowledgements topic setindex legalnotice`)
	isHidden = spacing.WordSet(`indexterm index remark revhistory beginpage areaspec co title subtitle titleabbrev refmeta info bookinfo
		articleinfo chapterinfo sectioninfo sect1info sect2info sect3info sect4info sect5info refentryinfo refsect1info partinfo
		appendixinfo prefaceinfo referenceinfo setinfo blockinfo objectinfo glossaryinfo bibliographyinfo toc lot colspec spanspec
		col colgroup anchor`)
	isCode = spacing.WordSet(`literal command option filename function varname constant parameter type classname methodname code envar
		userinput computeroutput systemitem symbol property tag sgmltag markup structfield structname errorcode returnvalue
		interfacename ooclass oointerface ooexception exceptionname token keysym package database action errorname errortype
		hardware interface mousebutton prompt uri structfield initializer modifier namespace namespacename macrodef macroname typedef
		enumname enumidentifier unionname templatename`)
	isStrong   = spacing.WordSet(`guilabel guibutton guimenu guimenuitem guisubmenu guiicon`)
	isNamePart = spacing.WordSet(`honorific firstname surname othername lineage givenname`)
	isEmphasis = spacing.WordSet(`replaceable firstterm citetitle foreignphrase`)
	isListing  = spacing.WordSet(`programlisting screen literallayout synopsis`)
	isSynopsis = spacing.WordSet(`cmdsynopsis funcsynopsis funcprototype methodsynopsis constructorsynopsis destructorsynopsis fieldsynopsis
		classsynopsis enumsynopsis packagesynopsis`)
	isTitled = spacing.WordSet(`varlistentry table example figure glossentry procedure`)
	isNote   = spacing.WordSet(`note tip important warning caution danger`)
	// isBlockOfText has the blocks that may have nothing but text.
	isBlockOfText = spacing.WordSet(`para simpara formalpara bridgehead title subtitle titleabbrev term member listitem step callout
		bibliomixed biblioentry bibliolist blockquote epigraph entry row caption question answer label attribution abstract
		mediaobject graphic screenshot imageobject textobject itemizedlist orderedlist simplelist variablelist glosslist
		varlistentry glossentry glossdef qandaset qandaentry segmentedlist seglistitem table informaltable tgroup equation
		informalequation example informalexample figure informalfigure sidebar procedure substeps include`)
	// isInline has the other elements that stand within a line.
	isInline = spacing.WordSet(`emphasis quote ulink link xref olink email superscript subscript footnote footnoteref
		citerefentry keycap keycombo
		keycode keysym menuchoice shortcut inlinemediaobject inlinegraphic inlineequation trademark phrase productname application
		acronym abbrev wordasword personname author firstname givenname surname honorific othername lineage productnumber date year holder
		corpauthor orgname optional accel glossterm medialabel lineannotation citation biblioref coref refentrytitle manvolnum
		refpurpose refname refclass sgmltag arg group replaceable releaseinfo pubdate edition biblioid isbn issn publishername
		address street city postcode country contrib jobtitle affiliation copyright mathphrase person alt xi a b i em strong span br
		volumenum issuenum artpagenums pagenums editor authorgroup`)
)

// isInlineElement reports whether a node stands within a line.
func isInlineElement(n *node) bool {
	return n.name == "" || isInline[n.name] || isCode[n.name] || isStrong[n.name] || isEmphasis[n.name]
}
