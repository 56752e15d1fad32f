# SPDX-License-Identifier: Apache-2.0
# Two commands matter: `make conform` and `make test`. `make help` lists all of them.
# The first installs and builds what judging needs; everything else installs and builds the rest, too.
#
#   PRESET=dev    which build of CMakePresets.json (CI=true: ci)
#   JOBS=2        parallel jobs (default: one per core)
#   TEST_JOBS=3   tests at a time (default: one more than JOBS, since many of them wait for time limits)
#   PYTHON=...    the Python that .venv is created with
#   APT=0         install no packages
#   OFFLINE=1     do not contact the Python package index
#   WRITE=1       `make tables` updates the tables of versions and names
#   CMAKE_ARGS=   more arguments for CMake, as in -DDLPACK_INCLUDE_DIR=/usr/local/include

CI_SAYS_TRUE := $(filter true 1 yes,$(CI))
PRESET ?= $(if $(CI_SAYS_TRUE),ci,dev)
JOBS ?= $(shell nproc)
TEST_JOBS ?= $(shell expr $(JOBS) + 1)
SECONDS ?= 60
PYTHON ?= python3
OFFICIAL_WAIVERS ?= reports/waivers/official.json

# To build the program and the reference, and to fetch official releases.
TO_USE := gcc libc6-dev binutils cmake ninja-build pkg-config \
	libelf-dev libarchive-dev libjansson-dev libxml2-dev nettle-dev libseccomp-dev python3 python3-pip-whl ca-certificates

# To build and run the tests, and to make packages.
TO_DEVELOP := g++ check valgrind clang clang-format libclang-rt-dev libzstd-dev liblzma-dev libbz2-dev dpkg-dev python3-venv

# Needed by some tests only, which are skipped where these are not available.
EXTRAS := chromium fonts-dejavu-core zsh fish afl++ gcc-i686-linux-gnu shellcheck

# Needed by `make lint` only.
LINTERS := clang-tidy shellcheck

# Needed by `make test-cross` only: machines without a compiler or an emulator are skipped.
CROSS := gcc-i686-linux-gnu gcc-aarch64-linux-gnu gcc-s390x-linux-gnu g++-i686-linux-gnu g++-aarch64-linux-gnu \
	g++-s390x-linux-gnu qemu-user musl-tools

BUILD := build/$(PRESET)
TOOL := $(BUILD)/bin/tvmffi-conform
REFERENCE := $(BUILD)/lib/libtvm_ffi.so
OFFICIAL := .cache/official
MODULES := $(CURDIR)/.cache/modules
HARNESS = PYTHONPATH=harness $(PY) -m tvmffi_conform
# The Python of .venv if it exists, else the system's.
PY = $(shell [ -x .venv/bin/python ] && echo .venv/bin/python || echo $(PYTHON))
FETCH = $(PY) harness/tvmffi_conform/fetch_runtimes.py --cache $(OFFICIAL) $(if $(filter-out 0,$(OFFLINE)),--offline)

.DEFAULT_GOAL := build
.PHONY: build built conform test test-cross sanitize bench bench-report fuzz coverage releases tables truth judge modules field field-builds official-suites reports pictures trophies wheel deb lint format deps to-build to-test packages packages-to-use extras python runtimes clean distclean help

# CI prints failures only: a line per file would bury them. (`make conform` may have left the tests out.)
build: to-test built  ## build everything (bare `make`)

built: to-build $(BUILD)/build.ninja
	@! grep -qs '^TVMFFI_TESTS:BOOL=OFF' $(BUILD)/CMakeCache.txt || \
	  cmake --preset $(PRESET) --log-level=NOTICE -DTVMFFI_TESTS=ON -DTVMFFI_MUTANTS=ON
	cmake --build --preset $(PRESET) --parallel $(JOBS) $(if $(CI_SAYS_TRUE),-- --quiet)

conform: packages-to-use  ## judge the reference and the newest official runtime
	@harness/conform.sh $(PRESET) $(JOBS) "$(wildcard $(OFFICIAL_WAIVERS))" "$(CMAKE_ARGS)" $(FETCH)

test: to-test built  ## run every test of the project
	ctest --preset $(PRESET) --parallel $(TEST_JOBS)

