#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make bench` prints: the suite's own speed, on modules too, that of inspect, that of fuzz, then the operations of the reference, beside those of the
# official runtime that OFFICIAL_RUNTIME names, if any.
#
#   bench.sh PYTHON TOOL REFERENCE MODULE_OF_ONE MODULE_OF_MANY TREE
#
# TREE is a folder for the fuzz targets, which are built for that.
set -eu
python=$1 tool=$2 reference=$3 one=$4 many=$5 tree=$6
official=${OFFICIAL_RUNTIME:-}

"$python" "$(dirname "$0")/bench_engine.py" "$tool" "$reference" ${official:+"$official"}
echo
"$python" "$(dirname "$0")/bench_kernels.py" "$tool" "$one" "$many"
echo
"$python" "$(dirname "$0")/bench_inspect.py" "$tool" ${official:+"$official"}
echo
"$python" "$(dirname "$0")/../fuzz/fuzz_rate.py" "$tool" "$tree" "$reference" ${official:+"$official"}
echo
exec "$tool" bench "$reference" ${official:+--against "$official"}
