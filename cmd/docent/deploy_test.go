package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"docent/cmd/internal/cli/terminal"
	"docent/cmd/internal/config"
	"docent/pipeline/service/home"
	"docent/store/weaviate"
)

func deployFile(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("deploy", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// The chart installs this version of docent. make deploy-check has the other checks of the folder,
// which need helm.
func TestChartInstallsThisVersion(t *testing.T) {
	t.Parallel()
	if want := `appVersion: "` + home.Version + `"`; !strings.Contains(deployFile(t, "chart/Chart.yaml"), "\n"+want+"\n") {
		t.Errorf("chart/Chart.yaml has no line %s", want)
	}
}

// The containers of the compose file find their stores by the configuration, and Weaviate ranks
// rightly without a setting.
func TestComposeFile(t *testing.T) {
	t.Parallel()
	c, faults, err := config.Load(filepath.Join("deploy", "docent.toml"), true, terminal.AppSettings())
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	compose := deployFile(t, "compose.yaml")
	set := map[string]string{}
	for _, v := range c.Values() {
		set[v.Key], _ = v.Value.(string)
	}
	for key, service := range map[string]string{"store.index": "weaviate", "store.catalog": "postgres"} {
		address := regexp.MustCompile(`^\w+://(?:docent@)?` + service + `:`)
		if !address.MatchString(set[key]) || !strings.Contains(compose, "\n  "+service+":\n") {
			t.Errorf("%s is %q, and compose.yaml names the service otherwise than %s", key, set[key], service)
		}
	}
	image := regexp.MustCompile(`image: \S+/weaviate:(\S+)\n`).FindStringSubmatch(compose)
	if image == nil || weaviate.IsOlder(image[1], weaviate.FirstRight) {
		t.Errorf("the Weaviate of compose.yaml is %q, older than %s", image, weaviate.FirstRight)
	}
}
