#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Judges the reference and the newest official runtime, for `make conform`, and builds what that needs and no more:
#
#   conform.sh PRESET JOBS WAIVERS CMAKE-ARGS FETCH...
#
# WAIVERS is a file, or empty. FETCH is the command of fetch_runtimes.py with its options; the release that it brings has
# DLPack's header, which the build needs. A folder that is configured already is left as it is. The exit status is that
# of the last run that did not conform.
set -eu
preset=$1 jobs=$2 waivers=$3 arguments=$4
shift 4
build=build/$preset

official=$("$@" --print-library newest) || true
if [ ! -f "$build/build.ninja" ]; then
  # shellcheck disable=SC2086
  cmake --preset "$preset" --log-level=NOTICE -DTVMFFI_TESTS=OFF -DTVMFFI_MUTANTS=OFF $arguments
fi
# A line a file is for a terminal, where it is always the same one.
quiet=
[ -t 1 ] || quiet=--quiet
cmake --build "$build" --parallel "$jobs" --target tvmffi-conform brought_libraries tvm_ffi_shared -- $quiet

status=0
"$build/bin/tvmffi-conform" "$build/lib/libtvm_ffi.so" || status=$?
if [ -n "$official" ]; then
  echo
  "$build/bin/tvmffi-conform" ${waivers:+--waivers "$waivers"} "$official" || status=$?
else
  echo "No official runtime was judged: none is cached, and the package index is not reachable."
fi
exit "$status"
