#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make bench` prints: the suite's own speed, on modules too, that of inspect, that of fuzz, what trace costs, how a page of reports opens, then the operations of the
# reference, beside those of the official runtime that OFFICIAL_RUNTIME names, if any.
#
#   bench.sh PYTHON TOOL REFERENCE MODULE_OF_ONE MODULE_OF_MANY TREE [PROGRAM]
#
# TREE is a folder for the fuzz targets, which are built for that; PROGRAM is trace_cost, where there is a validation layer.
set -eu
python=$1 tool=$2 reference=$3 one=$4 many=$5 tree=$6 traced=${7:-}
official=${OFFICIAL_RUNTIME:-}
root=$(dirname "$0")/..
own=$root/.venv/bin/python  # has what draws pages
[ -x "$own" ] || own=$python

"$python" "$root/harness/bench_engine.py" "$tool" "$reference" ${official:+"$official"}
echo
"$python" "$root/harness/bench_kernels.py" "$tool" "$one" "$many"
echo
"$python" "$root/harness/bench_inspect.py" "$tool" ${official:+"$official"}
echo
"$python" "$root/fuzz/fuzz_rate.py" "$tool" "$tree" "$reference" ${official:+"$official"}
echo
if [ -n "$traced" ]; then
  "$python" "$root/harness/bench_trace.py" "$tool" "$traced" "$reference"
  echo
fi
"$own" "$root/harness/bench_page.py" "$root/reports/official" "$root/reports/index.html"
echo
exec "$tool" bench "$reference" ${official:+--against "$official"}
