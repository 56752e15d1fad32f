#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Judges the reference and the newest official runtime, for `make conform`:
#
#   conform.sh TOOL REFERENCE WAIVERS FETCH...
#
# WAIVERS is a file, or empty. FETCH is the command of fetch_runtimes.py with its options. The exit status is that of
# the last run that did not conform.
set -eu
tool=$1 reference=$2 waivers=$3
shift 3

status=0
"$tool" "$reference" || status=$?
official=$("$@" --print-library newest) || true
if [ -n "$official" ]; then
  echo
  "$tool" ${waivers:+--waivers "$waivers"} "$official" || status=$?
else
  echo "No official runtime was judged: none is cached, and the package index is not reachable."
fi
exit "$status"
