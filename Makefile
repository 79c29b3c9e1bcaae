# Talaria: what to type. `make run` is all a newcomer needs.
GO      ?= go
FUZZTIME ?= 30s
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
# -race needs cgo and a C compiler; where there is none the tests run without it and say so.
RACE    := $(shell command -v $${CC:-cc} >/dev/null 2>&1 && [ "$$($(GO) env GOOS)" != windows ] && echo -race)

# One way of compiling for everything that runs without the race detector (vet, staticcheck, the stories of the whole program,
# the program itself): each package is then compiled once for all of them.
export GOFLAGS := $(filter-out -trimpath,$(GOFLAGS)) -trimpath
export CGO_ENABLED := 0

.PHONY: run build test soak check bench fuzz demo

run: build
	./talaria

build:
	$(GO) build -ldflags '-s -w -X main.version=$(VERSION)' -o talaria .

# The stories of the whole program start it hundreds of times; under the race detector each start takes ten times as long,
# so they run without it here and with it in soak. Every package by itself runs with it.
# What properties are tried with is drawn from one seed, so that a change which passed passes again; soak draws anew.
test: export RAPID_SEED := 1
test:
ifeq ($(RACE),)
	@echo 'no C compiler: testing without the race detector'
	$(GO) test $(VET) ./...
else
	CGO_ENABLED=1 $(GO) test $(VET) $(RACE) $$($(GO) list ./... | grep -v '^talaria$$')
	$(GO) test $(VET) .
endif

# What takes minutes: the stories of the whole program with the race detector, kills and loads by the hundred, and the
# whole of every matrix of which make test goes through a part (engine/soak).
soak:
	[ -z "$(RACE)" ] || CGO_ENABLED=1 $(GO) test $(RACE) -count=1 -timeout 30m .
	TALARIA_SOAK=200 $(GO) test -count=1 -timeout 60m -run 'Kill|Soak' ./store/... ./engine/... .
	TALARIA_SOAK=1 $(GO) test -count=1 -timeout 120m -skip 'Kill|Soak' ./...

check:
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "gofmt would change: $$bad"; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(MAKE) test VET=-vet=off # go test would vet a part of it again

bench:
	$(GO) test -run '^$$' -bench . -benchtime 1s ./...

# Every fuzz target in turn: go test takes one at a time.
fuzz:
	@$(GO) list ./... | while read -r pkg; do \
	  for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "== $$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x $$pkg || exit 1; \
	  done; \
	done

# The pictures of docs/pictures, of which README shows three: the running program in a terminal, with a scripted model.
demo:
	$(GO) test -count=1 -run '^TestRecordThePictures$$' . -pictures docs/pictures
