# What people run: `make run` for a server with a town full of bots, `make test` for everything that must pass.

GO          ?= go
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
# A number of runs, not a time: at the end of a time the fuzzing engine itself fails now and then.
FUZZTIME    ?= 6000x
DATA        ?= sphere-data

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS  = -s -w -X main.version=$(VERSION)

.PHONY: help build web web-if-possible run simulate alike test test-all check deadcode page unit race test-race coverage test-system test-faults \
	test-faults-short test-foreign test-browser test-fuzz test-cross test-release bench quick-bench recordings release clean

build: web-if-possible ## the program, as bin/sphere
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "$(LDFLAGS)" -o bin/ ./cmd/sphere

# What is said behind two number signs is what this says of each target.
help: ## what there is to make
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F '\t' '{ printf "%-18s %s\n", $$1, $$2 }'

# The administrators' page, which is built into the program. It needs npm.
WEB = server/admin/web

web: $(WEB)/dist/index.html ## the pages of administrators and players, which build puts into the program; needs npm

$(WEB)/dist/index.html: $(WEB)/node_modules/.package-lock.json $(shell find $(WEB) -type f -not -path '*/node_modules/*' -not -path '*/dist/*')
	npm run --prefix $(WEB) build

$(WEB)/node_modules/.package-lock.json: $(WEB)/package-lock.json
	npm ci --prefix $(WEB) --no-audit --no-fund

# Without npm, or without a network the first time, there is a program whose page says how to build the page.
web-if-possible: ## the same where there is npm
	@if command -v npm >/dev/null; then $(MAKE) -s web || echo "building without the administrators' page"; fi

run: build ## a server with a hundred bots that live in a town
	./bin/sphere demo --data $(DATA)

# Each part, whatever becomes of the others, and a line for each at the end. They can be made one by one as well.
PARTS     = check page unit race
ALL_PARTS = $(PARTS) simulate alike test-race test-system test-foreign test-browser test-cross test-fuzz test-faults test-release bench

test: ## the gate: format, vet, staticcheck, dead code, all quick tests, the race detector on some, the page
	@MAKE="$(MAKE)" test/parts $(PARTS)

test-all: ## test and everything else that is named test-, and bench: hours, on a machine with nothing else to do
	@MAKE="$(MAKE)" test/parts $(ALL_PARTS)

