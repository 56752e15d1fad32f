#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Judges every release of the official runtime, and the reference, for `make judge`; the reports go to reports/.
#
#   judge.sh PYTHON TOOL REFERENCE FOLDER        FOLDER is for the matrix, and is emptied first
#
# OFFLINE=1: do not ask the package index.
set -eu
python=$1 tool=$2 reference=$3 judged=$4
offline=
[ "${OFFLINE:-0}" = 0 ] || offline=--offline

mkdir -p .cache/harness
[ -e .cache/harness/releases ] || ln -s ../official .cache/harness/releases
rm -rf "$judged"

# 1 says that a release does not conform, 5 that one is inconclusive, which is what the reports are about.
status=0
PYTHONPATH=harness "$python" -m tvmffi_conform matrix reports/official.toml -o "$judged" --tool "$tool" \
  --cache .cache/harness $offline || status=$?
case $status in 0 | 1 | 5) ;; *) exit "$status" ;; esac

rm -f reports/official/*.json.gz
for report in "$judged"/official-*.json; do
  gzip -9nc "$report" >"reports/official/${report##*/official-}.gz"
done
"$tool" run -q --report "json:$judged/reference.json" "$reference"
gzip -9nc "$judged/reference.json" >reports/reference.json.gz
