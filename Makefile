# SPDX-License-Identifier: Apache-2.0
# Two commands matter: `make conform` and `make test`. `make help` lists all of them.
#
#   PRESET=dev    which build of CMakePresets.json (CI=true: ci)
#   JOBS=2        how many things at once (default: every core)
#   PYTHON=...    the Python that the project's own .venv is made from
#   APT=0         install no packages
#   OFFLINE=1     do not ask the Python package index
#   WRITE=1       let `make tables` change the tables of versions and names
#   CMAKE_ARGS=   more for CMake, as in -DDLPACK_INCLUDE_DIR=/usr/local/include

CI_SAYS_TRUE := $(filter true 1 yes,$(CI))
PRESET ?= $(if $(CI_SAYS_TRUE),ci,dev)
JOBS ?= $(shell nproc)
SECONDS ?= 60
PYTHON ?= python3
OFFICIAL_WAIVERS ?= reports/waivers/official.json

PACKAGES := gcc libc6-dev g++ cmake ninja-build pkg-config binutils \
	check libelf-dev libarchive-dev libjansson-dev libxml2-dev libzstd-dev liblzma-dev libbz2-dev nettle-dev valgrind clang-format clang libclang-rt-dev \
	python3 python3-venv ca-certificates dpkg-dev

# What only some tests want: where it cannot be had, they are skipped.
EXTRAS := chromium fonts-dejavu-core zsh fish afl++ gcc-i686-linux-gnu

# What only `make test-cross` wants: machines without a compiler, or without an emulator, are skipped.
CROSS := gcc-i686-linux-gnu gcc-aarch64-linux-gnu gcc-s390x-linux-gnu g++-i686-linux-gnu g++-aarch64-linux-gnu \
	g++-s390x-linux-gnu qemu-user musl-tools

BUILD := build/$(PRESET)
TOOL := $(BUILD)/bin/tvmffi-conform
REFERENCE := $(BUILD)/lib/libtvm_ffi.so
OFFICIAL := .cache/official
MODULES := $(CURDIR)/.cache/modules
HARNESS = PYTHONPATH=harness $(PY) -m tvmffi_conform
# The project's own Python where it could be made, else the system's.
PY = $(shell [ -x .venv/bin/python ] && echo .venv/bin/python || echo $(PYTHON))
PIP_INSTALL = .venv/bin/python -m pip --disable-pip-version-check install -q --retries 1 --require-hashes
FETCH = $(PY) harness/tvmffi_conform/fetch_runtimes.py --cache $(OFFICIAL) $(if $(filter-out 0,$(OFFLINE)),--offline)

.DEFAULT_GOAL := build
.PHONY: build conform test test-cross sanitize bench bench-report fuzz coverage releases tables truth judge modules reports pictures trophies wheel deb lint format deps packages python runtimes clean distclean help

# In CI only what goes wrong is printed: a line a file would bury it.
build: deps $(BUILD)/build.ninja  ## build everything (bare `make`)
	cmake --build --preset $(PRESET) --parallel $(JOBS) $(if $(CI_SAYS_TRUE),-- --quiet)

conform: build  ## judge the reference and the newest official runtime
	@status=0; \
	$(TOOL) $(REFERENCE) || status=$$?; \
	official=$$($(FETCH) --print-library newest) || true; \
	if [ -n "$$official" ]; then \
	  echo; \
	  $(TOOL) $(if $(wildcard $(OFFICIAL_WAIVERS)),--waivers $(OFFICIAL_WAIVERS)) "$$official" || status=$$?; \
	else \
	  echo "No official runtime was judged: none is in $(OFFICIAL), and the package index is not reachable."; \
	fi; \
	exit $$status

test: build  ## run every test of the project
	ctest --preset $(PRESET) --parallel $(JOBS)