# Dead code is looked for on one processor, beside the others.
check: ## of test: gofmt, vet, staticcheck, dead code
	@unformatted=$$(gofmt -l $$(git ls-files '*.go' 2>/dev/null || find . -name '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted by gofmt:"; echo "$$unformatted"; exit 1; fi
	@failed=; GO="$(GO)" test/deadcode & dead=$$!; \
	echo "$(GO) vet -tags system ./..."; $(GO) vet -tags system ./... || failed=1; \
	if [ "$$CI" = true ] || $(STATICCHECK) -version >/dev/null 2>&1; then \
	echo "$(STATICCHECK) -tags system ./..."; $(STATICCHECK) -tags system ./... || failed=1; \
	else echo "SKIPPED: staticcheck, which cannot be fetched"; fi; \
	wait $$dead && [ -z "$$failed" ]

deadcode: ## of check: functions that no program of ours reaches
	@GO="$(GO)" test/deadcode

page: ## of test: types and tests of the administrators' page, where there is npm
	test/page

# How long a package's tests may take at the most: many times what they do, since other programs may want the processors, too.
TEST_TIMEOUT ?= 30m
# Properties have the same examples in each run; with RAPID_SEED=0 others each time.
export RAPID_SEED ?= 1

# What vet says, check says of all packages; go test would look at each once more for unit and race.
unit: ## of test: the tests of all packages, with the seeds of the fuzz targets
	$(GO) test -vet=off -timeout $(TEST_TIMEOUT) ./...

# What several goroutines share, where the detector takes seconds. It needs a C compiler for its own runtime; what ships needs none.
CONCURRENT = $(addprefix ./server/,sim chat measure oplog passwords public query ratelimit session sim/memnet tiles transport view w3host webhook webserver)
DETECTOR   = if command -v gcc >/dev/null || command -v clang >/dev/null; then set -x; $(GO) test -race -vet=off -short -timeout

# server/sim has the whole server in it, and its clients. Of the store and of the API, whose tests take a minute and more with it, those
# of the writer, and of logins, sessions, streams and marks.
PARTLY  = ./data ./server/admin/api
SHARING = Stream|Sessions|Logins|AtOnce|Resting|Bounded|Heat|Marks|WriteTakes|WritesOf|Held|FullDisk|OneMoment|Queued|Scheduled

race: ## of test: the race detector on what several goroutines share
	@$(DETECTOR) $(TEST_TIMEOUT) $(CONCURRENT) && \
	$(GO) test -race -vet=off -short -timeout $(TEST_TIMEOUT) -run '$(SHARING)' $(PARTLY); \
	else echo "SKIPPED: all, since there is no C compiler"; fi

# Evenings on simulated time, each by its seed, until one fails: it says how to play that one again.
SEEDS   ?= 200
SEED    ?= 1
MINUTES ?= 8
PLAYERS ?= 20

simulate: ## SEEDS evenings of fights, trade, lost connections, failing stores and crashes, then newcomers in each town and each school to level 60, on simulated time: 6 minutes
	$(GO) test ./server/sim -count 1 -timeout 0 -run '^TestEvenings$$' -args -sim.seed=$(SEED) -sim.seeds=$(SEEDS) \
		-sim.minutes=$(MINUTES) -sim.players=$(PLAYERS)
	$(GO) test ./server/sim -count 1 -timeout 0 -run '^TestNewcomersSurvive$$' -args -sim.newcomers=6 -sim.hours=1h
	$(GO) test ./server/career -count 1 -timeout 0 -run '^TestEachSchoolGoesOn$$' -args -career.to=60

alike: ## all simulated tests twice, and which of them were not alike: 1 minute
	@GO="$(GO)" TEST_TIMEOUT="$(TEST_TIMEOUT)" test/alike

# PROFILE=FILE keeps the profile.
coverage: ## statements that the quick tests reach, by room, and the functions that none reaches: 5 minutes
	@GO="$(GO)" TEST_TIMEOUT="$(TEST_TIMEOUT)" test/coverage

# Tests behind the tag "system" start processes, wait for real sockets, signals and clocks, or want other programs. Those of fault cases,
# of other people's clients and of browsers are known by their names.
FAULTS  = Fault[A-Z]
FOREIGN = ^TestForeign
BROWSER = ^TestBrowser
SYSTEM  = ./cmd/sphere ./cmd/bench

test-race: ## the race detector on all packages: 20 minutes
	@$(DETECTOR) 90m -tags system -skip '$(FOREIGN)|$(BROWSER)' ./...; else echo "SKIPPED: all, since there is no C compiler"; fi

test-system: ## processes, sockets and signals: the program as it is run
	$(GO) test -tags system -timeout $(TEST_TIMEOUT) -skip '$(FAULTS)|$(FOREIGN)|$(BROWSER)' $(SYSTEM)

FAULTY = ./cmd/sphere ./server/game ./server/query
# The cases whose one size is that of make test.
QUICK  = ./data ./packets ./server/sim ./server/session ./server/passwords ./server/bot ./server/admin/... ./world/...

test-faults: ## the cases of docs/reliability.md in full, with their figures: hours, on a machine with nothing else to do
	$(GO) test -count 1 -timeout $(TEST_TIMEOUT) $(QUICK)
	$(GO) test -tags system,full -timeout 300m -count 1 -v -run '$(FAULTS)' $(FAULTY)

test-faults-short: ## the same in their short form: minutes
	$(GO) test -tags system -timeout $(TEST_TIMEOUT) -run '$(FAULTS)' $(FAULTY)

test-foreign: ## clients that others have written, of server browsers and of Warcraft III; those that are missing are named
	@test/foreign
	$(GO) test -tags system -timeout $(TEST_TIMEOUT) -run '$(FOREIGN)' ./cmd/sphere $(if $(filter true,$(CI)),-args -everything)

test-browser: ## a browser uses the pages of a running server; needs chromium and npm
	@GO="$(GO)" BROWSER='$(BROWSER)' test/browser

test-fuzz: ## every fuzz target FUZZTIME times
	@GO="$(GO)" FUZZTIME="$(FUZZTIME)" test/fuzz

# The code is to compile, tests included, where it is not run by us; for Windows as the release compiles it, so that it need not
# be compiled twice.
test-cross: ## vet and build for Windows and macOS
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) vet -tags system -trimpath ./...
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 $(GO) vet -tags system ./...
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) build -trimpath -o /dev/null ./cmd/sphere
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/sphere

bench: ## performance beside bare references, in one run that ends with an error if a bar is missed
	$(GO) run ./cmd/bench $(BENCHFLAGS)

quick-bench: ## which bars are missed by far, in small sizes that beside other programs tell something, too
	$(GO) run ./cmd/bench --quick

# The recorded sessions of testdata/recordings anew, from what the server does now: docs/recordings.md.
recordings: ## the recorded sessions of testdata/recordings anew
	$(GO) test -count=1 -run '^TestMakeRecordings$$' ./server/bot/replay -remake

# Programs that need nothing else, for the systems that servers run on, with their checksums. The same commit and Go make the
# same bytes, with the administrators' page or without.
PLATFORMS    ?= linux/amd64 linux/arm64 windows/amd64
COMMIT        = $(shell git rev-parse HEAD 2>/dev/null)
COMMIT_DATE   = $(shell git show -s --format=%cI HEAD 2>/dev/null)
RELEASE_FLAGS = $(LDFLAGS) -X main.commit=$(COMMIT) -X main.date=$(COMMIT_DATE)

release: web-if-possible ## programs for Linux and Windows that need nothing else, in dist
	rm -rf dist
	mkdir dist
	@set -e; for platform in $(PLATFORMS); do \
		os=$${platform%/*}; arch=$${platform#*/}; file=sphere-$(VERSION)-$$os-$$arch; \
		if [ $$os = windows ]; then file=$$file.exe; fi; \
		echo "dist/$$file"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -buildvcs=false -trimpath -ldflags "$(RELEASE_FLAGS)" -o dist/$$file ./cmd/sphere; \
	done
	cd dist && sha256sum sphere-* > SHA256SUMS

test-release: release ## each program of the release starts: as it is, under qemu-user, under Wine
	test/release

clean: ## takes away what was built
	rm -rf bin dist
