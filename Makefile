# What people run: `make run` for a server with a bot walking in it, `make test` for everything that must pass.

GO          ?= go
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
# A number of runs, not a time: at the end of a time the fuzzing engine itself fails now and then.
FUZZTIME    ?= 6000x
DATA        ?= sphere-data

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS  = -s -w -X main.version=$(VERSION)

.PHONY: build web web-if-possible run test check deadcode foreign page unit race fuzz cross bench quick-bench recordings release \
	check-release clean

build: web-if-possible
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "$(LDFLAGS)" -o bin/ ./cmd/sphere

# The administrators' page, which is built into the program. It needs npm.
WEB = server/admin/web

web: $(WEB)/dist/index.html

$(WEB)/dist/index.html: $(WEB)/node_modules/.package-lock.json $(shell find $(WEB) -type f -not -path '*/node_modules/*' -not -path '*/dist/*')
	npm run --prefix $(WEB) build

$(WEB)/node_modules/.package-lock.json: $(WEB)/package-lock.json
	npm ci --prefix $(WEB) --no-audit --no-fund

# Without npm, or without a network the first time, there is a program whose page says how to build the page.
web-if-possible:
	@if command -v npm >/dev/null; then $(MAKE) -s web || echo "building without the administrators' page"; fi

run: build
	./bin/sphere demo --data $(DATA)

# Each part, whatever becomes of the others, and a line for each at the end. They can be made one by one as well. Those that only
# CI=true adds take minutes, and are about machines rather than about a change.
PARTS = check cross foreign page unit race fuzz
ifeq ($(CI),true)
PARTS += check-release quick-bench
endif

test:
	@MAKE="$(MAKE)" test/parts $(PARTS)

check:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go' 2>/dev/null || find . -name '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted by gofmt:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	@if [ "$$CI" = true ] || $(STATICCHECK) -version >/dev/null 2>&1; then echo "$(STATICCHECK) ./..."; $(STATICCHECK) ./...; \
	else echo "SKIPPED: staticcheck, which cannot be fetched"; fi
	@GO="$(GO)" test/deadcode

# What no program of ours reaches.
deadcode:
	@GO="$(GO)" test/deadcode

# The code is to compile, tests included, where it is not run by us; for Windows as the release compiles it, so that it need not
# be compiled twice.
cross:
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) vet -trimpath ./...
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 $(GO) vet ./...
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) build -trimpath -o /dev/null ./cmd/sphere
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/sphere

# Clients that others have written: those that cannot be had here are named, and their tests skipped. Most of the tests are
# among those of unit.
foreign:
	test/foreign

# What can be proved of the administrators' page without a browser; with one, TestAdminPage of cmd/sphere uses it.
page:
	test/page

# How long a package's tests may take at the most: many times what they do, since other programs may want the processors, too.
TEST_TIMEOUT ?= 45m

unit:
	$(GO) test -timeout $(TEST_TIMEOUT) ./...

# The race detector needs a C compiler for its own runtime; what ships needs none.
race:
	@if command -v gcc >/dev/null || command -v clang >/dev/null; then $(GO) test -race -short -timeout $(TEST_TIMEOUT) ./...; \
	elif [ "$$CI" = true ]; then echo "no C compiler for the race detector"; exit 1; \
	else echo "SKIPPED: all, since there is no C compiler"; fi

# Every fuzz target for a short time each.
fuzz:
	@GO="$(GO)" FUZZTIME="$(FUZZTIME)" test/fuzz

# Performance bars beside their references, in one run, which ends with an error if one is missed.
bench:
	$(GO) run ./cmd/bench $(BENCHFLAGS)

# Which bars are missed by far, in small sizes that beside other programs tell something, too.
quick-bench:
	$(GO) run ./cmd/bench --quick

# The recorded sessions of testdata/recordings anew, from what the server does now: docs/recordings.md.
recordings:
	$(GO) test -count=1 -run '^TestMakeRecordings$$' ./server/bot/replay -remake

# Programs that need nothing else, for the systems that servers run on, with their checksums. The same commit and Go make the
# same bytes, with the administrators' page or without.
PLATFORMS    ?= linux/amd64 linux/arm64 windows/amd64
COMMIT        = $(shell git rev-parse HEAD 2>/dev/null)
COMMIT_DATE   = $(shell git show -s --format=%cI HEAD 2>/dev/null)
RELEASE_FLAGS = $(LDFLAGS) -X main.commit=$(COMMIT) -X main.date=$(COMMIT_DATE)

release: web-if-possible
	rm -rf dist
	mkdir dist
	@set -e; for platform in $(PLATFORMS); do \
		os=$${platform%/*}; arch=$${platform#*/}; file=sphere-$(VERSION)-$$os-$$arch; \
		if [ $$os = windows ]; then file=$$file.exe; fi; \
		echo "dist/$$file"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -buildvcs=false -trimpath -ldflags "$(RELEASE_FLAGS)" -o dist/$$file ./cmd/sphere; \
	done
	cd dist && sha256sum sphere-* > SHA256SUMS

# Each program of the release starts: as it is, under qemu-user, under Wine.
check-release: release
	test/release

clean:
	rm -rf bin dist
