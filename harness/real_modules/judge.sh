#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Judges modules that others' tools made, in many runtimes, and loads them in every release, for `make modules`; the reports go to
# reports/modules.
#
#   judge.sh PYTHON TOOL REFERENCE CACHE FOLDER
#
# CACHE is where modules and their libraries are fetched to (5 GB), FOLDER is for the matrix.
set -eu
python=$1 tool=$2 reference=$3 cache=$4 judged=$5

CUDA_VISIBLE_DEVICES='' "$python" harness/real_modules/produce.py --cache "$cache"
mkdir -p "$cache/reference"
cp "$reference" "$cache/reference"

# A module for CUDA needs the libraries that were fetched with it. 1, 3 and 5 say that something does not conform,
# can't be loaded or is inconclusive, which is what the reports are about.
status=0
LD_LIBRARY_PATH=$cache/libraries PYTHONPATH=harness "$python" -m tvmffi_conform matrix reports/modules.toml \
  -o "$judged" --tool "$tool" --cache .cache/harness || status=$?
case $status in 0 | 1 | 3 | 5) ;; *) exit "$status" ;; esac

modules=$(sed -n "s|^path = \"../.cache/modules/\(.*\)\"|$cache/\1|p" reports/modules.toml | grep -v /reference/)
status=0
# shellcheck disable=SC2086  # a list, of names without spaces
LD_LIBRARY_PATH=$cache/libraries PYTHONPATH=harness "$python" -m tvmffi_conform load $modules \
  -o "$judged/load.json" --tool "$tool" --cache .cache/harness >/dev/null || status=$?
case $status in 0 | 1) ;; *) exit "$status" ;; esac
"$python" harness/real_modules/keep.py "$judged" reports/modules reports/modules.md
