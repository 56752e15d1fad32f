#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds one fuzz target with Clang, ASan and UBSan, and lets it run: fuzz.sh NAME TREE SEEDS SECONDS
#
# TREE is the build folder, and TREE/corpus/NAME keeps what was found worth keeping from one run to the next.
# CLANG names the compiler. Exit status: 0 nothing was found, 77 Clang has no libFuzzer, else something is wrong; the
# input that shows it lies in TREE/crashes/NAME then. Put it into fuzz/crashes/NAME once it is mended.
set -euo pipefail
name=$1 tree=$2 seeds=$3 seconds=$4
clang=${CLANG:-clang}
source=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$tree"
probe="$tree/probe"
if ! echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { (void)d; (void)n; return 0; }' |
  "$clang" -fsanitize=fuzzer,address,undefined -x c - -o "$probe" 2>/dev/null; then
  echo "SKIPPED: $clang cannot build a fuzzer; Debian has libFuzzer in libclang-rt-14-dev"
  exit 77
fi

if [ ! -f "$tree/build.ninja" ]; then
  cmake -S "$source/.." -B "$tree" -G Ninja -DCMAKE_C_COMPILER="$clang" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DTVMFFI_FUZZ=ON -DTVMFFI_TESTS=OFF -DTVMFFI_WERROR=ON \
    -DTVMFFI_SANITIZE=address,undefined,fuzzer-no-link \
    ${DLPACK_INCLUDE_DIR:+-DDLPACK_INCLUDE_DIR="$DLPACK_INCLUDE_DIR"} >"$tree/configure.log" 2>&1 ||
    { cat "$tree/configure.log"; exit 1; }
fi
cmake --build "$tree" --target "fuzz_$name" >"$tree/build-$name.log" 2>&1 || { cat "$tree/build-$name.log"; exit 1; }

corpus="$tree/corpus/$name" crashes="$tree/crashes/$name/"
mkdir -p "$corpus" "$crashes"
options=(-max_total_time="$seconds" -max_len=65536 -rss_limit_mb=1024 -timeout=10 -print_final_stats=1
  -artifact_prefix="$crashes")
[ ! -f "$source/$name.dict" ] || options+=(-dict="$source/$name.dict")
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "$tree/fuzz/fuzz_$name" "${options[@]}" "$corpus" "$seeds" \
  2>"$tree/run-$name.log" || { tail -n 60 "$tree/run-$name.log"; exit 1; }
grep -E 'DONE|number_of_executed_units|new_units_added|peak_rss' "$tree/run-$name.log"