test-cross: runtimes  ## build and test for other machines: i386, aarch64, s390x, musl (MACHINES="i386 s390x": only these)
	@APT=$(APT) .ci/install_packages $(CROSS)
	@JOBS=$(JOBS) OFFLINE=$(or $(filter-out 0,$(OFFLINE)),0) cross/test.sh $(MACHINES)

sanitize:  ## run the tests under ASan and UBSan, then under TSan
	$(MAKE) test PRESET=asan
	$(MAKE) test PRESET=tsan

bench: deps build/release/build.ninja  ## measure: the suite's own speed, and the reference beside the official runtime
	@OFFICIAL_RUNTIME=$$($(FETCH) --offline --print-library newest 2>/dev/null) \
	  cmake --build --preset release --parallel $(JOBS) --target bench

# On a machine that does nothing else.
bench-report: deps build/release/build.ninja  ## measure for reports/bench.md: the reference beside the newest official runtime
	@cmake --build --preset release --parallel $(JOBS) --target tvmffi-conform tvm_ffi_shared
	@$(PY) harness/bench_report.py build/release/bin/tvmffi-conform build/release/lib/libtvm_ffi.so "$$($(FETCH) --offline --print-library newest)" reports

fuzz: build  ## fuzz what takes bytes from outside, for SECONDS=60 each (TARGETS="dtype any": only these; SANITIZER=memory)
	@$(PY) fuzz/fuzz.py --seconds $(SECONDS) --jobs $(JOBS) $(if $(SANITIZER),--sanitizers $(SANITIZER)) \
	  $(BUILD)/fuzz-$(or $(SANITIZER),clang) $(BUILD)/fuzz/seeds $(TARGETS)

coverage: deps build/coverage/build.ninja  ## measure which lines and branches the tests and the fuzzers' inputs reach
	@$(PY) fuzz/coverage.py --pages --jobs $(JOBS) build/coverage

releases: tables judge  ## every release: hold the tables against it, judge it

tables: deps  ## hold the tables of versions and names against every release (WRITE=1: mend them)
	@$(PY) harness/version_table.py $(if $(filter-out 0,$(WRITE)),--write,--check)
	@$(PY) harness/name_table.py $(if $(filter-out 0,$(WRITE)),--write,--check)

truth: build  ## hold inspect against readelf and pyelftools: this machine's libraries, many wheels (1 GB to fetch)
	@$(PY) harness/fetch_wheels.py harness/abi_users.txt .cache/wheels >/dev/null
	@$(PY) harness/check_inspect.py --jobs $(JOBS) --machine 5000 $(TOOL) \
	  .cache/wheels/*.whl $(OFFICIAL)/*/tvm_ffi/lib/*.so

judge: build  ## judge the reference and every release of the official runtime; the reports go to reports
	@mkdir -p .cache/harness; [ -e .cache/harness/releases ] || ln -s ../official .cache/harness/releases; rm -rf $(BUILD)/judged
	@status=0; $(HARNESS) matrix reports/official.toml -o $(BUILD)/judged --tool $(TOOL) --cache .cache/harness \
	  $(if $(filter-out 0,$(OFFLINE)),--offline) || status=$$?; [ $$status -le 1 ] || exit $$status
	@rm -f reports/official/*.json.gz; for report in $(BUILD)/judged/official-*.json; do \
	  name=$${report##*/official-}; gzip -9nc "$$report" >"reports/official/$$name.gz" || exit; done
	@$(TOOL) run -q --report json:$(BUILD)/judged/reference.json $(REFERENCE)
	@gzip -9nc $(BUILD)/judged/reference.json >reports/reference.json.gz

# A module for CUDA needs the libraries that were fetched with it.
modules: build  ## judge modules that others' tools made, in many runtimes (5 GB to fetch); the reports go to reports/modules
	@CUDA_VISIBLE_DEVICES= $(PY) harness/real_modules/produce.py --cache $(MODULES)
	@mkdir -p $(MODULES)/reference && cp $(REFERENCE) $(MODULES)/reference
	@status=0; LD_LIBRARY_PATH=$(MODULES)/libraries $(HARNESS) matrix reports/modules.toml \
	  -o $(BUILD)/judged-modules --tool $(TOOL) --cache .cache/harness || status=$$?; [ $$status -le 3 ] || exit $$status
	@$(PY) harness/real_modules/keep.py $(BUILD)/judged-modules reports/modules reports/modules.md

