package packages

import (
	"context"
	"encoding/xml"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
)

// fetchMaven fetches the pages of an artifact by the goal dependency:copy of mvn: those of its
// javadoc archive, or its sources with their comments. Nothing is built and no plugin of a project
// runs.
func (r *request) fetchMaven(ctx context.Context) (source.Fetched, error) {
	version := r.want.Version
	if version == "" {
		version = "RELEASE"
	}
	pom, err := r.copyArtifact(ctx, version+":pom", ".pom")
	if err != nil {
		return source.Fetched{}, err
	}
	out, err := r.readPOM(pom)
	if err != nil {
		return source.Fetched{}, err
	}
	archive, err := r.copyArtifact(ctx, version+":jar:javadoc", ".jar")
	keep := isJavadoc
	if err != nil && ctx.Err() == nil {
		out.Domain, keep = "code", isJavaSource
		archive, err = r.copyArtifact(ctx, version+":jar:sources", ".jar")
	}
	if e, ok := errors.AsType[*source.Error](err); ok && ctx.Err() == nil {
		e.Do = "add its repository or its site"
		if len(out.Better) > 0 {
			e.Do = r.adviseOn(out.Better)
		}
		return source.Fetched{}, r.failure("it has neither an archive with javadoc nor one with sources: "+e.Reason, e.Do,
			&NoDocumentationError{Better: out.Better})
	}
	if err != nil {
		return source.Fetched{}, err
	}
	result, err := unpack.File(ctx, archive, r.into, r.options(0, keep))
	return out, r.unpacked(result, err)
}

// copyArtifact has mvn download a file of the artifact, and gives where it is.
func (r *request) copyArtifact(ctx context.Context, form, ending string) (string, error) {
	dir, err := os.MkdirTemp(r.work, "artifact-")
	if err != nil {
		return "", err
	}
	printed, err := r.run(ctx, "mvn", nil, "--batch-mode", "--quiet", "--no-transfer-progress", "-Dstyle.color=never",
		"org.apache.maven.plugins:maven-dependency-plugin:copy", "-Dartifact="+r.name+":"+form, "-DoutputDirectory="+dir,
		"-Dmdep.useBaseVersion=true")
	if e, ok := errors.AsType[*source.Error](err); ok && len(printed) > 0 {
		e.Reason = "mvn says: " + reasonOf(string(printed), e.Reason) // it tells of errors on standard output
	}
	if err != nil {
		return "", err
	}
	file, err := onlyFile(dir, ending)
	if err != nil {
		return "", r.failure("mvn copied no file of it", "update Maven's dependency plugin", err)
	}
	return file, nil
}

// isJavadoc reports whether a file of an archive with javadoc is a page.
func isJavadoc(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(name, ".html") && !strings.Contains(name, "/class-use/") && !strings.HasSuffix(base, "-tree.html") &&
		!strings.HasSuffix(base, "-use.html") && !strings.HasPrefix(name, "index-files/") && !strings.HasPrefix(name, "src-html/") &&
		!strings.HasSuffix(base, "-frame.html")
}

// isJavaSource reports whether a file of an archive with sources has comments that document public
// names.
func isJavaSource(name string) bool {
	return strings.HasSuffix(name, ".java") || strings.HasSuffix(name, ".kt") || strings.HasSuffix(name, ".scala") || isPage(name)
}

// readPOM reads what the pom of an artifact says of it.
func (r *request) readPOM(file string) (out source.Fetched, err error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return out, err
	}
	var m struct {
		Version  string `xml:"version"`
		URL      string `xml:"url"`
		SCM      string `xml:"scm>url"`
		Licences []struct {
			Name string `xml:"name"`
		} `xml:"licenses>license"`
	}
	_ = xml.Unmarshal(raw, &m) // an artifact has documentation all the same
	_, artifact, _ := strings.Cut(r.name, ":")
	out.Version = oneLine(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), artifact+"-"), ".pom"))
	if len(m.Licences) > 0 {
		out.Licence = oneLine(m.Licences[0].Name)
	}
	out.Name, out.Better = setName(artifact), betterSources(m.SCM, m.URL)
	return out, nil
}
