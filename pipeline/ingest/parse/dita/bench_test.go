package dita

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"docent/pipeline/ingest/parse"
)

// large is a file of many topics, as a manual that is exported as one file: text,
// tasks, tables, parameters, and now and then a reference to an element of the file.
func large(size int) []byte {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE dita PUBLIC \"-//OASIS//DTD DITA Composite//EN\" \"ditabase.dtd\">\n<dita>\n")
	b.WriteString(`<concept id="shared"><title>Shared</title><conbody><p id="care">Keep the beds free of <term>weeds</term>.</p></conbody></concept>` + "\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `<task id="bed%[1]d"><title>Digging bed %[1]d</title>
<shortdesc>The soil of bed %[1]d is turned in autumn, before
  the first frost comes.</shortdesc>
<prolog><metadata><keywords><indexterm>beds<indexterm>digging</indexterm></indexterm></keywords></metadata></prolog>
<taskbody><prereq><p>Sharpen the <tool>spade</tool> and wear <ph>boots</ph>.</p></prereq>
<steps>
 <step><cmd>Mark the bed with <filepath>string-%[1]d</filepath> and pegs.</cmd><info>The string must be
   tight; see <xref href="#bed%[1]d/tight">how tight</xref>.</info></step>
 <step id="tight"><cmd>Dig a trench of <varname>depth</varname> centimetres.</cmd>
  <info><note type="warning">Mind the roots of tree %[1]d &amp; its neighbours.</note></info>
  <stepxmp><codeblock outputclass="language-sh">dig --bed %[1]d \
  --depth 30
</codeblock></stepxmp></step>
</steps>
<result><p conref="#shared/care"/></result></taskbody>
<reference id="tools%[1]d"><title>Tools for bed %[1]d</title><refbody>
<table><tgroup cols="2"><thead><row><entry>Tool</entry><entry>Use</entry></row></thead><tbody>
<row><entry><codeph>spade-%[1]d</codeph></entry><entry>Turns the soil over, one spit deep and one spit wide.</entry></row>
<row><entry><codeph>fork</codeph></entry><entry>Loosens the soil and lifts the roots of <i>weeds</i>.</entry></row>
</tbody></tgroup></table>
<section id="options"><title>Options</title><parml><plentry id="depth"><pt><parmname>depth</parmname></pt><pd>How deep the trench is, in centimetres.</pd></plentry></parml></section>
</refbody></reference></task>
`, i)
	}
	b.WriteString("</dita>\n")
	return b.Bytes()
}

func BenchmarkParse(b *testing.B) {
	for _, size := range []int{100 << 10, 20 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			src := large(size)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				d, err := New().Parse(context.Background(), src, parse.Options{Path: "beds.dita", FallbackTitle: "beds"})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(d.Sections)), "sections")
				b.ReportMetric(float64(len(d.Blocks)), "blocks")
			}
		})
	}
}