test-cross: runtimes  ## build and test for i386, aarch64, s390x, musl (MACHINES="i386 s390x": only these)
	@APT=$(APT) .ci/install_packages $(CROSS)
	@JOBS=$(JOBS) OFFLINE=$(or $(filter-out 0,$(OFFLINE)),0) cross/test.sh $(MACHINES)

sanitize:  ## run the tests under ASan and UBSan, then under TSan
	$(MAKE) test PRESET=asan
	$(MAKE) test PRESET=tsan

bench: deps build/release/build.ninja  ## measure the suite's own speed, and the reference compared with the official runtime
	@OFFICIAL_RUNTIME=$$($(FETCH) --offline --print-library newest 2>/dev/null) \
	  cmake --build --preset release --parallel $(JOBS) --target bench

# On an idle machine.
bench-report: deps build/release/build.ninja  ## measure for reports/bench.md: the reference compared with the newest official runtime
	@cmake --build --preset release --parallel $(JOBS) --target tvmffi-conform tvm_ffi_shared trace_cost
	@$(PY) harness/bench_report.py --traced build/release/conformance/bench/trace_cost build/release/bin/tvmffi-conform build/release/lib/libtvm_ffi.so "$$($(FETCH) --offline --print-library newest)" reports

fuzz: build  ## fuzz all readers of untrusted input, for SECONDS=60 each (TARGETS="dtype any": only these; SANITIZER=memory)
	@$(PY) fuzz/fuzz.py --seconds $(SECONDS) --jobs $(JOBS) $(if $(SANITIZER),--sanitizers $(SANITIZER)) \
	  $(BUILD)/fuzz-$(or $(SANITIZER),clang) $(BUILD)/fuzz/seeds $(TARGETS)

coverage: deps build/coverage/build.ninja  ## measure the lines and branches that tests and fuzz inputs cover
	@$(PY) fuzz/coverage.py --pages --jobs $(JOBS) build/coverage

releases: tables judge  ## check the tables against every release, and judge every release

tables: deps  ## check the tables of versions and names against every release (WRITE=1: update them)
	@$(PY) harness/version_table.py $(if $(filter-out 0,$(WRITE)),--write,--check)
	@$(PY) harness/name_table.py $(if $(filter-out 0,$(WRITE)),--write,--check)

FOREIGN := --platform macosx_14_0_arm64 --platform win_amd64
truth: deps $(BUILD)/build.ninja  ## compare inspect with readelf, nm, pyelftools, auditwheel: this machine's libraries, many wheels (1.5 GB to fetch)
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target tvmffi-conform
	@$(PY) harness/fetch_wheels.py harness/abi_users.txt .cache/wheels >/dev/null
	@$(PY) harness/fetch_wheels.py conformance/abi/releases.def .cache/wheels/official --machine x86_64 --machine aarch64 >/dev/null
	@$(PY) harness/check_inspect.py --jobs $(JOBS) --machine 5000 $(TOOL) \
	  .cache/wheels/*.whl $(OFFICIAL)/*/tvm_ffi/lib/*.so
	@$(PY) harness/check_wheels.py --jobs $(JOBS) --least 20 $(TOOL) .cache/wheels/*.whl .cache/wheels/official/*.whl
	@$(PY) -m pip install -q -r harness/truth.txt
	@$(PY) harness/fetch_wheels.py conformance/abi/releases.def .cache/wheels/foreign $(FOREIGN) >/dev/null
	@$(PY) harness/fetch_wheels.py harness/foreign_wheels.txt .cache/wheels/foreign $(FOREIGN) >/dev/null
	@$(PY) harness/check_foreign.py --least 200 $(TOOL) .cache/wheels/foreign/*/*.whl

judge: build  ## judge the reference and every release of the official runtime; the reports go to reports
	@OFFLINE=$(OFFLINE) harness/judge.sh $(PY) $(TOOL) $(REFERENCE) $(BUILD)/judged
	@$(PY) conformance/judge/known_releases.py reports/official conformance/judge/known_releases.def

modules: build  ## judge modules made by other projects, in many runtimes (5 GB to fetch); the reports go to reports/modules
	@harness/real_modules/judge.sh $(PY) $(TOOL) $(REFERENCE) $(MODULES) $(BUILD)/judged-modules