reports: python  ## draw reports/index.html and trophies.md from what is kept in reports/
	@$(HARNESS) report reports/official --badge reports/badge.svg
	@$(HARNESS) trophies reports/trophies.toml --markdown reports/trophies.md
	@$(HARNESS) report reports/official reports/reference.json.gz $(wildcard reports/modules) --trophies reports/trophies.toml \
	  -o reports/index.html && ls -l reports/index.html

NEWEST := $(lastword $(shell grep '^[0-9]' harness/runtimes.txt))
# Releases in which something changed: all of them would be too many for a picture that is read.
PICTURED := 0.1.0 0.1.7 0.1.8 0.1.8.post0 0.1.9 0.1.10 0.1.11 0.1.12 0.1.13.post3 0.1.14.post1 $(NEWEST)

pictures: python  ## take the README's pictures of such a page anew: reports/*.png (needs chromium)
	@PYTHONPATH=harness $(PY) harness/draw_pictures.py $(PICTURED:%=reports/official/%.json.gz) reports/reference.json.gz -o reports
	@ls -l reports/*.png

trophies: build  ## run again what shows each deviation that reports/trophies.toml lists (after `make releases modules`)
	@$(HARNESS) trophies reports/trophies.toml --again --tool $(TOOL)

wheel: deps  ## make a wheel that needs nothing but the C library: build/wheel/*.whl
	@package/make_wheel.sh $(PY) build/wheel/tree build/wheel && ls -l build/wheel/*.whl

deb: deps  ## make a Debian package: build/deb/*.deb
	@package/make_deb.sh build/deb/tree build/deb $(CMAKE_ARGS) && ls -l build/deb/*.deb

lint:  ## check the layout of C and Python
	@.ci/lint

format:  ## mend the layout of C and Python
	@.ci/lint --fix

deps: packages python runtimes  ## install what is missing: packages, .venv, official runtimes

# A first configuration; afterwards the build itself notices when it has to configure again.
build/%/build.ninja: | deps
	cmake --preset $* $(CMAKE_ARGS)

packages:
	@APT=$(APT) .ci/install_packages $(PACKAGES)
	@APT=$(APT) .ci/install_packages $(EXTRAS)

python: .venv/requirements.stamp

.venv/bin/python: | packages
	@$(PYTHON) -m venv .venv || { \
	  rm -rf .venv; echo "deps: $(PYTHON) cannot make a virtual environment"; }

.venv/requirements.stamp: harness/requirements.lock | .venv/bin/python
	@if [ ! -x .venv/bin/python ]; then echo "deps: no .venv; tests that need its packages will be skipped"; \
	elif [ -n "$(filter-out 0,$(OFFLINE))" ]; then echo "deps: the Python packages were not asked for (OFFLINE)"; \
	elif $(PIP_INSTALL) -r $< 2>.venv/pip.log; then touch $@; \
	else tail -n 1 .venv/pip.log; \
	  echo "deps: the Python packages could not be installed; tests that need them will be skipped"; fi

runtimes: $(OFFICIAL)/.complete

$(OFFICIAL)/.complete: harness/runtimes.txt | .venv/bin/python
	@$(FETCH) --list $<; status=$$?; \
	if [ $$status = 0 ]; then touch $@; \
	elif [ $$status = 3 ]; then echo "deps: official runtimes are missing; tests that need them will be skipped"; \
	else exit $$status; fi

clean:  ## remove what was built
	rm -rf build

distclean: clean  ## remove what was fetched, too
	rm -rf .venv .cache

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
