package dita

import (
	"strings"

	"docent/pipeline/text/spacing"
)

var (
	// isTopic has the elements that are topics.
	isTopic = spacing.WordSet(`topic concept task reference troubleshooting glossentry glossgroup generalTask machineryTask
		learningOverview learningContent learningSummary learningAssessment learningPlan learningBase`)
	// isMap has the elements that are maps, as roots of a file.
	isMap = spacing.WordSet(`map bookmap subjectScheme classifyMap learningMap learningBookmap learningGroupMap learningObjectMap`)
	// isBody has the elements that hold the text of a topic.
	isBody = spacing.WordSet(`body conbody taskbody refbody troublebody glossBody learningOverviewbody learningContentbody
		learningSummarybody learningAssessmentbody learningPlanbody learningBasebody`)
	// isDivision has the elements that hold blocks and mean nothing by themselves.
	isDivision = spacing.WordSet(`bodydiv conbodydiv refbodydiv sectiondiv div itemgroup info stepresult stepxmp tutorialinfo
		steptroubleshooting troubleSolution abstract figgroup draft-intro dd pd glossdef linkpool`)
	// isSection has the sections of a body.
	isSection = spacing.WordSet(`section example refsyn prereq context result postreq tasktroubleshooting condition cause remedy
		diagnostics diagnostics-general lcObjectives lcIntro lcSummary lcReview lcNextSteps lcPrereqs lcInstruction`)
	// isCode has the elements whose text is code within a line.
	isCode = spacing.WordSet(`codeph cmdname option parmname filepath userinput systemoutput apiname xmlelement xmlatt xmlpi
		xmlnsname synph tt numcharref parameterentity textentity markupname kwd msgnum`)
	// isStrong has the elements that are set in bold.
	isStrong = spacing.WordSet("b uicontrol wintitle strong")
	// isEmphasis has the elements that are set in italics.
	isEmphasis = spacing.WordSet("i em cite term varname var")
	// isOtherInline has the other elements within a line.
	isOtherInline = spacing.WordSet(`ph keyword text state boolean tm q fn sup sub u line-through overline xref link menucascade
		shortcut abbreviated-form msgph indexterm indextermref image coderef synnote oper sep delim repsep fragref
		index-base index-see index-see-also index-sort-as hazardsymbol keytext include var-ref linktext navtitle`)
	// isHidden has the elements that are not shown.
	isHidden = spacing.WordSet(`data data-about draft-comment required-cleanup foreign svg svg:svg svg-container mathml mathmlref
		m:math math svgref unknown indexterm index-base indextermref metadata prolog titlealts change-historylist sort-as
		resourceid param no-topic-nesting topicmeta colspec sortkey longdescref longquoteref ditavalref reltable`)
	// isPre has the blocks whose line breaks count.
	isPre = spacing.WordSet("codeblock pre screen msgblock lines syntaxdiagram")
	// isOtherBlock has the other blocks.
	isOtherBlock = spacing.WordSet(`p shortdesc note ul ol sl dl parml table simpletable properties choicetable fig lq
		hazardstatement steps steps-unordered steps-informal substeps choices object video audio imagemap equation-block
		equation-figure desc li sli step substep choice cmd stepsection title glossterm linklist related-links linkinfo
		messagepanel responsibleParty dlentry plentry dlhead glossAlt glossUsage glossSurfaceForm
		glossPartOfSpeech glossScopeNote glossStatus glossAcronym glossAbbreviation glossSynonym glossShortForm`)
	// isVoid has the elements that have no text.
	isVoid = spacing.WordSet("image topicref keydef mapref colspec data ul ol sl table simpletable")
)

// isInline reports whether an element stands within a line.
func isInline(name string) bool {
	return isCode[name] || isStrong[name] || isEmphasis[name] || isOtherInline[name] || isHidden[name]
}

// isBlock reports whether an element is a block, or has blocks.
func isBlock(name string) bool {
	return isOtherBlock[name] || isPre[name] || isSection[name] || isDivision[name] || isBody[name] || isTopic[name]
}

// baseElement gives the element that a specialized one stands for, by its class: "- topic/li
// task/step special/stage ". An element without a class is what its name says.
func baseElement(e event) string {
	if isInline(e.name) || isBlock(e.name) {
		return e.name
	}
	class := strings.Fields(attrOf(e.attrs, "class"))
	for i := len(class) - 1; i >= 0; i-- {
		if _, base, ok := strings.Cut(class[i], "/"); ok && (isInline(base) || isBlock(base)) {
			return base
		}
	}
	return e.name
}

// labels are the titles of sections that have none of their own.
var labels = map[string]string{
	"prereq": "Before you begin", "result": "Result", "postreq": "What to do next", "tasktroubleshooting": "Troubleshooting",
	"steptroubleshooting": "Troubleshooting", "condition": "Condition", "cause": "Cause", "remedy": "Remedy",
}