# ALL=1: against the headers of three releases. The tool of PRESET judges, or TOOL=...
field: build  ## judge kernels as vendors write them, correct and with bugs, for reports/field.md (ALL=1: three releases)
	@$(PY) -m pip install -q -r harness/field.txt
	@$(PY) harness/field_kernels.py $(TOOL) $(OFFICIAL) --report reports/field.md --jobs $(JOBS) $(if $(filter-out 0,$(ALL)),--all-headers)

field-builds: build  ## judge the same kernels next to their correct builds, without signature files, for reports/field_builds.md (SETS=NAME,...)
	@$(PY) -m pip install -q -r harness/field.txt
	@$(PY) harness/field_builds.py $(TOOL) $(OFFICIAL) --report reports/field_builds.md --jobs $(JOBS) $(SETS:%=--set %)

# For reports/official_suites.md. What it fetches and compiles stays in .cache/official-suites.
official-suites: build  ## run the official runtime's own tests on its library and on the reference (needs g++ and gtest; half an hour)
	@PYTHONPATH=harness $(PY) harness/official_suites.py $(REFERENCE) $(BUILD)/lib/cxx/libtvm_ffi.so --report reports/official_suites.md --jobs $(JOBS)

reports: python  ## render reports/index.html and trophies.md from the files in reports/
	@$(HARNESS) report reports/official --badge reports/badge.svg
	@$(HARNESS) trophies reports/trophies.toml --markdown reports/trophies.md
	@$(HARNESS) report reports/official reports/reference.json.gz $(wildcard reports/modules) --trophies reports/trophies.toml \
	  -o reports/index.html && ls -l reports/index.html

pictures: python  ## renew the README's pictures: reports/*.png (needs chromium)
	@PYTHONPATH=harness $(PY) harness/draw_pictures.py reports/official reports/reference.json.gz --trophies reports/trophies.toml -o reports
	@ls -l reports/*.png

trophies: build  ## reproduce each deviation in reports/trophies.toml (after `make releases modules`)
	@$(HARNESS) trophies reports/trophies.toml --again --tool $(TOOL)

wheel: deps  ## build a wheel that needs only the C library: build/wheel/*.whl
	@package/make_wheel.sh $(PY) build/wheel/tree build/wheel && ls -l build/wheel/*.whl

deb: deps  ## build a Debian package: build/deb/*.deb
	@package/make_deb.sh build/deb/tree build/deb $(CMAKE_ARGS) && ls -l build/deb/*.deb

lint: build  ## check layout, shell scripts (shellcheck) and common mistakes in C (clang-tidy)
	@APT=$(APT) .ci/install_packages $(LINTERS)
	@.ci/lint
	@JOBS=$(JOBS) .ci/tidy $(BUILD)

format:  ## fix the layout of C and Python
	@.ci/lint --fix

deps: to-build to-test  ## install missing packages, .venv and official runtimes

# What a build waits for, and what only tests do: `make -j2 test` installs the latter while it builds.
to-build: packages runtimes
to-test: extras python

# The first configuration; later the build itself configures again when needed.
build/%/build.ninja: | to-build
	cmake --preset $* $(CMAKE_ARGS)

packages-to-use:
	@APT=$(APT) .ci/install_packages $(TO_USE)

packages:
	@APT=$(APT) .ci/install_packages $(TO_USE) $(TO_DEVELOP)

extras: packages
	@APT=$(APT) .ci/install_packages $(EXTRAS)

python: .venv/requirements.stamp

.venv/bin/python: | packages
	@$(PYTHON) -m venv .venv || { \
	  rm -rf .venv; echo "deps: $(PYTHON) cannot make a virtual environment"; }

.venv/requirements.stamp: harness/requirements.lock | .venv/bin/python
	@OFFLINE=$(OFFLINE) .ci/install_python $< $@

runtimes: $(OFFICIAL)/.complete

$(OFFICIAL)/.complete: harness/runtimes.txt | .venv/bin/python
	@.ci/install_runtimes $@ $(FETCH) --list $<

clean:  ## remove the build folder
	rm -rf build

distclean: clean  ## also remove .venv and everything fetched
	rm -rf .venv .cache

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
